"""The two clients: one that waits, one that is awaited. They differ in how a call is sent only."""

from __future__ import annotations

import functools
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, Unpack, cast
from uuid import uuid4

from jiyi.archived import LoadReport
from jiyi.client import calls, operating
from jiyi.client.answers import error_of, value_of
from jiyi.client.call import Call, one
from jiyi.errors import ConfigurationError, StoreUnavailableError

if TYPE_CHECKING:
    import httpx

    from jiyi.types import ScopeFields

P = ParamSpec("P")
R = TypeVar("R")

_RETRIES = 2  # of what is safe to send again: reading, and what has a name of its own


def _sent(make: Callable[P, Call[R]]) -> Callable[Concatenate[Any, P], R]:
    """A verb that is sent and waited for."""

    @functools.wraps(make)
    def verb(self: Client, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._send(make(*args, **kwargs))

    return cast("Callable[Concatenate[Any, P], R]", verb)


def _awaited(make: Callable[P, Call[R]]) -> Callable[Concatenate[Any, P], Awaitable[R]]:
    """A verb that is sent and awaited."""

    @functools.wraps(make)
    async def verb(self: AsyncClient, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._send(make(*args, **kwargs))

    return cast("Callable[Concatenate[Any, P], Awaitable[R]]", verb)


class _Base:
    """What both have: the address, the key, and the scope that every verb begins with."""

    _scope: Mapping[str, Any]

    def _request(self, call: Call[Any]) -> dict[str, Any]:
        scope = {k: v for k, v in self._scope.items() if v is not None} if call.scoped else {}
        in_query = call.body is None and call.method in ("GET", "DELETE")
        query = {**scope, **call.query} if in_query else dict(call.query)
        body = None if call.body is None else {**scope, **call.body}
        headers = {}
        if call.once:
            headers["Idempotency-Key"] = uuid4().hex
        request: dict[str, Any] = {"method": call.method, "url": f"/v1{call.path}"}
        request |= {"params": _query(query)} if query else {}
        request |= {} if body is None else {"json": body}
        return request | ({"headers": headers} if headers else {})


class Client(_Base):
    """A client that waits for each answer. Thread-safe.

    Args:
        url: where the server is.
        key: the token of an access key; None where none is needed.
        timeout_s: how long an answer may take, in seconds.
        transport: an `httpx` transport, for tests.
        scope: `tenant`, `user`, `agent`, `session`, `task`, `tool`, filled in for every verb.

    Raises:
        ConfigurationError: httpx is not installed.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        timeout_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        **scope: Unpack[ScopeFields],
    ) -> None:
        self._http = _httpx().Client(
            base_url=url, headers=_headers(key), timeout=timeout_s, transport=transport
        )
        self._scope = scope

    def scoped(self, **scope: Unpack[ScopeFields]) -> Client:
        """A view of the same memory with these scope fields filled in."""
        view = object.__new__(type(self))
        view._http, view._scope = self._http, {**self._scope, **scope}
        return view

    def _send(self, call: Call[R]) -> R:
        request = self._request(call)
        safe = call.once or call.method == "GET"
        for left in range(_RETRIES if safe else 0, -1, -1):
            try:
                return call.read(value_of(self._http.request(**request)))
            except _httpx().TransportError as error:
                if not left:
                    raise _unreachable(error) from error
        raise AssertionError  # the last turn of the loop returns or raises

    def export(
        self, path: str | os.PathLike[str], *, everything: bool = False, **scope: str | None
    ) -> Path:
        """Write an archive to a file here: see `Memory.export`."""
        query = _query({**_who(self._scope), **scope, "everything": everything})
        return self._download("GET", "/v1/export", query, path)

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """Write a copy of the whole store to a file here: see `Memory.backup`."""
        return self._download("POST", "/v1/backup", {}, path)

    def load(self, path: str | os.PathLike[str], **scope: str | None) -> LoadReport:
        """Take in an archive that lies here: see `Memory.load`."""
        query = _query({**_who(self._scope), **scope})
        try:
            with Path(path).open("rb") as file:
                answer = self._http.post("/v1/load", params=query, content=file, timeout=None)
        except _httpx().TransportError as error:
            raise _unreachable(error) from error
        return one(LoadReport)(value_of(answer))

    def _download(
        self, method: str, url: str, query: dict[str, Any], path: str | os.PathLike[str]
    ) -> Path:
        target = Path(path)
        part = target.with_name(target.name + ".part")
        try:
            with self._http.stream(method, url, params=query, timeout=None) as answer:
                if not answer.is_success:
                    answer.read()
                    raise error_of(answer)
                with part.open("wb") as file:
                    for chunk in answer.iter_bytes():
                        file.write(chunk)
        except _httpx().TransportError as error:
            part.unlink(missing_ok=True)
            raise _unreachable(error) from error
        return part.replace(target)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    observe = _sent(calls.observe)
    remember = _sent(calls.remember)
    remember_all = _sent(calls.remember_all)
    correct = _sent(calls.correct)
    update = _sent(calls.update)
    feedback = _sent(calls.feedback)
    undo = _sent(calls.undo)
    recall = _sent(calls.recall)
    context = _sent(calls.context)
    profile = _sent(calls.profile)
    get = _sent(calls.get)
    turns = _sent(calls.turns)
    history = _sent(calls.history)
    explain = _sent(calls.explain)
    stats = _sent(calls.stats)
    set_permanent = _sent(calls.set_permanent)
    notes = _sent(calls.notes)
    note = _sent(calls.note)
    end_task = _sent(calls.end_task)
    end_session = _sent(calls.end_session)
    forget = _sent(calls.forget)
    consolidate = _sent(calls.consolidate)
    conflicts = _sent(calls.conflicts)
    resolve_conflict = _sent(calls.resolve_conflict)
    entities = _sent(calls.entities)
    entity = _sent(calls.entity)
    separate = _sent(calls.separate)
    add_documents = _sent(calls.add_documents)
    documents = _sent(calls.documents)
    remove_documents = _sent(calls.remove_documents)
    flush = _sent(operating.flush)
    check = _sent(operating.check)
    repair = _sent(operating.repair)
    keys = _sent(operating.keys)
    create_key = _sent(operating.create_key)
    revoke_key = _sent(operating.revoke_key)
    # The last of them, for its name would hide the type.
    list = _sent(calls.list_memories)


class AsyncClient(_Base):
    """A client whose verbs are awaited; only what reads or writes files here (`export`, `load`,
    `backup`) it leaves to `Client`."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        timeout_s: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
        **scope: Unpack[ScopeFields],
    ) -> None:
        self._http = _httpx().AsyncClient(
            base_url=url, headers=_headers(key), timeout=timeout_s, transport=transport
        )
        self._scope = scope

    def scoped(self, **scope: Unpack[ScopeFields]) -> AsyncClient:
        """A view of the same memory with these scope fields filled in."""
        view = object.__new__(type(self))
        view._http, view._scope = self._http, {**self._scope, **scope}
        return view

    async def _send(self, call: Call[R]) -> R:
        request = self._request(call)
        safe = call.once or call.method == "GET"
        for left in range(_RETRIES if safe else 0, -1, -1):
            try:
                return call.read(value_of(await self._http.request(**request)))
            except _httpx().TransportError as error:
                if not left:
                    raise _unreachable(error) from error
        raise AssertionError  # the last turn of the loop returns or raises

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    observe = _awaited(calls.observe)
    remember = _awaited(calls.remember)
    remember_all = _awaited(calls.remember_all)
    correct = _awaited(calls.correct)
    update = _awaited(calls.update)
    feedback = _awaited(calls.feedback)
    undo = _awaited(calls.undo)
    recall = _awaited(calls.recall)
    context = _awaited(calls.context)
    profile = _awaited(calls.profile)
    get = _awaited(calls.get)
    turns = _awaited(calls.turns)
    history = _awaited(calls.history)
    explain = _awaited(calls.explain)
    stats = _awaited(calls.stats)
    set_permanent = _awaited(calls.set_permanent)
    notes = _awaited(calls.notes)
    note = _awaited(calls.note)
    end_task = _awaited(calls.end_task)
    end_session = _awaited(calls.end_session)
    forget = _awaited(calls.forget)
    consolidate = _awaited(calls.consolidate)
    conflicts = _awaited(calls.conflicts)
    resolve_conflict = _awaited(calls.resolve_conflict)
    entities = _awaited(calls.entities)
    entity = _awaited(calls.entity)
    separate = _awaited(calls.separate)
    add_documents = _awaited(calls.add_documents)
    documents = _awaited(calls.documents)
    remove_documents = _awaited(calls.remove_documents)
    flush = _awaited(operating.flush)
    check = _awaited(operating.check)
    repair = _awaited(operating.repair)
    keys = _awaited(operating.keys)
    create_key = _awaited(operating.create_key)
    revoke_key = _awaited(operating.revoke_key)
    list = _awaited(calls.list_memories)


def _httpx() -> Any:
    try:
        import httpx
    except ImportError as error:
        raise ConfigurationError.missing_extra("the client", "server") from error
    return httpx


def _headers(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


def _who(scope: Mapping[str, Any]) -> dict[str, Any]:
    return {name: scope[name] for name in ("tenant", "user") if name in scope}


def _query(values: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in values.items() if value is not None}
    return {n: str(v).lower() if isinstance(v, bool) else v for n, v in kept.items()}


def _unreachable(error: Exception) -> StoreUnavailableError:
    return StoreUnavailableError(f"the server cannot be reached ({type(error).__name__})")
