"""What a model server on the loopback answers, and what it was asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Server:
    """`answers` are (status, body) by turns; the last one stays. `requests` is what came in."""

    url: str = ""
    answers: list[tuple[int, Any]] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    silent: threading.Event = field(default_factory=threading.Event)

    def next(self) -> tuple[int, Any]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
