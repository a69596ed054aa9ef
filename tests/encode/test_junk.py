"""Small talk, questions, quotes, pasted text and tool output leave next to nothing behind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spoken import let_in, table, turn

from jiyi.encode.guard import flags_of, redact_secrets
from jiyi.encode.rules import extract


def test_chatter_leaves_at_most_two_memories_per_hundred_turns() -> None:
    """A corpus of both languages without facts yields at most 2 memories per 100 turns,
    candidates included."""
    turns = [
        turn(text.replace("\\n", "\n"), role, id=f"c{place}")  # type: ignore[arg-type]
        for place, (role, text) in enumerate(table("chatter.tsv"))
    ]
    assert len(turns) >= 90
    kept = [
        draft
        for place, each in enumerate(turns)
        for draft in let_in(extract(each, turns[max(0, place - 6) : place]))
    ]
    assert len(kept) <= 0.02 * len(turns), [draft.text for draft in kept]


@pytest.mark.parametrize(
    "text",
    [
        "this project is probably doomed",
        "I guess the new layout is a bit ugly",
        "Honestly the whole migration was a mistake",
        "maybe I like jazz now",
        "I might move to Lyon",
        "这个项目大概要黄了",
        "我觉得新版界面有点丑",
        "说实话这次迁移就是个错误",
        "我可能喜欢上爵士乐了",
        "我也许会搬到里昂",
    ],
)
def test_passing_remarks_are_candidates_at_most(text: str) -> None:
    """Opinions about the work at hand and guesses about oneself are not believed at once."""
    assert all(draft.candidate for draft in let_in(extract(turn(text))))


_WORDS = st.sampled_from(
    [
        "I",
        "my",
        "我",
        "我的",
        "你",
        "he",
        "他",
        "不",
        "not",
        "了",
        "live",
        "住在",
        "Rome",
        "北京",
        "like",
        "喜欢",
        "tea",
        "茶",
        "改成",
        "switched",
        "to",
        "from",
        "从",
        "use",
        "用",
        "Vue",
        "2",
        "“",
        "”",
        '"',
        "'",
        ">",
        "```",
        "\n",
        "，",
        ",",
        "。",
        ".",
        "?",
        "？",
        "：",
        ":",
        "记住",
        "remember",
        "忘掉",
        "delete",
        "地址",
        "address",
        "from",
        "now",
        "on",
        "以后",
        "每天",
        "last",
        "week",
        "上周三",
        "is",
        "是",
        "allergic",
        "过敏",
        "《",
        "》",
        "[",
        "]",
        "(",
        ")",
        "🙂",
        "\u200b",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(_WORDS, max_size=25).map(" ".join)))
def test_any_text_can_be_read(text: str) -> None:
    """Whatever a turn holds, reading it raises nothing, and every span lies within it."""
    before = turn("我住在无锡，养了一只猫", id="before")
    extraction = extract(turn(text), [before])
    spans = [s.span for d in extraction.drafts for s in d.sources] + [
        command.span for command in extraction.commands
    ]
    for span in spans:
        assert span is not None
        assert 0 <= span[0] < span[1] <= len(text)
    assert "secret" not in flags_of(redact_secrets(text))
