"""Background work: what the queue holds, and vectors for what has none.

One thread of this process at most, started when there is something it can do. Every job is leased,
prepared without a transaction (a model may take its time), then applied and finished in one.
"""

from __future__ import annotations

import logging
import os
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from jiyi.encode.begin import begin
from jiyi.encode.commit import TermsOf, atomically
from jiyi.encode.encoder import GRACE, IDLE, Encoder
from jiyi.encode.gate import Gate, GateOf
from jiyi.encode.model import ModelReader, PostponedError
from jiyi.encode.schema import ProfileSchema
from jiyi.errors import (
    EmbedderMismatchError,
    JiyiError,
    ModelError,
    StoreClosedError,
    StoreError,
    StoreUnavailableError,
)
from jiyi.ids import Clock, read_clock
from jiyi.ports import Capability
from jiyi.types import Turn

if TYPE_CHECKING:
    from jiyi.ports import ChatModel, Embedder, Job, JobKind, Reader, Store, Writer

logger = logging.getLogger("jiyi")

Apply = Callable[["Writer"], str | None]
"""Writes what a job came to, in the transaction that finishes it. Returns why a part of it could
not be done, to park the job with that reason, or None."""

Handler = Callable[["Job"], Apply]
"""Does the slow part of a job. Raises an error of ours when the job shall be tried again."""

LEASE: Final = timedelta(minutes=10)
FLUSH_AHEAD: Final = max(GRACE, IDLE) + timedelta(seconds=1)
"""How far `run_pending` reaches ahead: it also takes what waits for a pause in the talk. Shorter
than LEASE by far, or else it would take leased jobs for abandoned ones."""
_COALESCE_S: Final = 0.05
_FIRST_PAUSE_S: Final = IDLE.total_seconds() + 1
_LONGEST_PAUSE_S: Final = 600.0
_SPREAD: Final = 8  # batches of a backlog that a process chooses among
_REST_S: Final = 2.0  # between two looks at an empty queue, by a process that only works


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """How the worker retries and what it may spend.

    A job that failed `attempts` times is parked with its error. The pause before try n is
    `backoff` · 2ⁿ, up to `longest_backoff`, and up to 30 % longer by chance, so that many workers
    do not return at once. `calls_per_day` and `tokens_per_day` bound the chat model, per user and
    day in the clock's zone; None is no bound.
    """

    attempts: int = 5
    backoff: timedelta = timedelta(seconds=90)
    longest_backoff: timedelta = timedelta(hours=1)
    embed_batch: int = 32
    calls_per_day: int | None = 500
    tokens_per_day: int | None = 1_000_000


