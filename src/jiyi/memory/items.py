"""Exact values by path and key, for what a program keeps beside what was said and learned.

Each item is a document of a collection of its own family (see docs/documents.md): it is found by
its texts, stands in exports, goes with its user, and is never turned into memories. A family is a
tree: a path of labels, and under each path keys. Labels and keys are compared letter by letter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from jiyi.encode.documents import passage_terms
from jiyi.encode.guard import flags_of
from jiyi.errors import InvalidInputError
from jiyi.ids import new_id
from jiyi.ports import Capability
from jiyi.recall.request import read_selection
from jiyi.text.normalise import check_name
from jiyi.text.passages import cut
from jiyi.types import Document, Json, Passage, Scope

if TYPE_CHECKING:
    from jiyi.memory import Memory
    from jiyi.ports import TermWeights, Writer

VALUE_BYTES: Final = 1_048_576
"""What one value may have as JSON in UTF-8."""

MAX_RANKED: Final = 1_000
"""How many passages a search ranks at most; the items behind them come after, unranked."""

_LIFE: Final = ("ttl_s", "expires_at")

_PURGE_DELAY: Final = timedelta(seconds=10)
"""Values that are replaced one after another are driven out of the files together."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A value under a path and key. `ttl` is how long it lives after the last touch."""

    path: Path
    key: str
    value: Mapping[str, Json]
    created_at: datetime
    changed_at: datetime
    ttl: timedelta | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """A value to keep. It is found by `texts`; without any it is only listed and got by its key."""

    path: Path
    key: str
    value: Mapping[str, Any]
    texts: Sequence[str] = ()
    ttl: timedelta | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """An item and where it lies."""

    id: str
    item: Item
    passage_ids: tuple[str, ...]
    meta: Mapping[str, Json]


