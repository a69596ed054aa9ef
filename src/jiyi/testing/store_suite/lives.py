"""Everything that can happen to a user in a store, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Final

from jiyi.ids import new_id
from jiyi.ports import Writer
from jiyi.testing.store_suite.builders import (
    everything,
    fingerprint,
    later,
    make_turn,
    put,
    residence,
    select,
    supersede,
    weigh,
)
from jiyi.types import Event, Scope, Slot, Source

CHINA = timezone(timedelta(hours=8))
LONG: Final = 200  # characters; longer turns are indexed in two pieces


def pieces(text: str) -> list[tuple[int, int]]:
    """The ranges in which a turn is indexed."""
    half = len(text) // 2
    return [(0, half), (half, len(text))] if len(text) > LONG else [(0, len(text))]


class Life:
    """One user's. Each step makes texts and times that no other step makes; `pick` varies it."""

    def __init__(self, writer: Writer, scope: Scope) -> None:
        self.writer = writer
        self.scope = scope
        self.count = 0

    def step(self, name: str, pick: int) -> None:
        """Do the step of that name, if there is anything that it can be done to."""
        self.count += 1
        STEPS[name](self, pick)

    def now(self) -> datetime:
        return later(minutes=self.count).astimezone(CHINA)

    def session(self, pick: int) -> Scope:
        return replace(self.scope, session=f"S{pick % 2}", agent="a")

    def live(self) -> list[str]:
        return [record.id for record in self.writer.memories(self.scope, select())[0]]

    def say(self, pick: int) -> None:
        n, at, writer = self.count, self.now(), self.writer
        text = f"第{n}句 word{n}" + " again" * (60 if pick % 4 == 0 else 0)
        turn = make_turn(
            self.session(pick),
            text,
            at=at,
            recorded_at=later(minutes=n + 1),
            name="安",
            key=f"k{n}" if pick % 3 else None,
            encodable=pick % 7 != 0,
        )
        assert writer.add_turn(turn, [((a, b), weigh(text[a:b])) for a, b in pieces(text)])
        if pick % 5 == 0:
            writer.enqueue(turn.scope, "extract", {"turns": [turn.id]}, at=at, due=at)

    def put(self, pick: int) -> None:
        n, at = self.count, self.now()
        turns = self.writer.turns(self.scope)
        put(
            self.writer,
            self.session(pick),
            f"事实{n} fact{n}",
            at=at,
            said_at=later(minutes=n - 5),
            sources=(Source(id=new_id(), turn_id=turns[-1].id if turns else None, span=(0, 3)),),
            tags=("标签", f"t{n}"),
            meta={"n": n, "deep": [1, 2.5, None, {"a": True}]},
            event=Event(type="visit", at=at, entities=("X",), outcome="ok"),
            expires_at=at + timedelta(days=pick) if pick % 2 else None,
            importance=0.25,
            pinned=bool(pick % 2),
        )

    def put_for(self, pick: int) -> None:
        visibility = ("shared", "agent")[pick % 2]
        put(
            self.writer,
            self.session(pick),
            f"for {visibility} {self.count} 给",
            at=self.now(),
            visibility=visibility,
        )

    def fill_slot(self, pick: int) -> None:
        n, at, writer = self.count, self.now(), self.writer
        if pick % 3 == 0:
            slot = Slot(subject="user", attribute="likes", value=f"v{n}", cardinality="many")
            put(writer, self.scope, f"likes v{n}", at=at, slot=slot)
            return
        here = writer.slot_values(self.scope, subject="user", attribute="residence")
        text, home = f"in city{n}", residence(f"city{n}")
        if here:
            supersede(writer, self.scope, here[0], text, at=at, slot=home)
        else:
            put(writer, self.scope, text, at=at, slot=home)

    def reword(self, pick: int) -> None:
        if live := self.live():
            text = f"rewritten{self.count} 改写"
            self.writer.change_memory(
                self.scope,
                live[pick % len(live)],
                {"text": text, "tags": ("new",)},
                at=self.now(),
                action="update",
                reason=f"because {self.count}",
                fingerprint=fingerprint(text),
                terms=weigh(text),
            )

    def add_source(self, pick: int) -> None:
        if live := self.live():
            source = Source(id=new_id(), label="手册", said_at=self.now())
            id = live[pick % len(live)]
            self.writer.add_source(self.scope, id, source, at=self.now())

    def retract(self, pick: int) -> None:
        if live := self.live():
            self.writer.change_memory(
                self.scope,
                live[pick % len(live)],
                {"status": "retracted"},
                at=self.now(),
                action="retract",
            )

    def use(self, pick: int) -> None:
        if live := self.live():
            self.writer.add_uses({(self.scope, live[pick % len(live)]): pick + 1}, at=self.now())

    def erase(self, pick: int) -> None:
        turns = [turn.id for turn in self.writer.turns(self.scope)]
        records = self.writer.memories(self.scope, everything())[0]
        known = [record.id for record in records if record.status != "forgotten"]
        self.writer.erase(
            self.scope,
            memory_ids=[known[pick % len(known)]] if known and pick % 2 else (),
            turn_ids=[turns[pick % len(turns)]] if turns and pick % 2 == 0 else (),
            at=self.now(),
            reason="asked",
            event_id=new_id(),
        )

    def set_field(self, pick: int) -> None:
        self.writer.set_permanent(self.scope, {f"f{pick % 2}": [self.count, "值"]}, at=self.now())

    def set_note(self, pick: int) -> None:
        value = {"at": self.count}
        self.writer.set_note(self.scope, "任务", f"n{pick % 3}", value, at=self.now())

    def summarise(self, pick: int) -> None:
        turns = self.writer.turns(self.scope)
        cites = [turns[0].id] if turns else []
        if pick % 2 == 0:
            text = f"小结{self.count}"
            self.writer.set_session_summary(self.scope, "S1", text, cites=cites, at=self.now())
        elif live := self.live():
            self.writer.end_session(self.scope, "S0", at=self.now(), digest=live[0], cites=cites)


STEPS: Final[dict[str, Callable[[Life, int], None]]] = {
    step.__name__: step
    for step in (
        *(Life.say, Life.put, Life.put_for, Life.fill_slot, Life.reword, Life.add_source),
        *(Life.retract, Life.use, Life.erase, Life.set_field, Life.set_note, Life.summarise),
    )
}
