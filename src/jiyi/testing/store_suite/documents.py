"""Documents: passages are units beside memories and turns, replaced and erased as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from jiyi.archived import ArchivedDocument
from jiyi.errors import NotFoundError
from jiyi.filters import parse_filter
from jiyi.ids import new_id
from jiyi.ports import Capability, Reader, Store, TermWeights, UnitCode, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    keys_with,
    later,
    put,
    say,
    select,
    unit_texts,
    units_with,
    weigh,
)
from jiyi.types import Document, DocumentOutcome, Passage, Scope

COMMON = Scope(tenant=ANN.tenant)
OTHER = Scope(tenant="other", user=ANN.user)


def make(
    scope: Scope, texts: Sequence[str], *, at: datetime = NOW, **fields: Any
) -> tuple[Document, list[tuple[Passage, TermWeights]]]:
    """A document of these passages, indexed by their words."""
    values: dict[str, Any] = {"id": new_id(), "name": "manual.md", "title": "Manual"}
    values |= {"collection": "manuals", "added_at": at, "changed_at": at} | fields
    digest = blake2b("\n".join(texts).encode(), digest_size=16).hexdigest()
    document = Document(scope=scope, digest=digest, passages=len(texts), **values)
    passages, start = [], 0
    for position, text in enumerate(texts):
        passage = Passage(
            id=new_id(),
            document_id=document.id,
            position=position,
            text=text,
            span=(start, start + len(text)),
            heading=("手册", f"Part {position}"),
            flags=("instruction",) if position else (),
            meta={"collection": document.collection, "number": position},
        )
        start += len(text) + 1
        passages.append((passage, weigh(text)))
    return document, passages


def add(writer: Writer, scope: Scope, *texts: str, **fields: Any) -> DocumentOutcome:
    """Put a document of these passages."""
    return writer.put_document(*make(scope, texts, **fields))


def remove(writer: Writer, scope: Scope, *ids: str) -> dict[str, int]:
    """Remove documents; the rows by kind."""
    erasure = writer.remove_documents(
        scope, ids, at=later(hours=1), reason="removed", event_id=new_id()
    )
    return dict(erasure.counts)


def documents(reader: Reader, scope: Scope) -> list[ArchivedDocument]:
    """What `dump` gives of them."""
    return [value for value in reader.dump(scope) if isinstance(value, ArchivedDocument)]


class DocumentTests(StoreSuite):
    """Documents."""

    def test_documents_come_back_whole(self, store: Store) -> None:
        """Every field of a document and of its passages survives, in the order of adding."""
        document, passages = make(ANN, ["plug in the lamp", "四小时内 冷藏"], meta={"版本": [2]})
        with store.write() as writer:
            outcome = writer.put_document(document, passages)
            add(writer, ANN, "another", name="b")
        assert (outcome.status, outcome.document) == ("added", document)
        with store.read() as reader:
            assert reader.documents(ANN)[0] == document
            assert [each.name for each in reader.documents(ANN)] == ["manual.md", "b"]
            assert reader.documents(ANN, collection="none") == []
            assert reader.documents(ANN, ids=[document.id]) == [document]
            (unit,) = units_with(reader, ANN, "冷藏")
            assert (unit.unit, unit.document, unit.passage) == (
                "document",
                document,
                passages[1][0],
            )
            assert (unit.memory, unit.turn, unit.stale) == (None, None, False)
            assert reader.counts(ANN)["documents"] == 2

    def test_documents_stand_beside_turns_and_memories(self, store: Store) -> None:
        """All three share one index; the layout tells them apart, and a document was never said."""
        with store.write() as writer:
            put(writer, ANN, "lamp remembered")
            add(writer, ANN, "lamp in a document", "lamp again")
            say(writer, ANN, "lamp said")
        with store.read() as reader:
            assert unit_texts(reader, ANN, "lamp") == [
                *("lamp remembered", "lamp in a document", "lamp again", "lamp said")
            ]
            (layout,) = reader.layout(ANN)
            numbers = np.flatnonzero(layout.kinds == UnitCode.DOCUMENT)
            assert len(numbers) == 2
            assert set(layout.sessions[numbers]) == {-1}
            assert set(layout.said[numbers]) == {0}
        with store.write() as writer:
            put(writer, ANN, "lamp since then")
        with store.read() as reader:  # what the layout is known to hold is read, and what is newer
            assert unit_texts(reader, ANN, "lamp") == [
                *("lamp remembered", "lamp in a document", "lamp again", "lamp said"),
                "lamp since then",
            ]

    def test_documents_are_unchanged_or_replaced(self, store: Store) -> None:
        """The same again writes nothing; another content erases every old passage, under the same
        id, and other documents stay."""
        with store.write() as writer:
            first = add(writer, ANN, "old words", "both words").document
            add(writer, ANN, "old words elsewhere", collection="others")
            add(writer, BOB, "old words of bob")
        with store.write() as writer:
            again = add(writer, ANN, "old words", "both words", at=later(hours=1))
        assert (again.status, again.document) == ("unchanged", first)
        with store.write() as writer:
            changed = add(writer, ANN, "new words", at=later(hours=2)).document
        assert (changed.id, changed.added_at, changed.changed_at) == (first.id, NOW, later(hours=2))
        with store.read() as reader:
            assert reader.documents(ANN)[0] == changed
            assert unit_texts(reader, ANN, "words") == ["old words elsewhere", "new words"]
            assert unit_texts(reader, ANN, "both") == []
            assert unit_texts(reader, BOB, "old") == ["old words of bob"]
        if Capability.SELF_CHECK in store.capabilities:
            assert store.check() == []  # type: ignore[attr-defined]

    def test_documents_by_name_and_collection(self, store: Store) -> None:
        """Names and the beginnings of collections are taken letter by letter, and combine."""
        with store.write() as writer:
            for collection, name in [
                *(("shelf/a_", "k"), ("shelf/a_", "K"), ("shelf/a_/b", "k"), ("shelf/ab", "k")),
                *(("shelf/书%", "键"), ("other", "k")),
            ]:
                add(writer, ANN, "words", collection=collection, name=name)
            add(writer, BOB, "words of bob", collection="shelf/a_", name="k")
        with store.read() as reader:

            def found(**asked: Any) -> list[tuple[str, str]]:
                return [(d.collection, d.name) for d in reader.documents(ANN, **asked)]

            assert found(collection="shelf/a_", names=["k"]) == [("shelf/a_", "k")]
            assert found(names=["键", "K"]) == [("shelf/a_", "K"), ("shelf/书%", "键")]
            assert found(under="shelf/a_") == [
                *(("shelf/a_", "k"), ("shelf/a_", "K"), ("shelf/a_/b", "k"))
            ]
            assert found(under="shelf/书%") == [("shelf/书%", "键")]
            assert found(under="shelf/a_", names=["K"]) == [("shelf/a_", "K")]
            assert found(names=[]) == []

    def test_a_document_is_noted(self, store: Store) -> None:
        """Its `meta` alone changes: passages, digest and, unless told, the time stay; another's
        document is not there."""
        with store.write() as writer:
            old = add(writer, ANN, "plug in the lamp", meta={"seen": 1}).document
        with store.write() as writer:
            writer.note_document(ANN, old.id, meta={"seen": [2, "二"]})
            with pytest.raises(NotFoundError):
                writer.note_document(BOB, old.id, meta={})
        with store.read() as reader:
            assert reader.documents(ANN) == [replace(old, meta={"seen": [2, "二"]})]
            assert unit_texts(reader, ANN, "lamp") == ["plug in the lamp"]
        with store.write() as writer:
            writer.note_document(ANN, old.id, meta={}, changed_at=later(hours=3))
        with store.read() as reader:
            assert reader.documents(ANN) == [replace(old, meta={}, changed_at=later(hours=3))]

    def test_documents_are_isolated(self, store: Store) -> None:
        """Users and tenants see nothing of each other's documents, whatever they ask with."""
        with store.write() as writer:
            mine = add(writer, ANN, "secret lamp").document
            add(writer, COMMON, "common lamp", name="c")
        with store.read() as reader:
            keys = keys_with(reader, ANN, "lamp")
            for scope in (BOB, OTHER, Scope(tenant="other"), Scope()):
                assert reader.documents(scope, ids=[mine.id]) == []
                assert reader.units(scope, keys, select()) == {}
                assert unit_texts(reader, scope, "lamp") == []
                assert documents(reader, scope) == []
                assert "documents" not in reader.counts(scope)
            assert unit_texts(reader, COMMON, "lamp") == ["common lamp"]
        with store.write() as writer:
            assert remove(writer, BOB, mine.id) == {}
        with store.read() as reader:
            assert reader.documents(ANN) == [mine]

    def test_documents_can_be_shared(self, store: Store) -> None:
        """Everyone of the tenant reads a shared document; its author alone removes it."""
        with store.write() as writer:
            shared = add(writer, ANN, "shared lamp", visibility="shared").document
            add(writer, BOB, "lamp of bob")
            put(writer, COMMON, "lamp of the common space")
            vectors = [(key, np.ones(2, np.float32)) for key in keys_with(writer, ANN, "shared")]
            writer.add_vectors("m", vectors)
        with store.read() as reader:
            assert sorted(unit_texts(reader, BOB, "lamp")) == ["lamp of bob", "shared lamp"]
            assert reader.documents(BOB)[-1] == shared
            assert [len(block.numbers) for block in reader.vectors(BOB, "m")] == [1]
            assert unit_texts(reader, Scope(tenant="other", user="bob"), "lamp") == []
            assert [value.document for value in reader.dump(COMMON, author="ann")] == [shared]  # type: ignore[union-attr]
        with store.write() as writer:
            assert remove(writer, BOB, shared.id) == {}
            assert remove(writer, ANN, shared.id)["documents"] == 1
        with store.read() as reader:
            assert unit_texts(reader, BOB, "lamp") == ["lamp of bob"]

    def test_document_passages_are_embedded(self, store: Store) -> None:
        """They wait for vectors with title and headings before their words, get them, and lose
        them when they go."""
        with store.write() as writer:
            document = add(writer, ANN, "the lamp").document
        with store.read() as reader:
            ((scope, key, text),) = reader.unembedded("m", limit=10)
        assert (scope, text) == (ANN, "Manual › 手册 › Part 0: the lamp")
        with store.write() as writer:
            writer.add_vectors("m", [(key, np.ones(2, np.float32))])
        with store.read() as reader:
            assert reader.unembedded("m", limit=10) == []
            assert reader.vectors(ANN, "m")[0].numbers.tolist() == [key.number]
        with store.write() as writer:
            assert remove(writer, ANN, document.id)["vectors"] == 1
        with store.read() as reader:
            assert reader.vectors(ANN, "m") == []

    @pytest.mark.parametrize(
        ("where", "found"),
        [
            ({"unit": "document"}, 2),
            ({"meta.number": 1}, 1),
            ({"meta.collection": "manuals", "text": {"contains": "LAMP"}}, 1),
            ({"name": "Manual", "trust": "document", "visibility": "user"}, 2),
            ({"kind": "semantic"}, 0),
            ({"recorded_at": {"gt": NOW}}, 0),
        ],
    )
    def test_document_filters(self, store: Store, where: dict[str, Any], found: int) -> None:
        """Filters ask the fields that passages have; others equal nothing."""
        with store.write() as writer:
            add(writer, ANN, "the lamp", "the cable")
        selection = select(where=parse_filter(where, now=NOW))
        with store.read() as reader:
            assert len(units_with(reader, ANN, "the", selection=selection)) == found

    def test_document_as_of(self, store: Store) -> None:
        """In the past a document stands from when it was last changed; statuses do not matter."""
        with store.write() as writer:
            add(writer, ANN, "the lamp")
        with store.read() as reader:
            for name in ("as_of", "known_at"):
                before = select(**{name: later(seconds=-1)})
                assert units_with(reader, ANN, "lamp", selection=before) == []
                assert units_with(reader, ANN, "lamp", selection=select(**{name: NOW}))
            superseded = select(statuses=frozenset({"superseded"}))
            assert units_with(reader, ANN, "lamp", selection=superseded)

    def test_passages_are_erased(self, store: Store) -> None:
        """Passages go alone, with their words; the rest stays, and nobody else's goes. With its
        last passage a document goes, and its archive does not bring it back."""
        with store.write() as writer:
            mine = add(writer, ANN, "the valve 阀门", "the pump 水泵").document
            add(writer, BOB, "the valve 阀门")
            add(writer, BOB, "a valve 公用", visibility="shared", name="shared.md")
        with store.read() as reader:
            (kept,) = (each for each in documents(reader, ANN))
            others = [p.id for each in documents(reader, BOB) for p in each.passages]
            others += [p.id for each in documents(reader, COMMON) for p in each.passages]
        valve, pump = (passage.id for passage in kept.passages)

        def erase(*ids: str) -> dict[str, int]:
            with store.write() as writer:
                erasure = writer.erase_passages(
                    ANN, ids, at=later(hours=1), reason="forgotten", event_id=new_id()
                )
                return dict(erasure.counts)

        assert erase(valve, *others, new_id())["passages"] == 1
        with store.read() as reader:
            assert [d.passages for d in reader.documents(ANN) if d.id == mine.id] == [1]
            assert keys_with(reader, ANN, "pump", "水泵")
            assert not any(
                u.document is not None and u.document.id == mine.id
                for u in units_with(reader, ANN, "阀门")
            )
            assert len(documents(reader, BOB)) == len(documents(reader, COMMON)) == 1
        assert erase(pump)["documents"] == 1
        with store.write() as writer:
            assert writer.restore_document(kept, [weigh("x"), weigh("y")]) == "blocked"
            assert writer.documents(ANN, ids=[mine.id]) == []

    def test_documents_are_erased_with_the_space(self, store: Store) -> None:
        """Erasing everything of a user takes the documents, also those shared, and no others'."""
        with store.write() as writer:
            add(writer, ANN, "lamp one", "lamp two")
            add(writer, ANN, "lamp shared", visibility="shared")
            add(writer, BOB, "lamp of bob")
            counts = writer.erase_space(ANN, at=NOW, reason="all", event_id=new_id()).counts
        assert (counts["documents"], counts["passages"]) == (2, 3)
        with store.read() as reader:
            assert unit_texts(reader, ANN, "lamp") == []
            assert unit_texts(reader, BOB, "lamp") == ["lamp of bob"]
            assert documents(reader, ANN) == documents(reader, COMMON) == []

    def test_documents_are_archived(self, store: Store) -> None:
        """They come back with their ids; twice changes nothing; what is later stays; and what was
        removed stays away, though it may be added anew."""
        with store.write() as writer:
            first = add(writer, ANN, "old lamp").document
        with store.read() as reader:
            (old,) = documents(reader, ANN)
        with store.write() as writer:
            add(writer, ANN, "new lamp", at=later(hours=1))
        with store.read() as reader:
            (new,) = documents(reader, ANN)
        with store.write() as writer:
            assert writer.restore_document(old, [weigh("old lamp")]) == "known"
            assert writer.restore_document(new, [weigh("new lamp")]) == "known"
            remove(writer, ANN, first.id)
            assert writer.restore_document(new, [weigh("new lamp")]) == "blocked"
            assert add(writer, ANN, "new lamp").status == "added"
        moved = [_to(value, OTHER) for value in (old, new, new)]
        with store.write() as writer:
            states = [
                writer.restore_document(each, [weigh(each.passages[0].text)]) for each in moved
            ]
            assert states == ["added", "extended", "known"]
            other = _to(old, OTHER, id=new_id())
            assert writer.restore_document(other, [weigh("old lamp")]) == "differs"
        with store.read() as reader:
            assert documents(reader, OTHER) == [moved[1]]
            assert unit_texts(reader, OTHER, "lamp") == ["new lamp"]

    def test_other_handles_see_documents(self, store: Store, reopen: Reopen | None) -> None:
        """What another handle added, replaced or removed is seen at once."""
        if reopen is None:
            pytest.skip("one handle only")
        other = reopen()
        try:
            for text in ("first lamp", "second lamp"):
                with other.write() as writer:
                    id = add(writer, ANN, text).document.id
                with store.read() as reader:
                    assert unit_texts(reader, ANN, "lamp") == [text]
                    (layout,) = reader.layout(ANN)
                    assert np.count_nonzero(layout.kinds == UnitCode.DOCUMENT) == 1
            with other.write() as writer:
                remove(writer, ANN, id)
            with store.read() as reader:
                assert reader.layout(ANN) == []
        finally:
            other.close()


def _to(value: ArchivedDocument, scope: Scope, **fields: Any) -> ArchivedDocument:
    return replace(value, document=replace(value.document, scope=scope, **fields))
