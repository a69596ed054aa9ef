"""What a memory names, and what it says of the names: the nodes and edges that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from jiyi.encode.slots import family_of, topic_of
from jiyi.ports import ALIAS, SELF, Name, Tie
from jiyi.text.entities import find_entities, name_key, possible_names
from jiyi.text.entities_aliases import find_aliases
from jiyi.text.entities_relations import find_relations
from jiyi.text.entities_roles import ROLES

if TYPE_CHECKING:
    from jiyi.types import Draft, EntityKind, MemoryRecord, Slot

USER: Final = "user"
"""The subject of slots that are about the user."""

APART: Final = "apart"
"""Field of `meta`: pairs of names that a memory does not make one, though its words may."""

_LONGEST: Final = 80  # characters of a name; longer ones are prose
_MOST: Final = 24  # names of one memory: a longer list is a document
_VALUE_KINDS: Final[Mapping[str, EntityKind]] = {
    "residence": "place", "hometown": "place", "workplace": "place", "employer": "organisation",
    "school": "organisation", "manager": "person", "pet": "name", "project": "name",
    "department": "organisation", "vehicle": "product", "device": "product", "tool": "product",
}  # fmt: skip
"""Attributes whose value is a thing of its own, and what kind of thing."""

_RELATED_KINDS: Final[Mapping[str, EntityKind]] = {"employer": "organisation", "residence": "place"}
_SELF_NAMES: Final = frozenset({"name", "nickname"})


class _Names:
    """The names met so far, each once; a kind that the words tell wins over an unknown one."""

    def __init__(self, apart: Iterable[frozenset[str]] = ()) -> None:
        self._apart = frozenset(apart)
        self._found: dict[str, Name] = {}
        self.ties: dict[Tie, None] = {}

    def add(self, text: str, kind: EntityKind = "name") -> str | None:
        """The key of a name; None for what is too long or too much to be one."""
        text = text.strip()
        key = name_key(text)
        if not key or len(text) > _LONGEST:
            return None
        known = self._found.get(key)
        if known is None and len(self._found) >= _MOST:
            return None
        if known is None or (known.kind == "name" and kind != "name"):
            self._found[key] = Name(key, known.text if known else text, kind)
        return key

    def perhaps(self, text: str) -> None:
        """A word that is a name only where another memory knows it as one."""
        key = name_key(text)
        self._found.setdefault(key, Name(key, text, "name", sure=False))

    def user(self) -> str:
        self._found.setdefault(SELF, Name(SELF, USER, "user"))
        return SELF

    def tie(self, one: str | None, relation: str, other: str | None) -> None:
        if one is None or other is None or one == other:
            return
        if relation != ALIAS or frozenset((one, other)) not in self._apart:
            self.ties[Tie(one, relation, other)] = None

    @property
    def names(self) -> tuple[Name, ...]:
        return tuple(self._found.values())


def names_in(memory: Draft | MemoryRecord) -> tuple[tuple[Name, ...], tuple[Tie, ...]]:
    """The names that a memory mentions, and the ties between them; ends of ties are among them."""
    found = _Names(_apart(memory.meta))
    aliases = find_aliases(memory.text)
    # "Everyone calls Robert Bob" names no Robert Bob.
    joined = {f"{one}{gap}{other}" for one, other in aliases for gap in (" ", "")}
    for mention in find_entities(memory.text):
        if mention.text not in joined:
            found.add(mention.text, mention.kind)
    told = (*memory.entities, *(memory.event.entities if memory.event else ()))
    for name in told:
        if name.lower() not in ROLES and name not in joined:
            found.add(name)
    if memory.slot is not None:
        _read_slot(found, memory.slot)
    for whose, relation, name in find_relations(memory.text):
        one = found.user() if whose is None else found.add(whose, "person")
        kind = _RELATED_KINDS.get(relation, "person")
        found.tie(one, relation, found.add(name, "name" if relation == "runs" else kind))
    for one_name, other_name in aliases:
        found.tie(found.add(one_name), ALIAS, found.add(other_name))
    for word in possible_names(memory.text):
        found.perhaps(word)
    return found.names, tuple(found.ties)


def _read_slot(found: _Names, slot: Slot) -> None:
    family, topic = family_of(slot.attribute), topic_of(slot.attribute)
    role = ROLES.get(slot.subject.lower())
    if family in _SELF_NAMES and slot.subject == USER:
        found.tie(found.user(), ALIAS, found.add(slot.value, "person"))
        return
    if family == "name" and role is not None:  # 我女儿叫朵朵
        found.tie(found.user(), role, found.add(slot.value, "person"))
        return
    if slot.subject == USER:
        one: str | None = found.user() if family in _VALUE_KINDS else None
    else:
        one = None if role is not None else found.add(slot.subject)
    if family == "alias":
        found.tie(one, ALIAS, found.add(slot.value))
    elif family in _VALUE_KINDS:
        relation = ROLES.get(family, family)
        found.tie(one, f"{relation} {topic}".strip(), found.add(slot.value, _VALUE_KINDS[family]))


def _apart(meta: Mapping[str, object]) -> Iterator[frozenset[str]]:
    pairs = meta.get(APART)
    for pair in pairs if isinstance(pairs, (list, tuple)) else ():
        if isinstance(pair, (list, tuple)):
            yield frozenset(name_key(str(name)) for name in pair)


def key_in(name: str) -> str:
    """The key that a name from outside stands for; "user" is the user."""
    key = name_key(name)
    return SELF if key == USER else key
