"""Mem0's `Memory` and `AsyncMemory` on a memory of ours: change one import, and nothing else.

    from jiyi.integrations.mem0 import Memory

    m = Memory()
    m.add("I live in Leeds", user_id="ann")
    m.search("Where do I live?", filters={"user_id": "ann"})

The arguments and results are those of mem0ai 2.2, without a key, a service or a model: `infer`
reads messages by rules, and by a model in the background where one is configured.

What differs: a fact is kept once, also when it is told twice (then `add` reports nothing new); one
that replaces another leaves the old one out of searches. Users are apart: without `user_id`, only
what was added without one is found. Deleting also erases the messages that the memory was taken
from; its history keeps the events, not the text. `prompt` is not used.
"""

from jiyi.integrations.mem0.awaited import AsyncMemory
from jiyi.integrations.mem0.facade import Memory, MemoryNotFoundError

__all__ = ["AsyncMemory", "Memory", "MemoryNotFoundError"]
