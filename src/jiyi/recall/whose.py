"""Whose fact a question asks for: "where do I live?" is not answered by where my sister lives.

Both share as many words with the question, and both fill the part of a profile that it names; what
tells them apart is of whom they tell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jiyi.text.entities_roles import EN_ROLES, ZH_ROLES
from jiyi.text.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jiyi.recall.candidate import Candidate
    from jiyi.recall.profile_arm import Part
    from jiyi.recall.settings import RecallSettings

_FIRST_PERSON: Final = regex(r"\b(?:i|me|my|mine|we|us|our)\b|[我咱俺]|本人", re.IGNORECASE)
_ROLE: Final = regex(rf"\b(?:{EN_ROLES})s?\b|{ZH_ROLES}", re.IGNORECASE)


def asks_of_oneself(query: str) -> bool:
    """Whether a question is about who asks, and about nobody who is something to them."""
    return bool(_FIRST_PERSON.search(query)) and not _ROLE.search(query)


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
