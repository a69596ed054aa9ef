"""Who may come in, and what a service answered: keys, actors of the audit log, replies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jiyi.errors import ConflictError, NotFoundError
from jiyi.ids import new_id
from jiyi.ports import Store
from jiyi.testing.store_suite.builders import ANN, BOB, HOSTILE_IDS, NOW, StoreSuite, later, put
from jiyi.types import AuditEvent, Key, Reply, Scope


def make_key(**fields: object) -> Key:
    """A key that may read."""
    values = {"id": new_id(), "name": "k", "rights": frozenset({"read"}), "created_at": NOW}
    return Key(**{**values, **fields})  # type: ignore[arg-type]


class AccessTests(StoreSuite):
    """`access_key`, `access_keys`, `add_access_key`, `revoke_access_key`, `actor`, `reply`."""

    def test_keys_come_back_whole(self, store: Store) -> None:
        """Every field of a key is kept, and its digest beside it; none comes for another id."""
        bare = make_key()
        full = make_key(
            name="网店",
            rights=frozenset({"admin", "forget"}),
            created_at=later(minutes=1),
            tenant="acme",
            users=HOSTILE_IDS,
            agents=("a",),
            expires_at=later(days=1),
        )
        every = make_key(every_tenant=True, created_at=later(minutes=2))
        with store.write() as writer:
            for number, key in enumerate((bare, full, every)):
                writer.add_access_key(key, bytes([number]) * 32)
        with store.read() as reader:
            assert reader.access_keys() == [bare, full, every]
            assert reader.access_key(full.id) == (full, bytes([1]) * 32)
            assert reader.access_key(new_id()) is None

    def test_a_key_is_added_once(self, store: Store) -> None:
        """An id that is taken is refused, and what is there stays."""
        key = make_key()
        with store.write() as writer:
            writer.add_access_key(key, b"1")
        with pytest.raises(ConflictError), store.write() as writer:
            writer.add_access_key(replace(key, name="other"), b"2")
        with store.read() as reader:
            assert reader.access_key(key.id) == (key, b"1")

    def test_revoking_is_for_good(self, store: Store) -> None:
        """The first revocation counts; other keys stay; an unknown one is an error."""
        gone, kept = make_key(), make_key()
        with store.write() as writer:
            writer.add_access_key(gone, b"1")
            writer.add_access_key(kept, b"2")
            assert writer.revoke_access_key(gone.id, at=NOW).revoked_at == NOW
            assert writer.revoke_access_key(gone.id, at=later(days=1)).revoked_at == NOW
            with pytest.raises(NotFoundError):
                writer.revoke_access_key(new_id(), at=NOW)
        with store.read() as reader:
            assert {key.id: key.revoked_at for key in reader.access_keys()} == {
                gone.id: NOW,
                kept.id: None,
            }

    def test_keys_outlast_erasures_and_stay_out_of_archives(self, store: Store) -> None:
        """Keys belong to the service, not to a user: erasing a tenant leaves them, and no archive
        of any space holds one."""
        key = make_key(tenant="acme", users=("ann",))
        with store.write() as writer:
            writer.add_access_key(key, b"1")
            put(writer, ANN, "one thing")
            dumped = [value for space in writer.spaces() for value in writer.dump(space)]
            writer.erase_space(Scope(tenant="acme"), at=NOW, reason="on request", event_id=new_id())
        assert not any("access" in type(value).__name__.casefold() for value in dumped)
        assert key.id not in repr(dumped)
        with store.read() as reader:
            assert reader.access_keys() == [key]

    def test_events_name_the_actor_of_their_transaction(self, store: Store) -> None:
        """What a transaction changes is logged as its actor's doing; the next one has none; an
        event that names another keeps it."""
        with store.write() as writer:
            writer.actor = "key-1"
            first = put(writer, ANN, "one thing")
            writer.add_event(ANN, AuditEvent(id=new_id(), at=NOW, action="noted", actor="key-2"))
        with store.write() as writer:
            assert writer.actor is None
            second = put(writer, ANN, "another thing")
        with store.read() as reader:
            assert {e.actor for e in reader.events(ANN, memory_id=first.id)} == {"key-1"}
            assert {e.actor for e in reader.events(ANN, memory_id=second.id)} == {None}
            assert "key-2" in {e.actor for e in reader.events(ANN)}

    def test_replies_are_kept_replaced_and_dropped(self, store: Store) -> None:
        """A reply is found by its name in its own space only, the newest one; it goes when it is
        dropped or old."""
        begun = Reply(digest=b"d", at=NOW)
        done = Reply(digest=b"d", at=later(minutes=1), body='{"memory_id": null}')
        with store.write() as writer:
            assert writer.reply(ANN, b"n") is None
            writer.put_reply(ANN, b"n", begun)
            writer.put_reply(ANN, b"other", begun)
            assert writer.reply(ANN, b"n") == begun
            writer.put_reply(ANN, b"n", done)
        with store.write() as writer:
            assert writer.reply(ANN, b"n") == done
            assert writer.reply(BOB, b"n") is None
            assert writer.drop_replies(before=later(seconds=1)) == 1
            assert writer.reply(ANN, b"other") is None
            writer.drop_reply(ANN, b"n")
            assert writer.reply(ANN, b"n") is None
