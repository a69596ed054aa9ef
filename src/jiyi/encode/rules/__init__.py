"""Extraction by rules: what a turn says about the speaker and their world, without a model.

A turn is guarded (`encode.guard`), cut into clauses with their subjects (`clauses_en`,
`clauses_zh`), and each clause is read by one kind of rule after the other (`reading`).
"""

from __future__ import annotations

from collections.abc import Sequence

from jiyi.encode.rules.results import Command, Erase, Extraction, Retract
from jiyi.types import Turn

__all__ = ["Command", "Erase", "Extraction", "Retract", "extract"]


def extract(turn: Turn, previous: Sequence[Turn] = ()) -> Extraction:
    """What the rules find in a turn.

    Args:
        turn: the message to read.
        previous: earlier turns of the same session, oldest first; they tell what "that" and
            "Tuesday instead" are about.

    Returns:
        Drafts and commands in the order of saying; each draft cites the turn and its span.
    """
    # Some hundred patterns are compiled on the first turn, not when the package is imported.
    from jiyi.encode.rules.extraction import extract as read

    return read(turn, previous)
