"""`jiyi mcp` as a process of its own, over both transports, with the SDK's client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from jiyi import ConfigurationError, Memory
from jiyi.access import Keyring
from jiyi.mcp.http import http_app

Command = tuple[list[str], dict[str, str]]


def over_stdio(command: Command, *options: str) -> Client:
    (program, *arguments), env = command
    parameters = StdioServerParameters(command=program, args=[*arguments, *options], env=env)
    return Client(stdio_client(parameters))


async def ask(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


def test_stdio(command: Command, db: Path) -> None:
    """What is remembered lies in the store for the user of the command line; what was there before
    is recalled, though not what is another user's."""
    with Memory(db, embedder=None) as memory:
        memory.remember("孙工对芒果过敏", user="sun")
        memory.remember("李工对芒果过敏", user="li")

    async def main() -> None:
        async with over_stdio(command, "--user", "sun") as client:
            await ask(client, "remember", text="孙工喝乌龙茶")
            found = await ask(client, "recall", query="对芒果过敏")
            assert [hit["text"] for hit in found["hits"]] == ["孙工对芒果过敏"]

    anyio.run(main)
    with Memory(db, embedder=None) as memory:
        assert memory.list(user="sun").items[0].text == "孙工喝乌龙茶"
        assert memory.list().total == 0


def test_several_processes_on_one_database(command: Command, db: Path) -> None:
    """Three servers write at once: nothing is lost, the same statement is one memory, and each
    process finds what the others wrote."""
    count = 3

    async def main() -> None:
        async def work(number: int) -> None:
            async with over_stdio(command, "--user", "sun") as client:
                await ask(client, "remember", text="The lab is closed on Fridays")
                for n in range(5):
                    await ask(client, "remember", text=f"Sample {number}-{n} germinated on day {n}")
                await ready.wait_for(number)
                found = await ask(client, "recall", query="Which sample germinated?", limit=50)
                assert len(found["hits"]) == count * 5

        ready = Meeting(count)
        async with anyio.create_task_group() as group:
            for number in range(count):
                group.start_soon(work, number)

    anyio.run(main)
    with Memory(db, embedder=None) as memory:
        page = memory.list(user="sun", limit=100)
        assert page.total == count * 5 + 1
        (closed,) = [each for each in page.items if "closed" in each.text]
        assert len(closed.sources) == count


class Meeting:
    """A place where so many wait until all are there."""

    def __init__(self, count: int) -> None:
        self._missing = count
        self._all = anyio.Event()

    async def wait_for(self, number: int) -> None:
        del number
        self._missing -= 1
        if self._missing == 0:
            self._all.set()
        await self._all.wait()


def test_http(listening: Callable[..., str]) -> None:
    """Over HTTP, without keys, this machine works in the scope of the command line; several clients
    at once, of which each sees what the others did. Pages of other sites cannot reach it."""
    address = listening("--user", "sun")

    async def main() -> None:
        async with Client(address) as one, Client(address) as two:
            await ask(one, "remember", text="Sun drinks oolong")
            found = await ask(two, "recall", query="what does Sun drink")
            assert [hit["text"] for hit in found["hits"]] == ["Sun drinks oolong"]
            uris = [str(each.uri) for each in (await two.list_resources()).resources]
            assert "jiyi://profile" in uris
            recent = await two.read_resource("jiyi://memories/recent")
            assert "oolong" in recent.contents[0].text  # type: ignore[union-attr]

    anyio.run(main)
    # Nothing is sent but in answer: nobody is left waiting on a stream that says nothing.
    for method in ("GET", "DELETE", "PUT"):
        refused = httpx2.request(method, address, headers={"Accept": "text/event-stream"})
        assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
        assert "POST" in refused.json()["error"]["message"]
    # A web page that a browser on this machine shows is refused, by name (rebinding) and origin.
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    plain = {"Accept": "application/json, text/event-stream"}
    for wrong in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        answer = httpx2.post(address, json=body, headers={**plain, **wrong})
        assert answer.status_code in (403, 421), wrong


def test_keys_over_http(listening: Callable[..., str], db: Path) -> None:
    """Once there is a key, each client needs one, works for the user of its key, and may do what
    the key may; a header names a user only where the key leaves that open."""
    with Memory(db, embedder=None) as memory:
        ring = Keyring(memory)
        sun = ring.create("sun", users=["sun"], rights=["read", "write"]).token
        li = ring.create("li", users=["li"], rights=["read"]).token
        many = ring.create("desk", rights=["read"]).token
    address = listening()

    async def main() -> None:
        @asynccontextmanager
        async def opened(token: str, **headers: str) -> AsyncIterator[Client]:
            sent = {f"X-Jiyi-{name}": value for name, value in headers.items()}
            sent["Authorization"] = f"Bearer {token}"
            async with (
                httpx2.AsyncClient(headers=sent) as web,
                Client(streamable_http_client(address, http_client=web)) as client,
            ):
                yield client

        async with opened(sun) as client:
            await ask(client, "remember", text="Sun drinks oolong")
            refused = await client.call_tool("forget", {"query": "oolong"})
            assert "may not erase" in refused.content[0].text  # type: ignore[union-attr]
        async with opened(li) as client:
            assert (await ask(client, "recall", query="oolong"))["hits"] == []
            refused = await client.call_tool("remember", {"text": "Li drinks tea"})
            assert refused.is_error
        async with opened(li, User="sun") as client:
            refused = await client.call_tool("recall", {"query": "oolong"})
            assert refused.is_error
        async with opened(many, User="sun") as client:
            assert len((await ask(client, "recall", query="oolong"))["hits"]) == 1

    anyio.run(main)
    for headers in ({}, {"Authorization": f"Bearer {sun}x"}, {"Authorization": "Bearer jiyi_x_y"}):
        answer = httpx2.post(address, json={}, headers=headers)
        assert answer.status_code == 401
        assert answer.json()["error"] == "invalid_token"


def test_beyond_this_machine_it_needs_keys(db: Path) -> None:
    """Listening for other machines without a key is refused, with the way out."""
    with Memory(db, embedder=None) as memory:
        for host in ("0.0.0.0", "192.168.1.4", "example.org", "::"):
            with pytest.raises(ConfigurationError, match="jiyi keys create"):
                http_app(memory, host=host)
        http_app(memory, host="127.0.0.1")
        http_app(memory, host="::1")
        Keyring(memory).create("sun")
        http_app(memory, host="0.0.0.0")
