"""Numbers for Prometheus: requests, how long they took, what memory failed at, the queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from jiyi.errors import StoreError

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

    from jiyi.server.readiness import Readiness

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
MULTIPROCESS: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that prometheus-client looks at: where processes put their numbers."""


class Metrics:
    """The numbers of one application.

    Args:
        shared: several processes share the address, and the folder that MULTIPROCESS names.
    """

    def __init__(self, readiness: Readiness, *, shared: bool = False) -> None:
        self._shared = shared
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "jiyi_http_requests",
            "Requests, by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "jiyi_http_seconds",
            "Seconds until an answer was whole, by route.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.memory_failures = Counter(
            "jiyi_chat_memory_failures",
            "Chats of /openai/v1 that went on without memory, by step: context or observe.",
            ("step",),
            registry=self.registry,
        )
        self.upstream = Histogram(
            "jiyi_upstream_seconds",
            "Seconds until the model behind /openai/v1 began to answer, by status.",
            ("status",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._own = CollectorRegistry()
        self._own.register(_Store(readiness))
        ProcessCollector(registry=self._own)
        GCCollector(registry=self._own)

    def text(self) -> bytes:
        """Everything, in Prometheus' text format. With several processes on one address, requests
        are those of all of them, memory and garbage those of the one that answers."""
        registry = self.registry
        if self._shared:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry) + generate_latest(self._own)


class _Store:
    """What the store tells when it is asked: whether it can be used, and its jobs by state."""

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness

    def collect(self) -> Iterator[GaugeMetricFamily]:
        ready = GaugeMetricFamily("jiyi_store_ready", "1 while the store can be used, else 0.")
        jobs = GaugeMetricFamily("jiyi_queue_jobs", "Background jobs, by state.", labels=["state"])
        try:
            counts = self._readiness.jobs()
        except StoreError:
            ready.add_metric([], 0)
            yield ready
            return
        ready.add_metric([], 1)
        for state in ("pending", "leased", "parked"):
            jobs.add_metric([state], counts.get(state, 0))
        yield ready
        yield jobs


if TYPE_CHECKING:

    def _is_collector(store: _Store) -> Collector:
        """The type checker holds `_Store` to what the registry asks for."""
        return store
