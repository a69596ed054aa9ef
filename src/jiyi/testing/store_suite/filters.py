"""Filters mean the same on every store: what `filter_rules` says in plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jiyi.filters import (
    FLAG_FIELDS,
    LIST_FIELDS,
    MAX_CONDITIONS,
    NUMBER_FIELDS,
    TEXT_FIELDS,
    TIME_FIELDS,
    And,
    Comparison,
    Condition,
    Not,
    Or,
    parse_filter,
)
from jiyi.ids import new_id
from jiyi.ports import Reader, Store, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    StoreSuite,
    all_pages,
    everything,
    later,
    put,
    say,
    texts,
    units_with,
)
from jiyi.testing.store_suite.filter_rules import matches
from jiyi.types import Event, MemoryRecord, Scope, Slot, Turn

BEIJING = timezone(timedelta(hours=8))
WORDS = (
    "",
    "a",
    "A",
    "ab",
    "Straße",
    "STRASSE",
    "北京",
    "在北京",
    "%",
    "_",
    "'",
    '"',
    "é",
    "Ａ",
    "😀",
)
NUMBERS: tuple[float, ...] = (-1, 0, 0.25, 0.5, 1, 2, 2.0, 3.75, 10, 1_000_000_000_000)
MOMENTS = (
    later(days=-30),
    NOW,
    NOW.astimezone(BEIJING),
    later(microseconds=1),
    later(hours=8),
    later(days=400),
)
META: tuple[Mapping[str, Any], ...] = (
    {},
    {"p": 1, "q": "a"},
    {"p": 2.0, "q": "A"},
    {"p": "2", "q": "北京"},
    {"p": True},
    {"p": False, "q": ""},
    {"p": None, "q": None},
    {"p": ["a", 1, "北京", True, None]},
    {"p": [], "q": ["A"]},
    {"p": {"q": "a"}, "a.b": "dotted", "a": {"b": "nested"}, "键 %'\"": "值"},
    {"p": -1, "q": "Straße"},
    {"p": 0, "q": "%"},
    {"p": 1_000_000_000_000, "q": "_"},
    {"p": 0.25, "q": "😀"},
)
META_FIELDS = ("meta.p", "meta.q", "meta.a.b", "meta.键 %'\"", "meta.absent", "meta.a")


def load(writer: Writer) -> None:
    """A varied set of memories and turns of one user, and a stranger's."""
    for n, meta in enumerate(META):
        word = WORDS[n % len(WORDS)]
        other = WORDS[(n + 5) % len(WORDS)]
        labels = {"agent": "a" if n % 2 else None, "session": other or None, "task": word or None}
        scope = Scope(tenant="acme", user="ann", tool="w" if n % 3 == 0 else None, **labels)
        put(
            writer,
            scope,
            f"every {n} {word}",
            at=later(hours=n),
            said_at=MOMENTS[n % 3],
            status=("active", "candidate", "retracted", "archived")[n % 4],
            kind=("semantic", "episodic", "procedural")[n % 3],
            tags=tuple(dict.fromkeys((word, other))) if n % 4 else (),
            meta=meta,
            importance=(n % 5) / 4,
            confidence=(n % 3) / 2,
            pinned=n % 2 == 0,
            trust=("user", "assistant")[n % 2],
            valid_from=MOMENTS[n % 5],
            valid_to=MOMENTS[(n + 3) % 6] if n % 3 else None,
            expires_at=later(days=n * 9) if n % 4 == 1 else None,
            slot=Slot(subject=other or "user", attribute=f"s{n}", value=word) if n % 3 else None,
            event=_event(n, word, other),
        )
        say(
            writer,
            scope,
            f"every turn {n} {other}",
            at=MOMENTS[n % 6],
            recorded_at=later(hours=n),
            role=("user", "assistant", "system", "tool")[n % 4],
            name=word or None,
            meta=meta,
        )
    put(writer, BOB, "every strange thing", meta={"p": 1}, tags=("a",))


