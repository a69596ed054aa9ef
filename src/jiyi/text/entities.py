"""Names in a text by rule: people, places, organisations, products, titles, codes, addresses.

Conservative on purpose: a missed name costs a link between memories, a wrong one ties memories
together that have nothing in common.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jiyi.text.kept import until_erased
from jiyi.text.names import (
    EN_NO_NAMES,
    EN_ORGANISATION_WORDS,
    EN_PLACE_WORDS,
    EN_RELATIONS,
    EN_TITLES,
    ZH_CITIES,
    ZH_DOUBLE_SURNAMES,
    ZH_GENERIC,
    ZH_GIVEN,
    ZH_NO_NAMES,
    ZH_ORGANISATION_ENDS,
    ZH_PLACE_ENDS,
    ZH_RELATIONS,
    ZH_ROLES,
    ZH_SHORT_SURNAMES,
    ZH_STOPS,
    ZH_SURNAMES,
)
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.text.scripts import HAN, han_pattern
from jiyi.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jiyi.types import EntityKind


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name: its half-open character range, its text, and what it names ("name": unknown)."""

    span: tuple[int, int]
    text: str
    kind: EntityKind


def find_entities(text: str) -> list[EntityMention]:
    """The names in `text`, in order, without overlaps; of two, the earlier, then the longer."""
    return list(_find_entities(text))


@until_erased(256)
def _find_entities(text: str) -> tuple[EntityMention, ...]:
    """Kept for a while: a statement is read for its draft, and again when it is stored."""
    found = list(_codes(text))
    if han_pattern.search(text):
        found += _chinese(text)
    found += _english(text)
    found.sort(key=lambda mention: (mention.span[0], -mention.span[1]))
    result: list[EntityMention] = []
    end = 0
    for mention in found:
        if mention.span[0] >= end:
            result.append(mention)
            end = mention.span[1]
    return tuple(result)


def name_key(text: str) -> str:
    """Equal for spellings of one name: case, width and white space do not matter."""
    return " ".join(fold(text).split())


_OPENS_EN: Final = regex(r"(?:^|[.!?;:\n]\s*|[\"“(]\s?)([A-ZÀ-Þ][a-zà-ÿ]+)(?=['’\s,])")
_OPENS_ZH: Final = regex(f"(?:^|[，。！？；：、\\s,;:(（“])([{HAN}]{{2,4}})")
_MOST_POSSIBLE: Final = 16


def possible_names(text: str) -> list[str]:
    """Words that may be names, because they open a sentence or a clause: "Robert bought a canoe",
    朵朵喜欢画画. Chinese words come in every length."""
    found = [word for word in _OPENS_EN.findall(text) if word.lower() not in EN_NO_NAMES]
    for run in _OPENS_ZH.findall(text):
        found += [run[:size] for size in range(2, len(run) + 1)]
    return list(dict.fromkeys(found))[:_MOST_POSSIBLE]


# --- what looks the same in every language --------------------------------------------------

_SHAPES: Final[Sequence[tuple[re.Pattern[str], EntityKind]]] = (
    (
        regex(
            r"https?://[^\s<>\"'，。；！？、（）()]+"
            r"|(?<![\w.+-])[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
            r"|(?<![\w@])@[A-Za-z0-9_]{2,}(?:\.[A-Za-z0-9_]+)*",
            re.ASCII,
        ),
        "address",
    ),
    (regex(r"(?<=《)[^《》\n]{1,60}(?=》)"), "title"),
    # Groups with a digit among them, or letters and digits in one: ZX-9917-Q, v2.3.1, XM5
    (
        regex(
            r"(?<![\w-])(?=[A-Z0-9_-]*[A-Z])(?=[A-Z0-9_-]*[0-9])"
            r"[A-Z0-9]{1,12}(?:[-_][A-Z0-9]{1,12}){1,6}(?![\w-])"
            r"|(?<![\w.-])v[0-9]{1,4}(?:\.[0-9]{1,6}){1,3}(?![\w-])"
            r"|(?<![\w-])[A-Z]{1,4}[0-9]{2,8}[A-Z]{0,3}(?![\w-])",
            re.ASCII,
        ),
        "code",
    ),
    # iPhone 15 Pro, Vue 3, Windows 11, MacBook Air, JavaScript, C++, Node.js
    (
        regex(
            r"(?<![\w-])(?:(?:[a-z]{1,2}[A-Z]|[A-Z])[A-Za-z]+"
            r"(?: (?:Pro|Max|Plus|Air|Mini|Ultra|Note|Lite|Galaxy))*"
            r"\s[0-9]{1,4}(?![0-9:/%.,-]|\s?(?:[ap]\.?m\b|[年月日号点时个天岁度]))"
            r"(?: (?:Pro|Max|Plus|Air|Mini|Ultra|SE|Lite))*"
            r"|(?:[a-z]{1,2}|[A-Z][a-z]+)[A-Z][A-Za-z]+(?: (?:Pro|Max|Plus|Air|Mini|Ultra))*"
            r"|[A-Z][A-Za-z]*(?:\+\+|\#)|[A-Z][A-Za-z]+\.(?:js|ts|io|ai|py))(?!\w)",
            re.ASCII,
        ),
        "product",
    ),
)
_NUMBERED: Final = regex(r"(\w+)\s[0-9]")


