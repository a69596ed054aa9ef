"""What is kept beside the memories: permanent profile, audit log, traces, budgets."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from jiyi.ids import new_id
from jiyi.ports import Store
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    StoreSuite,
    later,
    put,
    texts,
    unit_texts,
)
from jiyi.types import AuditEvent, CandidateTrace, Json, Scope, Trace


def make_trace(scope: Scope, query: str, *, at: datetime = NOW) -> Trace:
    """A trace with something in every field."""
    return Trace(
        id=new_id(),
        at=at,
        operation="context",
        scope=scope,
        query=query,
        completed=f"{query} 完整",
        arms={"text": 12, "vector": 0},
        candidates=(
            CandidateTrace(unit="memory", id=new_id(), scores={"text": 1.5}, rank=1),
            CandidateTrace(unit="turn", id=new_id(), scores={}, cut="below the threshold"),
        ),
        support="weak",
        latency_ms={"total": 1.25},
        injected={"memories": (new_id(), new_id())},
        cuts={"recent": "over budget"},
    )


class ProfileTests(StoreSuite):
    """`set_permanent` and `permanent`."""

    def test_fields_are_set_changed_and_removed(self, store: Store) -> None:
        """Values of any JSON type come back; None removes; other fields stay."""
        values: dict[str, Json] = {
            "role": "technician",
            "id": 7,
            "permissions": ["read", "写"],
            "o": {"k": None},
        }
        with store.write() as writer:
            writer.set_permanent(ANN, values, at=NOW)
        with store.write() as writer:
            writer.set_permanent(ANN, {"role": "lead", "id": None, "absent": None}, at=NOW)
        with store.read() as reader:
            assert reader.permanent(ANN) == {
                "role": "lead",
                "permissions": ["read", "写"],
                "o": {"k": None},
            }
            assert reader.permanent(BOB) == {}
            assert reader.permanent(Scope(tenant="acme")) == {}

    def test_permanent_is_never_searched(self, store: Store) -> None:
        """It is no memory and no indexed text."""
        with store.write() as writer:
            writer.set_permanent(ANN, {"role": "technician"}, at=NOW)
        with store.read() as reader:
            assert texts(reader, ANN) == []
            assert unit_texts(reader, ANN, "role", "technician") == []

    def test_labels_do_not_split_the_profile(self, store: Store) -> None:
        """Every agent and session of a user sees the same permanent profile."""
        with store.write() as writer:
            scope = Scope(tenant="acme", user="ann", agent="a", session="s")
            writer.set_permanent(scope, {"role": "lead"}, at=NOW)
        with store.read() as reader:
            assert reader.permanent(Scope(tenant="acme", user="ann", agent="b")) == {"role": "lead"}


class AuditTests(StoreSuite):
    """`events` and `add_event`: appended by every change, without content."""

    def test_changes_are_logged(self, store: Store) -> None:
        """Storing and changing append events with ids, reason and run, oldest first."""
        other = new_id()
        with store.write() as writer:
            record = put(writer, ANN, "a telling text", run_id="run-1")
            writer.change_memory(
                ANN,
                record.id,
                {"status": "superseded"},
                at=later(hours=1),
                action="superseded",
                reason="newer value",
                other_id=other,
                run_id="run-2",
            )
        with store.read() as reader:
            events = reader.events(ANN, memory_id=record.id)
            assert len(events) == 2
            assert [event.run_id for event in events] == ["run-1", "run-2"]
            last = events[-1]
            assert (last.action, last.reason, last.other_id) == ("superseded", "newer value", other)
            assert (last.memory_id, last.at) == (record.id, later(hours=1))
            assert reader.events(ANN, run_id="run-2") == [last]
            assert reader.events(ANN, event_id=last.id) == [last]
            assert reader.events(ANN) == events
            assert reader.events(ANN, other_id=other) == [last]
            assert reader.events(ANN, limit=1) == [last]
            assert reader.events(BOB, other_id=other) == []
            assert reader.events(BOB) == []
            assert "telling" not in repr(events)

    def test_events_of_what_is_shared(self, store: Store) -> None:
        """Named by event, run or other memory, its author is given them, in the order of writing
        with their own; nobody else is, and no list of a space holds another's."""
        other = new_id()
        with store.write() as writer:
            mine = put(writer, ANN, "kept for me 私", run_id="run")
            shared = put(writer, ANN, "for all 公", visibility="shared", run_id="run")
            put(writer, BOB, "of another 他", visibility="shared", run_id="run")
            writer.change_memory(
                ANN,
                shared.id,
                {"status": "superseded"},
                at=NOW,
                action="superseded",
                other_id=other,
                run_id="run",
            )
        with store.read() as reader:
            run = reader.events(ANN, run_id="run")
            assert [e.memory_id for e in run] == [mine.id, shared.id, shared.id]
            assert reader.events(ANN, event_id=run[-1].id) == [run[-1]]
            assert reader.events(ANN, other_id=other) == [run[-1]]
            assert [e.memory_id for e in reader.events(ANN)] == [mine.id]
            assert reader.events(BOB, event_id=run[-1].id) == []
            assert reader.events(BOB, other_id=other) == []
            assert shared.id not in [e.memory_id for e in reader.events(BOB, run_id="run")]

    def test_own_events(self, store: Store) -> None:
        """An event added by a flow comes back whole, in the order of adding."""
        events = [
            AuditEvent(
                id=new_id(),
                at=later(hours=-n),
                action="consolidated",
                reason="整理",
                run_id="run",
                counts={"merged": n, "archived": 0},
            )
            for n in range(3)
        ]
        with store.write() as writer:
            for event in events:
                writer.add_event(ANN, event)
        with store.read() as reader:
            assert reader.events(ANN, run_id="run") == events


