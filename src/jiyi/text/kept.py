"""What was found out about a text, kept for when it is asked again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Final, TypeVar

T = TypeVar("T")
A = TypeVar("A", bound=Hashable)

_forgetting: Final[list[Callable[[], None]]] = []


def kept(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Keep up to `most` answers of a function of a text, none of which may be None.

    By hash and length of the text: no text stays in memory for having been asked about. For
    answers that hold nothing of the text either, such as a number; see `until_erased`.
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


def until_erased(most: int) -> Callable[[Callable[[A], T]], Callable[[A], T]]:
    """Keep the last `most` answers of a function that hold words of the text, until
    `forget_texts`."""

    def remember(ask: Callable[[A], T]) -> Callable[[A], T]:
        answer = lru_cache(maxsize=most)(ask)
        _forgetting.append(answer.cache_clear)
        return answer

    return remember


def forget_texts() -> None:
    """Let go of all that was remembered of texts, because one of them was erased."""
    for forget in _forgetting:
        forget()
