"""Facts of a project in both languages: what was settled, where a thing stands, what bounds it, who
has charge of it."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_POINTS: Final = regex(
    r"(?:(?:on|with|by|for)\b(?! (?:the|our|a|an) \w+ (?:of|that))|it|this|that|these|those|them|"
    r"they|everything|all of|you|your|he|she|what|which|one|"
    r"my guy|"
    r"the (?:same|rest|first|second|above|next|following|one|thing|idea|point|question|problem))\b"
    r"|^(?:这|那|它|他|她|你|您|一下|什么|哪|谁|是否|吗|就|也|都|不|没|我(?!们))",
    re.IGNORECASE,
)
_OF_THE_HOUR: Final = regex(
    r"\b(?:dinner|lunch|breakfast|coffee|tea|food|laundry|kids?|room|water|bath|homework|head|mind|"
    r"day|phone|battery|door|bus|train|taxi|walk|run|workout|stretch(?:ing)?|nap|break|exercise|session)"
    r"\b|^(?:怕|担心|以为|差点|[上下]午|早上|晚上|我|今天|昨天|刚|饭|作业|水|菜|衣服|车|他|她|你)",
    re.IGNORECASE,
)
# 项目上线了, 原计划的活动取消了: which one.
_UNNAMED_ZH: Final = regex(
    r"(?:[^，。]{0,4}原[定计]划?的?)?(?:项目|活动|计划|事情?|产品|方案|工作|任务|会议?|课程?|比赛|行程|聚会|安排)"
)
_SETTLED_EN: Final = (
    r"confirmed|finali[sz]ed|approved|signed(?: off)?|greenlit|locked(?: in| down)?|live|deployed|"
    r"launched|complete(?:d)?|on hold|blocked|paused|cancell?ed|postponed|delayed|rejected|"
    r"abandoned|"
    r"scrapped|shelved|off the table|a non-starter|out of scope|in place|up and running|set up|"
    r"integrated|settled|operational|tested|validated|under ?way|behind schedule|on track|"
    r"fully booked|"
    r"ready|done|finished|solid"
)
_PLAIN: Final = ("ready", "done", "finished", "solid", "complete", "completed")
_ANY: Final = ("plan", "project", "learning", "schedule", "list", "task", "detail", "work", "thing")


def _status(match: re.Match[str]) -> Finding | None:
    topic, value = thing_topic(match["t"]), trimmed(match["v"])
    if not topic or _POINTS.match(match["t"]) or _OF_THE_HOUR.search(topic):
        return None
    if re.search(r"\b(?:it|this|that|you|they|sooner)\b", topic):
        return None
    word = "status"
    if re.search(r"[\u4e00-\u9fff]", topic):
        word = "状态"
        topic = re.sub(r"^(?:我们?|咱们?)的?|[被给]$", "", topic)
        topic = re.sub(r"(?:提前|推迟|晚|早)[^，。]{0,5}$|(?:如期|按时|顺利|成功)$", "", topic)
        topic = re.sub(r"(?:虽然|虽说|我们?|他们?|她们?)+$", "", topic)
        if _UNNAMED_ZH.fullmatch(topic):
            return None
    elif len(topic.split()) < 2 and (value in _PLAIN or topic in _ANY):
        return None  # "my tea is ready", "the plan is on hold"
    elif len(topic.split()) > 6:
        return None
    joint = "" if word == "状态" else " "
    return Finding(
        with_topic("detail", f"{topic}{joint}{word}"), value, importance=0.55, confidence=0.85
    )


def _settled(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if _POINTS.match(value) or _OF_THE_HOUR.search(value) or len(value) < 3:
        return None
    chinese = re.search(r"[\u4e00-\u9fff]", match.string) is not None
    tag = "决定" if chinese else "decision"
    return Finding(None, value, tags=(tag,), importance=0.6, confidence=0.85)


def _bound(match: re.Match[str]) -> Finding | None:
    topic, value = thing_topic(match["t"]), trimmed(match["v"])
    if not topic or not re.search(r"[\d一二两三四五六七八九十百千万]", value):
        return None
    if bound := match.groupdict().get("q"):
        value = f"{bound} {value}"
    return Finding(with_topic("detail", topic), value, importance=0.65, confidence=0.9)


def _due(match: re.Match[str]) -> Finding | None:
    topic, value = thing_topic(match["t"]), trimmed(match["v"])
    if not topic or _POINTS.match(topic) or not _DAY_ZH.search(value):
        return None
    return Finding(with_topic("plan", topic), value, kind="episodic", importance=0.65, event="plan")


def _charge(match: re.Match[str]) -> Finding | None:
    what = trimmed(match["v"])
    if _POINTS.match(what) or len(what) < 2:
        return None
    subject = match.groupdict().get("who")
    return Finding("responsibility", what, subject=subject, importance=0.6)


_DAY_ZH: Final = regex(
    r"\d|[一二三四五六日天末]$|月底|月初|年底|年前|节前|本?[周月]|明天|后天|下[周个]"
)
_SOON: Final = (
    r"(?: (?:now|at last|by|for|until|till|from|with|since|because|as of|pending|due)\b.{0,60})?"
)

EN: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?P<t>(?:the|my|our) (?:[\w'/&-]+ ){{0,5}}?[\w'/&-]+) (?:is|are|has been|have been|"
        rf"was|were|"
        rf"got) (?:now |finally |fully |already |officially |all |been |completely |formally |"
        rf"still )*"
        rf"(?P<v>{_SETTLED_EN}){_SOON}$",
        _status,
    ),
    rule(
        r"(?:have |has )?(?:already |now |just |finally |formally |officially |also |all )*"
        r"(?:confirmed|finali[sz]ed|approved|adopted|rejected|ruled out|locked in|agreed (?:on|"
        r"to|that)|"
        r"greenlit|validated|prioriti[sz]ed|shelved|postponed|scrapped|settled on) "
        r"(?P<v>[^,;]{4,90})$",
        _settled,
        "confirmed|finali|approved|adopted|rejected|ruled|locked|agreed|greenlit|validated|"
        "prioriti|shelved|postponed|scrapped|settled",
    ),
    rule(
        r"(?:let us |will |should |am |are |want to |would like to )(?:stick|sticking|proceed|"
        r"proceeding|move forward|moving forward|go ahead) with (?P<v>[^,;]{3,60})$",
        _settled,
        "with",
    ),
    rule(
        r"(?:my |our |the )?(?P<t>(?:[\w'-]+ ){0,3}?(?:budget|deadline|target|limit|timeline|"
        r"cut-?off|"
        r"price|cost|spending)) (?:is |are |was |will be |must be |must stay |has to be |"
        r"has to stay |"
        r"should be |should stay |can not be )?(?:capped at|limited to|set (?:at|to|for)|fixed at|"
        r"a maximum of|(?P<q>no (?:more|later) than|under|below|within|at most|"
        r"up to)) (?P<v>(?:[^,;]|,(?=\d)){1,50})$",
        _bound,
        "budget|deadline|target|limit|timeline|cut|price|cost|spending",
    ),
    rule(
        r"(?:have|has|have got|am on|are on|am working with|are working with) (?:only )?an? "
        r"(?:total |tight |maximum |monthly |fixed |hard |strict )*(?P<t>budget|deadline|target|"
        r"quota|"
        r"limit) (?:of|for|on|by|at) (?P<v>(?:[^,;]|,(?=\d)){1,50})$",
        _bound,
        "budget|deadline|target|quota|limit",
    ),
    rule(
        r"(?:will (?:handle|lead|own|cover|take over|be in charge of)|(?:am|is|are) (?:handling|"
        r"leading|"
        r"covering|in charge of|taking over)) (?P<v>(?:the |our |all )[^,;]{3,50})$",
        _charge,
        "handl|lead|own|cover|tak|charge",
    ),
)

ZH: Final[tuple[Rule, ...]] = (
    rule(
        r"(?P<t>[^，。：:]{2,16}?)(?:已经|终于|刚刚?|现在|都|也|正式|全部|基本|最终|暂时|先|已)*"
        r"(?P<v>确认|敲定|定稿|批准|通过审批|审批通过|上线|搁置|暂停|取消|推迟|延期|作废|验收|签约|"
        r"定下来|否决|驳回|投产|立项|结项|叫停|启动)(?:好|通过)?了$",
        _status,
        "了",
    ),
    rule(
        r"(?:最后|最终|已经|会上|一致|大家|都|正式|今天|刚|也)*(?:敲定|商定|约定|确定|确认|同意|批准|"
        r"否决|通过)(?!一下|下|不|没|过|你|您)(?:了)?(?P<v>[^，。]{3,40}?)(?:了|的)?$",
        _settled,
        "定|确认|同意|批准|否决|通过",
    ),
    rule(
        r"(?P<t>[^，。]{0,12}?(?:预算|成本|费用|开支|报价|工期|时长|字数))(?:要|必须|得|需要|最好|尽量|"
        r"总共|一共|大概|应该)*(?:控制在|压到|压在|不超过|不能超过|上限是?|封顶|最多)"
        r"(?P<v>[^，。]{1,24}?)(?:以内|之内|左右)?(?:了|吧)?$",
        _bound,
        "预算|成本|费用|开支|报价|工期|时长|字数",
    ),
    rule(
        r"(?P<t>[^，。]{0,14}?(?:方案|报告|项目|初稿|终稿|合同|材料|论文|版本|需求|样品|标书|课题|"
        r"设计|验收|交付))(?:要|必须|得|需要|计划|预计|说好)+(?:在)?(?P<v>[^，。]{1,14}?)(?:之?前)?"
        r"(?:提交|交付|交|完成|上线|定稿|验收|发布|结束)(?:了|吧)?$",
        _due,
        "要|必须|得|计划|预计|说好",
    ),
    rule(
        r"(?P<v>[^，。]{2,16}?)(?:这块|部分|这边)?(?:现在|以后|就|都|还是|改|统一)*(?:由|归|交给)"
        r"(?P<who>[\u4e00-\u9fffA-Za-z]{2,6}?)(?:来)?(?:负责|管|跟进|牵头|主导|对接)(?:了|吧)?$",
        _charge,
        "由|归|交给",
    ),
)
