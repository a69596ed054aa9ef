"""Names and ties: kept with the memories that hold them, read by whoever reads these."""

from __future__ import annotations

from typing import Any

from jiyi.ids import new_id
from jiyi.ports import ALIAS, SELF, Name, Reader, Store, TermWeights, Tie, Writer
from jiyi.testing.store_suite.builders import (
    ANN,
    BOB,
    NOW,
    StoreSuite,
    fingerprint,
    later,
    select,
    weigh,
)
from jiyi.types import Draft, MemoryRecord, Scope, Slot, Source, Status

ROBERT = Name("robert", "Robert", "name")
BOBBY = Name("bob", "Bob", "person")
LI_LEI = Name("李雷", "李雷", "person")
USER = Name(SELF, "user", "user")
ONE = Tie("robert", ALIAS, "bob")
FRIEND = Tie(SELF, "friend", "bob")


def named(text: str, names: tuple[Name, ...], ties: tuple[Tie, ...] = ()) -> TermWeights:
    """The terms of a text that mentions names."""
    counts, length, *_ = weigh(text)
    return TermWeights(counts, length, names, ties)


def tell(
    writer: Writer,
    scope: Scope,
    text: str,
    *names: Name,
    ties: tuple[Tie, ...] = (),
    status: Status = "active",
    **draft: Any,
) -> MemoryRecord:
    """Store a memory that mentions names."""
    draft.setdefault("sources", (Source(id=new_id()),))
    return writer.add_memory(
        scope,
        Draft(text=text, **draft),
        id=new_id(),
        fingerprint=fingerprint(text),
        terms=named(text, names, ties),
        recorded_at=NOW,
        said_at=NOW,
        status=status,
    )


def mentioned(reader: Reader, scope: Scope) -> set[tuple[str, str]]:
    """(key of a name, id of a memory that mentions it)."""
    return {(m.name.key, m.memory_id) for m in reader.mentions(scope, now=NOW)}


