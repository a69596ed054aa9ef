"""Turns that state nothing rank lower: "where do I live?" is no answer to itself.

Such a turn may still lead to the answer, which stands beside it. One that asks the same as the
question, orders it to be forgotten or says that it is not known, leads nowhere as long as nobody
answered it: it is no witness that anything is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jiyi.recall.asking import only_repeats, states_nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jiyi.recall.candidate import Candidate
    from jiyi.recall.settings import RecallSettings
    from jiyi.types import UnitKey

_UNANSWERED: Final = "unanswered"


def place_asking(
    candidates: Sequence[Candidate],
    question: str,
    settings: RecallSettings,
    *,
    after: Callable[[UnitKey], UnitKey | None],
) -> None:
    """Lower the score of turns that state nothing by a factor. `after` gives the turn that was said
    after a turn."""
    turns = {c.stored.key: c for c in candidates if c.stored.memory is None}
    asking = {key: c for key, c in turns.items() if states_nothing(c.text)}
    for key, candidate in asking.items():
        following = turns.get(following_key) if (following_key := after(key)) else None
        answered = (
            following is not None
            and following.stored.key not in asking
            and _speaker(following) != _speaker(candidate)
        )
        if answered or not only_repeats(candidate.text, question):
            candidate.add("asks", candidate.score * (settings.asking - 1))
        else:
            candidate.add(_UNANSWERED, candidate.score * (settings.unanswered - 1))


def tells_something(candidate: Candidate) -> bool:
    """Whether a candidate can witness that something is known; asked after `place_asking`."""
    return _UNANSWERED not in candidate.scores


def _speaker(candidate: Candidate) -> tuple[str, str | None] | None:
    turn = candidate.stored.turn
    return None if turn is None else (turn.role, turn.name)
