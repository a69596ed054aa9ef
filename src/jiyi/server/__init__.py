"""The memory over HTTP: REST under /v1, a chat door under /openai/v1, MCP, and the inspector.

`create_app` makes the application around an open memory; `serving.serve` runs it.
"""

from jiyi.server.app import create_app

__all__ = ["create_app"]
