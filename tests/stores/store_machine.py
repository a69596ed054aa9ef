"""A store and a plain-dict model of it, driven side by side by Hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import cast

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from places import Place

from jiyi.errors import ConflictError
from jiyi.ids import new_id
from jiyi.ports import Checkable, Reader, Selection, Store
from jiyi.testing.store_suite.builders import (
    EVERY_STATUS,
    NOW,
    fingerprint,
    get,
    put,
    residence,
    say,
    weigh,
)
from jiyi.types import MemoryRecord, Scope, Source, Status, Turn, UnitKey

USERS = (Scope(tenant="t", user="a"), Scope(tenant="t", user="A"), Scope(tenant="t"))
WORDS = ("tea", "coffee", "茶", "Tea", "rain")
TEXTS = tuple(f"{a} {b}" for a in WORDS for b in WORDS[:2])
LIVE: frozenset[Status] = frozenset({"active", "candidate"})
LONG_AGO = NOW - timedelta(days=36_500)
KEPT = EVERY_STATUS - {"forgotten"}
WAS_TRUE: frozenset[Status] = frozenset({"active", "superseded", "expired"})


@dataclass
class State:
    """One state of a memory, known from one instant on."""

    record: MemoryRecord
    known_from: datetime
    known_to: datetime | None = None


@dataclass
class Model:
    """What one scope's own space should hold."""

    turns: list[Turn] = field(default_factory=list)
    memories: dict[str, list[State]] = field(default_factory=dict)  # in the order of recording
    forgotten: list[str] = field(default_factory=list)
    erased_keys: set[str] = field(default_factory=set)

    def now(self, id: str) -> MemoryRecord:
        return self.memories[id][-1].record

    def add(self, record: MemoryRecord) -> None:
        self.memories[record.id] = [State(record, record.recorded_at)]

    def change(self, id: str, record: MemoryRecord, at: datetime) -> None:
        last = self.memories[id][-1]
        # A clock that steps back does not make a state end before it began.
        last.known_to = max(at, last.known_from)
        self.memories[id].append(State(record, last.known_to))

    def twin(self, text: str, at: datetime, but: str | None = None) -> bool:
        """Whether a live memory has this text already."""
        return any(
            seen(self.now(id), at).status in LIVE and self.now(id).text == text
            for id in self.memories
            if id != but
        )

    def holder(self, at: datetime, but: str | None = None) -> bool:
        """Whether the one-valued slot holds a live value."""
        return any(
            seen(self.now(id), at).status == "active"
            and self.now(id).slot is not None
            and self.now(id).valid_to is None
            for id in self.memories
            if id != but
        )

    def selected(self, selection: Selection) -> list[MemoryRecord]:
        """The answer of a list, newest first."""
        found = []
        for states in reversed(self.memories.values()):
            state = states[-1] if selection.known_at is None else _known(states, selection.known_at)
            if state is None:
                continue
            record = seen(state.record, selection.known_at or selection.now)
            if passes(record, selection):
                found.append(record)
        return found


def _known(states: list[State], at: datetime) -> State | None:
    for state in states:
        if state.known_from <= at and (state.known_to is None or at < state.known_to):
            return state
    return None


def seen(record: MemoryRecord, now: datetime) -> MemoryRecord:
    """The record as a reader at `now` sees it."""
    if record.status in LIVE and record.expires_at is not None and record.expires_at <= now:
        return replace(record, status="expired")
    return record


def passes(record: MemoryRecord, selection: Selection) -> bool:
    """Whether a record belongs to a selection without a filter."""
    statuses = selection.statuses
    if selection.as_of is None:
        return record.status in statuses
    if statuses & WAS_TRUE:
        statuses = statuses | WAS_TRUE
    return (
        record.status in statuses
        and record.valid_from <= selection.as_of
        and (record.valid_to is None or selection.as_of < record.valid_to)
        and (record.expires_at is None or selection.as_of < record.expires_at)
    )


