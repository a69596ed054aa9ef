"""The answer without a model: what is known, quoted. It invents nothing and says that it quotes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from jiyi.recall.age import age_in_words
from jiyi.text.language import Language, language_of
from jiyi.text.sentences import sentences

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.types import Hit, Hits, Receipt

MOST: Final = 3
"""Quotes at most; further down, they answer less and less."""

QUESTION: Final = 2_000
"""Characters of a message that are searched with. Of a longer one it is the first sentence and the
last two, where what is asked of it stands."""

_WORDS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "no model": "No chat model is connected{hint}, so these are quotes from memory:",
        "nothing": "No chat model is connected{hint}, and nothing is known about that.",
        "kept": "Noted: ",
        "when": "  ({day}, {age})",
        "later": "  [later changed]",
        "hint": " ({hint})",
    },
    "zh": {
        "no model": "没有接入聊天模型{hint}，以下是记忆里的原话：",
        "nothing": "没有接入聊天模型{hint}，记忆里也没有相关内容。",
        "kept": "记下了：",
        "when": "（{day}，{age}）",
        "later": "［后来变了］",
        "hint": "（{hint}）",
    },
}


_DONE: Final[dict[str, dict[Language, str]]] = {
    "erased": {
        "en": "What this message asks to forget has been erased from memory for good.",
        "zh": "这条消息要求忘掉的内容已从记忆中彻底删除。",
    },
    "retracted": {
        "en": "What this message takes back no longer counts; it is left in the history alone.",
        "zh": "这条消息收回的内容已不再采用，只留在历史里。",
    },
}


@dataclass(frozen=True, slots=True)
class Quotes:
    """What is known about a message, and what the message made memory keep or forget."""

    said: str
    found: Hits
    kept: tuple[str, ...]
    now: datetime
    done: tuple[str, ...] = ()

    def text(self, *, hint: str = "") -> str:
        """The answer in the language of the message. `hint` says how to connect a model."""
        language, now = language_of(self.said), self.now
        words = _WORDS[language]
        how = words["hint"].format(hint=hint) if hint else ""
        lines = [*self.done, *(words["kept"] + text for text in self.kept)]
        if self.done and not any(mark in self.said for mark in "?？"):
            return "\n".join(lines)  # it was an order, and asks for nothing that is known
        if self.found:
            lines.append(words["no model"].format(hint=how))
            lines += [f"  · {_quoted(hit, now, language)}" for hit in self.found]
        elif not lines:
            lines.append(words["nothing"].format(hint=how))
        return "\n".join(lines)


def quote(memory: Memory, said: str) -> Quotes:
    """Look for what is known about a message, then record it. The answer is not recorded: quotes
    are known already."""
    question = question_of(said)
    try:
        found = memory.recall(question, limit=2 * MOST)
    finally:
        receipt = memory.observe({"role": "user", "content": said})
    if changed(receipt):
        found = memory.recall(question, limit=2 * MOST)
    answers = [hit for hit in found if hit.id not in receipt.turn_ids and not _is_question(hit)]
    found = replace(found, items=tuple(answers[:MOST]))
    return Quotes(
        said, found, kept_texts(memory, receipt), memory._now(), done_about(receipt, said)
    )


def changed(receipt: Receipt) -> bool:
    """Whether what was recalled before this message was recorded may no longer hold."""
    return any(o.status in ("superseding", "retracted", "erased") for o in receipt.outcomes)


def done_about(receipt: Receipt, said: str) -> tuple[str, ...]:
    """What the answer to a message has to know of what the message made memory forget, in its
    language: nothing else of it can be seen by then."""
    statuses = {outcome.status for outcome in receipt.outcomes}
    language = language_of(said)
    return tuple(words[language] for status, words in _DONE.items() if status in statuses)


def question_of(text: str) -> str:
    """What a message is searched with."""
    if len(text) <= QUESTION:
        return text
    head, tail = text[: QUESTION // 2], text[-QUESTION // 2 :]
    parts = [head[slice(*span)] for span in sentences(head)[:1]]
    parts += [tail[slice(*span)] for span in sentences(tail)[-2:]]
    return "\n".join(parts)


def kept_texts(memory: Memory, receipt: Receipt) -> tuple[str, ...]:
    """The statements that a write has made memory keep."""
    ids = [o.memory_id for o in receipt.outcomes if o.status in ("stored", "superseding")]
    return tuple(memory.get(id).text for id in ids if id is not None)


def _is_question(hit: Hit) -> bool:
    """Whether it is what the user once asked, which answers nothing."""
    return hit.unit == "turn" and hit.role == "user" and hit.text.rstrip().endswith(("?", "？"))


def _quoted(hit: Hit, now: datetime, language: Language) -> str:
    words, text = _WORDS[language], hit.text
    if hit.said_at is not None:
        age = age_in_words(hit.said_at, now, language)
        day = hit.said_at.date().isoformat()
        text += words["when"].format(day=day, age=age)
    return text + words["later"] if hit.later is not None else text
