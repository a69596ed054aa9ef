"""Sub-agents see what they may see, and nothing else, in the prompt and through their tools."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain.agents import create_agent

from jiyi import Memory
from jiyi.agent import MemoryMiddleware
from jiyi.testing.agent_model import Answer, CallTool, PlayedChatModel, Prompt

LABELS = ("agent", "task", "tool")


class Who(NamedTuple):
    """Who runs: a user of a tenant, and the labels of the sub-agent."""

    tenant: str | None
    user: str
    agent: str | None
    task: str | None
    tool: str | None

    @property
    def configurable(self) -> dict[str, str]:
        return {name: value for name, value in self._asdict().items() if value is not None}


def who() -> st.SearchStrategy[Who]:
    either = st.sampled_from
    return st.builds(
        Who,
        tenant=either([None, "acme"]),
        user=either(["sun", "li", "Sun"]),
        agent=either([None, "planner", "coder"]),
        task=either([None, "T-1", "T-2"]),
        tool=either([None, "sql"]),
    )


def may_read(reader: Who, writer: Who, visibility: str) -> bool:
    """The rule, said once more in plain words."""
    if reader.tenant != writer.tenant:
        return False
    if visibility == "shared":
        return True
    if reader.user != writer.user:
        return False
    return visibility == "user" or getattr(reader, visibility) == getattr(writer, visibility)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    written=st.lists(
        st.tuples(who(), st.sampled_from(["user", "shared", *LABELS])), min_size=1, max_size=5
    ),
    readers=st.lists(who(), min_size=1, max_size=4),
)
def test_nothing_leaks_between_sub_agents(
    written: list[tuple[Who, str]], readers: list[Who]
) -> None:
    """One agent object serves everybody at once. What each run's prompt and `recall` show is what
    its user and labels may read: nothing more, and in `recall` nothing less."""
    seen: list[str] = []

    def play(prompt: Prompt) -> Answer:
        if prompt.question.startswith("keep "):
            _, visibility, text = prompt.question.split(" ", 2)
            arguments = {"text": text, "visibility": visibility, "importance": 0.9}
            return prompt.results[0] if prompt.results else CallTool("remember", arguments)
        if not prompt.results:
            seen.append(prompt.text)
            return CallTool("recall", {"query": "marker passphrase", "limit": 20})
        seen.append(prompt.results[0])
        return "Done."

    with Memory(":memory:", embedder=None, background=False) as memory:
        visibilities: Any = ("user", "shared", *LABELS)
        agent = create_agent(
            PlayedChatModel(play=play),
            middleware=[MemoryMiddleware(memory, visibilities=visibilities)],
        )

        def run(by: Who, text: str) -> None:
            agent.invoke(
                {"messages": [{"role": "user", "content": text}]},
                {"configurable": by.configurable},
            )

        kept = []
        for n, (writer, visibility) in enumerate(written):
            if visibility in LABELS and getattr(writer, visibility) is None:
                continue  # refused: see test_tools
            # The words of the turn itself belong to the user, so they do not hold the marker.
            view = memory.scoped(**writer.configurable)
            view.remember(
                f"The marker passphrase is quokka{n}q",
                visibility=visibility,  # type: ignore[arg-type]
                importance=0.9,
            )
            run(writer, f"keep {visibility} The marker passphrase is wombat number {n}w")
            kept.append((n, writer, visibility))
        for reader in readers:
            seen.clear()
            run(reader, "What is the marker passphrase?")
            prompt, recalled = seen
            for n, writer, visibility in kept:
                allowed = may_read(reader, writer, visibility)
                assert (f"quokka{n}q" in recalled) == allowed, (reader, writer, visibility)
                assert allowed or f"quokka{n}q" not in prompt, (reader, writer, visibility)
                if reader[:2] != writer[:2] and not allowed:
                    assert f"{n}w" not in prompt + recalled, (reader, writer, visibility)
