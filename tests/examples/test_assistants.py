"""What the assistants of `examples/` must remember. A function plays the model, and it can only use
what stands in its prompt: where memory brings nothing, these answers are wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiyi.agent import Reply

Play = Callable[..., dict[tuple[str, str], list[Reply]]]
EXAMPLES = Path(__file__).parents[2] / "examples"


def called(reply: Reply) -> list[str]:
    return [use.name for use in reply.tools]


# --- the phenotypes of rapeseed -------------------------------------------------------------------


def test_the_technician_gets_their_own_form(play: Play) -> None:
    """A week later: four columns with units, what matters to them first, gaps marked and nothing
    made up; a trait asked for by name alone is of the batch that was spoken of."""
    replies = play("phenotype_assistant")["赵老师", "一周后"]
    whole, height, task = (reply.text for reply in replies)
    rows = [line.strip("| ").split(" | ") for line in whole.splitlines() if line.startswith("|")]
    assert rows[0] == ["描述符编号", "性状", "数值", "单位"]
    assert rows[2:4] == [
        ["5.49", "全株有效角果数", "311.4", "个"],
        ["—", "菌核病发病率", "4.1", "%"],
    ]
    assert ["5.46", "有效分枝高度", "未采集", "cm"] in rows
    assert len(rows) == 10
    assert "| 5.43 | 株高 | 158.7 | cm |" in height
    assert height.count("\n") == 3
    assert "61/84" in task
    assert [called(reply) for reply in replies] == [
        ["phenotype_records"],
        ["phenotype_records"],
        ["collection_task"],
    ]


def test_a_convention_changes_and_the_others_stay(play: Play) -> None:
    """The new mark for gaps holds on the next turn, in the same four columns and order."""
    replies = play("phenotype_assistant")["赵老师", "汇总前"]
    assert "| 5.44 | 一次分枝数 | 缺测 | 个 |" in replies[1].text
    assert "未采集" not in replies[1].text
    assert replies[1].text.splitlines()[3].startswith("| 5.49")


def test_a_colleague_does_not_inherit_them(play: Play) -> None:
    """Who set no conventions gets none of somebody else's."""
    (reply,) = play("phenotype_assistant")["小马", "新同事"]
    assert "|" not in reply.text
    assert "缺测" not in reply.text
    assert "株高: 149.3" in reply.text


@pytest.mark.parametrize(
    ("convention", "mark"),
    [("没测的性状都写“空缺”。以后一律这样。", "空缺"), ("以后缺的项一律写“NA”。", "NA")],
)
def test_the_mark_is_the_users(play: Play, convention: str, mark: str) -> None:
    """Another technician's words for a gap are kept as well: nothing is fixed in the example."""
    story = [
        ("2026-06-01T08:00:00+08:00", "钱工", "1", (convention, "以后结果一律按四列列表。")),
        ("2026-06-20T08:00:00+08:00", "钱工", "2", ("看一下 P-2026-0402。",)),
    ]
    (reply,) = play("phenotype_assistant", story)["钱工", "2"]
    assert f"| 角果长度 | {mark} | cm |" in reply.text


# --- the usual way --------------------------------------------------------------------------------


def test_the_usual_way_is_each_developers_own(play: Play) -> None:
    """The same words deploy with different tools, servers and commands."""
    replies = play("deployment_assistant")
    (lin,), (priya,) = replies["林工", "一周后"], replies["Priya", "a week later"]
    assert lin.tools[0].arguments == {
        "tool": "rsync",
        "server": "stage-7",
        "command": "systemctl restart shop",
    }
    assert priya.tools[0].arguments == {
        "tool": "Ansible",
        "server": "web-3",
        "command": "ansible-playbook site.yml",
    }


def test_who_never_said_is_asked(play: Play) -> None:
    """Nothing is deployed for a newcomer until they have told how; then it is."""
    asked, noted, done = play("deployment_assistant")["Tom", "first day"]
    assert "?" in asked.text
    assert called(asked) == []
    assert called(noted) == ["remember"]
    assert done.tools[0].arguments["server"] == "edge-2"


def test_a_new_way_replaces_the_old(play: Play) -> None:
    """算了…改用: weeks later the usual way is the new one."""
    (reply,) = play("deployment_assistant")["林工", "两周后"]
    assert reply.tools[0].arguments == {
        "tool": "PM2",
        "server": "stage-7",
        "command": "pm2 reload shop",
    }


