"""Which parts of a profile a question names, by the words of the schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from jiyi.encode.slots import SLOTS, SlotSpec
from jiyi.text.normalise import fold

_COMMON: Final = """
    when have best number level contact called born single pay rule always never usually own
    length tone steps use enjoy like field plan knows car worked detail takes city office
    有 会 车 药 证 养 信息 以后 习惯 单位 对象 目标 计划 使用 要求 规则 安排 时间安排 经验 认识
    水平 版本
"""
_SAY_NOTHING: Final = frozenset(_COMMON.split())
"""Words of the schema that any question may hold."""

_ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "residence": ("living in", "based in", "住哪", "在哪住", "住什么", "住在什么"),
    "occupation": ("for a living", "干什么的", "干嘛的", "干哪行"),
    "employer": ("where do i work", "在哪工作", "在哪里工作", "哪儿工作"),
    "school": ("上学", "哪个学校", "念书"),
    "vehicle": ("什么车", "哪款车", "我的车"),
}
"""Words that questions use for a part of a profile besides the schema's own."""


class Vocabulary:
    """The words of a schema, compiled when first asked. Thread-safe."""

    def __init__(self, schema: Mapping[str, SlotSpec] = SLOTS) -> None:
        self._words = {
            spec.attribute: frozenset(
                fold(word) for word in (*spec.zh, *spec.en, *_ASKED.get(spec.attribute, ()))
            )
            - _SAY_NOTHING
            for spec in schema.values()
        }

    def attributes_named(self, text: str) -> tuple[str, ...]:
        """The attributes whose words stand in a text, in the order of the schema."""
        found = {match.group() for match in self._pattern.finditer(fold(text))}
        if not found:
            return ()
        return tuple(a for a, words in self._words.items() if not found.isdisjoint(words))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = {word for words in self._words.values() for word in words}
        longest = sorted(words, key=lambda word: (-len(word), word))
        english = "|".join(re.escape(word) for word in longest if word.isascii())
        chinese = "|".join(re.escape(word) for word in longest if not word.isascii())
        return re.compile(rf"\b(?:{english})\b|{chinese}")
