"""Running the application: the socket, the processes, and a stop that loses nothing."""

from __future__ import annotations

import functools
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jiyi.access import Keyring
from jiyi.configured import memory_of
from jiyi.errors import ConfigurationError
from jiyi.server.app import create_app
from jiyi.server.limits import RateLimit
from jiyi.server.logs import log_to_stderr
from jiyi.server.metrics import MULTIPROCESS
from jiyi.server.telemetry import start_tracing
from jiyi.settings import environment_of, read_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from jiyi.memory import Memory
    from jiyi.settings import Settings

_RATES: Final = "rates"
_LEVELS: Final = ("debug", "info", "warning", "error")


def serve(settings: Settings) -> None:
    """Serve until told to stop (SIGTERM, Ctrl-C). Then no connection is taken any more, requests
    are finished, and background work that was begun is finished or given back.

    Raises:
        ConfigurationError: the settings cannot be served; see `check_serving`.
        StoreUnavailableError, StoreFormatError: the store cannot be opened.
    """
    import uvicorn

    server = settings.server
    with memory_of(settings, searches=False, reads=False, background=False) as memory:
        check_serving(memory, settings)
    options: dict[str, Any] = {
        "factory": True,
        "host": server.host,
        "port": server.port,
        "log_config": None,
        "access_log": False,  # ours leaves queries out
        "server_header": False,
        "proxy_headers": False,
        "ws": "none",  # who asks for another protocol is answered in this one
        "timeout_graceful_shutdown": int(server.stop_after_s),
        "lifespan": "on",
    }
    # When all is done uvicorn sends itself the signal again. It ended as it was asked to, which is
    # no failure to who started it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if server.processes == 1:
        uvicorn.run(functools.partial(application, settings), **options)
        return
    with tempfile.TemporaryDirectory(prefix="jiyi-metrics-") as folder:
        # Processes that begin now read their settings as any entry point does.
        os.environ |= {**environment_of(settings), MULTIPROCESS: folder}
        rates = RateLimit(server.requests_per_minute, shared=Path(folder) / _RATES)
        rates.open()
        rates.close()
        log_to_stderr(server.log_level)
        uvicorn.run(f"{__name__}:from_environment", workers=server.processes, **options)


def check_serving(memory: Memory, settings: Settings) -> None:
    """Raise ConfigurationError for what must not or cannot be served."""
    server = settings.server
    Keyring(memory).check_host(server.host)
    if server.log_level not in _LEVELS:
        raise ConfigurationError.unknown("log level", server.log_level, _LEVELS)
    if server.processes < 1:
        raise ConfigurationError(f"there must be one process at least, not {server.processes}")
    if server.processes > 1 and ":memory:" in settings.db:
        raise ConfigurationError("several processes cannot share a store in memory")


def application(settings: Settings) -> FastAPI:
    """The application of one process, with the memory that the settings name."""
    log_to_stderr(settings.server.log_level)
    if settings.server.tracing:
        start_tracing()
    folder = os.environ.get(MULTIPROCESS) if settings.server.processes > 1 else None
    rates = None if folder is None else Path(folder) / _RATES
    return create_app(memory_of(settings), settings.server, closes=True, rates=rates)


def from_environment() -> FastAPI:
    """The application of a process whose environment says what it serves."""
    return application(read_settings())
