"""What was found out about a text, kept for when it is asked again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")


def kept(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Keep up to `most` answers of a function of a text, none of which may be None.

    By hash and length of the text: no text stays in memory for having been asked about. For
    answers that hold nothing of the text either, such as a number.
    """

    def keep(ask: Callable[[str], T]) -> Callable[[str], T]:
        answers: dict[tuple[int, int], T] = {}

        @wraps(ask)
        def answer(text: str) -> T:
            key = hash(text), len(text)
            known = answers.get(key)
            if known is None:
                known = ask(text)
                if len(answers) >= most:
                    answers.clear()
                answers[key] = known
            return known

        return answer

    return keep
