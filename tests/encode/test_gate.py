"""The gate: its scores, its threshold, and the scales of importance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jiyi.encode.gate import MIDDLE, Gate, importance_from, score
from jiyi.types import Draft, Event, Slot

FACT = Draft(text="我住在北京", slot=Slot(subject="user", attribute="residence", value="北京"))


def test_the_total_is_the_weighted_sum() -> None:
    """completeness 0.3 + relevance 0.4 + durability 0.2 + emphasis 0.1, each from 0 to 1."""
    scores = score(FACT)
    parts = (scores.completeness, scores.relevance, scores.durability, scores.emphasis)
    assert all(0 <= part <= 1 for part in parts)
    expected = sum(w * p for w, p in zip((0.3, 0.4, 0.2, 0.1), parts, strict=True))
    assert scores.total == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "draft",
    [
        FACT,
        Draft(
            text="I am allergic to nuts",
            slot=Slot(subject="user", attribute="allergy", value="nuts"),
        ),
        Draft(text="I went to Paris", kind="episodic", event=Event(type="travel")),
        Draft(text="先备份，再升级", kind="procedural"),
        Draft(text="The board only reads the first page", importance=0.8),
    ],
)
def test_what_lasts_passes(draft: Draft) -> None:
    """Identity, events, procedures and complete statements get in, with their scores."""
    passed = Gate().check(draft)
    assert isinstance(passed, Draft)
    assert passed.gate is not None
    assert passed.gate.total >= 0.6


@pytest.mark.parametrize(
    "text", ["I am a bit tired today", "今天有点累", "it is good", "这个很好", "ok", "好"]
)
def test_what_passes_away_is_dropped_with_a_reason(text: str) -> None:
    """Moods, moments and texts that cannot stand alone are turned away, and the reason names the
    score and the weakest part."""
    reason = Gate().check(Draft(text=text, confidence=0.6))
    assert isinstance(reason, str)
    assert reason.startswith("gate: 0.")


def test_middling_confidence_makes_a_candidate() -> None:
    """What passes without being sure is a candidate; what is hardly believed is dropped."""
    unsure = Gate().check(replace(FACT, confidence=0.55))
    assert isinstance(unsure, Draft)
    assert unsure.candidate
    assert isinstance(Gate().check(replace(FACT, confidence=0.1)), str)


def test_weights_and_threshold_are_configurable() -> None:
    """Another threshold lets less in; weights must add up to 1."""
    assert isinstance(Gate(threshold=0.99).check(FACT), str)
    with pytest.raises(ValueError, match="add up to 1"):
        Gate(completeness=0.9)


def test_emphasis_hears_high_and_low_words() -> None:
    """ "Important" raises the emphasis, "by the way" lowers it, in both languages."""
    plain = score(Draft(text="the report uses blue")).emphasis
    assert score(Draft(text="important: the report uses blue")).emphasis > plain
    assert score(Draft(text="by the way the report uses blue")).emphasis < plain
    plain = score(Draft(text="报告用蓝色")).emphasis
    assert score(Draft(text="务必注意报告用蓝色")).emphasis > plain
    assert score(Draft(text="顺便说一下报告用蓝色")).emphasis < plain


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, 0.0),
        (0.35, 0.35),
        (1.0, 1.0),
        (1, 0.0),
        (3, 0.5),
        (5, 1.0),
        (8, 0.8),
        (10, 1.0),
        ("4", 0.75),
        ("8/10", 0.8),
        ("4/5", 0.75),
        ("0.7", 0.7),
        ("90%", 0.9),
        ("high", 0.8),
        ("非常重要", 1.0),
        ("不重要", 0.1),
        ("importance: 5 of the scale", 1.0),
        (None, MIDDLE),
        ("", MIDDLE),
        ("unreadable", MIDDLE),
        (-3, MIDDLE),
        (99, MIDDLE),
        (float("nan"), MIDDLE),
        (True, MIDDLE),
        ([5], MIDDLE),
    ],
)
def test_importance_scales_are_mapped(value: object, expected: float) -> None:
    """0–1, 1–5 and 0–10 are mapped to 0–1; what cannot be read is the middle."""
    assert importance_from(value) == pytest.approx(expected)


def test_a_named_scale_is_not_guessed() -> None:
    """With a scale given, the number is read on it, and outside it is the middle."""
    assert importance_from(1, "0-10") == pytest.approx(0.1)
    assert importance_from(2, "1-5") == pytest.approx(0.25)
    assert importance_from(7, "1-5") == MIDDLE
