"""Vectors: float16 in the store, one float32 matrix per space and model in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jiyi.errors import InvalidInputError
from jiyi.ports import VectorBlock
from jiyi.stores.sql.codec import SPACE_BITS, key_of, unit_of
from jiyi.stores.sql.session import WriteSession
from jiyi.stores.sql.text_index import TextIndexReads
from jiyi.stores.sql.vector_cache import CachedVectors
from jiyi.types import Scope

if TYPE_CHECKING:
    from jiyi.stores.sql.session import Space
    from jiyi.types import UnitKey

_NUMBER = (1 << SPACE_BITS) - 1
_CHUNK = 4096  # numbers read at once: 3 MB of float16
_COUNT_NEW = """
SELECT COUNT(*), MAX(seq) FROM vector
WHERE model = :model AND unit >= :low AND unit < :high AND seq > :last
"""
_NEW = """
SELECT unit, data FROM vector
WHERE model = :model AND unit >= :low AND unit < :high AND seq > :last ORDER BY unit
"""
_INSERT = """
INSERT INTO vector (model, unit, data)
SELECT :model, :unit, :data WHERE
    EXISTS (SELECT 1 FROM memory WHERE key = :unit AND status <> 6)
    OR EXISTS (SELECT 1 FROM turn WHERE key = :unit)
    OR EXISTS (SELECT 1 FROM piece WHERE unit = :unit)
    OR EXISTS (SELECT 1 FROM memory WHERE unit = :unit AND status <> 6)
    OR EXISTS (SELECT 1 FROM memory_past WHERE unit = :unit)
    OR EXISTS (SELECT 1 FROM passage WHERE unit = :unit)
