"""The same loop for two more trades: findings that accumulate, and a learner's mistakes."""

from __future__ import annotations

import re

import pytest
from langchain_core.tools import tool

from jiyi import Memory
from jiyi.agent import MemoryAgent
from jiyi.testing import FakeClock
from jiyi.testing.agent_model import Answer, CallTool, PlayedChatModel, Prompt

WEIGHTS = {"B-1": "lost 4.1 g at 300 degrees", "B-2": "lost 3.8 g at 300 degrees", "B-3": "cracked"}


@tool
def furnace(sample: str) -> str:
    """Heat a sample and say what became of it."""
    return WEIGHTS[sample]


def researcher(prompt: Prompt) -> Answer:
    """Heats a sample, keeps what it found, and answers questions from all that is remembered."""
    sample = re.search(r"B-\d", prompt.question)
    if sample and not prompt.results:
        return CallTool("furnace", {"sample": sample[0]})
    if sample and len(prompt.results) == 1:
        finding = f"Basalt sample {sample[0]} {prompt.results[0]}"
        return CallTool("remember", {"text": finding, "kind": "episodic", "tags": ["finding"]})
    if sample:
        return f"{sample[0]}: {prompt.results[0]}"
    if not prompt.results:
        return CallTool("recall", {"query": "basalt sample", "limit": 10})
    found = {name for name in WEIGHTS if name in prompt.results[0]}
    return f"{len(found)} findings: {', '.join(sorted(found))}"


def test_findings_accumulate(memory: Memory, clock: FakeClock) -> None:
    """A research assistant: each session adds a finding, later ones know all, and they are events
    on the word of the assistant, not of the user."""
    agent = MemoryAgent(PlayedChatModel(play=researcher), memory, tools=[furnace])
    for number, sample in enumerate(WEIGHTS, start=1):
        agent.chat(f"Please heat sample {sample}", user="mei", session=f"day {number}")
        clock.advance(days=2)
        reply = agent.chat("What have we found on basalt so far?", user="mei", session=f"r{number}")
        known = ", ".join(list(WEIGHTS)[:number])
        assert reply.text == f"{number} findings: {known}"
    kept = memory.list(user="mei", where={"tags": "finding"}).items
    assert {(record.kind, record.trust) for record in kept} == {("episodic", "assistant")}
    assert "0 findings" in agent.chat("What have we found on basalt?", user="li").text


EXERCISES = {"ser": "Yo ___ médico (ser)", "tener": "Ella ___ dos gatos (tener)"}
RIGHT = {"ser": "soy", "tener": "tiene"}


def teacher(prompt: Prompt) -> Answer:
    """Sets an exercise on what the learner is known to get wrong, and keeps what they do."""
    asked = next((t for t, text in EXERCISES.items() if text in said_last(prompt)), None)
    if asked is not None and not re.search(r"exercise|练习", prompt.question):
        right = RIGHT[asked] in prompt.question
        if not prompt.results:
            text = f"Learner: {asked} {'answered rightly' if right else 'answered wrongly'}"
            return CallTool("remember", {"text": text, "kind": "reflective", "importance": 0.6})
        return "¡Bien!" if right else f"{RIGHT[asked]}"
    if not prompt.results:
        return CallTool("recall", {"query": "Learner answered wrongly", "limit": 20})
    known = prompt.results[0]
    weak = [t for t in EXERCISES if f"{t} answered wrongly" in known]
    done = [t for t in EXERCISES if f"{t} answered rightly" in known]
    fresh = [t for t in EXERCISES if t not in weak + done]
    topic = next(iter([t for t in weak if t not in done] or fresh or weak))
    return EXERCISES[topic]


def said_last(prompt: Prompt) -> str:
    """What the assistant said last in this session."""
    return next((m.text for m in reversed(prompt.messages) if m.type == "ai" and m.text), "")


@pytest.mark.parametrize(
    ("ask", "wrong", "right"),
    [("An exercise, please", "Yo estoy médico", "soy"), ("来一道练习", "yo es", "yo soy médico")],
)
def test_teaching_adapts_to_mistakes(
    memory: Memory, clock: FakeClock, ask: str, wrong: str, right: str
) -> None:
    """A teaching assistant comes back to what the learner got wrong on another day, goes on when
    it is mastered, and begins anew with somebody else."""
    agent = MemoryAgent(PlayedChatModel(play=teacher), memory)
    first = agent.chat(ask, user="pia", session="1").text
    assert first == EXERCISES["ser"]
    agent.chat(wrong, user="pia", session="1")
    clock.advance(days=1)
    assert agent.chat(ask, user="pia", session="2").text == first
    agent.chat(right, user="pia", session="2")
    clock.advance(days=1)
    assert agent.chat(ask, user="pia", session="3").text == EXERCISES["tener"]
    assert agent.chat(ask, user="tom", session="1").text == first
