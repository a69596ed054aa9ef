"""Short-term memory: summaries of sessions and notes of tasks, each with its lifetime."""

from __future__ import annotations

import pytest

from jiyi.errors import InvalidInputError
from jiyi.ids import new_id
from jiyi.ports import Store
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    Reopen,
    StoreSuite,
    later,
    put,
    say,
    texts,
)
from jiyi.types import Json, Scope


class SessionTests(StoreSuite):
    """`session_summary`, `set_session_summary`, `end_session`, `notes`, `set_note`, `end_task`."""

    def test_summary_is_kept_replaced_and_removed(self, store: Store) -> None:
        """The newest summary of a session is read; None removes it; others are untouched."""
        with store.write() as writer:
            assert writer.session_summary(ANN, "A") is None
            writer.set_session_summary(ANN, "A", "一", at=NOW)
            writer.set_session_summary(ANN, "B", "two", at=NOW)
            writer.set_session_summary(ANN, "A", "三", at=later(minutes=1))
            assert writer.session_summary(ANN, "A") == "三"
        with store.write() as writer:
            writer.set_session_summary(ANN, "A", None, at=later(minutes=2))
        with store.read() as reader:
            assert reader.session_summary(ANN, "A") is None
            assert reader.session_summary(ANN, "B") == "two"
            assert reader.session_summary(BOB, "B") is None

    def test_session_can_end_again(self, store: Store) -> None:
        """Ending is noted with and without a digest, before or after a summary, more than once,
        and leaves the summary alone."""
        with store.write() as writer:
            writer.end_session(ANN, "A", at=NOW, digest=new_id())
            writer.set_session_summary(ANN, "A", "x", at=NOW)
            writer.end_session(ANN, "A", at=later(minutes=5))
            assert writer.session_summary(ANN, "A") == "x"

    def test_notes_live_until_the_task_ends(self, store: Store) -> None:
        """Notes come back whole in the order in which they began; a note set again keeps its
        place, None removes one; the end of a task removes its own only."""
        notes: dict[str, Json] = {
            "进度": "96/120",
            "intent": None,
            "seen": [1, {"a": "ü"}],
            "done": False,
            "n": 0,
        }
        with store.write() as writer:
            for name, value in notes.items():
                writer.set_note(ANN, "T-7", name, value, at=NOW)
            writer.set_note(ANN, "T-8", "进度", "1/2", at=NOW)
            writer.set_note(ANN, "T-7", "进度", "97/120", at=later(minutes=1))
        with store.write() as writer:
            assert writer.notes(ANN, "T-7") == {
                "进度": "97/120",
                "seen": [1, {"a": "ü"}],
                "done": False,
                "n": 0,
            }
            assert list(writer.notes(ANN, "T-7")) == ["进度", "seen", "done", "n"]
            writer.set_note(ANN, "T-7", "seen", None, at=NOW)
            writer.set_note(ANN, "T-7", "nothing", None, at=NOW)
            assert writer.notes(BOB, "T-7") == {}
            assert writer.end_task(BOB, "T-7") == 0
            assert writer.end_task(ANN, "T-7") == 3
        with store.read() as reader:
            assert reader.notes(ANN, "T-7") == {}
            assert reader.notes(ANN, "T-8") == {"进度": "1/2"}

    @pytest.mark.parametrize("value", [object(), float("nan"), {1, 2}])
    def test_note_must_be_json(self, store: Store, value: object) -> None:
        """Anything but JSON is refused, and nothing is kept of its transaction."""

        def write() -> None:
            with store.write() as writer:
                writer.set_note(ANN, "T", "good", 1, at=NOW)
                writer.set_note(ANN, "T", "bad", value, at=NOW)  # type: ignore[arg-type]

        with pytest.raises(InvalidInputError):
            write()
        with store.read() as reader:
            assert reader.notes(ANN, "T") == {}

    def test_names_are_taken_as_they_are(self, store: Store) -> None:
        """Sessions and tasks may have any name, long ones and look-alikes included."""
        names = ["a'b\"c%_", "会话 甲", "Ａ", "A", "a", "x" * 1000, "é" * 1000]
        with store.write() as writer:
            for number, name in enumerate(names):
                writer.set_session_summary(ANN, name, str(number), at=NOW)
                writer.set_note(ANN, name, name, number, at=NOW)
        with store.read() as reader:
            for number, name in enumerate(names):
                assert reader.session_summary(ANN, name) == str(number)
                assert reader.notes(ANN, name) == {name: number}

    def test_a_summary_goes_with_a_turn_it_quotes(self, store: Store) -> None:
        """Erasing a turn removes the summaries that cite it, and no others."""
        with store.write() as writer:
            first, second = say(writer, ANN, "我住在北京"), say(writer, ANN, "I like tea")
            writer.set_session_summary(ANN, "A", "住在北京", cites=[first.id, second.id], at=NOW)
            writer.set_session_summary(ANN, "B", "tea", cites=[second.id], at=NOW)
            writer.set_session_summary(BOB, "A", "bob", cites=[first.id], at=NOW)
        with store.write() as writer:
            erasure = writer.erase(
                ANN, turn_ids=[first.id], at=NOW, reason="asked", event_id=new_id()
            )
            assert erasure.counts["summaries"] == 1
        with store.read() as reader:
            assert reader.session_summary(ANN, "A") is None
            assert reader.session_summary(ANN, "B") == "tea"
            assert reader.session_summary(BOB, "A") == "bob"

    def test_a_digest_goes_with_a_turn_it_quotes(self, store: Store) -> None:
        """Erasing a turn erases the digests that quote it, named in what was erased; erasing a
        digest erases no turn; a digest of other turns stays."""
        with store.write() as writer:
            first, second = say(writer, ANN, "我住在北京"), say(writer, ANN, "I like tea")
            quoting, other = put(writer, ANN, "会话：住在北京"), put(writer, ANN, "session: tea")
            writer.end_session(ANN, "A", at=NOW, digest=quoting.id, cites=[first.id, second.id])
            writer.end_session(ANN, "B", at=NOW, digest=other.id, cites=[second.id])
        with store.write() as writer:
            erasure = writer.erase(
                ANN, turn_ids=[first.id], at=NOW, reason="asked", event_id=new_id()
            )
            assert erasure.memory_ids == (quoting.id,)
            assert erasure.turn_ids == (first.id,)
            assert texts(writer, ANN) == ["session: tea"]
        with store.write() as writer:
            erasure = writer.erase(
                ANN, memory_ids=[other.id], at=NOW, reason="asked", event_id=new_id()
            )
            assert erasure.turn_ids == ()
            assert [turn.id for turn in writer.turns(ANN)] == [second.id]

    def test_turns_kept_by_an_erasure_are_quoted_no_more(self, store: Store) -> None:
        """When a memory is erased and its turn kept, marked as not to be encoded, what quotes the
        turn goes with the memory."""
        with store.write() as writer:
            turn = say(writer, ANN, "我的地址是长安街 1 号")
            fact, digest = put(writer, ANN, "住长安街"), put(writer, ANN, "会话：长安街")
            writer.set_session_summary(ANN, "A", "长安街", cites=[turn.id], at=NOW)
            writer.end_session(ANN, "A", at=NOW, digest=digest.id, cites=[turn.id])
        with store.write() as writer:
            writer.set_encodable(ANN, [turn.id], False)
            erasure = writer.erase(
                ANN, memory_ids=[fact.id], at=NOW, reason="asked", event_id=new_id()
            )
            assert set(erasure.memory_ids) == {fact.id, digest.id}
            assert writer.session_summary(ANN, "A") is None
            assert [kept.id for kept in writer.turns(ANN)] == [turn.id]

    def test_forgetting_everything_includes_them(self, store: Store) -> None:
        """Erasing a user removes summaries and notes, counts them, and leaves other users'."""
        with store.write() as writer:
            for scope in (ANN, BOB):
                writer.set_session_summary(scope, "A", "s", at=NOW)
                writer.set_note(scope, "T", "n", 1, at=NOW)
        with store.write() as writer:
            erasure = writer.erase_space(ANN, at=NOW, reason="asked", event_id=new_id())
            assert erasure.counts["summaries"] == 1
            assert erasure.counts["notes"] == 1
        with store.read() as reader:
            assert reader.session_summary(ANN, "A") is None
            assert reader.notes(ANN, "T") == {}
            assert reader.session_summary(BOB, "A") == "s"
            assert reader.notes(BOB, "T") == {"n": 1}

    def test_they_are_seen_by_another_handle(self, store: Store, reopen: Reopen | None) -> None:
        """A second handle sees summaries and notes; labels of the scope make no difference."""
        with store.write() as writer:
            writer.set_session_summary(ANN, "A", "s", at=NOW)
            writer.set_note(ANN, "T", "n", 1, at=NOW)
        if reopen is None:
            pytest.skip("no second handle to this store")
        other = reopen()
        labelled = Scope(tenant=ANN.tenant, user=ANN.user, agent="x", session="y", task="z")
        with other.read() as reader:
            assert reader.session_summary(labelled, "A") == "s"
            assert reader.notes(labelled, "T") == {"n": 1}

    def test_they_are_no_memories(self, store: Store) -> None:
        """Summaries and notes are neither listed nor searched nor audited."""
        with store.write() as writer:
            writer.set_session_summary(ANN, "A", "tea", at=NOW)
            writer.set_note(ANN, "T", "tea", "tea", at=NOW)
            writer.end_session(ANN, "A", at=NOW)
        with store.read() as reader:
            assert texts(reader, ANN) == []
            assert reader.postings(ANN, ["tea"]) == []
            assert reader.events(ANN) == []
