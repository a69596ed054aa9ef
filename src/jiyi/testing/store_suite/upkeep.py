"""Upkeep: a whole space is read, events are followed, one run works at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from jiyi.ids import new_id
from jiyi.ports import Store, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    get,
    later,
    put,
    say,
)
from jiyi.testing.store_suite.uniqueness import run_together
from jiyi.types import AuditEvent, Scope, Source, Status, Trace

HOUR = timedelta(hours=1)


def note(writer: Writer, scope: Scope, action: str, *, minutes: float = 0) -> str:
    """An event of its own; returns its id."""
    event = AuditEvent(id=new_id(), at=later(minutes=minutes), action=action)
    writer.add_event(scope, event)
    return event.id


class UpkeepTests(StoreSuite):
    """Whole spaces, events after an event, one job and one claim, and what is pruned."""

    def test_whole_space_is_read(self, store: Store) -> None:
        """Whoever a memory is for, in the order of recording; other spaces are not touched."""
        agent = replace(ANN, agent="a")
        with store.write() as writer:
            put(writer, ANN, "for all")
            put(writer, agent, "for one agent", visibility="agent")
            put(writer, ANN, "cold", status="archived")
            put(writer, ANN, "short", expires_at=later(minutes=1))
            put(writer, ANN, "shared", visibility="shared")
            put(writer, BOB, "of somebody else")
        with store.read() as reader:
            live: frozenset[Status] = frozenset({"active"})
            found = reader.space_memories(ANN, statuses=live, now=NOW)
            assert [m.text for m in found] == ["for all", "for one agent", "short"]
            assert found[1].scope.agent == "a"
            found = reader.space_memories(ANN, statuses=live, now=later(minutes=2))
            assert "short" not in [m.text for m in found]
            both = reader.space_memories(ANN, statuses=live | {"archived"}, now=NOW)
            assert "cold" in [m.text for m in both]
            common = reader.space_memories(replace(ANN, user=None), statuses=live, now=NOW)
            assert [m.text for m in common] == ["shared"]
            assert reader.space_memories(Scope(user="nobody"), statuses=live, now=NOW) == []

    def test_events_after_an_event(self, store: Store) -> None:
        """By the order of writing, also where the clock stepped back; by action; in the own space;
        the newest when there are too many."""
        with store.write() as writer:
            note(writer, ANN, "run")
            last = note(writer, ANN, "run", minutes=60)
            early = note(writer, ANN, "mark", minutes=-600)
            note(writer, BOB, "mark")
            late = note(writer, ANN, "mark", minutes=5)
        with store.read() as reader:
            both = frozenset({"run", "mark"})
            assert [e.id for e in reader.recent_events(ANN, actions=both, after=last)] == [
                early,
                late,
            ]
            assert [e.id for e in reader.recent_events(ANN, actions=frozenset({"run"}), limit=1)]
            (newest,) = reader.recent_events(ANN, actions=both, limit=1)
            assert newest.id == late
            assert reader.recent_events(ANN, actions=frozenset({"none"})) == []
            assert reader.recent_events(ANN, actions=frozenset()) == []

    def test_old_events_of_nothing_are_pruned(self, store: Store) -> None:
        """Of the own space, older than asked, and about no memory that is there: histories, also
        of what was superseded or retracted, stay whole; other spaces keep theirs."""
        with store.write() as writer:
            kept, gone = put(writer, ANN, "kept 留"), put(writer, ANN, "gone 去")
            writer.change_memory(ANN, kept.id, {"status": "retracted"}, at=NOW, action="retracted")
            run, new = note(writer, ANN, "run"), note(writer, ANN, "run", minutes=120)
            others = note(writer, BOB, "run")
            writer.erase(ANN, memory_ids=[gone.id], at=NOW, reason="asked", event_id=new_id())
        with store.read() as reader:
            before = reader.events(ANN, memory_id=kept.id)
            assert len(before) == 2
        with store.write() as writer:
            assert writer.prune_events(ANN, before=NOW) == 0
            assert writer.prune_events(ANN, before=NOW + HOUR) > 2
            assert writer.prune_events(ANN, before=NOW + HOUR) == 0
            assert writer.prune_events(Scope(user="nobody"), before=NOW + HOUR) == 0
        with store.read() as reader:
            assert reader.events(ANN, memory_id=kept.id) == before
            assert reader.events(ANN, memory_id=gone.id) == []
            assert reader.events(ANN, event_id=run) == []
            assert [e.id for e in reader.events(ANN)] == [*(e.id for e in before), new]
            assert [e.id for e in reader.events(BOB)] == [others]
            assert len(reader.versions(ANN, kept.id)) == 2

    def test_one_waiting_job_of_a_kind(self, store: Store) -> None:
        """A second one is not queued; another space's is; a finished one makes room."""
        with store.write() as writer:
            first = writer.enqueue_once(ANN, "consolidate", {}, at=NOW, due=NOW)
            assert first is not None
            assert writer.enqueue_once(ANN, "consolidate", {}, at=NOW, due=NOW) is None
            assert writer.enqueue_once(BOB, "consolidate", {}, at=NOW, due=NOW) is not None
            writer.finish([first])
            assert writer.enqueue_once(ANN, "consolidate", {}, at=NOW, due=NOW) is not None

    def test_one_holds_a_claim(self, store: Store) -> None:
        """Only one in a space, until it is finished or its time has run out; other spaces are
        free."""
        with store.write() as writer:
            mine = writer.claim(ANN, "consolidating", now=NOW, until=NOW + HOUR)
            assert mine is not None
        with store.write() as writer:
            assert writer.claim(ANN, "consolidating", now=NOW, until=NOW + HOUR) is None
            assert writer.claim(BOB, "consolidating", now=NOW, until=NOW + HOUR) is not None
            writer.finish([mine])
            assert writer.claim(ANN, "consolidating", now=NOW, until=NOW + HOUR) is not None
        over = NOW + HOUR
        with store.write() as writer:
            assert writer.claim(ANN, "consolidating", now=over, until=over + HOUR) is not None

    def test_a_claim_from_the_future_is_abandoned(self, store: Store) -> None:
        """Where the clock has jumped back, a claim of before does not hold for years."""
        with store.write() as writer:
            assert writer.claim(ANN, "consolidating", now=NOW, until=NOW + HOUR) is not None
            past = NOW - timedelta(days=400)
            assert writer.claim(ANN, "consolidating", now=past, until=past + HOUR) is not None

    def test_claims_of_many_meet(self, store: Store, reopen: Reopen | None) -> None:
        """Of many that claim at once, exactly one gets it."""
        handles = [store, reopen() if reopen else store]

        def take(handle: Store) -> int | None:
            with handle.write() as writer:
                return writer.claim(ANN, "consolidating", now=NOW, until=NOW + HOUR)

        taken = run_together([lambda i=i: take(handles[i % 2]) for i in range(6)])  # type: ignore[misc]
        assert sum(claim is not None for claim in taken) == 1

    def test_old_traces_are_pruned(self, store: Store) -> None:
        """Those before the moment, in the own space."""
        with store.write() as writer:
            for scope, minutes in ((ANN, 0), (ANN, 10), (BOB, 0)):
                trace = Trace(
                    id=new_id(),
                    at=later(minutes=minutes),
                    operation="recall",
                    scope=scope,
                    query="q",
                    completed=None,
                    arms={},
                    candidates=(),
                    support="none",
                    latency_ms={},
                )
                writer.save_traces([trace])
            assert writer.prune_traces(ANN, before=later(minutes=5)) == 1
            assert writer.prune_traces(Scope(user="nobody"), before=later(minutes=5)) == 0
            assert writer.trace(ANN, None) is not None
            assert writer.trace(BOB, None) is not None

    def test_what_was_drawn_from_erased_content_goes_too(self, store: Store) -> None:
        """A summary that an event links to an erased memory; a lesson that cites an erased turn;
        nothing else."""
        with store.write() as writer:
            member = put(writer, ANN, "member")
            summary = put(writer, ANN, "summary of it", meta={"summary_of": [member.id]})
            link = AuditEvent(
                id=new_id(),
                at=NOW,
                action="drawn into",
                memory_id=member.id,
                other_id=summary.id,
            )
            writer.add_event(ANN, link)
            turn, kept = say(writer, ANN, "failed"), say(writer, ANN, "failed again")
            cites = tuple(Source(id=new_id(), turn_id=t.id) for t in (turn, kept))
            lesson = put(writer, ANN, "it fails", sources=cites, meta={"lesson": "x"})
            plain = put(writer, ANN, "it is told twice", sources=cites)
        with store.write() as writer:
            writer.erase(ANN, memory_ids=[member.id], at=NOW, reason="asked", event_id=new_id())
            writer.erase(ANN, turn_ids=[turn.id], at=NOW, reason="asked", event_id=new_id())
        with store.read() as reader:
            for gone in (member, summary, lesson):
                found = get(reader, ANN, gone.id)
                assert found is None or found.status == "forgotten"
            left = get(reader, ANN, plain.id)
            assert left is not None
            assert len(left.sources) == 1

    def test_turns_that_nothing_needs(self, store: Store) -> None:
        """Of the own space, recorded before that time, oldest first: not those that a live or
        archived memory cites, nor any while a reading from before that time waits."""
        with store.write() as writer:
            texts = ("cited 引", "archived 档", "former 旧", "free 闲")
            said = [say(writer, ANN, text) for text in texts]
            others = say(writer, BOB, "another's 别人的")
            statuses: tuple[Status, ...] = ("active", "archived", "retracted")
            for turn, status in zip(said, statuses, strict=False):
                cited = (Source(id=new_id(), turn_id=turn.id),)
                put(writer, ANN, f"about {turn.text}", status=status, sources=cited)
        with store.read() as reader:
            wanted = [turn.id for turn in said[2:]]
            assert reader.uncited_turns(ANN, before=NOW + HOUR, limit=9) == wanted
            assert reader.uncited_turns(ANN, before=NOW + HOUR, limit=1) == wanted[:1]
            assert reader.uncited_turns(ANN, before=NOW - HOUR, limit=9) == []
            assert reader.uncited_turns(BOB, before=NOW + HOUR, limit=9) == [others.id]
            assert reader.uncited_turns(Scope(user="nobody"), before=NOW + HOUR, limit=9) == []
        with store.write() as writer:
            job = writer.enqueue(ANN, "read", {"turns": [said[3].id]}, at=NOW, due=NOW)
        with store.read() as reader:
            assert reader.uncited_turns(ANN, before=NOW + HOUR, limit=9) == []
        with store.write() as writer:
            writer.finish([job])
        with store.read() as reader:
            assert reader.uncited_turns(ANN, before=NOW + HOUR, limit=9) == wanted
