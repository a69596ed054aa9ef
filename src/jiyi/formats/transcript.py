"""A conversation as plain text: lines such as `Name: text`, with or without times.

Understood, in any mixture (a full-width colon counts too):

    2026-03-05                      a date alone holds for what follows
    Alice: text                     the speaker
    [09:30] 小王：文字               a time of that day
    2026-03-05 09:30 Bob: text      date and time
    2026-03-05 09:30:12 小王        a header line, the text on the lines below
    小王 2026-03-05 09:30

Any other line continues the message above it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time

from jiyi.formats.messages import ROLE_WORDS
from jiyi.formats.values import Conversation, Message, group_sessions, not_ours
from jiyi.text.normalise import check_text
from jiyi.text.patterns import regex

_DATE = r"(?P<year>\d{4})(?:[-/.]|年)(?P<month>\d{1,2})(?:[-/.]|月)(?P<day>\d{1,2})日?"
_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?"
_STAMP = rf"[\[(（]?(?:{_DATE})?(?:[ T]*{_TIME})?[\])）]?"
_NAME = r"(?P<name>[^\s:：\[\]][^:：\[\]\n]{0,39}?)"

_DATE_LINE = regex(rf"[#\-=*\s]*{_DATE}[\s\-=*]*(?:星期.|周.|\(?[A-Za-z]{{3,9}}\)?)?[\s\-=*]*")
_SAID = regex(rf"(?:{_STAMP}\s*[-,，]?\s*)?{_NAME}\s*[:：](?!//)\s*(?P<text>.*)")
_HEADERS = (
    regex(rf"{_DATE}[ T]+{_TIME}\s+{_NAME}"),
    regex(rf"{_NAME}\s+{_DATE}[ T]+{_TIME}"),
)
_ASSISTANT = regex(r"助手|助理|机器人|assistant|\bbot\b|\bai\b", re.IGNORECASE)
# In a longer conversation a speaker speaks more than once; "Note:" inside a message does not.
_LONG = 6


@dataclass(slots=True)
class _Line:
    """One line that may begin a message."""

    name: str
    text: list[str]
    said_at: datetime | None
    sure: bool
    original: str
    rest: list[str] = field(default_factory=list)


def fits(text: str) -> bool:
    """Whether the first line is a message with a time in brackets, which looks like JSON."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    begun = _begin(first, None)
    return begun is not None and begun.sure


def read(text: str, name: str, *, assistant: Collection[str] = ()) -> tuple[Conversation, ...]:
    """The conversation of a transcript.

    Args:
        text: the file's content.
        name: the file's name, for error messages.
        assistant: names that are the assistant speaking, beside the usual words for it. Everyone
            else is a user, under their own name.
    """
    helpers = {helper.casefold() for helper in assistant}
    lines = list(_join(_parse(text, name)))
    return group_sessions((None, message) for message in _messages(lines, name, helpers))


def _parse(text: str, name: str) -> Iterator[_Line]:
    day: date | None = None
    current: _Line | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if (match := _DATE_LINE.fullmatch(line)) and (found := _day(match)):
            day = found
            continue
        begun = _begin(line, day)
        if begun is not None:
            if current is not None:
                yield current
            current = begun
            day = begun.said_at.date() if begun.said_at else day
        elif current is not None:
            current.rest.append(raw.rstrip())
        elif line:
            raise not_ours(
                f"{name}, line {number}",
                "no speaker: a line such as 'Name: text' begins a transcript",
            )
    if current is None:
        raise not_ours(name, "nobody speaks in it")
    yield current


def _begin(line: str, day: date | None) -> _Line | None:
    for pattern in _HEADERS:
        if match := pattern.fullmatch(line):
            said_at = _moment(match, day)
            return _Line(match["name"], [], said_at, sure=True, original=line)
    match = _SAID.fullmatch(line)
    if match is None or not any(c.isalpha() for c in match["name"]):
        return None
    stamped = match["hour"] is not None or match["year"] is not None
    return _Line(
        match["name"].strip("*# "), [match["text"]], _moment(match, day), stamped, original=line
    )


def _join(lines: Iterator[_Line]) -> Iterator[_Line]:
    """Give back to the message above what only looked like a speaker."""
    found = list(lines)
    counts = Counter(line.name for line in found)
    stamped = {line.name for line in found if line.sure}
    current: _Line | None = None
    for line in found:
        if current is None or line.sure:
            speaks = True
        elif found[0].sure:  # where messages carry times, a line without one is seldom a message
            speaks = line.name in stamped
        elif counts[line.name] == 1 and line.name.casefold() not in ROLE_WORDS:
            speaks = len(found) < _LONG and len(line.name.split()) <= 4
        else:
            speaks = True
        if current is not None and not speaks:
            current.rest += [line.original, *line.rest]
            continue
        if current is not None:
            yield current
        current = line
    if current is not None:
        yield current


def _messages(lines: list[_Line], file: str, helpers: set[str]) -> Iterator[Message]:
    if not lines:
        raise not_ours(file, "nobody speaks in it")
    for line in lines:
        text = "\n".join([*line.text, *line.rest]).strip()
        if not text:
            continue
        word = line.name.casefold()
        role = ROLE_WORDS.get(word)
        if word in helpers or (role is None and _ASSISTANT.search(word)):
            role = "assistant"
        message: Message = {
            "role": role or "user",
            "content": check_text(text, f"{file}, {line.name}"),
        }
        if word not in ROLE_WORDS:
            message["name"] = line.name
        if line.said_at is not None:
            message["said_at"] = line.said_at
        yield message


def _day(match: re.Match[str]) -> date | None:
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None


def _moment(match: re.Match[str], day: date | None) -> datetime | None:
    """A naive time: it is read in the clock's zone, like every time without one."""
    if match["year"] is not None:
        day = _day(match)
    if day is None:
        return None
    if match["hour"] is None:
        return datetime.combine(day, time())
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    if hour > 23 or minute > 59 or second > 59:
        return datetime.combine(day, time())
    return datetime.combine(day, time(hour, minute, second))
