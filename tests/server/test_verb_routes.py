"""Every verb over real HTTP, in both languages, with what people send wrongly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from served import Served, run_app

from jiyi import Memory
from jiyi.server import create_app


def ok(response: httpx.Response) -> Any:
    assert response.is_success, response.text
    return response.json()


@pytest.mark.parametrize(
    ("said", "question", "word"),
    [
        ("我搬到杭州了，以后快递寄到杭州", "我住哪儿？", "杭州"),
        ("I moved to Lyon last month", "where do I live?", "Lyon"),
    ],
)
def test_what_was_said_is_found(served: Served, said: str, question: str, word: str) -> None:
    """A turn that was observed is recalled, stands in the context, the list, the profile, and the
    trace says how."""
    with served.client() as client:
        who = {"user": "孙"}
        receipt = ok(client.post("/v1/turns", json={**who, "session": "A", "messages": [said]}))
        assert receipt["outcomes"][0]["status"] == "stored"
        hits = ok(client.post("/v1/recall", json={**who, "query": question}))
        assert word in hits["items"][0]["text"]
        context = ok(client.post("/v1/context", json={**who, "query": question, "session": "B"}))
        assert word in context["text"]
        page = ok(client.get("/v1/memories", params=who))
        assert page["total"] == 1
        assert ok(client.get("/v1/profile", params=who))["learned"][0]["attribute"] == "residence"
        trace = ok(client.get("/v1/traces", params={**who, "trace_id": hits["trace_id"]}))
        assert trace["query"] == question
        assert ok(client.get("/v1/traces", params=who))["operation"] == "context"
        assert (
            ok(client.get("/v1/turns", params={**who, "session": "A"}))["items"][0]["text"] == said
        )
        assert ok(client.get("/v1/stats", params=who))["turns"] == 1


def test_the_life_of_a_memory(served: Served) -> None:
    """Written, updated, praised, corrected, told apart by its history, undone, forgotten."""
    with served.client() as client:
        who = {"user": "sun"}
        body = {**who, "text": "会议十点开始", "tags": ["meeting"], "meta": {"room": 3}}
        (outcome,) = ok(client.post("/v1/memories", json=body))["outcomes"]
        place = f"/v1/memories/{outcome['memory_id']}"
        assert ok(client.get(place, params=who))["tags"] == ["meeting"]
        changed = ok(client.patch(place, json={**who, "pinned": True, "valid_to": None}))
        assert (changed["pinned"], changed["meta"]) == (True, {"room": 3})
        assert ok(client.post(f"{place}/feedback", json={**who, "helpful": True}))["helpful"] == 1
        (new,) = ok(client.post(f"{place}/correct", json={**who, "text": "会议九点开始"}))[
            "outcomes"
        ]
        history = ok(client.get(f"{place}/history", params=who))
        assert [record["text"] for record in history["chain"]] == ["会议十点开始", "会议九点开始"]
        ok(client.post("/v1/undo", json={**who, "id": new["memory_id"]}))
        assert ok(client.get(place, params=who))["status"] == "active"
        dry = ok(client.post("/v1/forget", json={**who, "query": "会议", "dry_run": True}))
        assert dry["dry_run"]
        gone = ok(client.post("/v1/forget", json={**who, "ids": [outcome["memory_id"]]}))
        assert gone["memory_ids"] == [outcome["memory_id"]]
        assert client.get(place, params=who).status_code == 404


def test_lists_have_filters_and_pages(served: Served) -> None:
    """A filter in the query string narrows; the cursor leads through all of it, once."""
    with served.client() as client:
        items: list[Any] = [{"text": f"第{n}件事 thing {n}", "meta": {"n": n}} for n in range(5)]
        ok(client.post("/v1/memories/batch", json={"items": [*items, "one more 还有"]}))
        seen, cursor = [], None
        while True:
            params: dict[str, Any] = {"limit": 2, "where": json.dumps({"meta.n": {"ge": 1}})}
            page = ok(
                client.get("/v1/memories", params=params | ({"cursor": cursor} if cursor else {}))
            )
            assert page["total"] == 4
            seen += [record["meta"]["n"] for record in page["items"]]
            cursor = page["cursor"]
            if cursor is None:
                break
        assert sorted(seen) == [1, 2, 3, 4]


def test_turns_have_pages(served: Served) -> None:
    """The cursor leads from the newest turns to the first, each once and in the order of saying,
    though all were said at once; a cursor of another user is refused."""
    with served.client() as client:
        who = {"user": "孙"}
        said = [f"第{n}句 line {n}" for n in range(5)]
        ok(client.post("/v1/turns", json={**who, "messages": said}))
        seen, cursor = [], None
        for left in (3, 1, 0):
            more = {"cursor": cursor} if cursor else {}
            page = ok(client.get("/v1/turns", params={**who, "limit": 2, **more}))
            assert page["total"] == 5
            seen[:0] = [turn["text"] for turn in page["items"]]
            kept, cursor = cursor, page["cursor"]
            assert (cursor is None) == (left == 0)
        assert seen == said
        strange = client.get("/v1/turns", params={"user": "li", "cursor": kept})
        assert (strange.status_code, strange.json()["field"]) == (422, "cursor")


def test_hard_facts_notes_and_sessions(served: Served) -> None:
    """Permanent fields, working notes and the end of a session."""
    with served.client() as client:
        who = {"user": "sun"}
        profile = ok(
            client.patch("/v1/profile", json={**who, "fields": {"role": "技术员", "id": 7}})
        )
        assert profile["permanent"] == {"id": 7, "role": "技术员"}
        note = {**who, "task": "T/7 任务", "name": "进度", "value": {"done": 96}}
        assert client.put("/v1/notes", json=note).status_code == 204
        assert ok(client.get("/v1/notes", params={**who, "task": "T/7 任务"})) == {
            "进度": {"done": 96}
        }
        assert ok(client.delete("/v1/notes", params={**who, "task": "T/7 任务"})) == {"ended": 1}
        said = ["项目代号是北极星", "The deadline is 5 May 2027"]
        ok(client.post("/v1/turns", json={**who, "session": "S", "messages": said}))
        assert ok(client.post("/v1/sessions/end", json={**who, "session": "S"}))["outcomes"]
        assert client.post("/v1/flush").status_code == 204


def test_documents_come_as_texts(served: Served) -> None:
    """Documents are sent, found, listed and removed; a path is refused, for it would read the
    server's own files."""
    with served.client() as client:
        document = {"title": "说明书", "text": "# 安装\n\n先接通电源。", "meta": {"v": 2}}
        ok(client.post("/v1/documents", json={"collection": "manual", "documents": document}))
        (listed,) = ok(client.get("/v1/documents", params={"collection": "manual"}))
        assert listed["title"] == "说明书"
        (hit,) = ok(client.post("/v1/recall", json={"query": "接通电源", "units": "document"}))[
            "items"
        ]
        assert "电源" in hit["text"]
        for path in ("/etc/hostname", ["/etc/hostname"], {"path": "/etc/hostname"}):
            refused = client.post("/v1/documents", json={"documents": path})
            assert refused.status_code == 422
        removed = ok(client.post("/v1/documents/remove", json={"ids": [listed["id"]]}))
        assert removed["counts"]["documents"] == 1


