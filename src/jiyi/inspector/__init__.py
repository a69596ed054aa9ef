"""The back door for people: pages that show what is remembered, why, and what became of it.

`inspector_app(memory, keyring)` is an ASGI application to mount at `/`. Pages are made on the
server; they need no build step and load nothing from elsewhere.
"""

from jiyi.inspector.app import inspector_app

__all__ = ["inspector_app"]
