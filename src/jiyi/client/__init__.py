"""A typed client for `jiyi serve`: the verbs of `Memory`, over HTTP.

    with Client("http://127.0.0.1:8000", key="jiyi_…", user="sun") as memory:
        memory.observe("我搬到杭州了", session="A")
        memory.recall("我住哪儿？")

The same names, arguments, values and errors as `Memory`; `AsyncClient` has them awaited, but for
files: `export`, `load`, `backup`.
"""

from jiyi.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
