"""LangMem's tool factories on ours: the same names, arguments and replies (extra `langgraph`).

    from jiyi import Memory
    from jiyi.integrations.langmem import create_manage_memory_tool, create_search_memory_tool

    memory, namespace = Memory("agent.db"), ("memories", "{langgraph_user_id}")
    tools = [
        create_manage_memory_tool(namespace, store=memory),
        create_search_memory_tool(namespace, store=memory),
    ]

What the model keeps are memories, unlike with LangMem's own tools on a `JiyiStore`: the same
statement twice is one, they come up in contexts, and they have a history. LangMem itself is not
needed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, cast
from uuid import UUID

from langchain_core.tools import StructuredTool, ToolException
from langgraph.config import get_config, get_store
from langgraph.store.base import SearchItem
from pydantic import BaseModel, ConfigDict, create_model

from jiyi.errors import ConfigurationError, JiyiError
from jiyi.integrations.langgraph import JiyiStore, lines, passes
from jiyi.memory import Memory
from jiyi.memory.items import quoted
from jiyi.types import Hit, MemoryRecord

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic.v1 import ValidationError as ValidationErrorV1

__all__ = ["create_manage_memory_tool", "create_search_memory_tool"]

Action = Literal["create", "update", "delete"]
Namespace = tuple[str, ...] | str

INSTRUCTIONS: Final = """Proactively call this tool when you:

