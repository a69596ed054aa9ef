"""What stands alone is kept; fragments, pointers, wishes and words to others are not."""

from __future__ import annotations

import pytest
from spoken import facts, let_in, slots, table, turn

from jiyi.encode.rules import extract


@pytest.mark.parametrize(("said", "kept"), [(*row, "")[:2] for row in table("loose.tsv")])
def test_only_what_stands_alone_is_kept(said: str, kept: str) -> None:
    """A statement that nobody could understand on another day leaves nothing behind, while its
    like that names what it speaks of is kept, in both languages."""
    assert bool(facts(said)) == (kept == "+"), [draft.text for draft in facts(said)]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("I need a phone.", "I'll send you a separate message shortly."),
        ("I need a phone.", "I've updated my system to reflect this."),
        ("I need a phone.", "I recommend we start with a plan."),
        ("Write a blog post for my shop.", "I decided to open a shop in Turin in 2012."),
        ("Say something.", "Here is a draft of the record:\n\nWe have decided to adopt Kafka."),
        ("Hold me.", "(I stroke your hair) I promise to stay with you."),
        ("Can you fly?", "As an AI language model, I suggest asking a pilot."),
        ("帮我写一篇店铺介绍", "我决定在青岛开一家书店。"),
        ("你会飞吗", "作为人工智能，我建议你问飞行员。"),
    ],
)
def test_an_assistant_says_much_that_is_not_kept(asked: str, answer: str) -> None:
    """Words for the moment, parts that are played and texts that were asked for are no deeds."""
    before = turn(asked, id="a")
    assert let_in(extract(turn(answer, "assistant", id="b"), [before])) == []


def test_what_an_assistant_recommended_is_kept_without_its_markup() -> None:
    """A concrete recommendation stays, as the assistant's, without list marks and stars."""
    answer = turn("1.  **Phones:** I recommend the Pixel 9 for its camera.", "assistant")
    (kept,) = let_in(extract(answer, [turn("I need a phone.", id="a")]))
    assert kept.text == "Assistant: Phones: I recommend the Pixel 9 for its camera."


def test_facts_of_projects_fill_slots() -> None:
    """Where a thing stands, what bounds it and who has charge of it, in both languages."""
    assert slots("The Bosch contract is signed") == {"detail/bosch contract status": "signed"}
    assert slots("采购方案被否决了") == {"detail/采购方案状态": "否决"}
    assert slots("体重终于降到66公斤了") == {"weight": "66公斤"}
    assert slots("北斗项目已经把延迟从50ms降到28ms") == {"detail/北斗项目延迟": "28ms"}
    (charge,) = facts("前端由小李负责")
    assert charge.slot is not None
    assert (charge.slot.subject, charge.slot.value) == ("小李", "前端")
