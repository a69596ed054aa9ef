"""Requests that may come again: with an Idempotency-Key, a retry gets the first answer.

The answers lie in the store, so that any process can give them. Only answers without content are
kept (ids, counts, reasons), under hashes that need the caller's own key to be made.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from jiyi.errors import ConflictError, InvalidInputError
from jiyi.ids import read_clock
from jiyi.types import Reply, Scope

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.ports import Store

KEPT_FOR: Final = timedelta(hours=24)
_AT_WORK: Final = timedelta(minutes=1)  # after that, whoever began it is taken for dead
_LONGEST: Final = 200


def once(
    memory: Memory, scope: Scope, key: str | None, request: Any, run: Callable[[], Any]
) -> tuple[Any, bool]:
    """Run something, or give the answer that it gave before.

    Args:
        scope: whose request it is.
        key: what the caller named it; None runs it.
        request: all that tells it from other requests, as JSON.
        run: does it, and returns the answer as JSON.

    Returns:
        The answer, and whether it is one from before.

    Raises:
        InvalidInputError: the key is too long, or it named another request before.
        ConflictError: the first request is still at work.
    """
    if key is None:
        return run(), False
    if not 0 < len(key) <= _LONGEST:
        raise InvalidInputError("Idempotency-Key", f"it has {len(key)} characters", "Use a UUID")
    store, now = memory.store, read_clock(memory.clock)
    place = Scope(tenant=scope.tenant, user=scope.user)
    secret = blake2b(key.encode("utf-8", "surrogatepass")).digest()
    name = blake2b(b"name", key=secret, digest_size=16).digest()
    text = json.dumps(request, sort_keys=True)
    begun = Reply(digest=blake2b(text.encode(), key=secret, digest_size=16).digest(), at=now)
    with store.write() as writer:
        before = writer.reply(place, name)
        if before is not None and now - before.at < KEPT_FOR:
            if before.digest != begun.digest:
                raise InvalidInputError(
                    "Idempotency-Key", "it came with another request before", "Use a new one"
                )
            if before.body is not None:
                return json.loads(before.body), True
            if now - before.at < _AT_WORK:
                raise ConflictError("the first request with this Idempotency-Key is still at work")
        writer.put_reply(place, name, begun)
    with ExitStack() as undone:
        undone.callback(_drop, store, place, name)
        answer = run()
        undone.pop_all()
    with store.write() as writer:
        writer.put_reply(place, name, replace(begun, body=json.dumps(answer)))
        writer.drop_replies(before=now - KEPT_FOR)
    return answer, False


def _drop(store: Store, place: Scope, name: bytes) -> None:
    with store.write() as writer:
        writer.drop_reply(place, name)