1. Identify a new USER preference.
2. Receive an explicit USER request to remember something or otherwise alter your behavior.
3. Are working and want to record important context.
4. Identify that an existing MEMORY is incorrect or outdated.
"""

NAMESPACES: Final = "namespaces"
"""The field of `meta` with the namespaces that a memory was kept in."""

_MOST: Final = 1_000  # hits that one recall gives


def create_manage_memory_tool(
    namespace: Namespace,
    *,
    instructions: str = INSTRUCTIONS,
    schema: Any = str,
    actions_permitted: Sequence[Action] = ("create", "update", "delete"),
    store: Memory | JiyiStore | None = None,
    name: str = "manage_memory",
) -> StructuredTool:
    """A tool with which a model creates, changes and deletes memories: `content`, `action`, `id`.

    What the model gets wrong comes back as a text that it can act on.

    Args:
        namespace: labels; one in braces, such as "{langgraph_user_id}", is filled in from the
            run's `configurable`. What is filled in names the user; without any it is the memory's
            own. The tools of one namespace do not see those of another.
        schema: what `content` is: a text, or a pydantic model.
        store: where the memories are; None takes the `JiyiStore` of the running graph.

    Raises:
        ConfigurationError: no action is permitted.
    """
    allowed = tuple(actions_permitted)
    if not allowed:
        raise ConfigurationError("actions_permitted cannot be empty")
    place = _Place(namespace, store)
    arguments = create_model(
        name,
        __config__=ConfigDict(json_schema_extra={"required": []}),
        content=(schema | None, None),
        action=(cast("Any", Literal[allowed]), "create" if "create" in allowed else allowed[0]),
        id=(UUID | None, None),
    )

    def manage_memory(content: Any = None, action: str = "create", id: UUID | None = None) -> str:
        if (action == "create") != (id is None):
            advice = "Leave the id out" if id else "Give the id of the memory"
            raise ToolException(f"Cannot {action}. {advice}, and try again.")
        if action != "delete" and content in (None, ""):
            raise ToolException(f"Cannot {action} without content. Give it, and try again.")
        try:
            return place.resolve().manage(action, content, id)
        except JiyiError as error:
            raise ToolException(str(error)) from error

    return StructuredTool.from_function(
        manage_memory,
        name=name,
        description=(
            f"{_listed(allowed)} a memory to persist across conversations.\nInclude the MEMORY ID"
            " when updating or deleting a MEMORY. Omit when creating a new MEMORY - it will be"
            f" created for you.\n{instructions}"
        ),
        args_schema=arguments,
        handle_tool_error=True,
        handle_validation_error=_told,
    )


def create_search_memory_tool(
    namespace: Namespace,
    *,
    instructions: str = "",
    store: Memory | JiyiStore | None = None,
    response_format: Literal["content", "content_and_artifact"] = "content",
    name: str = "search_memory",
) -> StructuredTool:
    """A tool with which a model searches what it kept: `query`, `limit`, `offset`, `filter`.

    It gives JSON, best first; empty when nothing fits. With "content_and_artifact" the artifact is
    the list of LangGraph's `SearchItem`. The other arguments are those of
    `create_manage_memory_tool`.
    """
    place = _Place(namespace, store)

    def search_memory(
        query: str, limit: int = 10, offset: int = 0, filter: dict[str, Any] | None = None
    ) -> Any:
        try:
            items = place.resolve().search(query, limit, offset, filter or {})
        except JiyiError as error:
            raise ToolException(str(error)) from error
        text = json.dumps([item.dict() for item in items], ensure_ascii=False, default=str)
        return (text, items) if response_format == "content_and_artifact" else text

    return StructuredTool.from_function(
        search_memory,
        name=name,
        description=(
            "Search your long-term memories for information relevant to your current context. "
            + instructions
        ),
        response_format=response_format,
        handle_tool_error=True,
        handle_validation_error=_told,
    )


class _Place:
    """Where a namespace lies: found out anew on each call, for the run says who the user is."""

    def __init__(self, namespace: Namespace, store: Memory | JiyiStore | None) -> None:
        self._labels = (namespace,) if isinstance(namespace, str) else tuple(namespace)
        self._store = store

    def resolve(self) -> _Kept:
        memory = self._memory()
        asked = {n: label[1:-1] for n, label in enumerate(self._labels) if _is_asked(label)}
        if not asked:
            return _Kept(memory, self._labels)
        known = _configured()
        missing = [name for name in asked.values() if name not in known]
        if missing:
            raise ConfigurationError(
                f"'configurable' has no {missing[0]!r}. It has: {', '.join(sorted(known)) or '-'}"
            )
        labels = tuple(
            str(known[asked[n]]) if n in asked else label for n, label in enumerate(self._labels)
        )
        return _Kept(memory.scoped(user="/".join(labels[n] for n in asked)), labels)

    def _memory(self) -> Memory:
        try:
            store = get_store() if self._store is None else self._store
        except (RuntimeError, KeyError) as error:
            raise ConfigurationError("no store: pass store=, or run in a graph") from error
        if isinstance(store, (Memory, JiyiStore)):
            return store if isinstance(store, Memory) else store.memory
        raise ConfigurationError(
            f"{type(store).__name__} holds no memories. Use a Memory or a JiyiStore"
        )


class _Kept:
    """The memories of a namespace."""

    def __init__(self, memory: Memory, labels: tuple[str, ...]) -> None:
        self._memory = memory
        self._labels = labels
        self._name = "/".join(map(quoted, labels))

    def manage(self, action: str, content: Any, id: UUID | None) -> str:
        value = content.model_dump(mode="json") if isinstance(content, BaseModel) else content
        text = value if isinstance(value, str) else "\n".join(lines(value))
        # What is no text comes back as it was given.
        meta: dict[str, Any] = {} if isinstance(value, str) else {"content": value}
        if id is None:
            receipt = self._memory.remember(
                text, meta={**meta, NAMESPACES: [self._name]}, source="manage_memory"
            )
            if receipt.memory_id is None:
                raise ToolException(f"Not kept: {receipt.outcomes[0].reason}")
            self._note(receipt.memory_id)
            return f"created memory {receipt.memory_id}"
        record = self._memory.get(str(id))
        places = _namespaces(record)
        if self._name not in places:
            raise ToolException(f"There is no memory {id} here. Search for it first.")
        others = [place for place in places if place != self._name]
        if action == "update":
            self._memory.update(record.id, text=text, meta={**record.meta, **meta})
            return f"updated memory {id}"
        if others:
            self._memory.update(record.id, meta={**record.meta, NAMESPACES: others})
        else:
            self._memory.forget(ids=record.id)
        return f"Deleted memory {id}"

    def _note(self, id: str) -> None:
        """What was known already, from here or elsewhere, is in this namespace from now on."""
        record = self._memory.get(id)
        places = _namespaces(record)
        if self._name not in places:
            self._memory.update(id, meta={**record.meta, NAMESPACES: [*places, self._name]})

    def search(
        self, query: str, limit: int, offset: int, wanted: Mapping[str, Any]
    ) -> list[SearchItem]:
        most = max(1, min(_MOST, _MOST if wanted else offset + limit))
        where = {f"meta.{NAMESPACES}": {"contains": self._name}}
        hits = self._memory.recall(query, units="memory", where=where, limit=most)
        items = [self._item(hit) for hit in hits]
        found = [item for item in items if passes(item.value, wanted)]
        return found[max(offset, 0) :][: max(limit, 0)]

    def _item(self, hit: Hit) -> SearchItem:
        return SearchItem(
            namespace=self._labels,
            key=hit.id,
            value={"content": hit.meta.get("content", hit.text)},
            created_at=hit.recorded_at,
            updated_at=hit.recorded_at,
            score=hit.score,
        )


def _namespaces(record: MemoryRecord) -> list[str]:
    kept = record.meta.get(NAMESPACES)
    return [str(place) for place in kept] if isinstance(kept, (list, tuple)) else []


def _is_asked(label: str) -> bool:
    return label.startswith("{") and label.endswith("}")


def _configured() -> Mapping[str, Any]:
    try:
        return get_config().get("configurable", {})
    except RuntimeError:  # not inside of a run
        return {}


def _listed(actions: Sequence[str]) -> str:
    *first, last = actions
    if not first:
        return last.capitalize()
    return f"{', '.join(first)}{',' if len(first) > 1 else ''} or {last}".capitalize()


def _told(error: ValidationError | ValidationErrorV1) -> str:
    """Wrong arguments in words that a model can act on."""
    flaws = (f"{'.'.join(map(str, flaw['loc']))}: {flaw['msg']}" for flaw in error.errors())
    return f"Wrong arguments. {'; '.join(flaws)}. Mend them, and try again."
