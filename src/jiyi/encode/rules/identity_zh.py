"""Chinese statements about who somebody is: name, age, origin, home, contact."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.topics import trimmed
from jiyi.encode.rules.values_zh import CITY, DATE, END, IS, NUM, VAGUE, V, fact
from jiyi.text.patterns import regex

_PLACE: Final = (
    r"(?!这|那|一起|线|家里?[休办带]|做|忙|想|看|等|外面?$|路上|此|意|乎|于|里面?$|床上|办公室$)"
)


def _account(match: re.Match[str]) -> Finding | None:
    return Finding("account", f"{match['t']} {trimmed(match['v'])}", importance=0.7)


_NATIONS: Final = regex(
    r"(?:中国|美国|英国|法国|德国|日本|韩国|俄罗斯|加拿大|澳大利亚|意大利|西班牙|印度|泰国|越南|"
    r"新加坡|马来西亚|巴西|荷兰|瑞[典士]|[\u4e00-\u9fff]{1,4}国)$"
)
_NOT_PLACE: Final = regex(
    r"的|不|没|无(?!锡|为|棣|极)|好|坏|老|新|个|种|家里?$|男|女|病|大|小|懒|聪明|本|熟|外|内向|外向|别|他|自己|主|客|负责|"
    r"联系|合伙|候选|当事|法|证|机器|单身|普通|"
    r"正常|什么|哪|年轻|成年|商|诗|工|军|情|爱|恋|亲|仇|敌|路|盲|艺|圣|伟|名|猎|怪|狂|夜|早起|"
    r"急|慢|直|俗|粗|细|感性|理性|完美"
)


def _origin(match: re.Match[str]) -> Finding | None:
    place = match["v"].removeprefix("是")
    if "是" not in match.group()[:1] and len(place) < 2:
        return None
    if len(place) < 2 or _NOT_PLACE.search(place) or VAGUE.search(place):
        return None
    if not match.group().startswith(("是", "土", "地道")):
        return None
    return Finding("nationality" if _NATIONS.search(place) else "hometown", place, importance=0.7)


def _moved(match: re.Match[str]) -> Finding | None:
    place = re.sub(r"(?<=..)[去来]$", "", trimmed(match["v"]))
    if (
        match.group().startswith(("迁", "从"))
        and re.match(r"[A-Z]", place)
        and "迁" in match.group()
    ):
        return None  # 从Jenkins迁到GitHub Actions
    if VAGUE.search(place) or re.search(r"[桌椅箱书沙发楼上楼下数据文件代码]{2}", place):
        return None
    return Finding("residence", place, importance=0.8)


RULES: Final[tuple[Rule, ...]] = (
    # name, age, origin
    rule(
        rf"(?:名字|姓名|全名|真名|本名|大名|英文名|中文名)(?:就)?{IS}{V}",
        fact("name", importance=0.9),
        "名",
    ),
    rule(
        rf"(?:的)?(?:名字|大名)?(?:就)?叫(?:做)?(?!我|你|他|她|人|上|醒|什么|外卖|车|苦|停|好|"
        rf"救护)(?P<v>[^，。\s]{{1,20}}?){END}",
        fact("name", importance=0.9),
        "叫",
    ),
    rule(rf"姓(?P<v>[\u4e00-\u9fff]{{1,2}}){END}", fact("name", importance=0.8), "姓"),
    rule(
        rf"(?:以后|今后|从现在起|从现在开始|你?可以|请|就|直接|大家都?|同事们?都?|朋友们?都?|"
        rf"你们?)*(?:管我叫|叫我|喊我|称呼我(?:为)?|称我为)(?:做|为|一声)?(?!起床|去|吃|过|来|"
        rf"别|不|干|做|回答|一[声下]|帮|写|交|发|看|说|等|准备|参加|提交)(?P<v>[^，。]{{1,16}}?)(?:就[行好]了?|就可以|即可)?{END}",
        fact("nickname", importance=0.9),
        "叫|喊|称",
    ),
    rule(
        rf"(?:昵称|外号|绰号|小名|网名|花名){IS}{V}",
        fact("nickname", importance=0.8),
        "昵称|外号|绰号|名",
    ),
    rule(
        rf"(?:今年|马上|快|刚|刚满|已经|都|年龄|年纪)*(?:{IS})?(?:满|过)?(?P<v>{NUM})(?:周?岁|"
        rf"岁半)(?:多)?{END}",
        fact("age"),
        "岁",
    ),
    rule(
        rf"生日(?:就)?(?:{IS}|在)?(?:每年)?(?:的)?(?P<v>{DATE}){END}",
        fact("birthday", importance=0.8),
        "生日",
    ),
    rule(
        rf"(?:是|出生(?:于|在)|生于)?(?P<v>(?:(?:19|20)\d\d|[0-9]\d)年?)(?:的|出生|生人|生){END}",
        fact("birth_year"),
        "出生|生|年的",
    ),
    rule(rf"(?:出生(?:于|在)|生于)(?P<v>{DATE}){END}", fact("birthday", importance=0.8), "生"),
    rule(
        rf"(?:出生在|生在|在)(?P<v>[\u4e00-\u9fff]{{2,12}}?)(?:出生|长大|土生土长){END}",
        fact("hometown"),
        "出生|长大|土生",
    ),
    rule(
        rf"(?:老家|家乡|故乡|祖籍|籍贯)(?:{IS}|在)?(?!的)(?P<v>[\u4e00-\u9fffA-Za-z]{{2,16}}?)(?:那边"
        rf"|农村|乡下|人)?{END}",
        fact("hometown"),
        "老家|乡|籍",
    ),
    rule(
        rf"(?:是)?(?:土生土长的?|地道的?|一个)?(?P<v>[\u4e00-\u9fff]{{2,6}}?)(?:本地)?人{END}",
        _origin,
        "人",
    ),
    rule(
        rf"(?:都|也)*是(?P<v>东北|内蒙古?|新疆|西藏|广西|宁夏|河[南北]|湖[南北]|广东|山[东西]|陕西|甘肃|青海|四川|"
        rf"贵州|云南|海南|福建|江[苏西]|浙江|安徽|辽宁|吉林|黑龙江|台湾|香港|{CITY.pattern})的{END}",
        fact("hometown"),
        "的",
    ),
    rule(rf"来自(?P<v>[\u4e00-\u9fffA-Za-z]{{2,12}}?){END}", fact("hometown"), "来自"),
    rule(
        rf"(?:性别{IS}?|是(?:一?个|名|位)?)(?P<v>男|女|男生|女生|男的|女的|男性|女性|女孩子?|"
        rf"男孩子?){END}",
        fact("gender"),
        "男|女",
    ),
    rule(
        rf"属(?:小)?(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的)?{END}",
        lambda m: Finding("zodiac/生肖", f"属{m['v']}"),
        "属",
    ),
    rule(
        rf"(?:是|属)?(?P<v>(?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|"
        rf"双鱼)座){END}",
        fact("zodiac"),
        "座",
    ),
    rule(rf"(?:是)(?P<v>[\u4e00-\u9fff]{{1,4}}族){END}", fact("ethnicity"), "族"),
    rule(
        rf"(?:信|信奉|信仰)(?P<v>佛教?|基督教?|天主教|伊斯兰教|道教){END}", fact("religion"), "信"
    ),
    # home
    rule(
        rf"(?:(?:和|跟|与)[^，。]{{1,10}}?(?:一起)?|一家{NUM}?口?人?|全家|(?:都|一直|暂时|目前))*"
        rf"(?:家|人)?(?:现)?(?:定?居|住|安家|落户|扎根|常驻|蜗居|租住|租房|生活|待|呆|"
        rf"漂){'{1,2}'}?(?:在|到|于)(?:了)?{_PLACE}(?![^，。]*(?:真好|很好|真棒|太))(?P<v>[^，。]{{2,40}}?)(?:那边|这边|附近|"
        rf"一带)?(?:(?:住|生活|待|呆|工作)?了?{NUM}(?:多)?(?:年|个月|周|天)(?:多)?)?{END}",
        fact("residence", importance=0.8),
        "住|居|家|驻|生活|待在|呆在|扎根|落户",
    ),
    rule(
        rf"(?:(?:现在|目前|如今|就|都)*在)(?!这|那|家|一起|线|网|外)(?P<v>[\u4e00-\u9fffA-Za-z]{{2,14}}?)"
        rf"(?:租房住?|租房子住?|合租|定居|生活|漂着?|待着?|呆着?)(?:了)?(?:{NUM}(?:多)?(?:年|个月)(?:多)?)?{END}",
        fact("residence", importance=0.8),
        "租|定居|生活|漂|待|呆",
    ),
    rule(
        rf"(?:定居|旅居|常驻|[Bb]ase|坐标|人(?:现在|目前)?在(?={CITY.pattern}(?:了)?$)|户口在)(?:\s|在|于|是|：|:)*"
        rf"(?P<v>(?:(?-i:[A-Z])[a-z]+|{CITY.pattern}|[\u4e00-\u9fff]{{2,6}}?))"
        rf"(?:了)?(?:{NUM}(?:多)?年(?:多)?)?{END}",
        fact("residence", importance=0.8),
        "居|驻|base|坐标|人|户口",
    ),
    rule(
        rf"家(?:现在|目前|如今|就)*(?:在|住)(?!装修|修|干|做|等|办公|带|休|待|呆|里)(?P<v>[^，。]{{2,40}}?){END}",
        fact("residence", importance=0.8),
        "家",
    ),
    rule(
        rf"(?:家)?(?:住(?!(?:在|的是)?(?:\d+|[一二三四五六七八九十]+|顶|高|底|低)[楼层]|院|宿|过|不|得|几|一?(?:[晚夜]|天(?!津|水|门|长))|了|酒店|"
        rf"哪))(?P<v>[\u4e00-\u9fffA-Za-z0-9]{{2,30}}?){END}",
        fact("residence", importance=0.75),
        "住",
    ),
    rule(
        rf"(?:(?:从|由).{{1,16}}?)?(?:全家|一家人?|举家)?(?:搬家?|迁居?|移居|移民|"
        rf"搬迁)(?:家)?(?:到|去|来|至|回)(?:了)?(?P<v>[^，。]{{2,30}}?)(?:住|居住|生活)?{END}",
        _moved,
        "搬|迁|移",
    ),
    rule(
        rf"(?:现?住址|家庭住址|家庭地址|收货地址|通讯地址|新地址|地址)(?:现在|已经)?(?:{IS}|"
        rf"在)?(?P<v>[\u4e00-\u9fffA-Za-z0-9#\-() （）]{{4,60}}?){END}",
        fact("address", importance=0.8),
        "址",
    ),
    rule(rf"(?:所在)?时区{IS}{V}", fact("timezone"), "时区"),
    # contact
    rule(
        rf"(?:新的?)?(?:联系电话|电话号码?|手机号码?|联系方式|手机|电话|座机|固话|号码)(?:现在|"
        rf"已经)?(?:{IS})?(?P<v>\+?[\d-][\d -]{{5,18}}\d){END}",
        fact("phone", importance=0.8),
        "0|1|2|3|4|5|6|7|8|9",
    ),
    rule(
        rf"(?:的)?(?:电子|工作|个人|公司|新|常用)?(?:邮箱|邮件|email|Email|E-mail)(?:地址|"
        rf"账号)?(?:现在|已经)?(?:{IS})?\s*(?P<v>[\w.+-]+@[A-Za-z\d.-]+[A-Za-z\d])",
        fact("email", importance=0.8),
        "@",
    ),
    rule(
        rf"(?:微信号?|wechat)(?:账号|ID|id)?{IS}(?P<v>[\w-]{{3,30}}){END}",
        fact("wechat", importance=0.8),
        "微信|wechat",
    ),
    rule(
        rf"(?P<t>QQ)号?\s?(?P<v>[1-9]\d{{4,11}}){END}",
        _account,
        "qq",
    ),
    rule(
        rf"(?P<t>QQ|qq|GitHub|github|微博|抖音|B站|小红书|知乎|推特|钉钉|飞书|Steam|"
        rf"公众号)\s?(?:号|账号|ID|id|用户名|名)?\s?{IS}{V}",
        _account,
        "是|叫|：|:",
    ),
)
