"""The class of Mem0's library, with its arguments and results."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from threading import Lock
from types import TracebackType
from typing import Any, Final, Self, cast

from jiyi.consolidate.edits import find
from jiyi.consolidate.histories import history_of
from jiyi.encode.intake import MAX_ITEMS
from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.ids import parse_id
from jiyi.integrations.mem0.arguments import (
    UPDATED_AT,
    Request,
    raw_facts,
    read_count,
    read_expiration,
    read_ids,
    read_messages,
    read_metadata,
    read_moment,
    read_request,
    refuse_unknown,
    scope_fields,
    text_of,
)
from jiyi.integrations.mem0.opening import open_memory
from jiyi.integrations.mem0.results import changes, item, owner_of
from jiyi.ports import ERASED
from jiyi.types import STATUSES, Hit, MemoryRecord, Receipt, Scope, Status

logger = logging.getLogger("jiyi")

PROCEDURAL: Final = "procedural_memory"
_UNSET: Final[Any] = object()
_PAGE: Final = 200
_MOST: Final = 1000
_REMEMBERED: Final = 10_000  # ids whose owner is known without looking
_NEW: Final = frozenset({"stored", "superseding", "candidate"})
_SAID: Final = frozenset({"role", "content", "name", "tool_calls", "tool_call_id"})
_EXPIRED: Final[tuple[Status, ...]] = ("expired",)
_EVERY: Final = tuple(status for status in STATUSES if status not in ("active", "forgotten"))


class MemoryNotFoundError(NotFoundError, ValueError):
    """No memory has this id."""


class Memory:
    """Mem0's memory.

    Args:
        config: nothing (a file in the working directory), a path or URL, a `jiyi.Memory`, or a
            configuration of Mem0, as an object or a mapping (see `from_config`).
    """

    def __init__(self, config: Any = None) -> None:
        self._memory = open_memory(config)
        self._owned = self._memory is not config
        self._owners: OrderedDict[str, Scope] = OrderedDict()
        self._lock = Lock()

    @classmethod
    def from_config(cls, config_dict: dict[str, Any]) -> Self:
        """Open what a configuration of Mem0 describes.

        Memories lie beside `history_db_path` or in the `path` of the vector store. `llm` is asked
        in the background where it is Ollama or OpenAI-compatible; the rest of the configuration is
        not needed here. The key `jiyi` may hold what `jiyi.Memory` takes, `target` among it.
        """
        return cls(dict(config_dict))

    # --- writing ---------------------------------------------------------------------------------

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        timestamp: Any | None = None,
        expiration_date: Any | None = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,  # noqa: ARG002 rules need none
    ) -> dict[str, Any]:
        """Keep what messages say: `{"results": [{"id", "memory", "event": "ADD"}, …]}`.

        `timestamp` is when it was said: a datetime, ISO 8601, or seconds since 1970.
        """
        scope = scope_fields(read_ids({"user_id": user_id, "agent_id": agent_id, "run_id": run_id}))
        said = read_messages(messages)
        day, end = read_expiration(expiration_date)
        meta = read_metadata(metadata)
        if day is not None:
            meta["expiration_date"] = day
        if memory_type not in (None, PROCEDURAL):
            raise InvalidInputError("memory_type", f"{memory_type!r}", f"Use {PROCEDURAL!r}")
        when = read_moment(timestamp)
        if memory_type is not None and agent_id is not None:
            lines = [text for message in said if (text := text_of(message.get("content")))]
            meta["memory_type"] = memory_type
            facts = [{"text": "\n".join(lines), "kind": "procedural", "meta": meta}]
            return {"results": self._keep(facts, scope, when, end)}
        if not infer:
            return {"results": self._keep(raw_facts(said, meta), scope, when, end)}
        turns = [
            {
                **{key: value for key, value in message.items() if key in _SAID},
                "said_at": when,
            }
            for message in said
        ]
        receipt = self._memory.observe(turns, **cast("Any", scope))
        return {"results": self._label(receipt, scope, meta, end)}

    def _keep(
        self,
        facts: list[dict[str, Any]],
        scope: dict[str, str],
        said_at: datetime | None,
        expires_at: datetime | None,
    ) -> list[dict[str, Any]]:
        items = [{**fact, "said_at": said_at, "expires_at": expires_at} for fact in facts]
        results = []
        for start in range(0, len(items), MAX_ITEMS):
            part = items[start : start + MAX_ITEMS]
            receipt = self._memory.remember_all(part, **cast("Any", scope))
            for fact, outcome in zip(part, receipt.outcomes, strict=True):
                event = "ADD" if outcome.status in _NEW else "NONE"
                self._note(outcome.memory_id, scope)
                result = {"id": outcome.memory_id, "memory": fact["text"], "event": event}
                if "role" in fact["meta"]:
                    result["actor_id"] = fact["meta"].get("actor_id")
                    result["role"] = fact["meta"]["role"]
                results.append(result)
        return results

    def _label(
        self,
        receipt: Receipt,
        scope: dict[str, str],
        meta: Mapping[str, Any],
        expires_at: datetime | None,
    ) -> list[dict[str, Any]]:
        """Put the caller's metadata on what was drawn from their messages."""
        results = []
        owner = {name: value for name, value in scope.items() if name == "user"}
        for outcome in receipt.outcomes:
            if outcome.status not in _NEW or outcome.memory_id is None:
                continue
            record = self._memory.get(outcome.memory_id, **cast("Any", owner))
            new: dict[str, Any] = {"meta": {**record.meta, **meta}} if meta else {}
            if expires_at is not None:
                new["expires_at"] = expires_at
            if new:
                self._memory.update(record.id, **owner, **new)
            self._note(record.id, scope)
            results.append({"id": record.id, "memory": record.text, "event": "ADD"})
        return results

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: dict[str, Any] | None = None,
        expiration_date: Any = _UNSET,
        data: str | None = None,
    ) -> dict[str, str]:
        """Change a memory. `metadata` is added to what it has; `data` is the old name of `text`.

        Raises:
            MemoryNotFoundError: no memory has this id.
            ConflictError: another memory already says the new text.
        """
        text = data if text is None else text
        if text is None and metadata is None and expiration_date is _UNSET:
            raise InvalidInputError(
                "text", "nothing to change", "Pass text, metadata, or expiration_date"
            )
        record = self._find(memory_id)
        meta = {**record.meta, **read_metadata(metadata), UPDATED_AT: self._now()}
        changed: dict[str, Any] = {} if text is None else {"text": text}
        if expiration_date is not _UNSET:
            day, changed["expires_at"] = read_expiration(expiration_date)
            meta["expiration_date"] = day
            if day is None:
                del meta["expiration_date"]
        self._memory.update(record.id, **owner_of(record), meta=meta, **changed)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Erase a memory for good, and the messages that it was taken from."""
        record = self._find(memory_id)
        self._memory.forget(ids=record.id, **cast("Any", owner_of(record)))
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Erase everything of a user, or what was added with an agent's or run's id."""
        given = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        request = read_request({name: value for name, value in given.items() if value is not None})
        if request.run is None and not request.where:
            self._memory.forget(everything=True, **cast("Any", dict(request.scope)))
        else:
            ids = [record.id for record in self._matching(request, every=True)]
            for start in range(0, len(ids), _PAGE):
                part = ids[start : start + _PAGE]
                self._memory.forget(ids=part, **cast("Any", dict(request.scope)))
            if request.run is not None and not request.where:
                scope = {**request.scope, "session": request.run}
                self._memory.forget(**cast("Any", scope))
        return {"message": "Memories deleted successfully!"}

    def reset(self) -> None:
        """Erase everything, of every user."""
        logger.warning("erasing all memories of all users")
        for space in self._spaces():
            view = self._memory.scoped(tenant=space.tenant)
            view.forget(everything=True, user=space.user, confirm=space.user is None)
        with self._lock:
            self._owners.clear()

    # --- reading ---------------------------------------------------------------------------------

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory, or None."""
        try:
            record = self._find(memory_id)
        except MemoryNotFoundError:
            return None
        return {**item(record), "score": None}

    def get_all(
        self,
        /,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """The memories of an id, newest first: `{"results": […]}`."""
        refuse_unknown(kwargs, "get_all")
        request, most = read_request(filters), read_count(top_k)
        results: list[dict[str, Any]] = []
        if most:
            for record in self._matching(request, include=_EXPIRED if show_expired else ()):
                results.append(self._shown(record))
                if len(results) == most:
                    break
        return {"results": results}

    def search(
        self,
        /,
        query: str,
        *,
        top_k: int = 20,
        filters: dict[str, Any] | None = None,
        threshold: float = 0.1,
        rerank: bool = False,
        explain: bool = False,
        reference_date: Any | None = None,
        show_expired: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """What answers a question, best first, with scores from 0 to 1: `{"results": […]}`.

        `reference_date` asks what was true at that time.
        """
        refuse_unknown(kwargs, "search")
        request, most = read_request(filters), read_count(top_k)
        least = 0.1 if threshold is None else threshold
        if isinstance(least, bool) or not isinstance(least, (int, float)) or not 0 <= least <= 1:
            raise InvalidInputError("threshold", f"{threshold!r} is no share", "Use 0 to 1")
        if not most:
            return {"results": []}
        found = self._memory.recall(
            query,
            # A fact told in two runs bears the first one's label, so runs are looked at afterwards.
            limit=min(_MOST, most if request.run is None else 10 * most),
            where=request.where or None,
            as_of=read_moment(reference_date),
            include=_EXPIRED if show_expired else (),
            units="memory",
            rerank=rerank,
            **cast("Any", dict(request.scope)),
        )
        results = []
        for hit in found:
            # Our scores have no upper end; this one keeps their order.
            score = hit.score / (1 + hit.score) if hit.score > 0 else 0.0
            if score >= least and request.in_run(hit):
                result = {**self._shown(hit), "score": score}
                if explain:
                    result["score_details"] = dict(hit.scores)
                results.append(result)
        return {"results": results[:most]}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """The changes of a memory, oldest first."""
        now = self._memory._now()
        with self._memory._parts.store.read() as reader:
            for space in self._spaces(memory_id):
                history = history_of(reader, space, memory_id, now=now)
                if history.events or history.versions:
                    return changes(history)
        return []

    def close(self) -> None:
        """Close the store, unless it was opened by the caller."""
        if self._owned:
            self._memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- whose it is -----------------------------------------------------------------------------

    def _find(self, memory_id: str) -> MemoryRecord:
        """A memory by its id alone: where it was last seen, else in every space of the tenant."""
        try:
            id = parse_id(memory_id, "memory_id")
        except InvalidInputError:
            raise MemoryNotFoundError("memory", str(memory_id)) from None
        now = self._memory._now()
        with self._memory._parts.store.read() as reader:
            for space in self._spaces(id):
                try:
                    return find(reader, space, id, now=now)
                except NotFoundError:
                    continue
        raise MemoryNotFoundError("memory", id)

    def _spaces(self, memory_id: str | None = None) -> Iterator[Scope]:
        with self._lock:
            seen = self._owners.get(memory_id) if memory_id is not None else None
        if seen is not None:
            yield seen
        with self._memory._parts.store.read() as reader:
            spaces = reader.spaces()
        tenant = self._memory.scope.tenant
        for space in spaces:
            erased = (space.user or "").startswith(ERASED)  # all that is left of a user's name
            if space.tenant == tenant and space != seen and not erased:
                yield space

    def _note(self, memory_id: str | None, scope: Mapping[str, str]) -> None:
        if memory_id is None:
            return
        with self._lock:
            self._owners[memory_id] = Scope(
                tenant=self._memory.scope.tenant, user=scope.get("user")
            )
            while len(self._owners) > _REMEMBERED:
                self._owners.popitem(last=False)

    def _shown(self, found: MemoryRecord | Hit) -> dict[str, Any]:
        self._note(found.id, found.scope.as_dict())
        return item(found)

    def _matching(
        self, request: Request, *, include: tuple[Status, ...] = (), every: bool = False
    ) -> Iterator[MemoryRecord]:
        kinds = _EVERY if every else include
        cursor: str | None = None
        while True:
            page = self._memory.list(
                where=request.where or None,
                include=kinds,
                limit=_PAGE,
                cursor=cursor,
                **cast("Any", dict(request.scope)),
            )
            yield from (record for record in page.items if request.in_run(record))
            cursor = page.cursor
            if cursor is None:
                return

    def _now(self) -> str:
        return self._memory._now().astimezone(UTC).isoformat()
