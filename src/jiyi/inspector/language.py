"""The words of the pages: written in English, with their Chinese beside them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from jiyi.encode.slots import SLOTS, label_of

if TYPE_CHECKING:
    from jiyi.text.language import Language


def say(text: str, language: Language, **values: object) -> str:
    """A text in the language, with its {values} filled in. What has no translation stays as it is;
    a test finds those."""
    said = chinese().get(text, text) if language == "zh" else text
    return said.format(**values) if values else said


REASONS: Final = tuple(
    (re.compile(pattern), template)
    for pattern, template in (
        (
            r"(?P<what>.+) changed: what was said later is current",
            "{what} changed: what was said later is current",
        ),
        (
            r"said before (?P<what>.+) changed: kept as history",
            "said before {what} changed: kept as history",
        ),
        (r"already known: (?P<what>.+) has this value", "already known: {what} has this value"),
        (r"undone: (?P<what>.+)", "undone: {what}"),
        (r"updated: (?P<what>.+)", "updated: {what}"),
        (r"marked (?P<what>.+)", "marked {what}"),
        (r"from (?P<what>\w+) to (?P<then>\w+)", "from {what} to {then}"),
        (r"its (?P<n>\d+) tokens were cut", "its {n} tokens were cut"),
    )
)
"""Reasons with something in them: how they read, and the text to translate."""


def say_reason(reason: str, language: Language) -> str:
    """Why something happened; in Chinese as far as the reason is one of ours."""
    if language == "en" or reason in chinese():
        return say(reason, language)
    for pattern, template in REASONS:
        if found := pattern.fullmatch(reason):
            words = {name: _word(word) for name, word in found.groupdict().items()}
            return say(template, language, **words)
    return reason


def _word(word: str) -> str:
    """A word inside a reason: one of ours, or the name of an attribute."""
    if word in chinese() or word not in SLOTS:
        return say(word, "zh")
    return label_of(word, "zh")


def preferred(accepted: str) -> Language:
    """The language of a browser, by its Accept-Language header: the first one that we speak."""
    weighted = []
    for place, part in enumerate(accepted.lower().split(",")):
        name, _, weight = part.partition(";q=")
        try:
            share = float(weight or 1)
        except ValueError:
            share = 0.0
        weighted.append((-share, place, name.strip()))
    for _, _, name in sorted(weighted):
        if name.startswith("zh"):
            return "zh"
        if name.startswith("en"):
            return "en"
    return "en"


@cache
def chinese() -> dict[str, str]:
    """English to Chinese."""
    source = files("jiyi.inspector").joinpath("chinese.toml").read_text("utf-8")
    return {key: str(value) for key, value in tomllib.loads(source).items()}
