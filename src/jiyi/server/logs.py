"""Structured logs: one JSON object a line, with ids and numbers and nothing that people said."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """A record as one line of JSON. Of an exception it tells the kind and the place only: messages
    and values may quote what people said."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "request", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            trace = record.exc_info[2]
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            if trace is not None:
                code = trace.tb_frame.f_code
                line["place"] = f"{code.co_name}:{trace.tb_lineno}"
        return json.dumps(line, ensure_ascii=False, default=str)


def log_to_stderr(level: str) -> None:
    """Send the logs of this process to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("jiyi", "uvicorn.error"):
        logging.getLogger(name).setLevel(level.upper())
