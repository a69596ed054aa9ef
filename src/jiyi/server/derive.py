"""Schemas made from our own types: bodies from the signatures of verbs, answers from dataclasses.

So a verb that gains an argument gains it here, and no schema is written twice.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from jiyi.types import ScopeFields

_LOCAL = {"Json": JsonValue}
SCOPE_FIELDS: tuple[str, ...] = tuple(ScopeFields.__optional_keys__)
_SCOPE_HELP = {
    "tenant": "Whose, of several tenants.",
    "user": "Whose memory; absent is the common space of the tenant.",
    "agent": "The agent that asks or writes.",
    "session": "The conversation.",
    "task": "The task.",
    "tool": "The tool.",
}


def body_of(
    verb: Callable[..., Any],
    *,
    name: str,
    leave: Sequence[str] = (),
    given: Mapping[str, Any] | None = None,
    strict: bool = True,
) -> type[BaseModel]:
    """What a verb takes, as one flat object: its arguments, and the fields of the scope.

    Args:
        leave: arguments that come from elsewhere, such as the path.
        given: (type, default) of arguments whose own types do not come over a wire.
        strict: a number is not taken for a text, nor "yes" for true; off for query strings.
    """
    signature = inspect.signature(verb)
    hints = get_type_hints(verb, localns=_LOCAL)
    told = _arguments_in(verb)
    given = {} if given is None else given
    members: dict[str, Any] = {}
    for parameter in list(signature.parameters.values())[1:]:
        if parameter.name in leave or parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        if parameter.name in given:
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        members[parameter.name] = (
            shape(hints[parameter.name]),
            Field(default=default, description=told.get(parameter.name)),
        )
    for argument, (kind, default) in given.items():
        members[argument] = (kind, Field(default=default, description=told.get(argument)))
    for field, about in _SCOPE_HELP.items():
        if field not in members and field not in leave:
            members[field] = (str | None, Field(default=None, description=about))
    config = ConfigDict(extra="forbid", strict=strict)
    model: type[BaseModel] = create_model(name, __config__=config, **members)
    return model


def answer_of(verb: Callable[..., Any]) -> Any:
    """What a verb answers, as JSON."""
    return shape(get_type_hints(verb, localns=_LOCAL)["return"])


@cache
def model_of(kind: type) -> type[BaseModel]:
    """The schema of one of our dataclasses, as `to_plain` writes it: every field is there."""
    hints = get_type_hints(kind, localns=_LOCAL)
    members: dict[str, Any] = {f.name: (shape(hints[f.name]), ...) for f in fields(kind)}
    about = (inspect.getdoc(kind) or "").partition("\n\n")[0]
    model: type[BaseModel] = create_model(
        kind.__name__, __doc__=about, __config__=ConfigDict(extra="forbid"), **members
    )
    return model


@cache
def input_of(kind: type, **defaults: Any) -> type[BaseModel]:
    """The schema of one of our dataclasses as people write it: what has a default may be absent."""
    hints = get_type_hints(kind, localns=_LOCAL)
    members: dict[str, Any] = {}
    for f in fields(kind):
        default = defaults.get(f.name, f.default)
        if f.default_factory is not MISSING:
            default = f.default_factory()
        members[f.name] = (_input(hints[f.name]), ... if default is MISSING else default)
    config = ConfigDict(extra="forbid", strict=True)
    model: type[BaseModel] = create_model(f"{kind.__name__}Input", __config__=config, **members)
    return model


def shape(kind: Any) -> Any:
    """A type of ours as one that JSON can hold."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return Union[tuple(dict.fromkeys(shape(each) for each in _plainest(arguments)))]  # noqa: UP007 - made here
    if origin is tuple:
        inner = tuple(shape(each) for each in arguments if each is not Ellipsis)
        return list[inner[0]] if Ellipsis in arguments else tuple[inner]  # type: ignore[valid-type]
    if origin is Literal:
        return kind
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[shape(arguments[0]), shape(arguments[1])]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return list[shape(arguments[0])]  # type: ignore[misc]
    if kind is Any or kind is object:
        return JsonValue
    return model_of(kind) if isinstance(kind, type) and is_dataclass(kind) else kind


def _plainest(kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    """Of the ways to say one thing, those that JSON has."""
    unwanted: set[Any] = set()
    if str in kinds:
        unwanted |= {datetime, *(kind for kind in kinds if is_dataclass(kind))}
    if float in kinds:
        unwanted.add(timedelta)
    return tuple(kind for kind in kinds if kind not in unwanted)


def _input(kind: Any) -> Any:
    shaped = shape(kind)
    if shaped == datetime or (get_origin(kind) is types.UnionType and datetime in get_args(kind)):
        return str | None
    return shaped


def _arguments_in(verb: Callable[..., Any]) -> dict[str, str]:
    """What a docstring says of each argument."""
    text = inspect.getdoc(verb) or ""
    _, _, part = text.partition("\nArgs:\n")
    part = re.split(r"\n(?=\w)", part)[0]
    told: dict[str, str] = {}
    for entry in re.split(r"\n(?= {4}\w)", "\n" + part):
        names, colon, about = entry.strip().partition(": ")
        if colon:
            said = " ".join(about.split())
            told |= {name.strip(): said[:1].upper() + said[1:] for name in names.split(",")}
    return told
