"""What does not stand alone, in both languages: the end of somebody's thought, a heading, a step of
a list, something that only the conversation at hand could name. True or not, nobody who reads it
later knows what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jiyi.encode.rules.discourse import is_record
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.slots import family_of, topic_of
from jiyi.text.patterns import regex

if TYPE_CHECKING:
    from jiyi.text.time_expressions import TimeMention

# 特别是那个把手, 涉及相关事宜, 主要用于…: what it goes on with stands before it.
_HEAD_ZH: Final = regex(
    r"(?:特别|尤其|就|也就|不是|而是|主要|只|还|无非|这|那)?(?:是(?=[那这先再])|涉及|用于|包括|包含|"
    r"针对|对冲|原定|原计划|回顾|遂|例如|比如|譬如|诸如|从而|以便|以免|以至于|以及|或者|还是说|至于|何况|何必|否则|"
    r"不然|甚至(?!.{0,4}我))"
    r"|和我刚|(?:特别|尤其)是|(?:根据|按照|依据|依照|鉴于|随着|基于|对于|关于)[^，。了]*$"
)
# 放飞的时候, 运动安排调整为, 明天一早去补上: what comes next is missing.
_TAIL_ZH: Final = regex(
    r"(?:的时候|(?<![行作成认以因])为|[和与及把被]|比如|例如|包括|关于|(?<!但)是)$"
    r"|^.{0,14}(?:补上|实践|照做|照办|落实|处理|行动起来|试一?试|收到(?:了)?(?:通知|消息|信|邮件|"
    r"短信|电话))$"
)
# Whoever it is said of: 无论是考试还是答辩, 来源：某网.
_OPEN_ZH: Final = regex(
    r"^我?(?:无论|不管|对我这|像我这)|^(?:来源|出处|参考|数据来源|备注来源)[：:]|"
    r"(?:[用试看做弄]了?一下|就(?:可以|能|要)?开始|把[^，。]*一起)$"
)
# 17:40开始, 周末长跑记录 10月19日: a time and nothing that happens, a heading of a note.
_BARE_TIME: Final = regex(
    r"^[从自\d:：点半分年月日号上下午早晚中今明昨后前天周星期礼拜一二三四五六末至到\s（()）/~～-]+"
    r"(?:开始|结束|出发|集合|举行|到|见|截止)?$"
)
_STEP: Final = regex(
    r"(?:^|[\s；;：:，,。])(?:\d{1,2}[.、)）．]|[-*•·]|[一二三四五六七八九十]、)\s*$"
)
# "The price is 20 in the example": of the text at hand.
_IN_A_TEXT_EN: Final = regex(
    r"\bin (?:the|this|that|your) (?:\w+ )?(?:example|code|snippet|story|book|movie|film|exercise|"
    r"question|"
    r"article|chapter|picture|image|screenshot|paragraph|sentence|text|poem|song|game|novel|"
    r"scene|episode|script|essay|draft)\b|\bin chapter \w+",
    re.IGNORECASE,
)
_OUTLINE: Final = regex(r"^[一二三四五六七八九十]、|[：:]\s*\d{1,2}[.、]?$")

# "a keeper who lives alone and hates gulls": nobody says so of themselves.
_OF_ANOTHER_EN: Final = regex(
    r"(?:loves|likes|hates|dislikes|enjoys|prefers|lives|works|wants|needs|plays|eats|drinks|"
    r"speaks|"
    r"studies|teaches|owns|collects|uses|has|is|was)\b",
    re.IGNORECASE,
)
# "took it", "finished that", "submitted a few more": what, only the conversation at hand tells.
_POINTS_EN: Final = regex(
    r"(?:(?:have|has|had|just|finally|already|also|actually|really|recently|even|definitely|do|did|"
    r"will|let us|am going to|need to|want to|start(?:ed|ing)?|stop(?:ped)?|keep|kept|can not|"
    r"can't|"
    r"cannot) )*"
    r"(?:\w+) (?:up |out |off |on |at |with |to |for |about )?"
    r"(?:it|them|this|that|these|those|everything|something|the same|one)"
    r"(?:$|[.,;!]| (?:at|in|on|last|this|next|today|yesterday|tomorrow|from|to|for|with|"
    r"the (?:hard|easy)|"
    r"when|before|after|again|now|yet|too|as|and|so|all|(?:\w+ )?(?:we|you|i) )\b)"
    r"|(?:\w+ )?(?:\w+) (?:this|that|these|those) (?:pics?|photos?|pictures?|shots?)\b"
    r"|.*\b(?:on|about|of) (?:this|that|these|those) \w+$"
    r"|.*\b(?:a few|some|two|three|another|one|any) more$"
    r"|.*\b(?:a few|two|three|some) more (?:last|this|yesterday|today)\b"
    r"|.*\blike (?:the|our|my) (?:last|other|previous) (?:one|time)\b"
    r"|.*\bfor (?:in|on|at) (?:the )?\w+",
    re.IGNORECASE,
)
_WE_KNOW_EN: Final = regex(
    r"\b(?:those|these|that|the) [\w' -]{2,40}? (?:that )?(?:we|you) (?:talked|discussed|spoke|"
    r"said)\b"
    r"|\b(?:like|as|just as) (?:we|you) (?:\w+ )?(?:talked|discussed|agreed|said|planned|suggested|"
    r"asked|told|wanted|mentioned)\b",
    re.IGNORECASE,
)
# "I presented the proposal": which, only the conversation at hand tells.
_THE_ONE_EN: Final = regex(
    r"(?:(?:have|has|had|just|finally|already|also) )*\w+(?: up| out| in| off)? the "
    r"(?:proposal|report|list|task|form|draft|plan|document|file|email|message|exercise|step|"
    r"section|chapter|part|work|project|thing|assignment|order|request|application|video|article)s?$",
    re.IGNORECASE,
)
# "I had an experience that changed me": what, comes next.
_ANNOUNCED_EN: Final = regex(
    r"\b(?:had|have|got) (?:an?|some|another|this|quite an?) (?:[\w-]+ ){0,2}(?:experience|"
    r"adventure|moment|surprise|setback|encounter|conversation|thought|realization|news)\b"
    r"(?! (?:at|in|with|on|from|during|while|of|off|for|to)\b)",
    re.IGNORECASE,
)
# "I did something new", "that one", "those notes": what.
_POINTED_OUT_EN: Final = regex(
    r"\b(?:did|tried|had|made|saw|found|heard|learned|learnt) something\b|\b(?:this|that) one\b|"
    r"\b(?:those|these) (?!days\b|years\b|people\b)[\w-]+(?: [\w-]+)?"
    r"(?= (?:today|yesterday|last|this|on|now)\b|[.!]?$)",
    re.IGNORECASE,
)
# "Set up the transfer today": an order, and no deed.
_ORDERED_EN: Final = regex(r"(?:set up|set|read|put|cut|hit|shut|make|take|run) ", re.IGNORECASE)
# "I'm having trouble with your explanations": of the talk.
_TO_YOU_EN: Final = regex(r"\b(?:you|your|yours|them|it|this|that)\b", re.IGNORECASE)
# "Scheduled for Friday": what is.
_UNNAMED_EN: Final = regex(
    r"(?:re)?(?:scheduled|booked|set|planned|confirmed|postponed|moved|fixed|delayed|pushed back) "
    r"(?:for|to|on|at|until|in) ",
    re.IGNORECASE,
)
# "All I do is read books and drink coffee": a complaint.
_ALL_I_DO: Final = regex(
    r"\ball (?:that )?(?:i|we|he|she|they) (?:ever )?(?:do|does|did)\b", re.IGNORECASE
)
# A taste for "this", "them", "seeing them like that".
_POINTED_AT_EN: Final = regex(
    r"\b(?:it|them|these|those)\b(?! \w+(?:s|ed)\b)|\b(?:like|than|to|of|in|with|all|"
    r"about) (?:this|that)"
    r"(?: \w+)?$|^(?:(?:this|that)\b|(?:the|a|an|my|your)$)",
    re.IGNORECASE,
)
_POINTED_AT_ZH: Final = regex(r"^(?:这|那|它|他们|她们)|(?:这样|那样|这些|那些|这么|那么)")
# 这些方法, 那两款: only who was there knows which.
_POINTS_ZH: Final = regex(
    r"[这那](?!.{0,3}[‘“「《])(?:些|[两几三](?![年天周个月])|个(?!月|周|星期|礼拜|季度|学[期年]|[春夏秋冬寒暑假]|国庆)|件|种|样|套|款|批|"
    r"类|条|份|项|点|门|本|次|场|趟|张|位|家(?!里))"
)
# 修完自行车后, 做了件特别的事, 看到一些不错的料子, 减掉的又回来了: what matters comes next, or is
# not said.
_HALF_ZH: Final = regex(
    r"(?<=..)(?:[之以]后|[之以]前|的时候|(?<![天周月年日时号点最背前落午])后|(?<![小及准平同临按定随即当暂有])时)$"
    r"|(?:件|桩|个|些|种|段)[^，。]{0,8}(?:意义|成就感|期待|重要|开心|勇敢|不错|有趣|难忘|惊喜|特别|丢人|尴尬|骄傲|"
    r"糟糕|大|好|小)的?(?:事情?|消息|决定|行程|活动|东西|经历|发现|计划|安排|体验)$"
    r"|一些(?:很|挺|蛮|非常|特别)?(?:不错|好|有趣|有用|新奇)的"
    r"|^[^，。我他她]{2,12}的(?:又|都|也|已经|全)"
    r"|^我?们?(?:可以|要不|不如|能不能)|(?:再|好好|得去|把)[^，。]{0,16}一下了?$|[：:]$|的话$|^我?们?从[^，。]*开始$"
    r"|^(?:已经?)?(?:顺利|成功)?(?:完成|搞定|通过)了?(?:报名|预约|准备|采购|复盘|训练|缴费)?$"
    r"|(?:去|来|就|要)(?:体验|尝试|试试|看看|谈|聊|问|置办|处理|实践|落实|执行|动手)(?:了|一下)?$"
    r"|^我?们?(?:事情?|活|工作)(?:是|都|也)*(?:做|弄|办)?(?:完|好|搞定|完成)了$"
    r"|^我?们?(?:这边|那边)?(?:东西|资料|材料|事情|数据|一切)?(?:都|也|已经|全)*.{1,2}好了$"
)
# 避免扭伤, 可以试试: nothing that happened.
_NOT_DONE_ZH: Final = regex(r"避免|防止|以防|免得|小心|担心|就怕|可以|不妨|尝试(?!了)|试试")
# A line of a note on what is still to be done.
_TO_DO_ZH: Final = regex(r"(?:还|仍|再|也|均|都)*(?:需要?|应该?|务必|记得|必须)")
# News of oneself in one word: 升职了, 毕业了.
_NEWS_ZH: Final = regex(
    r"(?:终于|已经|刚|顺利|正式)*(?:结婚|领证|订婚|离婚|分手|怀孕|升职|加薪|涨薪|离职|辞职|跳槽|入职|退休|转正|毕业|"
    r"住院|出院|骨折|感冒|发烧|搬家|拿到了?[^，。]{2,8}|考[上过]了?[^，。]{0,8}|当了?[爸妈爷奶][^，。]{0,2})(?:了|啦)"
)
# A liking for what was just said: 我喜欢这个想法 without its 这个.
_SAID_ZH: Final = regex(r"(?:点子|主意|建议|想法|思路|比喻|说法|提议|回答|总结|框架)$")
# "I want to start now": said of the hour, not of the months to come.
_AT_ONCE: Final = regex(
    r"\b(?:asap|as soon as possible|right away|right now|immediately|(?:like,? )?\W?now\W*$|"
    r"quickly|"
    r"today|tonight|this (?:very )?(?:minute|second|moment))\b"
    r"|立刻|马上|现在就|尽快|赶紧|待会|一会儿|(?:今天|今晚|现在)就",
    re.IGNORECASE,
)
_NO_GOAL: Final = regex(
    r"(?:very |really |now |still |all )*(?:clear|set|simple|high|ambitious|the same|realistic)"
    r"|(?:准备|打算|计划)的.*"
    r"|(?:准备|打算|计划|决定|想|希望)(?:再|就|按|照|把这|先?从.{1,12}开始$).*|希望能?[^，。]{1,10}得[^，。]{1,6}"
    r"|.*(?:后|之后|的时候|以前|之前)|计划(?:书|表|单|中|内|本).*"
    r"|.*\b(?:challenge|push|improve|better) myself|.{0,3}(?:清楚|明确|不变|很高)(?:了|的)?",
    re.IGNORECASE,
)
# A meal or a show of the day, in nobody's company.
_EVERYDAY: Final = regex(
    r"(?!.*(?:和|跟|陪|带|请|第一次|生日|过敏|纪念|庆))"
    r".*(?:[吃喝点](?:了|过)(?:个|碗|顿|杯|份|盘|点|一)?(?!药|苦|亏|惊|饭)|"
    r"(?:看|刷|追)(?:了|完)?(?:个|部|集|一集|会儿)?(?:综艺|电视|视频|剧|直播|抖音|八卦|热搜))"
    r"|(?!.*\b(?:with|together|first|birthday|anniversary|allerg|\w+ and i)\b)"
    r".*\b(?:ate|had|grabbed|drank|ordered) (?:a |an |some |the |my |"
    r"two )?(?:[\w'-]+ ){0,3}(?:lunch|"
    r"breakfast|snack|coffee|tea|sandwich(?:es)?|pizza|noodles|salad|burgers?|soup|takeaway|"
    r"takeout)\b",
    re.IGNORECASE,
)
_GENERAL: Final = frozenset(
    re.findall(
        r"\S+",
        "地点 时间 日期 地址 预算 价格 费用 内容 主题 目标 人数 单价 名称 负责人 要求 "
        "location time date address budget price content topic goal name unit venue",
    )
)
"""Topics of details that say nothing in a note: of what, its heading told."""

# 再中期不用的那部分, 能正式, 2. 物流成本, 订单我: no name of a thing.
_NO_THING_ZH: Final = regex(
    r"^(?:有[个些]|[与和跟]|则|即|故|因此|那么|其中|再|遂|能|会(?!议|员|场|计|费)|可|又|所以|从|按|在|到|先|都|就|想|让|等|了|\d+[.、])|我$|^(?:双方|大家)约?$|^.{0,2}(?:初步|大致)$"
)
_FELT_ZH: Final = regex(
    r"不知道|在想|担心|知道该|有信心|放心|踏实|说是|好像|(?:是|真|很|太|好|挺)[忙累难烦]$|太[^，。]{1,5}了$|真是|听起来|想到|适合|希望|谢谢|感谢|恭喜|本来(?=就|想|要)"
)
_NO_HOME_EN: Final = regex(r"(?:quite|very|rather|pretty|really|such)\b", re.IGNORECASE)
# 有个目标是学会吉他, "I have PDFs on my tablet", "on my phone anyway"
_NO_DEVICE: Final = regex(r"是|\b(?:on|in|from|for) (?:my|the|an?)\b|\banyway\b", re.IGNORECASE)
_NO_HOME_ZH: Final = regex(r"^[翻涨跌降加]|倍$")
# 把时间用起来, 方向是清晰的
_NO_KIND_ZH: Final = regex(r"起来|清晰|明确|对|好|不变|一样|什么|[上下]来|出来|进去")
# 是客户偏好的产品还是…, 我做的保险: no trade.
_NO_TRADE_ZH: Final = regex(r"^的|的(?:产品|数据|测试|运营|算法|开发|设计|方案|项目)$")
_DOING_ZH: Final = regex(r"[问看聊说等找忙想](?!点)[\u4e00-\u9fff]")
_HOW_FAR: Final = regex(r"小时|公里|天(?!籁|际)|\d趟|[一两几]趟|分钟")
_TIME_OR_PLACE: Final = regex(r".{0,3}(?:时间|日期|地点|地址)")
# A name or a state that is used like a noun: 爱和归属感, "love exists".
_NO_TASTE: Final = regex(
    r"^(?:[和与]|[多少]的|来(?=[\u4e00-\u9fff]{2}$)|情|护|to$|exists?$|your|"
    r"the (?:day|moment|colou?r)|for )",
    re.IGNORECASE,
)
_THINGS: Final = frozenset(["detail", "plan", "tool", "procedure", "responsibility", "version"])


def is_loose(clause: Clause) -> bool:
    """Whether a clause goes on with something else, leads up to it, or is a heading."""
    text = clause.text.strip()
    if clause.language == "en":
        if "in " in text and _IN_A_TEXT_EN.search(text):
            return True
        inside = not clause.sentence.lstrip().startswith(text[:12])
        if inside and _ALL_I_DO.search(clause.sentence):
            return True
        return (
            inside
            and not clause.subject_words
            and _OF_ANOTHER_EN.match(clause.predicate) is not None
        )
    unsaid = clause.lead != "" or not clause.subject_words
    if unsaid and _HEAD_ZH.match(text):
        return True
    return any(pattern.search(text) for pattern in (_TAIL_ZH, _OPEN_ZH, _OUTLINE))


def dangles(clause: Clause, finding: Finding, turn: str, time: TimeMention | None = None) -> bool:
    """Whether what was found in a clause of `turn`, with the time that it names, says nothing
    without what stood around it."""
    if "remember" in clause.marks or finding.ends:
        return False
    attribute = finding.attribute or ""
    family, topic = family_of(attribute), topic_of(attribute)
    if not family:
        return _tells_nothing(clause, finding, turn) or _is_half(
            clause, finding, turn, timed=time is not None
        )
    if family in ("preference", "favourite"):
        return _is_no_taste(clause, topic)
    if family in _THINGS:
        return _is_no_thing(clause, finding, turn)
    return _is_no_value(family, finding) or (
        # In a note it is that of a shop as likely as not.
        family in ("address", "phone", "email") and is_record(turn) and not clause.subject_words
    )


def _is_no_value(family: str, finding: Finding) -> bool:
    """Whether a value is none of its family: hours driven, an aim for the hour."""
    value = finding.value
    if family in ("occupation", "responsibility"):
        return _NO_TRADE_ZH.search(value) is not None
    if family == "vehicle":
        return _HOW_FAR.search(value) is not None
    if family == "device":
        return _NO_DEVICE.search(value) is not None
    if family in ("format", "major"):
        return _NO_KIND_ZH.fullmatch(value) is not None
    if family == "residence":
        return bool(_NO_HOME_EN.match(value) or _NO_HOME_ZH.search(value))
    aims = family == "goal"
    return aims and bool(
        _AT_ONCE.search(value) or _NO_GOAL.fullmatch(value) or _POINTS_ZH.search(value)
    )


def _is_no_thing(clause: Clause, finding: Finding, turn: str) -> bool:
    topic = topic_of(finding.attribute or "")
    if re.search(r"[\u4e00-\u9fff]的[\u4e00-\u9fff]", finding.value) and "tool/" in (
        finding.attribute or ""
    ):
        return True  # 用老师教的思路
    if "detail/" in (finding.attribute or "") and _DOING_ZH.match(finding.value):
        return True  # 还有客户在问新款
    general = topic in _GENERAL or _TIME_OR_PLACE.fullmatch(topic) is not None
    return (
        (general and is_record(turn))
        or _NO_THING_ZH.search(topic) is not None
        or _is_step(clause, turn)
    )


def _tells_nothing(clause: Clause, finding: Finding, turn: str) -> bool:
    """Of what fills no slot: meals of the day, feelings, things that are only pointed at."""
    happened = finding.event is not None
    if happened and _EVERYDAY.match(clause.text):
        return True
    if clause.language == "en":
        if "circumstances" in finding.tags and _TO_YOU_EN.search(clause.text):
            return True
        known = _WE_KNOW_EN.search(clause.text) is not None
        named = re.search(r"(?<=\w )(?!I\b)[A-Z]", clause.text) is not None
        return (known and not named) or _POINTS_EN.match(clause.predicate) is not None
    felt = happened and _FELT_ZH.search(clause.text) is not None
    return felt or _BARE_TIME.match(clause.text) is not None or _is_step(clause, turn)


def _is_half(clause: Clause, finding: Finding, turn: str, *, timed: bool) -> bool:
    """Whether an event, a habit or a decision names neither who nor what: the rest of it stands
    in the sentence around it, or comes next."""
    if clause.language == "en":
        text = clause.predicate
        unnamed = not clause.subject_words and (
            _UNNAMED_EN.match(text) or (finding.event and _ORDERED_EN.match(text))
        )
        if unnamed or _POINTED_OUT_EN.search(clause.text):
            return True
        return bool(
            finding.event
            and (_ANNOUNCED_EN.search(text) or (not timed and _THE_ONE_EN.match(text)))
        )
    text = clause.text
    if _POINTS_ZH.search(text) or _HALF_ZH.search(text):
        return True
    if (clause.subject_words and not clause.lead) or "限制" in finding.tags:
        return False
    if _NOT_DONE_ZH.search(text) or (is_record(turn) and _TO_DO_ZH.match(clause.predicate)):
        return True
    # 他很高兴，轮到自己当爸爸了: of whom it is said, and of when, the words around it tell.
    before = clause.sentence[: max(0, clause.sentence.find(text[:6]))]
    opens = re.search(r"[，,；;：:。]", before) is None
    return not (timed or opens or _NEWS_ZH.fullmatch(clause.predicate))


def _is_no_taste(clause: Clause, topic: str) -> bool:
    if _NO_TASTE.match(topic):
        return True
    if clause.language == "zh":
        return _POINTED_AT_ZH.search(topic) is not None or _SAID_ZH.search(topic) is not None
    liked = _object(clause)
    return bool(
        _POINTED_AT_EN.search(topic)
        or _POINTED_AT_EN.search(liked)
        or re.search(r"\byours?\b", liked, re.IGNORECASE)
    )


def _object(clause: Clause) -> str:
    """What a liking is for: the words behind its verb."""
    return clause.predicate.partition(" ")[2]


def _is_step(clause: Clause, turn: str) -> bool:
    """Whether a clause without a subject is an item of a list."""
    if clause.subject_words and not clause.lead:
        return False
    start = clause.span[0]
    return _STEP.search(turn, max(0, start - 6), start) is not None