def test_upkeep(served: Served) -> None:
    """Consolidation, conflicts, the check and the repair answer; what this server is not set up for
    says so."""
    with served.client() as client:
        who = {"user": "sun"}
        ok(client.post("/v1/memories", json={**who, "text": "likes tea"}))
        assert ok(client.post("/v1/consolidate", json={**who, "dry_run": True}))["dry_run"]
        assert ok(client.get("/v1/conflicts", params=who)) == []
        assert ok(client.get("/v1/check")) == []
        assert ok(client.post("/v1/repair"))["rows"] is not None
        told = [json.loads(line) for line in client.post("/v1/reembed").text.splitlines()]
        assert told[-1]["type"] == "urn:jiyi:problem:configuration"


def test_archives_travel(served: Served, serve: Any, tmp_path: Any) -> None:
    """An archive is exported as JSON lines and loaded into another store, twice, unchanged; a
    backup is a whole store; a damaged archive is refused and nothing is written."""
    with served.client() as client:
        ok(client.post("/v1/memories", json={"user": "sun", "text": "喜欢绿茶"}))
        archive = client.get("/v1/export", params={"user": "sun"})
        assert archive.headers["content-type"].startswith("application/x-ndjson")
        kinds = [json.loads(line).get("record") for line in archive.text.splitlines()]
        assert kinds[0] is None
        assert kinds[-1] == "end"
        copy = client.post("/v1/backup")
        assert copy.content.startswith(b"SQLite format 3")
        cut = client.post("/v1/load", content=archive.content[:-40])
        assert cut.status_code == 422
        assert cut.json()["type"] == "urn:jiyi:problem:invalid-input"
    with serve(file=False) as other, other.client() as client:
        first = ok(client.post("/v1/load", content=archive.content))
        assert first["added"]["memory"] == 1
        assert ok(client.post("/v1/load", content=archive.content))["added"] == {}
        assert ok(client.get("/v1/memories", params={"user": "sun"}))["total"] == 1


