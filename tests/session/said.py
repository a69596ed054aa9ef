"""Conversations for tests, written as (role, text)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from jiyi.types import Role, Scope, Turn

START = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)


def said(*turns: tuple[Role, str], first: int = 1) -> list[Turn]:
    """Turns a minute apart, with ids t1, t2, …"""
    return [
        Turn(
            id=f"t{number}",
            role=role,
            text=text,
            said_at=START + timedelta(minutes=number),
            recorded_at=START + timedelta(minutes=number),
            scope=Scope(user="sun", session="A"),
        )
        for number, (role, text) in enumerate(turns, first)
    ]
