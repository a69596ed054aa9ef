"""What the shared SQL needs from PostgreSQL: statements run, spelled, and errors made ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import psycopg
from psycopg import errors
from psycopg.types.numeric import NumericLoader

from jiyi.errors import (
    ConflictError,
    InvalidInputError,
    StoreError,
    StoreFormatError,
    StoreUnavailableError,
)

if TYPE_CHECKING:
    from jiyi.stores.sql.connection import JsonType, Parameters, Row

_CASEFOLD_VERSION = 180_000  # casefold() came with PostgreSQL 18
_UNICODE_COLLATIONS = ("pg_c_utf8", "und-x-icu")  # of PostgreSQL 17, and of builds with ICU

_NAME = re.compile(r"(?<![:\w]):([a-z_]\w*)")
_CONFLICTS = (errors.UniqueViolation, errors.ExclusionViolation)
_NOT_OURS = (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction)


@contextmanager
def our_errors() -> Iterator[None]:
    """The driver's errors become errors of our tree."""
    try:
        yield
    except psycopg.Error as exc:
        raise _translate(exc) from exc
    except UnicodeEncodeError as exc:
        raise InvalidInputError("text", "it holds a lone surrogate", "Pass valid Unicode") from exc


def _translate(exc: psycopg.Error) -> Exception:
    reason = " ".join(str(exc).split()) or type(exc).__name__
    if isinstance(exc, _CONFLICTS):
        constraint = exc.diag.constraint_name
        return ConflictError(f"the database already holds this ({constraint})")
    if isinstance(exc, errors.LockNotAvailable):
        return StoreUnavailableError("another writer held the space for too long; try again")
    if isinstance(exc, (errors.DeadlockDetected, errors.SerializationFailure)):
        return StoreUnavailableError(f"writers got into each other's way; try again ({reason})")
    if isinstance(exc, _NOT_OURS):
        return StoreFormatError(f"the schema is not ours or not complete: {reason}")
    if isinstance(exc, errors.InsufficientPrivilege):
        return StoreUnavailableError(f"the database account may not do this: {reason}")
    if isinstance(exc, psycopg.OperationalError):
        return StoreUnavailableError(f"PostgreSQL: {reason}")
    if isinstance(exc, (psycopg.DataError, psycopg.NotSupportedError)):
        return InvalidInputError("value", reason, "PostgreSQL cannot store it")
    return StoreError(f"PostgreSQL: {reason}")


@lru_cache(maxsize=4096)
def spell(sql: str) -> str:
    """Our named parameters, `:name`, as the driver's, `%(name)s`."""
    return _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))


class _NumberLoader(NumericLoader):
    """numeric, which sums of bigint give, as int where it is whole."""

    def load(self, data: Any) -> Any:
        number = super().load(data)
        return int(number) if number == int(number) else float(number)


def adapt(raw: psycopg.Connection[Any]) -> None:
    """Make a new connection give values as the shared SQL expects them."""
    raw.adapters.register_loader("numeric", _NumberLoader)


class PostgresConnection:
    """A driver's connection as the shared SQL wants it (see `jiyi.stores.sql.connection`)."""

    def __init__(self, raw: psycopg.Connection[Any]) -> None:
        self.raw = raw

    def all(self, sql: str, parameters: Parameters) -> list[Row]:
        with our_errors():
            return self.raw.execute(cast("Any", spell(sql)), parameters).fetchall()

    def one(self, sql: str, parameters: Parameters) -> Row | None:
        with our_errors():
            return cast(
                "Row | None", self.raw.execute(cast("Any", spell(sql)), parameters).fetchone()
            )

    def run(self, sql: str, parameters: Parameters) -> int:
        with our_errors():
            return self.raw.execute(cast("Any", spell(sql)), parameters).rowcount

    def many(self, sql: str, parameters: Iterable[Parameters]) -> None:
        with our_errors(), self.raw.cursor() as cursor:
            cursor.executemany(cast("Any", spell(sql)), list(parameters))


