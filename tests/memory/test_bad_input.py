"""Bad input gets one clear error that names the field and the way out, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from jiyi import InvalidInputError, Memory, NotFoundError

Call = Callable[[Memory], Any]

MIB = 1_048_576
NOBODY = "0190f3a1-7c1e-7000-8000-000000000000"

CASES: list[tuple[str, str, Call]] = [
    ("empty", "text", lambda m: m.remember("")),
    ("white space", "text", lambda m: m.remember(" \n\t　")),
    ("not a text", "text", lambda m: m.remember(7)),
    ("NUL", "text", lambda m: m.remember("a\x00b")),
    ("lone surrogate", "text", lambda m: m.remember("a\ud800b")),
    ("too long", "text", lambda m: m.remember("a" * (MIB + 1))),
    ("too long in bytes", "text", lambda m: m.remember("字" * (MIB // 3 + 1))),
    ("kind", "kind", lambda m: m.remember("x", kind="fact")),
    ("importance high", "importance", lambda m: m.remember("x", importance=1.5)),
    ("importance nan", "importance", lambda m: m.remember("x", importance=float("nan"))),
    ("importance bool", "importance", lambda m: m.remember("x", importance=True)),
    ("confidence", "confidence", lambda m: m.remember("x", confidence="high")),
    ("tags a text", "tags", lambda m: m.remember("x", tags="abc")),
    ("an empty tag", "tags[1]", lambda m: m.remember("x", tags=["a", ""])),
    ("meta list", "meta", lambda m: m.remember("x", meta=[1])),
    ("meta object", "meta.a", lambda m: m.remember("x", meta={"a": object()})),
    ("meta key", "meta", lambda m: m.remember("x", meta={1: 2})),
    ("slot", "slot", lambda m: m.remember("x", slot={"attribute": "city"})),
    ("slot cardinality", "slot.cardinality",
     lambda m: m.remember("x", slot={"attribute": "a", "value": "b", "cardinality": "two"})),
    ("event", "event", lambda m: m.remember("x", event={"at": "2026-01-01"})),
    ("time", "valid_from", lambda m: m.remember("x", valid_from="yesterday")),
    ("order of times", "valid_to",
     lambda m: m.remember("x", valid_from="2026-02-01", valid_to="2026-01-01")),
    ("ttl", "ttl", lambda m: m.remember("x", ttl=-1)),
    ("ttl twice", "ttl", lambda m: m.remember("x", ttl=5, expires_at="2030-01-01")),
    ("visibility", "visibility", lambda m: m.remember("x", visibility="world")),
    ("visibility without agent", "visibility", lambda m: m.remember("x", visibility="agent")),
    ("pinned", "pinned", lambda m: m.remember("x", pinned="yes")),
    ("no messages", "messages", lambda m: m.observe([])),
    ("role", "messages[0].role", lambda m: m.observe({"role": "boss", "content": "x"})),
    ("no role", "messages[0].role", lambda m: m.observe({"content": "x"})),
    ("content", "messages[1].content",
     lambda m: m.observe(["ok", {"role": "user", "content": ""}])),
    ("content type", "messages[0].content", lambda m: m.observe({"role": "user", "content": 7})),
    ("unknown field", "messages[0].timestamp",
     lambda m: m.observe({"role": "user", "content": "x", "timestamp": 5})),
    ("said_at", "messages[0].said_at",
     lambda m: m.observe({"role": "user", "content": "x", "said_at": "soon"})),
    ("a number", "messages[0]", lambda m: m.observe(5)),
    ("long message", "messages[0].content", lambda m: m.observe("a" * (MIB + 1))),
    ("query", "query", lambda m: m.recall("  ")),
    ("limit", "limit", lambda m: m.recall("x", limit=0)),
    ("limit bool", "limit", lambda m: m.recall("x", limit=True)),
    ("kinds", "kinds", lambda m: m.recall("x", kinds=["fact"])),
    ("include", "include", lambda m: m.recall("x", include="forgotten")),
    ("units", "units", lambda m: m.recall("x", units="page")),
    ("filter field", "where", lambda m: m.recall("x", where={"colour": "red"})),
    ("filter operator", "where", lambda m: m.recall("x", where={"kind": {"like": "a"}})),
    ("filter nan", "where", lambda m: m.list(where={"meta.a": float("nan")})),
    ("filter infinity", "where", lambda m: m.recall("x", where={"importance": float("inf")})),
    ("filter minus infinity", "where", lambda m: m.list(where={"meta.a": [1, float("-inf")]})),
    ("filter NUL", "where", lambda m: m.list(where={"text": {"contains": "a\0"}})),
    ("filter surrogate", "where", lambda m: m.list(where={"tags": ["北京", "\ud800"]})),
    ("filter id NUL", "where", lambda m: m.list(where={"id": "\0"})),
    ("filter key NUL", "where", lambda m: m.list(where={"meta.a\0": 1})),
    ("filter key surrogate", "where", lambda m: m.list(where={"not": {"meta.\udfff": 1}})),
    ("filter big", "where", lambda m: m.list(where={"meta.a": 2**63})),
    ("filter big negative", "where", lambda m: m.list(where={"meta.a": {"in": [-(2**63) - 1]}})),
    ("filter of too many parts", "where",
     lambda m: m.list(where={"or": [{"meta.a": n} for n in range(1_001)]})),
    ("filter of too many parts, nested", "where",
     lambda m: m.list(where={"and": [{"or": [{}] * 101}] * 10})),
    ("filter time out of range", "where",
     lambda m: m.list(where={"said_at": "9999-12-31T23:59-10:00"})),
    ("filter datetime out of range", "where",
     lambda m: m.list(where={"said_at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=8)))})),
    ("cursor", "cursor", lambda m: m.list(cursor=5)),
    ("cursor of bytes", "cursor", lambda m: m.list(cursor=b"n:1:")),
    ("filter value", "where", lambda m: m.list(where={"importance": "high"})),
    ("as_of", "as_of", lambda m: m.recall("x", as_of="then")),
    ("cursor", "cursor", lambda m: m.list(cursor="nonsense")),
    ("cursor of turns", "cursor", lambda m: m.turns(cursor="nonsense")),
    ("cursor of turns", "cursor", lambda m: m.turns(cursor=5)),
    ("hard fact without a name", "fields", lambda m: m.set_permanent(**{" ": 1})),
    ("budget", "budget", lambda m: m.context("x", budget=0)),
    ("rules", "rules[0]", lambda m: m.context("x", rules=[""])),
    ("id", "memory_id", lambda m: m.get("not an id")),
    ("no selector", "forget", lambda m: m.forget()),
    ("everything of nobody", "everything", lambda m: m.forget(everything=True, user=None)),
    ("a tenant unconfirmed", "everything",
     lambda m: m.forget(everything=True, user=None, tenant="t")),
    ("everything and more", "everything", lambda m: m.forget(everything=True, query="x")),
    ("unknown argument", "colour", lambda m: m.recall("x", colour="red")),
    ("update nothing", "changes", lambda m: m.update(NOBODY)),
    ("update status", "status",
     lambda m: m.update(NOBODY, status="active")),
    ("permanent nothing", "fields", lambda m: m.set_permanent()),
    ("feedback", "helpful", lambda m: m.feedback(NOBODY, helpful=1)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "call"), [(f, c) for _, f, c in CASES], ids=[c[0] for c in CASES]
)
def test_one_clear_error_and_nothing_written(memory: Memory, field: str, call: Call) -> None:
    """The error names the field, says the way out, and the store is as it was."""
    memory.remember("what was there before 原有的", tags=["keep"])
    before = (
        memory.list(include=["candidate", "superseded"]),
        memory.turns(),
        memory.stats().turns,
    )
    with pytest.raises(InvalidInputError) as caught:
        call(memory)
    assert caught.value.field == field
    assert caught.value.hint.strip()
    assert str(caught.value).startswith(f"{field}: ")
    after = (memory.list(include=["candidate", "superseded"]), memory.turns(), memory.stats().turns)
    assert after == before


@pytest.mark.parametrize(
    "call",
    [
        lambda m, id: m.get(id),
        lambda m, id: m.history(id),
        lambda m, id: m.correct(id, "new"),
        lambda m, id: m.update(id, text="new"),
        lambda m, id: m.forget(ids=id),
        lambda m, id: m.feedback(id, helpful=True),
        lambda m, id: m.explain(id),
        lambda m, id: m.undo(id),
    ],
)
def test_what_belongs_to_another_user_does_not_exist(
    memory: Memory, call: Callable[[Memory, str], Any]
) -> None:
    """An id of another user is not found, exactly like an id that nobody has."""
    other = memory.scoped(user="other")
    id = other.remember("其他人的 of the other").memory_id
    trace_id = other.recall("其他人").trace_id
    for wanted in (id, trace_id, NOBODY):
        with pytest.raises(NotFoundError):
            call(memory, wanted or "")
    assert other.list().total == 1


def test_a_naive_clock_is_refused(tmp_path: Any) -> None:
    """A clock must say its zone, or every time in the store would be a guess."""
    with pytest.raises(InvalidInputError) as caught:
        Memory(tmp_path / "x.db", clock=lambda: datetime(2026, 1, 1))  # noqa: DTZ001
    assert caught.value.field == "clock"
    assert not (tmp_path / "x.db").exists()
    assert datetime.now(UTC).tzinfo


@pytest.mark.parametrize("part", [3, None, ["x"], {"type": "text", "text": 5}])
def test_a_part_of_a_message_is_not_passed_over(part: object) -> None:
    """A part that is neither a text nor holds one is named, and nothing of the message is kept."""
    with Memory(":memory:", embedder=None, background=False) as memory:
        with pytest.raises(InvalidInputError, match=r"content\[1\]"):
            memory.observe({"role": "user", "content": ["a note 便条", part]})
        assert not memory.turns()


def test_a_picture_alone_was_sent_too() -> None:
    """Pictures have no words; where nothing else was said, the turn says that there is one."""
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    with Memory(":memory:", embedder=None, background=False) as memory:
        memory.observe({"role": "user", "content": [picture]})
        memory.observe({"role": "user", "content": [picture, {"type": "text", "text": "看这个"}]})
        assert [turn.text for turn in memory.turns()] == ["[image_url]", "看这个"]
