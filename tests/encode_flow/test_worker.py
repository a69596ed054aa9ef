"""Background work: nothing is lost, nothing is done twice, nothing spins."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flow import DAY, NOW, SUN, encoder, memories, observe, record, texts, turn

from jiyi.encode.encoder import IDLE
from jiyi.encode.intake import turn_terms
from jiyi.encode.worker import Worker, WorkerSettings
from jiyi.errors import ModelError, StoreError
from jiyi.ids import new_id
from jiyi.ports import Job, Store, Writer
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing import FakeClock, HashEmbedder, ScriptedChatModel
from jiyi.types import Scope

SAID = "我对青霉素过敏，家在杭州"
REPLY = json.dumps(
    {
        "memories": [
            {
                "text": "用户对青霉素过敏",
                "quote": "我对青霉素过敏",
                "turn": 1,
                "attribute": "allergy",
                "value": "青霉素",
                "importance": 5,
                "confidence": 0.95,
            }
        ]
    },
    ensure_ascii=False,
)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


def worker(store: Store, clock: FakeClock, **options: Any) -> Worker:
    options.setdefault("threaded", False)
    return Worker(store, encoder(), clock=clock, **options)


def counts(store: Store) -> dict[str, int]:
    with store.read() as reader:
        return {k: n for k, n in reader.queue_counts().items() if n}


def leave_behind(store: Store, *texts: str) -> None:
    """Turns recorded and queued by a process that died before reading them."""
    turns = [turn(text) for text in texts]
    with store.write() as writer:
        for each in turns:
            writer.add_turn(each, turn_terms(each))
        encoder().enqueue(writer, SUN, turns, now=NOW)


def batched(store: Store, text: str = SAID) -> None:
    observe(store, encoder(batches=True), turn(text))


def test_left_behind_is_read_once(store: Store, clock: FakeClock) -> None:
    """What a crash left between recording and reading is read after it, exactly once (13)."""
    leave_behind(store, "+likes tea", "+lives in Rome @residence=Rome")
    clock.advance(minutes=1)
    first, second = worker(store, clock), worker(store, clock)
    assert first.run_pending() == 1
    assert second.run_pending() == 0
    assert texts(memories(store)) == ["likes tea", "lives in Rome"]
    assert counts(store) == {}


def test_erased_meanwhile_stays_away(store: Store, clock: FakeClock) -> None:
    """A late reading does not bring back what was erased in between."""
    leave_behind(store, "+likes tea")
    with store.write() as writer:
        (said,) = writer.turns(SUN)
        writer.erase(SUN, turn_ids=[said.id], at=NOW, reason="asked", event_id=new_id())
    clock.advance(minutes=1)
    worker(store, clock).run_pending()
    assert memories(store) == []
    assert counts(store) == {}


@pytest.mark.parametrize("moment", ["recorded", "reading"])
def test_kill_and_restart(tmp_path: Path, moment: str) -> None:
    """A process killed between recording and reading, or while reading, loses nothing: the next
    one has the turn and reads it once (13)."""
    path = tmp_path / "agent.db"
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from flow import SUN, encoder, scripted, turn
from jiyi.encode.intake import turn_terms
from jiyi.stores.sqlite import open_sqlite

def dies(said, previous):
    if {moment!r} == "reading" and "second" in said.text:
        os.kill(os.getpid(), signal.SIGKILL)
    return scripted(said, previous)

store = open_sqlite({str(path)!r})
reading = encoder(extract=dies)
turns = [turn("+first thing said"), turn("+second thing said")]
with store.write() as writer:
    for each in turns:
        writer.add_turn(each, turn_terms(each))
    reading.enqueue(writer, SUN, turns, now=turns[0].said_at)
if {moment!r} == "recorded":
    os.kill(os.getpid(), signal.SIGKILL)
reading.encode(store, turns, now=turns[0].said_at)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    store = open_sqlite(str(path))
    later = FakeClock(NOW + timedelta(minutes=5))
    with store.read() as reader:
        assert len(reader.turns(SUN)) == 2
    worker(store, later).run_pending()
    worker(store, later).run_pending()
    assert texts(memories(store)) == ["first thing said", "second thing said"]
    assert all(len(m.sources) == 1 for m in memories(store))
    store.close()


def test_model_reads_what_waits(store: Store, clock: FakeClock) -> None:
    """A batch goes to the model once, and what it proposes is a memory citing the words."""
    model = ScriptedChatModel([REPLY])
    batched(store)
    done = worker(store, clock, chat_model=model)
    done.run_pending()
    done.run_pending()
    (memory,) = memories(store)
    assert memory.text == "用户对青霉素过敏"
    assert memory.slot is not None
    assert memory.slot.attribute == "allergy"
    assert memory.sources[0].span == (0, 7)
    assert len(model.calls) == 1
    assert counts(store) == {}


def test_thread_waits_for_a_pause(store: Store, clock: FakeClock) -> None:
    """Without a flush the batch is not read before the talk has paused."""
    model = ScriptedChatModel([REPLY])
    batched(store)
    busy = worker(store, clock, chat_model=model)
    busy._work(ahead=timedelta(0))
    assert model.calls == []
    clock.advance(IDLE)
    busy._work(ahead=timedelta(0))
    assert len(model.calls) == 1


@pytest.mark.parametrize("replies", [2, 1])
def test_overload_is_retried(store: Store, clock: FakeClock, replies: int) -> None:
    """429, 500 and silence leave the batch pending, with the reason, and it is tried again later,
    not at once (12)."""
    busy = ModelError("m: the server answered 429", retryable=True)
    model = ScriptedChatModel([busy] * replies + [REPLY])
    batched(store)
    retrying = worker(store, clock, chat_model=model)
    retrying.run_pending()
    retrying.run_pending()
    assert len(model.calls) == 1
    assert counts(store) == {"pending": 1}
    for _ in range(replies):
        clock.advance(hours=2)
        retrying.run_pending()
    assert texts(memories(store)) == ["用户对青霉素过敏"]
    assert counts(store) == {}


def test_parked_after_many_failures(store: Store, clock: FakeClock) -> None:
    """What keeps failing is parked where it can be seen, with the reason; the turn stays."""
    model = ScriptedChatModel([ModelError("m: down", retryable=True)], repeat_last=True)
    batched(store)
    failing = worker(store, clock, chat_model=model, settings=WorkerSettings(attempts=3))
    for _ in range(6):
        failing.run_pending()
        clock.advance(DAY)
    assert len(model.calls) == 3
    with store.read() as reader:
        (job,) = reader.parked(SUN)
        assert len(reader.turns(SUN)) == 1
    assert "m: down" in (job.error or "")


def test_hopeless_is_parked_at_once(store: Store, clock: FakeClock) -> None:
    """A wrong key does not get better by trying."""
    model = ScriptedChatModel([ModelError("m: the server answered 401")])
    batched(store)
    worker(store, clock, chat_model=model).run_pending()
    assert counts(store) == {"parked": 1}


@pytest.mark.parametrize(
    ("replies", "kept", "state"),
    [
        (["", ""], 0, "parked"),
        (["Sorry, no {idea}.", "I can't."], 0, "parked"),
        (["no JSON", REPLY], 1, None),
        ([REPLY[:-2] + ', {"text": "cut of', REPLY[:-2] + ', {"te'], 1, "parked"),
        (['{"memories": []}'], 0, None),
    ],
)
def test_replies_that_cannot_be_read(
    store: Store, clock: FakeClock, replies: list[str], kept: int, state: str | None
) -> None:
    """One repair is asked for; usable parts are kept, the turn stays, the job says why (11)."""
    model = ScriptedChatModel(replies)
    batched(store)
    worker(store, clock, chat_model=model).run_pending()
    assert len(memories(store)) == kept
    assert counts(store) == ({state: 1} if state else {})
    with store.read() as reader:
        assert len(reader.turns(SUN)) == 1
        assert all(job.error for job in reader.parked(SUN))


def test_budget_of_the_day(store: Store, clock: FakeClock) -> None:
    """When the calls of a day are spent, batches wait for the next day; that is no failure, and
    what was spent can be read."""
    model = ScriptedChatModel(['{"memories": []}'], repeat_last=True)
    saving = worker(
        store, clock, chat_model=model, settings=WorkerSettings(calls_per_day=1, attempts=1)
    )
    for session in ("A", "B"):
        said = turn(SAID, scope=Scope(user="sun", session=session))
        observe(store, encoder(batches=True), said)
    saving.run_pending()
    saving.run_pending()
    assert len(model.calls) == 1
    assert counts(store) == {"pending": 1}
    with store.read() as reader:
        spent = reader.spent(SUN, NOW.date().isoformat())
    assert spent["calls"] == 1
    assert spent["tokens"] > 0
    clock.advance(DAY)
    saving.run_pending()
    assert len(model.calls) == 2
    assert counts(store) == {}


def test_budget_is_per_user(store: Store, clock: FakeClock) -> None:
    """One user's budget does not stop another's."""
    model = ScriptedChatModel(['{"memories": []}'], repeat_last=True)
    for user in ("a", "b"):
        said = turn(SAID, scope=Scope(user=user, session="s"))
        record(store, [said])
        with store.write() as writer:
            writer.enqueue(said.scope, "read", {"turns": [said.id]}, at=NOW, due=NOW)
    worker(store, clock, chat_model=model, settings=WorkerSettings(calls_per_day=1)).run_pending()
    assert len(model.calls) == 2


def test_without_a_model_batches_wait(store: Store, clock: FakeClock) -> None:
    """A process without a chat model leaves its batches for one that has one."""
    batched(store)
    worker(store, clock).run_pending()
    assert counts(store) == {"pending": 1}
    worker(store, clock, chat_model=ScriptedChatModel([REPLY])).run_pending()
    assert len(memories(store)) == 1


def test_vectors_for_everything(store: Store, clock: FakeClock) -> None:
    """Units without a vector get one, in batches, once."""
    observe(store, encoder(), turn("+likes tea"), turn("+likes figs"))
    embedder = HashEmbedder(16)
    embedding = worker(store, clock, embedder=embedder, settings=WorkerSettings(embed_batch=3))
    assert embedding.run_pending() == 4
    assert embedding.run_pending() == 0
    with store.read() as reader:
        assert reader.vector_models() == {"hash-16": 4}


def test_workers_of_one_backlog_seldom_do_the_same(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at work on a long backlog at the same moment: every text gets its vector, and few are
    computed twice."""
    monkeypatch.setattr("jiyi.encode.worker.random", random.Random(7))
    observe(store, encoder(), *(turn(f"说过 number {n}") for n in range(200)))
    asked: list[str] = []

    class Slow(HashEmbedder):
        """Before it is done, the other one takes a batch."""

        other: Worker | None = None

        def embed_documents(self, texts: list[str]) -> Any:
            asked.extend(texts)
            other, self.other = self.other, None
            if other is not None:
                other.run_pending(limit=1)
                self.other = other
            return super().embed_documents(texts)

    slow = Slow()
    settings = WorkerSettings(embed_batch=8)
    slow.other = Worker(store, encoder(), embedder=slow, clock=clock, settings=settings)
    Worker(store, encoder(), embedder=slow, clock=clock, settings=settings).run_pending()
    with store.read() as reader:
        assert reader.unembedded(slow.name, limit=1) == []
    assert len(set(asked)) == 200
    assert len(asked) < 1.3 * 200


