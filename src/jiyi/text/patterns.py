"""Regular expressions that are compiled when they are first needed, and asked only where they can
match.

The rules of two languages are hundreds of patterns; compiling them all took most of the time of
`import jiyi`, also for programs that never observe a turn. And most of them have nothing to say
about most sentences: `born (?:in|on) …` only speaks where "born" stands. So each pattern knows
words of which a text must hold one (`needed`), which are looked for first.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final, cast

try:
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # pragma: no cover - another Python: every pattern is then asked
    _parser = None

_METHODS: Final = ("match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
_MOST: Final = 120
"""Words that are looked for at most; more would cost what asking the pattern does."""
_SPELLINGS: Final = 16
"""Ways that one stretch of a pattern may be spelled, such as don't and don’t."""

_EMPTY: Final = frozenset({""})
_HAN: Final = re.compile("[々-〇㐀-䶿一-鿿]")

Search = Callable[..., "re.Match[str] | None"]


class _Lazy:
    """Stands in for a compiled pattern; its methods are fetched once and kept on the instance."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self.flags = flags
        self.search: Search = self._first_search

    def __getattr__(self, name: str) -> Any:
        for method in _METHODS:
            setattr(self, method, getattr(self._compiled, method))
        return getattr(self._compiled, name)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    def _first_search(self, text: str, *place: int) -> re.Match[str] | None:
        """Searches until one in a text of Latin script tells that the words are worth finding out.
        Chinese characters are told apart so fast that looking for words first would not pay."""
        if not text.isascii() and _HAN.search(text, *place) is not None:
            return self._compiled.search(text, *place)
        words = needed(self.pattern, self.flags)
        if words is None:
            self.search = self._compiled.search
        else:
            self.search = self._after(tuple(w for w in words if not _HAN.search(w)))
        return self.search(text, *place)

    def _after(self, words: tuple[str, ...]) -> Search:
        """A search that is only made where a text of Latin script holds one of the words."""

        def search(text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
            # Only the place that is searched: many small ones of one long text are looked at.
            looked = text[start:end]
            if looked.isascii() or _HAN.search(looked) is None:
                folded = looked.casefold()
                for word in words:
                    if word in folded:
                        break
                else:
                    return None
            return self._compiled.search(text, start, end)

        return search


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern for `source`, like `re.compile`, but compiled at its first use, and not used at
    all on texts in which it cannot match."""
    return cast("re.Pattern[str]", _Lazy(source, flags))


def needed(source: str, flags: int = 0) -> frozenset[str] | None:
    """Words, case folded, of which every text that the pattern matches holds at least one; None
    where there are no such words, or none worth looking for.

    The idea is that of Cox's trigram index for code search (2012), with whole words.
    """
    if _parser is None:
        return None
    parsed = _parser.parse(source, flags)
    if not parsed.state.flags & re.MULTILINE and _is_anchored(parsed):
        return None  # it fails at once as it is
    words = _of_sequence(parsed)
    if words is None or len(words) > _MOST:
        return None
    # Where "do not forget" stands, "forget" stands as well.
    return frozenset(w for w in words if not any(o in w for o in words if o != w))


def _is_anchored(items: Iterable[tuple[Any, Any]]) -> bool:
    """Whether a pattern can only match where a text begins."""
    for op, value in items:
        if str(op) == "BRANCH":
            return all(map(_is_anchored, value[1]))
        return str(op) == "AT" and str(value) == "AT_BEGINNING"
    return False


def _of_sequence(items: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """The best words among those that each part of a sequence needs."""
    best: frozenset[str] | None = None
    run = _EMPTY
    for name, value in (*((str(op), value) for op, value in items), ("END", None)):
        spelled = _spellings(name, value)
        if spelled is not None and len(run) * len(spelled) <= _SPELLINGS:
            run = _joined(run, spelled)
            continue
        best = _better(best, run)
        run = spelled if spelled is not None else _EMPTY
        best = _better(best, _of_part(name, value))
    return best


def _spellings(name: str, value: Any) -> frozenset[str] | None:
    """All that a part of a pattern may stand for, where that is little."""
    if name == "LITERAL":
        return frozenset({chr(value).casefold()})
    if name == "IN" and all(str(op) == "LITERAL" for op, _ in value):
        spelled: frozenset[str] | None = frozenset(chr(code).casefold() for _, code in value)
    elif name == "AT" and str(value) == "AT_BOUNDARY":
        spelled = _EMPTY
    elif name == "SUBPATTERN":
        spelled = _spelled_out(value[-1])
    elif name in ("MAX_REPEAT", "MIN_REPEAT") and value[:2] == (0, 1):
        spelled = _spelled_out(value[2])
        spelled = None if spelled is None else spelled | _EMPTY
    elif name == "BRANCH":
        spelled = _together(map(_spelled_out, value[1]))
    else:
        return None
    return spelled if spelled is not None and len(spelled) <= _SPELLINGS else None


def _spelled_out(items: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """All that a whole sequence may stand for, where that is little."""
    run = _EMPTY
    for op, value in items:
        spelled = _spellings(str(op), value)
        if spelled is None or len(run) * len(spelled) > _SPELLINGS:
            return None
        run = _joined(run, spelled)
    return run


def _joined(starts: frozenset[str], ends: frozenset[str]) -> frozenset[str]:
    return frozenset(start + end for start in starts for end in ends)


def _together(sets: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """All of them, unless one is not known."""
    whole: set[str] = set()
    for each in sets:
        if each is None:
            return None
        whole |= each
    return frozenset(whole)


def _of_part(name: str, value: Any) -> frozenset[str] | None:
    if name == "SUBPATTERN":
        return _of_sequence(value[-1])
    if name == "ATOMIC_GROUP":
        return _of_sequence(value)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and value[0] > 0:
        return _of_sequence(value[2])
    if name == "ASSERT":
        return _of_sequence(value[1])
    if name == "BRANCH":
        return _together(map(_of_sequence, value[1]))
    return None


def _better(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """Whichever is likelier to be absent: its shortest word says most, or it has fewer words."""
    return max((one, other), key=_worth) if _worth(other) > (0, 0) else one


def _worth(words: frozenset[str] | None) -> tuple[int, int]:
    """A Chinese character says as much as three letters; one letter, or white space, nothing."""
    if not words:
        return (0, 0)
    shortest = min(sum(1 if c.isascii() else 3 for c in w.strip()) for w in words)
    if shortest == 1 and any(len(w.strip()) == 1 and w.strip().isalpha() for w in words):
        shortest = 0
    return (shortest, -len(words)) if shortest else (0, 0)
