"""Two people talk to an assistant, days apart; then we ask what it remembers of them.

One speaks Chinese (a field technician whose reports follow fixed conventions), one English (a
baker). Everything runs here: no network, no key, no language model; where an agent answers, a small
function plays the model and can only use what stands in its prompt. Every answer is checked, and
the exit status is 1 if one of them is wrong.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from langchain_core.tools import tool
from rich.console import Console
from rich.rule import Rule

from jiyi import Hits, Memory
from jiyi.agent import MemoryAgent
from jiyi.formats import read_file
from jiyi.testing.agent_model import Answer, CallTool, PlayedChatModel, Prompt

HERE = Path(__file__).parent
console = Console(highlight=False)


class Clock:
    """The time of the story, so that the demo tells the same story every day."""

    def __init__(self) -> None:
        self.set("2026-03-02T08:00:00+08:00")

    def set(self, moment: str) -> None:
        self.now = datetime.fromisoformat(moment)

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Story:
    """What one person said, what we ask, and what the right answers hold."""

    user: str
    files: tuple[str, ...]
    preference: tuple[str, str]
    changed: tuple[str, str, str]
    task: tuple[str, tuple[str, ...]]
    order: tuple[str, tuple[str, ...]]
    regretted: tuple[str, str]
    unknown: str


STORIES = (
    Story(
        user="何苗",
        files=("technician-1.zh.jsonl", "technician-2.zh.jsonl"),
        preference=("没测到的性状应该怎么写？", "未采"),
        changed=("我现在住在哪里？", "汉中", "安康"),
        task=("帮我起草今天的汇报", ("单位", "未采")),
        order=("查一下 R12 的记录", ("132 厘米", "菌核病：未采")),
        regretted=("组长老周 吵了一架", "老周"),
        unknown="量子计算机的冷却温度是多少？",
    ),
    Story(
        user="Dana",
        files=("baker-1.en.txt", "baker-2.en.txt"),
        preference=("In which unit should I give weights?", "grams"),
        changed=("Where do I live?", "Leeds", "Bristol"),
        task=("Suggest a cake for Sunday", ("walnut", "grams")),
        order=("How much flour do 30 loaves take?", ("- flour: 12600 grams",)),
        regretted=("borrowed money from landlord Greg", "Greg"),
        unknown="What is the boiling point of tungsten hexafluoride?",
    ),
)


@tool
def plot_records(plot: str) -> str:
    """Measurements of a plot: height in metres, share of plants with stem rot."""
    return "height=1.32 rot=" if plot == "R12" else ""


@tool
def flour_needed(loaves: int) -> str:
    """Flour for so many loaves, in kilograms."""
    return str(loaves * 0.42)


TOOLS = (plot_records, flour_needed)


def play(prompt: Prompt) -> Answer:
    """Plays the model of the agent's turn. How it writes a result depends on what is known."""
    chinese = "R12" in prompt.question
    if not prompt.results:
        if chinese:
            return CallTool("plot_records", {"plot": "R12"})
        return CallTool("flour_needed", {"loaves": 30})
    (result,), known = prompt.results, prompt.system
    if chinese:
        height = float(result.split("=")[1].split()[0])
        high = f"{height * 100:.0f} 厘米" if "厘米" in known else str(height)
        return f"株高：{high}，菌核病：{'未采' if '都写未采' in known else ''}"
    weight = f"{float(result) * 1000:.0f} grams" if "grams" in known else f"{result} kg"
    return f"{'- ' if 'bullet points' in known else ''}flour: {weight}"


@dataclass
class Checks:
    """Counts right and wrong answers, and shows each."""

    wrong: list[str] = field(default_factory=list)

    def __call__(self, claim: str, right: bool) -> None:
        console.print(f"   [{'green]✓' if right else 'red]✗'}[/] {claim}")
        if not right:
            self.wrong.append(claim)


def tell(memory: Memory, clock: Clock, story: Story) -> None:
    """Load the conversations, each at the time it was held."""
    for name in story.files:
        for conversation in read_file(HERE / name).conversations:
            last = conversation.messages[-1]["said_at"]
            clock.set((last if last.tzinfo else last.replace(tzinfo=clock.now.tzinfo)).isoformat())
            receipt = memory.observe(conversation.messages, session=name)
            kept = [o for o in receipt.outcomes if o.status in ("stored", "superseding")]
            console.print(
                f"   {name}: {len(receipt.turn_ids)} messages, {len(kept)} memories", style="dim"
            )
    memory.flush()


