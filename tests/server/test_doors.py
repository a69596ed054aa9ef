"""MCP and the inspector in the same process as REST, behind the same keys and limits."""

from __future__ import annotations

from typing import Any

import pytest
from served import Serve, Served

_ACCEPT = {"Accept": "application/json, text/event-stream"}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A call of a tool, as JSON-RPC."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.parametrize("text", ["对花生过敏", "allergic to peanuts"])
def test_mcp_stands_at_its_path(served: Served, text: str) -> None:
    """A tool called over /mcp writes into the memory that REST reads, for the user of the key."""
    pytest.importorskip("mcp")
    made = served.keyring.create("agent", users=["孙"])
    with served.client(made.token) as client:
        answer = client.post("/mcp", json=call("remember", text=text), headers=_ACCEPT)
        assert answer.status_code == 200, answer.text
        page = client.get("/v1/memories").json()
    assert [record["text"] for record in page["items"]] == [text]
    assert served.memory.list(user="孙").total == 1
    with served.client() as client:
        assert client.post("/mcp", json=call("profile"), headers=_ACCEPT).status_code == 401


def test_the_inspector_has_every_other_path(served: Served) -> None:
    """The top page is for people; what begins like the API and is not there is a problem."""
    with served.client(follow_redirects=True) as client:
        page = client.get("/", headers={"Accept-Language": "zh"})
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        for path in ("/v1", "/v1/", "/v1/nothing", "/openai", "/openai/v1/nothing"):
            missing = client.get(path)
            assert missing.status_code == 404
            assert missing.headers["content-type"] == "application/problem+json"
    served.keyring.create("k")
    with served.client() as client:
        assert client.get("/").status_code in (302, 303, 307)


def test_their_requests_are_counted_too(serve: Serve) -> None:
    """The rate limit holds for every door."""
    pytest.importorskip("mcp")
    with serve(requests_per_minute=3) as served, served.client() as client:
        codes = [
            client.post("/mcp", json=call("profile"), headers=_ACCEPT).status_code for _ in range(5)
        ]
        assert codes[-1] == 429
        assert client.get("/").status_code == 429
