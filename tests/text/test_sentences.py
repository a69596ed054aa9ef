"""Where texts are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.text.sentences import bounded_sentences, clauses, pieces, sentences


def parts(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I came. I saw! Did I?", ["I came.", "I saw!", "Did I?"]),
        ("Dr. Smith paid 3.50 dollars. He left.", ["Dr. Smith paid 3.50 dollars.", "He left."]),
        ("We met J. K. Rowling at 5 p.m. today.", ["We met J. K. Rowling at 5 p.m. today."]),
        ("See v2.3.1 of a.b@c.cn. Good.", ["See v2.3.1 of a.b@c.cn.", "Good."]),
        ("我来了。你呢？真的！", ["我来了。", "你呢？", "真的！"]),
        ("他说：“好的。”然后走了。", ["他说：“好的。”", "然后走了。"]),
        ("用 iPhone.很好", ["用 iPhone.", "很好"]),
        ("第一行\n第二行\r\nthird", ["第一行", "第二行", "third"]),
        ("Wait... what?! Yes.", ["Wait...", "what?!", "Yes."]),
        ("1. buy milk\n2. call mum", ["1. buy milk", "2. call mum"]),
        ("没有句号", ["没有句号"]),
        ("   ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    """Marks of both languages and line breaks end a sentence; abbreviations and numbers do not."""
    assert parts(text, sentences(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我喜欢茶，但不喝咖啡。", ["我喜欢茶，", "但不喝咖啡。"]),
        ("It cost 1,000 dollars, and I paid.", ["It cost 1,000 dollars,", "and I paid."]),
        ("时间：下午3:30", ["时间：", "下午3:30"]),
    ],
)
def test_clauses(text: str, expected: list[str]) -> None:
    """Commas and colons cut further, but not inside numbers."""
    assert parts(text, clauses(text)) == expected


@given(st.text(st.sampled_from('ab. 。，\n!?1好我"”'), max_size=80))
def test_spans_are_in_order_and_lose_nothing(text: str) -> None:
    """Everything but white space lies in exactly one sentence and one clause."""
    for spans in (sentences(text), clauses(text)):
        assert spans == sorted(spans)
        kept = "".join(parts(text, spans))
        assert "".join(kept.split()) == "".join(text.split())


@given(st.text(st.sampled_from("ab. 。，\n好"), max_size=200), st.integers(1, 40))
def test_pieces_cover_the_text(text: str, limit: int) -> None:
    """Pieces follow each other without gap or overlap and none is over the limit."""
    spans = pieces(text, limit)
    assert "".join(parts(text, spans)) == text
    assert all(0 < end - start <= limit for start, end in spans)


def test_pieces_end_with_sentences() -> None:
    """A long text is cut where a sentence ends, in both languages."""
    for sentence in ("这是一个句子。", "This is one sentence. "):
        text = sentence * 300
        cut = [part.rstrip() for part in parts(text, pieces(text, 500))]
        assert all(part.endswith(sentence.rstrip()) for part in cut)


def test_a_hundred_thousand_characters_are_cut_quickly() -> None:
    """The work grows with the length, not with its square."""
    text = "没有标点" * 30_000 + "." * 30_000 + " 1. " * 10_000
    assert "".join(parts(text, pieces(text))) == text


@pytest.mark.parametrize("clause", ["长文，", "a long text, "])
def test_a_text_without_stops_is_cut(clause: str) -> None:
    """Every character stays in one span, in order, and no span is longer than the limit."""
    text = clause * 500
    spans = bounded_sentences(text, 300)
    assert "".join(text[start:end] for start, end in spans).strip() == text.strip()
    assert max(end - start for start, end in spans) <= 300
    assert bounded_sentences("短句。A short one.", 300) == sentences("短句。A short one.")
