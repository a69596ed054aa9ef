"""Every word of the pages is there in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import jiyi.inspector
from jiyi.inspector.language import chinese, preferred, say, say_reason
from jiyi.types import KINDS, STATUSES, VISIBILITIES, StepAction, Support, Tier, Trust

ROOM = Path(jiyi.inspector.__file__).parent
IN_TEMPLATES = re.compile(r"""\bt\("([^"]+)"|\bt\('([^']+)'|item\('[^']+', '([^']+)'\)""")
IN_CODE = re.compile(r"""(?:visit\.say|\bt)\(\s*"([^"]+)\"""")
CLOSED = {
    *KINDS,
    *STATUSES,
    *(f"shown to {each}" for each in VISIBILITIES),
    *(word for kind in (StepAction, Support, Tier, Trust) for word in get_args(kind)),
}


def told() -> set[str]:
    """The English of everything that templates and pages say."""
    texts = set(CLOSED)
    for path in ROOM.rglob("*.html"):
        for found in IN_TEMPLATES.findall(path.read_text("utf-8")):
            texts |= {text for text in found if text}
    for path in ROOM.rglob("*.py"):
        texts |= set(IN_CODE.findall(path.read_text("utf-8")))
    return texts - {"shown to "}


def test_everything_has_a_translation() -> None:
    """Nothing that a page says is missing in Chinese."""
    assert sorted(told() - chinese().keys()) == []


def test_placeholders_are_the_same() -> None:
    """What is filled into the English is filled into the Chinese."""
    for english, said in chinese().items():
        assert set(re.findall(r"\{\w+\}", said)) == set(re.findall(r"\{\w+\}", english)), english


def test_the_language_of_a_browser() -> None:
    """The first of its languages that we speak, by weight; English where it speaks none of them."""
    for accepted, language in {
        "zh-CN,zh;q=0.9,en;q=0.8": "zh",
        "en-GB,en;q=0.9,zh;q=0.8": "en",
        "de-DE,de;q=0.9,zh-TW;q=0.7,en;q=0.6": "zh",
        "fr": "en",
        "": "en",
        "zh;q=nonsense,en;q=0.1": "en",
    }.items():
        assert preferred(accepted) == language, accepted


def test_reasons_are_said_too() -> None:
    """Reasons of the audit log with something in them read as Chinese; unknown ones stay."""
    reason = "residence changed: what was said later is current"
    assert say_reason(reason, "zh") == "居住地 有变：以后说的为准"
    assert say_reason(reason, "en") == reason
    assert say_reason("undone: superseded", "zh") == "撤销：已被取代"
    assert say_reason("something else", "zh") == "something else"
    assert say("{n} found", "zh", n=3) == "共 3 条"
