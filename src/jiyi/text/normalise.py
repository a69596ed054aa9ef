"""One form for what counts as the same text, and the checks at the door.

`canonical` decides uniqueness: two memories with the same canonical text are one memory.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final
from unicodedata import is_normalized, normalize

from jiyi.errors import InvalidInputError
from jiyi.ports import ERASED
from jiyi.text.kept import until_erased
from jiyi.text.patterns import regex
from jiyi.text.scripts import CJK

NAME_LIMIT: Final = 1_000
"""Characters that a scope id may have."""

FINGERPRINT_BYTES: Final = 16

_FULL_WIDTH_MARKS: Final = tuple(zip("，！？：；（）", ",!?:;()", strict=True))
_CLOSING: Final = ".!?。！？…"
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_SPACE: Final = regex(r"\s+")
# White space beside a Chinese character is typography: 我的 iPhone and 我的iPhone say the same.
_CJK_SPACE: Final = regex(f"(?<=[{CJK}，。、；：！？,;:!?]) (?=\\S)|(?<=\\S) (?=[{CJK}])")
_HAS_CJK: Final = regex(f"[{CJK}]")
_LETTER: Final = f"[^\\W{CJK}]"
_WORD: Final = regex(f"\\.?{_LETTER}+(?:[-.+#@/:\\\\$&]+{_LETTER}+)*[+#]*")
_CODE: Final = regex(r"[0-9+#@_\\$:]|//|\.|[a-z][A-Z]")
_MEASURE: Final = regex(r"\d+(?:st|nd|rd|th|am|pm|[kmc]?m|k?g|ml|h|min|gb|mb|tb)", re.IGNORECASE)


def fold(text: str) -> str:
    """The form for matching: NFKC, casefolded. Full-width letters equal half-width ones."""
    if text.isascii():
        return text.lower()
    if not is_normalized("NFKC", text):
        # Full-width marks are the one thing that ordinary Chinese text has to fold, and
        # replacing them is several times faster than normalising everything.
        for mark, plain in _FULL_WIDTH_MARKS:
            text = text.replace(mark, plain)
        text = normalize("NFKC", text)
    folded = text.casefold()
    return folded if folded == text else normalize("NFKC", folded)


def storable(text: str) -> str:
    """A text that nobody can be asked to correct, as a store takes it: what it refuses, NUL and
    halves of surrogate pairs, is replaced by signs."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


@until_erased(8)  # a statement is compared, marked and fingerprinted while it is stored
def canonical(text: str) -> str:
    """The form for uniqueness.

    NFKC; invisible characters dropped; white space collapsed, and dropped beside Chinese
    characters; closing sentence marks dropped; casefolded except code-like words, which keep
    their case: words with digits or symbols (`ZX-9917-q`, `C++`), with a capital inside
    (`iPhone`), and single capitals that are no English word (`C`).
    """
    plain = normalize("NFKC", text).translate(_INVISIBLE)
    plain = _SPACE.sub(" ", plain).strip()
    if _HAS_CJK.search(plain):
        plain = _CJK_SPACE.sub("", plain)
    closed = plain.rstrip(_CLOSING + " ")
    plain = closed or plain
    parts: list[str] = []
    end = 0
    simple = plain.isascii()
    for match in _WORD.finditer(plain):
        word = match.group()
        if simple and word.isalpha() and word[1:].islower():
            continue  # as most words: folded with what stands around it
        parts.append(fold(plain[end : match.start()]))
        parts.append(word if _keeps_case(word) else word.casefold())
        end = match.end()
    parts.append(fold(plain[end:]))
    return "".join(parts)


def _keeps_case(word: str) -> bool:
    if len(word) == 1:
        return word.isascii() and word.isupper() and word not in "AI"
    return _CODE.search(word) is not None and _MEASURE.fullmatch(word) is None


def fingerprint(text: str) -> bytes:
    """16 bytes that stand for `canonical(text)`: equal for the same text, different otherwise."""
    return blake2b(canonical(text).encode(), digest_size=FINGERPRINT_BYTES).digest()


def check_text(text: object, field: str, *, limit_bytes: int = 1_048_576) -> str:
    """The text as it is, or InvalidInputError naming `field`.

    Refused: anything but a string; nothing but white space; NUL and lone surrogates (not every
    store can hold them); more than `limit_bytes` bytes of UTF-8.
    """
    if not isinstance(text, str):
        raise InvalidInputError(
            field, f"must be a string, not {type(text).__name__}", "Pass the text itself."
        )
    if not text.translate(_INVISIBLE).strip():
        raise InvalidInputError(field, "is empty", "Pass at least one visible character.")
    size = len(_encoded(text, field))
    if size > limit_bytes:
        raise InvalidInputError(
            field,
            f"has {size:,} bytes, more than the limit of {limit_bytes:,}",
            "Split it into parts, or add it as a document.",
        )
    return text


def check_name(value: object, field: str) -> str | None:
    """A scope id, taken exactly as it is, or None; InvalidInputError naming `field` otherwise.

    Any non-empty string in any script up to 1,000 characters, without NUL or lone surrogates, that
    does not begin with U+FDD0, which is no character: stores mark with it what was erased.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInputError(
            field, f"must be a string, not {type(value).__name__}", "Pass str(...) or leave it out."
        )
    if not value:
        raise InvalidInputError(field, "is empty", "Name it, or leave it out.")
    if len(value) > NAME_LIMIT:
        raise InvalidInputError(
            field,
            f"has {len(value):,} characters, more than the limit of {NAME_LIMIT:,}",
            "Use a shorter id.",
        )
    _encoded(value, field)
    if value.startswith(ERASED):
        raise InvalidInputError(field, "begins with U+FDD0, no character", "Leave that out.")
    return value


def _encoded(text: str, field: str) -> bytes:
    if "\0" in text:
        raise InvalidInputError(field, "contains a NUL character", "Remove the character U+0000.")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            field,
            f"contains a lone surrogate at character {error.start}",
            "Decode it properly, for example with errors='replace'.",
        ) from error
