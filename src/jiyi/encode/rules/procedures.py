"""How something is done, step by step, in both languages."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Finding
from jiyi.encode.rules.topics import rule_topic
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_HINT: Final = regex(
    r"\b(?:first|steps?|then|after that|procedure|process|workflow)\b|先|步骤|流程|第一步|首先",
    re.IGNORECASE,
)
_EN: Final = regex(
    r"(?:^|\b)(?:(?:to|in order to|when(?:ever)?(?: i| we| you)?|before|after|"
    r"for) (?P<t>[^,:;.]{3,60}?)[,:]\s*(?:you |we |i |one )?(?:always |must |should |need to |"
    r"have to )?first\b.{3,}?\b(?:then|next|after that|afterwards|finally|second)\b"
    r"|(?:the |our |my )?(?:steps?(?!-)|procedure|process|workflow|way|order|routine|recipe|"
    r"checklist)(?: (?:to|for|of|when) (?P<u>[^,:;.]{3,60}?))?(?: (?:is|are|goes?|"
    r"looks like))?(?: as follows| like this| this)?\s*[:：]\s*.{8,}"
    r"|(?:the |our |my )(?P<w>[\w -]{2,40}?) (?:procedure|process|workflow|routine|"
    r"checklist)(?: (?:is|goes))?\s*[:,-]?\s*(?:to )?.{3,}\b(?:then|next|after that|finally)\b"
    r"|(?:^|\b)first,? (?:you |we |i )?(?!of all\b).{3,}?[,;.]\s*(?:and )?(?:then|next|"
    r"after that|second(?:ly)?)\b.{3,})",
    re.IGNORECASE | re.DOTALL,
)
_ZH: Final = regex(
    r"(?P<t>[^，。：:！？]{0,20}?)(?:的)?(?:步骤|流程|操作方法|做法|顺序|操作)(?:(?:是|为|如下|"
    r"这样的?)[：:，, ]*|[：:]\s*)\s*.{6,}"
    r"|(?P<u>[^，。：:！？]{0,20}?)(?:的时候|时|之前|前|，|,|的话|要|都要|得|需要|必须|一般|都|"
    r"是|我们?)*(?:首先|第一步|先)(?!生|后|进|说|问|别|不|这样|看看|谢|确认一下你|"
    r"把话).{2,40}?(?:[，,；;。]\s*)?(?:然后|再(?!见|也|次|说|想|看)|接着|之后|随后|第二步|最后|"
    r"其次).{2,}",
    re.DOTALL,
)
# 先上网找到报考条件，再看看培训: told in passing, of nothing that comes again.
_ZH_LOOSE: Final = regex(
    r"(?!.*(?:步骤|流程|操作方法|做法|顺序|操作)(?:是|为|如下|这样|：|:))"
    r"(?!.*(?:时候?|之?前|的话|都?要|都得|必须|一般)[，,]?(?:首先|第一步|先))[\u4e00-\u9fff]"
)
_TASK_EN: Final = regex(
    r"\b(?:I|we) \w+ed\b|\b(?:I|we) (?:first|then) (?:went|met|saw|was|had|got|felt)\b",
    re.IGNORECASE,
)
_PAST_ZH: Final = regex(
    r"先[^，。]{0,12}了|再[^，。]{0,8}了[，。]|然后就?[^，。]{0,10}了|我找机会|我刚|听起来|心里|怕|按照?这|我[再去来][^，。]{0,4}先"
)
# 明天我先忙完签约，然后…: what is to be done once.
_ONCE_ZH: Final = regex(
    r"^(?!.*(?:每|步骤|流程|的时候|一般)).*(?:明天|今天|今晚|待会|这周|下周|周末|我大概|我想|可以)[^，。]{0,6}先"
)
_ONE_OFF: Final = regex(
    r"\b(?:can you|could you|please|help me|let me|let's|i will|i'll|i want to)\b|帮我|我们?先|"
    r"让我|我想|咱们?先|你先|请先|我先|我找|我再|我[去来]",
    re.IGNORECASE,
)


def procedure(text: str) -> Finding | None:
    """The procedure that a passage describes, if it does: at least two steps in order."""
    if not _HINT.search(text) or len(text) > 1_500:
        return None
    match = _EN.search(text) or _ZH.search(text)
    if match is None or _TASK_EN.search(text) or _PAST_ZH.search(text):
        return None
    if _ONCE_ZH.search(text) is not None:
        return None
    steps = len(
        re.findall(
            r"\b(?:first|then|next|after that|afterwards|finally|second|third|lastly)\b|先|然后|"
            r"再|接着|最后|第[一二三四五]步|首先|其次|之后|\d[.、)]",
            text,
            re.IGNORECASE,
        )
    )
    listed = (
        text.count("，") + text.count(",") + text.count("、") + text.count("->") + text.count("→")
    )
    if steps < 2 and listed < 2:
        return None
    about = next((group for group in match.groups() if group), "")
    if _ONE_OFF.search(text) and not about:
        return None
    if re.match(r"(?:就|也就|那就)是|即", match.group().lstrip("，,。 ")):
        return None  # it goes on with what was said before
    if re.match(r"[我你]|按[这照]|尝试|步骤|明白|好的|所以|今天", about) or (
        not about and _ZH_LOOSE.match(match.group())
    ):
        return None
    topic = rule_topic(about)
    chinese = re.search(r"[\u4e00-\u9fff]", text) is not None
    return Finding(
        with_topic("procedure", topic) if len(topic) > 1 else None,
        "steps",
        kind="procedural",
        tags=("流程" if chinese else "procedure",),
        importance=0.7,
    )
