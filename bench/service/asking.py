"""What a client does: observe, recall and ask for a context, in the proportions of a chat."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bench.made_up import MadeUp

# In a chat, each question is a turn too, and so is its answer; searching by hand comes on top.
MIX = (("observe", 0.3), ("recall", 0.4), ("context", 0.3))
_WORDS = 7  # of a question


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: the verb, whose memory, and the text of the turn or question."""

    verb: str
    user: str
    text: str


class Visitor:
    """One client with its own random numbers, working for one user."""

    def __init__(self, user: str, seed: int) -> None:
        self._pick = random.Random(seed)
        self._maker = MadeUp("en" if user.isascii() else "zh", seed=1000 + seed)
        self._user = user

    def next(self) -> Ask:
        """What it does next."""
        verbs, weights = zip(*MIX, strict=True)
        (verb,) = self._pick.choices(verbs, weights)
        text = self._maker.text()
        if verb != "observe":
            words = text.split()
            text = " ".join(words[:_WORDS]) if len(words) >= _WORDS else text[: 2 * _WORDS]
        return Ask(verb, self._user, text)
