"""Traces: what recalls searched, found and cut. Kept a while, and erased with what they cite."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING

from jiyi.stores.sql.codec import (
    dump,
    load,
    micros,
    moment,
    pack_id,
    zone_of,
)
from jiyi.stores.sql.session import ReadSession, WriteSession
from jiyi.types import CandidateTrace, Scope, Trace

if TYPE_CHECKING:
    from jiyi.stores.sql.session import Space

KEPT_PER_SPACE = 1000
KEPT_FOR = timedelta(days=30)
_ID_BYTES = 16
_SHORTEST_QUOTE = 4  # characters; what is shorter is found in texts that have nothing to do with it
_NEWEST = 2**63 - 1
_PAGE = 16  # traces read at a time in search of one that may be shown
_BELOW = """
SELECT seq, data FROM trace WHERE space = :space AND seq < :below ORDER BY seq DESC LIMIT :rows
"""


class TraceReads(ReadSession):
    """The trace side of the `Reader` port."""

    def trace(self, scope: Scope, trace_id: str | None) -> Trace | None:
        space = self._own_space(scope)
        if space is None:
            return None
        if trace_id is not None:
            return next(iter(self.traces(scope, limit=1, ids=[trace_id])), None)
        return next(self._newest(scope, space, whoever=False), None)

    def traces(
        self,
        scope: Scope,
        *,
        limit: int,
        ids: Sequence[str] | None = None,
        whoever: bool = False,
    ) -> list[Trace]:
        space = self._own_space(scope)
        if space is None:
            return []
        if ids is None:
            return list(islice(self._newest(scope, space, whoever=whoever), limit))
        found = (self._by_id(space, id) for id in ids)
        return [t for t in found if t is not None and (whoever or _may_see(scope, t))][:limit]

    def _by_id(self, space: Space, id: str) -> Trace | None:
        row = self._db.one(
            "SELECT data FROM trace WHERE space = :space AND id = :id",
            {"space": space.id, "id": pack_id(id)},
        )
        return None if row is None else _decode(row[0])

    def _newest(self, scope: Scope, space: Space, *, whoever: bool) -> Iterator[Trace]:
        below = _NEWEST
        while rows := self._db.all(_BELOW, {"space": space.id, "below": below, "rows": _PAGE}):
            for _, data in rows:
                found = _decode(data)
                if whoever or _may_see(scope, found):
                    yield found
            below = rows[-1][0]

    def erasures(self, scope: Scope) -> int:
        return sum(readable.space.erased for readable in self._readable(scope))


def _may_see(scope: Scope, trace: Trace) -> bool:
    return trace.scope.agent in (None, scope.agent)


class TraceWrites(TraceReads, WriteSession):
    """The trace side of the `Writer` port."""

    def save_traces(self, traces: Sequence[Trace]) -> None:
        spaces: dict[int, int] = {}
        for trace in traces:
            # Another process may have erased since: its traces here may repeat what is gone.
            if trace.erasures is not None and trace.erasures != self.erasures(trace.scope):
                continue
            space = self._space(trace.scope.tenant, trace.scope.user)
            # A trace is no change of a space: caches stay, so an existing one is not opened.
            space = space or self._open_own(trace.scope)
            at = micros(trace.at)
            spaces[space.id] = max(at, spaces.get(space.id, at))
            self._db.run(
                "INSERT INTO trace (space, id, at, query, cites, data)"
                " VALUES (:space, :id, :at, :query, :cites, :data) ON CONFLICT DO NOTHING",
                {
                    "space": space.id,
                    "id": pack_id(trace.id),
                    "at": at,
                    "query": "\n".join(filter(None, (trace.query, trace.completed))),
                    "cites": b"".join(_packed(id) for id in _cited(trace)),
                    "data": _encode(trace),
                },
            )
        for space_id, newest in spaces.items():
            self._db.run(
                "DELETE FROM trace WHERE space = :space AND (at < :oldest OR seq <= COALESCE("
                "(SELECT seq FROM trace WHERE space = :space ORDER BY seq DESC"
                " LIMIT 1 OFFSET :kept), -1))",
                {
                    "space": space_id,
                    "oldest": newest - KEPT_FOR // timedelta(microseconds=1),
                    "kept": KEPT_PER_SPACE,
                },
            )

    def _erase_traces(self, space: Space, ids: Collection[str], texts: Collection[str]) -> int:
        """Delete traces that cite one of the ids, or whose question quotes one of the texts."""
        gone = {_packed(id) for id in ids}
        removed = 0
        rows = self._db.all(
            "SELECT seq, query, cites FROM trace WHERE space = :space", {"space": space.id}
        )
        for seq, query, cites in rows:
            raw = bytes(cites)
            cited = {raw[at : at + _ID_BYTES] for at in range(0, len(raw), _ID_BYTES)}
            if not cited.isdisjoint(gone) or any(_quotes(query, text) for text in texts):
                removed += self._db.run("DELETE FROM trace WHERE seq = :seq", {"seq": seq})
        return removed

    def _erase_traces_of_space(self, space: Space) -> int:
        return self._db.run("DELETE FROM trace WHERE space = :space", {"space": space.id})


def _quotes(query: str, text: str) -> bool:
    """Whether a question holds the erased text, or is a part of it, or the same."""
    lines = query.strip().splitlines()
    if len(text) < _SHORTEST_QUOTE:
        return text in lines
    return text in query or any(len(line) >= _SHORTEST_QUOTE and line in text for line in lines)


def _cited(trace: Trace) -> list[str]:
    ids = [candidate.id for candidate in trace.candidates]
    ids += [id for layer in trace.injected.values() for id in layer]
    ids += trace.cuts
    return list(dict.fromkeys(ids))


def _packed(id: str) -> bytes:
    return pack_id(id)[:_ID_BYTES].ljust(_ID_BYTES, b"\0")


def _encode(trace: Trace) -> str:
    # Not asdict: copying every candidate in depth took longer than the rest of a recall's trace.
    data = {field.name: getattr(trace, field.name) for field in fields(trace)}
    data["at"] = [micros(trace.at), zone_of(trace.at)]
    data["scope"] = trace.scope.as_dict()
    data["candidates"] = [
        [each.unit, each.id, dict(each.scores), each.rank, each.cut] for each in trace.candidates
    ]
    return dump(data, "trace")


def _decode(text: str) -> Trace:
    data = load(text)
    data["at"] = moment(*data["at"])
    data["scope"] = Scope(**data["scope"])
    data["candidates"] = tuple(
        CandidateTrace(unit=unit, id=id, scores=scores, rank=rank, cut=cut)
        for unit, id, scores, rank, cut in data["candidates"]
    )
    data["injected"] = {name: tuple(ids) for name, ids in data["injected"].items()}
    return Trace(**data)
