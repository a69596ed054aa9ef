"""A file of questions, each with the evidence that answers it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from jiyi.errors import InvalidInputError
from jiyi.text.normalise import check_name, check_text

if TYPE_CHECKING:
    import os

_FIELDS: Final = ("question", "evidence", "answerable", "category", "user", "session", "as_of")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question.

    Attributes:
        text: the question as a user would put it.
        evidence: what answers it, each piece an id of a memory, turn or document, or words that
            stand in the text that answers. Empty for a question that nothing answers.
        category: to tell kinds of questions apart in the figures.
        user, session: where to ask; None asks where the evaluation runs.
        as_of: ISO 8601; what was true then is asked for.
    """

    text: str
    evidence: tuple[str, ...] = ()
    category: str = ""
    user: str | None = None
    session: str | None = None
    as_of: str | None = None

    @property
    def answerable(self) -> bool:
        """Whether there is something to find."""
        return bool(self.evidence)


def read_questions(path: str | os.PathLike[str]) -> tuple[Question, ...]:
    """The questions of a JSONL file, one object a line:

        {"question": "Where does Sun work?", "evidence": ["the research farm"]}
        {"question": "他对什么过敏？", "evidence": ["花生"], "category": "health"}
        {"question": "What is her shoe size?", "answerable": false}

    Raises:
        InvalidInputError: a line that is no such object, an unknown field, an answerable question
            without evidence, or no question at all. It names the line.
    """
    with open(path, encoding="utf-8-sig") as file:  # noqa: PTH123  # any path-like, as everywhere
        try:
            lines = file.read().split("\n")
        except UnicodeDecodeError as error:
            raise InvalidInputError("file", "it is not UTF-8 text", "Write JSON lines") from error
    found = [_read(line, number) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise InvalidInputError("file", "it holds no question", "Write one JSON object a line")
    return tuple(found)


def _read(line: str, number: int) -> Question:
    where = f"line {number}"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(where, "it is not JSON", "Write one JSON object a line") from error
    if not isinstance(value, Mapping):
        raise InvalidInputError(where, "it is no object", 'Write {"question": …, "evidence": […]}')
    for key in value:
        if key not in _FIELDS:
            raise InvalidInputError(f"{where}: {key}", "unknown field", f"Known: {_FIELDS}")
    evidence = _evidence(value.get("evidence"), where)
    answerable = value.get("answerable", bool(evidence))
    if answerable is not bool(evidence):
        raise InvalidInputError(
            f"{where}: evidence",
            "an answerable question needs some, another has none",
            'Give ids or words that answer, or "answerable": false',
        )
    if not evidence and "answerable" not in value:
        raise InvalidInputError(
            f"{where}: evidence", "it is missing", 'Give ids or words, or "answerable": false'
        )
    return Question(
        text=check_text(value.get("question"), f"{where}: question"),
        evidence=evidence,
        category=str(value.get("category") or ""),
        user=check_name(value.get("user"), f"{where}: user"),
        session=check_name(value.get("session"), f"{where}: session"),
        as_of=value.get("as_of"),
    )


def _evidence(value: Any, where: str) -> tuple[str, ...]:
    if value is None:
        return ()
    pieces = [value] if isinstance(value, str) else value
    if not isinstance(pieces, Sequence):
        raise InvalidInputError(f"{where}: evidence", "it is no list", "Give a list of texts")
    return tuple(check_text(piece, f"{where}: evidence") for piece in pieces)