class Items:
    """The items of one family in the space of a memory's user. Thread-safe.

        shelf = Items(Memory("agent.db").scoped(user="sun"), "settings")
        shelf.put(NewItem(path=("ui",), key="theme", value={"dark": True}))
        shelf.get(("ui",), "theme").value

    What is expired is not there, and is erased by `sweep()`.
    """

    def __init__(self, memory: Memory, family: str) -> None:
        self._memory = memory
        self._parts = memory._parts
        where = memory._within({})
        self._scope = Scope(tenant=where.tenant, user=where.user)
        self._family = quoted(check_name(family, "family") or "items")

    def put(self, *items: NewItem) -> None:
        """Keep values, each in the place of the former one under its path and key; all or none.

        A former value is gone at once, and driven out of the files within seconds.

        Raises:
            InvalidInputError: a path, key or value that cannot be kept; then nothing is.
        """
        self.change(items)

    def change(
        self, puts: Sequence[NewItem], removals: Sequence[tuple[Path, str]] = ()
    ) -> list[bool]:
        """Put and remove in one transaction; whether each of `removals` was there."""
        now = self._memory._now()
        ready = [self._written(item, now) for item in puts]
        places = [(self._collection(path), _key(key)) for path, key in removals]
        if not ready and not places:
            return []
        self._parts.journal.flush(at=now)
        replaced, found = False, []
        with self._parts.store.write() as writer:
            for document, passages in ready:
                outcome = writer.put_document(document, passages)
                replaced = replaced or outcome.status == "replaced"
                if outcome.status == "unchanged":
                    kept = {k: v for k, v in outcome.document.meta.items() if k not in _LIFE}
                    life = {k: v for k, v in document.meta.items() if k in _LIFE}
                    id = outcome.document.id
                    writer.note_document(self._scope, id, meta=kept | life, changed_at=now)
            for collection, key in places:
                found.append(bool(self._erase(writer, collection, [key], now)))
            if replaced and not any(found):
                writer.enqueue_once(self._scope, "checkpoint", {}, at=now, due=now + _PURGE_DELAY)
        if any(found):
            self._memory._drive_out(self._scope, now)
        self._parts.worker.wake()
        return found

    def get(self, path: Path, key: str, *, touch: bool = False) -> Item | None:
        """The item there, or None; `touch` begins its time to live anew."""
        (found,) = self.get_many([(path, key)], touch=touch)
        return found

    def get_many(
        self, places: Sequence[tuple[Path, str]], *, touch: bool = False
    ) -> list[Item | None]:
        """The items at these places, in order, each None where there is none."""
        now = self._memory._now()
        wanted = [(self._collection(path), _key(key)) for path, key in places]
        by_collection: dict[str, list[str]] = {}
        for collection, key in wanted:
            by_collection.setdefault(collection, []).append(key)
        found: dict[tuple[str, str], _Kept] = {}
        with self._parts.store.read() as reader:
            for collection, keys in by_collection.items():
                documents = reader.documents(self._scope, collection=collection, names=keys)
                for kept in self._live(documents, now):
                    found[collection, kept.item.key] = kept
        if touch:
            found = dict(zip(found, self._touched(list(found.values()), now), strict=True))
        there = (found.get(place) for place in wanted)
        return [None if each is None else each.item for each in there]

    def under(self, prefix: Path = (), *, touch: bool = False) -> list[Item]:
        """Every item whose path begins with these labels, in the order of first keeping."""
        now = self._memory._now()
        found = self._kept(prefix, now)
        return [kept.item for kept in (self._touched(found, now) if touch else found)]

    def named(self, keys: Sequence[str], prefix: Path = ()) -> list[Item]:
        """The items with one of these keys under a prefix, in the order of first keeping."""
        now, names = self._memory._now(), [_key(key) for key in keys]
        collection = self._collection(prefix)
        with self._parts.store.read() as reader:
            documents = reader.documents(self._scope, under=collection, names=names)
        return [kept.item for kept in self._live(documents, now)]

    def search(
        self, query: str, prefix: Path = (), *, limit: int = MAX_RANKED
    ) -> list[tuple[Item, float | None]]:
        """The items under a prefix, best first, each with its score (higher is better).

        At least the best `limit` are ranked, `MAX_RANKED` at most.

        After those that hold something of the query come the other ones with texts, with 0.0, and
        last those without texts, with None; each in the order of first keeping.
        """
        now = self._memory._now()
        found = self._kept(prefix, now)
        if not any(kept.passage_ids for kept in found):
            return [(kept.item, None) for kept in found]
        where = {f"meta.{name}": label for name, label in self._labels(prefix).items()}
        _, trace = self._parts.recaller.recall(
            self._scope,
            query,
            limit=max(1, min(limit, MAX_RANKED, len(found))),
            now=now,
            selection=read_selection(now=now, where=where),
            units=("document",),
        )
        self._parts.journal.add(trace)
        scores = {c.id: sum(c.scores.values()) for c in trace.candidates}
        ranked = [
            (kept.item, max((scores.get(id, 0.0) for id in kept.passage_ids), default=None))
            for kept in found
        ]
        return sorted(ranked, key=lambda pair: -1.0 if pair[1] is None else pair[1], reverse=True)

    def touch(self, items: Iterable[Item]) -> None:
        """Begin the time to live of these anew, where they have one."""
        lives = [(item.path, item.key) for item in items if item.ttl is not None]
        if lives:
            self.get_many(lives, touch=True)

    def remove(self, path: Path, key: str) -> bool:
        """Erase an item for good; whether it was there."""
        return self.change((), [(path, key)])[0]

    def sweep(self) -> int:
        """Erase what is expired; returns how many items went."""
        now = self._memory._now()
        with self._parts.store.read() as reader:
            documents = reader.documents(self._scope, under=self._family + "/")
        old = [d for d in documents if self._is_expired(d, now)]
        if not old:
            return 0
        self._parts.journal.flush(at=now)
        with self._parts.store.write() as writer:
            writer.remove_documents(
                self._scope, [d.id for d in old], at=now, reason="expired", event_id=new_id()
            )
        self._memory._drive_out(self._scope, now)
        return len(old)

    # --- places -------------------------------------------------------------------------------

    def _collection(self, path: Path) -> str:
        labels = [check_name(label, "path") for label in path]
        if None in labels:
            raise InvalidInputError("path", "a label is missing", "Every label is a text")
        return "/".join([self._family, *(quoted(label) for label in labels if label)]) + "/"

    def _labels(self, path: Path) -> dict[str, str]:
        """What filters ask of a passage, label by label."""
        return {"family": self._family} | {f"label{n}": label for n, label in enumerate(path)}

    def _kept(self, prefix: Path, now: datetime) -> list[_Kept]:
        collection = self._collection(prefix)
        with self._parts.store.read() as reader:
            return self._live(reader.documents(self._scope, under=collection), now)

    # --- documents and items ------------------------------------------------------------------

    def _written(
        self, item: NewItem, now: datetime
    ) -> tuple[Document, list[tuple[Passage, TermWeights]]]:
        collection, key = self._collection(item.path), _key(item.key)
        value = _json(item.value)
        texts = [text for text in item.texts if text.strip()]
        digest = blake2b(digest_size=16)
        for part in (value, *texts):
            digest.update(part.encode() + b"\0")
        id = new_id()
        document = Document(
            id=id,
            name=key,
            title=_title(item.path, key),
            collection=collection,
            scope=self._scope,
            added_at=now,
            changed_at=now,
            digest=digest.hexdigest(),
            passages=0,
        )
        passages: list[tuple[Passage, TermWeights]] = []
        for text in texts:
            for section in cut(text, markdown=False):
                part = text[section.start : section.stop]
                passage = Passage(
                    id=new_id(),
                    document_id=id,
                    position=len(passages),
                    text=part,
                    span=(section.start, section.stop),
                    flags=flags_of(part),
                    meta={
                        **cast("dict[str, Json]", self._labels(item.path)),
                        "collection": collection,
                        "title": document.title,
                    },
                )
                passages.append((passage, passage_terms(document, passage)))
        meta: dict[str, Json] = {
            "path": list(item.path),
            "value": json.loads(value),
            "passages": [passage.id for passage, _ in passages],
        }
        if item.ttl is not None:
            meta["ttl_s"] = item.ttl.total_seconds()
            meta["expires_at"] = (now + item.ttl).isoformat()
        return replace(document, passages=len(passages), meta=meta), passages

    def _live(self, documents: Iterable[Document], now: datetime) -> list[_Kept]:
        return [
            _read(document)
            for document in documents
            if "value" in document.meta and not self._is_expired(document, now)
        ]

    @staticmethod
    def _is_expired(document: Document, now: datetime) -> bool:
        end = document.meta.get("expires_at")
        return isinstance(end, str) and datetime.fromisoformat(end) <= now

    def _touched(self, found: Sequence[_Kept], now: datetime) -> list[_Kept]:
        """The same with their time to live begun anew, where they have one."""
        lives = [kept for kept in found if kept.item.ttl is not None]
        if not lives or Capability.READ_ONLY in self._parts.store.capabilities:
            return list(found)
        with self._parts.store.write() as writer:
            there = {d.id for d in writer.documents(self._scope, ids=[k.id for k in lives])}
            for kept in lives:
                if kept.id not in there:
                    continue
                end = now + cast("timedelta", kept.item.ttl)
                meta = {**kept.meta, "expires_at": end.isoformat()}
                writer.note_document(self._scope, kept.id, meta=meta)
        return [
            replace(kept, item=replace(kept.item, expires_at=now + kept.item.ttl))
            if kept.item.ttl is not None
            else kept
            for kept in found
        ]

    def _erase(self, writer: Writer, collection: str, keys: list[str], now: datetime) -> int:
        documents = writer.documents(self._scope, collection=collection, names=keys)
        ids = [d.id for d in documents if "value" in d.meta]
        if ids:
            writer.remove_documents(
                self._scope, ids, at=now, reason="removed on request", event_id=new_id()
            )
        return len(ids)


