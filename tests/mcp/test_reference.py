"""The nine tools of the reference knowledge-graph server, and its file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.client import Client
from typer.testing import CliRunner

from jiyi import Memory
from jiyi.cli.app import app
from jiyi.formats import read_file
from jiyi.formats.values import Entity, Graph
from jiyi.mcp.door import open_door
from jiyi.mcp.graph import KnowledgeGraph
from jiyi.mcp.server import build_server

ANN = {"name": "Ann", "entityType": "person", "observations": ["likes tea", "speaks Spanish"]}
LI = {"name": "李工", "entityType": "人", "observations": ["负责发芽实验"]}
WORKS = {"from": "Ann", "to": "李工", "relationType": "works with"}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, background=False) as whole:
        yield whole.scoped(user="sun")


@pytest.fixture
def call(memory: Memory) -> Callable[..., Any]:
    """Call one tool; the whole result."""

    def call(tool: str, arguments: dict[str, Any] | None = None) -> Any:
        async def main() -> Any:
            async with Client(build_server(open_door(memory), reference=True)) as client:
                return await client.call_tool(tool, arguments or {})

        return anyio.run(main)

    return call


def graph_of(call: Callable[..., Any]) -> Any:
    return call("read_graph").structured_content


def test_nine_tools_with_their_shapes(memory: Memory) -> None:
    """Names, arguments and answers are those of the reference server."""

    async def main() -> None:
        async with Client(build_server(open_door(memory), reference=True)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            takes = {name: list(t.input_schema["properties"]) for name, t in tools.items()}
            assert takes == {
                "create_entities": ["entities"],
                "create_relations": ["relations"],
                "add_observations": ["observations"],
                "delete_entities": ["entityNames"],
                "delete_observations": ["deletions"],
                "delete_relations": ["relations"],
                "read_graph": [],
                "search_nodes": ["query"],
                "open_nodes": ["names"],
            }
            answers = {n: list((t.output_schema or {})["properties"]) for n, t in tools.items()}
            assert answers["create_entities"] == ["entities"]
            assert answers["add_observations"] == ["results"]
            assert answers["delete_relations"] == ["success", "message"]
            assert answers["open_nodes"] == ["entities", "relations"]
            edge = tools["create_relations"].input_schema["$defs"]["_RelationShape"]
            assert edge["required"] == ["from", "to", "relationType"]
            (resource,) = (await client.list_resources()).resources
            assert str(resource.uri) == "memory://knowledge-graph"

    anyio.run(main)


def test_a_life_of_a_graph(call: Callable[..., Any]) -> None:
    """Create, add, read, search, open and delete, with the reference server's own answers."""
    made = call("create_entities", {"entities": [ANN, LI]})
    assert made.structured_content == {"entities": [ANN, LI]}
    assert json.loads(made.content[0].text) == [ANN, LI]
    again = {**ANN, "observations": ["something else"]}
    assert call("create_entities", {"entities": [again]}).structured_content == {"entities": []}

    assert call("create_relations", {"relations": [WORKS]}).structured_content == {
        "relations": [WORKS]
    }
    assert call("create_relations", {"relations": [WORKS]}).structured_content == {"relations": []}

    more = {"entityName": "Ann", "contents": ["likes tea", "plays chess"]}
    assert call("add_observations", {"observations": [more]}).structured_content == {
        "results": [{"entityName": "Ann", "addedObservations": ["plays chess"]}]
    }
    missing = call("add_observations", {"observations": [{"entityName": "Bob", "contents": ["x"]}]})
    assert missing.is_error
    assert missing.content[0].text.endswith("Entity with name Bob not found")

    assert graph_of(call) == {
        "entities": [{**ANN, "observations": [*ANN["observations"], "plays chess"]}, LI],
        "relations": [WORKS],
    }
    found = call("search_nodes", {"query": "CHESS"}).structured_content
    assert [each["name"] for each in found["entities"]] == ["Ann"]
    assert found["relations"] == [WORKS]
    assert call("open_nodes", {"names": ["李工", "nobody"]}).structured_content == {
        "entities": [LI],
        "relations": [WORKS],
    }

    gone = {"entityName": "Ann", "observations": ["likes tea", "never said"]}
    done = call("delete_observations", {"deletions": [gone]})
    assert done.structured_content == {
        "success": True,
        "message": "Observations deleted successfully",
    }
    assert graph_of(call)["entities"][0]["observations"] == ["speaks Spanish", "plays chess"]
    call("delete_relations", {"relations": [WORKS]})
    assert graph_of(call)["relations"] == []
    call("create_relations", {"relations": [WORKS]})
    call("delete_entities", {"entityNames": ["Ann"]})
    assert graph_of(call) == {"entities": [LI], "relations": []}


