"""The memory service of Google's Agent Development Kit on ours (extra `google-adk`).

from google.adk.runners import Runner
from jiyi import Memory
from jiyi.integrations.google_adk import JiyiMemoryService

service = JiyiMemoryService(Memory("agent.db"))
runner = Runner(agent=agent, app_name="app", session_service=…, memory_service=service)
await service.add_session_to_memory(session)  # as often as wanted; then load_memory finds it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types

from jiyi.errors import InvalidInputError

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    from jiyi.memory import Memory
    from jiyi.types import Hit

__all__ = ["JiyiMemoryService"]

USER: Final = "user"  # the author of what the user says, and the role of contents that are not ours


class JiyiMemoryService(BaseMemoryService):
    """Sessions are read into a memory, and searched with everything else that is known.

    A session may be added again and again: each event is kept once. What users say is learned
    from, as `observe` does.

    Args:
        memory: where it is kept. ADK's user is the user; its application is the tenant, within
            the tenant of the memory if that has one, so that applications know nothing of each
            other's users.
        share_apps: True keeps a user's memory across applications; then the application is only
            a label, the agent.
        limit: how many memories a search gives, at most.
        learn: False records only.
    """

    def __init__(
        self, memory: Memory, *, share_apps: bool = False, limit: int = 10, learn: bool = True
    ) -> None:
        self._memory = memory
        self._share_apps = share_apps
        self._limit = limit
        self._learn = learn

    async def add_session_to_memory(self, session: Session) -> None:
        """Record the events of a session that are not yet there."""
        view = self._view(session.app_name, session.user_id)
        await self._observe(view, session.events, session.id, {})

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Record these events. `custom_metadata` becomes the `meta` of their turns."""
        view = self._view(app_name, user_id)
        await self._observe(view, events, session_id, custom_metadata or {})

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep statements as they are given, all or none."""
        view = self._view(app_name, user_id)
        items = [
            {
                "text": _text(entry.content),
                "said_at": entry.timestamp,
                "meta": {**entry.custom_metadata, **(custom_metadata or {})},
                "source": entry.author,
            }
            for entry in memories
        ]
        if items:
            await anyio.to_thread.run_sync(view.remember_all, items)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """What is known and fits, best first; empty when nothing does."""
        if not query.strip():
            return SearchMemoryResponse()
        view = self._view(app_name, user_id)
        hits = await anyio.to_thread.run_sync(lambda: view.recall(query, limit=self._limit))
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Erase what a search gave, for good.

        Raises:
            NotFoundError: it is not this user's.
        """
        if memory_id is None:
            raise InvalidInputError("memory_id", "is missing", "Pass the id of a MemoryEntry")
        view = self._view(app_name, user_id)
        await anyio.to_thread.run_sync(lambda: view.forget(ids=memory_id))

    def _view(self, app_name: str, user_id: str) -> Memory:
        if self._share_apps:
            return self._memory.scoped(user=user_id, agent=app_name)
        own = self._memory.scope.tenant
        return self._memory.scoped(
            tenant=app_name if own is None else f"{own}/{app_name}", user=user_id
        )

    async def _observe(
        self,
        view: Memory,
        events: Iterable[Event],
        session: str | None,
        meta: Mapping[str, object],
    ) -> None:
        said = [_message(event, text, meta) for event in events if (text := _said(event))]
        if said:
            scoped = view.scoped(session=session)
            await anyio.to_thread.run_sync(lambda: scoped.observe(said, encode=self._learn))


def _said(event: Event) -> str:
    """The words of an event; "" where it is a part of one, or a call of a tool."""
    return "" if event.partial else _text(event.content).strip()


def _message(event: Event, text: str, meta: Mapping[str, object]) -> dict[str, Any]:
    mine = event.author == USER
    return {
        "id": event.id,
        "role": "user" if mine else "assistant",
        "content": text,
        "said_at": datetime.fromtimestamp(event.timestamp, UTC),
        "meta": meta,
        **({} if mine else {"name": event.author}),
    }


def _text(content: types.Content | None) -> str:
    parts = (content.parts if content is not None else None) or ()
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _entry(hit: Hit) -> MemoryEntry:
    when = hit.said_at or hit.valid_from
    author = hit.name or (hit.role if hit.role is not None else hit.unit)
    return MemoryEntry(
        id=hit.id,
        content=types.Content(role=USER, parts=[types.Part(text=hit.text)]),
        author=author,
        timestamp=None if when is None else when.isoformat(),
        custom_metadata={**hit.meta, "unit": hit.unit, "kind": hit.kind, "score": hit.score},
    )
