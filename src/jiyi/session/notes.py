"""Working notes of a task: small named values that live until the task ends, never encoded."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.errors import InvalidInputError
from jiyi.text.normalise import check_name, check_text
from jiyi.types import Json, Scope

if TYPE_CHECKING:
    from jiyi.ports import Store

NOTE_BYTES: Final = 16_384
"""What one note may have as JSON in UTF-8: notes go into prompts, files do not belong there."""

MAX_NOTES: Final = 200
"""Notes of one task: more is not a state any more but a log."""


class TaskNotes:
    """The notes of one task. Thread-safe; the store keeps everything.

    Args:
        store: where the notes are.
        scope: whose task it is.
        task: its name, any non-empty text.
        now: tells the time.
    """

    def __init__(
        self, store: Store, scope: Scope, task: str, *, now: Callable[[], datetime]
    ) -> None:
        name = check_name(task, "task")
        if name is None:
            raise InvalidInputError("task", "is missing", "Name the task")
        self.task = name
        self._store = store
        self._scope = scope
        self._now = now

    def note(self, name: str, value: Json) -> None:
        """Set a note, replacing the former value; None removes it.

        Raises:
            InvalidInputError: no usable name, no JSON, too large, or one note too many.
        """
        checked = check_name(check_text(name, "name"), "name")
        assert checked is not None  # noqa: S101 - check_text refuses None
        size = _size(value)
        if size > NOTE_BYTES:
            raise InvalidInputError(
                "value",
                f"has {size:,} bytes as JSON, more than the limit of {NOTE_BYTES:,}",
                "Note a summary, and keep the rest where it is",
            )
        with self._store.write() as writer:
            notes = writer.notes(self._scope, self.task)
            if value is not None and checked not in notes and len(notes) >= MAX_NOTES:
                raise InvalidInputError(
                    "name", f"the task has {MAX_NOTES} notes already", "Remove or reuse some"
                )
            writer.set_note(self._scope, self.task, checked, value, at=self._now())

    def notes(self) -> dict[str, Json]:
        """All notes, in the order in which they began."""
        with self._store.read() as reader:
            return reader.notes(self._scope, self.task)

    def end(self) -> int:
        """End the task: its notes are gone. Returns how many there were."""
        with self._store.write() as writer:
            return writer.end_task(self._scope, self.task)


def _size(value: Json) -> int:
    try:
        return len(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError) as error:
        raise InvalidInputError("value", f"is not JSON ({error})", "Use JSON values") from error
