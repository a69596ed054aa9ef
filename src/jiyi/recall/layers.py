"""The layers of a context as they are filled: budgets, lines, and the text they render to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Literal, NamedTuple

from jiyi.errors import InvalidInputError
from jiyi.recall.quoting import Block, closing, opening
from jiyi.text.tokens import TokenCounter
from jiyi.types import Layer

LayerName = Literal[
    "identity",
    "rules",
    "permanent",
    "guide",
    "profile",
    "standing",
    "notes",
    "summary",
    "support",
    "memories",
    "turns",
    "documents",
    "recent",
]

ORDER: Final[tuple[LayerName, ...]] = (
    *("identity", "rules", "permanent", "guide", "profile", "standing", "notes", "summary"),
    *("support", "memories", "turns", "documents", "recent"),
)
"""The layers as they appear. What does not depend on the question or the time comes first, so that
a model server can reuse what it computed for the beginning of the last prompt."""

BREAK: Final = "\n\n"
MOST_RECENT_TURNS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerBudgets:
    """How much of a context each layer may take.

    The first are shares of the whole budget, from 0 to 1; what a layer leaves over goes to the
    layers filled after it, and verbatim turns take all that is left in the end. Those that begin
    with `max_` are numbers of entries; `max_recent` is at most 12. `turns_within` leaves out
    verbatim turns that were said longer ago (30 days is a common choice); None, the default,
    keeps them all, since long memory is the point.
    """

    identity: float = 0.25
    rules: float = 0.1
    permanent: float = 0.2
    constraints: float = 0.5
    preferences: float = 0.1
    profile: float = 0.1
    notes: float = 0.1
    summary: float = 0.1
    memories: float = 0.3
    documents: float = 0.15
    recent: float = 0.3

    max_rules: int = 5
    max_profile: int = 8
    max_free_rules: int = 5
    max_memories: int = 5
    max_recent: int = 8
    max_documents: int = 5

    turns_within: timedelta | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if name == "turns_within":
                fits = value is None or value > timedelta(0)
            elif name.startswith("max_"):
                fits = isinstance(value, int) and value >= 0
            else:
                fits = 0 <= value <= 1
            if not fits:
                raise InvalidInputError(
                    name,
                    f"{value!r} is no budget",
                    "Shares run from 0 to 1, numbers and times are not negative",
                )
        if self.max_recent > MOST_RECENT_TURNS:
            raise InvalidInputError(
                "max_recent", f"{self.max_recent} is too many", f"Use at most {MOST_RECENT_TURNS}"
            )


class Line(NamedTuple):
    """One entry of a layer.

    `group` is a heading that neighbouring entries share, `order` the place within it (entries of
    equal order stay as they were placed). `ids` are what the entry is made of, `name` what it is
    called in the list of cuts when it has no ids.
    """

    text: str
    ids: tuple[str, ...] = ()
    group: str | None = None
    order: float = 0
    name: str = ""


@dataclass(slots=True)
class _Open:
    heading: str | None
    block: Block | None
    lines: list[Line] = field(default_factory=list)
    text: str | None = None
    """As it was rendered last; None once its lines have changed."""

    def add(self, line: Line) -> None:
        self.lines.append(line)
        self.text = None

    def remove(self, line: Line) -> None:
        self.lines.remove(line)
        self.text = None

    def render(self) -> str:
        if self.text is None:
            self.text = self._rendered()
        return self.text

    def _rendered(self) -> str:
        parts = [] if self.heading is None else [self.heading]
        if self.block is not None:
            parts.append(opening(self.block))
        groups: dict[str | None, list[Line]] = {}
        for line in self.lines:
            groups.setdefault(line.group, []).append(line)
        for group, members in groups.items():
            if group is not None:
                parts.append(group)
            parts.extend(line.text for line in sorted(members, key=lambda line: line.order))
        if self.block is not None:
            parts.append(closing(self.block))
        return "\n".join(parts)


class Sheet:
    """A context being filled, never above its budget.

    Lines are charged one by one, which adds up to no less than the whole for a counter that does
    not grow when texts are joined. For any other counter `fit()` takes back the lines placed last
    until the rendered text is within the budget.
    """

    def __init__(self, budget: int, count: TokenCounter) -> None:
        self.budget = budget
        self.count = count
        self._layers: dict[LayerName, _Open] = {}
        self._placed: list[tuple[LayerName, Line]] = []
        self._used = 0

    @property
    def left(self) -> int:
        """Tokens that are not spoken for."""
        return self.budget - self._used

    def open(self, name: LayerName, heading: str | None = None, block: Block | None = None) -> None:
        """Say how a layer looks. It appears, and is charged for, with its first line."""
        self._layers[name] = _Open(heading, block)

    def room(self, name: LayerName, group: str | None = None) -> int:
        """Tokens that one more line in this layer could have."""
        return self.left - self._overhead(self._layers[name], group)

    def cost(self, name: LayerName, line: Line) -> int:
        """What a line would take, with the heading of its layer and group if it is the first."""
        overhead = self._overhead(self._layers[name], line.group)
        return self.count("\n") + self.count(line.text) + overhead

    def place(self, name: LayerName, line: Line, *, within: int | None = None) -> int | None:
        """Add a line if it fits what is left and `within`. Returns its cost, or None."""
        cost = self.cost(name, line)
        if cost > self.left or (within is not None and cost > within):
            return None
        self._layers[name].add(line)
        self._placed.append((name, line))
        self._used += cost
        return cost

    def settle(self) -> None:
        """Count what is there as it is rendered, which frees what line by line was rounded up."""
        self._used = min(self._used, self.count(self.text()))

    def fit(self) -> list[tuple[LayerName, Line]]:
        """Take back the last lines until the text is within the budget; returns what went."""
        taken = []
        while self._placed and self.count(self.text()) > self.budget:
            name, line = self._placed.pop()
            self._layers[name].remove(line)
            taken.append((name, line))
        return taken

    def ids(self, name: LayerName) -> tuple[str, ...]:
        """What the lines of a layer are made of, in the order in which they were placed."""
        lines = self._layers[name].lines
        return tuple(dict.fromkeys(id for line in lines for id in line.ids))

    def layers(self) -> tuple[Layer, ...]:
        """The layers that hold something, in their order."""
        return tuple(
            Layer(
                name=name,
                text=(text := layer.render()),
                tokens=self.count(text),
                unit_ids=self.ids(name),
            )
            for name, layer in self._filled()
        )

    def text(self) -> str:
        """What is there, rendered."""
        return BREAK.join(layer.render() for _, layer in self._filled())

    def _filled(self) -> Iterable[tuple[LayerName, _Open]]:
        return (
            (name, self._layers[name])
            for name in ORDER
            if name in self._layers and self._layers[name].lines
        )

    def _overhead(self, layer: _Open, group: str | None) -> int:
        total = 0
        if not layer.lines:
            total += self.count(BREAK)
            total += sum(self.count(text + "\n") for text in _frame(layer))
        if group is not None and all(line.group != group for line in layer.lines):
            total += self.count("\n" + group)
        return total


def _frame(layer: _Open) -> Sequence[str]:
    parts = [] if layer.heading is None else [layer.heading]
    if layer.block is not None:
        parts += [opening(layer.block), closing(layer.block)]
    return parts