@pytest.fixture(scope="module")
def untouched() -> Iterator[Served]:
    """A server that nobody writes to."""
    with Memory(":memory:", embedder=None, background=False) as memory:
        app = create_app(memory)
        with run_app(app) as url:
            yield Served(url, memory, app)


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/recall", {"query": " "}, "query"),
        ("/v1/recall", {"query": "x", "limit": 0}, "limit"),
        ("/v1/recall", {"query": "x", "limit": "5"}, "limit"),
        ("/v1/recall", {"query": "x", "where": {"kind": {"near": "y"}}}, "where"),
        ("/v1/recall", {"query": "x", "usr": "sun"}, "usr"),
        ("/v1/recall", {"limit": 3}, "query"),
        ("/v1/recall", {"query": "x", "user": ""}, "user"),
        ("/v1/turns", {"messages": [{"role": "king", "content": "x"}]}, "messages[0].role"),
        ("/v1/turns", {"messages": []}, "messages"),
        ("/v1/memories", {"text": "x", "importance": 2}, "importance"),
        ("/v1/memories", {"text": "x", "slot": {"attribute": "a"}}, "slot"),
        ("/v1/memories", {"text": "a\u0000b"}, "text"),
        ("/v1/memories/batch", {"items": ["x", {"text": "y", "kind": "z"}]}, "items[1].kind"),
        ("/v1/forget", {}, ""),
        ("/v1/undo", {"id": "x"}, "id"),
        ("/v1/documents/remove", {}, "ids"),
    ],
)
def test_wrong_input_names_its_field(
    untouched: Served, path: str, body: dict[str, Any], field: str
) -> None:
    """One problem that names the field and the way out, and nothing is written."""
    with untouched.client() as client:
        refused = client.post(path, json=body)
        problem = refused.json()
        assert refused.status_code == 422, problem
        assert refused.headers["content-type"] == "application/problem+json"
        assert problem["field"].startswith(field), problem
        assert problem["hint"]
        assert problem["request_id"] == refused.headers["x-request-id"]
        assert ok(client.get("/v1/memories"))["total"] == 0


def test_nothing_there_and_nothing_to_change(served: Served) -> None:
    """404 for what is not in this scope, 409 for what contradicts its state, 405 and 404 for what
    is no route: all of them problems."""
    with served.client() as client:
        body = {"user": "sun", "text": "lives in Rome"}
        (outcome,) = ok(client.post("/v1/memories", json=body))["outcomes"]
        place = f"/v1/memories/{outcome['memory_id']}"
        assert client.get(place, params={"user": "li"}).status_code == 404
        change = {"user": "sun", "text": "lives in Lyon"}
        ok(client.post(f"{place}/correct", json=change))
        for response, status in (
            (client.post(f"{place}/correct", json={**change, "text": "lives in Oslo"}), 409),
            (client.get("/v1/nothing"), 404),
            (client.delete("/v1/recall"), 405),
            (
                client.post(
                    "/v1/recall", content=b"{", headers={"content-type": "application/json"}
                ),
                422,
            ),
        ):
            assert response.status_code == status, response.text
            assert response.headers["content-type"] == "application/problem+json"
