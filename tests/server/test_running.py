"""How the server behaves beside its verbs: limits, retries, origins, ids, logs, numbers, spans."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from served import Serve, Served, run_app

from jiyi.access.secret import make_token
from jiyi.client.answers import value_of
from jiyi.errors import ConfigurationError, NotFoundError, StoreUnavailableError
from jiyi.ids import new_id
from jiyi.memory import Memory
from jiyi.server import create_app
from jiyi.server.limits import RateLimit
from jiyi.server.logs import JsonLines
from jiyi.server.problems import TooManyRequestsError
from jiyi.server.telemetry import start_tracing, stop_tracing


def test_a_retry_gets_the_first_answer(served: Served) -> None:
    """The same Idempotency-Key again: the same answer, nothing written; with another body it is
    refused; another user's request may have the same key; a failure is not kept."""
    with served.client() as client:
        headers = {"Idempotency-Key": "k-1"}
        body = {"user": "sun", "messages": ["我搬到杭州了"]}
        first = client.post("/v1/turns", json=body, headers=headers)
        again = client.post("/v1/turns", json=body, headers=headers)
        assert again.json() == first.json()
        assert "idempotent-replayed" not in first.headers
        assert again.headers["idempotent-replayed"] == "true"
        assert len(served.memory.turns(user="sun")) == 1
        other = client.post("/v1/turns", json={**body, "messages": ["x"]}, headers=headers)
        assert (other.status_code, other.json()["field"]) == (422, "Idempotency-Key")
        client.post("/v1/turns", json={**body, "user": "li"}, headers=headers)
        assert len(served.memory.turns(user="li")) == 1
        bad = {"Idempotency-Key": "k-2"}
        wrong = {"user": "sun", "text": "x", "importance": 3}
        assert client.post("/v1/memories", json=wrong, headers=bad).status_code == 422
        right = {"user": "sun", "text": "x"}
        assert client.post("/v1/memories", json=right, headers=bad).status_code == 200
        for key in ("", "x" * 201):
            headers = {"Idempotency-Key": key}
            refused = client.post("/v1/memories", json=right, headers=headers)
            assert refused.status_code == 422


def test_two_at_once_with_one_key_write_once(served: Served) -> None:
    """Of requests that race with one key, one writes; the others get its answer or a conflict."""
    with served.client() as client, ThreadPoolExecutor(8) as pool:
        body = {"user": "sun", "messages": ["说一次 once"]}
        headers = {"Idempotency-Key": "race"}
        answers = list(
            pool.map(lambda _: client.post("/v1/turns", json=body, headers=headers), range(8))
        )
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert len(served.memory.turns(user="sun")) == 1


def test_what_is_kept_for_retries_holds_no_content(served: Served) -> None:
    """Neither what was said nor a hash that could be guessed lies in the store for a retry."""
    with served.client() as client:
        headers = {"Idempotency-Key": "secret-key"}
        body = {"user": "sun", "text": "密码是 hunter2"}
        receipt = client.post("/v1/memories", json=body, headers=headers).json()
        served.memory.forget(ids=receipt["outcomes"][0]["memory_id"], user="sun")
        assert client.post("/v1/memories", json=body, headers=headers).json() == receipt
    path = next(served.memory.store.path.parent.glob("memory.db"))  # type: ignore[attr-defined]
    assert b"hunter2" not in path.read_bytes()
    assert served.memory.list(user="sun").total == 0


def test_too_much_is_refused(serve: Serve) -> None:
    """A request beyond the size limit is refused before it is read, with and without a length;
    one beyond the rate says when to come again; each key has its own rate."""
    with serve(max_body_bytes=1000, requests_per_minute=5) as served, served.client() as client:
        long = json.dumps({"text": "x" * 2000}).encode()
        kind = {"content-type": "application/json"}
        assert client.post("/v1/memories", content=long, headers=kind).status_code == 413
        parts = client.post("/v1/memories", content=iter([long[:900], long[900:]]), headers=kind)
        assert parts.status_code == 413
        assert parts.json()["type"] == "urn:jiyi:problem:too-large"
        codes = [client.get("/v1/stats").status_code for _ in range(6)]
        assert 429 in codes
        refused = client.get("/v1/stats")
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.headers["content-type"] == "application/problem+json"
        one, two = served.keyring.create("1"), served.keyring.create("2")
    with serve(file=True, requests_per_minute=3) as served:
        with served.client(one.token) as client:
            assert [client.get("/v1/stats").status_code for _ in range(4)] == [200, 200, 200, 429]
        with served.client(two.token) as client:
            assert client.get("/v1/stats").status_code == 200


