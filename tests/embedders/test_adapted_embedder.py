"""LangChain-style embedders as ours, and the checks every vector passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jiyi.embedders.adapted import AdaptedEmbedder, adapt
from jiyi.embedders.checks import checked_vectors
from jiyi.errors import ConfigurationError, ModelError
from jiyi.testing import HashEmbedder


class FakeLangChain:
    """Lists of floats, not of unit length, without a name of its own."""

    model = "fake-3"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(len(texts))
        return [[float(len(text)), 2.0, 0.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(len(text)), 2.0, 0.0]


def test_adapted() -> None:
    """Name, dimension, unit length and batches are added."""
    inner = FakeLangChain()
    embedder = AdaptedEmbedder(inner, batch=2)
    vectors = embedder.embed_documents(["茶", "coffee", "水"])
    assert embedder.name == "FakeLangChain:fake-3"
    assert embedder.dimension == 3
    assert inner.batches == [2, 1]
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(embedder.embed_query("茶"), vectors[0])
    assert embedder.embed_documents([]).shape == (0, 3)


def test_adapt_leaves_ours_alone() -> None:
    """What has a name and a dimension is taken as it is; others are wrapped."""
    ours = HashEmbedder()
    assert adapt(ours) is ours
    assert adapt(FakeLangChain()).dimension == 3


def test_nameless_is_refused() -> None:
    """Vectors of unknown origin would mix with others one day."""

    class Nameless(FakeLangChain):
        model = ""

    with pytest.raises(ConfigurationError, match="name"):
        AdaptedEmbedder(Nameless())
    assert AdaptedEmbedder(Nameless(), name="mine-1").name == "mine-1"


def test_foreign_errors_become_ours() -> None:
    """Whatever it raises is a ModelError that can be retried."""

    class Broken(FakeLangChain):
        def embed_query(self, text: str) -> list[float]:
            raise OSError("down")

    with pytest.raises(ModelError) as caught:
        AdaptedEmbedder(Broken()).embed_query("x")
    assert caught.value.retryable


@pytest.mark.parametrize(
    "raw",
    [
        [[1.0, float("nan")]],
        [[float("inf"), 1.0]],
        [[0.0, 0.0]],
        [[1.0, 2.0], [1.0, 2.0]],
        [[1.0, 2.0, 3.0]],
        [[1.0], [1.0, 2.0]],
        [1.0, 2.0],
        "vectors",
        None,
        [[]],
    ],
)
def test_bad_vectors_are_refused(raw: Any) -> None:
    """NaN, infinity, zero, another count, dimension or shape, and no numbers at all."""
    with pytest.raises(ModelError):
        checked_vectors(raw, count=1, dimension=2, name="e")


@pytest.mark.parametrize("text", ["my pin is 4471", "我的暗号是芝麻"])
def test_a_foreign_error_that_quotes_the_text_is_not_passed_on(text: str) -> None:
    """Our errors are logged, and content never is."""

    class Quoting:
        model = "quoting"

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ValueError(f"cannot embed {texts}")

        def embed_query(self, text: str) -> list[float]:
            raise ValueError(f"cannot embed {text}")

    embedder = AdaptedEmbedder(Quoting(), dimension=4)
    for call in (lambda: embedder.embed_documents([text]), lambda: embedder.embed_query(text)):
        with pytest.raises(ModelError) as caught:
            call()
        assert text not in str(caught.value)
        assert "ValueError" in str(caught.value)
