"""An archive gives back exactly what was put in, or refuses to give anything."""

from __future__ import annotations

import string
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jiyi.archived import (
    Archived,
    ArchivedDigest,
    ArchivedEvent,
    ArchivedField,
    ArchivedMemory,
    ArchivedNote,
    ArchivedSession,
    ArchivedTombstones,
    ArchivedTurn,
)
from jiyi.errors import InvalidInputError, StoreUnavailableError
from jiyi.formats.archive import check_archive, read_archive, write_archive
from jiyi.types import (
    AuditEvent,
    Event,
    GateScores,
    MemoryRecord,
    Scope,
    Slot,
    Source,
    Turn,
    Version,
)

NOW = datetime(2026, 3, 5, 9, 30, tzinfo=timezone(timedelta(hours=8)))
SCOPE = Scope(tenant="农科院", user="sun's “id”\n%", session="A")
MEMORY = MemoryRecord(
    id="01890000-0000-7000-8000-000000000001",
    text="株高用厘米 — “cm” 🌱\u2028",
    kind="semantic",
    status="superseded",
    scope=SCOPE,
    recorded_at=NOW,
    said_at=NOW.astimezone(UTC),
    valid_from=NOW,
    valid_to=NOW + timedelta(microseconds=1),
    tags=("单位", "format"),
    meta={"n": 1, "deep": {"list": [1, 2.5, None, True]}},
    slot=Slot(subject="user", attribute="unit/height", value="cm"),
    event=Event(type="release", at=NOW, entities=("R12",), outcome="ok"),
    sources=(Source(id="s1", turn_id="t1", span=(0, 5), said_at=NOW),),
    gate=GateScores(completeness=1, relevance=0.5, durability=0.25, emphasis=0, total=0.55),
    use_count=3,
)
TURN = Turn(id="t1", role="user", text="hi", said_at=NOW, recorded_at=NOW, scope=SCOPE, key="k")
EVENT = AuditEvent(id="e1", at=NOW, action="store", counts={"memories": 1})
KEPT = ArchivedMemory(
    versions=(
        Version(record=replace(MEMORY, text="earlier"), known_from=NOW, known_to=NOW),
        Version(record=MEMORY, known_from=NOW, known_to=None, reason="更正"),
    ),
    added={"s1": NOW},
)
RECORDS: list[Archived] = [
    ArchivedTurn(turn=TURN, waiting=("extract",)),
    ArchivedDigest(scope=SCOPE, memory_id="d1", cites=("t1",)),
    KEPT,
    ArchivedEvent(scope=SCOPE, event=EVENT),
    ArchivedField(scope=SCOPE, name="level", value={"n": [3, None]}, set_at=NOW),
    ArchivedSession(scope=SCOPE, session="A", set_at=NOW, summary="小结", cites=("t1",)),
    ArchivedNote(scope=SCOPE, task="T", name="n", value="96/120", set_at=NOW),
    ArchivedTombstones(scope=SCOPE, keys=("00ff",), hashes=("ab", "cd")),
]


def write(path: Path, records: list[Archived]) -> Path:
    write_archive(path, records, now=NOW, program="jiyi test")
    return path


def test_round_trip(tmp_path: Path) -> None:
    """Every kind of record comes back equal, times with their own offsets."""
    path = write(tmp_path / "a.jsonl", RECORDS)
    assert list(read_archive(path)) == RECORDS
    (memory,) = [r for r in read_archive(path) if isinstance(r, ArchivedMemory)]
    assert memory.record.recorded_at.utcoffset() == timedelta(hours=8)
    summary = check_archive(path)
    kinds = ("turn", "digest", "memory", "event", "field", "session", "note", "tombstones")
    assert summary.counts == dict.fromkeys(kinds, 1)
    assert summary.written_at == NOW


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=TEXTS,
    meta=st.dictionaries(TEXTS, JSON, max_size=3),
    tags=st.lists(TEXTS, max_size=3),
    user=TEXTS,
    importance=st.floats(0, 1),
    moment=st.datetimes(timezones=st.timezones()),
)
def test_round_trip_of_anything(
    tmp_path: Path,
    text: str,
    meta: dict[str, Any],
    tags: list[str],
    user: str,
    importance: float,
    moment: datetime,
) -> None:
    """Texts of any script, any JSON in meta, and any time come back equal."""
    memory = replace(
        MEMORY,
        text=text,
        meta=meta,
        tags=tuple(tags),
        scope=Scope(user=user),
        importance=importance,
        said_at=moment,
    )
    version = Version(record=memory, known_from=NOW, known_to=None)
    path = write(tmp_path / "a.jsonl", [ArchivedMemory(versions=(version,))])
    (kept,) = read_archive(path)
    assert isinstance(kept, ArchivedMemory)
    back = kept.record
    assert replace(back, said_at=moment) == memory
    # Two zones may give one offset; the instant and the offset are what is kept.
    assert back.said_at.isoformat() == moment.isoformat()


@pytest.mark.parametrize("place", [0.02, 0.3, 0.6, 0.97])
def test_damage_is_found(tmp_path: Path, place: float) -> None:
    """One changed byte anywhere, or a cut anywhere, is found before anything is loaded."""
    path = write(tmp_path / "a.jsonl", RECORDS)
    whole = bytearray(path.read_bytes())
    offset = int(len(whole) * place)
    letter = next(n for n in range(offset, len(whole)) if chr(whole[n]) in string.ascii_letters)
    changed = bytes(whole[:letter]) + bytes([whole[letter] ^ 1]) + bytes(whole[letter + 1 :])
    for damaged in (changed, bytes(whole[:offset])):
        path.write_bytes(damaged)
        with pytest.raises(InvalidInputError):
            check_archive(path)


def test_lines_cannot_be_dropped_or_added(tmp_path: Path) -> None:
    """A missing line, a doubled one, and one after the end are found."""
    path = write(tmp_path / "a.jsonl", RECORDS)
    lines = path.read_bytes().splitlines(keepends=True)
    for changed in (lines[:2] + lines[3:], [*lines[:2], *lines[1:]], [*lines, lines[1]], []):
        path.write_bytes(b"".join(changed))
        with pytest.raises(InvalidInputError):
            check_archive(path)


def test_newer_archive(tmp_path: Path) -> None:
    """An archive of a newer program is refused politely."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"jiyi_archive": 99, "written_at": "2026-03-05T09:30:00+00:00"}\n')
    with pytest.raises(InvalidInputError, match="newer than this program"):
        check_archive(path)


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"[]\n", b'{"role": "user"}\n'])
def test_not_an_archive(tmp_path: Path, content: bytes) -> None:
    """Any other file is refused."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match=r"a\.jsonl"):
        check_archive(path)


def test_failure_leaves_the_old_archive(tmp_path: Path) -> None:
    """When writing fails half-way, the archive that was there is still there, whole."""

    def records() -> Any:
        yield RECORDS[0]
        raise RuntimeError("the store went away")

    path = write(tmp_path / "a.jsonl", RECORDS)
    with pytest.raises(RuntimeError):
        write_archive(path, records(), now=NOW, program="test")
    assert list(read_archive(path)) == RECORDS
    assert list(tmp_path.iterdir()) == [path]


def test_place_that_cannot_be_written(tmp_path: Path) -> None:
    """A folder that is not there is our error."""
    with pytest.raises(StoreUnavailableError, match="cannot write"):
        write(tmp_path / "nowhere" / "a.jsonl", [])
