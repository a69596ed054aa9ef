"""LangGraph's long-term memory on ours: a `BaseStore` (extra `langgraph`).

    from jiyi import Memory
    from jiyi.integrations.langgraph import JiyiStore

    store = JiyiStore(Memory("agent.db"))
    store.put(("users", "sun"), "prefs", {"text": "她喜欢绿茶"})
    store.search(("users", "sun"), query="绿茶")  # or create_agent(…, store=store)

Values are kept to the letter as items (see `jiyi.memory.items`): they are found by `recall` as
documents too, stand in exports, and are never turned into memories. For checkpoints use a
checkpointer of LangGraph beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import anyio.to_thread
from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)

from jiyi.errors import InvalidInputError
from jiyi.memory import Memory
from jiyi.memory.items import Item as Kept
from jiyi.memory.items import Items, NewItem

__all__ = ["JiyiStore"]

FAMILY: Final = "langgraph"
WHOLE: Final = "$"
"""The path that means all of a value."""

Place = tuple[tuple[str, ...], str]


class JiyiStore(BaseStore):
    """A LangGraph store that keeps its items in a `Memory`. Thread-safe.

    Searching needs no index configuration: words always work, vectors as well when the memory has
    an embedder. All items that have texts are ranked; those that hold nothing of the query come
    with a score of 0.0, those put with `index=False` last and without a score. What is expired is
    never returned, whatever `omit_expired` says.

    Args:
        memory: where the items are kept: in the space of its `tenant` and `user`.
        fields: the paths of a value that are searched when `put` names none; "$" is all of it.
        ttl: LangGraph's settings of times to live, in minutes. Expired items are erased at
            `sweep_interval_minutes`, as operations pass by, or by `sweep_ttl()`.
        user_label: which label of a namespace names the user, such as 1 in ("memories", "sun").
            Each user's items are then kept in a space of their own, beside what else is remembered
            of them, and go when the user is forgotten. Every namespace, also of a search, has to
            reach that far. None keeps all in the memory's own space.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory,
        *,
        fields: Sequence[str] = (WHOLE,),
        ttl: TTLConfig | None = None,
        user_label: int | None = None,
    ) -> None:
        self.memory = memory
        self.ttl_config = ttl
        self._fields = tuple(fields)
        self._user_label = user_label
        self._swept: dict[str | None, datetime] = {}

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: the reads first, then what is put, all of one user's or none.

        Raises:
            InvalidNamespaceError: a namespace that LangGraph does not allow.
            InvalidInputError: a value that is no JSON, or a filter with an unknown operator.
        """
        todo = list(ops)
        for op in todo:
            validate_op_namespace(op)
        results: list[Result] = [self._read(op) for op in todo]
        puts: dict[Place, PutOp] = {
            (op.namespace, op.key): op for op in todo if isinstance(op, PutOp)
        }
        by_user: dict[str | None, list[PutOp]] = {}
        for op in puts.values():
            by_user.setdefault(self._user(op.namespace), []).append(op)
        for user, mine in by_user.items():
            self._shelf(user).change(
                [self._new(op) for op in mine if op.value is not None],
                [(op.namespace, op.key) for op in mine if op.value is None],
            )
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """`batch`, in a thread."""
        return await anyio.to_thread.run_sync(self.batch, list(ops))

    def sweep_ttl(self, user: str | None = None) -> int:
        """Erase what is expired, of a user where `user_label` tells them apart; how many went."""
        return self._shelf(user, sweep=False).sweep()

    # --- one operation ------------------------------------------------------------------------

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp(namespace, key, refresh_ttl):
                shelf = self._shelf(self._user(namespace))
                kept = shelf.get(namespace, key, touch=refresh_ttl)
                return None if kept is None else Item(**_fields_of(kept))
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
        raise InvalidInputError("ops", f"unknown operation {type(op).__name__}", "Use GetOp, …")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        shelf, prefix = self._shelf(self._user(op.namespace_prefix)), op.namespace_prefix
        start, end = max(op.offset, 0), max(op.offset, 0) + max(op.limit, 0)
        if op.query and op.query.strip():
            ranked = shelf.search(op.query, prefix, **({} if op.filter else {"limit": end}))
        else:
            ranked = [(kept, None) for kept in shelf.under(prefix)]
        if op.filter:
            ranked = [pair for pair in ranked if passes(pair[0].value, op.filter)]
        page = ranked[start:end]
        if op.refresh_ttl:
            shelf.touch(kept for kept, _ in page)
        return [SearchItem(**_fields_of(kept), score=score) for kept, score in page]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        known = _known_prefix(conditions)
        found = {kept.path for kept in self._shelf(self._user(known)).under(known)}
        names = [path for path in found if all(_matches(each, path) for each in conditions)]
        cut = sorted({path[: op.max_depth] for path in names})
        return cut[op.offset : op.offset + op.limit]

    def _new(self, op: PutOp) -> NewItem:
        value = op.value or {}
        paths = self._fields if op.index is None else op.index or ()
        texts = [text for path in paths for text in _texts(value, path)]
        ttl = None if op.ttl is None else timedelta(minutes=op.ttl)
        return NewItem(path=op.namespace, key=str(op.key), value=value, texts=texts, ttl=ttl)

    # --- spaces -------------------------------------------------------------------------------

    def _user(self, namespace: tuple[str, ...]) -> str | None:
        if self._user_label is None:
            return None
        if len(namespace) <= self._user_label:
            raise InvalidInputError(
                "namespace",
                f"{namespace} names no user",
                f"Label {self._user_label} has to say whose it is; see `user_label`",
            )
        return namespace[self._user_label]

    def _shelf(self, user: str | None, *, sweep: bool = True) -> Items:
        memory = self.memory if user is None else self.memory.scoped(user=user)
        shelf = Items(memory, FAMILY)
        every = (self.ttl_config or {}).get("sweep_interval_minutes")
        if sweep and every is not None:
            now = self.memory.clock()
            if now - self._swept.get(user, now) >= timedelta(minutes=every):
                shelf.sweep()
                self._swept[user] = now
            self._swept.setdefault(user, now)
        return shelf


def _fields_of(kept: Kept) -> dict[str, Any]:
    return {
        "value": dict(kept.value),
        "key": kept.key,
        "namespace": kept.path,
        "created_at": kept.created_at,
        "updated_at": kept.changed_at,
    }


def _texts(value: Mapping[str, Any], path: str) -> list[str]:
    """What is searched of a value. All of it is read as lines of "field: value", not as JSON, in
    which no Chinese word would stand as it is."""
    if path in (WHOLE, ""):
        return ["\n".join(lines(value))]
    return get_text_at_path(value, tokenize_path(path))


def lines(value: Any, name: str = "") -> Iterable[str]:
    """A value as lines of "field: value", with the names of the fields above it and a dot."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from lines(part, f"{name}.{key}" if name else str(key))
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from lines(part, name)
    elif value is not None:
        yield f"{name}: {value}" if name else str(value)


