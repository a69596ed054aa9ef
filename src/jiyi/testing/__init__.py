"""Fakes for tests and the suites that adapters must pass; shipped for third parties.

The suite lives in `jiyi.testing.store_suite`, which needs pytest and hypothesis; the fakes here
need neither.
"""

from __future__ import annotations

from jiyi.testing.chat_model import Call, ScriptedChatModel
from jiyi.testing.clock import START, FakeClock
from jiyi.testing.embedder import HashEmbedder

__all__ = ["START", "Call", "FakeClock", "HashEmbedder", "ScriptedChatModel"]