ON CONFLICT DO NOTHING
"""
# Everything that has a text of its own: present memories, short turns, pieces of long ones.
_UNEMBEDDED = """
SELECT unit, name, text, start, stop FROM (
    SELECT COALESCE(m.unit, m.key) AS unit, NULL AS name, m.text AS text, NULL AS start,
            NULL AS stop
        FROM memory AS m WHERE m.status <> 6
            AND NOT EXISTS (SELECT 1 FROM vector AS v
                WHERE v.model = :model AND v.unit = COALESCE(m.unit, m.key))
    UNION ALL
    SELECT COALESCE(p.unit, t.key), t.name, t.text, p.start, p.stop
        FROM turn AS t LEFT JOIN piece AS p ON p.turn = t.key
        WHERE NOT EXISTS (SELECT 1 FROM vector AS v
            WHERE v.model = :model AND v.unit = COALESCE(p.unit, t.key))
) AS waiting LIMIT :limit
"""


class VectorReads(TextIndexReads):
    """The vector side of the `Reader` port."""

    def _model(self, name: str) -> tuple[int, int] | None:
        """The number and dimension of a model that has vectors."""
        row = self._db.one(
            "SELECT id, dimension FROM vector_model WHERE name = :name", {"name": name}
        )
        return None if row is None else (row[0], row[1])

    def vectors(self, scope: Scope, model: str) -> list[VectorBlock]:
        known = self._model(model)
        if known is None:
            return []
        blocks = []
        for readable in self._readable(scope):
            visible = None if readable.own else self._visible(readable, scope)
            if visible is not None and not visible.any():
                continue
            block = self._cached(readable.space, *known)
            if visible is not None:
                # Only what is shared; a copy, because these are few among the common space's own.
                seen = np.flatnonzero(visible[np.minimum(block.numbers, len(visible) - 1)])
                block = VectorBlock(block.space, block.numbers[seen], block.matrix[seen])
            if len(block.numbers):
                blocks.append(block)
        return blocks

    def _cached(self, space: Space, model: int, dimension: int) -> VectorBlock:
        if space.changed:
            # Rows that may yet be rolled back stay out of what others see.
            entry = CachedVectors(dimension, space.erased)
            self._bring_up_to_date(entry, space, model)
            return entry.block(space.id)
        entry = self._state.vector_cache.entry(space.id, model, dimension, space.erased)
        with entry.lock:
            if entry.change < space.change:
                self._bring_up_to_date(entry, space, model)
                entry.change = space.change
            block = entry.block(space.id)
        self._state.vector_cache.trim()
        return block

    def _bring_up_to_date(self, entry: CachedVectors, space: Space, model: int) -> None:
        asked = {"model": model, "last": entry.last_seq, **space.range()}
        row = self._db.one(_COUNT_NEW, asked)
        new, newest = row if row is not None else (0, None)
        if not new:
            return
        first_new = entry.count
        entry.reserve(new)
        # Runs of numbers, so that loading needs little room beside the matrix itself.
        for low in range(asked["low"], asked["low"] + space.next_number, _CHUNK):
            rows = self._db.all(_NEW, {**asked, "low": low, "high": low + _CHUNK})
            if rows:
                numbers = np.array([unit & _NUMBER for unit, _ in rows], dtype=np.int32)
                entry.append(numbers, b"".join([data for _, data in rows]))
        entry.last_seq = newest
        entry.sort(first_new)

    def vector_models(self, scope: Scope | None = None) -> dict[str, int]:
        models = self._db.all("SELECT id, name FROM vector_model ORDER BY id", {})
        spaces = None if scope is None else [each.space for each in self._readable(scope)]
        found = {}
        for id, name in models:
            if spaces is None:
                row = self._db.one(
                    "SELECT COUNT(*) FROM vector WHERE model = :model", {"model": id}
                )
                total = row[0] if row else 0
            else:
                total = sum(self._count_vectors(id, space) for space in spaces)
            if total:
                found[name] = total
        return found

    def _count_vectors(self, model: int, space: Space) -> int:
        row = self._db.one(
            "SELECT COUNT(*) FROM vector WHERE model = :model AND unit >= :low AND unit < :high",
            {"model": model, **space.range()},
        )
        return int(row[0]) if row else 0

    def unembedded(self, model: str, *, limit: int) -> list[tuple[Scope, UnitKey, str]]:
        known = self._model(model)
        rows = self._db.all(_UNEMBEDDED, {"model": known[0] if known else -1, "limit": limit})
        found = []
        for unit, name, text, start, stop in rows:
            key = key_of(unit)
            space = self._space_by_id(key.space)
            if space is not None:
                scope = Scope(tenant=space.tenant or None, user=space.user or None)
                words = text if start is None else text[start:stop]
                # Who said it is part of what was said: "I moved" is about somebody.
                found.append((scope, key, f"{name}: {words}" if name else words))
        return found


class VectorWrites(VectorReads, WriteSession):
    """The vector side of the `Writer` port."""

    def add_vectors(
        self, model: str, vectors: Sequence[tuple[UnitKey, npt.NDArray[np.float32]]]
    ) -> None:
        if not vectors:
            return
        dimension = len(vectors[0][1])
        known = self._model(model)
        if known is None:
            self._db.run(
                "INSERT INTO vector_model (name, dimension) VALUES (:name, :dimension)"
                " ON CONFLICT DO NOTHING",
                {"name": model, "dimension": dimension},
            )
            known = self._model(model)
        assert known is not None  # noqa: S101 - it was inserted just above
        for space_id in sorted({key[0] for key, _ in vectors}):  # one order for all writers
            space = self._space_by_id(space_id)
            if space is not None:
                self._hold(space)
        rows = []
        self._replace_vectors(known[0], [unit_of(key) for key, _ in vectors])
        for key, vector in vectors:
            if len(vector) != known[1]:
                raise InvalidInputError(
                    "vectors",
                    f"{model!r} has dimension {known[1]}, not {len(vector)}",
                    "Give another model another name",
                )
            data = np.asarray(vector, dtype="<f2").tobytes()
            rows.append({"model": known[0], "unit": unit_of(key), "data": data})
        self._db.many(_INSERT, rows)

    def drop_vectors(self, model: str, *, limit: int) -> int:
        known = self._model(model)
        if known is None:
            return 0
        gone = self._db.all(
            "DELETE FROM vector WHERE seq IN (SELECT seq FROM vector WHERE model = :model"
            " ORDER BY unit LIMIT :limit) RETURNING unit",
            {"model": known[0], "limit": limit},
        )
        self._forget_cached([unit for (unit,) in gone])
        return len(gone)

    def _replace_vectors(self, model: int, units: Sequence[int]) -> None:
        """Take out the vectors that are about to be written again, so that caches drop them."""
        within = self._dialect.within("unit", "units")
        bound = {"model": model, "units": self._array(units)}
        old = self._db.all(
            f"SELECT unit FROM vector WHERE model = :model AND {within}",  # noqa: S608
            bound,
        )
        self._forget_cached([unit for (unit,) in old])
        if old:
            self._db.run(f"DELETE FROM vector WHERE model = :model AND {within}", bound)  # noqa: S608

    def _forget_cached(self, units: Sequence[int]) -> None:
        """Let the caches of every process drop the spaces of these units."""
        for space_id in sorted({unit >> SPACE_BITS for unit in units}):
            space = self._space_by_id(space_id)
            if space is not None:
                self._hold(space).has_erased = True

    def _erase_vectors(self, units: Sequence[int]) -> int:
        return self._db.run(
            f"DELETE FROM vector WHERE model IN (SELECT id FROM vector_model)"  # noqa: S608
            f" AND {self._dialect.within('unit', 'units')}",
            {"units": self._array(units)},
        )

    def _erase_vectors_of_space(self, space: Space) -> int:
        return self._db.run(
            "DELETE FROM vector WHERE model IN (SELECT id FROM vector_model)"
            " AND unit >= :low AND unit < :high",
            space.range(),
        )
