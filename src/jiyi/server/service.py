"""What every request can reach: the memory behind its keys, the limits, the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from jiyi.access import Admission, Keyring
from jiyi.access.headers import token_in
from jiyi.errors import AccessError
from jiyi.server.limits import RateLimit
from jiyi.server.metrics import Metrics
from jiyi.server.readiness import Readiness

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class Service:
    """One application's parts; it stands at `app.state.service`."""

    memory: Memory
    keyring: Keyring
    settings: ServerSettings
    limit: RateLimit
    metrics: Metrics
    readiness: Readiness


def service_of(request: Request) -> Service:
    """The service that answers a request."""
    return cast("Service", request.app.state.service)


async def admit(request: Request) -> Admission:
    """Let the caller in by the key of the Authorization header, and count the request.

    A dependency for every route that shows or changes memories; the answer also stands at
    `request.state.admission`.

    Raises:
        AccessError: there is no key, or no good one.
        TooManyRequestsError: the caller has asked too much.
    """
    service = service_of(request)
    address = request.client.host if request.client else "nowhere"
    try:
        admission = await run_in_threadpool(service.keyring.admit, token_in(request.headers))
    except AccessError:
        service.limit.take(address)  # who guesses at keys is slowed down like anybody
        raise
    service.limit.take(address if admission.key is None else admission.key.id)
    request.state.admission = admission
    return admission


def admission_of(request: Request) -> Admission:
    """Who asks; only behind `admit`."""
    return cast("Admission", request.state.admission)
