"""The adapter of fastembed's cross-encoders, on a stand-in for the model (its weights lie on a
hub)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from jiyi.errors import ConfigurationError, ModelError
from jiyi.rerankers.cross_encoder import DEFAULT_MODEL, CrossEncoderReranker


class StandIn:
    """Scores by shared characters; made the way fastembed's class is."""

    made: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, model_name: str, **options: Any) -> None:
        if model_name == "missing":
            raise ValueError("Model missing is not supported in TextCrossEncoder")
        StandIn.made.append({"model_name": model_name, **options})

    def rerank(self, query: str, documents: list[str]) -> Iterator[float]:
        return (float(len(set(query) & set(each))) for each in documents)


@pytest.fixture(autouse=True)
def fastembed(monkeypatch: pytest.MonkeyPatch) -> None:
    StandIn.made = []
    leaf = ModuleType("fastembed.rerank.cross_encoder")
    leaf.TextCrossEncoder = StandIn  # type: ignore[attr-defined]
    for name in ("fastembed", "fastembed.rerank"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, leaf.__name__, leaf)


def test_scores_and_lazy_loading() -> None:
    """The model is loaded for the first question, once, and its scores come back as they are."""
    reranker = CrossEncoderReranker(local_only=True)
    assert StandIn.made == []
    for _ in range(2):
        scores = reranker.rerank("茶 tea", ["我爱喝茶", "coffee", "tea time"])
        assert int(scores.argmax()) == 2
    assert StandIn.made == [
        {"model_name": DEFAULT_MODEL, "cache_dir": None, "local_files_only": True}
    ]


def test_least_drops() -> None:
    """What scores below `least` is dropped."""
    scores = CrossEncoderReranker(least=1.0).rerank("茶", ["我爱喝茶", "coffee"])
    assert np.isnan(scores).tolist() == [False, True]


def test_a_model_that_cannot_be_loaded() -> None:
    """What fastembed raises becomes one error of ours, without the texts."""
    with pytest.raises(ModelError, match="ValueError") as caught:
        CrossEncoderReranker("missing").rerank("secret question", ["x"])
    assert "secret" not in str(caught.value)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing package names the extra."""
    monkeypatch.setitem(sys.modules, "fastembed.rerank.cross_encoder", None)
    with pytest.raises(ConfigurationError, match=r"jiyi\[rerank\]"):
        CrossEncoderReranker()
