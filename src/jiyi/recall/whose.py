"""Whose fact a question asks for: "where do I live?" is not answered by where my sister lives.

Both share as many words with the question, and both fill the part of a profile that it names; what
tells them apart is of whom they tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiyi.recall.entity_arm import roles_in
from jiyi.recall.intent import names_oneself
from jiyi.text.normalise import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.recall.candidate import Candidate
    from jiyi.recall.profile_arm import Part
    from jiyi.recall.settings import RecallSettings


def asks_of_oneself(query: str) -> bool:
    """Whether a question is about who asks, and about nobody who is something to them."""
    return names_oneself(query) and not roles_in(fold(query))


def favour_owner(candidates: Sequence[Candidate], part: Part, settings: RecallSettings) -> None:
    """Memories that fill this part of a profile for somebody else lose by a factor.

    Where nothing fills it for whom the question is about, what is known of others is the nearest
    there is, and keeps its score.
    """
    if not part.owned or not part.filling:
        return
    for candidate in candidates:
        memory = candidate.stored.memory
        if memory is None or memory.slot is None or candidate.stored.key in part.filling:
            continue
        if memory.slot.attribute in part.attributes and memory.status == "active":
            candidate.add("another's", candidate.score * (settings.owner - 1))
