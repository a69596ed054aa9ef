"""The entity arm: whom a question is about, under which other names, and who is tied to them.

A unit that holds another name of somebody counts like one that holds the name itself, in the text
arm (`with_synonyms`). What stands one or two ties away is only near: it adds a little to the units
that name it (`near_scores`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from jiyi.ports import ALIAS, SELF
from jiyi.text.entities_roles import EN_ROLES, ROLES, ZH_ROLES
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.text.scripts import HAN
from jiyi.text.terms import term_weights

if TYPE_CHECKING:
    from datetime import datetime

    import numpy.typing as npt

    from jiyi.ports import Postings, Reader, Tie
    from jiyi.types import Scope

_LOOK_AT: Final = 300  # characters of a question that names are looked for in
_WORDS: Final = 4  # words of a name at most
_CHARACTERS: Final = 6  # Chinese characters of a name at most
_STEP: Final = 0.5  # what each tie away from the name counts
_HOPS: Final = 2
_HUB: Final = 16  # ties from which a name is near to everything, and says nothing
_MOST_TIES: Final = 24  # ties that are read of one name, at each of its ends
_MOST_MEANT: Final = 3  # people whom one word ("my sister") may mean
_MOST_NAMES: Final = 10  # names that a question is about or near to
_TOKEN: Final = regex(f"[^\\W_{HAN}]+(?:[-'’.@/&+#][^\\W_{HAN}]+)*(?:\\+\\+|#)?|[{HAN}]+")
_HAN_RUN: Final = regex(f"[{HAN}]+")
_ROLE: Final = regex(f"\\b(?:{EN_ROLES})(?=s?\\b)|{ZH_ROLES}")


@dataclass(frozen=True)
class Named:
    """What a question is about, in folded text. `meant` are the names that it names, under all
    their names; `synonyms` the other names of what a word or name of the question means, by that
    one; `near` says how near the names are that ties lead to, under 1."""

    meant: tuple[str, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    near: Mapping[str, float] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many names are searched for that the question does not hold."""
        return len({*self.near, *(name for names in self.synonyms.values() for name in names)})

    @cached_property
    def terms(self) -> Mapping[str, tuple[str, ...]]:
        """The index terms of every name that the question does not hold."""
        others = (name for names in self.synonyms.values() for name in names)
        return {name: tuple(term_weights(name).counts) for name in (*self.near, *others)}


def find_named(reader: Reader, scope: Scope, query: str, *, now: datetime) -> Named:
    """Whom and what `query` names, as the memories of a scope know it."""
    text = fold(query[:_LOOK_AT])
    asked = [name.key for name in reader.names(scope, list(_candidates(text))) if name.key != SELF]
    asked = _longest(asked)[:_MOST_NAMES]
    roles = roles_in(text)
    if not asked and not roles:
        return Named()
    search = _Search(reader, scope, now)
    synonyms = {key: tuple(search.aliases([key])) for key in asked}
    for word in roles:
        owners = [name for key in asked for name in (key, *synonyms[key])] or [SELF]
        held = search.holders(owners, ROLES[word])
        # "My friend" who is one of many means nobody in particular.
        if 0 < len(held) <= _MOST_MEANT:
            synonyms[word] = tuple(dict.fromkeys((*held, *search.aliases(held))))
    others = (name for names in synonyms.values() for name in names)
    meant = tuple(dict.fromkeys((*asked, *others)))[:_MOST_NAMES]
    known = {word: names for word, names in synonyms.items() if names}
    return Named(meant, known, search.around(meant))


def roles_in(text: str) -> set[str]:
    """The words of a folded text for what people are to each other ("sister", 老板)."""
    return {match.group() for match in _ROLE.finditer(text)}


def _candidates(text: str) -> Iterator[str]:
    """What may be a name in a folded text: runs of up to four words, of two to six characters."""
    tokens = [match.group() for match in _TOKEN.finditer(text)]
    for place, token in enumerate(tokens):
        if _HAN_RUN.match(token):
            for size in range(2, min(_CHARACTERS, len(token)) + 1):
                yield from (token[at : at + size] for at in range(len(token) - size + 1))
            continue
        for size in range(1, _WORDS + 1):
            words = tokens[place : place + size]
            if len(words) < size:
                break
            yield " ".join(words).removesuffix("'s").removesuffix("’s")


def _longest(keys: Sequence[str]) -> list[str]:
    """Names without those that are only a part of another one in the question."""
    return [key for key in keys if not any(key != other and key in other for other in keys)]


