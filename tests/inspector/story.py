"""A memory with something on every page."""

from __future__ import annotations

from datetime import datetime, timedelta

from jiyi import Memory
from jiyi.testing import FakeClock

START = datetime.fromisoformat("2026-09-01T09:00:00+08:00")


SAID = {
    "光度计": (
        "我叫何苗，在西安做表型分析技术员。",
        "以后报告里请把单位写在数值列。",
        "我喜欢简洁的回答。",
        "我对花生过敏。",
    ),
    "发芽实验": (
        "李工负责发芽实验，样品编号 P-2025-0412。",
        "我现在住在西安。",
        "下周三要和张伟一起校准光度计。",
        "我好像对花粉过敏。",
    ),
    "搬家": (
        "我搬到成都了。",
        "我不喜欢早上开会。",
        "记住：发芽实验的对照组是 D-17。",
        "昨天我和李工去了华西实验室。",
    ),
    "周报": (
        "张伟在华西实验室工作。",
        "我喜欢早上开会。",
        "发芽率记录用 Excel。",
        "昨天我把样品 P-2025-0412 交给了李工。",
    ),
}


def tell(memory: Memory, clock: FakeClock, user: str = "何苗") -> Memory:
    """Fill a memory for this user, through an agent, over three months; returns their view."""
    agent = memory.scoped(user=user, agent="实验助手")
    for place, (session, lines) in enumerate(SAID.items()):
        clock.set(START + timedelta(days=21 * place))
        for line in lines:
            agent.context(line, session=session)
            agent.observe(line, session=session)
            clock.advance(minutes=2)
            reply = {"role": "assistant", "content": f"好的：{line[:8]}…"}
            agent.observe(reply, session=session)
            clock.advance(minutes=3)
    clock.set(START + timedelta(days=84))
    agent.set_permanent(role="技术员", id="T-0412")
    warm = "The photometer needs five minutes to warm up"
    agent.remember(warm, kind="procedural", tags=["lab", "photometer"], importance=0.8)
    outcome = {"type": "germination", "entities": ["P-2025-0412", "李工"], "outcome": "success"}
    agent.remember("The germination rate of P-2025-0412 was 92%", event=outcome, kind="episodic")
    agent.remember("I like concise answers")
    agent.remember("I prefer brief replies")
    agent.remember("The deploy is on Friday")
    clock.advance(days=1)
    agent.remember("The deploy is not on Friday")
    agent.context("报告怎么写？", session="周报")
    manual = {"title": "光度计手册", "text": "灯打开后等五分钟再读数。"}
    memory.add_documents(manual, collection="manual", user=user)
    memory.flush()
    return memory.scoped(user=user)
