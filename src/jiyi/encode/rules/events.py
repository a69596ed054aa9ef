"""What happened or will happen, in both languages, with its time, kind and outcome."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from jiyi.encode.rules.event_verbs import KINDS_EN, KINDS_ZH, POSSESSION_EN, POSSESSION_ZH
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.text.patterns import regex
from jiyi.text.time_expressions import find_times

if TYPE_CHECKING:
    from jiyi.text.time_expressions import TimeMention

_DIGIT: Final = regex(r"\d")
_TIME_WORD: Final = regex(
    r"\b(?:today|yesterday|tomorrow|tonight|last|next|this|ago|week|weekend|month|year|"
    r"spring|summer|autumn|fall|winter|morning|evening|"
    r"afternoon|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|"
    r"may|june|july|august|september|october|"
    r"november|december|christmas|easter|recently|just|since)\b"
    r"|[年月日号天周]|星期|礼拜|昨|前天|今|明|后天|上周|下周|上个|下个|刚|去年|明年|春节|国庆|"
    r"中秋|端午|元旦|清明|暑假|寒假|[早晚]上|夜",
    re.IGNORECASE,
)

_EVENTS_EN: Final = tuple(
    (
        kind,
        alone,
        regex(
            rf"(?:have |has |had |'ve )?(?:just |recently |finally |already |also |both |"
            rf"all )*(?:{verbs})\b",
            re.IGNORECASE,
        ),
    )
    for kind, alone, verbs in KINDS_EN
)
_EVENTS_ZH: Final = tuple(
    (kind, alone, regex(rf"(?:[^，。]{{0,14}}?)(?:{verbs})")) for kind, alone, verbs in KINDS_ZH
)
_SKIP: Final = regex(
    r"(?:something|it|that|this|those|them|things|stuff|everything)$|went (?:over|through|with)|"
    r"give it|^(?:need to|have to|must) (?:know|see|say|admit|ask|understand|go now|confess)\b|"
    r"\b(?:went (?:well|wrong|bad|off|ahead|through)|made (?:sense|me|it)|"
    r"got it|found (?:it|that|this|out)|took a (?:look|moment)|did (?:it|that|this|you|not|"
    r"well)|saw (?:that|your|it|this)|read (?:that|it|your|this)|heard (?:that|about)|"
    r"started (?:to )?(?:feel|think|wonder)|lost (?:track|interest|it)|tried (?:it|that|to)|"
    r"gave me|set up (?:a|the)? ?(?:call)? ?with you|"
    r"(?:had|have|having) an? (?:great|good|fun|nice|wonderful|amazing|lovely|awesome|blast|"
    r"fantastic|bad|rough|busy|long|tough|hard|wicked)\b|have an? (?:idea|chance|quick)|"
    r"have a (?:question|problem|doubt|look|good|great|nice|lovely|feeling|hard|tough)|"
    r"finished (?:it|that)|got (?:to|your|the (?:point|idea|message))|"
    r"thought|felt|was thinking|will (?:see|have to|do that|start with)|did what|spent)\b|你|"
    r"是不是|看看|问题是|觉得",
    re.IGNORECASE,
)
_OUTCOME: Final = regex(
    r"\b(?P<e>(?:and |but )?(?:we |i |they )?(?:won|lost|passed|failed|succeeded|got the (?:job|"
    r"offer|deal)|finished (?:first|second|third)|came (?:first|second|third)|"
    r"it (?:went well|failed|worked|was a success|went badly)|was (?:approved|rejected|accepted|"
    r"cancelled|successful)))\b"
    r"|(?P<z>(?:结果)?(?:赢了|输了|通过了|没通过|没过|成功了?|失败了?|拿到了?(?:offer|冠军|"
    r"第[一二三]名|奖)|被拒(?:绝)?了|取消了|顺利(?:完成|结束)?|得了第?[一二三]名?|批了|黄了))",
    re.IGNORECASE,
)
_PLAN_EN: Final = regex(
    r"(?:have|am having|let us (?:have|schedule|do|plan)|scheduled|booked|will have|have got|"
    r"let us) (?:an?|my|our|the)? ?(?P<t>(?:[\w'-]+ ){0,3}?(?:appointment|meeting|meet|exam|"
    r"interview|flight|trip|"
    r"party|wedding|conference|presentation|demo|deadline|class|game|match|race|concert|surgery|"
    r"check-?up|dinner|lunch|call|review|session|"
    r"audition|workshop|test|reservation))\b",
    re.IGNORECASE,
)
_PLAN_ZH: Final = regex(
    r"(?:有|要|约了|约好|预约了|安排了|订了)(?:一?[个场次]|去|参加|和[^，。]{1,8}?|"
    r"跟[^，。]{1,8}?)?(?P<t>[^，。]{0,8}?(?:会议|开会|面试|考试|聚会|婚礼|手术|体检|预约|比赛|"
    r"演出|演唱会|航班|讲座|培训|答辩|评审|汇报|发布会|见面|牙医|复查|聚餐|吃饭|出差))"
)

_WEEKDAY: Final = regex(r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)", re.IGNORECASE)
_NEXT_TO: Final = regex(r",? (?:the )?")
# 我的日常：6点起床，6:30跑步: no day of its own.
_ROUTINE: Final = regex(
    r"日常|每天|平时|通常|作息|\b(?:every day|daily|usually|routine)\b", re.IGNORECASE
)
_CLOCK_ONLY: Final = regex(
    r"(?:早上|上午|中午|下午|晚上|我|at )*\d{1,2}(?:[:：]\d\d|点)", re.IGNORECASE
)
_DAY_OF_MONTH: Final = regex(r"\d[日号]?\s*[（(]$")
# 三月出差小结, 周六约会回顾 2025-08-17: the title of a note; 我今天遇到的: no sentence.
_HEADING: Final = regex(
    r"(?:小结|回顾|摘要|反思|记录|总结|复盘|要点|待办|清单|备忘)(?:$|[与（(]| ?\d{4})"
    r"|(?<!买|做|吃|送|去)的$"
)
# 周五不发版: a rule, and nothing that happens.
_NOT_DONE: Final = regex(r"(?:都|就|也|从|一般)?不(?!小心|幸|慎|得不)")
# "Finished those notes", "need to close this phase": which, only the conversation at hand tells.
_POINTS: Final = regex(
    r"(?:(?:need|have|want|am going|are going) to |must |will |just )*\w+ "
    r"(?:up |out |off |on |at |with )?(?:this|that|these|those)\b(?! (?:morning|afternoon|evening|"
    r"week|weekend|month|year|summer|winter|spring|fall|autumn)\b)",
    re.IGNORECASE,
)


def event(clause: Clause, said_at: datetime) -> tuple[Finding, TimeMention | None] | None:
    """The event that a clause tells, and the time it names, if it names one."""
    if (lost := _possession(clause)) is not None:
        return None if _is_none(clause) else (lost, _time(clause, said_at))
    kinds = _EVENTS_EN if clause.language == "en" else _EVENTS_ZH
    hinted: bool | None = None
    for kind, alone, pattern in kinds:
        if pattern.match(clause.predicate) is None:
            continue
        if hinted is None:
            if _is_none(clause):
                return None
            hinted = (_DIGIT.search(clause.text) or _TIME_WORD.search(clause.text)) is not None
        if not (alone or hinted):
            continue
        mention = _time(clause, said_at) if hinted else None
        if mention is None and not alone:
            return None
        if _POINTS.match(clause.predicate) and (
            mention is None or mention.start is None or mention.end is None or mention.end > said_at
        ):
            return None
        if mention is None and _too_short(clause):
            return None
        return _finding(clause, kind, mention), mention
    return None


def _too_short(clause: Clause) -> bool:
    if clause.language == "en":
        return len(clause.text) < 12
    return len(clause.predicate) < 4


def _is_none(clause: Clause) -> bool:
    """Whether a clause only sounds like an event: "went through it", the title of a note."""
    return bool(
        _SKIP.search(clause.predicate)
        or _HEADING.search(clause.text)
        or _NOT_DONE.match(clause.predicate)
    )


def _possession(clause: Clause) -> Finding | None:
    """Something that happened to a thing of the speaker's: "my bike was stolen", 手机坏了."""
    pattern = POSSESSION_EN if clause.language == "en" else POSSESSION_ZH
    match = pattern.match(clause.predicate)
    if match is None or (clause.language == "zh" and not clause.subject_words):
        return None
    thing = trimmed(match["t"])
    if re.match(
        r"(?:heart|mind|way|interest|patience|temper|他|她|你|这|那)", thing, re.IGNORECASE
    ):
        return None
    return Finding(
        None,
        kind="episodic",
        tags=("possession", thing) if clause.language == "en" else ("物品", thing),
        importance=0.5,
        confidence=0.85,
        event="possession",
    )


