"""The benchmarks of the agent: what reaches the prompt, in both languages."""

from __future__ import annotations

import pytest
from bench.agent import churn, sessions
from bench.agent.overhead import overhead


@pytest.mark.parametrize("talk", [sessions.ENGLISH, sessions.CHINESE], ids=["English", "Chinese"])
def test_twenty_turns_over_five_sessions(talk: sessions.Talk) -> None:
    """Every prompt of twenty turns holds what is known by then and needed, and nothing that was
    replaced or erased."""
    assert sum(map(len, talk)) == 20
    assert len(talk) == 5
    assert sessions.run(talk) == []


@pytest.mark.parametrize("language", churn.WORDINGS)
def test_preferences_that_change_again_and_again(language: str) -> None:
    """After each of 24 changes in 12 sessions, a prompt in a fresh session is current."""
    result = churn.run(language)
    assert (result.prompts, result.missing, result.stale) == (12, (), ())


def test_a_wrong_prompt_is_noticed() -> None:
    """The check is no formality: a fact that nobody told, or one that is current, is reported."""
    talk = (
        (
            sessions.Turn("I live in Leeds."),
            sessions.Turn("Hello", holds=("Porto",), never=("Leeds",)),
        ),
    )
    assert [(m.word, m.missing) for m in sessions.run(talk)] == [("Porto", True), ("Leeds", False)]


def test_the_overhead_is_measured() -> None:
    """The measurement runs, small; its figures are not judged here."""
    figures = overhead(memories=20, turns=3)
    assert {"added, wall p95", "added, cpu p95"} <= figures.keys()
