"""Words that open a clause: dropped when they are interjections, kept when they carry meaning."""

from __future__ import annotations

import pytest

from jiyi import Memory


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("我住在北京，对花生过敏", "我对花生过敏"),
        ("好，我对海鲜过敏", "我对海鲜过敏"),
        ("对，我叫小金", "我叫小金"),
        ("我在读研，好奇心很强，对灰尘过敏", "我对灰尘过敏"),
    ],
)
def test_a_word_that_opens_a_clause_is_dropped_only_as_an_interjection(
    text: str, kept: str
) -> None:
    """对 in front of its object belongs to the statement; 对 in front of a comma does not."""
    with Memory(":memory:", embedder=None) as memory:
        memory.observe(text)
        assert kept in [record.text for record in memory.list().items]