def test_another_embedder_takes_over_on_demand(
    store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Opened with another embedder, the worker names both and the command, once, and makes no
    mixed vectors; asked to, it makes all of them anew, batch by batch (30)."""
    observe(store, encoder(), turn("+likes tea"), turn("+likes figs"))
    worker(store, clock, embedder=HashEmbedder(16)).run_pending()
    other = worker(store, clock, embedder=HashEmbedder(32), settings=WorkerSettings(embed_batch=3))
    assert other.run_pending() + other.run_pending() == 0
    (warning,) = [r.getMessage() for r in caplog.records]
    assert all(word in warning for word in ("hash-16", "hash-32", "jiyi reembed"))
    steps: list[int] = []
    assert other.reembed(steps.append) == 4
    assert steps == [3, 4]
    with store.read() as reader:
        assert reader.vector_models()["hash-32"] == 4


def test_broken_embedder_stops_nothing(store: Store, clock: FakeClock) -> None:
    """Texts stay findable by words when the embedder fails."""

    class Broken(HashEmbedder):
        def embed_documents(self, texts: list[str]) -> Any:
            raise ModelError("no memory left", retryable=True)

    leave_behind(store, "+likes tea")
    worker(store, clock, embedder=Broken()).run_pending()
    assert texts(memories(store)) == ["likes tea"]


def test_other_kinds_of_jobs(store: Store, clock: FakeClock) -> None:
    """A handler's slow part runs outside the transaction, its result inside; a failure retries."""
    done: list[str] = []

    def digest(job: Job) -> Any:
        if job.attempt == 1:
            raise StoreError("not yet")
        with store.read():
            done.append("prepared")

        def apply(writer: Writer) -> None:
            done.append("applied")

        return apply

    with store.write() as writer:
        writer.enqueue(SUN, "digest", {}, at=NOW, due=NOW)
        writer.enqueue(SUN, "checkpoint", {}, at=NOW, due=NOW)
    handling = worker(store, clock, handlers={"digest": digest})
    handling.run_pending()
    assert done == []
    clock.advance(hours=1)
    handling.run_pending()
    assert done == ["prepared", "applied"]
    assert counts(store) == {}


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    store = open_sqlite(str(tmp_path / "agent.db"))
    yield store
    store.close()


def _named() -> list[threading.Thread]:
    """The worker threads that this test started; other tests may have left their own."""
    return [t for t in threading.enumerate() if t.name == "jiyi-worker" and t not in _OTHERS]


_OTHERS: set[threading.Thread] = set()


@pytest.fixture(autouse=True)
def threads_of_others() -> None:
    _OTHERS.clear()
    _OTHERS.update(threading.enumerate())


def test_thread_starts_when_there_is_work(file_store: Store, clock: FakeClock) -> None:
    """No thread without anything it could do; one, and only one, when there is; it ends with
    stop."""
    idle = worker(file_store, clock, threaded=True)
    idle.wake()
    assert _named() == []
    ready = threading.Event()

    class Telling(HashEmbedder):
        def embed_documents(self, texts: list[str]) -> Any:
            ready.set()
            return super().embed_documents(texts)

    observe(file_store, encoder(), turn("+likes tea"))
    busy = worker(file_store, clock, threaded=True, embedder=Telling(16))
    for _ in range(5):
        busy.wake()
    assert len(_named()) == 1
    assert ready.wait(20)
    busy.run_pending()  # waits for the thread's batch
    busy.stop()
    assert _named() == []
    with file_store.read() as reader:
        assert reader.vector_models() == {"hash-16": 2}
    busy.wake()
    assert _named() == []


def test_thread_ends_when_nothing_can_come(file_store: Store, clock: FakeClock) -> None:
    """Started for what a crash left behind, the thread reads it and goes."""
    leave_behind(file_store, "+likes tea")
    clock.advance(minutes=1)
    tidying = worker(file_store, clock, threaded=True)
    tidying.wake()
    for thread in _named():
        thread.join(20)
    assert texts(memories(file_store)) == ["likes tea"]
    tidying.stop()


def test_idle_thread_does_not_spin(file_store: Store, clock: FakeClock) -> None:
    """A thread without work sleeps: it looks at the store once, then waits to be woken."""
    looks = 0
    embedder = HashEmbedder(16)
    sleeping = worker(file_store, clock, threaded=True, embedder=embedder)
    looked = threading.Event()
    work = sleeping._work

    def counting(**options: Any) -> int:
        nonlocal looks
        looks += 1
        done = work(**options)
        looked.set()
        return done

    sleeping._work = counting  # type: ignore[method-assign]
    sleeping.wake()
    assert looked.wait(20)
    looked.clear()
    assert not looked.wait(0.3)
    assert looks == 1
    sleeping.wake()
    assert looked.wait(20)
    assert looks == 2
    sleeping.stop()


def test_several_workers_share(file_store: Store, clock: FakeClock) -> None:
    """Two workers on one queue do every job once."""
    for number in range(12):
        leave_behind(file_store, f"+thing number {number}")
    clock.advance(minutes=1)
    workers = [worker(file_store, clock) for _ in range(2)]
    done: list[int] = []
    threads = [threading.Thread(target=lambda w=w: done.append(w.run_pending())) for w in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(done) == 12
    assert len(memories(file_store)) == 12
    assert all(len(m.sources) == 1 for m in memories(file_store))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_child_of_a_fork_can_wake(file_store: Store, clock: FakeClock) -> None:
    """Threads and locks of the parent do not hang the child."""
    forked = worker(file_store, clock, threaded=True, embedder=HashEmbedder(16))
    forked.wake()
    with forked._signal:  # held at the moment of the fork
        child = os.fork()
        if child == 0:
            code = 1
            try:
                forked._threaded = False
                forked.wake()
                forked.stop()
                code = 0 if forked._thread is None else 1
            finally:
                os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    forked.stop()
