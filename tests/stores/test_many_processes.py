"""Eight processes of four threads write one store: no error, no twin, no loss."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from places import PostgresPlace
from visitors import VISITED, visit_on_threads
from writers import CROWD, SHARED_FACTS, Target, write_on_threads

from jiyi.ports import Selection
from jiyi.stores.sqlite import open_sqlite
from jiyi.testing.store_suite.builders import EVERY_STATUS, NOW, unit_texts
from jiyi.types import Scope

PROCESSES = 8
THREADS = 4
ROUNDS = 200 if os.environ.get("JIYI_SOAK") else 4
VISITORS = 4
VISITS = 40 if os.environ.get("JIYI_SOAK") else 4


def check_many_processes(target: Target) -> None:
    """Write from many processes, then count."""
    target.open().close()  # the schema is made once, by one process
    # Unlike multiprocessing.Pool, this ends with an error when a process dies.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        jobs = [
            pool.submit(write_on_threads, target, process, THREADS, ROUNDS)
            for process in range(PROCESSES)
        ]
        errors = [job.result() for job in jobs]
    assert errors == [[]] * PROCESSES
    store = target.open()
    try:
        live = Selection(now=NOW)
        every = Selection(now=NOW, statuses=EVERY_STATUS)
        with store.read() as reader:
            for thread in range(THREADS):
                scope = Scope(tenant="t", user=f"u{thread}")
                names = {
                    f"p{process} t{thread} n{n}"
                    for process in range(PROCESSES)
                    for n in range(ROUNDS)
                }
                turns = [turn.text for turn in reader.turns(scope)]
                assert sorted(turns) == sorted(f"turn {name}" for name in names)
                found = sorted(record.text for record in reader.memories(scope, live)[0])
                assert found == sorted(f"memory {name}" for name in names)
                assert len(unit_texts(reader, scope, "turn", "memory")) == 2 * len(names)
            assert len(reader.turns(CROWD)) == ROUNDS
            told = [r for r in reader.memories(CROWD, every)[0] if r.text in SHARED_FACTS]
            assert len({record.text for record in told}) == len(told)
            assert sum(len(record.sources) for record in told) == PROCESSES * THREADS * ROUNDS
            moves = [r for r in reader.memories(CROWD, every)[0] if r.slot is not None]
            assert len(moves) == PROCESSES * THREADS * ROUNDS
            assert [r.superseded_by for r in moves].count(None) == 1
    finally:
        store.close()


def test_many_processes_on_a_sqlite_file(tmp_path: Path) -> None:
    """Writers queue for one file; everything they were told is there once."""
    check_many_processes(Target(str(tmp_path / "store.db")))


def test_many_processes_on_postgres(postgres_place: PostgresPlace) -> None:
    """Writers of one space queue for its row; everything they were told is there once."""
    postgres_place.open()
    check_many_processes(Target(postgres_place.url, postgres_place.schema))


def test_who_comes_and_goes_never_finds_it_locked(tmp_path: Path) -> None:
    """Many processes open, read, write, erase, purge, copy and close one file at the same time:
    whatever lock the others hold just then, each waits its turn and none sees an error."""
    path = str(tmp_path / "store.db")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(VISITORS, mp_context=context) as pool:
        jobs = [
            pool.submit(visit_on_threads, path, process, THREADS, VISITS)
            for process in range(VISITORS)
        ]
        told = [job.result() for job in jobs]
    assert [errors for _, errors in told] == [[]] * VISITORS
    with open_sqlite(path) as store:
        assert store.check() == []
        with store.read() as reader:
            there = {record.text for record in reader.memories(VISITED, Selection(now=NOW))[0]}
        assert there == {text for kept, _ in told for text in kept}
