"""An application's own parts of a profile, its own gate, and jobs that get another chance."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from jiyi import Gate, InvalidInputError, Memory, Scope
from jiyi.encode.prompt import instruction
from jiyi.encode.schema import read_schema
from jiyi.encode.slots import SLOTS
from jiyi.testing import FakeClock, ScriptedChatModel

TOML = """
[badge]
cardinality = "one"
zh = ["工牌号"]
en = ["badge"]
group = "work"

[licence_plate]
zh = ["车牌"]
en = ["licence plate"]
"""


class Staff(BaseModel):
    """What this application wants to know of its users."""

    badge: Annotated[str, Field(pattern="^[A-Z]-[0-9]+$", title="badge")] | None = None
    licence_plate: list[str] = Field(
        default_factory=list, json_schema_extra={"zh": ["车牌"], "group": "possessions"}
    )
    floor: int | None = Field(default=None, description="floor")


def from_file(tmp_path: Path) -> object:
    path = tmp_path / "profile.toml"
    path.write_text(TOML, encoding="utf-8")
    return path


@pytest.mark.parametrize("way", ["file", "model", "mapping"])
def test_own_attributes_are_remembered_shown_and_found(tmp_path: Path, way: str) -> None:
    """From each source: one value replaces, many add up, without saying so each time; the profile
    shows them, and a question in their words finds them whatever the memory says."""
    given = {
        "file": from_file(tmp_path),
        "model": Staff,
        "mapping": {
            "badge": {"cardinality": "one", "en": ["badge"]},
            "licence_plate": {"en": ["licence plate"], "zh": ["车牌"]},
        },
    }[way]
    with Memory(":memory:", embedder=None, background=False, profile_schema=given) as memory:
        sun = memory.scoped(user="sun")
        for value in ("B-12", "B-13"):
            sun.remember(f"Number {value} opens doors", slot={"attribute": "badge", "value": value})
        for value in ("京A12345", "沪B67890"):
            sun.remember(f"开{value}", slot={"attribute": "licence_plate", "value": value})
        fields = {(f.attribute, f.value) for f in sun.profile().learned}
        assert fields == {
            ("badge", "B-13"), ("licence_plate", "京A12345"), ("licence_plate", "沪B67890")
        }  # fmt: skip
        assert sun.recall("which badge do I have?")[0].text == "Number B-13 opens doors"
        assert {h.text for h in sun.recall("我的车牌是多少")} >= {"开京A12345", "开沪B67890"}
        assert "badge: B-13" in sun.context("hello").text
        if way == "file":
            assert {f.group for f in sun.profile().learned} == {"work", "own"}


def test_values_of_a_model_are_checked() -> None:
    """A value that its field cannot hold is refused at the door, naming it."""
    with Memory(":memory:", embedder=None, background=False, profile_schema=Staff) as memory:
        for attribute, value in (("badge", "none"), ("floor", "third")):
            with pytest.raises(InvalidInputError, match=attribute):
                memory.remember("wrong", slot={"attribute": attribute, "value": value})
        memory.remember("on the third floor", slot={"attribute": "floor", "value": "3"})
        assert memory.profile().get("floor") == "3"


def test_a_chat_model_fills_own_attributes() -> None:
    """The prompt names them, and a proposal for one is kept when its value was said and fits."""
    assert "licence_plate" in instruction(read_schema(Staff).slots)
    entries = [
        {"text": "User's badge is B-77", "quote": "my badge is B-77", "attribute": "badge",
         "value": "B-77"},
        {"text": "User works on the top floor", "quote": "on the top floor", "attribute": "floor",
         "value": "top"},
    ]  # fmt: skip
    reply = json.dumps(
        {"memories": [{**e, "turn": 1, "kind": "semantic", "subject": "user"} for e in entries]}
    )
    with Memory(
        ":memory:",
        embedder=None,
        background=False,
        profile_schema=Staff,
        chat_model=ScriptedChatModel([reply]),
    ) as memory:
        memory.observe("Since my badge is B-77 they let me work on the top floor")
        memory.flush()
        assert memory.profile().get("badge") == "B-77"
        assert memory.profile().get("floor") is None


def test_a_built_in_attribute_may_be_changed() -> None:
    """An own entry wins over the built-in one, also for what the rules find."""
    own = {"employer": {"cardinality": "many", "en": ["employer"]}}
    with Memory(":memory:", embedder=None, background=False, profile_schema=own) as memory:
        memory.observe("I work at Acme")
        memory.observe("I work at Initech")
        assert {f.value for f in memory.profile().learned} >= {"Acme", "Initech"}


@pytest.mark.parametrize(
    "given",
    [7, {"a/b": {}}, {"x": {"colour": "red"}}, {"x": {"cardinality": "few"}}, {"x": 3}, "/nowhere"],
)
def test_a_schema_that_makes_no_sense(given: object) -> None:
    """It is refused when the memory is opened, with the way out."""
    with pytest.raises(InvalidInputError, match="profile_schema"):
        Memory(":memory:", embedder=None, profile_schema=given)


def test_no_schema_is_the_built_in_one() -> None:
    """Without one nothing changes."""
    assert read_schema(None).slots is SLOTS


def test_the_gate_is_set_for_a_memory_and_for_a_scope() -> None:
    """A higher threshold keeps less; a callable decides by scope."""
    said = "We watched the boats from the pier yesterday evening"
    strict = Gate(threshold=0.99)

    def by_scope(scope: Scope) -> Gate:
        return strict if scope.agent == "kiosk" else Gate(threshold=0.1)

    kept = {}
    for name, gate in (("all", strict), ("scope", by_scope), ("default", None)):
        with Memory(":memory:", embedder=None, background=False, gate=gate) as memory:
            for agent in ("kiosk", "desk"):
                receipt = memory.observe(said, user=agent, agent=agent)
                kept[name, agent] = [o.status for o in receipt.outcomes]
    assert kept["all", "desk"] == kept["all", "kiosk"] == kept["scope", "kiosk"] == ["skipped"]
    assert kept["scope", "desk"] == ["stored"]


def test_parked_jobs_get_another_chance(tmp_path: Path) -> None:
    """`repair` and `work(retry_parked=True)` bring back what failed too often; it is done then."""
    clock = FakeClock()
    reply = json.dumps({"memories": []})
    for way in ("repair", "work"):
        path = tmp_path / f"{way}.db"
        model = ScriptedChatModel(["no JSON", "no JSON either"] * 5)
        with Memory(path, embedder=None, background=False, chat_model=model, clock=clock) as memory:
            memory.observe("I moved the piano to the attic", user="sun")
            for _ in range(5):
                memory.flush()
                clock.advance(hours=2)
            assert memory.stats(user="sun").queue["parked"] == 1
        model = ScriptedChatModel([reply])
        with Memory(path, embedder=None, background=False, chat_model=model, clock=clock) as memory:
            assert memory.flush() is None
            assert memory.stats(user="sun").queue["parked"] == 1, "not by itself"
            if way == "repair":
                assert memory.repair()["parked jobs"] == 1
                memory.flush()
            else:
                stop = threading.Event()
                worker = threading.Timer(0.5, stop.set)
                worker.start()
                assert memory.work(stop, retry_parked=True) == 1
                worker.join()
            queue = memory.stats(user="sun").queue
            assert (queue["parked"], queue["pending"]) == (0, 0)
