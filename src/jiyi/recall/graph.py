"""The graph of a scope: names that memories tie together become nodes, their relations edges."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from jiyi.ports import ALIAS, SELF, Mention, Name, Tie
from jiyi.types import Alias, Entity, EntityGraph, EntityKind, Relation


def graph_of(mentions: Sequence[Mention], ties: Sequence[Tie]) -> EntityGraph:
    """Nodes and edges out of what live memories name; see `EntityGraph`.

    Args:
        mentions, ties: as the store gives them, the newest first by name and by tie.
    """
    names = {mention.name.key: mention.name for mention in mentions}
    heads = _heads(names, ties)
    groups: dict[str, list[str]] = defaultdict(list)
    for key in names:
        groups[heads[key]].append(key)
    told: dict[str, list[str]] = defaultdict(list)
    for mention in mentions:
        told[mention.name.key].append(mention.memory_id)
    titles = {head: _title(keys, names, told) for head, keys in groups.items()}
    edges = _edges(ties, heads, titles)
    aliases: dict[str, list[Alias]] = defaultdict(list)
    for (one, _, other), ids in _by_tie(t for t in ties if t.relation == ALIAS).items():
        alias = Alias(name=names[one].text, other=names[other].text, memory_ids=tuple(ids))
        aliases[heads[one]].append(alias)
    touching: dict[str, list[Relation]] = defaultdict(list)
    for edge in edges:
        for title in dict.fromkeys((edge.subject, edge.object)):
            touching[title].append(edge)
    nodes = []
    for head, keys in groups.items():
        held = {id for key in keys for id in told[key]}
        nodes.append(
            Entity(
                name=titles[head],
                kind=_kind(names[key] for key in keys),
                names=_title_first(titles[head], (names[key].text for key in keys)),
                aliases=tuple(aliases[head]),
                relations=tuple(touching[titles[head]]),
                # Ids ascend with time.
                memory_ids=tuple(sorted(held, reverse=True)),
            )
        )
    nodes.sort(key=lambda node: (-len(node.memory_ids), node.name))
    return EntityGraph(nodes=tuple(nodes), edges=tuple(edges))


def _heads(names: Iterable[str], ties: Iterable[Tie]) -> dict[str, str]:
    """For each key the one that stands for its group: keys tied by aliases are one."""
    heads = {key: key for key in names}

    def head(key: str) -> str:
        while heads[key] != key:
            key = heads[key]
        return key

    for tie in ties:
        if tie.relation == ALIAS:
            # The user's key is the smallest, so that it stands for the user's names.
            first, second = sorted((head(tie.one), head(tie.other)))
            heads[second] = first
    return {key: head(key) for key in heads}


def _title(keys: Sequence[str], names: dict[str, Name], told: dict[str, list[str]]) -> str:
    """The name that most memories use; the user is called so."""
    if SELF in keys:
        return names[SELF].text
    return names[max(keys, key=lambda key: (len(told[key]), len(key), key))].text


def _edges(ties: Sequence[Tie], heads: dict[str, str], titles: dict[str, str]) -> list[Relation]:
    found: dict[tuple[str, str, str], dict[str, None]] = defaultdict(dict)
    for (one, relation, other), ids in _by_tie(t for t in ties if t.relation != ALIAS).items():
        ends = titles[heads[one]], titles[heads[other]]
        if ends[0] != ends[1]:
            found[ends[0], relation, ends[1]] |= dict.fromkeys(ids)
    return [
        Relation(subject=subject, relation=relation, object=object, memory_ids=tuple(ids))
        for (subject, relation, object), ids in sorted(found.items())
    ]


def _by_tie(ties: Iterable[Tie]) -> dict[tuple[str, str, str], list[str]]:
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for tie in ties:
        found[tie.one, tie.relation, tie.other].append(tie.memory_id)
    return found


def _kind(names: Iterable[Name]) -> EntityKind:
    """The kind that most names have, an unknown one last."""
    kinds = Counter(name.kind for name in names)
    if "user" in kinds:
        return "user"
    return max(kinds, key=lambda kind: (kind != "name", kinds[kind], kind))


def _title_first(title: str, texts: Iterable[str]) -> tuple[str, ...]:
    return (title, *sorted(text for text in texts if text != title))