def _codes(text: str) -> Iterator[EntityMention]:
    for shape, kind in _SHAPES:
        for match in shape.finditer(text):
            numbered = _NUMBERED.match(match.group())
            if kind == "product" and numbered and numbered.group(1).lower() in _NOT_NUMBERED:
                continue
            yield EntityMention(match.span(), match.group(), kind)


_NOT_NUMBERED: Final = EN_NO_NAMES | {
    "about", "after", "at", "around", "before", "by", "chapter", "day", "for", "from", "in", "jan",
    "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "level", "number",
    "on", "only", "over", "page", "part", "room", "season", "since", "step", "table", "to", "until",
    "version", "week", "with", "year", "pick", "got", "bought", "all", "both", "more", "section",
    "unit", "item",
}  # fmt: skip


# --- Chinese ----------------------------------------------------------------------------------

_ROLES: Final = "|".join(sorted(ZH_ROLES, key=len, reverse=True))
_SURNAME: Final = f"(?:{'|'.join(ZH_DOUBLE_SURNAMES)}|[{ZH_SURNAMES}])"
_NAME_CHARACTER: Final = f"(?:(?![{ZH_STOPS}])[{HAN}])"
_PLACE_END: Final = "|".join(ZH_PLACE_ENDS)
# Where the name of a place or an organisation may begin: after a word of place, at the start of
# the clause, or with a city.
_LEFT_EDGE: Final = f"(?:(?<=[在到去住于从往])|(?<![{HAN}])|(?={'|'.join(ZH_CITIES)}))"
_AFTER_NAME: Final = (
    f"(?:(?![{HAN}])|(?=[的说在是去来和跟今昨一要也都把给将会有到从打发约送请告又还因]))"
)

_ZH_RULES: Final[Sequence[tuple[re.Pattern[str], EntityKind]]] = (
    (
        regex(
            f"(?![于向任][{ZH_SURNAMES}]){_SURNAME}{_NAME_CHARACTER}{{0,2}}?(?:{_ROLES})"
            f"|{_SURNAME}(?:总(?![是共之体结部算裁决经])|工(?![资作人程厂业])|[哥姐](?![{HAN}]妹))"
        ),
        "person",
    ),
    (
        regex(
            f"(?<![很太最更从变缩胆矮渺狭古养大])(?:[小老][{ZH_SHORT_SURNAMES}]|阿[{ZH_GIVEN}])"
            "(?![时候学年龄婆公])"
        ),
        "person",
    ),
    (
        regex(
            f"(?:{'|'.join(f'(?<={word})' for word in ZH_RELATIONS)})"
            f"{_SURNAME}{_NAME_CHARACTER}{{1,2}}?{_AFTER_NAME}"
        ),
        "person",
    ),
    (
        regex(
            f"{_LEFT_EDGE}(?P<stem>{_NAME_CHARACTER}{{2,10}}?)(?:{'|'.join(ZH_ORGANISATION_ENDS)})"
        ),
        "organisation",
    ),
    (
        regex(
            f"{_LEFT_EDGE}(?P<stem>{_NAME_CHARACTER}{{2,5}}?)(?:{_PLACE_END})"
            f"(?:{_NAME_CHARACTER}{{1,5}}?(?:{_PLACE_END}))*"
        ),
        "place",
    ),
    (regex("|".join(sorted(ZH_CITIES, key=len, reverse=True))), "place"),
)


