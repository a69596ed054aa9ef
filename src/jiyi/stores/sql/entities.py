"""What memories name: entities, the memories that mention them, and what ties them together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from jiyi.ports import Mention, Name, Tie
from jiyi.stores.sql.codec import key_of, micros, unpack_id
from jiyi.stores.sql.session import Readable, ReadSession, WriteSession, labels

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.ports import TermWeights
    from jiyi.stores.sql.connection import Connection, Dialect, Row
    from jiyi.stores.sql.session import Space, StoreState
    from jiyi.types import Scope, UnitKey

_NAMES = "SELECT id, name, text, kind FROM entity WHERE space = :space"
_LIVE = "m.status = 1 AND (m.expires_at IS NULL OR m.expires_at > :now)"
_MENTIONS = """
SELECT e.name, e.text, e.kind, m.id, COALESCE(m.unit, m.key) FROM entity_mention AS n
JOIN memory AS m ON m.key = n.memory JOIN entity AS e ON e.id = n.entity
WHERE {which} AND {readable} AND {live} ORDER BY e.name, n.memory DESC
"""
_SAID = """
FROM relation_source AS s JOIN memory AS m ON m.key = s.memory
WHERE s.relation = r.id AND {readable} AND {live}
"""
_EDGES = """
SELECT a.name, r.name, b.name, NULL FROM relation AS r
JOIN entity AS a ON a.id = r.one JOIN entity AS b ON b.id = r.other
WHERE {which} AND EXISTS (SELECT 1 {said}) LIMIT :limit
"""
_WITHIN = "n.entity = :id AND n.memory >= :low AND n.memory < :high"
_TIES = """
SELECT a.name, r.name, b.name, m.id FROM relation AS r
JOIN entity AS a ON a.id = r.one JOIN entity AS b ON b.id = r.other
JOIN relation_source AS s ON s.relation = r.id JOIN memory AS m ON m.key = s.memory
WHERE a.space = :space AND {readable} AND {live} ORDER BY 1, 2, 3, m.key DESC
"""
_FILLING = """
SELECT COALESCE(m.unit, m.key) FROM memory AS m
WHERE m.space = :space AND m.slot_subject = :subject AND {which} AND {readable} AND {live}
    AND (m.valid_from IS NULL OR m.valid_from <= :now)