class Worker:
    """Works on the queue of a store. Thread-safe; survives a fork (the child starts its own).

    Args:
        store: where queue and units are.
        encoder: reads turns by rules, for those that a crash left behind.
        embedder: makes vectors for units that have none.
        chat_model: reads conversations more deeply.
        clock: tells what is due.
        threaded: whether `wake` may start a thread; without it only `run_pending` works.
        handlers: what else the queue may hold, by kind of job.
        gate, schema, terms_of: what a chat model's proposals are judged and kept by.
    """

    def __init__(
        self,
        store: Store,
        encoder: Encoder,
        *,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        clock: Clock,
        threaded: bool = True,
        handlers: Mapping[JobKind, Handler] | None = None,
        settings: WorkerSettings | None = None,
        gate: Gate | GateOf | None = None,
        schema: ProfileSchema | None = None,
        terms_of: TermsOf | None = None,
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._embedder = embedder
        self._clock = clock
        self._threaded = threaded
        self._settings = settings or WorkerSettings()
        self._handlers: dict[JobKind, Handler] = {
            "extract": self._extract,
            "checkpoint": self._checkpoint,
            "begin": lambda job: begin(job, read_clock(self._clock)),
            **(handlers or {}),
        }
        # Without a chat model its batches are left to a process that has one.
        self._reads = chat_model is not None
        if chat_model is not None:
            reader = ModelReader(
                chat_model,
                store,
                clock,
                calls_per_day=self._settings.calls_per_day,
                tokens_per_day=self._settings.tokens_per_day,
                gate=gate,
                schema=schema,
                terms_of=terms_of,
            )
            self._handlers["read"] = lambda job: reader.read(job, self._turns)
        self._warned: set[str] = set()
        self._held: Job | None = None
        self._reset()
        _workers.add(self)

    def _reset(self) -> None:
        self._signal = threading.Condition()
        self._one_at_a_time = threading.RLock()
        self._thread: threading.Thread | None = None
        self._woken = False
        self._stopped = False

    # --- the thread ---------------------------------------------------------------------------

    def wake(self) -> None:
        """Say that there may be work. Returns at once."""
        if not self._threaded or self._stopped:
            return
        with self._signal:
            self._woken = True
            self._signal.notify_all()
            if self._thread is not None and self._thread.is_alive():
                return
        if self._embedder is None and not self._reads and not self._left_behind():
            return
        with self._signal:
            if self._stopped or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._run, name="jiyi-worker", daemon=True)
            self._thread.start()

    def stop(self, timeout_s: float = 10.0) -> None:
        """Let the job in hand be finished, and begin no other; waits up to `timeout_s` seconds for
        it, then gives it back, so that another process may do it at once."""
        with self._signal:
            self._stopped = True
            self._signal.notify_all()
            thread = self._thread
        idle = self._one_at_a_time.acquire(timeout=timeout_s)
        if idle:
            self._one_at_a_time.release()
        elif (job := self._held) is not None:
            with self._store.write() as writer:
                writer.retry(job.id, error="its worker was stopped", due=read_clock(self._clock))
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout_s if idle else 0.0)

    def _run(self) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            with self._signal:
                self._signal.wait_for(lambda: self._stopped, timeout=_COALESCE_S)
                if self._stopped:
                    return
                self._woken = False
            try:
                done = self._work(ahead=timedelta(0))
            except StoreClosedError:
                return
            except StoreUnavailableError as error:
                logger.warning("background work waits: %s", error)
                done = 0
            if done:
                pause = _FIRST_PAUSE_S
                continue
            with self._signal:
                if self._embedder is None and not self._reads and not self._woken:
                    self._thread = None  # nothing here comes back by itself
                    return
                # Doubling pauses: what other processes queue is found, and nothing spins.
                woken = self._signal.wait_for(lambda: self._stopped or self._woken, pause)
                pause = _FIRST_PAUSE_S if woken else min(2 * pause, _LONGEST_PAUSE_S)

    def _left_behind(self) -> bool:
        with self._store.read() as reader:
            return _waiting(reader) > self._encoder.unfinished()

    # --- the work -----------------------------------------------------------------------------

    def retry_parked(self) -> int:
        """Give the jobs that were set aside their attempts back. Returns how many there were."""
        with self._store.write() as writer:
            return writer.unpark(now=read_clock(self._clock))

    def run_pending(self, limit: int | None = None) -> int:
        """Do what is due or waits for a pause in the talk, up to `limit` jobs and vectors.

        Waits for the thread's job in hand. Returns how many jobs and vectors were done.
        """
        return self._work(ahead=FLUSH_AHEAD, limit=limit)

    def reembed(self, progress: Callable[[int], None] | None = None) -> int:
        """Make vectors with this worker's embedder for every unit that lacks them, also where all
        vectors so far are another's. Stopped in the middle, it goes on where it was.

        Args:
            progress: called with the number of vectors after each batch.

        Returns how many vectors were made. Raises ModelError when the embedder fails.
        """
        done = 0
        while True:
            with self._one_at_a_time:
                made = 0 if self._stopped else self._embed(take_over=True)
            if not made:
                return done
            done += made
            if progress is not None:
                progress(done)

    def work(self, until: threading.Event) -> int:
        """Do what is due, whenever something is, until the event is set: for a process that does
        nothing else. Returns how many jobs and vectors were done."""
        done = 0
        while not (until.is_set() or self._stopped):
            try:
                made = self._work(ahead=timedelta(0))
            except StoreClosedError:
                break
            except StoreUnavailableError as error:
                logger.warning("background work waits: %s", error)
                made = 0
            done += made
            if not made:
                until.wait(_REST_S)
        return done

    def compare_embedder(self) -> None:
        """Warn when all vectors so far are another embedder's, naming both and what to do."""
        if self._embedder is not None:
            with self._store.read() as reader:
                self._is_ours(reader, self._embedder)

    def _is_ours(self, reader: Reader, embedder: Embedder) -> bool:
        models = reader.vector_models()
        if not models or embedder.name in models:
            return True
        self._warn(str(EmbedderMismatchError(max(models), embedder.name)))
        return False

    def _work(self, *, ahead: timedelta, limit: int | None = None) -> int:
        done = 0
        with self._one_at_a_time:
            while (limit is None or done < limit) and (job := self._lease(ahead)) is not None:
                self._held = job
                try:
                    self._do(job)
                finally:
                    self._held = None
                done += 1
            while limit is None or done < limit:
                if self._stopped or not (vectors := self._embed()):
                    break
                done += vectors
        return done

    def _lease(self, ahead: timedelta) -> Job | None:
        if self._stopped:
            return None
        now = read_clock(self._clock)
        with self._store.read() as reader:
            if not _waiting(reader):
                return None
        with self._store.write() as writer:
            jobs = writer.lease(list(self._handlers), now=now + ahead, until=now + LEASE)
        return jobs[0] if jobs else None

    def _do(self, job: Job) -> None:
        if job.attempt > self._settings.attempts:
            self._give_up(job, job.error or "its worker died each time")
            return
        try:
            apply = self._handlers[job.kind](job)
            atomically(self._store, lambda writer: _finish(writer, job, apply))
        except PostponedError as error:
            self._postpone(job, error.until)
        except (StoreClosedError, StoreUnavailableError):
            raise  # the job's lease runs out; nothing about the job is wrong
        except JiyiError as error:
            self._fail(job, error)

    def _fail(self, job: Job, error: JiyiError) -> None:
        hopeless = isinstance(error, ModelError) and not error.retryable
        text = f"{type(error).__name__}: {error}"
        if hopeless or job.attempt >= self._settings.attempts:
            self._give_up(job, text)
            return
        pause = min(
            self._settings.backoff * 2 ** (job.attempt - 1), self._settings.longest_backoff
        ) * random.uniform(1.0, 1.3)
        due = read_clock(self._clock) + pause
        with self._store.write() as writer:
            writer.retry(job.id, error=text, due=due)

    def _give_up(self, job: Job, error: str) -> None:
        logger.warning("job %d (%s) parked: %s", job.id, job.kind, error)
        with self._store.write() as writer:
            writer.park(job.id, error=error)

    def _postpone(self, job: Job, due: datetime) -> None:
        """Queue a job anew for later: waiting is no failed attempt."""
        now = read_clock(self._clock)
        with self._store.write() as writer:
            writer.finish([job.id])
            writer.enqueue(job.scope, job.kind, job.payload, at=now, due=due)

    # --- kinds of jobs --------------------------------------------------------------------------

    def _extract(self, job: Job) -> Apply:
        def apply(writer: Writer) -> None:
            turns = self._turns(writer, job)
            self._encoder.encode_turns(writer, turns, now=read_clock(self._clock))

        return apply

    @staticmethod
    def _turns(reader: Reader, job: Job) -> list[Turn]:
        """The turns of a job that still exist and may be read, in the order they were said."""
        ids = job.payload.get("turns")
        if not isinstance(ids, (list, tuple)) or not ids:
            return []
        turns = reader.turns(job.scope, ids=[str(id) for id in ids])
        return [turn for turn in turns if turn.encodable]

    def _checkpoint(self, job: Job) -> Apply:  # noqa: ARG002 the store has one file
        pending = self._store.purge()
        # A store that cannot reach into its files always has something left: not worth a retry.
        if pending and Capability.PHYSICAL_ERASE in self._store.capabilities:
            raise StoreError("; ".join(pending))
        return lambda writer: None  # noqa: ARG005

    def _embed(self, *, take_over: bool = False) -> int:
        """Give vectors to one batch of units; returns how many."""
        embedder = self._embedder
        if embedder is None:
            return 0
        with self._store.read() as reader:
            # Changing over is the owner's decision: it takes a while, and it may be a mistake.
            if not take_over and not self._is_ours(reader, embedder):
                return 0
            size = self._settings.embed_batch
            units = reader.unembedded(embedder.name, limit=size * _SPREAD)
        if not units:
            return 0
        # A lease would be one more durable commit for each batch. Of a long backlog each process
        # takes a part by chance instead; what two of them do twice is written once.
        start = size * random.randrange(max(len(units) // size, 1))
        units = units[start : start + size]
        try:
            vectors = embedder.embed_documents([text for _, _, text in units])
        except ModelError as error:
            if take_over:
                raise
            self._warn(f"{embedder.name} failed, texts stay without vectors: {error}")
            return 0
        with self._store.write() as writer:
            pairs = [(key, vector) for (_, key, _), vector in zip(units, vectors, strict=True)]
            writer.add_vectors(embedder.name, pairs)
        return len(units)

    def _warn(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            logger.warning("%s", message)


def _waiting(reader: Reader) -> int:
    counts = reader.queue_counts()
    return counts.get("pending", 0) + counts.get("leased", 0)


def _finish(writer: Writer, job: Job, apply: Apply) -> None:
    problem = apply(writer)
    if problem is None:
        writer.finish([job.id])
    else:
        writer.park(job.id, error=problem)


_workers: WeakSet[Worker] = WeakSet()


def _after_fork() -> None:
    # Threads do not survive a fork, and their locks may have been held.
    for worker in list(_workers):
        worker._reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
