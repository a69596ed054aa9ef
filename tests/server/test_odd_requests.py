"""Requests that no program of good faith sends: each gets a clear problem, none a server error."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import Serve, Served

from jiyi.access import RIGHTS

_JSON = {"Content-Type": "application/json"}
_BODIES = (b"", b"null", b"5", b"[]", b'"x"', b"{", b"\xff\xfe", b"[" * 50_000, b'{"a": NaN}')
_BODIES += (b'{"user": ' + b"1" * 5_000 + b"}", b"\xef\xbb\xbf{}")
_VALUES: tuple[Any, ...] = (None, True, -1, 1e308, 10**30, "", " ", "\0", "\ud800", [[]], {"a": {}})
_TEXTS = ("", "x", "-1", "1e99", "9" * 40, "\0", '{"and": []}', "[" * 5_000)
# Each field gets a share of them, unless there is time for all.
_EACH = 1 if os.environ.get("JIYI_SOAK") else 5
_IDS = ("x", "%00", "..%2f", "好", "%ff", "a" * 5_000, "0" * 32, "%0a", "\u202e")
_METHODS = ("PUT", "DELETE", "PATCH", "POST", "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND")


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, httpx.Client]]:
    """A server with something in it, and a client that may do everything."""
    from served import run_app

    from jiyi import Memory
    from jiyi.server import create_app
    from jiyi.settings import ServerSettings

    path = tmp_path_factory.mktemp("odd") / "memory.db"
    with Memory(path, embedder=None, background=False) as memory:
        memory.observe(["我搬到杭州了", "I like tea"], user="孙", session="A")
        app = create_app(memory, ServerSettings(requests_per_minute=0, max_body_bytes=200_000))
        with run_app(app) as url:
            served = Served(url, memory, app)
            made = served.keyring.create("all", rights=RIGHTS, every_tenant=True)
            with served.client(made.token) as client:
                yield served, client


def operations(client: httpx.Client) -> list[tuple[str, str, dict[str, Any]]]:
    """Every operation of the API that takes JSON or a query, and changes no keys."""
    paths: dict[str, Any] = client.get("/openapi.json").json()["paths"]
    return [
        (method.upper(), path, operation)
        for path, methods in paths.items()
        for method, operation in methods.items()
        if path.startswith("/v1/") and not path.startswith("/v1/keys")
    ]


def is_clear(answer: httpx.Response) -> None:
    """Whatever the status, it is no fault of the server, and a refusal says why."""
    assert answer.status_code < 500, (answer.request.url, answer.text)
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json", answer.request.url
        if answer.request.method != "HEAD":
            assert answer.json()["detail"], answer.request.url


def test_odd_bodies(walked: tuple[Served, httpx.Client]) -> None:
    """A body that is no object, no JSON, no UTF-8, too deep, or of another type."""
    _, client = walked
    kinds = ("application/json", "text/plain", "multipart/form-data; boundary=x", "☃")
    for method, path, operation in operations(client):
        if "requestBody" not in operation:
            continue
        for n, body in enumerate(_BODIES):
            kind = {"Content-Type": kinds[n % len(kinds)].encode()}
            is_clear(client.request(method, path, content=body, headers=kind))
            if n % 2 or _EACH == 1:
                is_clear(client.request(method, path, content=body, headers=_JSON))
        long = b'{"user": "' + b"x" * 300_000 + b'"}'
        answer = client.request(method, path, content=long, headers=_JSON)
        assert answer.status_code == (422 if path == "/v1/load" else 413)
        is_clear(answer)


def test_odd_values(walked: tuple[Served, httpx.Client]) -> None:
    """Every field of every body, and every parameter, with what does not belong there."""
    _, client = walked
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    for method, path, operation in operations(client):
        if method == "DELETE" or operation["operationId"] in ("backup", "reembed", "load"):
            continue
        text = json.dumps(operation.get("requestBody", {}))
        name = text.partition('"#/components/schemas/')[2].partition('"')[0]
        for n, field in enumerate(schemas.get(name, {}).get("properties", {})):
            for value in _VALUES[n % _EACH :: _EACH]:
                odd = json.dumps(
                    {field: value, "user": "孙"} if field != "user" else {field: value}
                )
                is_clear(client.request(method, path, content=odd, headers=_JSON))
        for place, parameter in enumerate(operation.get("parameters", ())):
            if parameter["in"] == "query":
                for value in _TEXTS[place % _EACH :: _EACH]:
                    is_clear(client.request(method, path, params={parameter["name"]: value}))
        is_clear(client.request(method, f"{path}?unknown=1&%ff=%ff"))


def test_odd_ids_methods_and_headers(walked: tuple[Served, httpx.Client]) -> None:
    """Ids of no shape, methods that a path does not have, and headers in no encoding."""
    _, client = walked
    for method, path, _ in operations(client):
        if "{" in path:
            for id in _IDS:
                url = path.replace("{memory_id}", id)
                is_clear(client.request(method, url, content=b"{}", headers=_JSON))
    for path in ("/v1/turns", "/v1/memories/x", "/v1/stats", "/v1/nothing", "/v1", "/openai/v1/x"):
        for method in _METHODS:
            is_clear(client.request(method, path))
        for name in ("Idempotency-Key", "X-Request-Id", "X-Jiyi-User", "Cookie", "Range", "Accept"):
            for value in ("好".encode(), b"\xff\xfe", b"a" * 5_000):
                is_clear(client.get(path, headers={name: value}))


@pytest.mark.parametrize("path", ["/v1/turns", "/mcp", "/"])
def test_no_websockets(walked: tuple[Served, httpx.Client], path: str) -> None:
    """A request to speak another protocol is answered as if it had not asked, or refused."""
    served, client = walked
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    assert client.get(path, headers=headers).status_code < 500
    assert served.memory.stats(user="孙").turns == 2


def test_who_hangs_up_leaves_nothing(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Bodies that break off record nothing; downloads that nobody takes leave no file behind; the
    server goes on."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with serve() as served:
        served.memory.remember_all([f"第{n}件事 {'x' * 500}" for n in range(300)], user="孙")
        host, port = served.url.removeprefix("http://").split(":")
        for line, body in (
            ("POST /v1/turns", b'{"messages": ["half'),
            ("POST /v1/load", b'{"jiyi_archive"'),
            ("POST /openai/v1/chat/completions", b"{"),
            ("GET /v1/export?everything=true", b""),
            ("POST /v1/backup", b""),
        ):
            length = 1_000 if body else 0
            head = f"{line} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n"
            with socket.create_connection((host, int(port))) as caller:
                caller.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
                if not body:
                    caller.recv(10)  # it has begun
        with served.client() as client:
            assert client.get("/readyz").status_code == 200
            assert client.get("/v1/turns").json()["total"] == 0
        end = time.monotonic() + 60
        while (left := list(tmp_path.glob("jiyi-*"))) and time.monotonic() < end:
            time.sleep(0.02)
        assert left == []
    assert [r for r in caplog.records if r.levelname == "ERROR"] == []
