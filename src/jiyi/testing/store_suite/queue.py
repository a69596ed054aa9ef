"""The queue: jobs survive, are held by one worker at a time, and never vanish by failing."""

from __future__ import annotations

import pytest

from jiyi.ids import new_id
from jiyi.ports import Job, JobKind, Store, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    later,
    say,
)
from jiyi.testing.store_suite.uniqueness import run_together
from jiyi.types import Json, Scope


def add(writer: Writer, scope: Scope, name: str, *, minutes: float = 0) -> int:
    """A job that is due so many minutes after NOW."""
    due = later(minutes=minutes)
    return writer.enqueue(scope, "extract", {"name": name}, at=NOW, due=due)


def lease(
    store: Store, *kinds: JobKind, minutes: float = 0, limit: int = 10, hold: float = 5
) -> list[Job]:
    """Lease at NOW + minutes for `hold` minutes."""
    with store.write() as writer:
        return writer.lease(
            kinds or ("extract",),
            now=later(minutes=minutes),
            until=later(minutes=minutes + hold),
            limit=limit,
        )


def names(jobs: list[Job]) -> list[object]:
    """What the jobs are called."""
    return [job.payload["name"] for job in jobs]


class QueueTests(StoreSuite):
    """`enqueue`, `lease`, `finish`, `retry`, `park`, `parked`, `queue_counts`."""

    def test_job_comes_back_whole(self, store: Store) -> None:
        """Scope, payload and times survive; the first attempt counts 1."""
        scope = Scope(tenant="acme", user="ann", session="A", agent="a")
        with store.write() as writer:
            payload: dict[str, Json] = {"turns": [new_id()], "n": 1, "词": {"k": None}}
            id = writer.enqueue(scope, "digest", payload, at=NOW, due=NOW)
        (job,) = lease(store, "digest")
        assert job == Job(
            id=id, kind="digest", scope=scope, payload=payload, attempt=1, created_at=NOW
        )

    def test_order_due_and_kind(self, store: Store) -> None:
        """Oldest due first, none before it is due, none of another kind, no more than asked."""
        with store.write() as writer:
            add(writer, ANN, "third", minutes=3)
            add(writer, BOB, "first", minutes=1)
            add(writer, ANN, "second", minutes=2)
            writer.enqueue(ANN, "embed", {"name": "other"}, at=NOW, due=NOW)
        assert names(lease(store, minutes=0)) == []
        assert names(lease(store, minutes=2, limit=1)) == ["first"]
        assert names(lease(store, minutes=2)) == ["second"]
        assert names(lease(store, "extract", "embed", minutes=9)) != []

    def test_lease_excludes_and_runs_out(self, store: Store) -> None:
        """A leased job is nobody else's until its lease has run out; then the attempt counts up."""
        with store.write() as writer:
            add(writer, ANN, "job")
        assert names(lease(store)) == ["job"]
        assert lease(store, minutes=4.9) == []
        (again,) = lease(store, minutes=5)
        assert again.attempt == 2
        assert lease(store, minutes=6) == []

    def test_finished_jobs_are_gone(self, store: Store) -> None:
        """Finishing removes; finishing twice, or what never was, is no error."""
        with store.write() as writer:
            add(writer, ANN, "job")
            add(writer, ANN, "other")
        jobs = lease(store)
        for _ in range(2):
            with store.write() as writer:
                writer.finish([jobs[0].id, 10**6])
        assert names(lease(store, minutes=9)) == ["other"]
        with store.read() as reader:
            counts = reader.queue_counts(ANN)
        assert sum(counts.values()) == 1

    def test_retry_waits_and_counts(self, store: Store) -> None:
        """A job given back is due later, keeps its error, and counts its attempts."""
        with store.write() as writer:
            add(writer, ANN, "job")
        (job,) = lease(store)
        with store.write() as writer:
            writer.retry(job.id, error="429 太多请求", due=later(minutes=10))
        assert lease(store, minutes=9) == []
        (again,) = lease(store, minutes=10)
        assert (again.attempt, again.error, again.id) == (2, "429 太多请求", job.id)

    def test_parked_jobs_wait_for_people(self, store: Store) -> None:
        """A parked job is leased by nobody, listed with its error, only in its scope."""
        with store.write() as writer:
            add(writer, ANN, "job")
        (job,) = lease(store)
        with store.write() as writer:
            writer.park(job.id, error="bad reply")
        assert lease(store, minutes=10_000) == []
        with store.read() as reader:
            (parked,) = reader.parked(ANN)
            assert (parked.id, parked.error, parked.payload) == (job.id, "bad reply", job.payload)
            assert reader.parked(BOB) == []
            assert reader.queue_counts(ANN).get("parked") == 1

    def test_counts_by_state(self, store: Store) -> None:
        """pending, leased and parked, of a scope and of the store."""
        with store.write() as writer:
            for n in range(4):
                add(writer, ANN, f"job {n}")
            add(writer, BOB, "late", minutes=60)
        first, _ = lease(store, limit=2)
        with store.write() as writer:
            writer.park(first.id, error="x")
        with store.read() as reader:
            mine = reader.queue_counts(ANN)
            assert {k: v for k, v in mine.items() if v} == {"pending": 2, "leased": 1, "parked": 1}
            assert {k: v for k, v in reader.queue_counts(BOB).items() if v} == {"pending": 1}
            assert sum(reader.queue_counts().values()) == 5

    def test_rolled_back_jobs_are_not_there(self, store: Store) -> None:
        """A job belongs to the transaction of the turn that caused it."""

        def fail() -> None:
            with store.write() as writer:
                say(writer, ANN, "words")
                add(writer, ANN, "job")
                raise KeyError("stop")

        with pytest.raises(KeyError):
            fail()
        assert lease(store) == []

    def test_workers_share_without_overlap(self, store: Store, reopen: Reopen | None) -> None:
        """Many workers together lease every job exactly once."""
        with store.write() as writer:
            for n in range(40):
                add(writer, Scope(tenant="acme", user=f"u{n % 5}"), str(n))
        handles = [store, reopen() if reopen else store]

        def work(handle: Store) -> list[object]:
            done: list[object] = []
            while jobs := lease(handle, limit=3):
                done += names(jobs)
                with handle.write() as writer:
                    writer.finish([job.id for job in jobs])
            return done

        batches = run_together([lambda i=i: work(handles[i % 2]) for i in range(4)])  # type: ignore[misc]
        done = [name for batch in batches for name in batch]
        assert sorted(done, key=int) == [str(n) for n in range(40)]
