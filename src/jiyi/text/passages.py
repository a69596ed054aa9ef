"""A document is cut at its headings and paragraphs into passages that can be found and cited."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from jiyi.text.patterns import regex
from jiyi.text.sentences import pieces
from jiyi.text.tokens import count_tokens
from jiyi.types import Section

PASSAGE_TOKENS: Final = 220
"""About as much as an embedder of 512 tokens reads well, and a context has room for twice."""

_LINE: Final = regex(r"[^\n]*(?:\n|$)")
_HEADING: Final = regex(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE: Final = regex(r" {0,3}(={2,}|-{3,})[ \t]*$")
_FENCE: Final = regex(r" {0,3}(`{3,}|~{3,})")
_FRONT: Final = regex(r"\ufeff?---[ \t]*\n(?s:(.*?)\n)??---[ \t]*(?:\n|$)")
_TITLE: Final = regex(r"(?m)^title:[ \t]*(['\"]?)(.+?)\1[ \t]*$")


class _Block(NamedTuple):
    """A paragraph, list, table or code block; or a heading, which has a level."""

    start: int
    stop: int
    level: int = 0
    title: str = ""


def cut(text: str, *, markdown: bool, limit: int = PASSAGE_TOKENS) -> list[Section]:
    """The passages of a text: what lies under one heading, in parts of about `limit` tokens.

    A part ends with a paragraph; a longer paragraph is cut at sentence borders. Headings that
    nothing stands under are passages of their own, so that their words are not lost.

    Args:
        markdown: whether lines that begin with # (or are underlined) are headings; what stands
            between ``` is never one.
    """
    found: list[Section] = []
    path: list[_Block] = []
    body: list[_Block] = []
    for block in _blocks(text, markdown=markdown):
        if not block.level:
            body.append(block)
            continue
        found += _section(text, path, body, limit, last=_is_leaf(path, block))
        body = []
        path = [heading for heading in path if heading.level < block.level] + [block]
    return found + _section(text, path, body, limit, last=True)


def front_title(text: str) -> tuple[str | None, int]:
    """The title that the front matter of a Markdown file states, and where its body begins."""
    front = _FRONT.match(text)
    if front is None:
        return None, 0
    stated = _TITLE.search(front.group(1) or "")
    return (stated.group(2).strip() if stated else None), front.end()


def first_heading(text: str) -> str | None:
    """The heading that a Markdown text opens with."""
    block = next(_blocks(text, markdown=True), None)
    return block.title or None if block is not None and block.level else None


def _is_leaf(path: list[_Block], next_heading: _Block) -> bool:
    return bool(path) and next_heading.level <= path[-1].level


def _section(
    text: str, path: list[_Block], body: list[_Block], limit: int, *, last: bool
) -> list[Section]:
    """The passages of one section; `last` when nothing deeper follows under its heading."""
    heading = tuple(block.title for block in path if block.title)
    if body:
        return [Section(heading, start, stop) for start, stop in _packed(text, body, limit)]
    if path and last and path[-1].title:
        return [Section(heading, path[-1].start, path[-1].stop)]
    return []


def _packed(text: str, body: list[_Block], limit: int) -> Iterator[tuple[int, int]]:
    start, stop, held = body[0].start, body[0].start, 0
    for block in body:
        size = count_tokens(text[block.start : block.stop])
        if held and held + size > limit:
            yield start, stop
            held = 0
        if size > limit:
            yield from _parts(text, block, size, limit)
            continue
        if not held:
            start = block.start
        stop, held = block.stop, held + size
    if held:
        yield start, stop


def _parts(text: str, block: _Block, size: int, limit: int) -> Iterator[tuple[int, int]]:
    inside = text[block.start : block.stop]
    for first, end in pieces(inside, max(len(inside) * limit // size, 1)):
        part = inside[first:end]
        if part.strip():
            left = first + len(part) - len(part.lstrip())
            yield block.start + left, block.start + first + len(part.rstrip())


def _blocks(text: str, *, markdown: bool) -> Iterator[_Block]:
    """Headings and blocks in order; blocks are parted by empty lines."""
    start = stop = -1
    for at, words, code in _lines(text, markdown=markdown):
        end = at + len(words)
        heading = _heading(text, at, words, (start, stop)) if markdown and not code else None
        if heading is not None:
            if start >= 0 and heading.start == at:
                yield _Block(start, stop)
            yield heading
            start = -1
        elif words:
            start = end - len(words.lstrip()) if start < 0 else start
            stop = end
        elif start >= 0 and not code:
            yield _Block(start, stop)
            start = -1
    if start >= 0:
        yield _Block(start, stop)


def _lines(text: str, *, markdown: bool) -> Iterator[tuple[int, str, bool]]:
    """Where each line begins, its text, and whether it stands in a fenced block."""
    fence = ""
    for line in _LINE.finditer(text):
        words = line.group().rstrip()
        mark = _FENCE.match(words) if markdown else None
        yield line.start(), words, bool(fence)
        if mark and not fence:
            fence = mark.group(1)
        elif mark and mark.group(1).startswith(fence) and mark.end() == len(words):
            fence = ""


def _heading(text: str, at: int, words: str, before: tuple[int, int]) -> _Block | None:
    """The heading that a line is, or makes of the single line `before` it by underlining it."""
    mark = _HEADING.match(words)
    if mark:
        title = (mark.group(2) or "").strip()
        return _Block(at, at + len(words), len(mark.group(1)), title)
    start, stop = before
    under = None if start < 0 else _UNDERLINE.match(words)
    if under and "\n" not in text[start:stop]:
        level = 1 if under.group(1)[0] == "=" else 2
        return _Block(start, at + len(words), level, text[start:stop])
    return None
