"""Traces and uses of a process, written in batches: a write on every read would cost an fsync per
recall and empty the caches of every other process."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jiyi.ports import Store
    from jiyi.types import Scope, Trace

BATCH = 64  # traces kept in memory before they are written
_OF_MEMORIES: Final = frozenset({"standing", "profile", "memories"})
"""Layers of a context that are made of memories; turns and passages count no uses."""


class Journal:
    """What recalls leave behind until it is written: at most `BATCH` traces, and use counts.

    Where nothing can be written, the newest traces stay in memory for explaining.
    """

    def __init__(self, store: Store, *, writable: bool = True) -> None:
        self._store = store
        self._writable = writable
        self._lock = threading.Lock()
        self._traces: list[Trace] = []
        self._uses: Counter[tuple[Scope, str]] = Counter()

    def add(self, trace: Trace) -> None:
        """Keep a trace, and count a use of each memory that it put into a context."""
        with self._lock:
            self._traces.append(trace)
            for name in _OF_MEMORIES & trace.injected.keys():
                self._uses.update((trace.scope, unit_id) for unit_id in trace.injected[name])
            full = len(self._traces) >= BATCH
        if full:
            self.flush(at=trace.at)

    def drop(self, scope: Scope) -> None:
        """Let go of a user's traces: their questions may repeat what was just erased."""
        with self._lock:
            self._traces = [t for t in self._traces if not _same_space(t.scope, scope)]

    def find(self, scope: Scope, trace_id: str | None) -> Trace | None:
        """A trace that is still in memory, or the newest one for None."""
        with self._lock:
            kept = [
                t
                for t in self._traces
                if _same_space(t.scope, scope) and t.scope.agent in (None, scope.agent)
            ]
        return next((t for t in reversed(kept) if trace_id in (None, t.id)), None)

    def flush(self, *, at: datetime) -> None:
        """Write what has been kept. A failure keeps it for the next time and rises."""
        if not self._writable:
            with self._lock:
                self._traces = self._traces[-BATCH // 2 :]
                self._uses.clear()
            return
        with self._lock:
            traces, uses = self._traces, self._uses
            self._traces, self._uses = [], Counter()
        if not traces and not uses:
            return
        try:
            with self._store.write() as writer:
                writer.save_traces(traces)
                writer.add_uses(uses, at=at)
        except BaseException:
            with self._lock:
                self._traces = traces + self._traces
                self._uses.update(uses)
            raise


def _same_space(one: Scope, other: Scope) -> bool:
    return (one.tenant, one.user) == (other.tenant, other.user)
