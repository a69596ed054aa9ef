"""Scopes: every read path answers from its own space and from what was shared, never more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jiyi.errors import ConflictError, InvalidInputError
from jiyi.filters import Comparison
from jiyi.ids import new_id
from jiyi.ports import Reader, Store, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    HOSTILE_IDS,
    NOW,
    StoreSuite,
    everything,
    fingerprint,
    get,
    ids_of,
    keys_with,
    later,
    put,
    residence,
    say,
    select,
    texts,
    unit_texts,
)
from jiyi.testing.store_suite.records import make_trace
from jiyi.types import AuditEvent, Draft, Scope, Source, Visibility

MODEL = "m"


class Marks:
    """What one scope has written, so that every read can be compared with it."""

    def __init__(self, writer: Writer, scope: Scope) -> None:
        self.scope = scope
        self.turn = say(writer, scope, "common words", key="k", meta={"owner": "o"})
        source = Source(id=new_id(), turn_id=self.turn.id)
        self.memory = put(
            writer,
            scope,
            "common fact",
            tags=("t",),
            meta={"owner": "o"},
            slot=residence("Oslo"),
            sources=(source,),
        )
        self.trace = make_trace(scope, "common question")
        writer.save_traces([self.trace])
        writer.set_permanent(scope, {"id": self.memory.id}, at=NOW)
        self.event = AuditEvent(id=new_id(), at=NOW, action="noted", run_id="run")
        writer.add_event(scope, self.event)
        self.job = writer.enqueue(scope, "extract", {"mine": self.memory.id}, at=NOW, due=NOW)
        writer.enqueue(scope, "digest", {"mine": self.memory.id}, at=NOW, due=NOW)
        (stuck,) = writer.lease(["digest"], now=NOW, until=later(hours=1))
        writer.park(stuck.id, error="stuck")
        writer.spend(scope, "2026-03-05", calls=1, tokens=7)
        writer.set_session_summary(scope, "s", self.memory.id, at=NOW)
        writer.set_note(scope, "T", "note", self.memory.id, at=NOW)
        self.keys = keys_with(writer, scope, "common")

    def check(self, reader: Reader) -> None:
        """Every read path gives this scope's own things and nothing else."""
        scope, memory, turn = self.scope, self.memory, self.turn
        own_turn = reader.turn_key(scope, turn.id)
        every = everything(where=Comparison("meta.owner", "eq", "o"))
        answers: dict[str, tuple[Any, Any]] = {
            "memories": (ids_of(reader.memories(scope, everything())[0]), [memory.id]),
            "filtered": (ids_of(reader.memories(scope, every, limit=1)[0]), [memory.id]),
            "count": (reader.count_memories(scope, everything()), 1),
            "scope": (reader.memories(scope, everything())[0][0].scope, scope),
            "turns": (ids_of(reader.turns(scope)), [turn.id]),
            "turn scope": (reader.turns(scope)[0].scope, scope),
            "postings": (keys_with(reader, scope, "common"), self.keys),
            "units": (sorted(reader.units(scope, self.keys, everything())), self.keys),
            "turn key": (own_turn in self.keys, True),
            "same": (_id(reader.find_same(scope, Draft(text="x"), memory_print())), memory.id),
            "slot": (ids_of(reader.slot_values(scope, subject="user")), [memory.id]),
            "citing": (ids_of(reader.citing(scope, [turn.id])), [memory.id]),
            "permanent": (reader.permanent(scope), {"id": memory.id}),
            "versions": (len(reader.versions(scope, memory.id)), 1),
            "event": (
                [e.id for e in reader.events(scope, event_id=self.event.id)],
                [self.event.id],
            ),
            "run": ([e.id for e in reader.events(scope, run_id="run")], [self.event.id]),
            "trace": (_id(reader.trace(scope, self.trace.id)), self.trace.id),
            "last trace": (_id(reader.trace(scope, None)), self.trace.id),
            "vectors": ([len(b.numbers) for b in reader.vectors(scope, MODEL)], [2]),
            "models": (reader.vector_models(scope), {MODEL: 2}),
            "layout": ([int(np.count_nonzero(one.kinds)) for one in reader.layout(scope)], [2]),
            "summary": (reader.session_summary(scope, "s"), memory.id),
            "notes": (reader.notes(scope, "T"), {"note": memory.id}),
            "queue": (reader.queue_counts(scope).get("pending"), 1),
            "parked": ([job.payload for job in reader.parked(scope)], [{"mine": memory.id}]),
            "counts": (reader.counts(scope), {"turns": 1, "memories.active": 1}),
            "spent": (reader.spent(scope, "2026-03-05"), {"calls": 1, "tokens": 7}),
        }
        for path, (found, expected) in answers.items():
            assert found == expected, f"{path} of {scope}"

    def check_foreign(self, reader: Reader, other: Marks) -> None:
        """Ids and keys of another scope lead nowhere."""
        scope = self.scope
        assert get(reader, scope, other.memory.id) is None
        assert reader.turns(scope, ids=[other.turn.id]) == []
        assert reader.turn_key(scope, other.turn.id) is None
        assert reader.units(scope, other.keys, everything()) == {}
        assert reader.memories(scope, everything(keys=tuple(other.keys)))[0] == []
        assert reader.citing(scope, [other.turn.id]) == []
        assert reader.versions(scope, other.memory.id) == []
        assert reader.events(scope, memory_id=other.memory.id) == []
        assert reader.events(scope, event_id=other.event.id) == []
        assert reader.trace(scope, other.trace.id) is None


