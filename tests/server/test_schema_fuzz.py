"""schemathesis over the description: whatever is sent, the server never fails, and what it answers
is what it describes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import APIOperation
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from served import run_app

from jiyi import Memory
from jiyi.access import RIGHTS, Keyring
from jiyi.server import create_app
from jiyi.settings import ServerSettings

_SOAK = bool(os.environ.get("JIYI_SOAK"))
_EXAMPLES = 300 if _SOAK else 3
# The whole store as a stream, and what waits for a model: covered by tests of their own.
_LEFT_OUT = ("backup", "reembed", "export", "load", "metrics", "models", "chat_completions")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A server, and a key that may do everything."""
    target = tmp_path_factory.mktemp("fuzz") / "memory.db"
    with Memory(target, embedder=None, background=False) as memory:
        made = Keyring(memory).create("fuzz", rights=RIGHTS, every_tenant=True)
        # The rate is no part of this.
        app = create_app(memory, ServerSettings(requests_per_minute=0))
        with run_app(app) as url:
            yield url, made.token


def test_no_server_error(address: tuple[str, str]) -> None:
    """No answer is a server error; every answer has a status, headers, a media type and a body
    that the description promises."""
    url, token = address
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.definition.raw.get("operationId") in _LEFT_OUT:
            continue
        _try(operation, token)
        tried += 1
    assert tried > 30


def _try(operation: APIOperation[Any, Any, Any, Any], token: str) -> None:
    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        derandomize=not _SOAK,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def send(case: schemathesis.Case) -> None:
        case.call_and_validate(
            headers={"Authorization": f"Bearer {token}"},
            checks=[
                not_a_server_error,
                status_code_conformance,
                content_type_conformance,
                response_headers_conformance,
                response_schema_conformance,
            ],
        )

    send()