def ask(memory: Memory, question: str) -> Hits:
    """Ask, and show the best answers."""
    console.print(f"\n [bold]{question}[/]")
    found = memory.recall(question, limit=3)
    for hit in found:
        said = f"{hit.said_at:%Y-%m-%d}" if hit.said_at else ""
        console.print(f"   · {hit.text}  [dim]({said}, {hit.kind or hit.role})[/]")
    return found


def first(found: Hits, holds: str, never: str | None = None) -> bool:
    """Whether the best hit holds the answer, and nothing above it says otherwise."""
    return bool(found) and holds in found[0].text and (never is None or never not in found[0].text)


def show(memory: Memory, story: Story, check: Checks, files: Callable[[], list[Path]]) -> None:
    """Ask about a preference, a changed fact, a task, and one thing to forget."""
    question, word = story.preference
    check(f"the convention holds across sessions: {word}", first(ask(memory, question), word))

    question, old, new = story.changed
    found = ask(memory, question)
    check(f"a changed fact answers with the new value: {new}", first(found, new))
    current = next((hit for hit in found if hit.unit == "memory" and new in hit.text), None)
    chain = memory.history(current.id).chain if current is not None else ()
    for record in chain:
        until = f"{record.valid_to:%Y-%m-%d}" if record.valid_to else "now"
        console.print(f"     {record.valid_from:%Y-%m-%d} … {until}: {record.text}", style="dim")
    check(
        f"and its history still knows the old one: {old}",
        any(old in r.text and r.status == "superseded" for r in chain),
    )

    question, words = story.order
    console.print(f"\n [bold]{question}[/]")
    reply = MemoryAgent(PlayedChatModel(play=play), memory, tools=TOOLS).chat(question)
    for use in reply.tools:
        console.print(f"   {use.name}{dict(use.arguments)} → {use.result}", style="dim")
    console.print(f"   {reply}", markup=False)
    check("an agent calls a tool", bool(reply.tools))
    check(
        f"and answers in the format that its user is used to: {', '.join(words)}",
        all(word in reply.text for word in words),
    )

    question, words = story.task
    console.print(f"\n [bold]{question}[/]")
    text = memory.context(question, budget=600).text
    console.print(text, style="dim", markup=False)
    check(
        f"what must be kept in mind reaches the prompt: {', '.join(words)}",
        all(word in text for word in words),
    )

    console.print(f"\n [bold]{story.unknown}[/]")
    check("what nobody told it, it does not claim to know", not memory.recall(story.unknown))

    query, word = story.regretted
    console.print(f"\n [bold]forget: {query}[/]")
    before = bytes_with(word, files())
    report = memory.forget(query=query)
    after = bytes_with(word, files())
    console.print(
        f"   erased {len(report.memory_ids)} memories and {len(report.turn_ids)} messages; "
        f"the files held the word {before} times, now {after}",
        style="dim",
    )
    check(
        "what was forgotten is found no more",
        word not in " ".join(h.text for h in ask(memory, query)),
    )
    check("and no byte of it is left in the files", before > 0 and after == 0)


def bytes_with(word: str, files: list[Path]) -> int:
    """How often the word stands in the files, byte by byte."""
    return sum(file.read_bytes().count(word.encode()) for file in files)


def main() -> int:
    """Run the demo; 0 when every answer was right."""
    check, clock = Checks(), Clock()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Memory(Path(folder) / "demo.db", embedder=None, clock=clock) as memory,
    ):
        for story in STORIES:
            console.print(Rule(story.user))
            view = memory.scoped(user=story.user)
            tell(view, clock, story)
            clock.set("2026-03-20T09:00:00+08:00")
            show(view, story, check, lambda: sorted(Path(folder).iterdir()))
    console.print(Rule())
    if check.wrong:
        console.print(f"[red]{len(check.wrong)} wrong:[/] " + "; ".join(check.wrong))
        return 1
    console.print("[green]Every answer was right.[/]")
    return 0


if __name__ == "__main__":
    sys.exit(main())
