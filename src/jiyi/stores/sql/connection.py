"""What the shared SQL needs from a driver: run statements, and spell the few things that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

Row: TypeAlias = "tuple[Any, ...]"
Parameters: TypeAlias = "Mapping[str, Any]"
JsonType = Literal["text", "number", "bool", "null", "list"]


class Connection(Protocol):
    """One connection inside a transaction. SQL has named parameters, written `:name`.

    Every method raises errors of `jiyi.errors` only.
    """

    def all(self, sql: str, parameters: Parameters) -> list[Row]: ...
    def one(self, sql: str, parameters: Parameters) -> Row | None: ...
    def run(self, sql: str, parameters: Parameters) -> int:
        """Execute, and return how many rows were touched."""
        ...

    def many(self, sql: str, parameters: Iterable[Parameters]) -> None: ...


class Dialect(Protocol):
    """The spelling of one database. Arguments are SQL expressions and parameter names."""

    lock_row: str
    """Appended to a SELECT of one row that is about to be changed."""
    skip_locked: str
    """Appended to a SELECT that takes rows nobody else holds."""

    def array(self, values: Sequence[Any]) -> Any:
        """A list of one type, without None, as one bound value: numbers that went through
        `number`, texts, or packed ids."""
        ...

    def number(self, value: float) -> Any:
        """A number as a bound value that compares exactly."""
        ...

    def within(self, expression: str, parameter: str) -> str:
        """Whether the expression is an element of a bound `array` of numbers or texts."""
        ...

    def is_name(self, column: str, parameter: str) -> str:
        """Whether a column of names is a bound text, so that its index is used."""
        ...

    def within_ids(self, expression: str, parameter: str) -> str:
        """Whether a stored id is an element of a bound `array` of packed ids."""
        ...

    def id_text(self, expression: str) -> str:
        """A stored id as the text that people see."""
        ...

    def ordered(self, expression: str) -> str:
        """A text expression that compares by code point."""
        ...

    def holds(self, expression: str, parameter: str) -> str:
        """Whether a text contains a bound text that was case folded by `str.casefold`."""
        ...

    def has_entry(self, expression: str, parameter: str) -> str:
        """Whether a JSON list of texts has this entry."""
        ...

    def has_any_entry(self, expression: str, parameter: str) -> str:
        """Whether a JSON list of texts has an entry of a bound `array`."""
        ...

    def json_member(self, expression: str, key: str, type: JsonType, test: str) -> str:
        """Whether a JSON object has a member `key` (a parameter) of this type that passes `test`,
        a condition in which `{value}` stands for the member's value."""
        ...

    def json_list_has(self, expression: str, key: str, type: JsonType, parameter: str) -> str:
        """Whether the member `key` is a list with an entry of this type equal to the parameter."""
        ...
