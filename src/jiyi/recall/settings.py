"""Every number that ranking depends on, in one place. docs/recall.md holds the experiments."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """How recall weighs its evidence. The defaults were chosen leaving one user out at a time over
    public conversations in both languages (docs/recall.md, "How the weights were chosen").

    Args:
        k1, b: BM25's saturation (> 0) and length normalisation (0 to 1).
        after, before: what a term said one, two, … turns earlier (`after`: this turn came after it)
            or later (`before`) counts for a turn that lacks it, each from 0 to 1.
        session: weight of the best that the whole session holds for each term.
        line_decay: factor on the terms of each line further back, down to `line_floor`, when a
            conversation of three lines or more is the question: its end leads to what is needed.
        line_vector: factor on the weight of the vector arm for a dialogue with its speakers.
        max_terms: the heaviest query terms that are searched; a pasted page is no question.
        vector: weight of the vector arm, whose scores are cosines centred by the space's mean.
        vector_after, vector_before: like `after` and `before`, for cosines.
        assistant: factor on turns that the assistant said, unless the question asks for its words.
        other: factor on turns of tools and systems.
        time: added to units whose time lies in a period that the question names.
        entity: most that naming what is tied to what the question names adds to a unit.
        profile: most that filling the part of the profile that the question names adds.
        recency: most that being new can add; it halves every `half_life_days`. `recent` stands for
            it when the question is about now or last time.
        importance, confidence, use, pinned: most that each of these can add to a memory.
        asking: factor on turns that only ask or suppose something.
        unanswered: factor on those that ask the same as the question, or order it to be forgotten,
            or say that it is not known, as long as nobody answered them.
        others: factor on turns of named speakers when the question names another of them.
        owner: factor on memories that fill the part of a profile that a question asks for, but for
            somebody else.
        memory: factor on memories against verbatim turns; a memory is what a turn was reduced to.
        twins: share of the shorter text's terms from which an older turn counts as replaced by a
            newer one; `twin_pool` best candidates are compared.
        update_pool: best turns among which a newer figure is looked for.
        update_least: share of the question's mass that a statement with a figure holds at least.
        update_common: share of what the lesser of two statements holds that both must hold, where
            the newer says that something changed.
        update_bare, update_bare_common: where it only gives another figure, the share of the
            question that both must hold, and the share of what the fuller one holds.
        prefer_memory: share of what a turn holds of the question from which a memory drawn from it
            stands for it.
        pool: candidates that are looked at closely, per wanted hit, and `pool_extra` more.
        cosine_floor: centred cosine that the best of many unrelated units reaches as well.
        cosine_support: what a cosine above that floor is multiplied by to count as support.
        text_floor: share of the question's mass, by the scope's own statistics, under which the
            words that a unit holds do not count as support.
        weak, none: support under which an answer counts as weak, or as none at all, by words alone;
            `none_near` stands for `none` where the question was held against vectors as well, which
            are a second witness.
        unasked: factor on that threshold for a text that asks nothing, such as a piece of a
            conversation: what comes to mind answers no question falsely.
    """

    k1: float = 1.0
    b: float = 0.6
    after: tuple[float, ...] = (0.5, 0.25)
    before: tuple[float, ...] = (0.3, 0.15)
    session: float = 0.3
    line_decay: float = 0.7
    line_floor: float = 0.2
    line_vector: float = 0.5
    max_terms: int = 96
    vector: float = 0.6
    vector_after: tuple[float, ...] = (0.2, 0.1)
    vector_before: tuple[float, ...] = (0.1, 0.05)
    assistant: float = 0.7
    other: float = 0.5
    time: float = 0.25
    entity: float = 0.1
    profile: float = 0.1
    recency: float = 0.03
    recent: float = 0.2
    half_life_days: float = 30.0
    importance: float = 0.05
    confidence: float = 0.05
    use: float = 0.03
    pinned: float = 0.05
    asking: float = 0.6
    unanswered: float = 0.4
    others: float = 0.8
    owner: float = 0.6
    memory: float = 1.15
    twins: float = 0.6
    twin_pool: int = 8
    update_pool: int = 20
    update_least: float = 0.25
    update_common: float = 0.6
    update_bare: float = 0.45
    update_bare_common: float = 0.75
    prefer_memory: float = 0.8
    pool: float = 1.2
    pool_extra: int = 10
    cosine_support: float = 2.2
    cosine_floor: float = 0.15
    text_floor: float = 0.03
    weak: float = 0.7
    none: float = 0.45
    none_near: float = 0.62
    unasked: float = 0.3