class _Search:
    """Walks the ties of a scope."""

    def __init__(self, reader: Reader, scope: Scope, now: datetime) -> None:
        self._reader, self._scope, self._now = reader, scope, now
        self._known: dict[tuple[str, str | None], list[Tie]] = {}

    def _ties(self, key: str, relation: str | None = None) -> list[Tie]:
        known = self._known.get((key, relation))
        if known is None:
            known = self._known[key, relation] = self._reader.ties_of(
                self._scope, key, now=self._now, relation=relation, limit=_MOST_TIES
            )
        return known

    def aliases(self, keys: Sequence[str]) -> list[str]:
        """The other names of these, as far as memories tie them together; through the user too,
        who has several names and is none of them."""
        known = dict.fromkeys(keys)
        waiting = list(keys)
        while waiting and len(known) < _MOST_NAMES:
            key = waiting.pop(0)
            ties = self._ties(key, ALIAS) if key == SELF else self._ties(key)
            for tie in ties:
                other = tie.other if tie.one == key else tie.one
                if tie.relation == ALIAS and other not in known:
                    known[other] = None
                    waiting.append(other)
        return [key for key in known if key not in keys and key != SELF]

    def holders(self, owners: Sequence[str], relation: str) -> list[str]:
        """Who stands in a relation to one of the owners: the user's sister, Anna's husband."""
        ties = [tie for key in owners for tie in self._ties(key, relation) if tie.one == key]
        return list(dict.fromkeys(tie.other for tie in ties))[:_MOST_NAMES]

    def around(self, start: Sequence[str]) -> dict[str, float]:
        """How near the names are that stand one or two ties away. Whoever is tied to everything,
        the user above all, leads nowhere."""
        weights: dict[str, float] = {}
        edge = list(start)
        for hop in range(_HOPS):
            near: dict[str, None] = {}
            for key in edge:
                ties = self._ties(key)
                if len(ties) < _HUB:
                    near |= dict.fromkeys(k for t in ties for k in (t.one, t.other))
            edge = [key for key in near if key not in weights and key not in start and key != SELF]
            edge = edge[: _MOST_NAMES - len(weights)]
            weights |= dict.fromkeys(edge, _STEP ** (hop + 1))
        return weights


def near_scores(postings: Postings, named: Named) -> npt.NDArray[np.float32]:
    """The arm's scores by unit number: how near the names are that a unit holds, times the share of
    units that do not hold them, as for periods: who is named everywhere tells nothing apart. What
    the question names itself is told by the text arm, under all its names."""
    scores = np.zeros(postings.size, np.float32)
    for name, weight in named.near.items():
        held = _holders(postings, named.terms[name])
        count = int(np.count_nonzero(held))
        if count:
            rare = np.float32(weight * (1.0 - count / postings.count))
            np.maximum(scores, held * rare, out=scores)
    return scores


def with_synonyms(
    postings: Sequence[Postings], named: Named, terms: Mapping[str, float]
) -> list[Postings]:
    """The postings with every unit that holds another name of what the question names counted
    among those that hold the name itself; terms that were not asked for leave."""
    return [_merged(space, named, terms) for space in postings]


def _merged(space: Postings, named: Named, terms: Mapping[str, float]) -> Postings:
    kept = {term: found for term, found in space.terms.items() if term in terms}
    for name, others in named.synonyms.items():
        extra = np.zeros(space.size, np.bool_)
        for other in others:
            extra |= _holders(space, named.terms[other])
        if not extra.any():
            continue
        for term in term_weights(name).counts:
            if term in terms:
                kept[term] = _union(kept.get(term), extra)
    return replace(space, terms=kept)


def _holders(space: Postings, terms: Sequence[str]) -> npt.NDArray[np.bool_]:
    """By unit number, whether a unit holds every term of a name."""
    lists = [space.terms[term][0] for term in terms if term in space.terms]
    held = np.zeros(space.size, np.uint8)
    if not lists or len(lists) < len(terms):
        return held.view(np.bool_)
    for numbers in lists:
        held[numbers] += 1
    whole: npt.NDArray[np.bool_] = held == len(lists)
    return whole


def _union(
    found: tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]] | None,
    extra: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """The occurrences of a term, and one in each of the further units."""
    counts = extra.astype(np.float32)
    if found is not None:
        counts[found[0]] = found[1]
    numbers = np.flatnonzero(counts).astype(np.int32)
    return numbers, counts[numbers]
