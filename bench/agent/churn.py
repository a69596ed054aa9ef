"""A preference that changes again and again, checked on what reaches the prompt of the next turn.

In each session the user changes their mind about some of eight things, in words that differ each
time. Right after, and in a fresh session, the agent is asked something: its prompt must hold every
value that is current, and none that was, except as history.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle

from bench.agent.sessions import Clock, holding_now
from jiyi import Memory
from jiyi.agent import MemoryAgent
from jiyi.testing.agent_model import PlayedChatModel

WORDINGS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "en": {
        "note tool": ("I use {} for my notes.", "I switched from {old} to {}."),
        "home": ("I live in {}.", "I moved to {} yesterday.", "I've relocated to {}."),
        "colour": ("My favourite colour is {}.", "My favourite colour is {} now."),
        "employer": ("I work at {}.", "I now work for {}.", "I just joined {}."),
        "answers": ("Please answer in {}.", "From now on, answer in {}."),
    },
    "zh": {
        "编辑器": ("我用{}写代码。", "我从{old}换成{}了。"),
        "住处": ("我住在{}。", "我搬到{}了。", "我现在住在{}。"),
        "颜色": ("我最喜欢的颜色是{}。", "我现在最喜欢的颜色是{}。"),
        "公司": ("我在{}上班。", "我跳槽到{}了。"),
        "语言": ("请用{}回答。", "以后用{}回答我。"),
    },
}
VALUES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "en": {
        "note tool": ("Notion", "Obsidian", "Logseq", "Joplin"),
        "home": ("Leeds", "Porto", "Lyon", "Ghent", "Turin"),
        "colour": ("teal", "maroon", "navy", "ochre"),
        "employer": ("Initech", "Globex", "Umbrella", "Hooli"),
        "answers": ("French", "German", "Spanish"),
    },
    "zh": {
        "编辑器": ("Vim", "Zed", "Helix", "Emacs"),
        "住处": ("汉中", "安康", "绵阳", "遂宁", "宜宾"),
        "颜色": ("墨绿", "绛红", "藏青", "米白"),
        "公司": ("启明", "长风", "云帆", "海纳"),
        "语言": ("英文", "日文", "法文"),
    },
}
QUESTIONS = {"en": "Draft a short note about me", "zh": "帮我写一段自我介绍"}


@dataclass(frozen=True)
class Result:
    """Prompts asked for, and how often one lacked a current value or held a former one."""

    prompts: int
    values: int
    missing: tuple[str, ...]
    stale: tuple[str, ...]


def run(language: str, sessions: int = 12) -> Result:
    """Change one thing in each turn, two in each session, and look at the next prompt."""
    model, clock = PlayedChatModel(play=lambda _: "Noted."), Clock()
    wordings, values = WORDINGS[language], VALUES[language]
    current: dict[str, str] = {}
    used: dict[str, int] = dict.fromkeys(values, 0)
    missing: list[str] = []
    stale: list[str] = []
    asked = checked = 0
    things = cycle(values)
    with Memory(":memory:", embedder=None, background=False, clock=clock) as memory:
        agent = MemoryAgent(model, memory, memory_tools=())
        for session in range(sessions):
            for _ in range(2):
                thing = next(things)
                number = used[thing]
                used[thing] += 1
                value = values[thing][number % len(values[thing])]
                first, *others = wordings[thing]
                wording = first if number == 0 else others[number % len(others)]
                said = wording.format(value, old=current.get(thing))
                current[thing] = value
                agent.chat(said, user="u", session=f"s{session}")
                clock.now += timedelta(hours=2)
            agent.chat(QUESTIONS[language], user="u", session=f"asked {session}")
            asked += 1
            known = holding_now(model.prompts[-1])
            for thing, value in current.items():
                checked += 1
                if value not in known:
                    missing.append(f"session {session}: {thing} {value}")
                # "I switched from one to another" names both, and says which one holds.
                rest = [line for line in known.splitlines() if value not in line]
                stale += [
                    f"session {session}: {thing} {former}"
                    for former in values[thing]
                    if former != value and any(former in line for line in rest)
                ]
            clock.now += timedelta(days=2)
    return Result(asked, checked, tuple(missing), tuple(stale))


if __name__ == "__main__":
    for spoken in WORDINGS:
        result = run(spoken, *map(int, sys.argv[1:]))
        print(
            f"{spoken}: {result.prompts} prompts, {result.values} values: "
            f"{len(result.missing)} missing, {len(result.stale)} stale"
        )
        for line in (*result.missing, *result.stale):
            print("  ", line)
