"""The command that serves the memory to agents over MCP."""

from __future__ import annotations

from typing import Annotated

import typer

from jiyi.cli.shell import Shell


def mcp(
    shell: Shell,
    *,
    http: Annotated[
        bool, typer.Option("--http", help="Listen for HTTP instead of standard input.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="With --http: where to listen. Beyond this machine it needs keys.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="With --http.")] = 8765,
    reference: Annotated[
        bool,
        typer.Option(
            "--reference", help="The nine tools of the reference knowledge-graph memory server."
        ),
    ] = False,
) -> None:
    """Serve the memory to an agent over MCP, until it hangs up. See docs/mcp.md."""
    from jiyi.mcp.door import open_door
    from jiyi.mcp.server import build_server

    memory = shell.memory(writing=True, background=True)
    if not http:
        build_server(open_door(memory), reference=reference).run("stdio")
        return
    from jiyi.mcp.http import PATH, serve

    shell.note(f"MCP at http://{host}:{port}{PATH}. Ctrl-C stops.")
    serve(memory, host=host, port=port, reference=reference)
