# One command for each thing a person does here. PYTHON can name another interpreter (>= 3.11).
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Frameworks that resolve together, apart from what the rest needs.
APART := .venv-frameworks
TESTS ?= tests
# A path to benchmark data; what needs it is skipped with a reason when it is not there.
SHARED ?= ../shared

.PHONY: demo test test-integrations check bench soak format clean
.DELETE_ON_ERROR:

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[agent-framework,anthropic,langchain,langgraph,llama-index,local,mcp,openai,openai-agents,otel,postgres,pydantic-ai,server]' --group dev --group mem0
	touch $@

demo: $(STAMP)  ## two conversations, days apart, and what is remembered of them
	$(BIN)/python examples/demo.py

test: $(STAMP)  ## every test
	$(BIN)/python -m pytest $(TESTS) -n 2 --shared $(SHARED)

$(APART)/.installed: pyproject.toml
	test -x $(APART)/bin/python || $(PYTHON) -m venv $(APART)
	$(APART)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(APART)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[crewai,google-adk]' --group frameworks
	touch $@

test-integrations: $(APART)/.installed  ## the contracts of frameworks that `make test` skips
	JIYI_FRAMEWORKS=apart $(APART)/bin/python -m pytest tests/integrations/frameworks tests/integrations/test_page.py

check: $(STAMP)  ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)  ## quality and speed; see bench/README.md
	$(BIN)/python -m bench --shared $(SHARED)

soak: $(STAMP)  ## the long runs: crash loops, many processes, fuzzing
	JIYI_SOAK=1 $(BIN)/python -m pytest $(TESTS) -m "soak or not soak" --shared $(SHARED)

clean:
	rm -rf $(VENV) $(APART) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
