"""A walk over all routes: what a key does not reach stays out of reach, whatever the path."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from served import Serve, Served

from jiyi.server.verbs import OPERATIONS
from jiyi.types import RIGHTS

SECRETS = ("孙的密码本在抽屉里", "Sun keeps the ledger in the drawer", "抽屉", "ledger", "drawer")


def fill(served: Served) -> dict[str, str]:
    """Something of every kind for a user of tenant acme; the ids that lead to it."""
    theirs = served.memory.scoped(tenant="acme", user="孙")
    first = theirs.remember(SECRETS[0]).memory_id
    second = theirs.remember(SECRETS[1]).memory_id
    turn = theirs.observe([{"role": "user", "content": "My name is Ledger Drawer"}], session="A")
    theirs.set_permanent(place="抽屉")
    theirs.task("T").note("where", "drawer")
    theirs.add_documents({"title": "抽屉", "text": "the ledger is in the drawer"}, collection="c")
    trace = theirs.recall("ledger drawer 抽屉").trace_id
    assert first is not None
    assert second is not None
    return {
        "memory_id": first,
        "other": second,
        "turn": turn.turn_ids[0],
        "trace": trace,
        "document": theirs.documents()[0].id,
    }


def requests_to(schema: dict[str, Any], ids: dict[str, str]) -> list[dict[str, Any]]:
    """One request to every operation of the description, with the ids of somebody else."""
    bodies: dict[str, Any] = {
        "observe": {"messages": ["ledger drawer 抽屉"], "encode": False},
        "remember": {"text": "x"},
        "remember_all": {"items": ["x"]},
        "update": {"text": "taken"},
        "correct": {"text": "taken"},
        "feedback": {"helpful": False},
        "undo": {"id": ids["memory_id"]},
        "recall": {"query": "ledger drawer 抽屉", "include": ["superseded", "archived"]},
        "context": {"query": "ledger drawer 抽屉", "session": "A"},
        "set_permanent": {"fields": {"place": "taken"}},
        "end_session": {"session": "A"},
        "forget": {"ids": [ids["memory_id"], ids["turn"]]},
        "consolidate": {},
        "resolve_conflict": {"keep": ids["memory_id"], "other": ids["other"]},
        "add_documents": {"documents": {"title": "t", "text": "x"}},
        "remove_documents": {"ids": [ids["document"]]},
        "separate": {"name": "Ledger", "other": "Drawer"},
        "note": {"task": "T", "name": "where", "value": "taken"},
        "create_key": {"name": "k", "rights": ["admin"], "every_tenant": True},
        "chat_completions": {"messages": [{"role": "user", "content": "ledger"}]},
    }
    queries = {
        "entity": {"name": "Ledger"},
        "explain": {"trace_id": ids["trace"]},
        "turns": {"session": "A"},
        "notes": {"task": "T"},
        "end_task": {"task": "T"},
        "list": {"where": json.dumps({"id": ids["memory_id"]})},
        "documents": {"collection": "c"},
    }
    found = []
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            name = operation["operationId"]
            if path in ("/healthz", "/readyz"):
                continue
            url = path.replace("{memory_id}", ids["memory_id"]).replace("{id}", ids["memory_id"])
            found.append(
                {
                    "name": name,
                    "method": method,
                    "url": url,
                    "json": bodies.get(name),
                    "params": queries.get(name),
                    "content": b"{}\n" if name == "load" else None,
                }
            )
    return found


def send(client: httpx.Client, asked: dict[str, Any], **scope: str) -> httpx.Response:
    body, params = asked["json"], dict(asked["params"] or {})
    if body is not None and asked["name"] not in ("create_key", "chat_completions"):
        body = {**body, **scope}
    elif asked["method"] in ("get", "delete") or asked["content"]:
        params |= scope
    elif asked["name"] == "chat_completions":
        return client.post(
            asked["url"], json=body, headers={"X-Jiyi-User": scope.get("user", "").encode()}
        )
    content = {} if asked["content"] is None else {"content": asked["content"]}
    content |= {} if body is None else {"json": body}
    return client.request(asked["method"], asked["url"], params=params, **content)


def unchanged(served: Served) -> dict[str, Any]:
    """What the user has, to compare."""
    theirs = served.memory.scoped(tenant="acme", user="孙")
    return {
        "memories": [(m.id, m.text, m.status, m.unhelpful) for m in theirs.list().items],
        "turns": [turn.text for turn in theirs.turns()],
        "profile": dict(theirs.profile().permanent),
        "notes": theirs.task("T").notes(),
        "documents": [d.id for d in theirs.documents()],
    }


@pytest.mark.parametrize(
    "limits",
    [
        {"tenant": "acme", "users": ["li"]},
        {"tenant": "other"},
        {},
    ],
    ids=["another user", "another tenant", "no tenant"],
)
def test_no_route_leads_to_another_ones_data(serve: Serve, limits: dict[str, Any]) -> None:
    """With every right, a key for another user or tenant sees and changes nothing of this user:
    neither by ids, nor by naming the user, nor by words."""
    with serve() as served:
        ids = fill(served)
        made = served.keyring.create("k", rights=RIGHTS, **limits)
        before = unchanged(served)
        with served.client(made.token) as client:
            schema = client.get("/openapi.json").json()
            asked = requests_to(schema, ids)
            assert len(asked) > 35
            for one in asked:
                for scope in ({}, {"user": "孙"}, {"tenant": "acme", "user": "孙"}):
                    answer = send(client, one, **scope)
                    assert answer.status_code < 500, (one["name"], answer.text)
                    told = answer.text.replace("ledger drawer 抽屉", "")
                    for secret in SECRETS:
                        assert secret not in told, (one["name"], scope, answer.text)
                    if scope and limits.get("users") and one["name"] not in ("flush", "metrics"):
                        assert answer.status_code in (401, 403, 409, 422), (one["name"], scope)
        assert unchanged(served) == before
        assert len(served.keyring.list()) == 1


def test_every_route_needs_a_key_once_there_is_one(served: Served) -> None:
    """But for health, every operation answers 401 without a key, and with a wrong or dead one."""
    dead = served.keyring.create("dead")
    served.keyring.revoke(dead.key.id)
    ids = fill(served)
    with served.client() as client:
        schema = client.get("/openapi.json").json()
    for token in (None, dead.token, "jiyi_wrong"):
        with served.client(token) as client:
            for one in requests_to(schema, ids):
                answer = send(client, one)
                assert answer.status_code == 401, (one["name"], answer.status_code)
                assert answer.headers.get("www-authenticate") == "Bearer" or one["url"].startswith(
                    "/openai"
                )


def test_rights_are_asked_for_by_every_route(served: Served) -> None:
    """A key with one right gets no further than that right: the description's `x-right` holds."""
    ids = fill(served)
    tokens = {r: served.keyring.create(r, rights=[r], every_tenant=True).token for r in RIGHTS}
    with served.client() as client:
        schema = client.get("/openapi.json").json()
    right_of = {
        operation["operationId"]: operation.get("x-right")
        for operations in schema["paths"].values()
        for operation in operations.values()
    }
    for right, token in tokens.items():
        with served.client(token) as client:
            for one in requests_to(schema, ids):
                if right != right_of[one["name"]] and not one["url"].startswith("/openai"):
                    answer = send(client, one)
                    assert answer.status_code == 403, (one["name"], right, answer.text)


