"""Turns that were just recorded are read by the rules: gate, guard, resolve, commit.

The turns and a queue job are committed first; then one transaction reads them, writes what they
say, and finishes the job. Whatever happens in between, the job says what is left.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

from jiyi.encode.commit import TermsOf, atomically, commit
from jiyi.encode.gate import Gate, GateOf, gate_for
from jiyi.encode.rules import Command, Extraction, Retract, extract
from jiyi.encode.schema import ProfileSchema
from jiyi.ids import new_id
from jiyi.types import Draft, Outcome, Scope, Turn

if TYPE_CHECKING:
    from jiyi.ports import Reader, Store, Writer

GRACE: Final = timedelta(seconds=30)
"""How long the process that recorded turns has for reading them before a worker does."""

IDLE: Final = timedelta(seconds=60)
"""A chat model reads a session's turns when nothing was said for this long."""

BATCH: Final = 10
"""Or when this many turns wait: one call reads about ten turns (F20)."""

LOOK_BACK: Final = 6
"""Earlier turns that the rules may lean on for what "it" means."""

_REMEMBERED_JOBS: Final = 4_096

RulesExtractor = Callable[[Turn, Sequence[Turn]], Extraction]


class Obey(Protocol):
    """Carries out what a user said about forgetting, and says what became of it."""

    def __call__(
        self,
        writer: Writer,
        scope: Scope,
        action: Literal["retract", "erase"],
        topic: str,
        *,
        turn: Turn,
        now: datetime,
    ) -> Sequence[Outcome]: ...


@dataclass(slots=True)
class _Batch:
    """Turns of one session that wait for a chat model, in one job."""

    job: int
    turns: list[str]
    due: datetime


class _Reading(NamedTuple):
    """One thing that a turn says: a command, a draft that passed the gate, or why one did not."""

    turn: Turn
    step: Draft | Command | Outcome


