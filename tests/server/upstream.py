"""A model's server for tests: says what it is told to, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route


class Upstream:
    """Answers every chat with `reply`, streamed where asked; `requests` holds what came."""

    def __init__(self, reply: str = "你对花生过敏。") -> None:
        self.reply = reply
        self.status = 200
        self.breaks_off = False
        self.message: dict[str, Any] = {}
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
                Route("/v1/models", self._models),
            ]
        )

    @property
    def seen(self) -> str:
        """All texts of the last request's messages."""
        return json.dumps(self.requests[-1]["messages"], ensure_ascii=False)

    async def _chat(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        if self.status != 200:
            return JSONResponse({"error": {"message": "too busy", "code": "x"}}, self.status)
        if body.get("stream"):
            return StreamingResponse(self._chunks(), media_type="text/event-stream")
        message = {"role": "assistant", "content": self.reply, **self.message}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return JSONResponse(
            {
                "id": "c-1",
                "object": "chat.completion",
                "created": 1,
                "model": body.get("model", "m"),
                "choices": [choice],
                "x_unknown": {"kept": True},
            },
            headers={"X-Upstream": "yes"},
        )

    async def _chunks(self) -> AsyncIterator[bytes]:
        half = len(self.reply) // 2
        for number, part in enumerate((self.reply[:half], self.reply[half:])):
            if number and self.breaks_off:
                raise ConnectionResetError
            choice = {"index": 0, "delta": {"content": part}, "finish_reason": None}
            chunk = {
                "id": "c-1",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "m",
                "choices": [choice],
            }
            data = f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()
            yield data[:-5]  # cut in the middle of a line
            yield data[-5:]
        yield b"data: [DONE]\n\n"

    async def _models(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        model = {"id": "m", "object": "model", "created": 1, "owned_by": "test"}
        return JSONResponse({"object": "list", "data": [model]})
