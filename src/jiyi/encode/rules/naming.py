"""Who is who, in both languages: "Robert, whom everybody calls Bob", 我妹妹小红在腾讯上班.

What no other rule reads is kept as it was said, so that the names in it are tied together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from jiyi.encode.rules.finding import Finding
from jiyi.text.entities_aliases import find_aliases
from jiyi.text.entities_relations import find_relations
from jiyi.text.entities_roles import ROLES
from jiyi.text.normalise import fold

if TYPE_CHECKING:
    from jiyi.encode.guard import Statement

ALIAS: Final = "alias"
RELATION: Final = "relation"
_LABELS: Final = frozenset(ROLES.values())
_LONGEST: Final = 220  # characters of a statement; a longer one is prose


def naming(statement: Statement, told: Sequence[str]) -> Finding | None:
    """What a statement says of names, where the facts that were found in it do not say it.

    Args:
        told: the texts of these facts.
    """
    text = statement.text.strip()
    if len(text) > _LONGEST:
        return None
    known = {frozenset(map(fold, pair)) for each in told for pair in find_aliases(each)}
    for name, other in find_aliases(text):
        if frozenset(map(fold, (name, other))) not in known:
            return Finding(ALIAS, other, subject=name, entities=(name, other), importance=0.6)
    if told:
        return None
    relations = find_relations(text)
    for whose, relation, name in relations:
        if whose is not None and relation not in _LABELS and relation != "runs":
            return Finding(relation, name, subject=whose, importance=0.55)
    for whose, relation, name in relations:
        if relation in _LABELS:
            subject = whose or "user"
            return Finding(f"{RELATION}/{relation}", name, subject=subject, importance=0.55)
    return None