class EntityTests(StoreSuite):
    """`names`, `mentions`, `ties`, `ties_of` and `filling`."""

    def test_names_come_back_with_their_memories(self, store: Store) -> None:
        """What a memory mentions is found by key, with its text, its kind and its unit."""
        with store.write() as writer:
            one = tell(writer, ANN, "Robert is here", ROBERT)
            two = tell(writer, ANN, "李雷 and Robert", ROBERT, LI_LEI)
        with store.read() as reader:
            assert {name.key for name in reader.names(ANN)} == {"robert", "李雷"}
            assert reader.names(ANN, ["李雷", "nobody"]) == [LI_LEI]
            found = reader.mentions(ANN, ["robert"], now=NOW)
            assert [m.memory_id for m in found] == [two.id, one.id], "the newest first"
            assert found[0].name == ROBERT
            newest = reader.mentions(ANN, ["robert"], now=NOW, limit=1)
            assert [m.memory_id for m in newest] == [two.id]
            assert mentioned(reader, ANN) == {
                ("robert", one.id), ("robert", two.id), ("李雷", two.id)
            }  # fmt: skip

    def test_a_known_kind_wins(self, store: Store) -> None:
        """A name of an unknown kind takes the kind that a later memory tells, and keeps it."""
        with store.write() as writer:
            tell(writer, ANN, "Robert", ROBERT)
            tell(writer, ANN, "my friend Robert", ROBERT._replace(kind="person"))
            tell(writer, ANN, "Robert again", ROBERT)
        with store.read() as reader:
            assert [name.kind for name in reader.names(ANN)] == ["person"]

    def test_a_possible_name_counts_where_it_is_known(self, store: Store) -> None:
        """A word that may be a name is one where another memory told so before, and makes none."""
        unsure = ROBERT._replace(sure=False)
        with store.write() as writer:
            tell(writer, ANN, "Robert or not", unsure)
            assert writer.names(ANN) == []
            known = tell(writer, ANN, "my friend Robert", ROBERT)
            again = tell(writer, ANN, "Robert bought a canoe", unsure)
        with store.read() as reader:
            assert mentioned(reader, ANN) == {("robert", known.id), ("robert", again.id)}

    def test_ties_are_told_by_memories(self, store: Store) -> None:
        """A tie told twice is one edge with two memories; it is found from both of its ends."""
        with store.write() as writer:
            one = tell(writer, ANN, "Robert is Bob", ROBERT, BOBBY, ties=(ONE,))
            two = tell(writer, ANN, "Bob is Robert", ROBERT, BOBBY, ties=(ONE,))
            tell(writer, ANN, "my friend Bob", USER, BOBBY, ties=(FRIEND,))
        with store.read() as reader:
            told = [t for t in reader.ties(ANN, now=NOW) if t.relation == ALIAS]
            assert [t.memory_id for t in told] == [two.id, one.id]
            for key in ("robert", "bob"):
                ties = reader.ties_of(ANN, key, now=NOW, relation=ALIAS, limit=9)
                assert [t[:3] for t in ties] == [ONE[:3]]
            assert {t.relation for t in reader.ties_of(ANN, "bob", now=NOW, limit=9)} == {
                ALIAS, "friend"
            }  # fmt: skip
            assert len(reader.ties_of(ANN, SELF, now=NOW, limit=9)) == 1

    def test_only_live_memories_speak(self, store: Store) -> None:
        """What was superseded, is a candidate, or has expired mentions and ties nothing, and does
        so again when it comes back."""
        with store.write() as writer:
            gone = tell(writer, ANN, "Robert is Bob", ROBERT, BOBBY, ties=(ONE,))
            tell(writer, ANN, "perhaps 李雷", LI_LEI, status="candidate")
            tell(writer, ANN, "李雷 until now", LI_LEI, expires_at=later(minutes=-1))
            writer.change_memory(
                ANN, gone.id, {"status": "superseded"}, at=NOW, action="superseded"
            )
        with store.read() as reader:
            assert reader.mentions(ANN, now=NOW) == []
            assert reader.ties(ANN, now=NOW) == []
            assert reader.ties_of(ANN, "bob", now=NOW, limit=9) == []
        with store.write() as writer:
            writer.change_memory(ANN, gone.id, {"status": "active"}, at=NOW, action="undone")
        with store.read() as reader:
            assert {key for key, _ in mentioned(reader, ANN)} == {"robert", "bob"}

    def test_a_change_of_text_changes_the_names(self, store: Store) -> None:
        """New index terms bring new names and ties, and the old ones go with the last mention."""
        with store.write() as writer:
            memory = tell(writer, ANN, "Robert is Bob", ROBERT, BOBBY, ties=(ONE,))
            writer.change_memory(
                ANN,
                memory.id,
                {"text": "李雷 is here"},
                at=NOW,
                action="updated",
                fingerprint=fingerprint("李雷 is here"),
                terms=named("李雷 is here", (LI_LEI,)),
            )
        with store.read() as reader:
            assert [name.key for name in reader.names(ANN)] == ["李雷"]
            assert reader.ties(ANN, now=NOW) == []

    def test_names_are_set_without_a_change(self, store: Store) -> None:
        """`set_names` puts names in the place of others, and leaves neither version nor event."""
        with store.write() as writer:
            memory = tell(writer, ANN, "Robert is here", ROBERT)
            before = len(writer.events(ANN, memory_id=memory.id))
            writer.set_names(ANN, memory.id, named("Robert is here", (LI_LEI,)))
            assert [name.key for name in writer.names(ANN)] == ["李雷"]
            assert len(writer.events(ANN, memory_id=memory.id)) == before
            assert len(writer.versions(ANN, memory.id)) == 1

    def test_erasing_the_last_memory_erases_the_name(self, store: Store) -> None:
        """A name stays while one memory holds it, and goes with the last; no row is left over."""
        with store.write() as writer:
            one = tell(writer, ANN, "Robert is Bob", ROBERT, BOBBY, ties=(ONE,))
            two = tell(writer, ANN, "Robert bought a canoe", ROBERT)
        for id, left in ((one.id, ["robert"]), (two.id, [])):
            with store.write() as writer:
                writer.erase(ANN, memory_ids=[id], at=NOW, reason="test", event_id=new_id())
            with store.read() as reader:
                assert [name.key for name in reader.names(ANN)] == left
                assert reader.ties(ANN, now=NOW) == []

    def test_erasing_a_user_erases_their_names_only(self, store: Store) -> None:
        """`erase_space` leaves no name of the user, and all of another's."""
        with store.write() as writer:
            for scope in (ANN, BOB):
                tell(writer, scope, "Robert is Bob", ROBERT, BOBBY, ties=(ONE,))
        with store.write() as writer:
            writer.erase_space(ANN, at=NOW, reason="test", event_id=new_id())
        with store.read() as reader:
            assert reader.names(ANN) == []
            assert len(reader.names(BOB)) == 2
            assert len(reader.ties(BOB, now=NOW)) == 1

    def test_scopes_are_kept_apart(self, store: Store) -> None:
        """A user's names are their own; an agent's private memory names nothing to others; what is
        shared speaks to the whole tenant."""
        agent = Scope(tenant="acme", user="ann", agent="nurse")
        with store.write() as writer:
            tell(writer, agent, "Robert is Bob", ROBERT, BOBBY, ties=(ONE,), visibility="agent")
            shared = tell(writer, ANN, "李雷 leads", USER, LI_LEI, visibility="shared")
        with store.read() as reader:
            assert len(mentioned(reader, agent)) == 4
            for scope in (ANN, BOB):
                assert mentioned(reader, scope) == {(SELF, shared.id), ("李雷", shared.id)}
                assert reader.ties(scope, now=NOW) == []
                assert reader.ties_of(scope, "bob", now=NOW, limit=9) == []
            assert reader.names(Scope(tenant="other", user="ann")) == []

    def test_filling(self, store: Store) -> None:
        """The units that fill a slot, with every topic of a family; of the asked subject only, the
        newest first, and only live ones."""

        def fill(writer: Writer, text: str, attribute: str, subject: str = "user") -> None:
            slot = Slot(subject=subject, attribute=attribute, value=text)
            tell(writer, ANN, text, slot=slot)

        with store.write() as writer:
            fill(writer, "lives in Rome", "residence")
            fill(writer, "likes tea", "preference/tea")
            fill(writer, "likes 川菜", "preference/川菜")
            fill(writer, "prefers", "preferences")
            fill(writer, "Anna lives in Oslo", "residence", "Anna")
        with store.read() as reader:

            def texts(subject: str, *attributes: str, limit: int = 9) -> list[str]:
                keys = reader.filling(
                    ANN, subject=subject, attributes=attributes, now=NOW, limit=limit
                )
                units = reader.units(ANN, keys, select())
                return [units[key].memory.text for key in keys]  # type: ignore[union-attr]

            assert texts("user", "residence") == ["lives in Rome"]
            assert texts("user", "preference") == ["likes 川菜", "likes tea"]
            assert texts("user", "preference", "residence", limit=2) == ["likes 川菜", "likes tea"]
            assert texts("Anna", "residence") == ["Anna lives in Oslo"]
            assert texts("Anna") == []