def memory_print() -> bytes:
    return fingerprint("common fact")


def _id(value: Any) -> str | None:
    return None if value is None else value.id


SPACES: dict[str, Callable[[str], Scope]] = {
    "user": lambda id: Scope(tenant="acme", user=id),
    "tenant": lambda id: Scope(tenant=id, user="ann"),
    "common space of a tenant": lambda id: Scope(tenant=id),
    "user without tenant": lambda id: Scope(user=id),
}


class ScopeTests(StoreSuite):
    """Isolation, visibility and hostile ids."""

    @pytest.mark.parametrize("field", SPACES)
    def test_hostile_ids_isolate(self, store: Store, field: str) -> None:
        """Ids that look alike, or like SQL, are stored as they are, on every read path.

        On failure look for normalised ids, LIKE patterns, or joined keys such as "tenant/user".
        """
        scopes = [SPACES[field](id) for id in HOSTILE_IDS]
        with store.write() as writer:
            marks = [Marks(writer, scope) for scope in scopes]
            vector = np.eye(1, 8, dtype=np.float32)[0]
            writer.add_vectors(MODEL, [(key, vector) for mark in marks for key in mark.keys])
        with store.read() as reader:
            for mark, other in zip(marks, marks[1:] + marks[:1], strict=True):
                mark.check(reader)
                mark.check_foreign(reader, other)

    def test_absent_fields_are_their_own_spaces(self, store: Store) -> None:
        """No tenant, no user and neither are four spaces, none inside another."""
        scopes = [ANN, Scope(tenant="acme"), Scope(user="ann"), Scope()]
        with store.write() as writer:
            marks = [Marks(writer, scope) for scope in scopes]
            vector = np.eye(1, 8, dtype=np.float32)[0]
            writer.add_vectors(MODEL, [(key, vector) for mark in marks for key in mark.keys])
        with store.read() as reader:
            for mark in marks:
                if mark.scope.user is None:
                    mark.check(reader)
                for other in marks:
                    if other is not mark:
                        mark.check_foreign(reader, other)

    def test_writes_stay_in_their_scope(self, store: Store) -> None:
        """Whatever one scope changes, removes or erases, also by another's ids, leaves the other
        as it was."""
        with store.write() as writer:
            mine, other = Marks(writer, ANN), Marks(writer, BOB)
            vector = np.eye(1, 8, dtype=np.float32)[0]
            writer.add_vectors(MODEL, [(key, vector) for key in (*mine.keys, *other.keys)])
        with store.write() as writer:
            writer.set_permanent(ANN, {"id": None}, at=NOW)
            writer.set_session_summary(ANN, "s", None, at=NOW)
            writer.set_note(ANN, "T", "note", None, at=NOW)
            writer.end_task(ANN, "T")
            writer.spend(ANN, "2026-03-05", calls=5, tokens=5)
            writer.set_encodable(ANN, [mine.turn.id, other.turn.id], False)
            writer.add_uses({(ANN, other.memory.id): 3}, at=NOW)
            writer.erase(
                ANN,
                memory_ids=[other.memory.id],
                turn_ids=[other.turn.id],
                fingerprints=[memory_print()],
                at=NOW,
                reason="asked",
                event_id=new_id(),
            )
        with store.write() as writer:
            writer.erase_space(ANN, at=NOW, reason="asked", event_id=new_id())
        with store.read() as reader:
            other.check(reader)
            assert reader.turns(BOB) == [other.turn]
            assert reader.memories(BOB, everything())[0] == [other.memory]
            assert not reader.is_tombstoned(BOB, memory_print())

    @pytest.mark.parametrize("label", ["agent", "session", "task", "tool"])
    def test_hostile_labels(self, store: Store, label: str) -> None:
        """Labels of any script are kept, filtered by equality, and matched whole."""
        scopes = [Scope(tenant="acme", user="ann", **{label: id}) for id in HOSTILE_IDS]
        visibility = "user" if label == "session" else label
        with store.write() as writer:
            for n, scope in enumerate(scopes):
                put(writer, scope, f"fact {n}", visibility=visibility)
                say(writer, scope, f"turn {n}")
        with store.read() as reader:
            for n, (id, scope) in enumerate(zip(HOSTILE_IDS, scopes, strict=True)):
                where = everything(where=Comparison(label, "eq", id))
                assert texts(reader, scope, where) == [f"fact {n}"]
                if label == "session":
                    assert [t.text for t in reader.turns(ANN, session=id)] == [f"turn {n}"]
                else:
                    assert texts(reader, scope) == [f"fact {n}"]
            assert texts(reader, ANN) == (
                [f"fact {n}" for n in reversed(range(len(scopes)))] if label == "session" else []
            )

    @pytest.mark.parametrize("visibility", ["agent", "task", "tool"])
    def test_narrow_visibility(self, store: Store, visibility: Visibility) -> None:
        """A memory for one agent, task or tool is read by that one only, on every path."""
        mine = Scope(tenant="acme", user="ann", **{visibility: "a"})
        with store.write() as writer:
            record = put(writer, mine, "narrow fact", visibility=visibility, slot=residence("Oslo"))
        strangers = [
            ANN,
            Scope(tenant="acme", user="ann", **{visibility: "b"}),
            Scope(tenant="acme", user="bob", **{visibility: "a"}),
            Scope(tenant="acme", **{visibility: "a"}),
        ]
        with store.read() as reader:
            assert texts(reader, mine) == ["narrow fact"]
            assert unit_texts(reader, mine, "narrow") == ["narrow fact"]
            assert ids_of(reader.slot_values(mine, subject="user")) == [record.id]
            for scope in strangers:
                assert texts(reader, scope) == []
                assert reader.count_memories(scope, select()) == 0
                assert unit_texts(reader, scope, "narrow") == []
                assert reader.slot_values(scope, subject="user") == []
                assert reader.versions(scope, record.id) == []

    def test_wide_visibility(self, store: Store) -> None:
        """By default every agent, task and session of the user reads a memory."""
        with store.write() as writer:
            scope = Scope(tenant="acme", user="ann", agent="a", session="s", task="t", tool="w")
            put(writer, scope, "wide fact")
        with store.read() as reader:
            for other in (ANN, Scope(tenant="acme", user="ann", agent="b", session="x")):
                assert texts(reader, other) == ["wide fact"]

    def test_shared_memories(self, store: Store) -> None:
        """A shared memory is read by every user of the tenant, with its author, and by no other.

        The common space's own memories stay out of a user's reading.
        """
        author = Scope(tenant="acme", user="ann", agent="a")
        with store.write() as writer:
            shared = put(writer, author, "shared fact", visibility="shared")
            put(writer, Scope(tenant="acme"), "common fact")
            put(writer, BOB, "bob fact", at=later(hours=1))
        with store.read() as reader:
            assert texts(reader, BOB) == ["bob fact", "shared fact"]
            assert texts(reader, ANN) == ["shared fact"]
            assert texts(reader, Scope(tenant="acme")) == ["common fact", "shared fact"]
            assert sorted(unit_texts(reader, BOB, "fact")) == ["bob fact", "shared fact"]
            assert reader.count_memories(BOB, select()) == 2
            found = get(reader, BOB, shared.id)
            assert found is not None
            assert (found.scope, found.visibility) == (author, "shared")
            for stranger in (Scope(tenant="other", user="bob"), Scope(user="bob"), Scope()):
                assert texts(reader, stranger) == []
                assert unit_texts(reader, stranger, "fact") == []

    def test_pages_across_spaces(self, store: Store) -> None:
        """Own and shared memories share one list: pages neither repeat nor lose any."""
        with store.write() as writer:
            for n in range(6):
                put(writer, ANN, f"own {n}")
                put(writer, BOB, f"shared {n}", visibility="shared")
        with store.read() as reader:
            seen: list[str] = []
            cursor: str | None = None
            while True:
                items, cursor = reader.memories(ANN, select(), limit=5, cursor=cursor)
                seen += [record.text for record in items]
                if cursor is None:
                    break
            assert sorted(seen) == sorted(
                [f"own {n}" for n in range(6)] + [f"shared {n}" for n in range(6)]
            )

    def test_unembedded_names_the_owner(self, store: Store) -> None:
        """The embedding work list says whose each text is."""
        scopes = [Scope(tenant="acme", user=id) for id in HOSTILE_IDS[:6]]
        with store.write() as writer:
            for scope in scopes:
                put(writer, scope, "a fact")
        with store.read() as reader:
            work = reader.unembedded(MODEL, limit=100)
            assert {scope.user for scope, _, _ in work} == {scope.user for scope in scopes}
            assert {text for _, _, text in work} == {"a fact"}
            for scope, key, _ in work:
                assert list(reader.units(scope, [key], select())) == [key]

    def test_only_its_author_changes_a_shared_memory(self, store: Store) -> None:
        """Every user of the tenant reads and judges it; only its author changes it."""
        ann, bob = Scope(tenant="acme", user="ann"), Scope(tenant="acme", user="bob")
        with store.write() as writer:
            shared = put(writer, ann, "shared fact", visibility="shared")
        for scope in (bob, Scope(tenant="acme")):
            with store.write() as writer:
                judged = writer.change_memory(
                    scope, shared.id, {"helpful": 1}, at=later(hours=1), action="feedback"
                )
                assert judged.helpful == 1
                for changes in ({"pinned": True}, {"status": "retracted"}, {"reason": "r"}):
                    with pytest.raises(ConflictError, match="only they"):
                        writer.change_memory(
                            scope, shared.id, changes, at=later(hours=2), action="updated"
                        )
        with store.write() as writer:
            agent = Scope(tenant="acme", user="ann", agent="a")
            changed = writer.change_memory(
                agent, shared.id, {"pinned": True}, at=later(hours=3), action="updated"
            )
            assert changed.pinned
            assert changed.scope.user == "ann"

    def test_another_users_cursor(self, store: Store) -> None:
        """A cursor of Ann's list leads nowhere in Bob's or the tenant's, but does in her own."""
        nobody = Scope(tenant="acme")
        with store.write() as writer:
            for scope in (ANN, BOB, nobody):
                for n in range(3):
                    put(writer, scope, f"fact {n}")
        with store.read() as reader:
            _, cursor = reader.memories(ANN, select(), limit=1)
            assert cursor is not None
            assert reader.memories(ANN, select(), limit=1, cursor=cursor)[0]
            for scope in (BOB, nobody, Scope(tenant="acme", user="eve"), Scope(user="ann")):
                with pytest.raises(InvalidInputError) as caught:
                    reader.memories(scope, select(), limit=1, cursor=cursor)
                assert caught.value.field == "cursor"
