"""LlamaIndex's memory block: what leaves the window is kept, and returns when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import anyio
import pytest

pytest.importorskip("llama_index.core", reason="needs jiyi[llama-index]")

from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.memory import InsertMethod
from llama_index.core.memory import Memory as LlamaMemory
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from jiyi import Memory
from jiyi.integrations.llama_index import JiyiMemoryBlock
from jiyi.text.tokens import count_tokens


def said(role: str, text: str, **more: Any) -> ChatMessage:
    return ChatMessage(role=role, content=text, **more)


@pytest.fixture
def window() -> Iterator[Callable[..., LlamaMemory]]:
    """LlamaIndex's memory with a small window; its database is closed, as it never does itself."""
    engines: list[AsyncEngine] = []

    def make(block: JiyiMemoryBlock, session: str = "A", **options: Any) -> LlamaMemory:
        engines.append(create_async_engine("sqlite+aiosqlite:///:memory:"))
        return LlamaMemory.from_defaults(
            session_id=session,
            memory_blocks=[block],
            token_limit=400,
            token_flush_size=40,
            chat_history_token_ratio=0.2,
            tokenizer_fn=str.split,
            async_engine=engines[-1],
            **options,
        )

    yield make

    async def close() -> None:
        for engine in engines:
            await engine.dispose()

    anyio.run(close)


@pytest.fixture
def block(memory: Memory) -> JiyiMemoryBlock:
    return JiyiMemoryBlock(memory=memory.scoped(user="sun"), budget=300)


FILLER = (
    "thank you, that is all very good to know and I shall come back to it at some later time " * 3
)


@pytest.mark.parametrize(
    ("told", "asked", "known"),
    [
        ("My daughter is allergic to peanuts.", "Can my daughter eat peanuts?", "allergic"),
        ("我女儿对花生过敏。", "我女儿能吃花生吗？", "过敏"),
    ],
)
def test_what_left_the_window_comes_back(
    block: JiyiMemoryBlock,
    memory: Memory,
    window: Callable[..., LlamaMemory],
    told: str,
    asked: str,
    known: str,
) -> None:
    """A long conversation pushes it out; it stands in the system message when it is asked for,
    also in a later session, and for nobody else."""

    async def main() -> None:
        first = window(block)
        await first.aput_messages([said("user", told), said("assistant", "Noted.")])
        for _ in range(4):
            await first.aput_messages([said("user", FILLER), said("assistant", "ok")])
        assert memory.turns(user="sun", session="A")[0].text == told
        for where in (first, window(block, "B")):
            await where.aput(said("user", asked))
            messages = await where.aget()
            assert messages[0].role == "system"
            assert known in messages[0].content
            assert messages[-1].content == asked
        other = window(JiyiMemoryBlock(memory=memory.scoped(user="li")), "C")
        await other.aput(said("user", asked))
        assert told not in str(await other.aget())

    anyio.run(main)


def test_it_goes_into_the_user_message_when_asked(
    block: JiyiMemoryBlock, window: Callable[..., LlamaMemory]
) -> None:
    """LlamaIndex's other place of insertion works alike; the sync methods as well."""
    block.memory.remember("她住在西安")
    memory = window(block, insert_method=InsertMethod.USER)
    memory.put(said("user", "她住在哪里？"))
    (message,) = memory.get()
    assert "她住在西安" in str(message.blocks)


def test_messages_are_handed_over_as_they_are(block: JiyiMemoryBlock, memory: Memory) -> None:
    """Every role and session; parts without words, and messages without any, are left out."""

    async def main() -> None:
        parts = [TextBlock(text="看这个"), ImageBlock(url="https://example.org/a.png")]
        await block.aput(
            [
                ChatMessage(role="user", blocks=parts),
                said("assistant", ""),
                said("chatbot", "a sign"),
                said("tool", "21 °C", additional_kwargs={"tool_call_id": "c"}),
                said("developer", "be brief"),
            ],
            from_short_term_memory=True,
            session_id="S",
        )
        await JiyiMemoryBlock(memory=memory.scoped(user="sun", session="own")).aput(
            [said("user", "我住在成都。")]
        )

    anyio.run(main)
    turns = memory.turns(user="sun", session="S")
    assert [(t.role, t.text) for t in turns] == [
        *(("user", "看这个"), ("assistant", "a sign"), ("tool", "21 °C"), ("system", "be brief"))
    ]
    assert [t.text for t in memory.turns(user="sun", session="own")] == ["我住在成都。"]
    assert "成都" in memory.recall("我住在哪里？", user="sun", units="memory")[0].text


def test_it_can_keep_without_learning_or_refuse(memory: Memory) -> None:
    """`learn=False` records only; LlamaIndex's own switch keeps the window's messages out."""
    silent = JiyiMemoryBlock(memory=memory.scoped(user="sun"), learn=False)
    closed = JiyiMemoryBlock(memory=memory.scoped(user="li"), accept_short_term_memory=False)

    async def main() -> None:
        for block in (silent, closed):
            await block.aput([said("user", "我住在成都。")], from_short_term_memory=True)

    anyio.run(main)
    assert memory.list(user="sun").total == 0
    assert len(memory.turns(user="sun")) == 1
    assert memory.turns(user="li") == ()


@pytest.mark.parametrize("cut", [1, 20, 100_000])
def test_it_shortens_from_the_end(block: JiyiMemoryBlock, cut: int) -> None:
    """By at least what is asked; nothing is left of too much."""
    for n in range(6):
        block.memory.remember(f"她有{n}只猫，名字叫第{n}号")

    async def main() -> None:
        whole = await block.aget([said("user", "她有几只猫，名字叫什么？")])
        assert 0 < count_tokens(whole) <= 300
        short = await block.atruncate(whole, cut)
        assert (short is None) == (cut > 1_000)
        if short is not None:
            assert whole.startswith(short)
            assert count_tokens(short) <= count_tokens(whole) - cut

    anyio.run(main)


def test_nothing_asked_gives_nothing(block: JiyiMemoryBlock) -> None:
    """No message, or none of the user, or one without words."""

    async def main() -> None:
        for messages in (None, [], [said("assistant", "hi")], [said("user", " ")]):
            assert await block.aget(messages) == ""

    anyio.run(main)