# --- namespaces ---------------------------------------------------------------------------------


def _known_prefix(conditions: Sequence[MatchCondition]) -> tuple[str, ...]:
    """The labels that every match begins with, as far as they are known."""
    known: tuple[str, ...] = ()
    for condition in conditions:
        if condition.match_type == "prefix":
            path = tuple(condition.path)
            fixed = path[: path.index("*")] if "*" in path else path
            known = max(known, fixed, key=len)
    return known


def _matches(condition: MatchCondition, path: tuple[str, ...]) -> bool:
    wanted = tuple(condition.path)
    if len(path) < len(wanted):
        return False
    if condition.match_type not in ("prefix", "suffix"):
        raise InvalidInputError(
            "match_type", f"unknown value {condition.match_type!r}", "Use prefix or suffix"
        )
    part = path[: len(wanted)] if condition.match_type == "prefix" else path[-len(wanted) :]
    return all(want in ("*", label) for want, label in zip(wanted, part, strict=False))


# --- filters ------------------------------------------------------------------------------------


def passes(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a value has what a filter of LangGraph wants of each of its fields."""
    return all(_fits(value.get(key), want) for key, want in wanted.items())


def _fits(value: Any, want: Any) -> bool:
    """Whether a part of a value is what a filter wants, as LangGraph's own stores read it."""
    if isinstance(want, Mapping):
        if any(str(key).startswith("$") for key in want):
            return all(_compares(value, key, operand) for key, operand in want.items())
        return isinstance(value, Mapping) and passes(value, want)
    if isinstance(want, (list, tuple)):
        return (
            isinstance(value, (list, tuple))
            and len(value) == len(want)
            and all(map(_fits, value, want))
        )
    return bool(value == want)


def _compares(value: Any, operator: str, operand: Any) -> bool:
    """One operator. Order compares numbers, also those written as text, or two texts; what has no
    order fits none."""
    match operator:
        case "$eq":
            return bool(value == operand)
        case "$ne":
            return bool(value != operand)
        case "$gt" | "$gte" | "$lt" | "$lte":
            left, right = _number(value), _number(operand)
            if math.isnan(left) or math.isnan(right):
                if not (isinstance(value, str) and isinstance(operand, str)):
                    return False
                above, same = value > operand, value == operand
            else:
                above, same = left > right, left == right
            if operator in ("$gte", "$lte") and same:
                return True
            return not same and above == (operator in ("$gt", "$gte"))
    raise InvalidInputError(
        "filter", f"unknown operator {operator!r}", "Use $eq, $ne, $gt, $gte, $lt or $lte"
    )


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan
