"""A chat model's reply is read whatever it looks like (scenario 11)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiyi.encode.replies import read_reply, text_of

ONE = {"text": "用户住在杭州", "turn": 1, "importance": 4, "value": None}
TWO = {"text": "User likes {braces} and [brackets]", "turn": 2}
BOTH = json.dumps({"memories": [ONE, TWO]}, ensure_ascii=False)
TEXTS = [ONE["text"], TWO["text"]]


@pytest.mark.parametrize(
    "reply",
    [
        BOTH,
        f"```json\n{BOTH}\n```",
        f"```\n{BOTH}\n```\nDone.",
        f"Here you are {{as asked}}:\n\n{BOTH}\n\nAnything else?",
        f'<think>They said {{this}}: {{"memories": []}}</think>{BOTH}',
        f"<think>\n好，我来看看\n</think>\n\n```json\n{BOTH}\n```",
        f"the tag was opened by the template … </think>{BOTH}",
        json.dumps([ONE, TWO], ensure_ascii=False),
        json.dumps({"facts": [ONE, TWO]}),
        json.dumps({"记忆": [ONE, TWO]}),
        json.dumps({"result": {"memories": [ONE, TWO]}}),
        json.dumps({"note": "two", "empty": [], "items": [ONE, TWO]}),
        json.dumps(TEXTS, ensure_ascii=False),
        json.dumps({"memories": TEXTS}),
        json.dumps({"memories": [{"内容": ONE["text"]}, {"fact": TWO["text"]}]}),
        BOTH.replace("}]", "},]"),
        str({"memories": [ONE, TWO]}),
    ],
)
def test_shapes(reply: str) -> None:
    """Fences, reasoning, prose with braces, arrays, lists of texts, other keys, trailing commas,
    Python literals: the same two proposals."""
    read = read_reply(reply)
    assert [text_of(p) for p in read.proposals] == TEXTS
    assert read.problem is None


@pytest.mark.parametrize(
    "reply",
    ['{"memories": []}', "[]", '{"memories": null}', "Nothing to keep: []", "```json\n[]\n```"],
)
def test_nothing_to_keep(reply: str) -> None:
    """That there is nothing is an answer."""
    read = read_reply(reply)
    assert read.proposals == ()
    assert read.problem is None


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   \n",
        "<think>hm</think>",
        "<think>never ends",
        "I cannot do that.",
        "{so} [what]",
        "42",
        '{"error": "overloaded"}',
        '"just a text"',
    ],
)
def test_unusable(reply: str) -> None:
    """Empty replies, bare prose and other JSON hold nothing, and say so."""
    read = read_reply(reply)
    assert read.proposals == ()
    assert read.problem


@pytest.mark.parametrize("fence", ["", "```json\n", "Sure:\n"])
@pytest.mark.parametrize("cut", [1, 2, 5, 12])
def test_cut(fence: str, cut: int) -> None:
    """What is complete before the cut is kept, and the cut is told."""
    read = read_reply(fence + BOTH[:-cut])
    assert read.cut
    assert read.problem
    assert TEXTS[0] in [text_of(p) for p in read.proposals]
    assert len(read.proposals) <= 2


def test_cut_in_the_first() -> None:
    """Nothing complete, nothing kept."""
    read = read_reply('{"memories": [{"text": "用户住')
    assert read.cut
    assert read.proposals == ()


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_never_fails(noise: str) -> None:
    """Any text at all can be read without an error."""
    read_reply(noise)
    read_reply(noise + BOTH)


@given(st.integers(0, len(BOTH)))
def test_any_cut(length: int) -> None:
    """Wherever a reply is cut, only whole proposals come out of it."""
    for proposal in read_reply(BOTH[:length]).proposals:
        assert text_of(proposal) in TEXTS
