"""What people say of themselves in passing, in Chinese: 我是陈思源, 我今年28, 现在在成都. Each word
alone may say something else; the clause and the sentence tell that it is meant so."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.clauses_zh import SURNAMES
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.products import PRODUCTS
from jiyi.encode.rules.values_zh import CITY
from jiyi.encode.rules.work_zh import JOB
from jiyi.text.patterns import regex

_AGE: Final = regex(r"(?P<v>[1-9]\d)(?:了|啦|整|周岁)?$")
_NOW_IN: Final = regex(rf"(?:人)?(?:就|也)?在(?P<v>{CITY.pattern})(?:了|这边)?$")
_NOW: Final = regex(r"现在|目前|如今|后来")
_CAME_TO: Final = regex(rf"(?:就)?(?:到|来|来到|去)了(?P<v>{CITY.pattern})$")
_BEFORE: Final = regex(r"老家|家乡|是[^，。]{1,8}人|来自|长大|出生|毕业")
_SEX: Final = regex(r"(?P<v>男|女)(?:生|的|性)?$")
_GREETED: Final = regex(r"(?:你好|您好|[Hh]i|[Hh]ello|哈[喽啰]|嗨|大家好|早上好|晚上好|下午好)")
_I_AM: Final = regex(
    rf"是(?:新来的)?(?P<v>[{SURNAMES}](?P<given>[\u4e00-\u9fff]{{1,2}})|(?:欧阳|司马|上官|诸葛|东方|皇甫|"
    rf"尉迟|慕容)"
    r"[\u4e00-\u9fff]{1,2}|(?-i:[A-Z])[a-z]{1,11}(?: (?-i:[A-Z])[a-z]{1,11})?)$"
)
# 我是高手, 我是白领, 我是石家庄人: words that begin like a name.
_NO_NAME: Final = regex(
    r".*(?:人|生|师|员|族|手|迷|者|队|长|家|座|粉|控|党|男|女|户|工|领|牛|管|商|农|医|兵|民|狗|猫|"
    r"鬼|虫|鸟|鱼|派|系|"
    r"型|性|级|档|的|了|教|学|说|做|想|会|要|在|去|来|姓|层|班)$"
    r"|(?:高|白|方便|万|石|江|田|马|黄|金|熊|钱|文|武|任|严|孔雀|陶|史|汤|龙|雷|夏|钟|于|付|余|常|"
    r"向|时|顾客|程序|"
    r"房|车|单|安|连|包|水|路|应|全|成|明|温|宁)(?=[\u4e00-\u9fff]$)"
    r"|(?:马上|万分|万一|高中|高兴|高级|高考|高龄|高度|白天|白手|白班|黄昏|金融|方面|方便|于是|"
    r"常常|时间|钱包|文科|安全|安静|程度|"
    r"江湖|田径|石头|毛病|温柔|龙套|雷锋|包工|包子|水瓶|成年|成都|连续|明天|明年|全职|单身|单亲|"
    r"任性|任何|路过|牛人|熊孩|史上|武汉|"
    r"武大|严重|严格|夏天|余生|向往|童年|应届|应该|从没|从来|计算|计划|解放|祝你|祝福|车到|花了|"
    r"叶公)"
    r"|(?:[Vv]egan|[Vv]egetarian|[Cc]hinese|[Gg]ay|[Ll]esbian|[Ff]reelancer|[Ss]tudent|"
    r"[Dd]eveloper|[Mm]anager)$"
)
_TRADE: Final = regex(
    rf"(?!.*[是有不在做当去])(?:一?[名个位])?(?P<v>(?:[^，。是有不在做当的]{{0,8}}的)?[^，"
    rf"。是有不在做当的]{{0,6}}?{JOB})$"
)
# …下班，现在开车回家; …流程，通过了测试: what somebody does ends like a trade.
_DEED: Final = regex(
    r"[了会才去把再能又想需知看查也边要管顾]|学(?!生|员|者|徒)|担心|作为|保证|现在|[明今后]天|晚点|[到回在]家|"
    r"(?:数据|测试|代码|挂牌|新手|商品|手续)$"
)
_LISTED: Final = regex(r"(?:我|本人|咱)")


def profile(clause: Clause) -> Finding | None:
    """A fact of a self-introduction that only its place in the sentence makes one."""
    if clause.language != "zh" or not clause.subject_words:
        return None
    told = clause.predicate
    before = clause.text[: max(0, clause.text.rfind(told))] if clause.text.endswith(told) else ""
    if (match := _AGE.match(told)) is not None and (
        "今年" in before or "change" in clause.marks or _of_list(clause)
    ):
        return Finding("age", match["v"], importance=0.7)
    if clause.subject != "user":
        return None
    if (match := _SEX.match(told)) is not None:
        return Finding("gender", match["v"], importance=0.7)
    if (match := _NOW_IN.match(told)) is not None and (
        _NOW.search(before) or _BEFORE.search(clause.sentence)
    ):
        return Finding("residence", match["v"], importance=0.8)
    if (match := _CAME_TO.match(told)) is not None and _NOW.search(before):
        return Finding("residence", match["v"], importance=0.8)
    if (named := _named(clause, told)) is not None:
        return named
    return _trade(clause, told)


def _of_list(clause: Clause) -> bool:
    """Whether the clause is a word in a list about the speaker: 本人男，27，程序员."""
    opened = clause.sentence.lstrip()
    return (
        bool(clause.lead)
        and re.match(r"(?:我|本人)[^，,]{0,6}[男女](?:生|的)?[，,、 ]", opened) is not None
    )


def _named(clause: Clause, told: str) -> Finding | None:
    if clause.lead or clause.subject_words not in ("我", "本人"):
        return None
    match = _I_AM.match(told)
    if match is None or _NO_NAME.match(match["v"]) or match["v"].lower() in PRODUCTS:
        return None
    before = clause.sentence.partition(clause.text)[0]
    greeted = _GREETED.search(before) is not None
    if match["given"] is not None and len(match["given"]) < 2 and not greeted:
        return None
    if match["given"] is None and match["v"].isascii() and not (greeted or "，" in clause.sentence):
        return None
    return Finding("name", match["v"], importance=0.9)


def _trade(clause: Clause, told: str) -> Finding | None:
    """在字节跳动上班，产品经理: what somebody is, named alone behind where they work."""
    if not clause.lead or not _LISTED.search(clause.sentence):
        return None
    match = _TRADE.match(told)
    if (
        match is None
        or _DEED.search(clause.text)
        or clause.sentence.lstrip().startswith(clause.text)
    ):
        return None
    said = clause.text.strip()
    return Finding("occupation", match["v"], importance=0.8, text=f"{clause.lead}是{said}")
