"""The standard library's sqlite3 behind the `Connection` and `Dialect` of the shared SQL."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from jiyi.errors import (
    ConflictError,
    InvalidInputError,
    JiyiError,
    StoreClosedError,
    StoreError,
    StoreFormatError,
    StoreUnavailableError,
)
from jiyi.stores.sql.codec import unpack_id

if TYPE_CHECKING:
    from types import TracebackType

    from jiyi.stores.sql.connection import JsonType, Parameters, Row

_UNAVAILABLE = {
    sqlite3.SQLITE_FULL: "the disk is full. Free some room and try again",
    sqlite3.SQLITE_READONLY: "it is read-only here. Check the rights of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened. Check that the folder exists and may be used",
    sqlite3.SQLITE_IOERR: "reading or writing it failed. Check the disk",
    sqlite3.SQLITE_BUSY: "another program holds it for too long. Try again",
    sqlite3.SQLITE_LOCKED: "it is locked. Try again",
    sqlite3.SQLITE_PERM: "access was denied. Check the rights of the file and its folder",
    sqlite3.SQLITE_AUTH: "access was denied",
    sqlite3.SQLITE_NOMEM: "there is no memory left",
    sqlite3.SQLITE_TOOBIG: "a value is too big",
    sqlite3.SQLITE_PROTOCOL: "its locks do not work here. Do not keep it on a network drive",
}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_DRIVER_ERRORS = (sqlite3.Error, UnicodeEncodeError, OverflowError)
_PRIMARY = 0xFF  # the low byte of an extended result code


def translate(error: Exception, what: str) -> JiyiError:
    """The error of ours that a driver's error means; `what` names the store."""
    if isinstance(error, UnicodeEncodeError):
        return InvalidInputError("text", "it holds a lone surrogate", "Pass valid Unicode")
    if isinstance(error, OverflowError):
        return InvalidInputError("value", "a whole number is too big", "Stay within 64 bits")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return StoreClosedError() if "closed" in str(error) else StoreError(f"{what}: {error}")
    primary = code & _PRIMARY
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return ConflictError(f"{error}: the store already holds what must be unique")
    if primary in _DAMAGED:
        return StoreFormatError(f"{what} is not a database of ours, or is damaged: {error}")
    if primary in _UNAVAILABLE:
        return StoreUnavailableError(f"{what}: {_UNAVAILABLE[primary]} ({error})")
    return StoreError(f"{what}: {error}")


def is_busy(error: Exception) -> bool:
    """Whether somebody else is in the way just now, so that asking again is all that is needed."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & _PRIMARY in _BUSY


class driver_errors(AbstractContextManager[None]):  # noqa: N801 - used like a function
    """Inside it, sqlite3's errors become ours."""

    __slots__ = ("_what",)

    def __init__(self, what: str) -> None:
        self._what = what

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, _DRIVER_ERRORS):
            raise translate(error, self._what) from error


class SqliteConnection:
    """One sqlite3 connection; see `Connection`."""

    def __init__(self, raw: sqlite3.Connection, what: str) -> None:
        self.raw = raw
        self.what = what
        raw.create_function("fold", 1, _fold, deterministic=True)
        raw.create_function("id_text", 1, _id_text, deterministic=True)
        raw.create_function("from_hex", 1, bytes.fromhex, deterministic=True)

    def all(self, sql: str, parameters: Parameters) -> list[Row]:
        statement, values = positional(sql)
        try:
            return self.raw.execute(statement, values(parameters)).fetchall()
        except _DRIVER_ERRORS as exc:
            raise translate(exc, self.what) from exc

    def one(self, sql: str, parameters: Parameters) -> Row | None:
        statement, values = positional(sql)
        try:
            cursor = self.raw.execute(statement, values(parameters))
            row: Row | None = cursor.fetchone()
            cursor.close()
        except _DRIVER_ERRORS as exc:
            raise translate(exc, self.what) from exc
        return row

    def run(self, sql: str, parameters: Parameters) -> int:
        statement, values = positional(sql)
        try:
            return self.raw.execute(statement, values(parameters)).rowcount
        except _DRIVER_ERRORS as exc:
            raise translate(exc, self.what) from exc

    def many(self, sql: str, parameters: Iterable[Parameters]) -> None:
        statement, values = positional(sql)
        try:
            self.raw.executemany(statement, map(values, parameters))
        except _DRIVER_ERRORS as exc:
            raise translate(exc, self.what) from exc


