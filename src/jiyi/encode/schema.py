"""The parts of a profile that an application adds: from a Pydantic model, a TOML file or a mapping.

A TOML file has one table per attribute; every key may be left out:

    [badge]
    cardinality = "one"          # or "many", the default
    zh = ["工牌", "工号"]         # words that people use for it, the label first
    en = ["badge", "staff id"]
    group = "work"               # the part of the profile it is shown in

Of a Pydantic model each field is an attribute: one with a list, set or tuple holds many values; its
title or description is the English label, and `json_schema_extra` may give the keys above. Values
are checked by the field's type.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin

from jiyi.encode.slots import SLOTS, SlotSpec, cardinality_of, extended, family_of, spec_of
from jiyi.errors import InvalidInputError

if TYPE_CHECKING:
    from jiyi.types import Draft

Check = Callable[[str], object]
"""Raises ValueError for a value that an attribute cannot hold."""

_MANY: Final = (list, set, tuple, frozenset)
_HELP: Final = "Use a Pydantic model, the path of a TOML file, or a mapping of attributes"


@dataclass(frozen=True, slots=True)
class ProfileSchema:
    """Every attribute by name; `own` are those that the application added or changed, `checks` what
    their values must pass."""

    slots: Mapping[str, SlotSpec] = field(default_factory=lambda: SLOTS)
    own: frozenset[str] = frozenset()
    checks: Mapping[str, Check] = field(default_factory=dict)

    def is_own(self, attribute: str) -> bool:
        """Whether the application says what an attribute is."""
        return attribute in self.own or family_of(attribute) in self.own

    def group_of(self, attribute: str) -> str | None:
        """The part of the profile that an attribute is shown in."""
        spec = spec_of(attribute, self.slots)
        return None if spec is None else spec.group

    def problem(self, attribute: str, value: str) -> str | None:
        """Why an attribute cannot hold a value, or None."""
        check = self.checks.get(attribute) or self.checks.get(family_of(attribute))
        if check is None:
            return None
        try:
            check(value)
        except ValueError as error:
            return str(error).splitlines()[-1].strip() or "it is no such value"
        return None

    def complete(self, slot: object) -> object:
        """The `slot` argument of `remember` with the cardinality of an attribute of one's own.

        Raises:
            InvalidInputError: the attribute cannot hold the value.
        """
        if not isinstance(slot, Mapping) or not isinstance(slot.get("attribute"), str):
            return slot
        attribute = slot["attribute"]
        if isinstance(slot.get("value"), str):
            problem = self.problem(attribute, slot["value"])
            if problem is not None:
                raise InvalidInputError("slot.value", f"{attribute}: {problem}", "Give a valid one")
        if "cardinality" in slot or not self.is_own(attribute):
            return slot
        return {**slot, "cardinality": cardinality_of(attribute, self.slots)}

    def fit(self, draft: Draft) -> Draft:
        """A draft of the rules as an attribute of one's own holds it: with its cardinality, and
        outside of the slot when it cannot hold the value."""
        slot = draft.slot
        if slot is None or not self.is_own(slot.attribute):
            return draft
        if self.problem(slot.attribute, slot.value) is not None:
            return replace(draft, slot=None)
        cardinality = cardinality_of(slot.attribute, self.slots)
        return replace(draft, slot=replace(slot, cardinality=cardinality))


def read_schema(given: object) -> ProfileSchema:
    """A schema from what `Memory(profile_schema=…)` takes; None is the built-in one.

    Raises:
        InvalidInputError: naming the attribute and what is wrong with it.
    """
    checks: Mapping[str, Check] = {}
    if given is None:
        return ProfileSchema()
    if isinstance(given, ProfileSchema):
        return given
    if isinstance(given, (str, os.PathLike)):
        tables = _from_file(given)
    elif isinstance(given, Mapping):
        tables = given
    elif isinstance(fields := getattr(given, "model_fields", None), Mapping):
        tables, checks = _from_model(fields)
    else:
        raise InvalidInputError("profile_schema", f"got {type(given).__name__}", _HELP)
    for name, table in tables.items():
        if not isinstance(name, str) or not name or "/" in name or not isinstance(table, Mapping):
            raise InvalidInputError("profile_schema", f"{name!r} is no attribute", _HELP)
    try:
        return ProfileSchema(extended(tables), frozenset(tables), checks)
    except ValueError as error:
        raise InvalidInputError("profile_schema", str(error), _HELP) from error


def _from_file(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    try:
        return tomllib.loads(Path(path).expanduser().read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError("profile_schema", f"cannot read it: {error}", _HELP) from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError("profile_schema", f"no TOML: {error}", _HELP) from error


def _from_model(fields: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Check]]:
    from pydantic import TypeAdapter  # at the door only: most programs bring no model

    tables: dict[str, Any] = {}
    checks: dict[str, Check] = {}
    for name, info in fields.items():
        inner = _inner(info.annotation)
        many = get_origin(inner) in _MANY or inner in _MANY
        labels = [word for word in (info.title, info.description) if word]
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, Mapping) else {}
        known = {key: extra[key] for key in ("cardinality", "zh", "en", "group") if key in extra}
        tables[name] = {
            "cardinality": "many" if many else "one",
            "en": labels or [name.replace("_", " ")],
            **known,
        }
        value = (get_args(inner) or (str,))[0] if many else info.annotation
        adapter: TypeAdapter[Any] = TypeAdapter(value)
        # pydantic's ValidationError is a ValueError.
        checks[name] = adapter.validate_python
    return tables, checks


def _inner(annotation: Any) -> Any:
    """The type of `list[str] | None` without the None."""
    parts = [part for part in get_args(annotation) if part is not type(None)]
    optional = type(None) in get_args(annotation)
    return parts[0] if optional and len(parts) == 1 else annotation
