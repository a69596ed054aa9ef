"""Documents from files and texts: Markdown, plain text, JSON lines with a text each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

from jiyi.arguments import read_flag, read_meta
from jiyi.errors import InvalidInputError
from jiyi.formats.files import read_text
from jiyi.text.normalise import check_name, check_text
from jiyi.text.passages import cut, first_heading, front_title
from jiyi.types import DocumentText, Json, Section

LIMIT_BYTES: Final = 33_554_432
"""The longest document, 32 MiB: a thick book has one or two."""

MARKDOWN: Final = frozenset({".md", ".markdown", ".mdown"})
PLAIN: Final = frozenset({".txt", ".text"})
LINES: Final = frozenset({".jsonl", ".ndjson"})
_FIELDS = frozenset({"text", "title", "id", "meta", "markdown"})
_TEXT_KEYS = ("text", "content", "page_content")
_HINT = 'Use a path, or {"title": "…", "text": "…"}'


def read_documents(given: object) -> list[DocumentText]:
    """Documents from one or many paths (of files or folders) and texts.

    Every file of a folder that has an ending of ours is taken. A text is a mapping of `text`,
    `title`, and perhaps `id`, `meta`, and `markdown` (False: no line is a heading).

    Raises:
        InvalidInputError: naming the item or file; then nothing was read from any.
    """
    if isinstance(given, (str, os.PathLike, Mapping)) or not isinstance(given, Iterable):
        given = [given]
    found = [
        document
        for place, item in enumerate(cast("Iterable[object]", given))
        for document in _read(item, f"documents[{place}]")
    ]
    if not found:
        raise InvalidInputError("documents", "there is none", _HINT)
    names: set[str] = set()
    for document in found:
        if document.name in names:
            raise InvalidInputError(
                "documents", f"{document.name!r} is there twice", "Give each an id of its own"
            )
        names.add(document.name)
    return found


def _read(item: object, place: str) -> Iterator[DocumentText]:
    if isinstance(item, Mapping):
        yield _from_mapping(item, place)
        return
    if not isinstance(item, (str, os.PathLike)):
        raise InvalidInputError(place, f"{type(item).__name__} is no document", _HINT)
    path = Path(os.fspath(cast("str", item)))
    try:
        folder, there = path.is_dir(), path.exists()
    except (OSError, ValueError):  # a text that is too long for a path, or holds a NUL
        folder = there = False
    if not there:
        shown = str(path)[:80]
        raise InvalidInputError(place, f"there is no file {shown!r}", f"{_HINT} for a text")
    if not folder:
        yield _from_file(path)
        return
    known = MARKDOWN | PLAIN | LINES
    files = sorted(p for p in path.rglob("*") if p.suffix.lower() in known and p.is_file())
    if not files:
        raise InvalidInputError(place, f"{path} holds no document", f"Endings: {_endings()}")
    for file in files:
        yield _from_file(file)


def _from_mapping(item: Mapping[Any, Any], place: str) -> DocumentText:
    if unknown := sorted(str(name) for name in item if name not in _FIELDS):
        raise InvalidInputError(
            f"{place}.{unknown[0]}", "unknown field", f"Known: {', '.join(sorted(_FIELDS))}"
        )
    title = check_name(item.get("title"), f"{place}.title")
    if title is None:
        raise InvalidInputError(f"{place}.title", "is missing", _HINT)
    text = check_text(item.get("text"), f"{place}.text", limit_bytes=LIMIT_BYTES)
    name = check_name(item.get("id"), f"{place}.id") or title
    markdown = read_flag(item.get("markdown", True), f"{place}.markdown")
    meta = read_meta(item.get("meta"), f"{place}.meta")
    return _document(name, title, text, markdown=markdown, meta=meta)


def _from_file(path: Path) -> DocumentText:
    ending = path.suffix.lower()
    if ending not in MARKDOWN | PLAIN | LINES:
        raise InvalidInputError(
            str(path), f"files ending in {ending or 'nothing'} are not read", f"Use {_endings()}"
        )
    text = check_text(read_text(path), path.name, limit_bytes=LIMIT_BYTES)
    name = Path(os.path.abspath(path)).as_posix()  # noqa: PTH100 - links stay as they are
    if ending in LINES:
        return _from_lines(name, path, text)
    if ending in PLAIN:
        return _document(name, path.stem, text, markdown=False)
    stated, start = front_title(text)
    body = text[start:] if text[start:].strip() else text
    title = stated or first_heading(body) or path.stem
    return _document(name, check_name(title[:1000], path.name) or path.stem, body, markdown=True)


def _document(
    name: str, title: str, text: str, *, markdown: bool, meta: Mapping[str, Json] | None = None
) -> DocumentText:
    text = text.replace("\r\n", "\n")
    sections = tuple(cut(text, markdown=markdown))
    return DocumentText(name=name, title=title, text=text, sections=sections, meta=meta or {})


def _from_lines(name: str, path: Path, text: str) -> DocumentText:
    """One document; each line is a text with its title and meta, and has passages of its own."""
    whole, sections = "", []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.name}, line {number}"
        title, words, meta = _read_line(line, place)
        start = len(whole)
        for part in cut(words, markdown=True):
            heading = part.heading if part.heading[:1] == (title,) else (title, *part.heading)
            sections.append(
                Section(
                    heading=tuple(filter(None, heading)),
                    start=start + part.start,
                    stop=start + part.stop,
                    meta=meta,
                )
            )
        whole += words + "\n\n"
    return DocumentText(name=name, title=path.stem, text=whole, sections=tuple(sections))


def _read_line(line: str, place: str) -> tuple[str, str, dict[str, Json]]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        raise InvalidInputError(place, "not JSON", "Write one object per line") from None
    if isinstance(item, str):
        item = {"text": item}
    key = next((key for key in _TEXT_KEYS if isinstance(item, dict) and key in item), None)
    if key is None:
        raise InvalidInputError(place, "it has no text", 'Use {"text": "…", "title": "…"}')
    words = check_text(item.pop(key), f"{place}, {key}", limit_bytes=LIMIT_BYTES)
    title = check_name(item.pop("title", None), f"{place}, title") or ""
    inner = item.pop("meta", None) or item.pop("metadata", None) or {}
    return title, words, read_meta({**item, **inner}, place)


def _endings() -> str:
    return ", ".join(sorted(MARKDOWN | PLAIN | LINES))
