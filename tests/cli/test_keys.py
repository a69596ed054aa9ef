"""`jiyi keys`: made, shown once, listed, revoked."""

from __future__ import annotations

import pytest
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


@pytest.mark.parametrize("name", ["网店", "web shop"])
def test_a_key_is_revoked_by_what_the_list_shows(jiyi: Jiyi, name: str) -> None:
    """The list fits a narrow terminal and shows an id that can be typed."""
    jiyi("keys", "create", name, "--for-user", "孙小梅", "--for-user", "dana", "--tenant", "acme")
    jiyi("keys", "create", "other")
    listed = jiyi("keys", "list").out
    chosen, other = jiyi("keys", "list", "--json").json
    shown = chosen["id"][-8:]
    assert shown in listed
    assert name in jiyi("keys", "revoke", shown).out
    assert [key["revoked_at"] is None for key in jiyi("keys", "list", "--json").json] == [
        False,
        True,
    ]
    assert other["id"][-8:] != shown
    assert jiyi("keys", "revoke", "00000000").code == 3


def test_mistakes(jiyi: Jiyi) -> None:
    """A right that is none, an unknown key, days that make no sense: one line each."""
    assert jiyi("keys", "create", "k", "--right", "fly").code == 2
    assert jiyi("keys", "create", "k", "--days", "-1").code != 0
    assert jiyi("keys", "create", "k", "--days", "1e300").code != 0
    assert jiyi("keys", "create", "k", "--every-tenant", "--tenant", "acme").code != 0
    jiyi("keys", "create", "k")
    assert jiyi("keys", "revoke", "00000000-0000-7000-8000-000000000000").code == 3
