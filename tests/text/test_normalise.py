"""What counts as the same text, and what is turned away at the door."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.errors import InvalidInputError
from jiyi.text.normalise import canonical, check_name, check_text, fingerprint, fold

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I love Chinese food", "I LOVE CHINESE FOOD."),
        ("I love Chinese food", "  i love\tchinese\n food!! "),
        ("I love Chinese food", "Ｉ ｌｏｖｅ Ｃｈｉｎｅｓｅ ｆｏｏｄ．"),
        ("The trip is at 3pm", "the trip is at 3PM…"),
        ("我喜欢吃川菜", "我喜欢吃川菜。"),
        ("我喜欢吃川菜", "我 喜欢 吃川菜！！"),
        ("我的 iPhone 15 坏了", "我的iPhone 15坏了。"),
        ("好，我知道了", "好, 我知道了"),
        ("价格是１２８元", "价格是128元"),
        ("caf\u00e9", "cafe\u0301"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_the_same_said_otherwise_is_the_same_text(first: str, second: str) -> None:
    """Case, width, white space, invisible characters and closing marks make no other text."""
    assert canonical(first) == canonical(second)
    assert fingerprint(first) == fingerprint(second)


@pytest.mark.parametrize(
    "texts",
    [
        ("I use C", "I use C++", "I use C#", "I use c"),
        ("我用C写代码", "我用C++写代码", "我用c写代码"),
        ("the key is aB3x", "the key is Ab3x"),
        ("call fooBar", "call foobar"),
        ("code ZX-9917-Q", "code zx-9917-q", "code ZX-9917"),
        ("I like .NET", "I like NET"),
        ("我喜欢茶", "我不喜欢茶"),
    ],
)
def test_code_keeps_its_case_and_signs(texts: tuple[str, ...]) -> None:
    """Texts that differ in a code-like word, or in meaning, stay apart."""
    assert len({canonical(text) for text in texts}) == len(texts)


def test_closing_marks_alone_stay() -> None:
    """A text of nothing but marks is still a text of its own."""
    assert canonical("？？") == "??"
    assert canonical("!") != canonical("?")


@given(texts)
def test_canonical_is_a_fixed_point(text: str) -> None:
    """Normalising what is normalised changes nothing, and a fingerprint is 16 bytes."""
    once = canonical(text)
    assert canonical(once) == once
    assert len(fingerprint(text)) == 16


@given(texts)
def test_fold_is_a_fixed_point(text: str) -> None:
    """Folding twice is folding once."""
    assert fold(fold(text)) == fold(text)


def test_fold_makes_case_and_width_equal() -> None:
    """Matching sees neither case nor width, with Chinese marks or without."""
    assert fold("ＡＢＣ，Straße") == fold("abc,STRASSE")


@pytest.mark.parametrize(
    "bad", [None, 3, b"bytes", ["text"], "", "  \n\t", "\u200b ", "a\0b", "\ud800"]
)
def test_unusable_texts_are_refused_by_name(bad: object) -> None:
    """The error names the field and tells the way out."""
    with pytest.raises(InvalidInputError) as error:
        check_text(bad, "message")
    assert error.value.field == "message"
    assert error.value.hint


def test_the_size_limit_counts_bytes() -> None:
    """A text of exactly the limit is taken, one byte more is not; Chinese counts in UTF-8."""
    assert check_text("记" * 10, "text", limit_bytes=30) == "记" * 10
    with pytest.raises(InvalidInputError, match="31 bytes"):
        check_text("记" * 10 + "a", "text", limit_bytes=30)


def test_a_good_text_comes_back_as_it_is() -> None:
    """Checking never changes the text."""
    assert check_text(" 你好 Ｈello\n", "text") == " 你好 Ｈello\n"


@pytest.mark.parametrize(
    "name", [None, "sun", "孙 '老师'", "a=b&c", "%", "_", "Ａ", "x" * 1000, " "]
)
def test_names_in_any_script_are_taken_as_they_are(name: str | None) -> None:
    """A scope id is not changed in any way, and None stays None."""
    assert check_name(name, "user") == name


@pytest.mark.parametrize("bad", ["", 7, b"sun", "a\0", "\udfff", "x" * 1001])
def test_unusable_names_are_refused(bad: object) -> None:
    """Empty, of another type, unstorable or too long."""
    with pytest.raises(InvalidInputError) as error:
        check_name(bad, "user")
    assert error.value.field == "user"