ORDER BY m.key DESC LIMIT :limit
"""
_ADD_NAME = """
INSERT INTO entity (space, name, text, kind) VALUES (:space, :key, :text, :kind)
ON CONFLICT DO NOTHING
"""
_KNOW_KIND = "UPDATE entity SET kind = :kind WHERE id = :id"
_ADD_MENTION = "INSERT INTO entity_mention (memory, entity) VALUES (:memory, :entity)"
_ADD_TIE = """
INSERT INTO relation (one, name, other) VALUES (:one, :name, :other) ON CONFLICT DO NOTHING
"""
_TIE = "SELECT id FROM relation WHERE one = :one AND name = :name AND other = :other"
_ADD_SOURCE = """
INSERT INTO relation_source (memory, relation) VALUES (:memory, :relation) ON CONFLICT DO NOTHING
"""
_UNSAID = "NOT EXISTS (SELECT 1 FROM relation_source AS s WHERE s.relation = relation.id)"
# No index leads from a name to its memories: one look over those of the space is cheap enough, for
# a name seldom goes, and it would cost every mention as much room again.
_UNMENTIONED = """
id NOT IN (SELECT entity FROM entity_mention WHERE memory >= :low AND memory < :high)
"""


class EntityReads(ReadSession):
    """The side of the `Reader` port that tells who and what is spoken of."""

    def names(self, scope: Scope, keys: Sequence[str] | None = None) -> list[Name]:
        found: dict[str, Name] = {}
        for readable in self._readable(scope):
            for _, key, text, kind in self._entities(readable.space, keys):
                found.setdefault(key, Name(key, text, kind))
        return list(found.values())

    def mentions(
        self,
        scope: Scope,
        keys: Sequence[str] | None = None,
        *,
        now: datetime,
        limit: int | None = None,
    ) -> list[Mention]:
        found: list[Mention] = []
        for readable in self._readable(scope):
            space = readable.space
            bound = {"now": micros(now), "space": space.id, **space.range(), **labels(scope)}
            if keys is None:
                rows = self._mentions(readable, "e.space = :space", bound, limit)
            else:
                rows = []
                for id, *_ in self._entities(space, keys):
                    rows += self._mentions(readable, _WITHIN, bound | {"id": id}, limit)
            found += [
                Mention(Name(key, text, kind), unpack_id(id), key_of(unit))
                for key, text, kind, id, unit in rows
            ]
        return found

    def _mentions(
        self, readable: Readable, which: str, bound: Mapping[str, object], limit: int | None
    ) -> list[Row]:
        sql = _MENTIONS.format(which=which, readable=readable.audiences(), live=_LIVE)
        if limit is None:
            return self._db.all(sql, bound)
        return self._db.all(f"{sql} LIMIT :limit", {**bound, "limit": limit})

    def ties(self, scope: Scope, *, now: datetime) -> list[Tie]:
        found: list[Tie] = []
        for readable in self._readable(scope):
            sql = _TIES.format(readable=readable.audiences(), live=_LIVE)
            bound = {"now": micros(now), "space": readable.space.id, **labels(scope)}
            rows = self._db.all(sql, bound)
            found += [Tie(one, name, other, unpack_id(id)) for one, name, other, id in rows]
        return found

    def ties_of(
        self,
        scope: Scope,
        key: str,
        *,
        now: datetime,
        relation: str | None = None,
        limit: int,
    ) -> list[Tie]:
        found: list[Tie] = []
        for readable in self._readable(scope):
            said = _SAID.format(readable=readable.audiences(), live=_LIVE)
            bound = {"now": micros(now), "limit": limit, "relation": relation, **labels(scope)}
            for id, *_ in self._entities(readable.space, [key]):
                for side in ("r.one", "r.other"):
                    which = f"{side} = :id" + (
                        "" if relation is None else " AND r.name = :relation"
                    )
                    sql = _EDGES.format(which=which, said=said)
                    rows = self._db.all(sql, bound | {"id": id})
                    found += [Tie(one, name, other) for one, name, other, _ in rows]
        return found

    def filling(
        self, scope: Scope, *, subject: str, attributes: Sequence[str], now: datetime, limit: int
    ) -> list[UnitKey]:
        found: list[UnitKey] = []
        if not attributes:
            return found
        bound = {"now": micros(now), "subject": subject, "limit": limit, **labels(scope)}
        parts = []
        for place, attribute in enumerate(attributes):
            # '0' follows '/': one range of the index holds every topic of a family.
            bound |= {f"is{place}": attribute, f"low{place}": f"{attribute}/"}
            bound[f"high{place}"] = f"{attribute}0"
            column = self._dialect.ordered("m.slot_attribute")
            parts.append(
                f"m.slot_attribute = :is{place}"
                f" OR ({column} >= :low{place} AND {column} < :high{place})"
            )
        which = f"({' OR '.join(parts)})"
        for readable in self._readable(scope):
            sql = _FILLING.format(which=which, readable=readable.audiences(), live=_LIVE)
            rows = self._db.all(sql, bound | {"space": readable.space.id})
            found += [key_of(row[0]) for row in rows]
        return found

    def _entities(self, space: Space, keys: Sequence[str] | None) -> list[Row]:
        """(id, key, text, kind) of names."""
        if keys is None:
            return self._db.all(f"{_NAMES} ORDER BY name", {"space": space.id})
        if not keys:
            return []
        within = self._dialect.within("name", "keys")
        return self._db.all(
            f"{_NAMES} AND {within}", {"space": space.id, "keys": self._array(list(keys))}
        )


class EntityWrites(EntityReads, WriteSession):
    """Keeps names and ties with the memories that hold them."""

    def __init__(self, connection: Connection, dialect: Dialect, state: StoreState) -> None:
        super().__init__(connection, dialect, state)
        # What this transaction has met: ids and kinds of names, and ids of ties.
        self._named: dict[tuple[int, str], tuple[int, str]] = {}
        self._tied: dict[tuple[int, str, int], int] = {}
        self._dropped = 0

    def _name(self, space: Space, memory: int, terms: TermWeights) -> set[int]:
        """Note what a memory names that has no names yet. Returns the ids of the names."""
        ids = {name.key: self._name_id(space, name) for name in terms.names if name.sure}
        perhaps = [name.key for name in terms.names if not name.sure]
        ids |= {key: id for id, key, *_ in self._entities(space, perhaps)}
        for id in dict.fromkeys(ids.values()):
            self._db.run(_ADD_MENTION, {"memory": memory, "entity": id})
        for tie in terms.ties:
            edge = self._tie_id(ids[tie.one], tie.relation, ids[tie.other])
            self._db.run(_ADD_SOURCE, {"memory": memory, "relation": edge})
        return set(ids.values())

    def _name_id(self, space: Space, name: Name) -> int:
        known = self._named.get((space.id, name.key))
        if known is None:
            self._db.run(
                _ADD_NAME,
                {"space": space.id, "key": name.key, "text": name.text, "kind": name.kind},
            )
            row = self._db.one(f"{_NAMES} AND name = :key", {"space": space.id, "key": name.key})
            assert row is not None  # noqa: S101 - it is there, or was just added
            known = row[0], row[3]
        id, kind = known
        if kind == "name" != name.kind:
            kind = name.kind
            self._db.run(_KNOW_KIND, {"id": id, "kind": kind})
        self._named[space.id, name.key] = id, kind
        return id

    def _tie_id(self, one: int, relation: str, other: int) -> int:
        known = self._tied.get((one, relation, other))
        if known is None:
            edge = {"one": one, "name": relation, "other": other}
            self._db.run(_ADD_TIE, edge)
            row = self._db.one(_TIE, edge)
            assert row is not None  # noqa: S101 - it is there, or was just added
            known = self._tied[one, relation, other] = row[0]
        return known

    def _rename(self, space: Space, memory: int, terms: TermWeights) -> None:
        """Note what a memory names now."""
        held = self._forget_said([memory])
        gone = held - self._name(space, memory, terms)
        self._drop_names(space, gone)

    def _unname(self, space: Space, memories: Sequence[int]) -> int:
        """Drop what memories of a space name, and the names that no other memory holds. Returns how
        many names and ties went."""
        before = self._dropped
        self._drop_names(space, self._forget_said(memories))
        return self._dropped - before

    def _forget_said(self, memories: Sequence[int]) -> set[int]:
        """Drop mentions and ties of memories, with the ties that nobody else tells. Returns the ids
        of the names that they mentioned."""
        bound = {"keys": self._array(list(memories))}
        within = self._dialect.within("memory", "keys")
        told = self._db.all(f"SELECT relation FROM relation_source WHERE {within}", bound)  # noqa: S608
        if told:
            self._tied.clear()
            self._db.run(f"DELETE FROM relation_source WHERE {within}", bound)  # noqa: S608
            ids = {"ids": self._array(sorted({row[0] for row in told}))}
            unsaid = f"{self._dialect.within('id', 'ids')} AND {_UNSAID}"
            self._dropped += self._db.run(f"DELETE FROM relation WHERE {unsaid}", ids)  # noqa: S608
        held = self._db.all(f"SELECT entity FROM entity_mention WHERE {within}", bound)  # noqa: S608
        if held:
            self._db.run(f"DELETE FROM entity_mention WHERE {within}", bound)  # noqa: S608
        return {row[0] for row in held}

    def _drop_names(self, space: Space, ids: Collection[int]) -> None:
        if not ids:
            return
        self._named.clear()
        bound = {"ids": self._array(sorted(ids)), **space.range()}
        unmentioned = f"{self._dialect.within('id', 'ids')} AND {_UNMENTIONED}"
        self._dropped += self._db.run(f"DELETE FROM entity WHERE {unmentioned}", bound)  # noqa: S608

    def _unname_space(self, space: Space) -> int:
        self._named.clear()
        self._tied.clear()
        bound = {"space": space.id, **space.range()}
        for table in ("relation_source", "entity_mention"):
            self._db.run(f"DELETE FROM {table} WHERE memory >= :low AND memory < :high", bound)  # noqa: S608
        ours = "(SELECT id FROM entity WHERE space = :space)"
        edges = self._db.run(f"DELETE FROM relation WHERE one IN {ours}", bound)  # noqa: S608
        return edges + self._db.run("DELETE FROM entity WHERE space = :space", bound)
