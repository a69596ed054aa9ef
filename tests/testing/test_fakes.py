"""The shipped fakes do what their docstrings say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from jiyi.errors import InvalidInputError, ModelError
from jiyi.testing import FakeClock, HashEmbedder, ScriptedChatModel


def test_clock_moves_only_when_told() -> None:
    """It stands still, advances in both directions, jumps, and refuses naive times."""
    clock = FakeClock()
    start = clock()
    assert clock() == start
    assert clock.advance(days=2, hours=-1) == start + timedelta(days=1, hours=23)
    assert clock.advance(timedelta(days=-3)) < start
    assert clock.set(datetime(2020, 1, 1, tzinfo=UTC)) == clock()
    with pytest.raises(InvalidInputError):
        clock.set(datetime(2020, 1, 1))  # noqa: DTZ001
    with pytest.raises(InvalidInputError):
        FakeClock(datetime(2020, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("where does Ann live", "Ann does live in Oslo", "quarterly tax forms"),
        ("用户住在哪里", "我住在北京", "明天开会"),
        ("iPhone 坏了", "我的 iPhone 15 Pro 坏了", "买菜做饭"),
    ],
)
def test_embedder_prefers_shared_words(query: str, near: str, far: str) -> None:
    """Unit length float32, deterministic, and shared words bring texts together."""
    embedder = HashEmbedder(256)
    documents = embedder.embed_documents([near, far])
    vector = embedder.embed_query(query)
    assert documents.dtype == vector.dtype == np.float32
    assert documents.shape == (2, 256)
    np.testing.assert_allclose(np.linalg.norm(documents, axis=1), 1, rtol=1e-6)
    assert documents[0] @ vector > documents[1] @ vector
    np.testing.assert_array_equal(vector, HashEmbedder(256).embed_query(query))


def test_embedder_groups_play_paraphrases() -> None:
    """Words of one group count as one; text without words still has unit length."""
    embedder = HashEmbedder(groups=(("car", "automobile"), ("汽车", "轿车")))
    np.testing.assert_array_equal(embedder.embed_query("Car"), embedder.embed_query("automobile"))
    np.testing.assert_array_equal(embedder.embed_query("轿车"), embedder.embed_query("汽车"))
    assert np.linalg.norm(embedder.embed_query("…")) == 1
    assert embedder.embed_documents([]).shape == (0, 64)


def test_chat_model_follows_its_script() -> None:
    """Replies and errors come in order, calls are kept, and a call too many fails the test."""
    model = ScriptedChatModel(["one", ModelError("busy", retryable=True)])
    assert model.complete([{"role": "user", "content": "你好"}], schema={"type": "object"}) == "one"
    with pytest.raises(ModelError):
        model.complete([{"role": "user", "content": "again"}])
    assert model.remaining == 0
    with pytest.raises(AssertionError):
        model.complete([])
    assert [call.text for call in model.calls] == ["你好", "again", ""]
    assert model.calls[0].schema == {"type": "object"}
    forever = ScriptedChatModel(["x"], repeat_last=True)
    assert [forever.complete([]) for _ in range(3)] == ["x"] * 3
