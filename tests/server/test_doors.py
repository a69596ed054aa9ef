"""MCP and the inspector in the same process as REST, behind the same keys and limits."""

from __future__ import annotations

from typing import Any

import pytest
from served import Serve, Served

from jiyi.types import Right

RIGHTS: tuple[Right, ...] = ("read", "write", "forget")
_ACCEPT = {"Accept": "application/json, text/event-stream"}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A call of a tool, as JSON-RPC."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def read(uri: str) -> dict[str, Any]:
    """The reading of a resource, as JSON-RPC."""
    return {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}


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


def test_no_tool_leads_to_anothers_memory(served: Served) -> None:
    """A key of another tenant, or for another user, sees and changes nothing by any tool or
    resource, whomever its headers name; the right key sees it by every one of them."""
    pytest.importorskip("mcp")
    theirs = served.memory.scoped(tenant="acme", user="sun")
    id = theirs.remember("The ledger lies in the cupboard").memory_id
    assert id is not None
    theirs.set_permanent(place="cupboard")
    reads = [
        *(call("recall", query="ledger"), call("context", query="Where is the ledger?")),
        *(call("profile"), call("history", memory_id=id)),
        *(read(uri) for uri in ("jiyi://profile", "jiyi://memories/recent")),
    ]
    changes = [
        call("feedback", memory_id=id, helpful=False),
        call("forget", ids=[id], dry_run=False),
        call("remember", text="The ledger is gone", replaces=id),
    ]

    def told(token: str, body: dict[str, Any], headers: dict[str, str]) -> str:
        with served.client(token) as client:
            return client.post("/mcp", json=body, headers=_ACCEPT | headers).text

    theirs_too = served.keyring.create("theirs", rights=RIGHTS, tenant="acme", users=["sun"])
    for body in reads:
        assert "cupboard" in told(theirs_too.token, body, {}), body
    strangers: tuple[dict[str, Any], ...] = (
        {"tenant": "other"},
        {},
        {"tenant": "acme", "users": ["li"]},
    )
    for limits in strangers:
        made = served.keyring.create("stranger", rights=RIGHTS, **limits)
        for named in ({}, {"X-Jiyi-Tenant": "acme", "X-Jiyi-User": "sun"}):
            for body in (*reads, *changes):
                assert "cupboard" not in told(made.token, body, named), (limits, body)
    (kept,) = theirs.list().items
    assert (kept.id, kept.status, kept.unhelpful) == (id, "active", 0)


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