def case_folding(db: PostgresConnection) -> str:
    """How this server folds the case of a text `{}`, as `str.casefold` does.

    By Unicode's full rules from version 18 on; before, letter by letter, with the two exceptions
    that people meet.
    """
    if db.raw.info.server_version >= _CASEFOLD_VERSION:
        return 'casefold({} COLLATE "pg_unicode_fast")'
    known = {row[0] for row in db.all("SELECT collname FROM pg_collation", {})}
    found = next((name for name in _UNICODE_COLLATIONS if name in known), None)
    lower = "lower({})" if found is None else f'lower({{}} COLLATE "{found}")'
    return f"replace(replace({lower}, 'ß', 'ss'), 'ς', 'σ')"


class PostgresDialect:
    """PostgreSQL's spelling (see `jiyi.stores.sql.connection.Dialect`)."""

    lock_row = " FOR UPDATE"
    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, fold: str) -> None:
        self._fold = fold

    def array(self, values: Sequence[Any]) -> Any:
        return list(values)

    def number(self, value: float) -> Any:
        return Decimal(repr(value))

    def within(self, expression: str, parameter: str) -> str:
        return f"{expression} = ANY(:{parameter})"

    def is_name(self, column: str, parameter: str) -> str:
        return f"name_digest({column}) = name_digest(:{parameter}) AND {column} = :{parameter}"

    def within_ids(self, expression: str, parameter: str) -> str:
        return self.within(expression, parameter)

    def id_text(self, expression: str) -> str:
        return (
            f"CASE octet_length({expression}) WHEN 16"
            f" THEN CAST(CAST(encode({expression}, 'hex') AS uuid) AS text)"
            f" ELSE convert_from(rtrim({expression}, '\\x00'), 'UTF8') END"
        )

    def ordered(self, expression: str) -> str:
        return f'({expression}) COLLATE "C"'

    def holds(self, expression: str, parameter: str) -> str:
        folded = self._fold.format(f"({expression})")
        return f'strpos(({folded}) COLLATE "C", CAST(:{parameter} AS text)) > 0'

    def has_entry(self, expression: str, parameter: str) -> str:
        return f"CAST({expression} AS jsonb) ? CAST(:{parameter} AS text)"

    def has_any_entry(self, expression: str, parameter: str) -> str:
        return f"CAST({expression} AS jsonb) ?| CAST(:{parameter} AS text[])"

    def json_member(self, expression: str, key: str, type: JsonType, test: str) -> str:
        document = f"CAST({expression} AS jsonb)"
        member = f"({document} -> CAST(:{key} AS text))"
        value = f"({document} ->> CAST(:{key} AS text))"
        if type == "number":
            value = _exact(f"(CAST({expression} AS json) ->> CAST(:{key} AS text))")
        elif type == "bool":
            value = f"CAST(CAST({value} AS boolean) AS integer)"
        name = {"text": "string", "bool": "boolean", "list": "array"}.get(type, type)
        # CASE, because AND does not promise to look at the type before it casts.
        return f"CASE WHEN jsonb_typeof({member}) = '{name}' THEN {test.format(value=value)} END"

    def json_list_has(self, expression: str, key: str, type: JsonType, parameter: str) -> str:
        member = f"(CAST({expression} AS jsonb) -> CAST(:{key} AS text))"
        if type == "number":
            entries = f"json_array_elements(CAST({expression} AS json) -> CAST(:{key} AS text))"
            entry = _exact("(e #>> '{}')")
            number = f"CASE WHEN json_typeof(e) = 'number' THEN {entry} END"
            test = f"EXISTS (SELECT 1 FROM {entries} AS e WHERE {number} = :{parameter})"  # noqa: S608
        elif type == "bool":
            test = f"{member} @> to_jsonb(CAST(:{parameter} AS integer) = 1)"
        else:
            test = f"{member} @> to_jsonb(CAST(:{parameter} AS text))"
        return f"CASE WHEN jsonb_typeof({member}) = 'array' THEN {test} END"


def _exact(text: str) -> str:
    """The number that a JSON text stands for.

    A float from 2**53 on is written with fewer digits than it has: it is read as a float first,
    then as the whole number that this is. (jsonb forgets which of its numbers were floats. Up to 11
    characters are exact in any case, and are most of what is stored.)
    """
    number = f"CAST({text} AS numeric)"
    return (
        f"CASE WHEN length({text}) < 12 THEN {number}"
        f" WHEN {text} ~ '[.eE]' AND abs({number}) BETWEEN 9007199254740992 AND 9223372036854774784"
        f" THEN CAST(CAST(CAST({text} AS double precision) AS bigint) AS numeric)"
        f" ELSE {number} END"
    )
