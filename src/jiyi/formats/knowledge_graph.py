"""The file of the reference knowledge-graph memory server: JSON lines of entities and relations.

{"type": "entity", "name": "Ann", "entityType": "person", "observations": ["likes tea"]}
{"type": "relation", "from": "Ann", "to": "Acme", "relationType": "works at"}
"""

from __future__ import annotations

from typing import Any

from jiyi.formats.values import Entity, Graph, Relation, not_ours


def fits(value: Any) -> bool:
    """Whether decoded JSON lines look like such a file."""
    lines = value if isinstance(value, list) else [value]
    return bool(lines) and all(
        isinstance(line, dict)
        and (
            (line.get("type") == "entity" and "entityType" in line)
            or (line.get("type") == "relation" and "relationType" in line)
        )
        for line in lines
    )


def read(value: Any, name: str) -> Graph:
    """The graph of a file that `fits`."""
    entities, relations = [], []
    for number, line in enumerate(value if isinstance(value, list) else [value], start=1):
        place = f"{name}, line {number}"
        if line["type"] == "entity":
            told = line.get("observations", [])
            if not isinstance(told, list):
                raise not_ours(place, "observations is not a list")
            observations = tuple(_text(each, place, "observations") for each in told)
            entity_name, entity_type = _texts(line, place, "name", "entityType")
            entities.append(Entity(entity_name, entity_type, observations))
        else:
            relations.append(Relation(*_texts(line, place, "from", "to", "relationType")))
    return Graph(tuple(entities), tuple(relations))


def _texts(line: dict[str, Any], place: str, *fields: str) -> list[str]:
    return [_text(line.get(field), place, field) for field in fields]


def _text(value: Any, place: str, field: str) -> str:
    if not isinstance(value, str):
        raise not_ours(place, f"{field} is not a text")
    return value
