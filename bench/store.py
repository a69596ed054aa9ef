"""How fast the SQLite store writes and reads, and what it takes on disk and in memory.

    python -m bench.store [--memories 100000] [--language zh]

Rates are given as they are and as shares of a bare one-row commit on the same disk in the same run,
because disks differ by more than programs do. The texts are made up (see `bench/made_up.py`), about
120 characters each; their terms are made outside of what is timed.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import numpy as np

from bench.made_up import LANGUAGES, MadeUp
from jiyi.ids import new_id
from jiyi.ports import Selection, TermWeights
from jiyi.stores.sqlite import SqliteStore, open_sqlite
from jiyi.types import Draft, Scope, Source, UnitKey

NOW = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)
DIMENSION = 384
MODEL = "bench"


def made_up(language: MadeUp, count: int) -> list[tuple[Draft, bytes, TermWeights]]:
    found = []
    for _ in range(count):
        text = language.text()
        draft = Draft(text=text, sources=(Source(id=new_id()),))
        mark = blake2b(text.encode(), digest_size=16).digest()
        found.append((draft, mark, language.terms(text)))
    return found


def write(
    store: SqliteStore, scope: Scope, memories: list[tuple[Draft, bytes, TermWeights]]
) -> None:
    with store.write() as writer:
        for draft, mark, terms in memories:
            writer.add_memory(
                scope,
                draft,
                id=new_id(),
                fingerprint=mark,
                terms=terms,
                recorded_at=NOW,
                said_at=NOW,
            )


def bare_commits(folder: Path, count: int) -> float:
    """Commits of one short row a second, with the same durability."""
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)")
    text = "x" * 120
    started = time.perf_counter()
    for _ in range(count):
        db.execute("INSERT INTO row (text) VALUES (?)", (text,))
    rate = count / (time.perf_counter() - started)
    db.close()
    return rate


def singles(store: SqliteStore, scope: Scope, language: MadeUp, count: int) -> list[float]:
    """Seconds of single durable writes."""
    took = []
    for memory in made_up(language, count):
        started = time.perf_counter()
        write(store, scope, [memory])
        took.append(time.perf_counter() - started)
    return took


def batches(count: int, size: int) -> Iterator[int]:
    for start in range(0, count, size):
        yield min(size, count - start)


def fill(
    store: SqliteStore, scope: Scope, language: MadeUp, count: int, size: int
) -> tuple[float, float]:
    """Write `count` memories in transactions of `size`; memories a second by the clock, and by the
    processor, which is what counts on a machine that others use too."""
    spent = worked = 0.0
    for part in batches(count, size):
        memories = made_up(language, part)
        started, began = time.perf_counter(), time.process_time()
        write(store, scope, memories)
        spent += time.perf_counter() - started
        worked += time.process_time() - began
    return count / spent, count / worked


def add_vectors(store: SqliteStore, count: int, size: int = 512) -> float:
    """Give every unit a vector; vectors a second."""
    source = np.random.default_rng(1)
    spent, space = 0.0, 1
    for start in range(0, count, size):
        rows = source.standard_normal((min(size, count - start), DIMENSION)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        batch = [(UnitKey(space, start + n), row) for n, row in enumerate(rows)]
        started = time.perf_counter()
        with store.write() as writer:
            writer.add_vectors(MODEL, batch)
        spent += time.perf_counter() - started
    return count / spent


def queries(store: SqliteStore, scope: Scope, language: MadeUp, count: int) -> dict[str, float]:
    """Median milliseconds of the reads of one recall."""
    took: dict[str, list[float]] = {"postings": [], "layout": [], "units of 100": []}
    selection = Selection(now=NOW)
    for _ in range(count):
        terms = list(language.terms(language.text()[:30]).counts)[:10]
        with store.read() as reader:
            clock = time.perf_counter()
            postings = reader.postings(scope, terms)
            took["postings"].append(time.perf_counter() - clock)
            clock = time.perf_counter()
            reader.layout(scope)
            took["layout"].append(time.perf_counter() - clock)
            size = postings[0].size if postings else 0
            keys = [UnitKey(postings[0].space, n) for n in random.sample(range(size), 100)]
            clock = time.perf_counter()
            reader.units(scope, keys, selection)
            took["units of 100"].append(time.perf_counter() - clock)
    return {name: statistics.median(values) * 1000 for name, values in took.items()}


def shares(path: Path, count: int) -> Iterator[str]:
    """What the largest tables take, in bytes a memory; their indexes with them."""
    db = sqlite3.connect(path)
    try:
        rows = db.execute(
            "SELECT s.tbl_name, SUM(d.pgsize) FROM dbstat AS d JOIN sqlite_schema AS s"
            " ON s.name = d.name GROUP BY 1 ORDER BY 2 DESC LIMIT 6"
        ).fetchall()
    except sqlite3.OperationalError:  # this SQLite was built without it
        return
    finally:
        db.close()
    for name, size in rows:
        yield f"{name} {size / count:,.0f}"


def rss_mb() -> float:
    """Resident memory now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def measure(name: str, total: int, folder: Path) -> None:
    scope = Scope(user="bench")
    language = MadeUp(name, seed=1)
    bare = bare_commits(folder, 1000)
    print(f"\n## {name}: bare one-row commit {bare:,.0f}/s")
    path = folder / f"{name}.db"
    with open_sqlite(path) as store:
        written = 0
        for step in sorted(step for step in {0, 1_000, 10_000, total} if step <= total):
            if step > written:
                rate, work = fill(store, scope, language, step - written, 5000)
                print(f"bulk to {step:,}: {rate:,.0f}/s, of the processor {work:,.0f}/s")
                written = step
            took = singles(store, scope, language, 600)
            written += 600
            took.sort()
            rate = len(took) / sum(took)
            print(
                f"single at {step:,}: {rate:,.0f}/s = {rate / bare:.2f} of bare;"
                f" p50 {took[300] * 1e3:.2f} ms, p99 {took[594] * 1e3:.2f} ms,"
                f" max {took[-1] * 1e3:.1f} ms"
            )
        print(f"vectors: {add_vectors(store, written):,.0f}/s")
        store.purge()
        size = store.bytes_on_disk() or 0
        print(f"on disk: {size / written:,.0f} bytes a memory ({size / 1e6:,.1f} MB)")
        print("of these: " + ", ".join(shares(path, written)), flush=True)
        store.close()
    subprocess.run(  # in a process of its own, whose memory is that of the store alone
        [sys.executable, "-m", "bench.store", "--open", str(path), "--language", name], check=True
    )


