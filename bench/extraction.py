"""From turns to memories, by rules: coverage, precision, sources, junk and speed.

`python -m bench.extraction --shared ../shared` prints the figures; nothing is written.

- **coverage**: of RealMem's gold memories that a user turn is the source of, how many have a
  memory from that turn, and how many one that holds two fifths of their content words.
- **precision**: the share of right ones among the verdicts in `bench/verdicts/`. A verdict is about
  one memory of a seeded sample as the rules found it on the day in the file's name; the file
  holds where it came from and the verdict, never the text. `--sample OUT` writes such a sample,
  with texts, for reading.
- **cited**: the share of memories whose source span lies in its turn and supports them.
- **junk**: memories, candidates included, from a corpus of small talk, questions and quotes.
- **turns/s**: turns read, guarded and gated in a second of processor time, without a store.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from bench.folders import Folder, Unit, said_at
from jiyi.encode.gate import Gate
from jiyi.encode.rules import extract
from jiyi.encode.support import SHARE, share
from jiyi.text.normalise import fingerprint
from jiyi.text.words import STOP_WORDS
from jiyi.types import Draft, Scope, Turn

SETS = ("realmem", "locomo", "lifebench-zh", "qmemory-zh")
LOOK_BACK = 6
CONTENT = 0.4  # share of a gold memory's words that count as its content being there
VERDICTS = Path(__file__).parent / "verdicts"
CHATTER = Path(__file__).parents[1] / "tests" / "encode" / "data" / "chatter.tsv"
_PREFIX = re.compile(r"^(?:[\w .'-]{1,30}: |助手：)")
_PRONOUN = re.compile(r"^(?:(?:he|she|they)\b|[他她]们?)\s*", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]{2,}")


@dataclass
class Reading:
    """What the rules made of one set."""

    turns: int = 0
    seconds: float = 0.0
    kept: list[tuple[Turn, Draft]] = field(default_factory=list)
    cited: int = 0

    @property
    def believed(self) -> list[tuple[Turn, Draft]]:
        return [(turn, draft) for turn, draft in self.kept if not draft.candidate]


def read(turns: Iterator[Turn]) -> Reading:
    """Read turns session by session, in order, as they would come in."""
    reading, gate = Reading(), Gate()
    before: dict[str | None, deque[Turn]] = defaultdict(lambda: deque(maxlen=LOOK_BACK))
    for turn in turns:
        earlier = before[turn.scope.session]
        began = time.process_time()
        drafts = extract(turn, tuple(earlier)).drafts
        checked = [gate.check(draft) for draft in drafts]
        reading.seconds += time.process_time() - began
        kept = [draft for draft in checked if isinstance(draft, Draft)]
        reading.kept += [(turn, draft) for draft in kept]
        reading.cited += sum(is_cited(turn, draft, earlier) for draft in kept)
        earlier.append(turn)
        reading.turns += 1
    return reading


def turns_of(folder: Folder) -> Iterator[Turn]:
    """The turns of a set; speakers have names where one user has several of the user's role."""
    for units in folder.users.values():
        named = {u["speaker"] for u in units if u["role"] == "user"}
        for unit in units:
            yield _turn(unit, named=len(named) > 1)


def _turn(unit: Unit, *, named: bool) -> Turn:
    at = said_at(unit)
    name = unit["speaker"] if named and unit["role"] == "user" else None
    scope = Scope(user=unit["user"], session=unit["session"])
    return Turn(
        id=unit["id"], role=unit["role"], text=unit["text"], said_at=at, recorded_at=at,
        scope=scope, name=name,
    )  # fmt: skip


def chatter() -> Iterator[Turn]:
    """The corpus in which nothing is worth keeping."""
    for place, line in enumerate(CHATTER.read_text(encoding="utf-8").splitlines()):
        role, _, text = line.partition("\t")
        unit = {"id": f"c{place}", "user": None, "session": "c", "role": role, "speaker": None}
        yield _turn(
            unit | {"text": text.replace("\\n", "\n"), "said_at": None, "seq": place}, named=False
        )


def is_cited(turn: Turn, draft: Draft, earlier: Iterable[Turn]) -> bool:
    """Whether a source's span lies in its turn and supports the memory: what the span says is in
    the memory, to the letter or most of its content, and what else the memory says (whom "he" at
    its head means) is in the conversation before."""
    said = _undated(_PREFIX.sub("", draft.text))
    known = "\n".join([*(t.text for t in earlier), turn.text])
    for source in draft.sources:
        if source.turn_id != turn.id or source.span is None:
            continue
        start, end = source.span
        if not 0 <= start < end <= len(turn.text):
            continue
        part = _PRONOUN.sub("", turn.text[start:end])
        if (
            part.strip() in said
            or share(said, part) >= SHARE
            or (share(part, said) >= SHARE and share(said, known) >= SHARE)
        ):
            return True
    return False


