"""Changes of both languages: X became Y, no longer X, Y instead of X."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.details import DEEDS_ZH, HEADS
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.products import CHINESE, is_product
from jiyi.encode.rules.topics import WISHED_ZH, changed_topic, object_topic, thing_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

# A topic that has a slot of its own when something about it changes.
_KNOWN: Final = {
    word: attribute
    for attribute, words in (
        ("occupation", "工作|职业|岗位|job|profession|role"),
        ("employer", "公司|单位|company|employer"),
        ("salary", "工资|薪水|月薪|年薪|salary"),
        ("phone", "手机号|电话|号码|手机号码|联系电话|phone number|number|phone"),
        ("email", "邮箱|email|email address"),
        ("wechat", "微信|微信号"),
        ("address", "地址|住址|收货地址|address"),
        ("name", "名字|name"),
        ("nickname", "昵称|网名|nickname"),
        ("major", "专业|major"),
        ("vehicle", "车|car"),
        ("timezone", "时区|time zone|timezone"),
        ("device", "手机|电脑"),
        ("weight", "体重|weight"),
    )
    for word in words.split("|")
}
_SYSTEMS: Final = (
    r"(?:数据库|框架|编辑器|浏览器|操作系统|系统|终端|database|framework|editor|browser|shell|"
    r"terminal)$"
)
"""Heads whose value is a product: what is used for them is a tool."""

_TIMELIKE: Final = regex(
    r"^(?:(?:early|late|mid)[ -])?(?:(?:next|this|last) )?(?:week|month|year|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day|tomorrow|tonight|today|noon|midnight|january|february|march|april|"
    r"may|june|july|"
    r"august|september|october|november|december|\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d|"
    r"the \d+(?:st|nd|rd|th))\b"
    r"|^(?:[本上下这]?个?(?:周|星期|礼拜)[一二三四五六日天末]|明[天早晚]|后天|今[天晚]|下周|"
    r"下个?月|月底|年底|早上|上午|中午|下午|晚上|\d{1,2}[月号点:：日]|"
    r"[一二两三四五六七八九十]{1,3}[点号月日])",
    re.IGNORECASE,
)
_END_EN: Final = (
    r"(?=\s+(?:now|instead|because|since|so|last|this|recently|today|yesterday|from now on|"
    r"going forward|a (?:few|couple)|two|three|for (?:good|now)|and|but|any ?more|as of|please|"
    r"again)\b|\s*[,;(]|\s*$|\.$)"
)
_PRE: Final = (
    r"(?:have |has |had |am |are |is |just |recently |now |finally |already |also |all |will |"
    r"would like to |want to |decided to |am going to |let us |let's |please |we |i |'ve )*"
)

# --- named changes -------------------------------------------------------------------------------

_SWITCH_EN: Final = regex(
    rf"^{_PRE}(?:switch(?:ed|ing)?|mov(?:ed|ing|e)|migrat(?:ed|ing|e)|chang(?:ed|ing|e)|"
    rf"convert(?:ed|ing)?|transition(?:ed|ing)?|upgrad(?:ed|ing|e)|downgrad(?:ed|e)|went)"
    rf"(?: over)?(?: (?P<t>(?:my|our|the) [^,;]{{2,40}}?))?(?: (?:over )?from (?P<o>[^,;]{{1,40"
    rf"}}?))? (?:over )?to (?:using |use )?(?P<v>[^,;()]{{1,50}}?){_END_EN}",
    re.IGNORECASE,
)
_REPLACE_EN: Final = regex(
    rf"^{_PRE}(?:replac(?:ed|ing|e)|swap(?:ped|ping)?|ditch(?:ed|ing)?|dropp?(?:ed|ing)?|"
    rf"trad(?:ed|e)) (?P<o>[^,;]{{1,40}}?) (?:with|for|by|in favou?r of|"
    rf"in for) (?P<v>[^,;()]{{1,50}}?){_END_EN}",
    re.IGNORECASE,
)
_INSTEAD_EN: Final = regex(
    rf"^{_PRE}(?:use|using|uses|go(?:ing)? with|went with|do|take|pick(?:ed)?|chose|choose|"
    rf"prefer|have|drink|eat|eating|drinking|"
    rf"order) (?P<v>[^,;()]{{1,50}}?),? instead(?: of (?P<o>[^,;()]{{1,40}}?))?(?:\s+(?:now|"
    rf"from now on|for .{{2,30}}))*$",
    re.IGNORECASE,
)
_NOW_EN: Final = regex(
    r"^(?P<t>(?:my|our|the) [\w' -]{2,40}?) (?:(?:went up|went down|rose|fell|changed|dropped)"
    r"(?= to| from)|(?:is|are|has|have|was|were|got)(?: now| just|"
    r" been| recently)* (?:changed|moved|switched|updated|renamed|pushed(?: back)?|postponed|"
    r"rescheduled|brought forward|upgraded|set|increased|raised|reduced|lowered|"
    r"bumped))(?: (?:from (?P<o>[^,;]{1,30}?) )?(?:to|until|till|for|up to|down to|on|"
    r"as) )(?P<v>[^,;()]{1,50}?)(?: now| instead| please)*$",
    re.IGNORECASE,
)
_MEETING_EN: Final = regex(
    r"^(?:(?:my|our|the) )?(?P<t>(?:[\w'-]+ ){0,2}?(?:standup|stand-up|meeting|appointment|"
    r"interview|class|lesson|"
    r"training|practice|rehearsal|call|review|deadline|launch|release|exam|flight|session|"
    r"check-?up)) "
    r"(?:has |was |is |got |just )*(?:been )?(?:moved|pushed(?: back)?|rescheduled|postponed|"
    r"changed|shifted|"
    r"brought forward) (?:from (?P<o>[^,;]{1,30}?) )?(?:to|until|till) (?P<v>[^,;()]{1,40})$",
    re.IGNORECASE,
)
_CHANGE_EN: Final = regex(
    rf"^(?:please |let us |can you |i |we )*(?:changed|moved|updated|renamed|set|change|move|"
    rf"update|rename|push|postpone|reschedule) (?P<t>(?:my|our|the) [\w' -]{{2,40}}?) "
    rf"(?:from (?P<o>[^,;]{{1,30}}?) )?(?:to|until|till|as) (?P<v>[^,;()]{{1,50}}?){_END_EN}",
    re.IGNORECASE,
)
_NO_LONGER_EN: Final = regex(
    rf"^{_PRE}(?:no longer|stopped|quit|do not|does not|have stopped|has stopped|are not|am not|"
    rf"is not) (?P<verb>us(?:e|es|ing)|work(?:s|ing)? with|rely(?:ing)? on|"
    rf"run(?:ning)?) (?P<o>[^,;()]{{1,50}}?)(?P<any> any ?more| any longer| now)?\s*$",
    re.IGNORECASE,
)
_TO_ZH: Final = (
    r"(?:改成|改为|(?<!兑)换成(?!为)|换为|换到|改到|改用|换用|换回|改回|切回|变成(?!一[种个])|"
    r"变为(?!一[种个])|调整为|调整到|调到|改名叫|改名为|"
    r"更新为|升级到|升级成|升到|升级为|降级到|切换到|切到|切换成|迁移到|迁到|转到|转成|推迟到|"
    r"提前到|改(?=[下这本]?(?:周|星期|礼拜)[一二三四五六日天末]|明天|后天|\d+[号月日点])|延到|"
    r"延期到|挪到|涨到|降到|加到|减到|增加到|减少到|提高到)"
)
_CHANGE_ZH: Final = regex(
    rf"^(?:请|那就?|就|还是|我们?|咱们?|帮我|已经|刚|都|也|全部|最近|现在|后来|打算|决定|准备|"
    rf"要|想)*(?:把|将)?(?P<t>[^，。]{{0,20}}?)(?:已经|刚|都|也|全部?|现在|最近|后来|要|"
    rf"给我)*(?:从|由)?(?P<o>(?<=[从由])[^，。]{{1,16}}?)?(?:已经|刚|都|"
    rf"全)*{_TO_ZH}(?:了)?\s*(?P<v>[^，。]{{1,30}}?)(?:了|吧|啦|来|好了|就好|哦|呢)*$"
)
_FROM_ZH: Final = regex(
    rf"^(?:已经|刚|最近|都)*(?:从|由)(?P<o>[^，。]{{1,16}}?)(?:已经|刚|"
    rf"都)*{_TO_ZH}(?:了)?\s*(?P<v>[^，。]{{1,30}}?)(?:了|吧|啦)*$"
)
_NOT_USE_ZH: Final = regex(
    r"^(?:已经|现在|早就?|都|也|以后|最近|我们?)*(?:不再|不(?!用(?:[你您去来给再等管记说想看问找帮"
    r"做写改上加谢急怕]|麻烦|解释|客气|担心|道歉))|没再?|没有再|停止|放弃)(?:使用|用|"
    r"跑(?!步)|装)(?P<o>[^，。了我你您他她它]{1,20}?)(?:了|啦|的)*$"
)
_NOT_USE_THEN_ZH: Final = regex(
    r"^(?:已经|现在|早就?|都|也|最近|我们?)*(?:不再?|没再?)(?:使用|"
    r"用)(?P<o>[^，。]{1,16}?)(?:了)?(?:改|而是|而|换成|改成|改为|现在)(?:用|"
    r"使用)?(?P<v>[^，。]{1,20}?)(?:了|吧|啦)*$"
)
_NOW_USE_ZH: Final = regex(
    r"^(?:现在|目前|已经|都|全部?|最近|后来|以后|还是|那就?|就|算了)*(?:改|换)?(?:用|使用|选|"
    r"选用|选择|上)(?P<v>[^，。]{1,20}?)(?:了|吧|啦|好了|算了)*$"
)

# Done, or being done: "we replaced X with Y". "Replace X with Y" is about the text at hand.
_HAPPENED: Final = regex(
    r"(?:have |has |had |am |are |is |just |recently |now |finally |already |also |all |'ve )*"
    r"(?:switch(?:ed|ing)|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|convert(?:ed|ing)|"
    r"transition(?:ed|ing)|upgrad(?:ed|ing)|"
    r"downgrad(?:ed|ing)|went|replac(?:ed|ing)|swapp(?:ed|ing)|ditch(?:ed|ing)|dropp(?:ed|ing)|"
    r"trad(?:ed|ing)|decided to|will)",
    re.IGNORECASE,
)
_STANDING: Final = regex(
    r"\b(?:from now on|going forward|in future|now|always|by default)\b", re.IGNORECASE
)


def change(clause: Clause) -> list[Finding]:
    """The changes that a clause names in full. More than one when a thing takes another's place:
    the new one holds, the old one ends."""
    return _english(clause) if clause.language == "en" else _chinese(clause)


_RENAME: Final = regex(
    r"^(?:please |just |you can |you may |i would like you to |i want you to )*(?:call|address|"
    r"refer to) me (?:as |by )?(?P<a>[^,;()]{1,40}?)"
    r"(?: (?:from now on|from here on|going forward|now|instead|in (?:the )?future|please|"
    r"next time))+$"
    r"|^(?:(?:i )?now go by|(?:i )?(?:have |just |legally )*changed my name to|"
    r"my name is now|my new name is) (?P<b>[^,;()]{1,40}?)(?: (?:now|these days|instead))*$"
    r"|^(?:以后|今后|从现在[起开]始?|从今[天以][起后]|往后)(?:请|都|就|大家|你们?|"
    r"你可以)*(?:管我叫|叫我|喊我|称呼我)(?:为|做)?(?P<c>[^，。]{1,16}?)(?:吧|就好|就行|了|啦)*$"
    r"|^(?:我)?(?:已经|现在|刚)*(?:改名字?(?:叫|为|成)?|改叫|"
    r"更名为)了?(?P<d>[^，。]{1,16}?)(?:了|啦)*$"
    r"|^(?:以后|今后)?(?:请|你)?(?:别|不要|不用)(?:再)?叫我[^，。]{1,12}[，,]?(?:了)?(?:要|就|"
    r"改)?(?:叫我|叫)(?P<e>[^，。]{1,16}?)(?:吧|就好|就行)*$",
    re.IGNORECASE,
)


def renaming(clause: Clause) -> Finding | None:
    """A new name from now on, which takes the place of the old one. "Call me Bob" alone is a
    nickname beside the name."""
    text = clause.text.rstrip("。.!！")
    if clause.language == "zh" and (clause.subject != "user" or not re.search("[叫名喊称]", text)):
        return None
    match = _RENAME.match(text)
    if match is None:
        match = _RENAME.match(clause.predicate) if clause.subject == "user" else None
    if match is None:
        return None
    name = trimmed(next(group for group in match.groups() if group))
    return Finding("name", name, importance=0.9) if name else None


def is_time(value: str) -> bool:
    """Whether a value is a time of day or a date in words."""
    return _TIMELIKE.match(value) is not None


def product_of(value: str) -> str:
    """A product without its version: "Vue 3" is a version of `vue`; empty without a version."""
    match = re.match(r"(.*?[A-Za-z\u4e00-\u9fff.+#])[\s-]*v?\d[\w.]*$", value.strip())
    if match is not None and re.search(r"\d[一-鿿]|^[只就仅约每第]", value):
        return ""  # 只跑2公里: so much of something
    return thing_topic(match[1]) if match is not None else ""


def slot_of_change(topic: str, value: str) -> str | None:
    """The attribute that a change of `topic` to `value` fills."""
    topic = thing_topic(topic)
    if topic in _KNOWN:
        return _KNOWN[topic]
    if is_time(value):
        return with_topic("plan", re.sub(r"(?:时间|日期)$", "", topic)) if topic else None
    if topic:
        numbered = re.match(r"[\d¥$€£]", value) is not None
        family = "tool" if re.search(rf"[A-Za-z]|^(?:{CHINESE})$", value) else "detail"
        system = family == "tool" and re.search(_SYSTEMS, topic)
        told = numbered or (HEADS.search(topic) and not system)
        return with_topic("detail" if told else family, topic)
    if (product := product_of(value)) != "":
        return with_topic("version", product)
    return None


def _english(clause: Clause) -> list[Finding]:
    text = clause.predicate
    if (match := _NO_LONGER_EN.match(text)) is not None and (
        not re.match(r"(?:do|does|are|am|is) not", match.group(), re.IGNORECASE) or match["any"]
    ):
        return _ended(clause, re.sub(r"\s+any ?more$", "", trimmed(match["o"])))
    own = clause.subject_words in ("I", "We", "we") or clause.subject != "user"
    for pattern in (_REPLACE_EN, _SWITCH_EN, _INSTEAD_EN, _NOW_EN, _MEETING_EN, _CHANGE_EN):
        if (match := pattern.match(text)) is not None:
            if pattern in (_REPLACE_EN, _SWITCH_EN) and not _HAPPENED.match(text):
                if match.groupdict().get("t") and is_time(trimmed(match["v"])):
                    continue  # "let's move the meeting to Thursday"
                return []
            if pattern is _INSTEAD_EN and not (own or _STANDING.search(clause.sentence)):
                return []
            groups = match.groupdict()
            old, new = trimmed(groups.get("o") or ""), trimmed(match["v"])
            new = re.sub(r"^(?:a|an|the|using)\s+", "", new)
            old = re.sub(r"^(?:my|our|the)\s+", "", old, flags=re.IGNORECASE)
            topic = re.sub(r"^(?:my|our|the)\s+", "", groups.get("t") or "", flags=re.IGNORECASE)
            if (
                pattern is _SWITCH_EN
                and not topic
                and not old
                and not re.search(
                    r"switch|migrat|upgrad|chang|downgrad|transition", match.group(), re.IGNORECASE
                )
            ):
                return []
            return _replaced(clause, topic, old, new)
    return []


_ASKED_ZH: Final = regex(r"可以|能|建议|应该|要不|如果|怎么|需要|不想|让|像|话题|注意力|目光|心思")
# 加班加到吐: how hard, and no new value
_TO_NO_NUMBER: Final = regex(r"[加减涨降]到(?!.*[\d一二两三四五六七八九十百千万])")


def _chinese(clause: Clause) -> list[Finding]:
    text = clause.predicate
    if WISHED_ZH.search(text):
        return []
    if (match := _NOT_USE_THEN_ZH.match(text)) is not None:
        return _replaced(clause, "", trimmed(match["o"]), trimmed(match["v"]))
    if (match := _NOT_USE_ZH.match(text)) is not None and re.search(r"[A-Za-z]|了$", text):
        return _ended(clause, trimmed(match["o"]))
    if (match := _FROM_ZH.match(text)) is not None:
        return _replaced(clause, "", trimmed(match["o"]), trimmed(match["v"]))
    if (match := _CHANGE_ZH.match(text)) is not None:
        if _ASKED_ZH.search(match["t"]) or _TO_NO_NUMBER.search(text):
            return []
        topic = changed_topic(match["t"])
        taken = re.search(r"[把将]", text[: match.start("t")]) and re.search("换成|换到", text)
        if taken and topic not in _KNOWN and not HEADS.search(topic):
            return _replaced(clause, "", topic, trimmed(match["v"]))
        if (
            topic
            or product_of(match["v"])
            or re.search(r"改用|换用|切换到|迁移到|切到|换成|改成", text)
        ):
            return _replaced(clause, topic, trimmed(match["o"] or ""), trimmed(match["v"]))
    if (
        (match := _NOW_USE_ZH.match(text)) is not None
        and re.search(r"改|换|现在|以后", match.group()[: match.start("v")])
        and re.search(r"[A-Za-z]", match["v"])
    ):
        return _replaced(clause, "", "", trimmed(match["v"]))
    return []


_PURPOSE: Final = regex(
    r"(?P<v>[\w.+#-]+(?: [\w.+#-]+)?) (?:for|as) (?:all )?(?:my|our|the) (?P<t>[\w' -]{2,30})$"
    r"|(?P<p>[\w.+#-]+(?: [\w.+#-]+)?) for (?:all )?(?!(?:an?|now|good|ever|free|\d+)\b|"
    r".*\b(?:reasons?|years?|months?|weeks?|days?|hours?|while)$)(?P<f>[a-z][\w' -]{1,30})$"
    rf"|(?P<w>[A-Za-z][\w.+#/ -]{{0,30}}?|{CHINESE})(?:来|去)?(?P<z>{DEEDS_ZH})$",
    re.IGNORECASE,
)


def _purpose(new: str) -> tuple[str, str] | None:
    """Obsidian and "notes", of "Obsidian for notes". Decaf is no tool, and what it is for a
    reason."""
    match = _PURPOSE.match(new)
    if match is None or (match["p"] and not is_product(match["p"])):
        return None
    return match["v"] or match["p"] or match["w"], match["t"] or match["f"] or match["z"]


def _replaced(clause: Clause, topic: str, old: str, new: str) -> list[Finding]:
    if (
        not new
        or len(new) > 60
        or new.startswith("to ")
        or " and " in topic
        or re.match(
            r"(?:it|this|that|something|someone)\b|这|那|什么|更|你|他|她", new, re.IGNORECASE
        )
    ):
        return []
    if not topic and (meant := _purpose(new)) is not None:
        new, topic = meant
    attribute = slot_of_change(topic, new)
    named = clause.language == "zh" or is_product(new)
    if attribute is None and named and re.search(r"[A-Za-z]{2}", new):
        attribute = with_topic("tool", thing_topic(new))
    if attribute is None:
        attribute = with_topic("preference", object_topic(new)) if old or not named else None
        if attribute is None:
            return []
        new_value = "like"
    else:
        new_value = new
    return [Finding(attribute, new_value, importance=0.65, replaces=old or product_of(new) or None)]


def _ended(clause: Clause, old: str) -> list[Finding]:
    """That something is no longer used."""
    old = re.sub(r"^(?:a|an|the)\s+", "", old)
    if (
        not old
        or len(old) > 40
        or re.match(r"(?:it|this|that|these|those|them|any|my|your|the)\b", old, re.IGNORECASE)
    ):
        return []
    value = f"不再用{old}" if clause.language == "zh" else f"not {old}"
    attribute = with_topic("tool", thing_topic(old))
    return [Finding(attribute, value, importance=0.5, replaces=old, ends=True)]