def test_a_question_in_other_words_finds_nodes(call: Callable[..., Any]) -> None:
    """The reference server finds a node only by words in a row; ours also by recall."""
    call("create_entities", {"entities": [ANN, LI]})
    found = call("search_nodes", {"query": "who plays or likes some tea?"}).structured_content
    assert [each["name"] for each in found["entities"]] == ["Ann"]
    found = call("search_nodes", {"query": "谁做发芽的实验？"}).structured_content
    assert [each["name"] for each in found["entities"]] == ["李工"]
    assert call("search_nodes", {"query": "quantum"}).structured_content["entities"] == []


def test_what_is_deleted_is_erased(memory: Memory, call: Callable[..., Any]) -> None:
    """A deleted observation is gone from recall, list and history; it is not only hidden."""
    call("create_entities", {"entities": [ANN]})
    assert len(memory.recall("speaks Spanish")) == 1
    gone = {"entityName": "Ann", "observations": ["speaks Spanish"]}
    call("delete_observations", {"deletions": [gone]})
    assert not memory.recall("speaks Spanish", include=("superseded", "archived", "retracted"))


def test_the_graph_is_the_users_own(memory: Memory, call: Callable[..., Any]) -> None:
    """Another user has another graph; what they share is not in it; and an entity named user does
    not touch the profile."""
    KnowledgeGraph(memory.scoped(user="li")).create_entities(
        [Entity("user", "person", ("likes go",))]
    )
    assert graph_of(call) == {"entities": [], "relations": []}
    assert memory.scoped(user="li").profile().learned == ()


def test_consolidation_leaves_the_graph_as_it_is(memory: Memory, call: Callable[..., Any]) -> None:
    """Upkeep merges and archives memories; the graph still reads the same."""
    twins = {**ANN, "name": "Anna", "observations": ["likes tea", "really likes tea", "loves tea"]}
    call("create_entities", {"entities": [ANN, twins, LI]})
    before = graph_of(call)
    memory.consolidate()
    assert graph_of(call) == before


NAMES = st.sampled_from(["Ann", "ann", "ANN.", "user", "李工", "李 工", "a: b", "c#", "C"])
TEXTS = st.sampled_from(
    [
        "likes tea",
        "Likes tea.",
        "likes  tea",
        "likes tea #1",
        "喜欢茶",
        "喜欢茶。",
        "x: y",
        "3",
        "3.0",
    ]
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(NAMES, st.lists(TEXTS, max_size=4, unique=True)), max_size=5))
def test_what_goes_in_comes_out_exactly(told: list[tuple[str, list[str]]]) -> None:
    """Names and observations that differ in case, spaces or marks only stay apart, and each comes
    back letter by letter, as from a file."""
    expected: dict[str, list[str]] = {}
    with Memory(":memory:", embedder=None, background=False) as memory:
        graph = KnowledgeGraph(memory.scoped(user="sun"))
        for name, texts in told:
            graph.create_entities([Entity(name, "thing", ())])
            graph.add_observations([(name, texts)])
            known = expected.setdefault(name, [])
            known += [text for text in texts if text not in known]
        found = {e.name: list(e.observations) for e in graph.read().entities}
    assert {n: sorted(t) for n, t in found.items()} == {n: sorted(t) for n, t in expected.items()}


def test_its_file_is_imported(memory: Memory, tmp_path: Path) -> None:
    """The JSONL of the reference server is recognised and taken in, twice without doubling; names
    of the same file that differ in case only stay two."""
    lines = [
        {"type": "entity", **ANN},
        {"type": "entity", **LI},
        {"type": "entity", "name": "ann", "entityType": "person", "observations": ["likes tea"]},
        {"type": "relation", **WORKS},
    ]
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    imported = read_file(file)
    assert imported.format == "knowledge graph"
    graph = KnowledgeGraph(memory)
    assert graph.add(imported.graph) == 8
    assert graph.read() == imported.graph
    assert graph.add(imported.graph) == 0
    assert graph.read() == imported.graph
    assert memory.recall("负责发芽实验")[0].text == "李工: 负责发芽实验"


def test_the_command_line_imports_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`jiyi import memory.jsonl` takes the file in for a user."""
    file, db = tmp_path / "memory.jsonl", tmp_path / "agent.db"
    file.write_text(json.dumps({"type": "entity", **LI}, ensure_ascii=False), "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("JIYI_EMBEDDER", "none")
    arguments = ["import", str(file), "--user", "sun", "--db", str(db), "--json"]
    result = CliRunner().invoke(app, arguments)
    assert json.loads(result.stdout)["memories"] == 2
    with Memory(db, embedder=None) as memory:
        assert KnowledgeGraph(memory.scoped(user="sun")).read() == Graph(
            (Entity("李工", "人", ("负责发芽实验",)),)
        )
