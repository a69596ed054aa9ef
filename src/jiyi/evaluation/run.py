"""Asking the questions, and what came of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Final

from jiyi.arguments import read_budget, read_limit
from jiyi.evaluation.measures import (
    Measures,
    Places,
    all_at,
    mean,
    ndcg_at,
    percentile,
    recall_at,
    reciprocal_rank,
)
from jiyi.text.normalise import canonical

if TYPE_CHECKING:
    from jiyi.evaluation.questions import Question
    from jiyi.memory import Memory
    from jiyi.types import Context, Hit

KS: Final = (1, 5, 10, 20)
BUDGETS: Final = (500, 1000, 2000)
_NDCG_AT: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of one question.

    Attributes:
        rank: the place of the first piece of evidence, from 1; None when none was found.
        found: how many pieces stand within the largest k.
        silent: whether nothing came back.
        best: the text of the best hit, to see what came instead.
        places: the pieces that each place holds.
        in_context: the share of the evidence in a context, by budget.
        latency_ms: of the recall.
    """

    question: Question
    rank: int | None
    found: int
    silent: bool
    best: str | None
    places: Places
    in_context: dict[int, float]
    latency_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Every answer, the figures over all of them, and those by category (where there are any)."""

    answers: tuple[Answer, ...]
    overall: Measures
    by_category: dict[str, Measures]


def evaluate(
    memory: Memory,
    questions: Iterable[Question],
    *,
    ks: Sequence[int] = KS,
    budgets: Sequence[int] = BUDGETS,
    progress: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Ask each question of the memory and measure what comes back.

    Open the memory with `read_only=True`: then no trace is kept, nothing counts as used and nothing
    that is archived comes back, so that the memory stays as it was.

    Args:
        memory: the memory, or a view of it in the scope to ask in.
        questions: see `read_questions`.
        ks: at which places recall is measured.
        budgets: tokens of the contexts in which the evidence is looked for; () builds none.
        progress: called after each question.

    Raises:
        InvalidInputError: a k or a budget out of range.
    """
    ks = sorted({read_limit(k, "k") for k in ks})
    budgets = sorted({read_budget(budget, "budgets") for budget in budgets})
    answers = []
    for question in questions:
        answers.append(_ask(memory, question, max(ks), budgets))
        progress()
    categories = dict.fromkeys(a.question.category for a in answers if a.question.category)
    return Evaluation(
        answers=tuple(answers),
        overall=_measures(answers, ks, budgets),
        by_category={
            name: _measures([a for a in answers if a.question.category == name], ks, budgets)
            for name in categories
        },
    )


def _ask(memory: Memory, question: Question, limit: int, budgets: Sequence[int]) -> Answer:
    view = memory
    if question.user is not None:
        view = view.scoped(user=question.user)
    if question.session is not None:
        view = view.scoped(session=question.session)
    started = perf_counter()
    hits = view.recall(question.text, limit=limit, as_of=question.as_of)
    elapsed = (perf_counter() - started) * 1000
    pieces = question.evidence
    places = [frozenset(n for n, piece in enumerate(pieces) if _holds(hit, piece)) for hit in hits]
    contexts = {budget: view.context(question.text, budget=budget) for budget in budgets if pieces}
    return Answer(
        question=question,
        rank=next((rank for rank, held in enumerate(places, 1) if held), None),
        found=len(frozenset[int]().union(*places)),
        silent=not hits,
        best=hits[0].text if hits else None,
        places=places,
        in_context={b: _share(view, context, pieces) for b, context in contexts.items()},
        latency_ms=elapsed,
    )


def _holds(hit: Hit, piece: str) -> bool:
    cited = {source.turn_id for source in hit.sources}
    return piece == hit.id or piece in cited or canonical(piece) in canonical(hit.text)


def _share(memory: Memory, context: Context, pieces: Sequence[str]) -> float:
    shown = {id for layer in context.layers for id in layer.unit_ids}
    if shown:
        # A memory in a context stands for the turns that it cites.
        page = memory.list(where={"id": {"in": sorted(shown)}}, limit=len(shown))
        shown |= {source.turn_id or "" for record in page.items for source in record.sources}
    text = canonical(context.text)
    return sum(piece in shown or canonical(piece) in text for piece in pieces) / len(pieces)


def _measures(answers: Sequence[Answer], ks: Sequence[int], budgets: Sequence[int]) -> Measures:
    asked = [(a, len(a.question.evidence)) for a in answers if a.question.answerable]
    rest = [a for a in answers if not a.question.answerable]
    times = [a.latency_ms for a in answers]
    return Measures(
        questions=len(answers),
        unanswerable=len(rest),
        recall={k: mean([recall_at(a.places, n, k) for a, n in asked]) for k in ks},
        all_found={k: mean([all_at(a.places, n, k) for a, n in asked]) for k in ks},
        mrr=mean([reciprocal_rank(a.places) for a, _ in asked]),
        ndcg=mean([ndcg_at(a.places, n, _NDCG_AT) for a, n in asked]),
        context={b: mean([a.in_context[b] for a, _ in asked]) for b in budgets},
        false_silence=mean([float(a.silent) for a, _ in asked]),
        silence=mean([float(a.silent) for a in rest]),
        latency_ms={p: percentile(times, p) for p in (50, 95)},
    )
