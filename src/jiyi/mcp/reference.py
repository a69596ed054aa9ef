"""The nine tools of the reference knowledge-graph memory server, in their exact shapes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from jiyi.errors import JiyiError, NotFoundError
from jiyi.formats.values import Entity, Graph, Relation
from jiyi.mcp.door import Door
from jiyi.mcp.failures import telling
from jiyi.mcp.graph import KnowledgeGraph

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from jiyi.types import Right

GRAPH: Final = "memory://knowledge-graph"


class _EntityShape(BaseModel):
    name: str = Field(description="The name of the entity")
    entityType: str = Field(description="The type of the entity")  # noqa: N815 - their name
    observations: list[str] = Field(
        description="An array of observation contents associated with the entity"
    )


class _RelationShape(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    source: str = Field(
        alias="from", description="The name of the entity where the relation starts"
    )
    to: str = Field(description="The name of the entity where the relation ends")
    relationType: str = Field(description="The type of the relation")  # noqa: N815 - their name


class _NewObservations(BaseModel):
    entityName: str = Field(  # noqa: N815 - their name
        description="The name of the entity to add the observations to"
    )
    contents: list[str] = Field(description="An array of observation contents to add")


class _GoneObservations(BaseModel):
    entityName: str = Field(  # noqa: N815 - their name
        description="The name of the entity containing the observations"
    )
    observations: list[str] = Field(description="An array of observations to delete")


class _AddedObservations(BaseModel):
    entityName: str  # noqa: N815 - their name
    addedObservations: list[str]  # noqa: N815 - their name


class _Entities(BaseModel):
    entities: list[_EntityShape]


class _Relations(BaseModel):
    relations: list[_RelationShape]


class _Results(BaseModel):
    results: list[_AddedObservations]


class _GraphShape(BaseModel):
    entities: list[_EntityShape]
    relations: list[_RelationShape]


class _Done(BaseModel):
    success: bool
    message: str


_NAMES = Field(description="An array of entity names to delete")


def add_reference_tools(server: MCPServer[Any], door: Door) -> None:
    """Register the nine tools, and the graph as a resource."""
    tools = _Tools(door)

    def add(tool: Callable[..., Any], *, reads: bool = False, deletes: bool = False) -> None:
        server.add_tool(
            telling(tool),
            title=tool.__name__.replace("_", " ").title(),
            description=" ".join((tool.__doc__ or "").split()),
            annotations=ToolAnnotations(
                read_only_hint=reads,
                destructive_hint=deletes,
                idempotent_hint=reads or deletes,
                open_world_hint=False,
            ),
        )

    add(tools.create_entities)
    add(tools.create_relations)
    add(tools.add_observations)
    add(tools.delete_entities, deletes=True)
    add(tools.delete_observations, deletes=True)
    add(tools.delete_relations, deletes=True)
    add(tools.read_graph, reads=True)
    add(tools.search_nodes, reads=True)
    add(tools.open_nodes, reads=True)
    server.resource(
        GRAPH, name="knowledge-graph", title="Knowledge Graph", mime_type="application/json"
    )(tools.resource)


class _Tools:
    """The tools, on the memory of whoever calls."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def _graph(self, right: Right) -> KnowledgeGraph:
        return KnowledgeGraph(self._door(right))

    def create_entities(self, entities: list[_EntityShape]) -> Annotated[CallToolResult, _Entities]:
        """Create multiple new entities in the knowledge graph"""
        given = [Entity(e.name, e.entityType, tuple(e.observations)) for e in entities]
        made = [_entity(entity) for entity in self._graph("write").create_entities(given)]
        return _answer(made, {"entities": made})

    def create_relations(
        self, relations: list[_RelationShape]
    ) -> Annotated[CallToolResult, _Relations]:
        """Create multiple new relations between entities in the knowledge graph. Relations should
        be in active voice"""
        made = [
            _relation(edge) for edge in self._graph("write").create_relations(_edges(relations))
        ]
        return _answer(made, {"relations": made})

    def add_observations(
        self,
        observations: list[_NewObservations],
    ) -> Annotated[CallToolResult, _Results]:
        """Add new observations to existing entities in the knowledge graph"""
        given = [(each.entityName, each.contents) for each in observations]
        try:
            added = self._graph("write").add_observations(given)
        except NotFoundError as error:
            raise ToolError(f"Entity with name {error.id} not found") from error
        made = [{"entityName": name, "addedObservations": list(new)} for name, new in added]
        return _answer(made, {"results": made})

    def delete_entities(
        self,
        entityNames: Annotated[list[str], _NAMES],  # noqa: N803 - their name
    ) -> Annotated[CallToolResult, _Done]:
        """Delete multiple entities and their associated relations from the knowledge graph"""
        self._graph("forget").delete_entities(entityNames)
        return _done("Entities deleted successfully")

    def delete_observations(
        self,
        deletions: list[_GoneObservations],
    ) -> Annotated[CallToolResult, _Done]:
        """Delete specific observations from entities in the knowledge graph"""
        given = [(each.entityName, each.observations) for each in deletions]
        self._graph("forget").delete_observations(given)
        return _done("Observations deleted successfully")

    def delete_relations(
        self,
        relations: Annotated[
            list[_RelationShape], Field(description="An array of relations to delete")
        ],
    ) -> Annotated[CallToolResult, _Done]:
        """Delete multiple relations from the knowledge graph"""
        self._graph("forget").delete_relations(_edges(relations))
        return _done("Relations deleted successfully")

    def read_graph(self) -> Annotated[CallToolResult, _GraphShape]:
        """Read the entire knowledge graph"""
        return _whole(self._graph("read").read())

    def search_nodes(
        self,
        query: Annotated[
            str,
            Field(
                description="The search query to match against entity names, types, and "
                "observation content"
            ),
        ],
    ) -> Annotated[CallToolResult, _GraphShape]:
        """Search for nodes in the knowledge graph based on a query"""
        return _whole(self._graph("read").search(query))

    def open_nodes(
        self,
        names: Annotated[list[str], Field(description="An array of entity names to retrieve")],
    ) -> Annotated[CallToolResult, _GraphShape]:
        """Open specific nodes in the knowledge graph by their names"""
        return _whole(self._graph("read").open(names))

    def resource(self) -> str:
        """The full knowledge graph with all entities and relations"""
        try:
            return _json(_graph(self._graph("read").read()))
        except JiyiError as error:
            raise ResourceError(str(error)) from error


def _edges(relations: Sequence[_RelationShape]) -> list[Relation]:
    return [Relation(each.source, each.to, each.relationType) for each in relations]


def _entity(entity: Entity) -> dict[str, Any]:
    return {
        "name": entity.name,
        "entityType": entity.entity_type,
        "observations": list(entity.observations),
    }


def _relation(edge: Relation) -> dict[str, Any]:
    return {"from": edge.source, "to": edge.target, "relationType": edge.relation_type}


def _graph(graph: Graph) -> dict[str, Any]:
    return {
        "entities": [_entity(entity) for entity in graph.entities],
        "relations": [_relation(edge) for edge in graph.relations],
    }


def _whole(graph: Graph) -> CallToolResult:
    shape = _graph(graph)
    return _answer(shape, shape)


def _done(message: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=message)],
        structured_content={"success": True, "message": message},
    )


def _answer(said: Any, structured: dict[str, Any]) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=_json(said))], structured_content=structured
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
