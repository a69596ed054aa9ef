"""The sliding window over a session's turns."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from said import said

from jiyi.errors import InvalidInputError
from jiyi.session.window import TURN_OVERHEAD, window
from jiyi.text.tokens import count_tokens

roles = st.sampled_from(["user", "assistant", "tool", "system"])
texts = st.sampled_from(["好的", "ok", "你好" * 30, "word " * 60, "🎉" * 20, "x = {'a': 1}\n" * 10])
conversations = st.lists(st.tuples(roles, texts), max_size=30).map(lambda turns: said(*turns))


@given(conversations, st.integers(1, 12), st.integers(1, 600))
def test_it_stays_within_both_limits(turns, max_turns, max_tokens):
    """Turns and tokens stay within the limits, unless the user's newest message alone exceeds
    them; nothing is lost between `kept` and `older`, and both stay in order."""
    result = window(turns, max_turns=max_turns, max_tokens=max_tokens)
    assert sorted(result.kept + result.older, key=turns.index) == turns
    assert list(result.kept) == sorted(result.kept, key=turns.index)
    tokens = sum(count_tokens(turn.text) + TURN_OVERHEAD for turn in result.kept)
    assert tokens == result.tokens
    newest = next((turn for turn in reversed(turns) if turn.role == "user"), None)
    if newest is None:
        assert len(result.kept) <= max_turns
        assert tokens <= max_tokens
    else:
        assert newest in result.kept
        others = [turn for turn in result.kept if turn is not newest and turn.role != "tool"]
        if others:
            assert len(result.kept) <= max_turns
            assert tokens <= max_tokens


@given(conversations, st.integers(1, 12), st.integers(1, 600))
def test_a_result_is_never_parted_from_its_call(turns, max_turns, max_tokens):
    """A tool's result is kept exactly when the turn before it is."""
    kept = set(map(id, window(turns, max_turns=max_turns, max_tokens=max_tokens).kept))
    for before, turn in pairwise(turns):
        if turn.role == "tool":
            assert (id(turn) in kept) == (id(before) in kept)


def test_eight_turns_by_default():
    """The defaults keep eight short turns."""
    turns = said(*[("user", "早"), ("assistant", "早")] * 10)
    assert [turn.id for turn in window(turns).kept] == [f"t{n}" for n in range(13, 21)]


def test_the_users_message_survives_a_flood_of_tool_output():
    """The newest question stays although the steps after it fill the window."""
    turns = said(
        ("user", "查一下库存"), *[("assistant", "查询"), ("tool", "0 " * 400)] * 10, ("tool", "完")
    )
    kept = window(turns, max_turns=4, max_tokens=900).kept
    assert kept[0].text == "查一下库存"
    assert len(kept) <= 4


@pytest.mark.parametrize("limits", [{"max_turns": 0}, {"max_tokens": 0}])
def test_limits_below_one_are_refused(limits):
    """A window of nothing is a mistake, named by its field."""
    with pytest.raises(InvalidInputError, match=next(iter(limits))):
        window([], **limits)
