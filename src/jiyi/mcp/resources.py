"""What a client can attach or start from without a tool: the profile, recent memories, a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from pydantic import Field

from jiyi.errors import InvalidInputError, JiyiError, NotFoundError
from jiyi.formats.plain import to_plain
from jiyi.mcp.door import Door

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from jiyi.types import MemoryRecord

PROFILE: Final = "jiyi://profile"
RECENT: Final = "jiyi://memories/recent"
ONE: Final = "jiyi://memories/{memory_id}"

_RECENT: Final = 20
_JSON: Final = "application/json"


def add_resources(server: MCPServer[Any], door: Door) -> None:
    """Register the resources and the prompt."""

    @server.resource(PROFILE, name="profile", title="Profile", mime_type=_JSON)
    def profile() -> Any:
        """What is known about the user, exactly."""
        try:
            return to_plain(door("read").profile(), compact=True)
        except JiyiError as error:
            raise ResourceError(str(error)) from error

    @server.resource(RECENT, name="recent", title="Recent memories", mime_type=_JSON)
    def recent() -> Any:
        """The newest memories."""
        try:
            page = door("read").list(limit=_RECENT)
        except JiyiError as error:
            raise ResourceError(str(error)) from error
        return {"total": page.total, "memories": [_plain(record) for record in page.items]}

    @server.resource(ONE, name="memory", title="One memory", mime_type=_JSON)
    def one(memory_id: str) -> Any:
        """A memory with its sources and validity."""
        try:
            return _plain(door("read").get(memory_id))
        except (NotFoundError, InvalidInputError) as error:
            raise ResourceNotFoundError(str(error)) from error
        except JiyiError as error:
            raise ResourceError(str(error)) from error

    @server.prompt(title="Answer with memory")
    def answer_with_memory(
        message: Annotated[str, Field(description="What to answer")],
    ) -> str:
        """A message together with all that is remembered about it."""
        known = door("read").context(message).text
        return f"{known}\n\n{message}" if known else message


def _plain(record: MemoryRecord) -> Any:
    return to_plain(record, compact=True)
