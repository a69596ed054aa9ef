"""Python, REST and the command line offer the same operations; MCP the part that it declares."""

from __future__ import annotations

import inspect
import json
from typing import Any

import anyio
import pytest
from typer.main import get_command

from jiyi import Memory
from jiyi.cli.app import app as command_line
from jiyi.server import create_app

# What is no operation of a service, each with its reason.
NOT_SERVED = {
    "scoped": "scope fields go with every request",
    "on_behalf": "the key says who asks",
    "close": "the server closes its memory when it stops",
    "work": "it blocks until it is told to stop: `jiyi worker`, or the server's own thread",
}
# Parts of `task(…)`, which is an object in Python.
NOTES = {"task": {"notes", "note", "end_task"}}
# What REST has beside the verbs, each with its reason.
BESIDE = {
    "healthz": "for machines that watch",
    "readyz": "for machines that watch",
    "metrics": "for machines that watch",
    "chat_completions": "a door for programs that know OpenAI only",
    "models": "a door for programs that know OpenAI only",
    "list_keys": "jiyi.access.Keyring.list, `jiyi keys list`",
    "create_key": "jiyi.access.Keyring.create, `jiyi keys create`",
    "revoke_key": "jiyi.access.Keyring.revoke, `jiyi keys revoke`",
}
# Where each verb stands on the command line.
COMMANDS = {
    "observe": "import",
    "remember": "add",
    "remember_all": "import",
    "recall": "recall",
    "context": "context",
    "profile": "profile",
    "get": "show",
    "list": "list",
    "turns": "turns",
    "history": "history",
    "explain": "why",
    "stats": "stats",
    "entities": "entities",
    "entity": "entities",
    "separate": "entities",
    "correct": "correct",
    "update": "update",
    "feedback": "feedback",
    "undo": "undo",
    "set_permanent": "set",
    "task": "notes",
    "end_session": "end",
    "forget": "forget",
    "consolidate": "consolidate",
    "conflicts": "conflicts",
    "resolve_conflict": "conflicts",
    "add_documents": "documents",
    "documents": "documents",
    "remove_documents": "documents",
    "export": "export",
    "load": "load",
    "backup": "backup",
    "check": "doctor",
    "repair": "doctor",
    "reembed": "reembed",
    "work": "worker",
}
NO_COMMAND = {
    "scoped": "--tenant, --user, --agent and --session go with every command",
    "on_behalf": "who has the file needs no key",
    "close": "every command closes what it opened",
    "flush": "every command finishes its work before it ends",
}
# Commands that are no verb, each with its reason.
ONLY_COMMANDS = {
    "restore": "it replaces a store that nobody has open",
    "chat": "a conversation, made of observe and context",
    "eval": "scores your own questions",
    "serve": "a door",
    "mcp": "a door",
    "keys": "jiyi.access.Keyring",
}


def verbs() -> set[str]:
    found = inspect.getmembers(Memory, inspect.isfunction)
    return {name for name, _ in found if not name.startswith("_")}


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    with Memory(":memory:", embedder=None, background=False) as memory:
        return create_app(memory).openapi()


def test_rest_has_every_verb(schema: dict[str, Any]) -> None:
    """Every verb of Memory has its operation, and there is no operation beside but the listed."""
    there = {
        operation["operationId"] for path in schema["paths"].values() for operation in path.values()
    }
    wanted = verbs() - set(NOT_SERVED) - set(NOTES)
    for parts in NOTES.values():
        wanted |= parts
    assert there == wanted | set(BESIDE)


def test_the_command_line_has_every_verb() -> None:
    """Every verb has its command, and there is no command beside but the listed."""
    commands = set(get_command(command_line).commands)  # type: ignore[attr-defined]
    assert verbs() == set(COMMANDS) | set(NO_COMMAND)
    assert set(COMMANDS.values()) | set(ONLY_COMMANDS) == commands


def test_mcp_declares_its_part() -> None:
    """The tools of MCP are seven verbs of Memory, by their names."""
    pytest.importorskip("mcp")
    from jiyi.mcp.door import open_door
    from jiyi.mcp.server import build_server

    with Memory(":memory:", embedder=None, background=False) as memory:
        tools = anyio.run(build_server(open_door(memory)).list_tools)
    named = {"remember", "recall", "context", "profile", "forget", "history", "feedback"}
    assert {tool.name for tool in tools} == named <= verbs()


def test_the_description_is_whole(schema: dict[str, Any]) -> None:
    """Every operation has a summary, a description, its right and its problems; every body has an
    example; every schema that is spoken of is there."""
    text = json.dumps(schema)
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            place = f"{method} {path}"
            assert operation["summary"], place
            assert operation["description"], place
            if path.startswith("/v1"):
                assert operation["x-right"], place
                assert operation["security"], place
                assert {"401", "403", "429"} <= set(operation["responses"]), place
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body is not None and operation["operationId"] != "flush":
                assert "example" in json.dumps(body), place
    for name in set(text.split('"#/components/schemas/')[1:]):
        assert name.partition('"')[0] in schema["components"]["schemas"]