class Encoder:
    """Reads turns by rules. Thread-safe.

    Args:
        obey: carries out spoken commands ("don't go by that", 忘掉).
        batches: queue turns for a chat model as well.
        gate: what is worth keeping, for all or by scope.
        schema, terms_of: the parts of a profile, and how memories are indexed.
        extract: the rules, from a turn and those before it to drafts and commands.
    """

    def __init__(
        self,
        obey: Obey,
        *,
        batches: bool = False,
        gate: Gate | GateOf | None = None,
        schema: ProfileSchema | None = None,
        terms_of: TermsOf | None = None,
        extract: RulesExtractor = extract,
    ) -> None:
        self._obey = obey
        self._gate = gate
        self._schema = schema or ProfileSchema()
        self._terms_of = terms_of
        self._extract = extract
        self._batches: OrderedDict[Scope, _Batch] | None = OrderedDict() if batches else None
        self._jobs: OrderedDict[str, int] = OrderedDict()
        self._done: list[int] = []
        self._lock = Lock()

    def enqueue(
        self, writer: Writer, scope: Scope, turns: Sequence[Turn], *, now: datetime
    ) -> None:
        """Queue turns for reading, in the transaction that records them."""
        writer.finish(self._take_done())
        ids = [turn.id for turn in turns if turn.encodable]
        if not ids:
            return
        payload = {"turns": ids}
        job = writer.enqueue(scope, "extract", payload, at=now, due=now + GRACE)
        with self._lock:
            self._jobs[ids[0]] = job
            while len(self._jobs) > _REMEMBERED_JOBS:
                self._jobs.popitem(last=False)

    def encode(self, store: Store, turns: Sequence[Turn], *, now: datetime) -> tuple[Outcome, ...]:
        """Read turns, and write what they say in one transaction, which also finishes their job.

        Most turns say nothing that is worth keeping. Their job is finished with the next
        transaction (or `settle`), which spares them one of their own; a crash in between only
        means that they are read again, with the same result.
        """
        jobs = self._jobs_of(turns)
        with store.read() as reader:
            readings = self._read(reader, turns)
        if self._batches is None and all(isinstance(r.step, Outcome) for r in readings):
            with self._lock:
                self._done += jobs
            return tuple(r.step for r in readings if isinstance(r.step, Outcome))

        def work(writer: Writer) -> tuple[Outcome, ...]:
            outcomes = self._write(writer, readings, now=now, late=False)
            if self._batches is not None:
                self._batch(writer, self._batches, [t for t in turns if t.encodable], now)
            writer.finish([*jobs, *self._take_done()])
            return outcomes

        return atomically(store, work)

    def encode_turns(
        self, writer: Writer, turns: Sequence[Turn], *, now: datetime
    ) -> tuple[Outcome, ...]:
        """Read and write turns that were left behind, so that what was erased in between stays
        away. Reading a turn again changes nothing.

        Args:
            turns: recorded turns in the order they were said.
        """
        return self._write(writer, self._read(writer, turns), now=now, late=True)

    def unfinished(self) -> int:
        """How many jobs of the queue are this process's own and need nobody else: those of turns
        that it reads at this moment, or has read without having said so yet."""
        with self._lock:
            return len(self._jobs) + len(self._done)

    def settle(self, store: Store) -> None:
        """Finish the jobs of turns that said nothing."""
        if done := self._take_done():
            with store.write() as writer:
                writer.finish(done)

    def _read(self, reader: Reader, turns: Sequence[Turn]) -> list[_Reading]:
        """What the rules find and the gate lets in, in the order of saying: 忘掉我的地址，我搬到
        杭州了 erases first and learns then."""
        readable = [turn for turn in turns if turn.encodable]
        readings: list[_Reading] = []
        before: dict[Scope, _Before] = {}
        for turn in readable:
            if turn.scope not in before:
                before[turn.scope] = _Before(cache(partial(_previous, reader, turn, readable)))
            previous = before[turn.scope]
            found = self._extract(turn, previous)
            before[turn.scope] = previous.then(turn)
            for step in sorted((*found.commands, *found.drafts), key=_position):
                passed = self._check(step, turn.scope) if isinstance(step, Draft) else step
                kept = (
                    Outcome(status="skipped", reason=passed) if isinstance(passed, str) else passed
                )
                readings.append(_Reading(turn, kept))
        return readings

    def _check(self, draft: Draft, scope: Scope) -> Draft | str:
        """The draft as the schema holds it, or why the gate does not let it in."""
        return gate_for(self._gate, scope).check(self._schema.fit(draft))

    def _write(
        self, writer: Writer, readings: Sequence[_Reading], *, now: datetime, late: bool
    ) -> tuple[Outcome, ...]:
        run_id = new_id()
        outcomes: list[Outcome] = []
        for turn, step in readings:
            if isinstance(step, Outcome):
                outcomes.append(step)
            elif isinstance(step, Draft):
                outcomes.append(
                    commit(
                        writer,
                        turn.scope,
                        step,
                        now=now,
                        run_id=run_id,
                        heed_tombstones=late,
                        terms_of=self._terms_of,
                    )
                )
            else:
                outcomes += self._carry_out(writer, step, turn, now)
        return tuple(outcomes)

    def _carry_out(
        self, writer: Writer, command: Command, turn: Turn, now: datetime
    ) -> Sequence[Outcome]:
        action: Literal["retract", "erase"] = "retract" if isinstance(command, Retract) else "erase"
        return self._obey(writer, turn.scope, action, command.topic, turn=turn, now=now)

    def _take_done(self) -> list[int]:
        with self._lock:
            done, self._done = self._done, []
        return done

    def _jobs_of(self, turns: Sequence[Turn]) -> list[int]:
        with self._lock:
            found = (self._jobs.pop(turn.id, None) for turn in turns)
            return [job for job in found if job is not None]

    def _batch(
        self,
        writer: Writer,
        batches: OrderedDict[Scope, _Batch],
        turns: Sequence[Turn],
        now: datetime,
    ) -> None:
        """Queue turns for the chat model: one waiting job a session, due when the session has
        been silent for a while, or at once when it is full."""
        spoken: dict[Scope, list[str]] = {}
        for turn in turns:
            spoken.setdefault(turn.scope, []).append(turn.id)
        with self._lock:
            for scope, new in spoken.items():
                ids = new
                waiting = batches.pop(scope, None)
                if waiting is not None and now < waiting.due:  # else a worker may be reading it
                    writer.finish([waiting.job])
                    ids = waiting.turns + new
                full = len(ids) // BATCH * BATCH
                for start in range(0, full, BATCH):
                    self._ask(writer, scope, ids[start : start + BATCH], now, due=now)
                if rest := ids[full:]:
                    job = self._ask(writer, scope, rest, now, due=now + IDLE)
                    batches[scope] = _Batch(job, rest, now + IDLE)
            while len(batches) > _REMEMBERED_JOBS:
                batches.popitem(last=False)

    @staticmethod
    def _ask(writer: Writer, scope: Scope, ids: list[str], now: datetime, *, due: datetime) -> int:
        return writer.enqueue(scope, "read", {"turns": ids}, at=now, due=due)


def _position(step: Draft | Command) -> int:
    if isinstance(step, Draft):
        return min((s.span[0] for s in step.sources if s.span is not None), default=0)
    return step.span[0]


class _Before(Sequence[Turn]):
    """The last turns before one, oldest first: read when a rule first asks for them, since most
    turns lean on none."""

    def __init__(self, read: Callable[[], list[Turn]], since: tuple[Turn, ...] = ()) -> None:
        self._read = read
        self._since = since

    def then(self, turn: Turn) -> _Before:
        """Those before the turn that follows `turn`."""
        return _Before(self._read, (*self._since, turn)[-LOOK_BACK:])

    def _turns(self) -> list[Turn]:
        return [*self._read(), *self._since][-LOOK_BACK:]

    def __len__(self) -> int:
        return len(self._turns())

    def __getitem__(self, place: Any) -> Any:
        return self._turns()[place]


def _previous(reader: Reader, turn: Turn, batch: Sequence[Turn]) -> list[Turn]:
    """The turns of the session before `turn`, oldest first, without those of its own batch."""
    ours = {other.id for other in batch}
    recent = reader.turns(
        turn.scope, session=turn.scope.session, limit=LOOK_BACK + len(ours), order="newest"
    )
    earlier = [
        other
        for other in recent
        if other.id not in ours
        and other.scope.session == turn.scope.session
        and other.said_at <= turn.said_at
    ]
    return earlier[:LOOK_BACK][::-1]
