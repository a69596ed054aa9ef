"""Hits labelled by a chat model."""

from __future__ import annotations

import numpy as np
import pytest

from jiyi import Memory
from jiyi.errors import ConfigurationError, ModelError
from jiyi.rerankers.labels import LabellingReranker
from jiyi.testing import FakeClock, ScriptedChatModel

TEXTS = ["Sun likes tea", "孙工不吃辣", "The office is in Berlin"]


@pytest.mark.parametrize(
    "reply",
    [
        '{"useful": [2], "irrelevant": [3]}',
        '<think>note 3?</think>```json\n{"useful": ["2"], "irrelevant": ["[3]"]}\n```',
        'Sure: {"useful": [2, 2, 99], "irrelevant": [3, 2, 0]} as asked',
    ],
)
def test_useful_first_irrelevant_gone(reply: str) -> None:
    """Labels count in every shape that models write; what is not named stays behind, in order."""
    scores = LabellingReranker(ScriptedChatModel([reply])).rerank("吃什么?", TEXTS)
    assert np.argsort(-np.nan_to_num(scores, nan=-np.inf)).tolist() == [1, 0, 2]
    assert np.isnan(scores).tolist() == [False, False, True]


def test_nothing_is_dropped_unless_wanted() -> None:
    """With drop=False the irrelevant come last instead of leaving."""
    model = ScriptedChatModel(['{"useful": [], "irrelevant": [1]}'])
    scores = LabellingReranker(model, drop=False).rerank("where?", TEXTS)
    assert np.argsort(-scores).tolist() == [1, 2, 0]


@pytest.mark.parametrize("reply", ["", "I cannot tell", '{"useful": [], "irrelevant": []}', "[1]"])
def test_a_reply_without_labels_is_a_failure(reply: str) -> None:
    """A reply that labels nothing is an error, never an order made up from it."""
    with pytest.raises(ModelError, match="no labels"):
        LabellingReranker(ScriptedChatModel([reply])).rerank("where?", TEXTS)


def test_no_texts_no_call() -> None:
    """Nothing found means that the model is not asked."""
    model = ScriptedChatModel([])
    assert LabellingReranker(model).rerank("where?", []).shape == (0,)


def test_through_memory(caplog: pytest.LogCaptureFixture) -> None:
    """By its name it works on recall; a reply that is no use leaves our order, said in the log."""
    replies = ['{"useful": [2], "irrelevant": [1]}', "no idea"]
    with Memory(
        ":memory:",
        embedder=None,
        chat_model=ScriptedChatModel(replies),
        reranker="labels",
        clock=FakeClock(),
        background=False,
    ) as memory:
        memory.remember("The red kettle is for green tea", user="sun")
        memory.remember("The red kettle is broken since Monday", user="sun")
        plain = memory.recall("red kettle", user="sun", rerank=False)
        labelled = memory.recall("red kettle", user="sun")
        assert [hit.text for hit in labelled] == [plain[1].text]
        assert [hit.text for hit in memory.recall("red kettle", user="sun")] == [
            hit.text for hit in plain
        ]
    assert "our own order stands" in caplog.text


def test_it_needs_a_model() -> None:
    """Without a chat model the name is refused with the way out."""
    with pytest.raises(ConfigurationError, match="chat_model"):
        Memory(":memory:", embedder=None, reranker="labels")
