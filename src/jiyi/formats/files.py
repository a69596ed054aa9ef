"""One door for every file: decode it, recognise its shape, hand it to its reader."""

from __future__ import annotations

import json
from collections.abc import Collection
from os import PathLike
from pathlib import Path
from typing import Any

from jiyi.errors import InvalidInputError
from jiyi.formats import chat_exports, knowledge_graph, memory_list, messages, transcript
from jiyi.formats.values import Imported, not_ours

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
ARCHIVE_MARK = "jiyi_archive"
"""The key that the first line of our own archives holds."""


def read_file(path: str | PathLike[str], *, assistant: Collection[str] = ()) -> Imported:
    """Everything a file holds, read and checked whole before anything is written.

    Args:
        path: JSON, JSONL or plain text, in UTF-8 (or UTF-16 with its mark).
        assistant: names in a transcript that are the assistant speaking, beside the usual words.

    Raises:
        InvalidInputError: the file is missing, unreadable, or not a conversation; the message
            names the file and the line or item.
    """
    path = Path(path)
    name = path.name
    text = read_text(path)
    if not text.strip():
        raise not_ours(name, "the file is empty")
    if text.lstrip()[0] not in "{[" or transcript.fits(text):
        return Imported(
            format="transcript", conversations=transcript.read(text, name, assistant=assistant)
        )
    values, unit = _json_values(text, name)
    return _recognise(values, name, unit)


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, or in UTF-16 with its mark.

    Raises:
        InvalidInputError: it is missing, unreadable or in another encoding.
    """
    return _decode(_read(path), path.name)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInputError(
            str(path), error.strerror or "it cannot be read", "Name a file that can be read"
        ) from error


def _decode(data: bytes, name: str) -> str:
    encoding = next((code for mark, code in _BOMS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidInputError(
            name,
            f"byte {error.start} is not {encoding.removesuffix('-sig').upper()}",
            "Save the file as UTF-8",
        ) from error


def _json_values(text: str, name: str) -> tuple[Any, str]:
    """The content of a JSON file, or the list of a JSONL file's lines; and what to call a part."""
    try:
        return json.loads(text), "item"
    except (json.JSONDecodeError, RecursionError) as whole:
        lines = [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
        first = None
        values = []
        for number, line in lines:
            try:
                values.append(json.loads(line))
            except (json.JSONDecodeError, RecursionError) as error:
                first = (number, error)
                break
        if first is None:
            return values, "line"
        # Nothing parsed line by line: the file was meant as one JSON value.
        if not values and isinstance(whole, json.JSONDecodeError):
            raise not_ours(f"{name}, line {whole.lineno}", f"not JSON ({whole.msg})") from whole
        raise not_ours(f"{name}, line {first[0]}", "not JSON") from first[1]


def _recognise(value: Any, name: str, unit: str) -> Imported:
    if knowledge_graph.fits(value):
        return Imported(format="knowledge graph", graph=knowledge_graph.read(value, name))
    if memory_list.fits(value):
        return Imported(format="memory list", memories=memory_list.read(value, name))
    if chat_exports.fits(value):
        label, conversations = chat_exports.read(value, name)
        return Imported(format=label, conversations=conversations)
    first = value[0] if isinstance(value, list) and value else value
    if isinstance(first, dict) and ARCHIVE_MARK in first:
        raise InvalidInputError(
            name, "this is an archive of jiyi itself", "It is loaded as a whole, not imported"
        )
    return Imported(format="messages", conversations=messages.read(value, name, unit))