@pytest.mark.parametrize(
    ("told", "asked", "server"),
    [
        (
            "My deploys go out with Fabric to box-9: `fab ship`.",
            "The usual deploy, please",
            "box-9",
        ),
        ("我上线一般用 Docker 推到 prod-2，然后 `docker compose up -d`。", "照旧上线", "prod-2"),
    ],
)
def test_other_words_for_the_usual(play: Play, told: str, asked: str, server: str) -> None:
    """Other developers, other phrasings."""
    story = [
        ("2026-06-01T08:00:00+08:00", "sun", "1", (told,)),
        ("2026-06-20T08:00:00+08:00", "sun", "2", (asked,)),
    ]
    (reply,) = play("deployment_assistant", story)["sun", "2"]
    assert reply.tools[0].arguments["server"] == server


# --- customers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "chat", "order", "reason"),
    [("周女士", "聊天 1", "SO-7731", "小了一码"), ("Ellen", "chat 1", "SO-8054", "too small")],
)
def test_order_and_intent_are_carried_over_turns(
    play: Play, user: str, chat: str, order: str, reason: str
) -> None:
    """The wish of the first turn meets the order of the second; the third needs neither."""
    wish, named, when = play("customer_service")[user, chat]
    assert called(wish) == []
    assert named.tools[0].name == "open_return"
    assert named.tools[0].arguments == {"order": order, "reason": reason}
    assert when.tools[0].name == "refund_status"
    assert when.tools[0].arguments == {"order": order}


@pytest.mark.parametrize(
    ("user", "chat", "order"), [("周女士", "聊天 2", "SO-7731"), ("Ellen", "chat 2", "SO-8054")]
)
def test_the_order_is_known_days_later(play: Play, user: str, chat: str, order: str) -> None:
    """A new conversation that names no order is about the one of last time."""
    (reply,) = play("customer_service")[user, chat]
    assert reply.tools[0].arguments == {"order": order}


def test_another_customer_is_asked(play: Play) -> None:
    """Nobody hears of somebody else's order."""
    (reply,) = play("customer_service")["Omar", "chat 1"]
    assert called(reply) == []
    assert "SO-" not in reply.text


# --- developers -----------------------------------------------------------------------------------


def test_stack_structure_and_changes_are_known(play: Play) -> None:
    """A proposal two weeks later fits the framework, the folder and the changed stack, and a thing
    renamed is found under its new name."""
    endpoint, moved = play("developer_assistant")["Iris", "new feature"]
    assert endpoint.tools[0].arguments == {"folder": "app/api"}
    assert endpoint.text.startswith("FastAPI: app/api/invoices.py")
    assert "SQLModel" in endpoint.text
    assert "pytest" in endpoint.text
    assert "AccountRepository" in moved.text
    assert "app/models/account.py" in moved.text


def test_each_developer_has_their_own_project(play: Play) -> None:
    """Another's stack is their own, and a newcomer is asked."""
    replies = play("developer_assistant")
    (jie,), (noor,) = replies["阿杰", "新功能"], replies["Noor", "first day"]
    assert jie.text.startswith("Django: shop/接口/发票.py")
    assert "unittest" in jie.text
    assert called(noor) == []
    assert "?" in noor.text


# --- all of them ----------------------------------------------------------------------------------

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in ("demo", "stage"))


@pytest.mark.parametrize("name", NAMES)
def test_without_memory_they_fail(play: Play, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The played model knows nothing by itself: with an empty prompt, later sessions go wrong."""
    from jiyi.agent.turns import OpenTurn

    whole = play(name)
    monkeypatch.setattr(OpenTurn, "system", "")
    monkeypatch.setattr(OpenTurn, "before", ())
    assert {k: [r.text for r in v] for k, v in play(name, again=True).items()} != {
        k: [r.text for r in v] for k, v in whole.items()
    }


def test_they_run_from_the_command_line() -> None:
    """`python examples/….py` works as it is written in the file, offline; an unknown model is said
    in one line."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}

    def run(*arguments: str) -> Any:
        command = [sys.executable, str(EXAMPLES / "deployment_assistant.py"), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, encoding="utf-8"
        )

    done = run()
    assert done.returncode == 0, done.stderr
    assert "PM2@stage-7" in done.stdout
    failed = run("--model", "nobody:x")
    assert failed.returncode != 0
    assert "nobody:x" in failed.stderr.splitlines()[-1]