def _event(n: int, word: str, other: str) -> Event | None:
    if n % 2:
        return None
    entities = (word, other) if n % 4 else ()
    outcome = other if n % 3 else None
    return Event(
        type=word or "none",
        at=MOMENTS[n % 6] if n % 4 else None,
        entities=entities,
        outcome=outcome,
    )


def comparisons() -> st.SearchStrategy[Condition]:
    """Comparisons the parser can make, over values that occur and values near them."""
    words = st.sampled_from((*WORDS, "semantic", "active", "candidate", "user", "memory", "turn"))
    numbers = st.sampled_from(NUMBERS)
    flags = st.booleans()
    scalars = st.one_of(words, numbers, flags, st.none())
    times = st.sampled_from([None, *(moment.astimezone(UTC) for moment in MOMENTS)])
    order = ("eq", "ne", "lt", "le", "gt", "ge")
    text = (*order, "contains")
    return st.one_of(
        _compare(sorted(TEXT_FIELDS), text, st.one_of(words, words, st.none())),
        _compare(sorted(NUMBER_FIELDS), order, st.one_of(numbers, numbers, st.none())),
        _compare(sorted(TIME_FIELDS), order, times),
        _compare(sorted(FLAG_FIELDS), order, flags),
        _compare(sorted(LIST_FIELDS), text, st.one_of(words, words, st.none())),
        _compare(META_FIELDS, text, scalars),
        _compare(META_FIELDS, text, scalars),
    )


def _compare(
    fields: list[str] | tuple[str, ...], operators: tuple[str, ...], values: st.SearchStrategy[Any]
) -> st.SearchStrategy[Condition]:
    field = st.sampled_from(fields)
    single = st.builds(Comparison, field, st.sampled_from(operators), values)
    several = st.builds(Comparison, field, st.just("in"), st.lists(values, max_size=3).map(tuple))
    return st.one_of(single, single, single, several)


def conditions() -> st.SearchStrategy[Condition]:
    """Nested conditions."""
    return st.recursive(
        comparisons(),
        lambda inner: st.one_of(
            st.builds(And, st.lists(inner, max_size=3).map(tuple)),
            st.builds(Or, st.lists(inner, min_size=1, max_size=3).map(tuple)),
            st.builds(Not, inner),
        ),
        max_leaves=6,
    )


