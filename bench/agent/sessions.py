"""Twenty turns over five conversations, in two languages, checked on what reaches the prompt.

An agent talks to a user over three weeks. The model only says "Noted."; what is checked is what it
was given: after each message, words that must stand in its prompt, and words that must not stand
there as what holds now (in the history of the conversation, or marked as changed, they may).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from jiyi import Memory
from jiyi.agent import MemoryAgent
from jiyi.testing.agent_model import PlayedChatModel, Prompt

_CHANGED = re.compile(r"\[(?:later|后来|no longer true|已不再成立|until|截至)|［后来变了］")


@dataclass(frozen=True)
class Turn:
    """A message; what its prompt must hold, and what it must not hold as current."""

    text: str
    holds: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mistake:
    """A word that was missing, or that should not have been there."""

    turn: int
    text: str
    word: str
    missing: bool


Talk = tuple[tuple[Turn, ...], ...]

ENGLISH: Talk = (
    (
        Turn("Hi, my name is Nadia. I run a small print shop in Leeds."),
        Turn("I'm allergic to latex.", holds=("print shop",)),
        Turn("Always give paper sizes in millimetres."),
        Turn("We use Trello for our orders."),
    ),
    (
        Turn("Which gloves should I buy for the press?", holds=("latex", "millimetres")),
        Turn("The plotter's service code is PX-4471."),
        Turn("I live in Leeds.", holds=("PX-4471",)),
        Turn("Write a label for the new stock", holds=("millimetres",)),
    ),
    (
        Turn("I moved to Hull last week.", holds=("Hull",)),
        Turn("Where should we have the team dinner?", holds=("Hull",), never=("live in Leeds",)),
        Turn("We've switched from Trello to Linear.", holds=("Linear",)),
        Turn("Open a ticket for the broken tray", holds=("Linear",), never=("use Trello",)),
    ),
    (
        Turn("What was the plotter's service code?", holds=("PX-4471",)),
        Turn("Give me ideas for a flyer", holds=("millimetres",), never=("use Trello",)),
        Turn("My phone number is 555 9913.", never=("use Trello",)),
        Turn("Delete my phone number.", never=("9913",)),
    ),
    (
        Turn("What is my phone number?", never=("9913",)),
        Turn("Order supplies for the office", holds=("latex",), never=("9913",)),
        Turn("Where do I live these days?", holds=("Hull",), never=("live in Leeds",)),
        Turn("Who am I?", holds=("Nadia",)),
    ),
)

CHINESE: Talk = (
    (
        Turn("你好，我叫方雯，在成都开一家花店。"),
        Turn("我对百合过敏。", holds=("方雯",)),
        Turn("以后报价都要含税。"),
        Turn("我们用 Excel 记账。"),
    ),
    (
        Turn("给明天的婚礼配一束花", holds=("百合", "含税")),
        Turn("冷库的检修编号是 LK-2086。"),
        Turn("我住在成都。", holds=("LK-2086",)),
        Turn("帮我写一张报价单", holds=("含税",)),
    ),
    (
        Turn("我上周搬到绵阳了。", holds=("绵阳",)),
        Turn("晚上在哪儿聚餐好？", holds=("绵阳",), never=("住在成都",)),
        Turn("我们记账改用 Xero 了。", holds=("Xero",)),
        Turn("把这笔支出记一下", holds=("Xero",), never=("用 Excel",)),
    ),
    (
        Turn("冷库的检修编号是多少来着？", holds=("LK-2086",)),
        Turn("想个七夕活动", holds=("百合",), never=("用 Excel",)),
        Turn("我的储物柜密码是 5527。"),
        Turn("把我的储物柜密码删掉。", never=("5527",)),
    ),
    (
        Turn("储物柜里放了什么？", never=("5527",)),
        Turn("给办公室订一束花", holds=("百合",), never=("5527",)),
        Turn("我现在住在哪里？", holds=("绵阳",), never=("住在成都",)),
        Turn("我叫什么名字？", holds=("方雯",)),
    ),
)


class Clock:
    """A clock that a run moves."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def run(talk: Talk) -> list[Mistake]:
    """Hold the conversations; returns what was wrong in the prompts, at best nothing."""
    model, clock = PlayedChatModel(play=lambda _: "Noted."), Clock()
    mistakes: list[Mistake] = []
    number = 0
    with Memory(":memory:", embedder=None, background=False, clock=clock) as memory:
        agent = MemoryAgent(model, memory, memory_tools=())
        for session, turns in enumerate(talk):
            for turn in turns:
                number += 1
                agent.chat(turn.text, user="u", session=f"session {session}")
                prompt = model.prompts[-1]
                current = holding_now(prompt)
                mistakes += [
                    Mistake(number, turn.text, word, missing=True)
                    for word in turn.holds
                    if word not in prompt.text.replace(turn.text, "") and word not in current
                ]
                mistakes += [
                    Mistake(number, turn.text, word, missing=False)
                    for word in turn.never
                    if word in current
                ]
                clock.now += timedelta(minutes=3)
            clock.now += timedelta(days=5)
    return mistakes


def holding_now(prompt: Prompt) -> str:
    """The lines of the system prompt that are given as what holds now."""
    lines = prompt.system.splitlines()
    return "\n".join(line for line in lines if not _CHANGED.search(line))


if __name__ == "__main__":
    for name, spoken in (("English", ENGLISH), ("Chinese", CHINESE)):
        found = run(spoken)
        checks = sum(len(t.holds) + len(t.never) for turns in spoken for t in turns)
        print(f"{name}: {checks - len(found)} of {checks} checks right over 20 turns")
        for mistake in found:
            what = "missing" if mistake.missing else "still there"
            print(f"  turn {mistake.turn} ({mistake.text}): {mistake.word} {what}")