_TAGS_ZH: Final = {
    "family": "家庭",
    "work": "工作",
    "education": "学习",
    "health": "健康",
    "travel": "出行",
    "purchase": "购物",
    "meeting": "安排",
    "sport": "运动",
    "creation": "经历",
}


def _finding(clause: Clause, kind: str, mention: TimeMention | None) -> Finding:
    outcome = _OUTCOME.search(clause.sentence)
    plan = (_PLAN_EN if clause.language == "en" else _PLAN_ZH).search(clause.predicate)
    attribute = value = ""
    if plan is not None and mention is not None:
        attribute = f"plan/{thing_topic(plan['t'])}"
        value = clause.text[mention.span[0] : mention.span[1]]
    return Finding(
        attribute or None,
        value,
        kind="episodic",
        tags=(kind if clause.language == "en" else _TAGS_ZH[kind],),
        importance=0.6 if kind in ("family", "work", "education", "health") else 0.5,
        confidence=0.85 if mention is not None else 0.75,
        event=kind,
        outcome=outcome.group().strip() if outcome is not None else None,
    )


def _time(clause: Clause, said_at: datetime) -> TimeMention | None:
    """The time that a clause names first; of "Friday, March 20th" the date. What day of the week
    the 20th is, 20日（周五）, dates nothing without its month."""
    mentions = find_times(clause.text, said_at)
    if not mentions or (_ROUTINE.search(clause.sentence) and _CLOCK_ONLY.match(clause.text)):
        return None
    first = mentions[0]
    if _DAY_OF_MONTH.search(clause.text, 0, first.span[0]):
        return mentions[1] if len(mentions) > 1 else None
    if len(mentions) > 1 and _NEXT_TO.fullmatch(clause.text[first.span[1] : mentions[1].span[0]]):
        weekday = _WEEKDAY.fullmatch(clause.text[slice(*first.span)])
        return mentions[1] if weekday is not None else first
    return first


def dated(text: str, clause_text: str, mention: TimeMention) -> str:
    """The text with the date behind a relative expression: "last week (2023-05-15 to
    2023-05-21)", 上周三（2023-05-17）. A memory is read long after it was said."""
    words = clause_text[mention.span[0] : mention.span[1]]
    place = text.find(words)
    if mention.start is None or place < 0 or re.search(r"(?:19|20)\d\d", words):
        return text
    date = _in_words(mention)
    end = place + len(words)
    chinese = re.search(r"[\u4e00-\u9fff]", words) is not None
    note = f"（{date}）" if chinese else f" ({date})"
    return text[:end] + note + text[end:]


def _in_words(mention: TimeMention) -> str:
    start, end = mention.start, mention.end
    if start is None:
        return ""
    if mention.precision == "year":
        return f"{start:%Y}"
    if mention.precision == "month":
        return f"{start:%Y-%m}"
    day = f"{start:%Y-%m-%d}"
    if end is None or (end - start).total_seconds() <= 86_400:
        return day
    return f"{day}/{end - timedelta(microseconds=1):%Y-%m-%d}"
