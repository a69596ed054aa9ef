"""`jiyi entities`: whom and what memories name, and how to tell two names apart."""

from __future__ import annotations

import pytest
from command_line import Jiyi


@pytest.mark.parametrize(
    ("alias", "relation", "names", "related"),
    [
        ("Robert, whom everybody calls Bob, lives in Lyon.", "Robert is married to Anna Miller.",
         ("Robert", "Bob"), "Anna Miller"),
        ("大家都管张伟叫老张", "张伟是李娜的老公", ("张伟", "老张"), "李娜"),
    ],
)  # fmt: skip
def test_entities_are_listed_shown_and_told_apart(
    jiyi: Jiyi, alias: str, relation: str, names: tuple[str, str], related: str
) -> None:
    """The list has names, other names and relations; one is shown by any name; --apart ends a
    merge; JSON has nodes and edges; nothing named exits with 3."""
    jiyi("add", "the bus was late", "-u", "ann")
    assert jiyi("entities", "-u", "ann").code == 3
    for text in (alias, relation):
        jiyi("add", text, "-u", "ann")
    listed = jiyi("entities", "-u", "ann")
    assert listed.code == 0
    assert all(name in listed.out for name in (*names, related))
    graph = jiyi("entities", "-u", "ann", "--json").json
    node = next(node for node in graph["nodes"] if node["name"] == names[0])
    assert set(node["names"]) == set(names)
    assert any(related in (edge["subject"], edge["object"]) for edge in graph["edges"])
    shown = jiyi("entities", names[1], "-u", "ann")
    assert names[0] in shown.out
    assert related in shown.out
    assert jiyi("entities", "Nobody", "-u", "ann").code == 3
    assert jiyi("entities", names[1], "--apart", names[0], "-u", "ann").code == 0
    assert jiyi("entities", names[1], "-u", "ann", "--json").json["names"] == [names[1]]
    assert jiyi("entities", "--apart", names[0], "-u", "ann").code != 0
    assert jiyi("entities", "--kind", "colour", "-u", "ann").code != 0
