"""`jiyi keys`: made, shown once, listed, revoked."""

from __future__ import annotations

from command_line import Jiyi


def test_the_life_of_a_key(jiyi: Jiyi) -> None:
    """The token is the only thing on standard output; the list tells what it opens and never the
    token; revoked is revoked."""
    made = jiyi("keys", "create", "网店", "--for-user", "孙", "--right", "read", "--days", "30")
    assert made.code == 0
    token = made.out.strip()
    assert token.startswith("jiyi_")
    assert " " not in token
    listed = jiyi("keys", "list", "--json")
    (key,) = listed.json
    assert (key["name"], key["users"], key["rights"]) == ("网店", ["孙"], ["read"])
    assert token.rsplit("_", 1)[1] not in listed.out
    assert "users 孙" in jiyi("keys", "list").out
    assert "opens nothing any more" in jiyi("keys", "revoke", key["id"]).out
    assert "revoked" in jiyi("keys", "list").out


def test_mistakes(jiyi: Jiyi) -> None:
    """A right that is none, an unknown key, days that make no sense: one line each."""
    assert jiyi("keys", "create", "k", "--right", "fly").code == 2
    assert jiyi("keys", "create", "k", "--days", "-1").code != 0
    assert jiyi("keys", "create", "k", "--days", "1e300").code != 0
    assert jiyi("keys", "create", "k", "--every-tenant", "--tenant", "acme").code != 0
    jiyi("keys", "create", "k")
    assert jiyi("keys", "revoke", "00000000-0000-7000-8000-000000000000").code == 3