class TraceTests(StoreSuite):
    """`save_traces` and `trace`."""

    def test_trace_comes_back_whole(self, store: Store) -> None:
        """By id, and the newest one without an id; batches of several scopes at once."""
        mine = [make_trace(ANN, f"问题 {n}", at=later(seconds=n)) for n in range(3)]
        labelled = make_trace(Scope(tenant="acme", user="bob", agent="a", session="s"), "question")
        with store.write() as writer:
            writer.save_traces([*mine, labelled])
        with store.read() as reader:
            for trace in mine:
                assert reader.trace(ANN, trace.id) == trace
            assert reader.trace(ANN, None) == mine[-1]
            assert reader.traces(ANN, limit=2) == [mine[2], mine[1]]
            assert reader.traces(ANN, limit=9, ids=[mine[0].id, labelled.id]) == [mine[0]]
            assert reader.traces(BOB, limit=9, ids=[labelled.id], whoever=True) == [labelled]
            assert reader.traces(BOB, limit=9, whoever=True) == [labelled]
            assert reader.traces(BOB, limit=9) == reader.traces(Scope(tenant="new"), limit=9) == []
            assert reader.trace(labelled.scope, None) == labelled
            assert reader.trace(BOB, None) is None
            assert reader.trace(replace(BOB, agent="b"), labelled.id) is None
            assert reader.trace(ANN, labelled.id) is None
            assert reader.trace(ANN, new_id()) is None
            assert reader.trace(Scope(tenant="other"), None) is None

    def test_traces_are_kept_for_a_while(self, store: Store) -> None:
        """Thirty days, and of them the newest thousand of a space; other spaces are left alone."""
        with store.write() as writer:
            writer.save_traces([make_trace(ANN, "old"), make_trace(BOB, "other")])
            newer = [make_trace(ANN, f"q {n}", at=later(days=31, seconds=n)) for n in range(1001)]
            writer.save_traces(newer)
        with store.read() as reader:
            found = reader.traces(ANN, limit=2000)
            assert [found[0].query, found[-1].query, len(found)] == ["q 1000", "q 1", 1000]
            other = reader.trace(BOB, None)
            assert other is not None
            assert other.query == "other"

    def test_trace_from_before_an_erasure_is_dropped(self, store: Store) -> None:
        """Whoever writes it, whatever its clock says; one made afterwards is kept."""
        with store.write() as writer:
            put(writer, ANN, "fact")
            put(writer, BOB, "fact")
        with store.read() as reader:
            seen = reader.erasures(ANN)
            of_bob = replace(make_trace(BOB, "fact?"), erasures=reader.erasures(BOB))
        with store.write() as writer:
            writer.erase(ANN, at=NOW, reason="asked", event_id=new_id())
        with store.read() as reader:
            now = reader.erasures(ANN)
        assert now > seen
        early = replace(make_trace(ANN, "fact?", at=later(days=1)), erasures=seen)
        after = replace(make_trace(ANN, "事实？"), erasures=now)
        with store.write() as writer:
            writer.save_traces([early, after, of_bob])
        with store.read() as reader:
            assert reader.trace(ANN, early.id) is None
            assert reader.trace(ANN, None) == after
            assert reader.trace(BOB, None) == of_bob


class BudgetTests(StoreSuite):
    """`spend` and `spent`."""

    def test_spending_adds_up_by_day_and_scope(self, store: Store) -> None:
        """Calls and tokens are sums of one scope's one day."""
        with store.write() as writer:
            writer.spend(ANN, "2026-03-05", calls=1, tokens=100)
            writer.spend(ANN, "2026-03-05", calls=2, tokens=50)
            writer.spend(ANN, "2026-03-06", calls=1, tokens=1)
            writer.spend(BOB, "2026-03-05", calls=9, tokens=9)
        with store.read() as reader:
            assert reader.spent(ANN, "2026-03-05") == {"calls": 3, "tokens": 150}
            assert reader.spent(ANN, "2026-03-07") == {"calls": 0, "tokens": 0}
