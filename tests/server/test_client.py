"""The typed client against a real server: the same verbs, values and errors as `Memory`."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from served import Served

from jiyi import Memory
from jiyi.client import AsyncClient, Client, calls, operating
from jiyi.errors import (
    AccessError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    StoreUnavailableError,
)

# Verbs whose arguments differ over HTTP, each with its reason.
DIFFERENT = {
    "set_permanent": "fields are one argument, so that a field may be named like any other",
    "add_documents": "texts only: files lie with the caller",
    "consolidate": "the policies are the server's",
    "remember": "a source is a label: the server gives it its id",
    "remember_all": "an iterator cannot be sent twice",
}
# Verbs that a client does not have, each with its reason.
NOT_THERE = {
    "task": "its three parts are verbs of their own: notes, note, end_task",
    "work": "it is for a process that does nothing else: `jiyi worker`",
    "reembed": "it goes on for long and tells how far it is: POST /v1/reembed, or `jiyi reembed`",
    "on_behalf": "who asks is said by the key",
}
ITS_OWN = {"notes", "note", "end_task", "keys", "create_key", "revoke_key"}


def verbs(cls: type) -> dict[str, Any]:
    return {
        name: member
        for name, member in inspect.getmembers(cls, inspect.isfunction)
        if not name.startswith("_")
    }


def test_it_has_the_verbs_of_memory() -> None:
    """Every verb is there but for a written list, with the arguments that it has in Python; both
    clients have the same."""
    ours, theirs = verbs(Memory), verbs(Client)
    assert set(ours) - set(theirs) == set(NOT_THERE)
    assert set(theirs) - set(ours) == ITS_OWN
    assert set(theirs) == set(verbs(AsyncClient)) | {"export", "load", "backup"}
    for name in set(ours) & set(theirs) - {"export", "load", "backup", "close", "scoped"}:
        made = {**vars(calls), **vars(operating)}["list_memories" if name == "list" else name]
        here = list(inspect.signature(made).parameters)
        there = list(inspect.signature(ours[name]).parameters)[1:]
        if name not in DIFFERENT:
            assert here == there, name


def test_values_are_the_same_as_in_the_process(served: Served) -> None:
    """What comes over HTTP equals what the memory behind it answers, in both languages."""
    with Client(served.url, user="孙", session="A") as client:
        receipt = client.observe(
            ["我搬到杭州了", {"role": "user", "content": "I am allergic to nuts", "id": "m"}]
        )
        here = served.memory.scoped(user="孙", session="A")
        assert len(receipt.turn_ids) == 2
        assert receipt.memory_id is not None
        assert client.turns() == here.turns()
        newest, others = client.turns(limit=1), here.turns(limit=1)
        assert (newest.total, newest.cursor) == (2, others.cursor)
        before = client.turns(limit=1, cursor=newest.cursor)
        assert [*before, *newest] == list(here.turns())
        assert before.cursor is None
        assert client.list(where={"kind": "semantic"}) == here.list(where={"kind": "semantic"})
        assert client.get(receipt.memory_id) == here.get(receipt.memory_id)
        assert client.profile() == here.profile()
        hits = client.recall("我住在哪里", limit=2, include="superseded")
        assert hits[0].text == "我搬到杭州了"
        assert client.explain(hits.trace_id) == here.explain(hits.trace_id)
        assert "nuts" in client.context("what am I allergic to?").text
        assert client.history(receipt.memory_id) == here.history(receipt.memory_id)
        assert client.stats().turns == 2
        assert client.entities() == here.entities()
        assert client.entity("user") == here.entity("user")
        assert client.scoped(user="li").stats().turns == 0


def test_writing_verbs(served: Served, tmp_path: Path) -> None:
    """Every verb that changes something does, with times, lists and mappings as in Python."""
    with Client(served.url, user="sun") as client:
        (stored,) = client.remember(
            "会议在三点", event={"type": "meeting", "at": "2027-01-05T15:00:00+08:00"}, ttl=3600
        ).outcomes
        assert stored.memory_id is not None
        assert client.update(stored.memory_id, tags=["a"], pinned=True).pinned
        assert client.feedback(stored.memory_id, helpful=True).helpful == 1
        new = client.correct(stored.memory_id, "会议在四点").memory_id
        assert new is not None
        client.undo(new)
        assert client.get(stored.memory_id).status == "active"
        assert len(client.remember_all(["x", {"text": "y", "kind": "episodic"}]).outcomes) == 2
        assert client.set_permanent({"role": "技术员"})
        client.note("T", "进度", [1, None])
        assert client.notes("T") == {"进度": [1, None]}
        assert client.end_task("T") == 1
        client.observe("这次会议的结论是延期", session="S")
        assert client.end_session("S").outcomes
        client.add_documents({"title": "t", "text": "接通电源"}, collection="c")
        assert [d.title for d in client.documents(collection="c")] == ["t"]
        client.remove_documents(collection="c")
        assert client.consolidate(dry_run=True).dry_run
        assert client.conflicts() == ()
        client.flush()
        assert client.check() == ()
        assert isinstance(client.repair(), dict)
        assert client.export(tmp_path / "a.jsonl").stat().st_size > 100
        assert client.load(tmp_path / "a.jsonl").added == {}
        assert client.backup(tmp_path / "b.db").read_bytes().startswith(b"SQLite")
        assert client.forget(ids=[stored.memory_id]).memory_ids == (stored.memory_id,)


def test_errors_are_ours(served: Served) -> None:
    """Errors arrive as the ones that `Memory` raises, with their fields."""
    with Client(served.url, user="sun") as client:
        with pytest.raises(InvalidInputError) as wrong:
            client.recall("x", limit=0)
        assert wrong.value.field == "limit"
        with pytest.raises(NotFoundError, match="no memory"):
            client.get("00000000-0000-7000-8000-000000000000")
        first = client.remember("lives in Rome").memory_id
        assert first is not None
        client.correct(first, "lives in Lyon")
        with pytest.raises(ConflictError):
            client.correct(first, "lives in Oslo")
        key, token = client.create_key("reader", rights=["read"], users=["sun"])
    with pytest.raises(AccessError) as refused, Client(served.url) as client:
        client.stats()
    assert not refused.value.known
    with Client(served.url, key=token) as client:
        assert client.list().total == 1
        with pytest.raises(AccessError) as refused:
            client.remember("x")
        assert refused.value.known
    with pytest.raises(StoreUnavailableError), Client("http://127.0.0.1:9") as client:
        client.stats()
    assert key.users == ("sun",)


def test_a_lost_answer_is_asked_for_again(served: Served) -> None:
    """When the connection breaks after the server has written, the retry gets the first answer and
    writes nothing twice."""
    inner, lost = httpx.HTTPTransport(), []

    class Loses(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            response = inner.handle_request(request)
            if not lost:
                response.read()
                lost.append(request.headers["Idempotency-Key"])
                raise httpx.ReadError("lost")
            assert request.headers["Idempotency-Key"] == lost[0]
            return response

        def close(self) -> None:
            inner.close()

    with Client(served.url, transport=Loses(), user="sun") as client:
        receipt = client.remember("只说一次 said once")
    (record,) = served.memory.list(user="sun").items
    assert receipt.memory_id == record.id
    assert len(record.sources) == 1


def test_awaited(served: Served) -> None:
    """The awaited client does the same, many at once."""

    async def main() -> None:
        async with AsyncClient(served.url, user="sun") as client:
            async with anyio.create_task_group() as group:
                for n in range(10):
                    group.start_soon(client.remember, f"number {n} 第{n}件")
            assert (await client.list()).total == 10
            assert len(await client.scoped(user="li").recall("number")) == 0
            with pytest.raises(NotFoundError):
                await client.get("00000000-0000-7000-8000-000000000000")

    anyio.run(main)
