"""Spans around verbs for OpenTelemetry: which verb, how many, how well founded; never content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jiyi.errors import ConfigurationError, JiyiError
from jiyi.types import Context, Hits, Receipt

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Note = Callable[[Any], None]
"""Takes what a verb returned, to tell of it in numbers."""


class _Tracing:
    tracer: Tracer | None = None


def start_tracing(tracer: Tracer | None = None) -> None:
    """Send spans from now on; where to is said by OpenTelemetry's own variables (OTEL_…).

    Args:
        tracer: instead of one that sends over OTLP.

    Raises:
        ConfigurationError: the extra `otel` is not installed.
    """
    if tracer is None:
        try:
            from opentelemetry import trace
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import SERVICE_NAME, Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError as error:
            raise ConfigurationError.missing_extra("tracing", "otel") from error
        provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "jiyi"}))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        trace.set_tracer_provider(provider)
        tracer = trace.get_tracer("jiyi")
    _Tracing.tracer = tracer


def stop_tracing() -> None:
    """Send no more spans."""
    _Tracing.tracer = None


@contextmanager
def span(verb: str) -> Iterator[Note]:
    """A span named `jiyi.<verb>`, if there is tracing."""
    tracer = _Tracing.tracer
    if tracer is None:
        yield _nothing
        return
    with tracer.start_as_current_span(
        f"jiyi.{verb}",
        attributes={"jiyi.verb": verb},
        record_exception=False,  # messages may quote what people said
        set_status_on_exception=False,
    ) as current:

        def note(result: Any) -> None:
            for name, value in _numbers(result).items():
                current.set_attribute(f"jiyi.{name}", value)

        try:
            yield note
        except JiyiError as error:
            current.set_attribute("error.type", type(error).__name__)
            raise


def _nothing(result: Any) -> None:
    """What notes do where there is no tracing."""


def _numbers(result: Any) -> dict[str, int | str]:
    if isinstance(result, Hits):
        return {"hits": len(result), "support": result.support, "trace_id": result.trace_id}
    if isinstance(result, Context):
        return {"tokens": result.tokens, "support": result.support, "trace_id": result.trace_id}
    if isinstance(result, Receipt):
        return {"turns": len(result.turn_ids), "outcomes": len(result.outcomes)}
    return {}