def test_the_bucket_fills_again() -> None:
    """After a pause of 1/rate there is room for one more, never for more than the bucket holds."""
    now = [0.0]
    limit = RateLimit(60, seconds=lambda: now[0])
    for _ in range(60):
        limit.take("a")
    with pytest.raises(TooManyRequestsError):
        limit.take("a")
    limit.take("b")
    now[0] = 1.0
    limit.take("a")
    with pytest.raises(TooManyRequestsError):
        limit.take("a")
    now[0] = 10_000.0
    for _ in range(60):
        limit.take("a")
    with pytest.raises(TooManyRequestsError):
        limit.take("a")


@pytest.mark.parametrize("path", ["/v1/stats", "/mcp", "/"])
def test_who_guesses_at_keys_is_slowed_down(serve: Serve, path: str) -> None:
    """Wrong keys count against the address that sends them at every door, also when each is another
    one; a good key goes on."""
    with serve(requests_per_minute=3) as served:
        made = served.keyring.create("k")
        with served.client() as client:
            wrong = [{"Authorization": f"Bearer {make_token(new_id())[0]}"} for _ in range(4)]
            codes = [client.get(path, headers=header).status_code for header in wrong]
        assert codes[3] == 429
        assert 429 not in codes[:3]
        with served.client(made.token) as client:
            assert client.get(path).status_code != 429


def test_processes_count_together(tmp_path: Path) -> None:
    """Two processes of one address share a bucket for each caller; one that dies leaves it whole;
    what nobody asked from for a minute is not kept."""
    now = [0.0]
    file = tmp_path / "rates"
    one = RateLimit(6, shared=file, seconds=lambda: now[0])
    two = RateLimit(6, shared=file, seconds=lambda: now[0])
    one.open()
    for limit in (one, two) * 3:
        limit.take("a")
    one.close()
    with pytest.raises(TooManyRequestsError):
        two.take("a")
    two.take("孙")
    now[0] = 61.0
    two.take("b")
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT COUNT(*) FROM bucket").fetchone() == (1,)
    assert "孙".encode() not in file.read_bytes()
    two.close()


def test_open_for_this_machine_alone(served: Served) -> None:
    """Without keys: a foreign name, a proxy in between and pages of another origin are turned
    away; a page of our own is not."""
    with served.client() as client:
        ok = client.get("/v1/stats", headers={"Host": "localhost:1"})
        assert ok.status_code == 200
        for headers in (
            {"Host": "rebound.example"},
            {"X-Forwarded-For": "203.0.113.9"},
            {"Forwarded": "for=203.0.113.9"},
            {"Host": "rebound.example", "Authorization": "Bearer anything"},
        ):
            refused = client.get("/v1/stats", headers=headers)
            assert refused.status_code == 403, headers
            assert refused.json()["type"] == "urn:jiyi:problem:access"
        body = {"text": "x"}
        foreign = client.post("/v1/memories", json=body, headers={"Origin": "https://evil.example"})
        assert foreign.status_code == 403
        own = client.post("/v1/memories", json=body, headers={"Origin": served.url})
        assert own.status_code == 200
        assert "access-control-allow-origin" not in own.headers
    assert served.memory.stats().memories["active"] == 1


def test_cors_is_for_the_named_origins(serve: Serve) -> None:
    """A browser of a named origin may call, and read the headers; one of another may not."""
    with serve(cors_origins=("https://app.example",)) as served, served.client() as client:
        asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
        allowed = client.options("/v1/recall", headers=asked)
        assert allowed.headers["access-control-allow-origin"] == "https://app.example"
        other = client.options("/v1/recall", headers=asked | {"Origin": "https://b.example"})
        assert "access-control-allow-origin" not in other.headers


def test_cors_is_closed_by_default(served: Served) -> None:
    """Without origins named, no page of another origin is allowed anything."""
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    with served.client() as client:
        for answer in (client.options("/v1/recall", headers=asked), client.get("/healthz")):
            assert "access-control-allow-origin" not in answer.headers


def test_it_does_not_listen_beyond_this_machine_without_keys(serve: Serve) -> None:
    """An application for another address needs a key, and then lets nobody in without."""
    with pytest.raises(ConfigurationError, match="keys"), serve(host="0.0.0.0"):
        pass


