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


REASONS: Final = (
    "already known: {what} has this value",
    "confirmed: {n} sources, marked helpful {m} times",
    "faded: {what} is under {least}",
    "its {n} tokens were cut",
    "message id {what} is already recorded",
    "more than {n} memories: {what}",
    "nothing is remembered about {what}",
    "not confirmed for {n} days",
    "older than {n} days",
    "planned: {what} changes on its day",
    "said before {what} changed: kept as history",
    "the lesson has grown: {what}",
    "unused for {n} days",
    "{n} days old and used {m} times",
    "{n} failures, {m} successes",
    "{n} related memories that fade",
    "{what} changed: what was said later is current",
    "{what}: another user shares it",
    "{what}, from this source",
    "{what}: {n} memories, {m} sources",
    "a candidate that nothing confirmed in {n} days",
    "a lesson from {what}",
    "an insight from {n} memories",
    "erased; the files still hold it: {why}",
    "from {what} to {then}",
    "marked {what}",
    "recorded; read later: {why}",
    "two values for {what}",
    "undone: {what}",
    "updated: {what}",
)
"""Reasons with something in them; the first that fits is meant."""
_NUMBERS: Final = frozenset({"n", "m"})


def say_reason(reason: str, language: Language) -> str:
    """Why something happened; in Chinese as far as the reason is one of ours."""
    if language == "en" or reason in chinese():
        return say(reason, language)
    for template in REASONS:
        if found := _pattern(template).fullmatch(reason):
            words = {name: _word(word) for name, word in found.groupdict().items()}
            return say(template, language, **words)
    several = reason.split("; ")
    return "；".join(say_reason(each, language) for each in several) if several[1:] else reason


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """What a reason looks like that was made from a template."""
    parts = re.split(r"\{(\w+)\}", template)
    texts, names = parts[::2], parts[1::2]
    groups = [rf"(?P<{name}>{'[0-9.]+' if name in _NUMBERS else '.+'})" for name in names]
    pairs = zip(map(re.escape, texts), [*groups, ""], strict=True)
    return re.compile("".join(text + group for text, group in pairs), re.DOTALL)


def _word(word: str) -> str:
    """What stands inside a reason: the name of an attribute, or a reason itself."""
    named = word in SLOTS and word not in chinese()
    return label_of(word, "zh") if named else say_reason(word, "zh")


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
