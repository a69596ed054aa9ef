"""The tables of statements: each kind of thing that people say, in both languages."""

from __future__ import annotations

import pytest
from spoken import let_in, read, table

from jiyi.encode.rules import Command, Erase, Extraction, Retract
from jiyi.types import Draft

STATEMENTS = [*table("statements_en.tsv"), *table("statements_zh.tsv")]
SILENT = [row[0] for name in ("silent_en.txt", "silent_zh.txt") for row in table(name)]
COMMANDS = {"RETRACT": Retract, "ERASE": Erase}


def matches(extraction: Extraction, expected: str, value: str) -> bool:
    drafts = [draft for draft in let_in(extraction) if not draft.candidate]
    if expected in COMMANDS:
        kind = COMMANDS[expected]
        return not drafts and any(
            isinstance(command, kind) and (not value or command.topic.lower() == value.lower())
            for command in extraction.commands
        )
    if expected == "EVENT":
        return any(d.event is not None and d.event.type == value for d in drafts)
    if expected == "PROCEDURE":
        return any(d.kind == "procedural" for d in drafts)
    if expected == "NOTE":
        return any(value in d.text for d in drafts)
    return any(fills(draft, expected, value) for draft in drafts)


def fills(draft: Draft, attribute: str, value: str) -> bool:
    slot = draft.slot
    if slot is None or slot.attribute != attribute:
        return False
    return not value or slot.value.lower() == value.lower()


def test_the_tables_are_large_enough() -> None:
    """At least 150 statements and 100 silent messages in each language."""
    assert len(list(table("statements_en.tsv"))) >= 150
    assert len(list(table("statements_zh.tsv"))) >= 150
    assert len(list(table("silent_en.txt"))) >= 100
    assert len(list(table("silent_zh.txt"))) >= 100


@pytest.mark.parametrize(("said", "expected", "value"), [(*row, "")[:3] for row in STATEMENTS])
def test_statement_is_understood(said: str, expected: str, value: str) -> None:
    """What is said fills the right slot, or is the right kind of event, procedure or command."""
    extraction = read(*said.split(" || "))
    assert matches(extraction, expected, value), extraction


@pytest.mark.parametrize("said", SILENT)
def test_nothing_is_made_of_what_states_nothing(said: str) -> None:
    """Questions, hypotheticals, fiction, quotes, opinions and small talk leave no fact and no
    command."""
    extraction = read(said)
    believed = [draft for draft in let_in(extraction) if not draft.candidate]
    assert not believed
    assert not extraction.commands


@pytest.mark.parametrize("said", [row[0] for row in STATEMENTS])
def test_every_draft_cites_its_place(said: str) -> None:
    """Each draft cites its turn with a span inside the text; a draft whose words were not
    completed is its span, to the letter."""
    texts = said.split(" || ")
    extraction = read(*texts)
    for draft in extraction.drafts:
        (source,) = draft.sources
        assert source.turn_id == f"t{len(texts) - 1}"
        assert source.span is not None
        start, end = source.span
        assert 0 <= start < end <= len(texts[-1])
        cited = texts[-1][start:end]
        assert cited == cited.strip()
        assert 1 <= len(draft.tags) <= 3
    for command in extraction.commands:
        check_command(command, texts[-1])


def check_command(command: Command, text: str) -> None:
    start, end = command.span
    assert 0 <= start < end <= len(text)
