"""Random sequences of operations leave the store and a plain dict in agreement."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from places import Place
from store_machine import StoreMachine

FACTOR = 20 if os.environ.get("JIYI_SOAK") else 1


def drive(place: Place, examples: int) -> None:
    """Run the machine on a place."""
    machine = type("PlacedMachine", (StoreMachine,), {"place": place})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples * FACTOR,
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.reuse, Phase.generate, Phase.shrink),
        ),
    )


def test_in_memory_store_agrees_with_a_dict(memory_place: Place) -> None:
    """375 sequences on the store that lives in memory."""
    drive(memory_place, 375)


def test_sqlite_file_agrees_with_a_dict(file_place: Place) -> None:
    """100 sequences on a file, through two handles, with reopening."""
    drive(file_place, 100)


def test_postgres_agrees_with_a_dict(postgres_place: Place) -> None:
    """25 sequences on PostgreSQL, through two pools, with reopening."""
    drive(postgres_place, 25)