def _chinese(text: str) -> Iterator[EntityMention]:
    for rule, kind in _ZH_RULES:
        for match in rule.finditer(text):
            name = match.group()
            if kind == "person" and name[:2] in ZH_NO_NAMES:
                continue
            if match.groupdict().get("stem") in ZH_GENERIC:
                continue
            yield EntityMention(match.span(), name, kind)


# --- English ----------------------------------------------------------------------------------

_WORD: Final = "[A-ZÀ-Þ][A-Za-zÀ-ÿ]*(?:['’](?!s\\b)[A-Za-z]+)?(?:-[A-Za-z]+)*"
_CAPITALISED: Final = regex(
    rf"(?<![\w'’@/.-]){_WORD}(?:(?: of(?: the)?| de| van| von| del| da| &)? {_WORD})*"
)
_TITLED: Final = regex(rf"(?:{'|'.join(EN_TITLES)})\.?", re.IGNORECASE)
_TITLE_BEFORE: Final = regex(rf"\b{_TITLED.pattern}\s$", re.IGNORECASE)
_RELATION_BEFORE: Final = regex(rf"\b(?:{EN_RELATIONS}),?\s$", re.IGNORECASE)
_PLACE_BEFORE: Final = regex(
    r"\b(?:(?:moved|moving|trip|travel(?:l?ed|l?ing)?|flew|flight) to|(?:live[sd]?|living) in)\s$",
    re.IGNORECASE,
)
_HEADING_WORDS: Final = 4
"""From this length on, a line of capitals or of capitalised words is a heading."""


def _english(text: str) -> Iterator[EntityMention]:
    spans = sentences(text)
    starts = {start for start, _ in spans} | {
        match.end() for match in re.finditer(r"[\"“'(*:]\s?", text)
    }
    headings = {start for start, end in spans if _is_heading(text[start:end].split())}
    inside: set[str] = set()
    matches = list(_CAPITALISED.finditer(text))
    for match in matches:
        if match.start() not in starts:
            inside.add(match.group().split()[0])
    for match in matches:
        sentence = max((s for s in starts if s <= match.start()), default=0)
        if sentence in headings:
            continue
        yield from _english_name(text, match, starts, inside)


def _is_heading(words: list[str]) -> bool:
    capitals = sum(word[0].isupper() for word in words)
    return len(words) >= _HEADING_WORDS and capitals > 0.75 * len(words)


def _english_name(
    text: str, match: re.Match[str], starts: set[int], inside: set[str]
) -> Iterator[EntityMention]:
    words = match.group().split(" ")
    start = match.start()
    titled = False
    at_start = start in starts
    while words and (words[0].lower() in EN_NO_NAMES or _TITLED.fullmatch(words[0])):
        titled = titled or _TITLED.fullmatch(words[0]) is not None
        start += len(words[0]) + 1
        words = words[1:]
        at_start = False
    while words and (words[-1].lower() in EN_NO_NAMES or words[-1].islower()):
        words = words[:-1]
    if not words or (len(words) == 1 and len(words[0]) < 2):
        return
    # A lone capitalised word that opens a sentence may be any word.
    name = " ".join(words)
    owns = text.startswith(("'s ", "’s "), start + len(name))
    if at_start and len(words) == 1 and words[0] not in inside and not owns:
        return
    yield EntityMention((start, start + len(name)), name, _english_kind(text, start, words, titled))


def _english_kind(text: str, start: int, words: list[str], titled: bool) -> EntityKind:
    before = max(0, start - 20)
    if titled or any(p.search(text, before, start) for p in (_TITLE_BEFORE, _RELATION_BEFORE)):
        return "person"
    parts = {word.lower() for word in words}
    if parts & EN_ORGANISATION_WORDS:
        return "organisation"
    if parts & EN_PLACE_WORDS or _PLACE_BEFORE.search(text, before, start):
        return "place"
    return "name"
