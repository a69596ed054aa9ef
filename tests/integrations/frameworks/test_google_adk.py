"""Google ADK's memory service: sessions are read once, found again, and kept apart."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest

pytest.importorskip("google.adk", reason="needs jiyi[google-adk]")

from google.adk.agents import Agent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools import load_memory
from google.genai import types

from jiyi import InvalidInputError, Memory, NotFoundError
from jiyi.integrations.google_adk import JiyiMemoryService

SAID = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SUN = {"app_name": "app", "user_id": "sun"}


def content(text: str, **more: Any) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text, **more)])


def event(author: str, text: str, id: str, **more: Any) -> Event:
    return Event(author=author, id=id, timestamp=SAID.timestamp(), content=content(text), **more)


def session(*events: Event, id: str = "A", **names: str) -> Session:
    return Session(id=id, events=list(events), **(SUN | names))


def run(work: Callable[[], Any]) -> None:
    anyio.run(work)


@pytest.fixture
def service(memory: Memory) -> JiyiMemoryService:
    return JiyiMemoryService(memory)


async def found(service: JiyiMemoryService, query: str, **names: str) -> list[MemoryEntry]:
    return (await service.search_memory(query=query, **(SUN | names))).memories


def texts(entries: list[MemoryEntry]) -> list[str | None]:
    return [entry.content.parts[0].text for entry in entries if entry.content.parts]


@pytest.mark.parametrize(
    ("told", "asked", "known"),
    [
        ("My daughter is allergic to peanuts.", "is my daughter allergic?", "peanuts"),
        ("我女儿对花生过敏。", "我女儿对什么过敏？", "花生"),
    ],
)
def test_a_session_is_found_again(
    service: JiyiMemoryService, told: str, asked: str, known: str
) -> None:
    """With author and time; added again, also grown, each event is kept once."""

    async def main() -> None:
        first, second = event("user", told, "e1"), event("helper", "Noted 好的.", "e2")
        await service.add_session_to_memory(session(first))
        await service.add_session_to_memory(session(first, second))
        await service.add_session_to_memory(session(first, second))
        entries = await found(service, asked)
        assert known in (texts(entries)[0] or "")
        assert entries[0].timestamp == SAID.isoformat()
        assert "helper" in [entry.author for entry in await found(service, "Noted 好的")]
        assert len(texts(await found(service, told + " Noted 好的"))) == 2

    run(main)


def test_only_what_was_said_is_kept(service: JiyiMemoryService, memory: Memory) -> None:
    """No parts of a stream, no thoughts, no calls of tools; metadata of the caller is kept."""

    async def main() -> None:
        call = types.Part(function_call=types.FunctionCall(name="f", args={}))
        events = [
            event("user", "green tea", "e1"),
            event("helper", "gre", "e2", partial=True),
            Event(author="helper", id="e3", content=content("thinking", thought=True)),
            Event(author="helper", id="e4", content=types.Content(role="model", parts=[call])),
            Event(author="helper", id="e5"),
        ]
        await service.add_events_to_memory(
            events=events, session_id="S", custom_metadata={"来源": "test"}, **SUN
        )

    run(main)
    (turn,) = memory.turns(tenant="app", user="sun", session="S")
    assert (turn.text, turn.said_at, dict(turn.meta)) == ("green tea", SAID, {"来源": "test"})


def test_users_and_applications_are_apart(service: JiyiMemoryService, memory: Memory) -> None:
    """Neither another user nor another application finds or deletes anything; an application's
    memories can be shared on purpose."""

    async def main() -> None:
        await service.add_session_to_memory(session(event("user", "green tea", "e1")))
        (entry,) = await found(service, "green tea")
        for names in ({"user_id": "li"}, {"app_name": "other"}):
            assert await found(service, "green tea", **names) == []
            with pytest.raises(NotFoundError):
                await service.delete_memory(**(SUN | names), memory_id=entry.id)
        shared = JiyiMemoryService(memory, share_apps=True)
        await shared.add_session_to_memory(session(event("user", "strong coffee", "e1")))
        assert texts(await found(shared, "coffee", app_name="other")) == ["strong coffee"]
        assert await found(shared, "green tea") == []
        theirs = JiyiMemoryService(memory.scoped(tenant="company"))
        assert await found(theirs, "green tea") == []

    run(main)


def test_memories_are_added_and_deleted(
    service: JiyiMemoryService, files: Callable[[], bytes]
) -> None:
    """Statements as they are given, all or none; deleted, they are in no byte of the files."""

    async def main() -> None:
        entry = MemoryEntry(
            content=content("The locker code is Zq-31"),
            author="ann",
            timestamp="2026-01-05T08:00:00+00:00",
            custom_metadata={"level": 2},
        )
        await service.add_memory(memories=[entry], **SUN)
        await service.add_memory(memories=[], **SUN)
        (kept,) = await found(service, "locker code")
        assert kept.timestamp == entry.timestamp
        assert kept.custom_metadata["level"] == 2
        with pytest.raises(InvalidInputError, match="text"):
            await service.add_memory(
                memories=[MemoryEntry(content=content("good")), MemoryEntry(content=content(" "))],
                **SUN,
            )
        assert await found(service, "good") == []
        await service.delete_memory(memory_id=kept.id, **SUN)
        assert await found(service, "locker code") == []
        assert b"Zq-31" not in files()
        with pytest.raises(InvalidInputError, match="memory_id"):
            await service.delete_memory(**SUN)

    run(main)


def test_nothing_known_is_nothing(service: JiyiMemoryService) -> None:
    """An empty store, an empty query, and one that nothing fits."""

    async def main() -> None:
        assert await found(service, "tea") == await found(service, " ") == []
        await service.add_session_to_memory(session())
        await service.add_session_to_memory(session(event("user", "green tea", "e1")))
        assert await found(service, "volcanoes on Mars") == []

    run(main)


class Scripted(BaseLlm):
    """Calls load_memory once, then says what it was given."""

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        last = llm_request.contents[-1].parts[-1]
        if last.function_response is None:
            call = types.FunctionCall(name="load_memory", args={"query": "我住在哪里"})
            part = types.Part(function_call=call)
        else:
            part = types.Part(text=str(last.function_response.response))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def test_an_agent_loads_what_an_earlier_session_said(service: JiyiMemoryService) -> None:
    """The real runner and the real tool, on a scripted model."""

    async def main() -> None:
        sessions = InMemorySessionService()
        await service.add_session_to_memory(session(event("user", "我住在成都。", "e1"), id="old"))
        runner = Runner(
            app_name="app",
            agent=Agent(name="helper", model=Scripted(model="scripted"), tools=[load_memory]),
            session_service=sessions,
            memory_service=service,
        )
        await sessions.create_session(session_id="new", **SUN)
        said = [
            part.text
            async for each in runner.run_async(
                user_id="sun", session_id="new", new_message=content("where do I live?")
            )
            for part in (each.content.parts if each.content else None) or ()
            if part.text
        ]
        assert "成都" in said[-1]

    import asyncio

    asyncio.run(main())
