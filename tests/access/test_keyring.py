"""Keys: what they open, how they end, and that nothing else opens the door."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from jiyi import Memory
from jiyi.access import RIGHT_OF, Keyring
from jiyi.access.rights import OF_THE_STORE
from jiyi.access.secret import digest_of
from jiyi.errors import (
    AccessError,
    InvalidInputError,
    NotFoundError,
    StoreUnavailableError,
)
from jiyi.testing import FakeClock
from jiyi.types import Right, ScopeFields


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(clock: FakeClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, clock=clock, background=False) as memory:
        yield memory


@pytest.fixture
def keyring(memory: Memory) -> Keyring:
    return Keyring(memory)


def test_a_token_opens_what_its_key_says(memory: Memory, keyring: Keyring) -> None:
    """A key for one user fills that user in, reads what was written, and is listed whole."""
    made = keyring.create("网店 shop", tenant="acme", users=["孙"], agents=["helper"])
    admission = keyring.admit(made.token)
    assert admission.key == made.key == keyring.list()[0]
    view = admission.memory("write", session="A")
    view.remember("爱吃川菜")
    assert view.scope.as_dict() == {
        "tenant": "acme",
        "user": "孙",
        "agent": "helper",
        "session": "A",
    }
    assert [hit.text for hit in memory.recall("川菜", tenant="acme", user="孙")] == ["爱吃川菜"]
    assert not memory.recall("川菜", tenant="acme")


@pytest.mark.parametrize(
    ("limits", "scope", "problem"),
    [
        ({"tenant": "acme"}, {"tenant": "other"}, "another tenant"),
        ({}, {"tenant": "acme"}, "another tenant"),
        ({"users": ["sun"]}, {"user": "li"}, "that user"),
        ({"users": ["sun", "li"]}, {}, "several users"),
        ({"agents": ["a"]}, {"agent": "b"}, "that agent"),
        ({"agents": ["a", "b"]}, {}, "several agents"),
    ],
)
def test_scopes_out_of_reach(
    keyring: Keyring, limits: dict[str, object], scope: ScopeFields, problem: str
) -> None:
    """Neither the admission nor any verb of a view goes where the key does not reach."""
    admission = keyring.admit(keyring.create("k", **limits).token)
    with pytest.raises(AccessError, match=problem):
        admission.memory("read", **scope).recall("x")
    if not problem.startswith("several"):
        with pytest.raises(AccessError, match=problem):
            admission.memory("read").recall("x", **scope)
        with pytest.raises(AccessError, match=problem):
            admission.memory("read").scoped(**scope)
        with pytest.raises(AccessError, match=problem):
            admission.memory("read").task("t", **scope)


def test_every_tenant(keyring: Keyring) -> None:
    """An operator's key works in any tenant; only such a key opens the store as a whole."""
    operator = keyring.admit(keyring.create("op", rights=["admin"], every_tenant=True).token)
    assert operator.scope("admin", tenant="acme").tenant == "acme"
    assert operator.whole_store().check() == ()
    for limits in ({}, {"tenant": "acme"}, {"every_tenant": True, "users": ["sun"]}):
        bound = keyring.admit(keyring.create("b", rights=["admin"], **limits).token)
        with pytest.raises(AccessError, match="every tenant"):
            bound.whole_store()


@pytest.mark.parametrize("right", ["read", "write", "forget", "admin"])
def test_rights_do_not_imply_each_other(keyring: Keyring, right: Right) -> None:
    """A key has the rights that it was given, and no other."""
    admission = keyring.admit(keyring.create("k", rights=[right]).token)
    for other in ("read", "write", "forget", "admin"):
        assert admission.may(other) == (other == right)
        if other != right:
            with pytest.raises(AccessError, match="may not"):
                admission.memory(other)


def test_keys_end(keyring: Keyring, clock: FakeClock) -> None:
    """A revoked key and an expired one are refused like an unknown one, and say the same."""
    lasting = keyring.create("lasting")
    brief = keyring.create("brief", expires_at=clock() + timedelta(hours=1))
    keyring.admit(brief.token)
    clock.advance(hours=1)
    assert keyring.revoke(lasting.key.id).revoked_at == clock()
    clock.advance(hours=1)
    assert keyring.revoke(lasting.key.id).revoked_at == clock() - timedelta(hours=1)
    for token in (lasting.token, brief.token, "jiyi_nonsense", "", "密钥", lasting.token + "x"):
        with pytest.raises(AccessError, match="unknown, revoked or expired") as refused:
            keyring.admit(token)
        assert not refused.value.known
    with pytest.raises(NotFoundError):
        keyring.revoke("00000000-0000-7000-8000-000000000009")


