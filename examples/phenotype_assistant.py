"""A field technician's assistant for the phenotypes of rapeseed.

It looks records up with two tools, and writes them the way its user once asked for: which columns,
what stands where nothing was measured, which traits come first. Nothing of that is in its
instructions; it is remembered from one season's conversations to the next.

    python examples/phenotype_assistant.py [--model ollama:qwen3:8b]
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from langchain_core.tools import tool
from stage import Scene, perform

from jiyi import Memory
from jiyi.agent import MemoryAgent
from jiyi.testing.agent_model import Answer, CallTool, Prompt

IDENTITY = "你是油菜表型采集助手，帮助技术员查询和整理田间记录。"
RULES = (
    "数据只来自工具返回的记录，不推算、不补数。",
    "用户说出新的约定时，用 remember 记下来。",
)

# Number in the descriptor standard, trait, unit. Stem rot has no number there.
TRAITS = (
    ("5.43", "株高", "cm"),
    ("5.44", "一次分枝数", "个"),
    ("5.46", "有效分枝高度", "cm"),
    ("5.47", "主轴有效长度", "cm"),
    ("5.49", "全株有效角果数", "个"),
    ("5.54", "角果长度", "cm"),
    ("5.59", "每果粒数", "粒"),
    ("—", "菌核病发病率", "%"),
)
# None: not collected.
BATCHES: dict[str, dict[str, Any]] = {
    "P-2026-0317": {
        "品种": "陇油 21",
        "试点": "秦王川试验站 2 号田",
        "取样株数": 10,
        "采集日期": "2026-06-02",
        "状态": "已复核",
        "数值": [158.7, 6.9, None, 60.1, 311.4, 6.4, 22.8, 4.1],
    },
    "P-2026-0402": {
        "品种": "青杂 15",
        "试点": "秦王川试验站 6 号田",
        "取样株数": 9,
        "采集日期": "2026-06-09",
        "状态": "待复核",
        "数值": [149.3, None, 38.6, 55.2, 254.0, None, 19.5, 11.2],
    },
}
TASKS = {
    "T-2026-05": {
        "时期": "成熟期",
        "计划材料数": 84,
        "已采材料数": 61,
        "计划完成日": "2026-06-16",
        "方法": "每份材料随机取 10 株，逐性状量测后取平均",
        "质控": "双人复核；偏离均值 3 倍标准差以上的现场重测",
    }
}


@tool
def phenotype_records(batch: str) -> str:
    """按采集批次号查询表型记录，如 P-2026-0317。数值为 null 表示没有采集。"""
    record = BATCHES.get(batch)
    if record is None:
        return f"没有批次 {batch}。已有：{'、'.join(BATCHES)}"
    rows = [[*trait, value] for trait, value in zip(TRAITS, record["数值"], strict=True)]
    head = {name: value for name, value in record.items() if name != "数值"}
    return json.dumps({"批次": batch, **head, "性状": rows}, ensure_ascii=False)


@tool
def collection_task(task: str) -> str:
    """按任务号查询采集任务的进度、方法和质控规则，如 T-2026-05。"""
    found = TASKS.get(task)
    return (
        json.dumps({"任务": task, **found}, ensure_ascii=False) if found else f"没有任务 {task}。"
    )


def build(model: Any, memory: Memory) -> MemoryAgent:
    """The assistant."""
    tools = [phenotype_records, collection_task]
    return MemoryAgent(
        model, memory, tools=tools, identity=IDENTITY, rules=RULES, agent="phenotype"
    )


STORY = (
    Scene(
        "2026-06-03T08:30:00+08:00",
        "赵老师",
        "第一次",
        (
            "我是赵老师，负责秦王川试验站的油菜表型采集。",
            "以后表型结果一律按描述符编号、性状、数值、单位四列列表。",
            "没采到的性状一律写“未采集”，不要估算。",
            "我重点看全株有效角果数和菌核病发病率。",
        ),
    ),
    Scene(
        "2026-06-10T09:00:00+08:00",
        "赵老师",
        "一周后",
        ("P-2026-0317 这批表型怎么样？", "株高呢？", "T-2026-05 采到哪儿了？"),
    ),
    Scene(
        "2026-06-12T17:00:00+08:00",
        "赵老师",
        "汇总前",
        ("以后没采到的性状改写“缺测”。", "看一下 P-2026-0402。"),
    ),
    Scene("2026-06-12T18:00:00+08:00", "小马", "新同事", ("看一下 P-2026-0402。",)),
)


# --- who plays the model -----------------------------------------------------------------------


def play(prompt: Prompt) -> Answer:
    """Calls the tool that fits, and writes what it says as the prompt tells that the user wants."""
    question = prompt.question
    if prompt.results and prompt.results[-1].startswith("{"):
        found = json.loads(prompt.results[-1])
        return report(prompt, found) if "性状" in found else progress(found)
    if prompt.results:
        return "记下了。" if not re.search(r"[PT]-\d", question) else prompt.results[-1]
    if task := re.search(r"T-\d{4}-\d{2}", question):
        return CallTool("collection_task", {"task": task[0]})
    if re.search(r"以后|一律|重点|我是", question):
        return CallTool("remember", {"text": question, "importance": 0.9})
    batches = re.findall(r"P-\d{4}-\d{4}", "\n".join(said(prompt)))
    if batches:
        return CallTool("phenotype_records", {"batch": batches[-1]})
    return "是哪个批次？请告诉我批次号。"


def said(prompt: Prompt) -> list[str]:
    """What the user has said in this session, the question last."""
    return [message.text for message in prompt.messages if message.type == "human"]


def report(prompt: Prompt, found: dict[str, Any]) -> str:
    """A record in the user's own form."""
    known = prompt.system
    gap = next(iter(re.findall(r"写“(.+?)”", known)), "")  # standing wishes come newest first
    wanted = [row for row in found["性状"] if row[1] in prompt.question]
    if not wanted:
        first = [r for r in found["性状"] if any(r[1] in line for line in lines_on(known, "重点"))]
        wanted = first + [row for row in found["性状"] if row not in first]
    head = f"{found['批次']}（{found['品种']}，{found['状态']}）"
    if not lines_on(known, "四列"):
        return "\n".join([head, *(f"{name}: {value}" for _, name, _, value in wanted if value)])
    rows = [
        f"| {number} | {name} | {gap if value is None else value} | {unit} |"
        for number, name, unit, value in wanted
    ]
    return "\n".join([head, "| 描述符编号 | 性状 | 数值 | 单位 |", "|---|---|---|---|", *rows])


def progress(found: dict[str, Any]) -> str:
    done, planned = found["已采材料数"], found["计划材料数"]
    return f"{found['任务']}：{found['时期']}已采 {done}/{planned} 份，{found['质控']}。"


def lines_on(known: str, word: str) -> list[str]:
    """The remembered lines that hold a word."""
    return [line for line in known.splitlines() if line.startswith("- ") and word in line]


if __name__ == "__main__":
    perform(build, play, STORY, sys.argv[1:])