def _undated(text: str) -> str:
    return re.sub(r" ?[(（]\d{4}[-/\d]*[)）]", "", text)


def coverage(folder: Folder, reading: Reading) -> tuple[int, float, float]:
    """Gold memories from user turns; shares covered by turn and by content."""
    path = folder.path / "memories.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        gold = [json.loads(line) for line in file]
    own = {u["id"] for units in folder.users.values() for u in units if u["role"] == "user"}
    gold = [g for g in gold if g["source_turn"] in own]
    texts: dict[str, list[str]] = defaultdict(list)
    for turn, draft in reading.kept:
        texts[turn.id].append(draft.text)
    by_turn = sum(g["source_turn"] in texts for g in gold)
    by_content = 0
    for each in gold:
        wanted = _words(re.sub(r"^【.*?】", "", each["text"]))
        found = set().union(*map(_words, texts[each["source_turn"]]))
        by_content += bool(wanted) and len(wanted & found) >= CONTENT * len(wanted)
    return len(gold), by_turn / len(gold), by_content / len(gold)


def _words(text: str) -> set[str]:
    return {w for w in _WORD.findall(text.lower()) if w not in STOP_WORDS}


def sample(readings: dict[str, Reading], size: int, seed: int) -> list[tuple[str, Turn, Draft]]:
    """A seeded sample of what is believed, the same number of each set."""
    rng = random.Random(seed)
    drawn = []
    for name, reading in readings.items():
        believed = reading.believed
        each = rng.sample(believed, min(len(believed), size // len(readings)))
        drawn += [(name, turn, draft) for turn, draft in each]
    return drawn


def place_of(name: str, turn: Turn, draft: Draft) -> str:
    """Where a memory of a sample came from, with a mark of its text, without its text."""
    start, end = draft.sources[0].span or (0, 0)
    return f"{name}\t{turn.id}\t{start}-{end}\t{fingerprint(draft.text).hex()[:8]}"


def precision(path: Path) -> list[str]:
    """Lines of a table: right ones by set, of one file of verdicts."""
    rows = [
        line.split("\t")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    by_set: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        by_set[row[0]][row[-1]] += 1
        by_set["all"][row[-1]] += 1
    return [
        f"| {path.stem} | {name} | {sum(c.values())} | {100 * c['right'] / sum(c.values()):.1f} | "
        + ", ".join(f"{word} {n}" for word, n in c.most_common() if word != "right")
        + " |"
        for name, c in by_set.items()
    ]


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    sample_to: Annotated[
        Path | None, typer.Option("--sample", help="Write a sample with texts here, for reading.")
    ] = None,
    size: Annotated[int, typer.Option(help="Memories in the sample.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 1,
) -> None:
    """Print the figures of extraction by rules."""
    folders = {name: Folder(shared / "benchdata" / name) for name in SETS}
    readings = {name: read(turns_of(folder)) for name, folder in folders.items()}
    if sample_to is not None:
        with sample_to.open("w", encoding="utf-8") as file:
            for name, turn, draft in sample(readings, size, seed):
                slot = f"{draft.slot.attribute} = {draft.slot.value}" if draft.slot else draft.kind
                said = turn.text.replace("\n", " / ")[:400]
                file.write(f"{place_of(name, turn, draft)}\t{draft.text}\t{slot}\t{said}\n")
        return
    print("| set | turns | memories / 100 turns | candidates / 100 | cited % | turns/s |")
    print("|---|---|---|---|---|---|")
    for name, reading in readings.items():
        print(
            f"| {name} | {reading.turns:,} | {100 * len(reading.believed) / reading.turns:.1f} | "
            f"{100 * (len(reading.kept) - len(reading.believed)) / reading.turns:.1f} | "
            f"{100 * reading.cited / max(1, len(reading.kept)):.1f} | "
            f"{reading.turns / reading.seconds:,.0f} |"
        )
    count, by_turn, by_content = coverage(folders["realmem"], readings["realmem"])
    print(
        f"\nRealMem, {count:,} gold memories from user turns: by turn {100 * by_turn:.1f} %, "
        f"by content {100 * by_content:.1f} %"
    )
    idle = read(chatter())
    print(f"Chatter: {100 * len(idle.kept) / idle.turns:.1f} memories per 100 turns")
    print("\n| sample of | set | n | right % | the rest |\n|---|---|---|---|---|")
    for path in sorted(VERDICTS.glob("*.tsv")):
        print("\n".join(precision(path)))


if __name__ == "__main__":
    typer.run(main)
