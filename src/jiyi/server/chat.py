"""A chat endpoint as OpenAI's, with memory: what is known goes in, what was said is kept.

The chat comes first. When memory fails or takes too long, the request goes to the model as it came,
and the failure shows in the answer's headers, the log and the numbers.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.to_thread
import httpx
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response, StreamingResponse

from jiyi.access.headers import scope_in
from jiyi.agent.quotes import changed, done_about, question_of
from jiyi.errors import AccessError, InvalidInputError, JiyiError
from jiyi.server.exchange import (
    Message,
    StreamedText,
    answer_to,
    newly_said,
    text_in,
    with_context,
)
from jiyi.server.problems import documented
from jiyi.server.service import Service, admit, service_of
from jiyi.server.telemetry import span
from jiyi.types import Context, Receipt, Right

if TYPE_CHECKING:
    from jiyi.access import Admission
    from jiyi.memory import Memory

logger = logging.getLogger("jiyi.server")
T = TypeVar("T")

PREFIX: Final = "/openai/v1"
STATE: Final = "X-Jiyi-Memory"
"""The header that says what memory did: `ok`, `failed`, or `off` for a key that may not read."""
_TRACE: Final = "X-Jiyi-Trace"
_SUPPORT: Final = "X-Jiyi-Support"
# What a model says of the connection between it and us is not for the caller.
_HOP: Final = frozenset(
    {
        *("connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"),
        *("set-cookie", "server", "date", "x-request-id"),
    }
)
_RIGHTS: Final[tuple[Right, ...]] = ("read", "write")

router = APIRouter(prefix=PREFIX, tags=["chat"])


@asynccontextmanager
async def upstream(app: FastAPI) -> AsyncIterator[None]:
    """The connections to the model, open as long as the application runs."""
    service: Service = app.state.service
    timeout = httpx.Timeout(service.settings.upstream_timeout_s, connect=10.0)
    async with httpx.AsyncClient(timeout=timeout, follow_redirects=False) as client:
        app.state.upstream = client
        yield


@router.post(
    "/chat/completions",
    operation_id="chat_completions",
    summary="Chat with a model that remembers",
    response_class=Response,
    responses={
        200: {"description": "What the model answered.", "content": {"application/json": {}}},
        **documented(400, 401, 403, 409, 413, 422, 429),
    },
    openapi_extra={
        "x-right": "read",
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"type": "object", "required": ["messages"]},
                    "example": {
                        "model": "any",
                        "user": "sun",
                        "messages": [{"role": "user", "content": "我对什么过敏？"}],
                    },
                }
            },
        },
    },
)
async def chat_completions(request: Request) -> Response:
    """As OpenAI's: point a program's base URL at `/openai/v1`. Whose memory it is is said by the
    key, by `X-Jiyi-User`, or by `user`; the conversation by `X-Jiyi-Session`. What is not ours
    passes unchanged in both directions."""
    service = service_of(request)
    try:
        admission = await _admit(request)
        body = await _read(request)
        chat = _open(service, admission, request, body)
    except JiyiError as error:
        return _refused(error)
    if service.settings.upstream_url is None:
        return _failure(
            409, "no model is set up: JIYI_SERVER_UPSTREAM_URL names one", "configuration"
        )
    await chat.recall()
    sent = {**body, "messages": with_context(chat.messages, chat.known)}
    return await _forward(request, "POST", "/chat/completions", chat, json.dumps(sent).encode())


@router.get(
    "/models",
    operation_id="models",
    summary="The models behind the chat",
    response_class=Response,
    responses={
        200: {
            "description": "What the model's server answered.",
            "content": {"application/json": {}},
        },
        **documented(401, 403, 409, 429),
    },
    openapi_extra={"x-right": "read"},
)
async def models(request: Request) -> Response:
    """What the server of the model answers, unchanged."""
    try:
        await _admit(request)
    except JiyiError as error:
        return _refused(error)
    if service_of(request).settings.upstream_url is None:
        return _failure(
            409, "no model is set up: JIYI_SERVER_UPSTREAM_URL names one", "configuration"
        )
    return await _forward(request, "GET", "/models", None, b"")


@dataclass(slots=True)
class _Chat:
    """One request: whose it is, what memory knows, and how memory fares."""

    service: Service
    messages: list[Message]
    reads: Memory | None
    writes: Memory | None
    known: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    async def recall(self) -> None:
        """Look up what is known, and record what was said; again, where that changed it."""
        said = newly_said(self.messages)
        if self.reads is None and self.writes is None:
            self.headers[STATE] = "off"
        else:
            self.headers[STATE] = "ok"
        question = question_of("\n".join(message["content"] for message in said))
        if question:
            await self._look_up(question)
            receipt = await self._observe(said)
            if receipt is not None and changed(receipt):
                await self._look_up(question)
                known = [self.known, *done_about(receipt, said[-1]["content"])]
                self.known = "\n\n".join(text for text in known if text)

    async def record(self, text: str, *, cut: bool = False) -> None:
        """Record the answer."""
        if text.strip():
            await self._observe([answer_to(self.messages, text, cut=cut)])

    async def _look_up(self, question: str) -> None:
        view, budget = self.reads, self.service.settings.context_tokens
        if view is None:
            return

        def look() -> Context:
            with span("context") as note:
                context = view.context(question, budget=budget)
                note(context)
            return context

        context = await self._try("context", look)
        if context is not None:
            layers = [layer.text for layer in context.layers if layer.name != "recent"]
            self.known = "\n\n".join(layers)
            self.headers |= {_TRACE: context.trace_id, _SUPPORT: context.support}

    async def _observe(self, messages: list[dict[str, Any]]) -> Receipt | None:
        view = self.writes
        if view is None:
            return None

        def observe() -> Receipt:
            with span("observe") as note:
                receipt = view.observe(messages)
                note(receipt)
            return receipt

        return await self._try("observe", observe)

    async def _try(self, step: str, run: Callable[[], T]) -> T | None:
        """Ask memory for something; None, and a trail, when it fails or takes too long."""
        why = "TimeoutError"
        try:
            with anyio.move_on_after(self.service.settings.memory_timeout_s):
                return await anyio.to_thread.run_sync(run, abandon_on_cancel=True)
        except JiyiError as error:
            why = type(error).__name__
        self.headers[STATE] = "failed"
        self.service.metrics.memory_failures.labels(step).inc()
        logger.warning("a chat goes on without memory: %s failed (%s)", step, why)
        return None


async def _admit(request: Request) -> Admission:
    admission = await admit(request)
    if not any(map(admission.may, _RIGHTS)):
        raise AccessError("this key may neither read nor write", known=True)
    return admission


async def _read(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise InvalidInputError("body", "it is not JSON", "Send a chat as OpenAI's") from None
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):
        raise InvalidInputError("messages", "there are none", "Send a list of messages")
    return dict(body)


def _open(
    service: Service, admission: Admission, request: Request, body: Mapping[str, Any]
) -> _Chat:
    scope = scope_in(request.headers)
    if "user" not in scope and (user := body.get("user")) is not None and user != "":
        if isinstance(user, bool) or not isinstance(user, (str, int)):
            # All of them would share what is remembered of those without a name.
            raise InvalidInputError("user", "it is no name", 'Send it as text, such as "7"')
        scope["user"] = str(user)
    views = {right: admission.memory(right, **scope) for right in _RIGHTS if admission.may(right)}
    for right in views:
        admission.scope(right, **scope)  # a key for several users needs one of them named
    return _Chat(
        service=service,
        messages=list(body["messages"]),
        reads=views.get("read"),
        writes=views.get("write"),
    )


async def _forward(
    request: Request, method: str, path: str, chat: _Chat | None, content: bytes
) -> Response:
    """Send a request on, and its answer back, as it comes."""
    service = service_of(request)
    client: httpx.AsyncClient = request.app.state.upstream
    url = f"{(service.settings.upstream_url or '').rstrip('/')}{path}"
    begun = time.perf_counter()
    outgoing = client.build_request(method, url, content=content, headers=_headers(request))
    try:
        answer = await client.send(outgoing, stream=True)
    except httpx.HTTPError as error:
        service.metrics.upstream.labels("none").observe(time.perf_counter() - begun)
        logger.warning("the model cannot be reached (%s)", type(error).__name__)
        headers = {} if chat is None else chat.headers
        return _failure(502, "the model cannot be reached", "upstream", headers)
    service.metrics.upstream.labels(str(answer.status_code)).observe(time.perf_counter() - begun)
    headers = {k: v for k, v in answer.headers.items() if k.lower() not in _HOP}
    kind = answer.headers.get("content-type", "")
    if answer.is_success and kind.startswith("text/event-stream"):
        return StreamingResponse(
            _stream(answer, chat),
            answer.status_code,
            headers | ({} if chat is None else chat.headers),
        )
    try:
        whole = await answer.aread()
    except httpx.HTTPError as error:
        logger.warning("the model broke off (%s)", type(error).__name__)
        return _failure(
            502, "the model broke off", "upstream", {} if chat is None else chat.headers
        )
    finally:
        await answer.aclose()
    if chat is not None and answer.is_success:
        await chat.record(text_in(whole))
    return Response(whole, answer.status_code, headers | ({} if chat is None else chat.headers))


def _headers(request: Request) -> dict[str, str]:
    """What goes to the model: its key, never one of ours."""
    service = service_of(request)
    headers = {"Content-Type": "application/json"}
    for name in ("accept", "openai-organization", "openai-project", "openai-beta"):
        if value := request.headers.get(name):
            headers[name] = value
    key = service.settings.upstream_key
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    elif request.state.admission.key is None and (own := request.headers.get("authorization")):
        headers["Authorization"] = own
    return headers


async def _stream(answer: httpx.Response, chat: _Chat | None) -> AsyncIterator[bytes]:
    """Pass a streamed answer on, byte for byte. It is recorded before its end is passed on, so that
    the next request finds it; also when the caller hangs up, or the model breaks off."""
    gathered = StreamedText()
    try:
        async for chunk in answer.aiter_bytes():
            gathered.feed(chunk)
            if gathered.done:
                await _record(chat, gathered)
            yield chunk
    except httpx.HTTPError as error:
        logger.warning("the model broke off (%s)", type(error).__name__)
        await _record(chat, gathered)
        yield b"\n\ndata: " + _error(502, "the model broke off", "upstream") + b"\n\n"
    finally:
        with anyio.CancelScope(shield=True):
            await answer.aclose()
            await _record(chat, gathered)


async def _record(chat: _Chat | None, gathered: StreamedText) -> None:
    """Record a streamed answer, once."""
    if chat is not None and not gathered.recorded:
        gathered.recorded = True
        await chat.record(gathered.text, cut=not gathered.done)


def _refused(error: JiyiError) -> Response:
    if isinstance(error, AccessError):
        return _failure(403 if error.known else 401, str(error), "access")
    return _failure(422 if isinstance(error, InvalidInputError) else 503, str(error), "jiyi")


def _failure(
    status: int, message: str, code: str, headers: Mapping[str, str] | None = None
) -> Response:
    """An error as a whole answer."""
    return Response(
        _error(status, message, code), status, dict(headers or {}), media_type="application/json"
    )


def _error(status: int, message: str, code: str) -> bytes:
    """An error as OpenAI's clients read it."""
    kinds = {401: "authentication_error", 403: "permission_error", 422: "invalid_request_error"}
    kind = kinds.get(status, "api_error")
    error = {"message": message, "type": kind, "param": None, "code": code}
    return json.dumps({"error": error}).encode()