def first_read(path: Path, name: str) -> None:
    """Open a store that was filled, read all of it once, and ask."""
    scope, language = Scope(user="bench"), MadeUp(name, seed=2)
    terms = list(language.terms(language.text()).counts)[:10]
    before = rss_mb()
    started, began = time.perf_counter(), time.process_time()
    with open_sqlite(path) as store:
        with store.read() as reader:
            reader.postings(scope, terms)
            reader.layout(scope)
        text_only = time.perf_counter() - started
        with store.read() as reader:
            reader.vectors(scope, MODEL)
        both = time.perf_counter() - started
        work = time.process_time() - began
        print(
            f"open and first read: {text_only:.3f} s, with vectors {both:.3f} s"
            f" ({work:.3f} s of the processor)"
        )
        print(f"resident: {rss_mb():,.0f} MB (before opening {before:,.0f} MB)")
        print(
            "reads in ms:", {k: round(v, 2) for k, v in queries(store, scope, language, 50).items()}
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument("--folder", type=Path, default=None, help="where to write; on a real disk")
    parser.add_argument("--open", type=Path, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.open is not None:
        first_read(options.open, options.language[0])
        return
    load = os.getloadavg()[0]
    print(
        f"# store, {options.memories:,} memories, {os.cpu_count()} cores, load {load:.1f}",
        flush=True,
    )
    for name in options.language or LANGUAGES:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            measure(name, options.memories, Path(folder))


if __name__ == "__main__":
    main()