def test_only_the_digest_is_kept(memory: Memory, keyring: Keyring) -> None:
    """The store holds no secret; two keys with one secret would have two digests."""
    made = keyring.create("k")
    secret = made.token.split("_", 2)[2]
    with memory.store.read() as reader:
        found = reader.access_key(made.key.id)
    assert found is not None
    assert found[1] == digest_of(made.key.id, secret)
    assert secret.encode() not in found[1]
    other = keyring.create("k")
    assert digest_of(other.key.id, secret) != found[1]
    with pytest.raises(AccessError):
        keyring.admit(other.token.rsplit("_", 1)[0] + "_" + secret)


def test_open_until_the_first_key(memory: Memory) -> None:
    """Where allowed, everybody comes in until a key is made, and not again after it is revoked."""
    shut, ajar = Keyring(memory), Keyring(memory, open_without_keys=True)
    with pytest.raises(AccessError, match="needed"):
        shut.admit(None)
    assert ajar.admit(None).memory("forget", user="sun").scope.user == "sun"
    assert ajar.admit("sk-anything").key is None
    ajar.revoke(ajar.create("first").key.id)
    for token in (None, "sk-anything"):
        with pytest.raises(AccessError):
            ajar.admit(token)


def test_a_store_that_is_away_shuts_nobody_out_at_once(
    memory: Memory, keyring: Keyring, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was let in lately still is while the store cannot be asked, for a few minutes and not
    beyond the end of the key; who was not, or is refused since, is not."""
    known, brief, stranger, dead = (keyring.create(name).token for name in "abcd")
    ends = keyring.create("e", expires_at=clock() + timedelta(minutes=1)).token
    keyring.revoke(keyring.list()[3].id)
    for token in (known, brief, ends):
        keyring.admit(token)
    with pytest.raises(AccessError):
        keyring.admit(dead)
    keyring.revoke(keyring.list()[1].id)
    with pytest.raises(AccessError):
        keyring.admit(brief)

    def away() -> None:
        raise StoreUnavailableError("away")

    monkeypatch.setattr(memory.store, "read", away)
    assert keyring.admit(known).key is not None
    clock.advance(minutes=2)
    for token in (brief, stranger, dead, ends):
        with pytest.raises(StoreUnavailableError):
            keyring.admit(token)
    clock.advance(minutes=4)
    with pytest.raises(StoreUnavailableError):
        keyring.admit(known)


@pytest.mark.parametrize(
    "wrong",
    [
        {"rights": ["fly"]},
        {"rights": []},
        {"users": []},
        {"tenant": ""},
        {"tenant": "a", "every_tenant": True},
        {"expires_at": "2001-01-01"},
        {"name": " "},
    ],
)
def test_bad_keys_are_not_made(keyring: Keyring, wrong: dict[str, object]) -> None:
    """One clear error, and no key."""
    with pytest.raises(InvalidInputError):
        keyring.create(**{"name": "k", **wrong})
    assert keyring.list() == ()


def test_the_audit_names_the_key(memory: Memory, keyring: Keyring) -> None:
    """What is changed through a key is logged as its doing, consolidation included; what the
    program does itself names nobody; an archive keeps it."""
    made = keyring.create("k", users=["sun"])
    view = keyring.admit(made.token).memory("write")
    first = view.remember("lives in Rome").memory_id
    second = memory.remember("喜欢绿茶", user="sun").memory_id
    assert first is not None
    assert second is not None
    view.correct(first, "lives in Lyon")
    assert {e.actor for e in view.history(first).events} == {made.key.id}
    assert {e.actor for e in view.history(second).events} == {None}
    view.consolidate()


def test_every_verb_has_a_right() -> None:
    """A verb that is added to Memory must be given the right that it needs."""
    not_verbs = {"close", "scoped", "on_behalf", "clock", "scope", "store"}
    verbs = {name for name in dir(Memory) if not name.startswith("_")} - not_verbs
    assert set(RIGHT_OF) == verbs
    assert verbs >= OF_THE_STORE