def _read(document: Document) -> _Kept:
    meta = document.meta
    ttl, end = meta.get("ttl_s"), meta.get("expires_at")
    item = Item(
        path=tuple(cast("list[str]", meta["path"])),
        key=document.name,
        value=cast("Mapping[str, Json]", meta["value"]),
        created_at=document.added_at,
        changed_at=document.changed_at,
        ttl=timedelta(seconds=ttl) if isinstance(ttl, (int, float)) else None,
        expires_at=datetime.fromisoformat(end) if isinstance(end, str) else None,
    )
    return _Kept(document.id, item, tuple(cast("list[str]", meta["passages"])), meta)


def quoted(label: str) -> str:
    """A label as a part of a name in which / parts the labels."""
    return label.replace("%", "%25").replace("/", "%2F")


def _key(key: str) -> str:
    name = check_name(key, "key")
    if name is None:
        raise InvalidInputError("key", "is missing", "Name it")
    return name


def _title(path: Path, key: str) -> str:
    """What an item is called where it is cited: a bare UUID says nothing."""
    try:
        UUID(key)
    except ValueError:
        return key
    return path[-1] if path else key


def _json(value: Mapping[str, Any]) -> str:
    """The value as it is kept.

    Raises:
        InvalidInputError: it is no JSON object, holds what no store can, or is too large.
    """
    try:
        text = json.dumps(dict(value), ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError) as error:  # a lone surrogate is a ValueError
        raise InvalidInputError("value", f"is not JSON ({error})", "Use JSON values") from error
    if size > VALUE_BYTES:
        raise InvalidInputError(
            "value",
            f"has {size:,} bytes as JSON, more than the limit of {VALUE_BYTES:,}",
            "Keep files where they are, and their place here",
        )
    return text