def test_what_concerns_everybody_needs_an_operator(served: Served) -> None:
    """Backups, checks, keys and archives of everybody are not for a tenant's key, whatever its
    rights; nor is the erasure of a tenant for a key without "admin"."""
    tenant = served.keyring.create("t", rights=RIGHTS, tenant="acme")
    nameless = served.keyring.create("n", rights=RIGHTS)
    eraser = served.keyring.create("e", rights=["forget"], tenant="acme")
    fill(served)
    for made in (tenant, nameless):
        with served.client(made.token) as client:
            for method, url in (
                ("POST", "/v1/backup"),
                ("GET", "/v1/check"),
                ("POST", "/v1/repair"),
                ("POST", "/v1/reembed"),
                ("GET", "/v1/keys"),
                ("DELETE", f"/v1/keys/{tenant.key.id}"),
            ):
                assert client.request(method, url).status_code == 403, url
    with served.client(nameless.token) as client:
        assert client.get("/v1/export", params={"everything": True}).status_code == 403
        assert client.post("/v1/load", content=b"x").status_code == 403
    with served.client(tenant.token) as client:
        archive = client.get("/v1/export", params={"everything": True, "tenant": "acme"})
        assert "ledger" in archive.text
        archive = client.get("/v1/export", params={"everything": True})
        assert "ledger" in archive.text  # of its own tenant, which need not be named
        assert client.post("/v1/load", content=archive.content).status_code == 200
    for_agent = served.keyring.create("a", rights=RIGHTS, tenant="acme", agents=["x"])
    with served.client(for_agent.token) as client:
        assert client.get("/v1/export", params={"user": "孙"}).status_code == 403
    with served.client(eraser.token) as client:
        body = {"everything": True, "confirm": True}
        assert client.post("/v1/forget", json=body).status_code == 403
        assert client.post("/v1/forget", json={**body, "user": "孙"}).status_code == 200
    assert served.memory.list(tenant="acme", user="孙").total == 0


def test_every_operation_stands_in_the_walk(served: Served) -> None:
    """The walk takes its routes from the description, which knows every verb of the table."""
    with served.client() as client:
        schema = client.get("/openapi.json").json()
    names = {one["name"] for one in requests_to(schema, fill(served))}
    assert names >= {operation.verb for operation in OPERATIONS}
