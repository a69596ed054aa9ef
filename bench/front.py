"""How fast the front is: observe, remember and recall as a program calls them, without an embedder.

    python -m bench.front [--memories 1000] [--shared ../shared] [--json OUT]

Writes are given as multiples of a bare SQLite commit of the same bytes on the same disk in the same
run, because disks differ by more than programs do. `_cpu_` are milliseconds of processor time of
the calling thread: what a loaded machine distorts least. With `--shared`, turns of real
conversations are observed one by one as well, after 200 that warm up.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.folders import Folder, said_at
from jiyi import Memory

TURNS = 300
WARM_UP = 20
TALKS = ("locomo", "realmem", "qmemory-zh", "lifebench-zh")
TALK_TURNS = 600
TALK_WARM_UP = 200

EN = "I live in {place} and I like {thing}, but I switched from {thing2} to {thing3} for note {n}"
ZH = "我住在{place}，喜欢{thing}，另外第{n}号记录以后改用{thing3}，不用{thing2}了"
NAMES = {
    "en": (["Lisbon", "Porto", "Leeds", "Bristol", "Oslo", "Turin", "Ghent", "Basel"],
           ["tea", "jazz", "chess", "rye", "cedar", "ochre", "linen", "copper"]),
    "zh": (["里斯本", "波尔图", "利兹", "奥斯陆", "都灵", "根特", "巴塞尔", "汉中"],
           ["绿茶", "爵士乐", "象棋", "黑麦", "雪松", "亚麻", "铜线", "竹子"]),
}  # fmt: skip
CHAT = {
    "en": "well note {n}: the {thing} by the {thing2} seemed fine when we passed {place} again",
    "zh": "嗯，第{n}次路过{place}的时候，{thing}旁边的{thing2}看起来还行",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--memories", type=int, default=1000, help="memories to recall from")
    parser.add_argument("--shared", type=Path, help="folder that holds `benchdata`")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    options = parser.parse_args()
    figures = {
        "import_s": import_seconds("import jiyi"),
        "import_memory_s": import_seconds("from jiyi import Memory"),
        "import_numpy_s": import_seconds("import numpy"),
    }
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        for language in ("en", "zh"):
            figures |= write_figures(Path(folder) / language, language)
            figures |= read_figures(Path(folder) / f"{language}-read", language, options.memories)
        for name in TALKS if options.shared is not None else ():
            folder_of = options.shared / "benchdata" / name
            figures |= talk_figures(Path(folder) / name, Folder(folder_of))
    for name, value in figures.items():
        print(f"{name:34} {value:9.3f}")
    if options.json is not None:
        stamped = {"at": datetime.now(UTC).isoformat(timespec="seconds"), **figures}
        options.json.write_text(json.dumps(stamped, indent=1) + "\n")


def write_figures(folder: Path, language: str) -> dict[str, float]:
    """observe with and without rules, and remember, against a bare commit of the same bytes."""
    folder.mkdir()
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        bare.execute(f"PRAGMA {pragma}")
    bare.execute("CREATE TABLE turn (text TEXT)")
    rng = random.Random(language)
    facts = [sentence(rng, language, n, facts=True) for n in range(3 * TURNS)]
    chat = [sentence(rng, language, n, facts=False) for n in range(TURNS)]
    with Memory(folder / "a.db", embedder=None) as memory:
        mine = memory.scoped(user="u", session="s")
        # Bare commits and ours take turns, so that both meet the same disk.
        off, base = alternate(
            lambda text: mine.observe(text, encode=False),
            lambda text: bare.execute("INSERT INTO turn VALUES (?)", (text,)),
            chat,
        )
        rules, rules_cpu = measure_both(mine.observe, facts[:TURNS])
        talk, talk_cpu = measure_both(mine.observe, [f"{text}!" for text in chat])
        kept, base2 = alternate(
            mine.remember,
            lambda text: bare.execute("INSERT INTO turn VALUES (?)", (text,)),
            facts[TURNS : 2 * TURNS],
        )
    bare.close()
    return {
        f"{language}_bare_commit_ms_p95": p95(base),
        f"{language}_observe_off_ms_p95": p95(off),
        f"{language}_observe_off_x_bare_p95": p95(off) / p95(base),
        f"{language}_observe_rules_facts_ms_p50": statistics.median(rules),
        f"{language}_observe_rules_facts_ms_p95": p95(rules),
        f"{language}_observe_rules_facts_cpu_ms_p50": statistics.median(rules_cpu),
        f"{language}_observe_rules_facts_cpu_ms_p95": p95(rules_cpu),
        f"{language}_observe_rules_chat_cpu_ms_p50": statistics.median(talk_cpu),
        f"{language}_observe_rules_chat_cpu_ms_p95": p95(talk_cpu),
        f"{language}_observe_rules_chat_ms_p50": statistics.median(talk),
        f"{language}_observe_rules_chat_ms_p95": p95(talk),
        f"{language}_remember_per_s": 1000 / statistics.fmean(kept),
        f"{language}_remember_share_of_bare": statistics.fmean(base2) / statistics.fmean(kept),
    }


def talk_figures(folder: Path, data: Folder) -> dict[str, float]:
    """observe with rules on the longest conversation of a set, one turn at a time."""
    folder.mkdir()
    units = max(data.users.values(), key=len)[: TALK_TURNS + TALK_WARM_UP]
    wall: list[float] = []
    cpu: list[float] = []
    with Memory(folder / "a.db", embedder=None) as memory:
        for unit in units:
            role = "user" if unit["role"] == "memory" else unit["role"]
            message = {"role": role, "content": unit["text"], "said_at": said_at(unit)}
            if unit["speaker"]:
                message["name"] = unit["speaker"]
            mine = memory.scoped(user="u", session=unit["session"] or "s")
            began, began_cpu = time.perf_counter(), time.thread_time()
            mine.observe(message)
            cpu.append((time.thread_time() - began_cpu) * 1000)
            wall.append((time.perf_counter() - began) * 1000)
    return {
        f"{data.name}_observe_{kind}_ms_{measure}": value
        for kind, times in (("wall", wall[TALK_WARM_UP:]), ("cpu", cpu[TALK_WARM_UP:]))
        for measure, value in (("mean", statistics.fmean(times)), ("p95", p95(times)))
    }


def read_figures(folder: Path, language: str, memories: int) -> dict[str, float]:
    """recall, context and a hot profile at a number of memories."""
    folder.mkdir()
    rng = random.Random(f"{language}-read")
    with Memory(folder / "a.db", embedder=None) as memory:
        mine = memory.scoped(user="u")
        for n in range(memories):
            mine.remember(sentence(rng, language, n, facts=False))
        questions = [sentence(rng, language, n, facts=False) for n in range(200)]
        recall = measure(lambda text: mine.recall(text, limit=5), questions)
        context = measure(lambda text: mine.context(text, session="s"), questions)
        profile = measure(lambda _: mine.profile(), questions)
    return {
        f"{language}_recall_ms_p50": statistics.median(recall),
        f"{language}_recall_ms_p95": p95(recall),
        f"{language}_context_ms_p95": p95(context),
        f"{language}_profile_ms_p50": statistics.median(profile),
    }


def sentence(rng: random.Random, language: str, n: int, *, facts: bool) -> str:
    """One made-up message, with facts about the speaker or without."""
    places, things = NAMES[language]
    form = (EN if language == "en" else ZH) if facts else CHAT[language]
    a, b, c = rng.sample(things, 3)
    return form.format(place=rng.choice(places), thing=a, thing2=b, thing3=c, n=n)


def measure(call: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    """Milliseconds of each call, without the first ones."""
    return [measure_one(call, text) for text in texts][WARM_UP:]


def measure_both(
    call: Callable[[str], object], texts: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Milliseconds of each call by the clock, and of the processor, without the first ones."""
    cpu: list[float] = []

    def counted(text: str) -> None:
        began = time.thread_time()
        call(text)
        cpu.append((time.thread_time() - began) * 1000)

    return measure(counted, texts), cpu[WARM_UP:]


def alternate(
    one: Callable[[str], object], other: Callable[[str], object], texts: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Milliseconds of two calls that take turns."""
    pairs = [(measure_one(one, text), measure_one(other, text)) for text in texts]
    return [a for a, _ in pairs][WARM_UP:], [b for _, b in pairs][WARM_UP:]


def measure_one(call: Callable[[str], object], text: str) -> float:
    start = time.perf_counter()
    call(text)
    return (time.perf_counter() - start) * 1000


def p95(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[int(len(times) * 0.95)]


def import_seconds(program: str) -> float:
    """The fastest of five imports in fresh processes, less that of an empty program."""
    return _fastest(program) - _fastest("pass")


def _fastest(program: str) -> float:
    times = []
    # As installed: byte code is kept, whatever this process was told.
    told = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(6):  # the first one compiles
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", program],
                check=True,
                env={**told, "PYTHONPYCACHEPREFIX": folder},
            )
            times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
