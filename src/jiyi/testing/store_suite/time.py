"""Truth in time: what was true then, what we knew then, and how a change is undone."""

from __future__ import annotations

from datetime import datetime

from jiyi.filters import Comparison
from jiyi.ids import new_id
from jiyi.ports import Selection, Store
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    StoreSuite,
    everything,
    fingerprint,
    get,
    later,
    must_get,
    put,
    residence,
    select,
    supersede,
    texts,
    unit_texts,
    weigh,
)
from jiyi.types import Source


class TimeTests(StoreSuite):
    """`as_of`, `known_at`, `versions`, supersession and undo."""

    def test_supersession_and_as_of(self, store: Store) -> None:
        """Tea on day 0, coffee from day 3: now coffee, as of day 1 tea, before day 0 nothing.

        Both stay readable; the old one has an end, a pointer and a reason. `as_of` counts
        valid_from in and valid_to out.
        """
        with store.write() as writer:
            tea = put(writer, ANN, "drinks tea", slot=residence("tea"))
        with store.write() as writer:
            coffee = supersede(
                writer, ANN, tea, "drinks coffee", at=later(days=3), slot=residence("coffee")
            )
        now = later(days=5)
        expected: list[tuple[datetime, list[str]]] = [
            (later(days=-1), []),
            (NOW, ["drinks tea"]),
            (later(days=1), ["drinks tea"]),
            (later(days=3), ["drinks coffee"]),
            (now, ["drinks coffee"]),
        ]
        with store.read() as reader:
            assert texts(reader, ANN, select(now)) == ["drinks coffee"]
            for moment, found in expected:
                selection = select(now, as_of=moment)
                assert texts(reader, ANN, selection) == found
                assert unit_texts(reader, ANN, "drinks", selection=selection) == found
                assert reader.count_memories(ANN, selection) == len(found)
            old = must_get(reader, ANN, tea.id)
        assert (old.status, old.superseded_by, old.reason) == (
            "superseded",
            coffee.id,
            "newer value",
        )
        assert old.valid_to == later(days=3)

    def test_as_of_respects_expiry_and_retraction(self, store: Store) -> None:
        """Expired things count before they expired; what was retracted was never true."""
        with store.write() as writer:
            put(writer, ANN, "voucher", expires_at=later(days=1))
            wrong = put(writer, ANN, "wrong")
            writer.change_memory(ANN, wrong.id, {"status": "retracted"}, at=NOW, action="retracted")
        with store.read() as reader:
            now = later(days=9)
            assert texts(reader, ANN, select(now, as_of=later(hours=1))) == ["voucher"]
            assert texts(reader, ANN, select(now, as_of=later(days=1))) == []

    def test_corrected_memory_was_never_true(self, store: Store) -> None:
        """An empty validity (valid_to = valid_from) matches no `as_of`."""
        with store.write() as writer:
            record = put(writer, ANN, "typo")
            changes = {"status": "superseded", "valid_to": record.valid_from}
            writer.change_memory(ANN, record.id, changes, at=later(days=1), action="corrected")
        with store.read() as reader:
            for days in (-1, 0, 1, 2):
                assert texts(reader, ANN, select(later(days=3), as_of=later(days=days))) == []

    def test_late_message_is_stored_as_history(self, store: Store) -> None:
        """An older statement that arrives late is stored superseded and found as of its time."""
        with store.write() as writer:
            new = put(writer, ANN, "lives in Oslo", at=later(days=3), slot=residence("Oslo"))
            put(
                writer,
                ANN,
                "lives in Rome",
                at=later(days=4),
                said_at=NOW,
                slot=residence("Rome"),
                status="superseded",
                superseded_by=new.id,
                ended=later(days=3),
                reason="a newer value was known",
            )
        with store.read() as reader:
            now = later(days=5)
            assert texts(reader, ANN, select(now)) == ["lives in Oslo"]
            assert texts(reader, ANN, select(now, as_of=later(days=1))) == ["lives in Rome"]

    def test_known_at_reads_the_store_as_it_stood(self, store: Store) -> None:
        """Each state is seen from the instant of its writing until the next one's.

        Texts, statuses and filters are those of that state. On failure look whether
        `known_at` reads only current rows, or closes intervals at the wrong end.
        """
        with store.write() as writer:
            record = put(writer, ANN, "draft one", tags=("a",))
        with store.write() as writer:
            writer.change_memory(
                ANN,
                record.id,
                {"text": "draft two", "tags": ("b",)},
                at=later(hours=1),
                action="updated",
                fingerprint=fingerprint("draft two"),
                terms=weigh("draft two"),
            )
        with store.write() as writer:
            writer.change_memory(
                ANN, record.id, {"status": "retracted"}, at=later(hours=2), action="retracted"
            )
            put(writer, ANN, "unrelated", at=later(hours=2))
        now = later(days=1)
        expected = [
            (later(minutes=-1), [], []),
            (NOW, ["draft one"], ["draft one"]),
            (later(minutes=59), ["draft one"], ["draft one"]),
            (later(hours=1), ["draft two"], ["draft two"]),
            (later(hours=2), ["unrelated"], ["unrelated", "draft two"]),
            (now, ["unrelated"], ["unrelated", "draft two"]),
        ]
        with store.read() as reader:
            for moment, live, all_of_them in expected:
                assert texts(reader, ANN, select(now, known_at=moment)) == live, moment
                found = texts(reader, ANN, everything(now, known_at=moment))
                assert found == all_of_them, moment
                assert reader.count_memories(ANN, select(now, known_at=moment)) == len(live)
            for moment, word, seen in (
                (NOW, "one", ["draft one"]),
                (NOW, "two", []),
                (later(hours=1), "one", []),
                (later(hours=1), "two", ["draft two"]),
            ):
                selection = select(now, known_at=moment)
                assert unit_texts(reader, ANN, word, selection=selection) == seen

    def test_known_at_combines_with_as_of(self, store: Store) -> None:
        """What we believed on day 1 about day 5 differs from what we know now about day 5."""
        with store.write() as writer:
            old = put(writer, ANN, "lives in Oslo")
        with store.write() as writer:
            supersede(writer, ANN, old, "lives in Rome", at=later(days=3))

        def told(**moments: int) -> list[str]:
            times = {name: later(days=days) for name, days in moments.items()}
            with store.read() as reader:
                return texts(reader, ANN, select(later(days=9), **times))

        assert told(as_of=5) == ["lives in Rome"]
        assert told(as_of=5, known_at=1) == ["lives in Oslo"]
        assert told(as_of=1, known_at=5) == ["lives in Oslo"]
        assert told(as_of=-1, known_at=5) == []

    def test_versions_tell_every_state(self, store: Store) -> None:
        """One version per state, oldest first, without gaps; only the last has no end."""
        with store.write() as writer:
            record = put(writer, ANN, "fact", importance=0.1)
        for hour in (1, 2):
            with store.write() as writer:
                writer.change_memory(
                    ANN,
                    record.id,
                    {"importance": hour / 10},
                    at=later(hours=hour),
                    action="updated",
                )
        with store.read() as reader:
            versions = reader.versions(ANN, record.id)
            assert reader.versions(BOB, record.id) == []
            assert reader.versions(ANN, new_id()) == []
        assert [v.record.importance for v in versions] == [0.1, 0.1, 0.2]
        assert [v.known_from for v in versions] == [NOW, later(hours=1), later(hours=2)]
        assert [v.known_to for v in versions] == [later(hours=1), later(hours=2), None]

    def test_versions_with_a_clock_that_steps_back(self, store: Store) -> None:
        """Order of versions is the order of writing; at any instant at most one state stood."""
        with store.write() as writer:
            record = put(writer, ANN, "fact", importance=0.0)
            for step, hours in enumerate((2, -5, -5, 1), start=1):
                changes = {"importance": step / 10}
                writer.change_memory(ANN, record.id, changes, at=later(hours=hours), action="set")
        with store.read() as reader:
            versions = reader.versions(ANN, record.id)
            assert [v.record.importance for v in versions] == [0.0, 0.1, 0.2, 0.3, 0.4]
            assert must_get(reader, ANN, record.id).importance == 0.4
            assert versions[-1].known_to is None
            for hours in (-6, -5, -1, 0, 1, 2, 3):
                moment = later(hours=hours)
                found = texts(reader, ANN, select(later(days=1), known_at=moment))
                assert found == (["fact"] if hours >= 0 else []), "one state at any instant"

    def test_undo_of_a_supersession(self, store: Store) -> None:
        """Retracting the successor frees the place; the old memory lives again, both indexed."""
        with store.write() as writer:
            old = put(writer, ANN, "lives in Oslo", slot=residence("Oslo"))
        with store.write() as writer:
            new = supersede(
                writer, ANN, old, "lives in Rome", at=later(days=1), slot=residence("Rome")
            )
        with store.write() as writer:
            at = later(days=2)
            writer.change_memory(ANN, new.id, {"status": "retracted"}, at=at, action="undone")
            restored = writer.change_memory(
                ANN,
                old.id,
                {"status": "active", "valid_to": None, "superseded_by": None, "reason": None},
                at=at,
                action="undone",
            )
        assert restored.status == "active"
        assert (restored.valid_to, restored.superseded_by, restored.reason) == (None, None, None)
        now = later(days=3)
        with store.read() as reader:
            assert texts(reader, ANN, select(now)) == ["lives in Oslo"]
            assert unit_texts(reader, ANN, "oslo", "rome", selection=select(now)) == [
                "lives in Oslo"
            ]
            found = reader.slot_values(ANN, subject="user", attribute="residence")
            assert [record.id for record in found] == [old.id]
            assert texts(reader, ANN, select(now, known_at=later(hours=36))) == ["lives in Rome"]
            assert len(reader.versions(ANN, old.id)) == 3

    def test_undo_of_a_retraction(self, store: Store) -> None:
        """A retracted memory comes back with everything it had."""
        source = Source(id=new_id())
        with store.write() as writer:
            record = put(writer, ANN, "allergic to nuts", tags=("health",), sources=(source,))
            writer.change_memory(
                ANN, record.id, {"status": "retracted"}, at=later(hours=1), action="retracted"
            )
        with store.read() as reader:
            assert texts(reader, ANN, select(later(hours=2))) == []
        with store.write() as writer:
            writer.change_memory(
                ANN, record.id, {"status": "active"}, at=later(hours=2), action="undone"
            )
        with store.read() as reader:
            assert must_get(reader, ANN, record.id) == record

    def test_known_at_with_filters(self, store: Store) -> None:
        """A filter under `known_at` is about the state of that time."""
        with store.write() as writer:
            record = put(writer, ANN, "fact", tags=("a",))
            writer.change_memory(
                ANN, record.id, {"tags": ("b",)}, at=later(hours=1), action="updated"
            )
        with store.read() as reader:
            for moment, tag in ((NOW, "a"), (later(hours=1), "b")):
                for asked in ("a", "b"):
                    selection = Selection(
                        now=later(days=1),
                        known_at=moment,
                        where=Comparison("tags", "eq", asked),
                    )
                    assert bool(texts(reader, ANN, selection)) is (asked == tag)
                    assert get(reader, ANN, record.id, selection) is None or asked == tag