def test_request_ids(served: Served) -> None:
    """A good id comes back; a bad one is replaced; every answer has one."""
    with served.client() as client:
        assert client.get("/healthz", headers={"X-Request-Id": "a.b-1"}).headers[
            "x-request-id"
        ] == ("a.b-1")
        for bad in ("x" * 65, "a b", "<script>"):
            given = client.get("/healthz", headers={"X-Request-Id": bad}).headers["x-request-id"]
            assert given != bad
            assert len(given) == 32


def test_logs_hold_no_content(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """One line a request: method, route, status, milliseconds, key; no text, no id of a memory,
    no query, whether it went well or not."""
    caplog.set_level(logging.DEBUG, logger="jiyi")
    made = served.keyring.create("k", users=["孙"])
    with served.client(made.token) as client:
        client.post("/v1/memories", json={"text": "银行卡号 6222 secret"})
        client.post("/v1/recall", json={"query": "银行卡号 secret"})
        client.get("/v1/memories/secret-id")
        client.get("/v1/memories", params={"where": '{"text": "secret"}'})
        client.post("/v1/recall", json={"query": "secret", "limit": 0})
    lines = [JsonLines().format(r) for r in caplog.records if r.name.startswith("jiyi")]
    assert len(lines) == 5
    assert not any("secret" in line or "银行" in line for line in lines)
    first = json.loads(lines[0])
    assert (first["route"], first["status"], first["key"]) == ("/v1/memories", 200, made.key.id)
    assert json.loads(lines[2])["route"] == "/v1/memories/{memory_id}"


def test_a_fault_tells_no_content(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An error that nobody foresaw is a problem without its message, and the log names kind and
    place only; a store that is away is a 503."""

    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("secret text")

    monkeypatch.setattr(Memory, "recall", breaks)
    with served.client() as client:
        answer = client.post("/v1/recall", json={"query": "x"})
        assert answer.status_code == 500
        assert answer.headers["content-type"] == "application/problem+json"
        assert "secret" not in answer.text

        def away(*_: object, **__: object) -> None:
            raise StoreUnavailableError("the disk is full")

        monkeypatch.setattr(Memory, "recall", away)
        answer = client.post("/v1/recall", json={"query": "x"})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    ours = [JsonLines().format(r) for r in caplog.records if r.name == "jiyi.server"]
    assert any("RuntimeError" in line for line in ours)
    assert not any("secret" in line for line in ours)
    foreign = [JsonLines().format(r) for r in caplog.records if r.exc_info]
    assert not any("secret" in line for line in foreign)


@pytest.mark.parametrize("text", ["我对花生过敏", "I live in Leeds"])
def test_what_cannot_be_read_says_how_to_send_it(served: Served, text: str) -> None:
    """A body without its content type, in another encoding, or nested without end: the answer
    names the way out. Nothing is recorded."""
    body = json.dumps({"user": "sun", "messages": [text]}, ensure_ascii=False)
    as_json = {"Content-Type": "application/json"}
    with served.client() as client:
        for content, headers, status, hint in (
            (body.encode(), {}, 422, "Content-Type: application/json"),
            (b'{"user": "sun", "messages": ["\xbb\xa8\xe9"]}', as_json, 400, "UTF-8"),
            (b'{"user":' + b"[" * 100_000, as_json, 400, "JSON object"),
        ):
            answer = client.post("/v1/turns", content=content, headers=headers)
            assert answer.status_code == status
            assert hint in answer.json()["hint"]
        assert client.get("/v1/turns", params={"user": "sun"}).json()["items"] == []
        missing = client.get("/v1/traces", params={"user": "sun"})
        assert missing.status_code == 404
        assert missing.json()["detail"] == "no trace yet in this scope"
        with pytest.raises(NotFoundError, match="no trace yet in this scope"):
            value_of(missing)
        served.keyring.create("any")
        refused = client.get("/v1/stats")
        assert refused.status_code == 401
        assert "Authorization: Bearer" in refused.json()["detail"]


def test_a_store_that_is_gone_at_the_end_is_one_line_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The server stops whether or not it can write what is buffered, and says which."""
    memory = Memory(tmp_path / "memory.db", embedder=None, background=False)

    def gone(*_: object, **__: object) -> None:
        raise StoreUnavailableError("the disk is gone")

    with run_app(create_app(memory, closes=True)):
        monkeypatch.setattr(type(memory.store), "write", gone)
        memory.recall("anything?", user="sun")
    assert any("the disk is gone" in record.getMessage() for record in caplog.records)
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("by", ["nothing", "another store"])
def test_a_store_that_goes_away_is_noticed(
    serve: Serve, tmp_path: Path, by: str, caplog: pytest.LogCaptureFixture
) -> None:
    """When the database is removed or replaced under the server, it is not ready and says why, in
    the answer, the numbers and, once, the log; every verb is a 503, from foreign addresses too.
    When the file is put back it goes on."""
    path, aside, other = (tmp_path / name for name in ("memory.db", "aside.db", "other.db"))
    Memory(other, embedder=None, background=False).close()
    with serve(open_metrics=True) as served, served.client() as client:
        assert "jiyi_store_ready 1.0" in client.get("/metrics").text
        path.rename(aside)
        if by == "another store":
            other.rename(path)
        for request in (
            client.build_request("GET", "/readyz"),
            client.build_request("GET", "/readyz"),
            client.build_request("GET", "/v1/stats"),
            client.build_request("GET", "/v1/stats", headers={"Host": "memory.example"}),
            client.build_request("POST", "/v1/turns", json={"messages": ["会丢吗 lost?"]}),
        ):
            answer = client.send(request)
            assert answer.status_code == 503, request
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.headers["retry-after"] == "5"
            assert "removed or replaced" in answer.json()["detail"]
            assert answer.json()["request_id"] == answer.headers["x-request-id"]
        assert client.get("/healthz").status_code == 200
        assert "jiyi_store_ready 0.0" in client.get("/metrics").text
        aside.rename(path)
        assert client.get("/readyz").json() == {"status": "ok"}
    said = [r.getMessage() for r in caplog.records if "the store can" in r.getMessage()]
    assert [line[:23] for line in said] == ["the store cannot be use", "the store can be used a"]


def test_health_and_metrics(served: Served) -> None:
    """Health answers without a key, metrics with an admin's only; they count by route, and hold
    neither names nor texts."""
    made = served.keyring.create("k", rights=["admin", "read"], users=["孙"])
    plain = served.keyring.create("plain")
    with served.client() as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.get("/readyz").json() == {"status": "ok"}
        assert client.get("/metrics").status_code == 401
    with served.client(plain.token) as client:
        assert client.get("/metrics").status_code == 403
    with served.client(made.token) as client:
        client.post("/v1/recall", json={"query": "秘密"})
        numbers = client.get("/metrics").text
    counted = 'jiyi_http_requests_total{method="POST",route="/v1/recall",status="200"} 1.0'
    assert counted in numbers
    assert "jiyi_queue_jobs" in numbers
    assert "秘密" not in numbers
    assert "孙" not in numbers


def test_spans_tell_numbers_only(served: Served) -> None:
    """With tracing there is a span around each verb, with counts and the kind of an error."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    start_tracing(provider.get_tracer("test"))
    try:
        with served.client() as client:
            client.post("/v1/memories", json={"text": "花生 secret"})
            client.post("/v1/recall", json={"query": "花生 secret"})
            client.post("/v1/recall", json={"query": "secret", "limit": 0})
    finally:
        stop_tracing()
    spans = exporter.get_finished_spans()
    assert [span.name for span in spans] == ["jiyi.remember", "jiyi.recall", "jiyi.recall"]
    assert spans[1].attributes is not None
    assert spans[1].attributes["jiyi.hits"] == 1
    assert spans[2].attributes is not None
    assert spans[2].attributes["error.type"] == "InvalidInputError"
    assert "secret" not in "".join(span.to_json() for span in spans)


def test_many_at_once(served: Served) -> None:
    """Forty clients that write and read at once: everything is written once, nothing fails."""
    with served.client() as client, ThreadPoolExecutor(40) as pool:

        def visit(n: int) -> int:
            who = {"user": f"u{n % 7}"}
            client.post("/v1/turns", json={**who, "messages": [f"第{n}条 message {n}"]})
            return client.post("/v1/recall", json={**who, "query": f"message {n}"}).status_code

        assert set(pool.map(visit, range(80))) == {200}
    assert sum(served.memory.stats(user=f"u{n}").turns for n in range(7)) == 80
    assert threading.active_count() < 200