class FilterTests(StoreSuite):
    """`Selection.where` in lists, counts and units."""

    def test_any_filter_agrees_with_the_rules(self, store: Store) -> None:
        """For random conditions the store selects exactly what the plain rules select.

        On failure Hypothesis prints the smallest condition; evaluate it by hand with
        `filter_rules.matches` on the record that differs, then look at the compiled form.
        """
        with store.write() as writer:
            load(writer)
        with store.read() as reader:
            records, turns = _stored(reader)

            @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
            @given(condition=conditions())
            def check(condition: Condition) -> None:
                selection = everything(where=condition)
                expected = [record.id for record in records if matches(condition, record)]
                found = [record.id for record in reader.memories(ANN, selection)[0]]
                assert found == expected
                assert reader.count_memories(ANN, selection) == len(expected)
                units = units_with(reader, ANN, "every", selection=selection)
                assert {u.memory.id for u in units if u.memory} == set(expected)
                said = {turn.id for turn in turns if matches(condition, turn)}
                assert {u.turn.id for u in units if u.turn} == said

            check()

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            ({"or": [{"meta.p": 1}, {"meta.p": "2"}]}, {1, 3}),
            ({"meta.p": {"ge": 1, "lt": 3}}, {1, 2}),
            ({"meta.p": True}, {4}),
            ({"meta.p": {"contains": "北京"}}, {7}),
            ({"meta.q": {"contains": "STRASSE"}}, {10}),
            ({"meta.a.b": "dotted"}, {9}),
            ({"meta.键 %'\"": "值"}, {9}),
            ({"meta.p": [1, "2", False]}, {1, 3, 5}),
            ({"text": {"contains": "%"}}, {8}),
            ({"text": {"contains": "_"}}, {9}),
            ({"text": {"contains": "strasse"}}, {4, 5}),
            ({"slot.attribute": "s4"}, {4}),
            ({"not": {"slot.attribute": {"ne": "s4"}}}, {4}),
            ({"and": [{"kind": "semantic"}, {"meta.p": {"lt": 0}}]}, set()),
            ({"event.entities": {"contains": "北京"}}, {6}),
            ({"meta.absent": {"ne": 1}, "meta.p": {"gt": 10}}, {12}),
            ({"valid_to": None}, {0, 3, 6, 9, 12}),
            ({"valid_to": {"ne": None}}, set(range(14)) - {0, 3, 6, 9, 12}),
            ({"meta.p": None}, {6}),
            ({"role": None}, set()),
            ({"id": []}, set()),
            ({}, set(range(14))),
        ],
        ids=str,
    )
    def test_written_filters(self, store: Store, where: dict[str, Any], expected: set[int]) -> None:
        """Filters as people write them, each with its set, also page by page."""
        with store.write() as writer:
            load(writer)
        selection = everything(where=parse_filter(where, now=NOW))
        with store.read() as reader:
            found = {int(text.split()[1]) for text in texts(reader, ANN, selection)}
            assert found == expected
            pages = all_pages(reader, ANN, selection, limit=2)
            assert sum(len(page) for page in pages) == len(expected)
            assert reader.count_memories(ANN, selection) == len(expected)

    @pytest.mark.parametrize(
        ("field", "values"),
        [
            ("meta.p", [1, "2", False, None]),
            ("meta.p", [2, 0.25, 10**12]),
            ("meta.q", ["北京", "😀"]),
            ("tags", ["北京", "'"]),
            ("slot.attribute", ["s1", "s4", None]),
            ("importance", [0, 0.25]),
            ("said_at", [MOMENTS[0], None]),
            ("valid_to", [None]),
        ],
        ids=str,
    )
    def test_long_lists(self, store: Store, field: str, values: list[Any]) -> None:
        """A list of 40,000 values means what a short one means; nothing else is found."""
        kinds = {type(value) for value in values if value is not None}
        fill: dict[type, list[Any]] = {
            int: list(range(-50_000, -10_000)),
            float: [n + 0.5 for n in range(10_000, 50_000)],
            str: [f"no such {n}'" for n in range(40_000)],
            bool: [False],
            datetime: [later(seconds=-n, days=-90) for n in range(40_000)],
        }
        long = [*(value for kind in kinds for value in fill[kind]), *values]
        with store.write() as writer:
            load(writer)
        with store.read() as reader:
            short, condition = (parse_filter({field: v}, now=NOW) for v in (values, long))
            assert short is not None
            expected = [record.id for record in _stored(reader)[0] if matches(short, record)]
            assert expected
            for where in (short, condition):
                selection = everything(where=where)
                assert [record.id for record in reader.memories(ANN, selection)[0]] == expected
                assert reader.count_memories(ANN, selection) == len(expected)

    def test_many_ids(self, store: Store) -> None:
        """Thousands of ids select what is there of them, in filters, selections and turns."""
        with store.write() as writer:
            load(writer)
        with store.read() as reader:
            records, turns = _stored(reader)
            ids = [*(new_id() for _ in range(5_000)), "no uuid", *(record.id for record in records)]
            for selection in (
                everything(where=parse_filter({"id": ids}, now=NOW)),
                everything(ids=tuple(ids)),
            ):
                assert len(texts(reader, ANN, selection)) == len(records)
                assert texts(reader, BOB, selection) == []
            asked = [*ids, *(turn.id for turn in turns)]
            assert [turn.id for turn in reader.turns(ANN, ids=asked)] == [t.id for t in turns]
            assert reader.turns(BOB, ids=asked) == reader.turns(ANN, ids=[]) == []

    def test_as_many_conditions_as_there_may_be(self, store: Store) -> None:
        """A filter of the greatest size is answered, joined by `or` and by `and`."""
        with store.write() as writer:
            load(writer)
        parts: list[dict[str, Any]] = [{"meta.p": -n} for n in range(2, MAX_CONDITIONS)]
        either = {"or": [*parts, {"kind": "episodic", "not": {"status": "archived"}}][1:]}
        neither = {"and": [{"not": part} for part in parts]}
        with store.read() as reader:
            for where, count in ((either, 4), (neither, len(META))):
                selection = everything(where=parse_filter(where, now=NOW))
                assert reader.count_memories(ANN, selection) == count

    @pytest.mark.parametrize(
        ("stored", "wanted", "equal"),
        [
            (2**53 + 1, float(2**53), False),
            (2**53, float(2**53), True),
            (float(2**53), 2**53, True),
            (float(2**53), 2**53 + 1, False),
            (2**63 - 1, float(2**63), False),
            (2**63 - 1, 2**63 - 1, True),
            (-(2**63), -float(2**63), True),
            (1.2345678901234568e18, int(1.2345678901234568e18), True),
            (1.2345678901234568e18, 1.2345678901234568e18, True),
            (1.2345678901234568e18, 1234567890123456800, False),
            (0.1 + 0.2, 0.3, False),
            (0.1 + 0.2, 0.1 + 0.2, True),
            (1e300, 1e300, True),
            (5e-324, 5e-324, True),
        ],
        ids=repr,
    )
    def test_numbers_compare_exactly(
        self, store: Store, stored: float, wanted: float, equal: bool
    ) -> None:
        """A float is the number it stands for, alone, in a list, and against a whole number."""
        with store.write() as writer:
            put(writer, ANN, "one", meta={"p": stored, "l": ["x", stored]})
        wheres: list[Any] = [{"meta.p": wanted}, {"meta.p": [wanted, 7]}]
        wheres += [{"meta.l": {"contains": wanted}}, {"meta.p": {"ge": wanted, "le": wanted}}]
        with store.read() as reader:
            for where in wheres:
                selection = everything(where=parse_filter(where, now=NOW))
                assert bool(texts(reader, ANN, selection)) is equal, where

    def test_dates_in_two_zones(self, store: Store) -> None:
        """A date without a zone is read in the clock's zone; instants are compared, not texts."""
        edge = datetime(2026, 2, 1, tzinfo=BEIJING)
        with store.write() as writer:
            put(writer, ANN, "in january", said_at=edge - timedelta(microseconds=1))
            put(writer, ANN, "in february", said_at=edge)
            put(writer, ANN, "far west", said_at=datetime(2026, 1, 31, 16, 0, tzinfo=UTC))
        where = {"said_at": {"ge": "2026-02-01", "lt": "2026-02-02"}}
        with store.read() as reader:
            there = everything(where=parse_filter(where, now=NOW.astimezone(BEIJING)))
            assert texts(reader, ANN, there) == ["far west", "in february"]
            assert texts(reader, ANN, everything(where=parse_filter(where, now=NOW))) == []

    def test_computed_status_is_filtered(self, store: Store) -> None:
        """A filter on status sees "expired" from the instant of expiry on."""
        with store.write() as writer:
            put(writer, ANN, "voucher", expires_at=later(hours=1))
        with store.read() as reader:
            for moment, status in ((NOW, "active"), (later(hours=1), "expired")):
                for asked in ("active", "expired"):
                    where = Comparison("status", "eq", asked)
                    found = texts(reader, ANN, everything(moment, where=where))
                    assert bool(found) is (asked == status)

    def test_filters_never_leave_the_scope(self, store: Store) -> None:
        """Conditions that are always true, or name another's values, find nothing foreign."""
        with store.write() as writer:
            load(writer)
        always = Or((Comparison("id", "ne", "x"), Not(And(()))))
        with store.read() as reader:
            for where in (always, Comparison("text", "contains", "")):
                assert texts(reader, BOB, everything(where=where)) == ["every strange thing"]
                assert (
                    texts(reader, Scope(tenant="acme", user="eve"), everything(where=where)) == []
                )


def _stored(reader: Reader) -> tuple[list[MemoryRecord], list[Turn]]:
    records, _ = reader.memories(ANN, everything())
    turns = reader.turns(ANN)
    assert len(records) == len(META)
    assert len(turns) == len(META)
    return records, turns
