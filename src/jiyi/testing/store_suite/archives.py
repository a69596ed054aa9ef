"""Archives: what one place hands out, another takes back, to the last field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jiyi.archived import (
    Archived,
    ArchivedDocument,
    ArchivedEvent,
    ArchivedMemory,
    ArchivedTurn,
    Restored,
)
from jiyi.errors import ConflictError
from jiyi.ids import new_id
from jiyi.ports import Reader, Store, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    StoreSuite,
    fingerprint,
    get,
    later,
    must_get,
    put,
    residence,
    say,
    select,
    supersede,
    texts,
    unit_texts,
    weigh,
)
from jiyi.testing.store_suite.lives import STEPS, Life, pieces
from jiyi.types import Scope

COMMON = Scope(tenant=ANN.tenant)
_OTHER_IDS = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")


def take(writer: Writer, values: Iterable[Archived], *, at: datetime = NOW) -> list[Restored]:
    """Restore every value, indexed by its words."""
    return [_take(writer, value, at) for value in values]


def _take(writer: Writer, value: Archived, at: datetime) -> Restored:
    if isinstance(value, ArchivedTurn):
        text = value.turn.text
        terms = [((start, stop), weigh(text[start:stop])) for start, stop in pieces(text)]
        return writer.restore_turn(value.turn, terms)
    if isinstance(value, ArchivedMemory):
        told = [version.record.text for version in value.versions]
        return writer.restore_memory(value, [(fingerprint(t), weigh(t)) for t in told], at=at)
    if isinstance(value, ArchivedDocument):
        return writer.restore_document(value, [weigh(each.text) for each in value.passages])
    return writer.restore(value)


def elsewhere(value: Archived, tenant: str = "elsewhere") -> Archived:
    """The same value of another tenant. Ids of events are unique in a whole store."""
    moved: dict[str, Any] = {}
    if isinstance(value, ArchivedTurn):
        turn = value.turn
        return replace(value, turn=replace(turn, scope=replace(turn.scope, tenant=tenant)))
    if isinstance(value, ArchivedMemory):
        states = [
            replace(v, record=replace(v.record, scope=replace(v.record.scope, tenant=tenant)))
            for v in value.versions
        ]
        return replace(value, versions=tuple(states))
    if isinstance(value, ArchivedEvent):
        other = str(uuid5(_OTHER_IDS, value.event.id))
        moved["event"] = replace(value.event, id=other)
    if isinstance(value, ArchivedDocument):
        scope = replace(value.scope, tenant=tenant)
        return replace(value, document=replace(value.document, scope=scope))
    return replace(value, scope=replace(value.scope, tenant=tenant), **moved)


def dump(reader: Reader, *scopes: Scope) -> list[Archived]:
    """Everything of these spaces."""
    return [value for scope in scopes for value in reader.dump(scope)]


def without_waiting(values: Sequence[Archived]) -> list[Archived]:
    """Background work is for the program above to queue again."""
    return [replace(v, waiting=()) if isinstance(v, ArchivedTurn) else v for v in values]


class ArchiveTests(StoreSuite):
    """Archives."""

    @settings(
        max_examples=25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        life=st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 11)), max_size=25)
    )
    def test_round_trip(self, store: Store, life: list[tuple[str, int]]) -> None:
        """Whatever happened to a user comes back equal in another place, in the same order; and
        taking it twice changes nothing. On failure compare the two lists value by value."""
        common = Scope(tenant=new_id())
        scopes = (common, replace(common, user="ann"))
        with store.write() as writer:
            steps = Life(writer, scopes[1])
            for name, pick in life:
                steps.step(name, pick)
        with store.read() as reader:
            before = dump(reader, *scopes)
        tenant = new_id()
        moved = [elsewhere(value, tenant) for value in before]
        there = [replace(scope, tenant=tenant) for scope in scopes]
        with store.write() as writer:
            assert set(take(writer, moved)) <= {"added"}
        with store.read() as reader:
            assert dump(reader, *there) == without_waiting(moved)
            numbers = reader.counts(there[1])
        with store.write() as writer:
            assert set(take(writer, moved)) <= {"known"}
        with store.read() as reader:
            assert dump(reader, *there) == without_waiting(moved)
            assert reader.counts(there[1]) == numbers

    def test_waiting_turns_say_so(self, store: Store) -> None:
        """A turn that background work has not read yet names the work."""
        with store.write() as writer:
            read, unread = say(writer, ANN, "read"), say(writer, ANN, "未读")
            writer.enqueue(ANN, "extract", {"turns": [unread.id]}, at=NOW, due=NOW)
            writer.enqueue(ANN, "read", {"turns": [unread.id]}, at=NOW, due=NOW)
        with store.read() as reader:
            kept = [value for value in reader.dump(ANN) if isinstance(value, ArchivedTurn)]
        assert [(value.turn.id, value.waiting) for value in kept] == [
            (read.id, ()),
            (unread.id, ("extract", "read")),
        ]

    def test_spaces(self, store: Store) -> None:
        """Every space is named once, the common one of a tenant first."""
        with store.write() as writer:
            say(writer, BOB, "hi")
            say(writer, ANN, "hi")
            say(writer, COMMON, "hi")
            say(writer, Scope(user="ann"), "hi")
        with store.read() as reader:
            assert reader.spaces() == [Scope(user="ann"), COMMON, ANN, BOB]

    def test_what_one_author_shared(self, store: Store) -> None:
        """With an author, only what this user shares is handed out, with its events."""
        with store.write() as writer:
            put(writer, ANN, "ann's", visibility="shared")
            put(writer, BOB, "bob's", visibility="shared")
            put(writer, COMMON, "nobody's")
        with store.read() as reader:
            kept = list(reader.dump(COMMON, author="ann"))
        told = [value.record.text for value in kept if isinstance(value, ArchivedMemory)]
        assert told == ["ann's"]
        assert [type(value) for value in kept] == [ArchivedMemory, ArchivedEvent]

    def test_found_like_before(self, store: Store) -> None:
        """What was restored is found by its words, and by its former words as it was then."""
        with store.write() as writer:
            old = put(writer, ANN, "green tea")
            for n in range(300):
                say(writer, ANN, f"filler {n}")
            writer.change_memory(
                ANN,
                old.id,
                {"text": "black tea"},
                at=later(hours=2),
                action="update",
                fingerprint=fingerprint("black tea"),
                terms=weigh("black tea"),
            )
        with store.read() as reader:
            values = [elsewhere(value) for value in reader.dump(ANN)]
        there = replace(ANN, tenant="elsewhere")
        with store.write() as writer:
            take(writer, values)
        with store.read() as reader:
            assert unit_texts(reader, there, "black") == ["black tea"]
            then = select(later(hours=3), known_at=later(hours=1))
            assert unit_texts(reader, there, "green", selection=then) == ["green tea"]
            assert unit_texts(reader, there, "299") == ["filler 299"]

    def test_a_later_archive_goes_on(self, store: Store) -> None:
        """A store that took an earlier archive takes over what happened since; one whose memory
        went another way keeps its own."""
        with store.write() as writer:
            home = put(writer, ANN, "in Oslo", slot=residence("Oslo"))
            other = put(writer, ANN, "likes tea")
        with store.read() as reader:
            first = [elsewhere(value) for value in reader.dump(ANN)]
        there = replace(ANN, tenant="elsewhere")
        with store.write() as writer:
            take(writer, first)
            writer.change_memory(
                there, other.id, {"status": "retracted"}, at=later(hours=1), action="retract"
            )
            supersede(writer, ANN, home, "in Rome", at=later(hours=2), slot=residence("Rome"))
            writer.change_memory(
                ANN, other.id, {"importance": 0.9}, at=later(hours=2), action="update"
            )
        with store.read() as reader:
            second = [elsewhere(value) for value in reader.dump(ANN)]
        with store.write() as writer:
            became = dict(zip(map(_name, second), take(writer, second), strict=True))
            assert became[home.id] == "extended"
            assert became[other.id] == "differs"
            # What is behind is known, and changes nothing.
            assert set(take(writer, first)) == {"known"}
        with store.read() as reader:
            assert texts(reader, there) == ["in Rome"]
            assert must_get(reader, there, home.id).status == "superseded"
            assert must_get(reader, there, other.id).status == "retracted"
            assert len(reader.versions(there, home.id)) == 2

    def test_what_was_erased_stays_away(self, store: Store) -> None:
        """A turn or memory that was erased here, by id or by text, is kept out."""
        with store.write() as writer:
            turn = say(writer, ANN, "my code is 7781", key="m1")
            keyless = say(writer, ANN, "我的密码")
            fact = put(writer, ANN, "code 7781")
        with store.read() as reader:
            values = list(reader.dump(ANN))
        with store.write() as writer:
            writer.erase(
                ANN,
                memory_ids=[fact.id],
                turn_ids=[turn.id, keyless.id],
                at=later(hours=1),
                reason="asked",
                event_id=new_id(),
            )
        again = [
            replace(v, versions=(replace(v.versions[0], record=replace(v.record, id=new_id())),))
            for v in values
            if isinstance(v, ArchivedMemory)
        ]
        with store.write() as writer:
            assert set(take(writer, [v for v in values if not isinstance(v, ArchivedEvent)])) == {
                "blocked"
            }
            assert take(writer, again) == ["blocked"]
        with store.read() as reader:
            assert reader.turns(ANN) == []
            assert texts(reader, ANN) == []

    def test_tombstones_go_along(self, store: Store) -> None:
        """What was erased there is known to be erased here."""
        with store.write() as writer:
            fact = put(writer, ANN, "erased fact")
            writer.erase(
                ANN, memory_ids=[fact.id], at=later(hours=1), reason="asked", event_id=new_id()
            )
        with store.read() as reader:
            values = [elsewhere(value) for value in reader.dump(ANN)]
        there = replace(ANN, tenant="elsewhere")
        with store.write() as writer:
            take(writer, values)
            assert writer.is_tombstoned(there, fingerprint("erased fact"))
            assert not writer.is_tombstoned(there, fingerprint("another"))

    def test_a_taken_place(self, store: Store) -> None:
        """Another live memory with the text or the slot is a conflict; nothing is written."""
        with store.write() as writer:
            put(writer, ANN, "same", slot=residence("Oslo"))
        with store.read() as reader:
            (value,) = (v for v in reader.dump(ANN) if isinstance(v, ArchivedMemory))
        for told in ("same", "another text"):
            record = replace(value.record, id=new_id(), text=told)
            twin = replace(value, versions=(replace(value.versions[0], record=record),))
            with store.write() as writer:
                with pytest.raises(ConflictError):
                    take(writer, [twin])
                put(writer, ANN, f"the transaction goes on after {told}")
            with store.read() as reader:
                assert get(reader, ANN, record.id) is None


def _name(value: Archived) -> str:
    return value.record.id if isinstance(value, ArchivedMemory) else repr(value)
