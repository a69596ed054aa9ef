"""Scenario 17: two names of one person or product across messages, with a chat model."""

from __future__ import annotations

import json

import pytest

from jiyi import Memory
from jiyi.testing import ScriptedChatModel

CASES = [
    (
        ["I had lunch with Robert Smith from procurement", "Bob wants the contract by Friday"],
        {"text": "Robert Smith is also called Bob", "quote": "Bob wants the contract", "turn": 2,
         "attribute": "alias", "subject": "Robert Smith", "value": "Bob"},
    ),
    (
        ["新来的产品经理叫欧阳明轩", "明轩说周五要评审"],
        {"text": "欧阳明轩也叫明轩", "quote": "明轩说周五要评审", "turn": 2,
         "attribute": "alias", "subject": "欧阳明轩", "value": "明轩"},
    ),
    (
        ["I bought the Sony WH-1000XM5 last week", "the XM5 has a great battery"],
        {"text": "Sony WH-1000XM5 is also called XM5", "quote": "the XM5 has a great battery",
         "turn": 2, "attribute": "alias", "subject": "Sony WH-1000XM5", "value": "XM5"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "entry"), CASES)
def test_a_model_ties_a_short_form_to_the_long_one(
    turns: list[str], entry: dict[str, object]
) -> None:
    """The long form was said in another message than the short one; one entity has both names."""
    reply = json.dumps({"memories": [{"kind": "semantic", **entry}]}, ensure_ascii=False)
    model = ScriptedChatModel([reply])
    with Memory(":memory:", embedder=None, background=False, chat_model=model) as memory:
        for text in turns:
            memory.observe(text, session="A")
        memory.flush()
        assert {entry["subject"], entry["value"]} <= set(memory.entity(str(entry["value"])).names)


def test_a_model_does_not_make_up_a_name() -> None:
    """A name that nobody said is refused, and ties nothing."""
    entry = {
        "text": "Robert is also called Bobby", "quote": "lunch with Robert", "turn": 1,
        "kind": "semantic", "attribute": "alias", "subject": "Robert", "value": "Bobby",
    }  # fmt: skip
    model = ScriptedChatModel([json.dumps({"memories": [entry]})])
    with Memory(":memory:", embedder=None, background=False, chat_model=model) as memory:
        memory.observe("I had lunch with Robert today", session="A")
        memory.flush()
        assert all(len(node.names) == 1 for node in memory.entities().nodes)
