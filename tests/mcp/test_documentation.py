"""docs/mcp.md: its configurations run, and it names what is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from jiyi import Memory
from jiyi.mcp.door import open_door
from jiyi.mcp.server import build_server

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")
ENTRIES = [
    json.loads(block)["mcpServers"]["memory"]
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
]


@pytest.mark.parametrize("entry", [each for each in ENTRIES if "command" in each])
def test_the_configuration_runs(
    entry: dict[str, Any], command: tuple[list[str], dict[str, str]], db: Path
) -> None:
    """What a client is told to start answers with tools."""
    (program, *before), env = command
    assert entry["command"] == "jiyi"
    start = before[: before.index("mcp")]
    arguments = [*start, *entry["args"], "--db", str(db)]

    async def main() -> None:
        parameters = StdioServerParameters(command=program, args=arguments, env=env)
        async with Client(stdio_client(parameters)) as client:
            tools = (await client.list_tools()).tools
            assert len(tools) == (9 if "--reference" in entry["args"] else 7)

    anyio.run(main)


def test_every_tool_is_documented() -> None:
    """The page names each tool, resource and prompt of both modes."""

    async def main() -> None:
        with Memory(":memory:", embedder=None, background=False) as memory:
            for reference in (False, True):
                async with Client(build_server(open_door(memory), reference=reference)) as client:
                    for tool in (await client.list_tools()).tools:
                        assert f"`{tool.name}`" in PAGE
                    for resource in (await client.list_resources()).resources:
                        assert f"`{resource.uri}`" in PAGE
                    if not reference:
                        for prompt in (await client.list_prompts()).prompts:
                            assert f"`{prompt.name}`" in PAGE

    anyio.run(main)
