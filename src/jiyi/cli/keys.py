"""Commands about access keys: who may use a server on this store."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.table import Table

from jiyi.access import Key, Keyring
from jiyi.cli.shell import Shell
from jiyi.cli.words import SHORT, day, short, visible
from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.formats.plain import to_plain
from jiyi.ids import read_clock

if TYPE_CHECKING:
    from jiyi.types import Right


def create(
    shell: Shell,
    name: Annotated[str, typer.Argument(help="For people, such as 'the web shop'.")],
    *,
    rights: Annotated[
        list[str] | None,
        typer.Option("--right", help="read, write, forget, admin; by default the first two."),
    ] = None,
    for_users: Annotated[
        list[str] | None, typer.Option("--for-user", help="The only users it may work for.")
    ] = None,
    for_agents: Annotated[
        list[str] | None, typer.Option("--for-agent", help="The only agents it may work for.")
    ] = None,
    every_tenant: Annotated[
        bool, typer.Option("--every-tenant", help="For every tenant, instead of --tenant.")
    ] = False,
    days: Annotated[
        float | None, typer.Option("--days", help="How long it is good; for ever if not said.")
    ] = None,
) -> None:
    """Make a key and print its token: this is the only time that it is shown."""
    memory = shell.memory(writing=True)
    now = read_clock(memory.clock)
    made = Keyring(memory).create(
        name,
        rights=cast("list[Right]", rights or ["read", "write"]),
        tenant=shell.scope.get("tenant"),
        every_tenant=every_tenant,
        users=for_users,
        agents=for_agents,
        expires_at=None if days is None else _end(now, days),
    )
    shell.note("Keep it now: it is never shown again.")
    shell.show({"key": to_plain(made.key), "token": made.token}, lambda: made.token)


def list_keys(shell: Shell) -> None:
    """Show every key that was ever made."""
    memory = shell.memory()
    keys, now = Keyring(memory).list(), read_clock(memory.clock)
    shell.show(keys, lambda: _table(keys, now))


def revoke(
    shell: Shell,
    id: Annotated[str, typer.Argument(help="The id of the key, or its end as the list shows it.")],
) -> None:
    """End a key at once and for good."""
    keyring = Keyring(shell.memory(writing=True))
    key = keyring.revoke(_whole(keyring, id))
    shell.show(key, lambda: f"{visible(key.name)} ({key.id}) opens nothing any more")


def _whole(keyring: Keyring, id: str) -> str:
    """The id that ends as the list shows it; what may be a whole one is left as it is."""
    end = id.removeprefix("…").casefold()
    if len(end) != SHORT:
        return id
    found = [key.id for key in keyring.list() if key.id.endswith(end)]
    if len(found) != 1:
        raise NotFoundError("key", id)
    return found[0]


def _end(now: datetime, days: float) -> datetime:
    try:
        return now + timedelta(days=days)
    except (OverflowError, ValueError):
        raise InvalidInputError("days", f"{days} is too far", "Give a number of days") from None


def _table(keys: tuple[Key, ...], now: datetime) -> Any:
    table = Table(box=None, header_style="dim")
    for heading in ("name", "opens", "rights", "made", "until", "id"):
        table.add_column(heading)
    for key in keys:
        table.add_row(
            visible(key.name),
            visible(_reach(key)),
            ", ".join(sorted(key.rights)),
            day(key.created_at),
            "revoked"
            if key.revoked_at
            else "expired"
            if not key.is_good(now)
            else day(key.expires_at),
            short(key.id),
            style=None if key.is_good(now) else "dim",
        )
    return table


def _reach(key: Key) -> str:
    tenant = "every tenant" if key.every_tenant else f"tenant {key.tenant}" if key.tenant else ""
    parts = [
        tenant,
        "" if key.users is None else f"users {', '.join(key.users)}",
        "" if key.agents is None else f"agents {', '.join(key.agents)}",
    ]
    return "; ".join(part for part in parts if part) or "every user"