_PARAMETER = re.compile(r"(?<![:\w]):([A-Za-z_]\w*)")


@lru_cache(maxsize=512)
def positional(sql: str) -> tuple[str, Callable[[Parameters], tuple[object, ...]]]:
    """The statement with `?` for each `:name`, and what fetches their values in that order.

    sqlite3 looks every name up in every call, which costs more than a short statement itself.
    """
    names = _PARAMETER.findall(sql)
    statement = _PARAMETER.sub("?", sql)
    if not names:
        return statement, _no_values
    if len(names) == 1:
        name = names[0]
        return statement, lambda parameters: (parameters[name],)
    return statement, itemgetter(*names)


def _no_values(_: Parameters) -> tuple[object, ...]:
    return ()


def _fold(text: object) -> str | None:
    return text.casefold() if isinstance(text, str) else None


def _id_text(raw: object) -> str | None:
    return unpack_id(raw) if isinstance(raw, bytes) else None


_JSON_TYPES: dict[JsonType, str] = {
    "text": "= 'text'",
    "number": "IN ('integer', 'real')",
    "bool": "IN ('true', 'false')",
    "null": "= 'null'",
    "list": "= 'array'",
}


class SqliteDialect:
    """SQLite's spelling; see `Dialect`. One writer at a time makes row locks needless."""

    lock_row = ""
    skip_locked = ""

    def array(self, values: Sequence[Any]) -> Any:
        return json.dumps([v.hex() if isinstance(v, bytes) else v for v in values])

    def number(self, value: float) -> Any:
        return value

    def within(self, expression: str, parameter: str) -> str:
        return f"{expression} IN (SELECT value FROM json_each(:{parameter}))"  # noqa: S608

    def is_name(self, column: str, parameter: str) -> str:
        return f"{column} = :{parameter}"

    def within_ids(self, expression: str, parameter: str) -> str:
        return f"{expression} IN (SELECT from_hex(value) FROM json_each(:{parameter}))"  # noqa: S608

    def id_text(self, expression: str) -> str:
        return f"id_text({expression})"

    def ordered(self, expression: str) -> str:
        return expression

    def holds(self, expression: str, parameter: str) -> str:
        return f"instr(fold({expression}), :{parameter}) > 0"

    def has_entry(self, expression: str, parameter: str) -> str:
        return f"EXISTS (SELECT 1 FROM json_each({expression}) WHERE value = :{parameter})"  # noqa: S608

    def has_any_entry(self, expression: str, parameter: str) -> str:
        entry = self.within("e.value", parameter)
        return f"EXISTS (SELECT 1 FROM json_each({expression}) AS e WHERE {entry})"  # noqa: S608

    def json_member(self, expression: str, key: str, type: JsonType, test: str) -> str:
        # Walking the members compares keys as they are; a JSON path could not quote them all.
        return (
            f"EXISTS (SELECT 1 FROM json_each({expression}) AS j WHERE j.key = :{key}"  # noqa: S608
            f" AND j.type {_JSON_TYPES[type]} AND {test.replace('{value}', 'j.value')})"
        )

    def json_list_has(self, expression: str, key: str, type: JsonType, parameter: str) -> str:
        return (
            f"EXISTS (SELECT 1 FROM json_each({expression}) AS j, json_each(j.value) AS e"  # noqa: S608
            f" WHERE j.key = :{key} AND j.type = 'array'"
            f" AND e.type {_JSON_TYPES[type]} AND e.value = :{parameter})"
        )
