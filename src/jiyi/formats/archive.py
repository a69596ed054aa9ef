"""Our own archive: everything of a store as JSON lines, versioned and checksummed.

    {"jiyi_archive": 1, "written_at": "2026-03-05T09:30:00+00:00", "program": "jiyi 0.1.0"}
    {"record": "turn", "data": {…}}                     one line for each thing that is kept
    {"record": "end", "count": 1, "blake2b": "…"}       over every byte above this line

The checksum finds damage and cuts; it does not guard against someone who means harm. A file is
written beside its place and moved there when it is whole, so that no half archive is ever found
under its name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

from jiyi.archived import (
    Archived,
    ArchivedDigest,
    ArchivedDocument,
    ArchivedEvent,
    ArchivedField,
    ArchivedMemory,
    ArchivedNote,
    ArchivedSession,
    ArchivedTombstones,
    ArchivedTurn,
)
from jiyi.errors import ConflictError, InvalidInputError, StoreUnavailableError
from jiyi.formats.files import ARCHIVE_MARK
from jiyi.formats.plain import from_plain, to_plain

VERSION = 1
"""The version that is written. Every version up to it is read."""

_DIGEST_BYTES = 32


_NAMES: dict[type[Any], str] = {
    ArchivedTurn: "turn",
    ArchivedDigest: "digest",
    ArchivedMemory: "memory",
    ArchivedEvent: "event",
    ArchivedField: "field",
    ArchivedSession: "session",
    ArchivedNote: "note",
    ArchivedTombstones: "tombstones",
    ArchivedDocument: "document",
}
_TYPES = {name: kind for kind, name in _NAMES.items()}


class Summary(NamedTuple):
    """What an archive holds: records by name."""

    counts: dict[str, int]
    written_at: datetime


def write_archive(
    path: str | os.PathLike[str], records: Iterable[Archived], *, now: datetime, program: str
) -> Summary:
    """Write an archive; the file appears under its name when it is whole.

    Raises:
        ConflictError: there is something else at `path`.
        StoreUnavailableError: it cannot be written.
    """
    path = Path(path)
    if path.exists() and not _is_archive(path):
        raise ConflictError(f"{path} exists and is no archive. Choose another name")
    # Each writer has a part of its own: two may export at once.
    part = path.with_name(f"{path.name}.{token_hex(4)}.part")
    counts: dict[str, int] = {}
    digest = blake2b(digest_size=_DIGEST_BYTES)
    header = {ARCHIVE_MARK: VERSION, "written_at": now.isoformat(), "program": program}
    try:
        with part.open("wb") as file:
            for entry in _lines(header, records, counts):
                line = _line(entry)
                digest.update(line)
                file.write(line)
            total = sum(counts.values())
            file.write(_line({"record": "end", "count": total, "blake2b": digest.hexdigest()}))
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreUnavailableError(f"cannot write {path}: {error.strerror}") from error
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return Summary(counts, now)


def check_archive(
    path: str | os.PathLike[str], look: Callable[[Archived], None] | None = None
) -> Summary:
    """Read an archive from end to end and check it, before anything is loaded from it.

    Args:
        look: shown every value, to refuse it with an error of its own.

    Raises:
        InvalidInputError: it is no archive, is newer than this program, cut, or damaged.
    """
    path = Path(path)
    counts: dict[str, int] = {}
    header = None
    for number, entry in enumerate(_checked(path), start=1):
        if header is None:
            header = entry
            continue
        value = _value(entry, f"{path.name}, line {number}")
        if look is not None:
            look(value)
        counts[entry["record"]] = counts.get(entry["record"], 0) + 1
    assert header is not None  # noqa: S101 - `_checked` raises on an empty file
    return Summary(counts, datetime.fromisoformat(header["written_at"]))


def read_archive(path: str | os.PathLike[str]) -> Iterator[Archived]:
    """The records of an archive, in the order they were written.

    Call `check_archive` first: a damage near the end is found only there.
    """
    path = Path(path)
    entries = _checked(path)
    next(entries)
    for number, entry in enumerate(entries, start=2):
        yield _value(entry, f"{path.name}, line {number}")


def name_of(value: Archived) -> str:
    """The kind of a value, as its line names it and as reports count it."""
    return _NAMES[type(value)]


def _value(entry: dict[str, Any], place: str) -> Archived:
    kind = _TYPES.get(entry["record"])
    if kind is None:
        raise _bad(place, f"unknown record {entry['record']!r}")
    value: Archived = from_plain(kind, entry.get("data"), place)
    if isinstance(value, ArchivedMemory) and not value.versions:
        raise _bad(place, "a memory without a state")
    return value


def _is_archive(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.readline(200).startswith(b'{"' + ARCHIVE_MARK.encode())
    except OSError:
        return False


def _lines(
    header: dict[str, Any], records: Iterable[Archived], counts: dict[str, int]
) -> Iterator[dict[str, Any]]:
    yield header
    for record in records:
        name = name_of(record)
        counts[name] = counts.get(name, 0) + 1
        yield {"record": name, "data": to_plain(record, compact=True)}


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _checked(path: Path) -> Iterator[dict[str, Any]]:
    """Every line but the last; raises at the end if the last does not vouch for them."""
    digest = blake2b(digest_size=_DIGEST_BYTES)
    count = -1  # the header is no record
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                place = f"{path.name}, line {number}"
                entry = _entry(line, place)
                if number == 1:
                    _check_header(entry, path.name)
                elif entry.get("record") == "end":
                    right = entry.get("count") == count
                    if not right or entry.get("blake2b") != digest.hexdigest():
                        raise _bad(path.name, "the checksum does not fit: it is damaged")
                    if file.readline():
                        raise _bad(place, "there is more after the end")
                    return
                elif not isinstance(entry.get("record"), str):
                    raise _bad(place, "it is no record")
                digest.update(line)
                count += 1
                yield entry
    except OSError as error:
        raise InvalidInputError(
            str(path), error.strerror or "it cannot be read", "Name a file that can be read"
        ) from error
    raise _bad(path.name, "it is empty" if count < 0 else "it is cut: the last line is missing")


def _entry(line: bytes, place: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise _bad(place, "not JSON") from None
    if not isinstance(entry, dict):
        raise _bad(place, "it is no record")
    return entry


def _check_header(entry: dict[str, Any], name: str) -> None:
    version = entry.get(ARCHIVE_MARK)
    if not isinstance(version, int):
        raise _bad(name, "this is none of our archives")
    if version > VERSION:
        raise InvalidInputError(
            name, f"archive version {version} is newer than this program", "Upgrade jiyi"
        )
    try:
        datetime.fromisoformat(entry["written_at"])
    except (KeyError, TypeError, ValueError):
        raise _bad(name, "its first line is damaged") from None


def _bad(place: str, problem: str) -> InvalidInputError:
    return InvalidInputError(
        place, problem, "Use an archive as it was written; for conversations `jiyi import`"
    )
