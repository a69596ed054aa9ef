"""The short-term memory of sessions on a store: what to show, when to summarise, how to end."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from jiyi.errors import StoreUnavailableError
from jiyi.session import summary as summaries
from jiyi.session.digest import digest
from jiyi.session.summary import EMPTY, Summary, dump, load, refresh
from jiyi.session.window import MAX_TOKENS, MAX_TURNS, window
from jiyi.text.tokens import TokenCounter, count_tokens
from jiyi.types import Draft, Scope, Turn

if TYPE_CHECKING:
    from jiyi.ports import ChatModel, Reader, Store, Writer

logger = logging.getLogger("jiyi")

READ_TURNS: Final = 64
"""Turns in which the window lies."""

SUMMARISED_TURNS: Final = 512
"""Of a session that has no summary yet, the newest turns that the first one is made of."""

_PAGES: Final = (24, READ_TURNS)
"""Newest turns that are read, until the last summarised one is among them."""


class Shown(NamedTuple):
    """What a context shows of a session: the last turns as they were said, oldest first, and what
    was said before them in points, or None."""

    recent: Sequence[Turn]
    summary: str | None


class Closing(NamedTuple):
    """What ending a session comes to: the draft of its digest, if it came to anything, the turns
    that this quotes, and what is left of the summary, which says how far the session is digested.
    """

    draft: Draft | None
    cites: tuple[str, ...]
    left: Summary


class SessionKeeper:
    """Keeps windows and summaries. Holds no state: everything is in the store.

    Args:
        chat_model: writes digests; rules do without one, or where it fails.
        max_turns, max_tokens: the window (see `window`).
        threshold_turns, threshold_tokens: when a summary is refreshed (see `summary.refresh`).
        count: counts tokens.
    """

    def __init__(
        self,
        *,
        chat_model: ChatModel | None = None,
        max_turns: int = MAX_TURNS,
        max_tokens: int = MAX_TOKENS,
        threshold_turns: int = summaries.THRESHOLD_TURNS,
        threshold_tokens: int = summaries.THRESHOLD_TOKENS,
        count: TokenCounter = count_tokens,
    ) -> None:
        self._chat_model = chat_model
        self._max_turns = max_turns
        self._max_tokens = max_tokens
        self._threshold_turns = threshold_turns
        self._threshold_tokens = threshold_tokens
        self._count = count

    def show(
        self, store: Store, scope: Scope, session: str, *, now: datetime, writable: bool = True
    ) -> Shown:
        """What to show of a session; nothing from before its end, when it was ended and goes on.

        Here, where it is read, the summary is brought up to date when enough turns have left the
        window, so that nobody who only tells waits for it. By rules: no context waits for a model.
        Unless it is `writable`, and where writing fails, the former one is shown.
        """
        with store.read() as reader:
            summary = _read(reader, scope, session)
            turns = _turns(reader, scope, session, summary.until, most=SUMMARISED_TURNS)
        turns = _since_end(summary, turns)
        shown = window(
            turns, max_turns=self._max_turns, max_tokens=self._max_tokens, count=self._count
        )
        fresh = refresh(
            summary,
            turns,
            threshold_turns=self._threshold_turns,
            threshold_tokens=self._threshold_tokens,
            shown=shown,
            count=self._count,
        )
        if writable and fresh is not summary:
            try:
                summary = _replaced(store, scope, session, summary, fresh, now=now)
            except StoreUnavailableError as error:
                logger.warning("the summary of a session waits: %s", error)
        return Shown(shown.kept, summary.text or None)

    def close(self, store: Store, scope: Scope, session: str, *, now: datetime) -> Closing:
        """What ending the session comes to. Writes nothing; see `end`."""
        with store.read() as reader:
            former = _read(reader, scope, session)
            turns = _turns(reader, scope, session, former.until)
        left = digest(
            session,
            _since_end(former, turns),
            now=now,
            summary=former,
            chat_model=self._chat_model,
            count=self._count,
        )
        until = turns[-1].id if turns else former.until
        draft, cites = left if left is not None else (None, ())
        return Closing(draft, cites, Summary(until=until, ended=True))

    def end(
        self,
        writer: Writer,
        scope: Scope,
        session: str,
        closing: Closing,
        *,
        at: datetime,
        digest: str | None,
    ) -> None:
        """Note the end, with the memory that the draft became: window and summary are gone."""
        _write(writer, scope, session, closing.left, at)
        writer.end_session(scope, session, at=at, digest=digest, cites=closing.cites)


def _read(reader: Reader, scope: Scope, session: str) -> Summary:
    text = reader.session_summary(scope, session)
    return EMPTY if text is None else load(text)


def _write(writer: Writer, scope: Scope, session: str, summary: Summary, at: datetime) -> None:
    writer.set_session_summary(scope, session, dump(summary), cites=summary.cites, at=at)


def _replaced(
    store: Store, scope: Scope, session: str, former: Summary, fresh: Summary, *, now: datetime
) -> Summary:
    """The summary once `fresh` is in the place of `former`, or what somebody else put there."""
    with store.write() as writer:
        current = _read(writer, scope, session)
        if current == former:
            current = replace(fresh, ended=False)
            _write(writer, scope, session, current, now)
    return current


def _turns(
    reader: Reader, scope: Scope, session: str, since: str | None, *, most: int | None = None
) -> Sequence[Turn]:
    """The newest turns of a session, oldest first, from `since` or from further back on, with the
    newest message of the user if it is near; all, or `most`, of a session in which `since` is not
    found."""
    for limit in _PAGES:
        newest = reader.turns(scope, session=session, limit=limit, order="newest")
        asked = limit == READ_TURNS or any(turn.role == "user" for turn in newest)
        if len(newest) < limit or (asked and any(turn.id == since for turn in newest)):
            return newest[::-1]
    newest_only = most if since is None else None
    return reader.turns(scope, session=session, limit=newest_only, order="newest")[::-1]


def _since_end(summary: Summary, turns: Sequence[Turn]) -> Sequence[Turn]:
    """The turns after the end of a session that was ended and goes on."""
    if summary.ended:
        for place, turn in enumerate(turns):
            if turn.id == summary.until:
                return turns[place + 1 :]
    return turns
