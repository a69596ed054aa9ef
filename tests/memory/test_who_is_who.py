"""Whom and what memories name: aliases, relations, the graph, and what recall makes of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jiyi import ConflictError, Memory, NotFoundError


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, background=False) as opened:
        yield opened


@pytest.fixture
def sun(memory: Memory) -> Memory:
    return memory.scoped(user="sun")


ALIASES = [
    ("Robert, whom everybody calls Bob, lives in Lyon.", "Robert bought a red canoe last week.",
     "What did Bob buy?", "Bob", "Robert"),
    ("Our lead Tom Baker goes by TB.", "Tom Baker prefers to meet on Tuesdays",
     "When does TB like to meet?", "TB", "Tom Baker"),
    ("李雷（小李）负责后端。", "李雷喜欢喝乌龙茶", "小李喜欢喝什么？", "小李", "李雷"),
    ("大家都管张伟叫老张", "张伟的生日是五月三日", "老张的生日是哪天？", "老张", "张伟"),
    ("北京大学（简称北大）在海淀", "北京大学的图书馆周一闭馆", "北大的图书馆什么时候闭馆？",
     "北大", "北京大学"),
]  # fmt: skip


@pytest.mark.parametrize(("alias", "fact", "question", "name", "other"), ALIASES)
@pytest.mark.parametrize("way", ["observe", "remember"])
def test_two_names_are_one_entity(
    sun: Memory, alias: str, fact: str, question: str, name: str, other: str, way: str
) -> None:
    """Scenario 17: what is said under one name is found under the other, in turns and in memories,
    and the entity has both names with the memory that says so."""
    for text in ("The bus was late again", "今天的会开得太久了"):
        sun.observe(text)
    for text in (alias, fact):
        sun.observe(text) if way == "observe" else sun.remember(text)
    # What is told with a date has the date behind its words.
    assert sun.recall(question)[0].text.startswith(fact.rstrip("。."))
    entity = sun.entity(name)
    assert {name, other} <= set(entity.names)
    assert sun.entity(other).names == entity.names
    assert sun.get(entity.aliases[0].memory_ids[0]).text.rstrip("。.") == alias.rstrip("。.")


def test_names_that_only_look_alike_stay_two(sun: Memory) -> None:
    """Nothing is merged by the look of names alone."""
    for text in (
        "Robert lives in Lyon",
        "I met Robert Smith in Oslo",
        "Rob is my friend",
        "My friend Robin",
    ):
        sun.remember(text)
    sun.remember("我同事李雷在北京")
    sun.remember("我同事李蕾在上海")
    for node in sun.entities().nodes:
        assert len(node.names) == 1, node


RELATED = [
    ("My sister Anna works at Acme.", "Acme builds bridges out of steel",
     "What does my sister's company build?", "sister", "Anna"),
    ("我妹妹小红在腾讯上班。", "小红对花生过敏", "我妹妹对什么过敏？", "sister", "小红"),
    ("我女儿叫朵朵", "朵朵喜欢画画", "我女儿喜欢什么？", "daughter", "朵朵"),
    ("My dog is called Rex", "Rex is afraid of thunder", "What is my dog afraid of?", "dog", "Rex"),
]  # fmt: skip


@pytest.mark.parametrize(("relation", "fact", "question", "label", "name"), RELATED)
def test_who_is_meant_by_what_they_are(
    sun: Memory, relation: str, fact: str, question: str, label: str, name: str
) -> None:
    """A question about "my sister" finds what is known under her name, and what that names."""
    for text in ("The bus was late again", "今天的会开得太久了", relation, fact):
        sun.remember(text)
    sun.observe(relation)
    found = sun.recall(question, units="memory")
    assert fact in [hit.text for hit in found[:2]]
    edges = {(edge.subject, edge.relation, edge.object) for edge in sun.entity("user").relations}
    assert ("user", label, name) in edges


def test_the_graph_has_nodes_and_edges(sun: Memory) -> None:
    """Nodes are sorted by how often they are named; an edge names its ends and its memories."""
    first = sun.remember("My sister Anna works at Acme.").memory_id
    sun.remember("Anna moved to Oslo")
    graph = sun.entities()
    assert graph.nodes[0].name == "Anna"
    assert len(graph.nodes[0].memory_ids) == 2
    employer = next(edge for edge in graph.edges if edge.relation == "employer")
    assert (employer.subject, employer.object, employer.memory_ids) == ("Anna", "Acme", (first,))
    people = sun.entities(kind="person")
    assert [node.name for node in people.nodes] == ["Anna"]
    with pytest.raises(NotFoundError):
        sun.entity("Nobody")


def test_two_names_are_told_apart_again(sun: Memory) -> None:
    """`separate` ends a merge without losing a word, says nothing new about others, and `undo`
    brings the merge back."""
    told = sun.remember("Robert, whom everybody calls Bob, lives in Lyon.").memory_id
    sun.remember("Robert bought a red canoe")
    receipt = sun.separate("bob", "Robert")
    assert receipt.memory_id == told
    assert sun.entity("Bob").names == ("Bob",)
    assert sun.get(told).text == "Robert, whom everybody calls Bob, lives in Lyon."
    with pytest.raises(NotFoundError):
        sun.separate("Bob", "Robert")
    sun.undo(told)
    assert set(sun.entity("Bob").names) == {"Bob", "Robert"}
    sun.separate("Bob", "Robert")
    sun.remember("Bob is short for Robert.")
    assert set(sun.entity("Bob").names) == {"Bob", "Robert"}, "said anew"


def test_names_go_with_their_last_memory(tmp_path: Path) -> None:
    """Forgetting the last memory that names somebody leaves no byte of the name in the files."""
    path = tmp_path / "store.db"
    with Memory(path, embedder=None, background=False) as memory:
        sun = memory.scoped(user="sun")
        sun.remember("My sister Wilhelmina works at Acme.")
        sun.remember("我妹妹赵晓棠在腾讯上班。")
        assert sun.entity("Wilhelmina").relations
        for name in ("Wilhelmina", "赵晓棠"):
            sun.forget(subject=name)
            with pytest.raises(NotFoundError):
                sun.entity(name)
    held = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    for name in ("Wilhelmina", "wilhelmina", "赵晓棠"):
        assert name.encode() not in held


def test_users_do_not_see_each_others_names(memory: Memory) -> None:
    """An alias that one user told makes nothing one for another."""
    sun, moon = memory.scoped(user="sun"), memory.scoped(user="moon")
    sun.remember("Robert, whom everybody calls Bob, lives in Lyon.")
    moon.remember("Robert bought a red canoe")
    moon.remember("my friend Robert")
    assert (
        not moon.recall("What did Bob buy?") or moon.recall("What did Bob buy?").support != "strong"
    )
    with pytest.raises(NotFoundError):
        moon.entity("Bob")
    with pytest.raises(NotFoundError):
        moon.separate("Bob", "Robert")


def test_a_shared_alias_is_its_authors(memory: Memory) -> None:
    """What one user shares ties names for all of the tenant, and only its author separates them."""
    sun, moon = memory.scoped(tenant="t", user="sun"), memory.scoped(tenant="t", user="moon")
    sun.remember("李雷（小李）负责后端", visibility="shared")
    assert set(moon.entity("小李").names) == {"小李", "李雷"}
    with pytest.raises(ConflictError):
        moon.separate("小李", "李雷")
    sun.separate("小李", "李雷")
    assert moon.entity("小李").names == ("小李",)


def test_names_survive_export_and_load(tmp_path: Path) -> None:
    """An archive brings aliases, relations, and what was told apart."""
    with Memory(tmp_path / "a.db", embedder=None, background=False) as memory:
        sun = memory.scoped(user="sun")
        sun.remember("Robert, whom everybody calls Bob, lives in Lyon.")
        sun.remember("大家都管张伟叫老张")
        sun.remember("My sister Anna works at Acme.")
        sun.separate("老张", "张伟")
        before = sun.entities()
        sun.export(tmp_path / "archive.jsonl")
    with Memory(tmp_path / "b.db", embedder=None, background=False) as memory:
        memory.load(tmp_path / "archive.jsonl")
        assert memory.scoped(user="sun").entities() == before


def test_the_trace_tells_of_both_arms(sun: Memory) -> None:
    """`explain` shows how many units the entity and the profile arm scored, and their parts."""
    sun.observe("I live in Berlin.")
    sun.remember("My sister Anna works at Acme.")
    sun.remember("Anna plays the cello")
    sun.recall("Where do I live?")
    trace = sun.explain()
    assert trace.arms["profile"] == 1
    assert any(c.scores.get("profile") for c in trace.candidates)
    sun.remember("Acme builds bridges")
    sun.recall("What does my sister play?")
    trace = sun.explain()
    assert trace.arms["names"] == 2, "Anna, whom it means, and Acme, which she is tied to"
    assert trace.arms["entity"] == 2, "the memories that name Acme"
    assert any(c.scores.get("entity") for c in trace.candidates)


def test_names_of_an_older_store_are_read(tmp_path: Path) -> None:
    """A store from before names were kept says so, and `repair` reads them from the words."""
    path = tmp_path / "store.db"
    with Memory(path, embedder=None, background=False) as memory:
        sun = memory.scoped(user="sun")
        sun.observe("My sister Anna works at Acme.")
        expected = sun.entities()
    with closing(sqlite3.connect(path)) as db:
        for table in ("relation_source", "relation", "entity_mention", "entity"):
            db.execute(f"DELETE FROM {table}")
        db.commit()
    with Memory(path, embedder=None, background=False) as memory:
        assert [finding.name for finding in memory.check()] == ["names not read"]
        assert memory.repair() == {"names not read": 1}
        assert memory.scoped(user="sun").entities() == expected
        assert memory.check() == ()
        assert memory.repair() == {}