def search(reader: Reader, scope: Scope, terms: set[str], now: datetime) -> dict[str, list[str]]:
    """The texts of the units that the index has under each term, sorted."""
    keys: dict[str, set[UnitKey]] = {term: set() for term in terms}
    for entry in reader.postings(scope, sorted(terms)):
        for term, (numbers, _) in entry.terms.items():
            keys[term] |= {UnitKey(entry.space, int(number)) for number in numbers}
    units = reader.units(scope, sorted(set().union(*keys.values())), Selection(now=now))
    texts = {key: (unit.memory or unit.turn).text for key, unit in units.items()}  # type: ignore[union-attr]
    return {term: sorted(texts[key] for key in keys[term] if key in texts) for term in terms}


picks = st.integers(0, 1_000_000)
users = st.sampled_from((USERS[0], *USERS))  # mostly one, so that its memories meet
texts = st.sampled_from(TEXTS)
steps = st.integers(-72, 72).map(lambda hours: timedelta(hours=hours))


class StoreMachine(RuleBasedStateMachine):
    """Writes through two handles, with a clock that steps both ways; set `place`."""

    place: Place

    def __init__(self) -> None:
        super().__init__()
        self.clock = NOW
        self.models = {scope: Model() for scope in USERS}
        self.touched = USERS[0]

    def _model(self, scope: Scope) -> Model:
        """The model of the scope that this step is about."""
        self.touched = scope
        return self.models[scope]

    @initialize()
    def open(self) -> None:
        self.handles: list[Store] = [self.place.open()]
        if self.place.many_handles:
            self.handles.append(self.place.open())
        # Something to work on from the first step.
        scope = USERS[0]
        model = self._model(scope)
        with self.store.write() as writer:
            model.turns += [say(writer, scope, text, at=NOW, key=text) for text in TEXTS[:2]]
            cited = tuple(Source(id=new_id(), turn_id=turn.id) for turn in model.turns)
            model.add(put(writer, scope, TEXTS[0], slot=residence("tea"), sources=cited))
            model.add(put(writer, scope, TEXTS[3], status="candidate", sources=cited[:1]))
            model.add(put(writer, scope, TEXTS[4], expires_at=NOW + timedelta(hours=24)))

    def teardown(self) -> None:
        if hasattr(self, "handles"):
            with self.store.read() as reader:
                for scope, model in self.models.items():
                    self._check(reader, scope, model)
            assert cast("Checkable", self.store).check() == []
        self.place.clear()

    @property
    def store(self) -> Store:
        return self.handles[0]

    # --- rules

    @rule(step=steps)
    def clock_steps(self, step: timedelta) -> None:
        self.clock += step

    @rule()
    def switch_handle(self) -> None:
        self.handles.reverse()

    @precondition(lambda self: self.place.many_handles)
    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.handles[0] = self.place.open()

    @rule(scope=users, text=texts, key=st.sampled_from([None, None, "k1", "k2"]))
    def say(self, scope: Scope, text: str, key: str | None) -> None:
        model = self._model(scope)
        taken = model.erased_keys | {turn.key for turn in model.turns if turn.key}
        with self.store.write() as writer:
            if key in taken:
                turn = Turn(
                    id=new_id(),
                    role="user",
                    text=text,
                    said_at=self.clock,
                    recorded_at=self.clock,
                    scope=scope,
                    key=key,
                )
                assert not writer.add_turn(turn, [((0, len(text)), weigh(text))])
            else:
                model.turns.append(say(writer, scope, text, at=self.clock, key=key))

    @rule(
        scope=users,
        text=texts,
        in_slot=st.booleans(),
        hours=st.sampled_from([None, None, 1, 48]),
        status=st.sampled_from(["active", "active", "candidate"]),
        source=picks,
    )
    def remember(
        self,
        scope: Scope,
        text: str,
        in_slot: bool,
        hours: int | None,
        status: Status,
        source: int,
    ) -> None:
        model = self._model(scope)
        turn = model.turns[source % len(model.turns)] if model.turns and source % 3 else None
        conflict = model.twin(text, self.clock) or (
            in_slot and status == "active" and model.holder(self.clock)
        )
        try:
            with self.store.write() as writer:
                record = put(
                    writer,
                    scope,
                    text,
                    at=self.clock,
                    status=status,
                    slot=residence(text) if in_slot else None,
                    expires_at=self.clock + timedelta(hours=hours) if hours else None,
                    sources=(Source(id=new_id(), turn_id=turn.id if turn else None),),
                )
        except ConflictError:
            assert conflict
        else:
            assert not conflict
            model.add(record)

    @rule(scope=users, pick=picks, text=texts)
    def update_text(self, scope: Scope, pick: int, text: str) -> None:
        model = self._model(scope)
        id = self._pick(model, pick)
        if id is None:
            return
        # An expired memory that nobody swept keeps its claim on what it is changed into.
        conflict = model.now(id).status in LIVE and model.twin(text, self.clock, but=id)
        self._change(scope, id, {"text": text}, conflict=conflict, text=text)

    @rule(scope=users, pick=picks, source=picks)
    def add_source(self, scope: Scope, pick: int, source: int) -> None:
        model = self._model(scope)
        id = self._pick(model, pick)
        if id is None or not model.turns:
            return
        turn = model.turns[source % len(model.turns)]
        old = model.now(id)
        fresh = all(known.turn_id != turn.id for known in old.sources)
        new = Source(id=new_id(), turn_id=turn.id)
        with self.store.write() as writer:
            assert writer.add_source(scope, id, new, at=self.clock) is fresh
        if fresh:
            states = model.memories[id]
            states[-1].record = replace(old, sources=(*old.sources, new))

    @rule(scope=users, pick=picks, text=texts)
    def supersede(self, scope: Scope, pick: int, text: str) -> None:
        model = self._model(scope)
        id = self._pick(model, pick)
        if id is None:
            return
        old = model.now(id)
        new = new_id()
        changes = {"status": "superseded", "valid_to": self.clock, "superseded_by": new}
        conflict = model.twin(text, self.clock, but=id) or (
            old.slot is not None and model.holder(self.clock, but=id)
        )
        try:
            with self.store.write() as writer:
                closed = writer.change_memory(
                    scope, id, changes, at=self.clock, action="superseded", reason="newer"
                )
                record = put(writer, scope, text, id=new, at=self.clock, slot=old.slot)
        except ConflictError:
            assert conflict
        else:
            assert not conflict
            model.change(id, closed, self.clock)
            model.add(record)

    @rule(scope=users, pick=picks, status=st.sampled_from(["retracted", "archived", "active"]))
    def set_status(self, scope: Scope, pick: int, status: Status) -> None:
        model = self._model(scope)
        id = self._pick(model, pick)
        if id is None:
            return
        old = model.now(id)
        conflict = status == "active" and (
            model.twin(old.text, self.clock, but=id)
            or (old.slot is not None and old.valid_to is None and model.holder(self.clock, but=id))
        )
        self._change(scope, id, {"status": status}, conflict=conflict)

    @rule(scope=users, pick=picks)
    def erase_memory(self, scope: Scope, pick: int) -> None:
        model = self._model(scope)
        id = self._pick(model, pick)
        if id is None:
            return
        with self.store.write() as writer:
            gone = writer.erase(
                scope, memory_ids=[id], at=self.clock, reason="asked", event_id=new_id()
            )
        assert gone.memory_ids == (id,)
        del model.memories[id]
        model.forgotten.append(id)

    @rule(scope=users, pick=picks)
    def erase_turn(self, scope: Scope, pick: int) -> None:
        model = self._model(scope)
        if not model.turns:
            return
        turn = model.turns.pop(pick % len(model.turns))
        with self.store.write() as writer:
            gone = writer.erase(
                scope, turn_ids=[turn.id], at=self.clock, reason="asked", event_id=new_id()
            )
        if turn.key is not None:
            model.erased_keys.add(turn.key)
        orphans = []
        for id, states in list(model.memories.items()):
            sources = states[-1].record.sources
            left = tuple(source for source in sources if source.turn_id != turn.id)
            if not left:
                orphans.append(id)
                del model.memories[id]
                model.forgotten.append(id)
            elif left != sources:
                for state in states:
                    state.record = replace(state.record, sources=left)
        assert set(gone.memory_ids) == set(orphans)
        assert gone.turn_ids == (turn.id,)

    @rule(scope=users)
    def fail_half_way(self, scope: Scope) -> None:
        """Whatever a failing transaction did is undone."""

        def fail() -> None:
            with self.store.write() as writer:
                say(writer, scope, "never said", at=self.clock)
                put(writer, scope, "never kept", at=self.clock)
                raise KeyError("stop")

        try:
            fail()
        except KeyError:
            return
        raise AssertionError("the error was swallowed")

    @rule(scope=users, back=st.integers(-10, 200), about=st.integers(-10, 200))
    def look_back(self, scope: Scope, back: int, about: int) -> None:
        """`known_at` and `as_of`, alone and together."""
        known_at = self.clock - timedelta(hours=back)
        as_of = self.clock - timedelta(hours=about)
        with self.store.read() as reader:
            for moments in (
                {"known_at": known_at},
                {"as_of": as_of},
                {"known_at": known_at, "as_of": as_of},
            ):
                for statuses in (frozenset({"active"}), EVERY_STATUS - {"forgotten"}):
                    selection = Selection(now=self.clock, statuses=statuses, **moments)
                    self._compare(reader, scope, selection)

    # --- what must hold after every step

    @invariant()
    def answers_agree(self) -> None:
        """The scope of the last step, through the handle that did not write, if there are two."""
        if not hasattr(self, "handles"):
            return
        self._notice_sweeps()
        with self.handles[-1].read() as reader:
            self._check(reader, self.touched, self.models[self.touched])

    def _check(self, reader: Reader, scope: Scope, model: Model) -> None:
        self._compare(reader, scope, Selection(now=self.clock))
        self._compare(reader, scope, Selection(now=self.clock, statuses=KEPT))
        turns = sorted(model.turns, key=lambda turn: turn.said_at)
        assert [turn.id for turn in reader.turns(scope)] == [turn.id for turn in turns]
        alive = [r.text for r in model.selected(Selection(now=self.clock))]
        everything = alive + [turn.text for turn in model.turns]
        found = search(reader, scope, {word.casefold() for word in WORDS}, self.clock)
        for term, said in found.items():
            assert said == sorted(t for t in everything if term in t.casefold().split()), term
        for id in model.forgotten:
            stone = get(reader, scope, id)
            assert stone is None or stone.status == "forgotten"

    def _compare(self, reader: Reader, scope: Scope, selection: Selection) -> None:
        expected = self.models[scope].selected(selection)
        found, _ = reader.memories(scope, selection)
        if selection.known_at is None:
            assert [_plain(r) for r in found] == [_plain(r) for r in expected]
        else:
            assert [(r.id, r.text, r.status) for r in found] == [
                (r.id, r.text, r.status) for r in expected
            ]
        assert reader.count_memories(scope, selection) == len(expected)

    # --- shared steps

    def _notice_sweeps(self) -> None:
        """A write may mark what expired in its way; that then holds whatever the clock does."""
        model = self.models[self.touched]
        with self.store.read() as reader:
            for id, states in model.memories.items():
                record = states[-1].record
                if seen(record, self.clock).status == record.status:
                    continue
                raw = get(reader, self.touched, id, Selection(now=LONG_AGO, statuses=KEPT))
                assert raw is not None
                if raw.status == "expired":
                    model.change(id, replace(record, status="expired"), self.clock)

    def _pick(self, model: Model, pick: int) -> str | None:
        ids = list(model.memories)
        return ids[pick % len(ids)] if ids else None

    def _change(
        self,
        scope: Scope,
        id: str,
        changes: dict[str, object],
        *,
        conflict: bool,
        text: str | None = None,
    ) -> None:
        model = self.models[scope]
        try:
            with self.store.write() as writer:
                record = writer.change_memory(
                    scope,
                    id,
                    changes,
                    at=self.clock,
                    action="changed",
                    fingerprint=fingerprint(text) if text else None,
                    terms=weigh(text) if text else None,
                )
        except ConflictError:
            assert conflict
        else:
            assert not conflict
            expected = replace(model.now(id), **changes)  # type: ignore[arg-type]
            assert _plain(seen(record, self.clock)) == _plain(seen(expected, self.clock))
            model.change(id, expected, self.clock)


def _plain(record: MemoryRecord) -> MemoryRecord:
    """Sources in a fixed order."""
    return replace(record, sources=tuple(sorted(record.sources, key=lambda s: s.id)))
