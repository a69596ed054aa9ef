"""The reranker behind a server, against one on the loopback."""

from __future__ import annotations

import numpy as np
import pytest

from jiyi.errors import ConfigurationError, ModelError
from jiyi.rerankers.served import ServedReranker
from model_server import Server

TEXTS = ["她喜欢茶", "the kettle", "coffee"]


@pytest.mark.parametrize(
    "answer",
    [
        {"results": [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.5}]},
        {"data": [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.5}]},
        [{"index": 2, "score": 0.9}, {"index": 0, "score": 0.5}],
    ],
    ids=["results", "data", "bare"],
)
def test_every_shape_of_answer(server: Server, answer: object) -> None:
    """Scores are read from each shape that such servers use, in the order of the texts."""
    rows = answer if isinstance(answer, list) else next(iter(answer.values()))  # type: ignore[attr-defined]
    rows.append({**rows[0], "index": 1, "score": 0.1, "relevance_score": 0.1})
    server.answers = [(200, answer)]
    reranker = ServedReranker("m", base_url=server.url, least=0.2)
    scores = reranker.rerank("喝什么?", TEXTS)
    assert np.allclose(scores, [0.5, np.nan, 0.9], equal_nan=True)
    path, _, body = server.requests[0]
    assert path == "/v1/rerank"
    assert body["query"] == "喝什么?"
    assert body["documents"] == body["texts"] == TEXTS
    reranker.close()


@pytest.mark.parametrize("tail", ["/rerank", "/v1", "/v1/rerank"])
def test_addresses(server: Server, tail: str) -> None:
    """The address may already name the endpoint, or a version."""
    server.answers = [(200, [{"index": 0, "score": 1}])]
    reranker = ServedReranker("m", base_url=server.url + tail)
    reranker.rerank("q", ["t"])
    assert server.requests[0][0] == "/v1/rerank"
    reranker.close()


@pytest.mark.parametrize(
    ("status", "answer", "retryable"),
    [
        (503, {}, True),
        (401, {"error": {"message": "bad key"}}, False),
        (200, {"results": []}, False),
        (200, {"results": [{"index": 7, "score": 1}]}, False),
        (200, {"results": "?"}, False),
    ],
)
def test_failures(server: Server, status: int, answer: object, retryable: bool) -> None:
    """A refusal, or an answer that leaves a text unscored, is one error of ours."""
    server.answers = [(status, answer)]
    reranker = ServedReranker("m", base_url=server.url)
    with pytest.raises(ModelError) as caught:
        reranker.rerank("q", TEXTS)
    assert caught.value.retryable is retryable
    reranker.close()


def test_no_model() -> None:
    """A missing model name is said at once."""
    with pytest.raises(ConfigurationError):
        ServedReranker("")
