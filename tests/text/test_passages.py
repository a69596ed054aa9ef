"""Documents are cut at their headings and paragraphs, and no word is lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiyi.text.passages import PASSAGE_TOKENS, cut, first_heading, front_title
from jiyi.text.tokens import count_tokens


def passages(text: str, *, markdown: bool = True) -> list[tuple[tuple[str, ...], str]]:
    """Headings and text of each passage."""
    return [(s.heading, text[s.start : s.stop]) for s in cut(text, markdown=markdown)]


def test_what_stands_under_a_heading_stays_with_it() -> None:
    """The path of headings, of all levels and both ways of writing them."""
    text = (
        "intro\n\n# A #\none\n\ntwo\n### B\nthree\n## C\nfour\n\n"
        "Title\n=====\nfive\n\n第二\n---\n六"
    )
    assert passages(text) == [
        ((), "intro"),
        (("A",), "one\n\ntwo"),
        (("A", "B"), "three"),
        (("A", "C"), "four"),
        (("Title",), "five"),
        (("Title", "第二"), "六"),
    ]


def test_code_holds_no_headings() -> None:
    """What stands between fences is one block, empty lines and # and all."""
    code = "```sh\n# not a heading\n\nrun it\n~~~\n```"
    assert passages(f"# A\n{code}\n\nafter") == [(("A",), f"{code}\n\nafter")]
    assert passages("# A\n```\nnever closed\n\n# B") == [(("A",), "```\nnever closed\n\n# B")]


def test_a_heading_alone_is_a_passage() -> None:
    """A heading with nothing under it says something; one with deeper headings is in their path."""
    assert passages("# A\n## B\n## C\nwords\n# D") == [
        (("A", "B"), "## B"),
        (("A", "C"), "words"),
        (("D",), "# D"),
    ]


def test_plain_text_has_no_headings() -> None:
    """Nothing but paragraphs is looked for."""
    assert passages("# A\n\nwords", markdown=False) == [((), "# A\n\nwords")]


@pytest.mark.parametrize(
    "sentence", ["The lamp needs power. ", "请先接上电源，再等五分钟。", "灯 lamp 需要 power。\n"]
)
def test_long_paragraphs_are_cut_at_sentences(sentence: str) -> None:
    """Each part is of about the wanted size, and ends where a sentence does."""
    found = [text for _, text in passages(sentence * 400)]
    assert len(found) > 5
    for part in found:
        assert count_tokens(part) <= 1.5 * PASSAGE_TOKENS
        assert part.endswith(sentence.strip()[-1])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *("# A", "## B", "#", "####### seven", "```", "~~~", "---", "===", "", " ", "\t"),
                *("words here", "第一句。第二句。", "- item", "| a | b |", "x" * 900, "\u2028y"),
            ]
        ),
        max_size=30,
    ),
    st.booleans(),
)
def test_no_word_is_lost(lines: list[str], markdown: bool) -> None:
    """Whatever the lines: passages are in order, do not overlap, hold text, and together with
    their headings hold every word of the document."""
    text = "\n".join(lines)
    found = cut(text, markdown=markdown)
    ends = 0
    held = ""
    for section in found:
        assert ends <= section.start < section.stop <= len(text)
        assert text[section.start : section.stop].strip()
        held += " ".join(section.heading) + text[section.start : section.stop]
        ends = section.stop
    for line in lines:
        if any(letter.isalnum() for letter in line):
            assert line.strip("# \t").replace("seven", "").strip()[:20] in held


def test_titles() -> None:
    """Of the front matter, or the heading a text opens with."""
    text = "---\ntags: [a]\ntitle: 'The guide'\n---\n# Other\n"
    title, start = front_title(text)
    assert (title, text[start:]) == ("The guide", "# Other\n")
    assert front_title("# no front\n---\n") == (None, 0)
    assert first_heading("\n\n## 手册\nx") == "手册"
    assert first_heading("words\n# later") is None
