"""Lessons from outcomes, without a model: what was corrected again and again, and which tool fails
how. They count, cite what they were drawn from, and grow with each further outcome.

What was marked helpful or unhelpful needs no lesson: the marks bear on the memory itself (see
`strength`), and repeating what did not help would bring it back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jiyi.consolidate.steps import Step, all_sources
from jiyi.ids import new_id
from jiyi.text.language import language_of
from jiyi.text.patterns import regex
from jiyi.types import Draft, Json, MemoryRecord, Scope, Source, Turn

SIGNATURE_CHARACTERS: Final = 160
"""How much of an error tells it apart from others."""

_FAILS: Final = regex(
    r"^[^\w{\"]{0,3}(?:\w{0,40}(?:error|exception|failure)\b|failed\b|fatal\b|traceback\b|"
    r"timed? ?out\b|\w*错误|\w*失败|\w*异常|\w*超时)"
    r"|\"(?:error|exception)\"\s*:(?!\s*(?:null|false|\"\"))",
    re.IGNORECASE,
)
_NUMBER: Final = regex(r"\d+")
_FAILED: Final = frozenset({"error", "failed", "failure", "timeout"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """What came of what was remembered and done: (wrong, right) pairs of memories, oldest first,
    and the turns of tools."""

    corrections: Sequence[tuple[MemoryRecord, MemoryRecord]] = ()
    tool_turns: Sequence[Turn] = ()


def lessons(outcomes: Outcomes, known: Sequence[MemoryRecord], *, least: int) -> Iterator[Step]:
    """Steps that write new lessons and bring known ones up to date.

    Args:
        known: the live lessons.
        least: how many outcomes make a lesson.
    """
    by_key = {str(memory.meta.get("lesson")): memory for memory in known}
    for key, pairs in _repeated(outcomes.corrections).items():
        if len(pairs) >= least:
            members = tuple({right.id: right for _, right in pairs}.values())
            draft = _about_corrections(key, pairs)
            yield from _written(by_key.get(key), draft, members[-1].scope, members)
    failures, successes = _by_tool(outcomes.tool_turns)
    for (tool, signature), turns in failures.items():
        if len(turns) >= least:
            draft = _about_tool(tool, signature, turns, successes.get(tool, 0))
            yield from _written(by_key.get(str(draft.meta["lesson"])), draft, turns[-1].scope)


def has_failed(turn: Turn) -> bool:
    """Whether a tool's turn tells of a failure: it says so in its meta, or begins with an error."""
    status = turn.meta.get("status")
    if turn.meta.get("error") or turn.meta.get("is_error") is True:
        return True
    if isinstance(status, str) and status.casefold() in _FAILED:
        return True
    return status is None and _FAILS.search(turn.text[:200]) is not None


# --- corrections ----------------------------------------------------------------------------------


def _repeated(
    corrections: Sequence[tuple[MemoryRecord, MemoryRecord]],
) -> dict[str, list[tuple[MemoryRecord, MemoryRecord]]]:
    """Corrections by what they are about: one place, or one chain of corrected statements."""
    found: dict[str, list[tuple[MemoryRecord, MemoryRecord]]] = defaultdict(list)
    root: dict[str, str] = {}
    for wrong, right in corrections:
        slot = right.slot or wrong.slot
        if slot is not None:
            key = f"correction:{slot.subject}/{slot.attribute}"
        else:
            key = f"correction:{root.get(wrong.id, wrong.id)}"
            root[right.id] = root.get(wrong.id, wrong.id)
        found[key].append((wrong, right))
    return found


def _about_corrections(key: str, pairs: Sequence[tuple[MemoryRecord, MemoryRecord]]) -> Draft:
    newest = pairs[-1][1]
    # A place is named, not its value, which may change again without this lesson noticing.
    what = newest.text if newest.slot is None else newest.slot.attribute
    if language_of(newest.text) == "zh":
        text = f"用户已更正 {len(pairs)} 次：{what}。用之前先确认"
    else:
        text = f"The user has corrected this {len(pairs)} times: {what}. Ask before relying on it"
    return Draft(
        text=text,
        kind="reflective",
        tags=("lesson",),
        importance=0.6,
        meta=_meta(key, failures=len(pairs), successes=newest.helpful),
        sources=all_sources(right for _, right in pairs),
        visibility=newest.visibility,
        trust="assistant",
    )


# --- tools ----------------------------------------------------------------------------------------


def _by_tool(
    turns: Sequence[Turn],
) -> tuple[dict[tuple[str, str], list[Turn]], Mapping[str, int]]:
    """Failures by tool and kind of error, and how often each tool worked."""
    failures: dict[tuple[str, str], list[Turn]] = defaultdict(list)
    successes: dict[str, int] = defaultdict(int)
    for turn in turns:
        tool = turn.name or turn.scope.tool or "tool"
        if has_failed(turn):
            line = " ".join(turn.text.strip().splitlines()[0].split())
            failures[tool, _NUMBER.sub("#", line[:SIGNATURE_CHARACTERS]).casefold()].append(turn)
        else:
            successes[tool] += 1
    return failures, successes


def _about_tool(tool: str, signature: str, turns: Sequence[Turn], worked: int) -> Draft:
    line = " ".join(turns[-1].text.strip().splitlines()[0].split())[:SIGNATURE_CHARACTERS]
    if language_of(line) == "zh":
        text = f"工具 {tool} 失败 {len(turns)} 次、成功 {worked} 次：{line}"
    else:
        text = f"The tool {tool} failed {len(turns)} times and worked {worked} times: {line}"
    sources = tuple(
        Source(id=new_id(), turn_id=t.id, session=t.scope.session, said_at=t.said_at) for t in turns
    )
    return Draft(
        text=text,
        kind="reflective",
        tags=("lesson", tool),
        importance=0.6,
        meta=_meta(f"tool:{tool}:{signature}", failures=len(turns), successes=worked),
        entities=(tool,),
        sources=sources,
        said_at=turns[-1].said_at,
        trust="tool",
    )


# --- writing --------------------------------------------------------------------------------------


def _meta(key: str, *, failures: int, successes: int) -> dict[str, Json]:
    return {"lesson": key, "failures": failures, "successes": successes}


def _written(
    known: MemoryRecord | None,
    draft: Draft,
    place: Scope,
    members: tuple[MemoryRecord, ...] = (),
) -> Iterator[Step]:
    """A new lesson, or the known one with its new counts; nothing when they are as before."""
    counted = f"{draft.meta['failures']} failures, {draft.meta['successes']} successes"
    if known is None:
        reason = f"a lesson from {counted}"
        yield Step(action="reflect", reason=reason, draft=draft, place=place, members=members)
        return
    before = known.meta.get("failures")
    if isinstance(before, int) and before < int(str(draft.meta["failures"])):
        reason = f"the lesson has grown: {counted}"
        changes = {"text": draft.text, "meta": draft.meta}
        yield Step(action="reflect", reason=reason, target=known, changes=changes, members=members)
