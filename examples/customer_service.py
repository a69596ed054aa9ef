"""Customer service that carries what a customer wants, and about which order, from turn to turn and
from one conversation to the next.

    python examples/customer_service.py [--model ollama:qwen3:8b]
"""

from __future__ import annotations

import re
import sys
from typing import Any

from langchain_core.tools import tool
from stage import Scene, perform

from jiyi import Memory
from jiyi.agent import MemoryAgent
from jiyi.testing.agent_model import Answer, CallTool, Prompt

IDENTITY = "You serve the customers of a shoe shop. Answer in the customer's language."
RULES = ("Open a return only for an order the customer has named.", "Be brief and kind.")

ORDERS = {
    "SO-7731": {"item": "跑鞋 42 码", "paid": "¥399", "refund": "2026-06-09"},
    "SO-8054": {"item": "winter boots, 38", "paid": "£89", "refund": "2026-06-12"},
}


@tool
def open_return(order: str, reason: str) -> str:
    """Open the return of an order; the customer gets a label by mail."""
    known = ORDERS.get(order)
    return f"{known['item']}; {reason}" if known else f"no order {order}"


@tool
def refund_status(order: str) -> str:
    """How much money comes back for an order, and when."""
    known = ORDERS.get(order)
    return f"{known['paid']}, {known['refund']}" if known else f"no order {order}"


def build(model: Any, memory: Memory) -> MemoryAgent:
    """The assistant."""
    tools = [open_return, refund_status]
    return MemoryAgent(model, memory, tools=tools, identity=IDENTITY, rules=RULES, agent="service")


STORY = (
    Scene(
        "2026-06-04T14:00:00+08:00",
        "周女士",
        "聊天 1",
        ("我想退货，鞋子小了一码。", "订单号是 SO-7731。", "什么时候能到账？"),
    ),
    Scene(
        "2026-06-05T09:00:00+08:00",
        "Ellen",
        "chat 1",
        (
            "I'd like to return my boots, they are too small.",
            "It is order SO-8054.",
            "When will the money arrive?",
        ),
    ),
    Scene("2026-06-08T20:00:00+08:00", "周女士", "聊天 2", ("上次那笔退款到了吗？",)),
    Scene("2026-06-11T20:00:00+08:00", "Ellen", "chat 2", ("Is my refund there yet?",)),
    Scene("2026-06-11T21:00:00+08:00", "Omar", "chat 1", ("Is my refund there yet?",)),
)


# --- who plays the model -----------------------------------------------------------------------

_ORDER = re.compile(r"\bSO-\d+\b")
_RETURN = re.compile(r"退货|\breturn\b")
_WHEN = re.compile(r"到账|到了吗|\barrive\b|there yet")
_REASON = re.compile(r"小了一?码?|大了一?码?|too (?:small|big)")


def play(prompt: Prompt) -> Answer:
    """Acts on the order and the wish that stand in the prompt; asks for what does not."""
    question = prompt.question
    said = [m.text for m in prompt.messages if m.type == "human"]
    chinese = re.search(r"[\u4e00-\u9fff]", question) is not None
    order = last(_ORDER, [prompt.system, *said])
    if prompt.results and _WHEN.search(question):
        return f"{order} {'的退款' if chinese else 'refund'}: {prompt.results[-1]}"
    if prompt.results:
        return f"{order} {'已办退货' if chinese else 'is being returned'}: {prompt.results[-1]}"
    if order is None:
        return "请问订单号是多少？" if chinese else "Which order is it about?"
    if _WHEN.search(question):
        return CallTool("refund_status", {"order": order})
    if last(_RETURN, said) is not None:
        return CallTool("open_return", {"order": order, "reason": last(_REASON, said) or "none"})
    return "请问要办什么？" if chinese else "What can I do for you?"


def last(pattern: re.Pattern[str], texts: list[str]) -> str | None:
    """What matches last in the texts."""
    found = pattern.findall("\n".join(texts))
    return found[-1] if found else None


if __name__ == "__main__":
    perform(build, play, STORY, sys.argv[1:])
