"""The command that serves the memory to other programs."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import Annotated

import typer

from jiyi.cli.shell import Shell
from jiyi.errors import ConfigurationError


def serve(
    shell: Shell,
    *,
    host: Annotated[
        str | None, typer.Option("--host", help="Where to listen. [JIYI_SERVER_HOST]")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="[JIYI_SERVER_PORT]")
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("--processes", min=1, help="How many answer. [JIYI_SERVER_PROCESSES]"),
    ] = None,
) -> None:
    """Serve REST, a chat endpoint with memory, MCP and the inspector over HTTP. Without keys this
    machine alone gets in; see `jiyi keys`."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise ConfigurationError.missing_extra("serving", "server")
    from jiyi.server.serving import serve as run

    server = shell.settings.server
    server = replace(
        server,
        host=server.host if host is None else host,
        port=server.port if port is None else port,
        processes=server.processes if processes is None else processes,
    )
    settings = replace(shell.settings, server=server)
    shell.make_room()
    shell.note(f"Serving {shell.shown_db()} at http://{server.host}:{server.port}")
    run(settings)
