"""A session's messages to the letter, for frameworks that hand their history over and want it back.

Each message is a turn: its text is searched and read like everything that is said, and its exact
form in the framework's own shape is kept beside it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.text.normalise import check_name

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Role, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message on its way in. `form` is what comes back, any JSON; `text` is what is searched."""

    role: Role
    text: str
    form: Any
    name: str | None = None


class SessionLog:
    """The messages of one session of a memory's user, in order.

    Args:
        memory: whose session it is.
        session: its name.
        label: the framework, under which the exact form of a message is kept in its `meta`.
        learn: whether facts are drawn from what the user says, as `observe` does.
    """

    def __init__(self, memory: Memory, session: str, *, label: str, learn: bool = True) -> None:
        if check_name(session, "session") is None:
            raise InvalidInputError("session", "is missing", "Name the session")
        self.memory = memory.scoped(session=session)
        self.session = session
        self._label = label
        self._learn = learn

    def add(self, said: Sequence[Said]) -> None:
        """Append messages; all or none.

        Raises:
            InvalidInputError: a form that JSON cannot hold, or more than 8 MiB of it.
        """
        if said:
            self.memory.observe([self._message(each) for each in said], encode=self._learn)

    def turns(self, limit: int | None = None) -> list[Turn]:
        """The newest `limit` turns, or all, in the order they were said."""
        if limit is not None and limit <= 0:
            return []
        with self.memory.store.read() as reader:
            newest = reader.turns(
                self.memory.scope, session=self.session, limit=limit, order="newest"
            )
        return newest[::-1]

    def form(self, turn: Turn) -> Any:
        """The exact form of a turn, or None: it was recorded by something else."""
        kept = turn.meta.get(self._label)
        return json.loads(kept) if isinstance(kept, str) else None

    def pop(self) -> Turn | None:
        """Erase the newest turn for good, with what was drawn from it alone, and return it."""
        while newest := self.turns(1):
            try:
                self.memory.forget(ids=newest[0].id)
            except NotFoundError:  # somebody else took it meanwhile
                continue
            return newest[0]
        return None

    def clear(self) -> None:
        """Erase every turn of the session for good, with what was drawn from it alone."""
        self.memory.forget(session=self.session)

    def _message(self, said: Said) -> dict[str, Any]:
        try:
            form = json.dumps(said.form, ensure_ascii=False)
            form.encode()
        except UnicodeEncodeError:  # a lone surrogate: no store holds one as it is
            form = json.dumps(said.form)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInputError("items", f"not JSON ({error})", "Use JSON values") from error
        text = said.text.replace("\0", "").encode(errors="ignore").decode()
        message: dict[str, Any] = {"role": said.role, "meta": {self._label: form}}
        message["content"] = text if text.strip() else "[no text]"
        return message | ({"name": said.name} if said.name else {})


def text_of(content: Any) -> str:
    """The text of a message's content: itself, or the texts among its parts, one a line."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    texts = (part if isinstance(part, str) else _part_text(part) for part in content)
    return "\n".join(filter(None, texts))


def _part_text(part: Any) -> str:
    if not isinstance(part, dict):
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""
