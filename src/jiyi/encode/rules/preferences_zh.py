"""Likes and dislikes; the Chinese rules."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.preferences_en import DISLIKE, LIKE, liking
from jiyi.encode.rules.topics import object_topic, trimmed
from jiyi.encode.slots import with_topic

_OBJ_ZH: Final = (
    r"(?P<v>[^，。！？\n]{1,24}?)(?:了|啦|呢|啊|哦|呀|吧|嘛|哈|来着|这件事|这一?点|这种事)*\s*$"
)
_DEGREE: Final = (
    r"(?:最|特别|非常|超级?|很|真的?|挺|蛮|更|比较|尤其|十分|好|太|一直|从小就?|还是|也|都|就|"
    r"可|越来越|有点|越发|其实|还|现在|开始|变得)*"
)


def _favourite_zh(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    topic = object_topic(match["t"])
    if not value or not topic or re.search(r"什么|哪|谁|吗$", value):
        return None
    if topic in {"人", "事", "一点", "东西", "就"}:
        return liking(value, LIKE, strength=3)
    return Finding(with_topic("favourite", topic), value, importance=0.65, strength=2)


def _zh_dislike(match: re.Match[str]) -> Finding | None:
    if re.search(r"不想|没那么想|不大想|不太想", match.group()):
        return None
    strength = 3 if re.search(r"再也不|受够|烦透", match.group()) else 2
    return liking(match["v"], DISLIKE, strength=strength)


def _zh_avoid(match: re.Match[str]) -> Finding | None:
    whole = match.group()
    if re.search(r"不会吃|不敢看|不能看|不看了|忌讳|不吃亏|不起|不会玩|不吃这套|不吃你", whole):
        return None
    if "怎么" in match["v"] or re.fullmatch(r"(?:早|午|晚|中)?(?:饭|餐)|东西", match["v"]):
        return None
    if re.match(r"(?:早|午|晚|中)?(?:饭|餐)|苦|醋|一点|东西|药", match["v"]) and match["le"]:
        return None
    stopped = match["le"] or "戒" in whole or "不再" in whole
    return liking(match["v"], "stopped" if stopped else "avoid", strength=2)


def _zh_like(match: re.Match[str]) -> Finding | None:
    text = match["v"]
    if re.match(r"(?:你|这个回答|这个主意|这个想法|不喜欢)|(?:不|没)|极$", text) or text.endswith(
        ("的样子", "的感觉")
    ):
        return None
    before = match.group()[: match.start("v") - match.start()]
    strength = 3 if re.search(r"最|超|酷爱|热爱|痴迷|特别|非常|极", before) else 1
    return liking(text, LIKE, strength=strength)


def _zh_lean(match: re.Match[str]) -> Finding | None:
    head = match.group()
    if not re.match(r"宁|倾向|偏向|习惯|更|比较|还是", head) or len(trimmed(match["v"])) < 2:
        return None
    if re.match(r"(?:更|比较|还是)", head):
        return None
    return liking(match["v"], LIKE, strength=1)


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?:业余|平时|个人|的)?(?:爱好|兴趣|兴趣爱好|业余爱好)(?:主要)?(?:是|有|为|：|"
        r":)(?P<v>[^。！？]{1,40})$",
        lambda m: Finding("hobby", trimmed(m["v"]), importance=0.6),
        "爱好|兴趣",
    ),
    rule(
        r"(?:现在|目前|如今)?(?:的)?最(?:喜欢|爱|钟爱)(?:吃|喝|看|听|玩|用)?的(?:就|还|已经|"
        r"现在)*(?:是|变成了?|换成了?)(?P<v>[^，。]{1,20}?)(?:了|啦)?$",
        lambda m: Finding("favourite", trimmed(m["v"]), importance=0.65, strength=2),
        "最",
    ),
    rule(
        rf"(?:现在|目前|如今|平时)?(?:最|最最)(?:喜欢|爱|钟爱|中意|偏爱|常(?:用|吃|喝|听|"
        rf"看))(?:吃|喝|看|听|玩|用|穿|去|读)?的(?P<t>[^，。是]{{1,12}}?)(?:就|还|现在|一直|"
        rf"已经|变成了?|当然|依然|仍然)*(?:是|变成了?|换成了?|改成了?)(?:了)?{_OBJ_ZH}",
        _favourite_zh,
        "最",
    ),
    rule(
        r"(?P<v>[^，。]{1,16}?)是(?:我)?(?:现在|目前)?最(?:喜欢|爱|钟爱)(?:吃|喝|看|听|玩|"
        r"用)?的(?P<t>[^，。]{1,12}?)\s*$",
        _favourite_zh,
        "最",
    ),
    rule(
        rf"{_DEGREE}(?:再也不|不再|不怎么|不太|不大|不是很|不是特别|并不|不|没那么|没有那么|"
        rf"没以前那么|戒(?:掉)?了?|受够了?|吃腻了?|喝腻了?|烦透了?)(?:喜欢|爱|想|感冒|待见|"
        rf"热衷于?|习惯)(?!知道|问){_OBJ_ZH}",
        _zh_dislike,
        "喜欢|爱|感冒|待见|热衷|习惯",
    ),
    rule(
        rf"{_DEGREE}(?:讨厌|厌恶|反感|受不了|无法忍受|忍受不了|恨|嫌弃|看不惯|不能接受|接受不了|"
        rf"抵触|烦)(?!恼|躁|死|了){_OBJ_ZH}",
        lambda m: liking(m["v"], DISLIKE, strength=3),
        "讨厌|厌恶|反感|受不了|忍受|恨|嫌弃|看不惯|接受|抵触|烦",
    ),
    rule(
        r"对(?P<v>[^，。]{1,16}?)(?:完全|一点[也都]?|实在|真的|都|也|并)*(?:不感兴趣|没(?:什么|啥)?兴趣|"
        r"没有兴趣|无感|不感冒|提不起兴趣)(?:了)?\s*$",
        lambda m: liking(m["v"], DISLIKE, strength=2),
        "感兴趣|兴趣|无感|感冒",
    ),
    rule(
        r"对(?P<v>[^，。]{1,16}?)(?:很|非常|特别|挺|比较|超|十分|一直)*(?:感兴趣|有兴趣|着迷|"
        r"上瘾|情有独钟|痴迷)(?:了)?\s*$",
        lambda m: liking(m["v"], LIKE, strength=2),
        "兴趣|着迷|上瘾|情有独钟|痴迷",
    ),
    rule(
        r"(?:从来|一直|已经|现在|平时|都|也|是|真的|绝对|坚决)*(?:不(?:再|能|敢|会|怎么|太|"
        r"大)?(?:吃|喝|碰|沾|看|玩|抽)|忌|戒(?:掉)?了?|忌口|吃不了|喝不了|吃不得|"
        r"喝不得)(?P<v>[^，。了饱下完惯起到出消惊]{1,12}?)(?P<le>了)?(?:啦|的|呢|啊)?\s*$",
        _zh_avoid,
        "不|忌|戒",
    ),
    rule(
        rf"(?:以前|之前|曾经|原来|过去)(?:很|特别|最)?(?:喜欢|爱){_OBJ_ZH}",
        lambda m: liking(m["v"], "stopped", confidence=0.7),
        "以前|之前|曾经|原来|过去",
    ),
    rule(
        rf"{_DEGREE}(?:喜欢上了?|爱上了?|迷上了?|喜欢|热爱|喜爱|酷爱|钟爱|偏爱|偏好|钟情于?|"
        rf"痴迷于?|热衷于?|迷恋|爱好|好这口|中意|(?<!可)爱(?=吃|喝|看|听|玩|打|穿|逛|读|跑|养|去|写|画|"
        rf"做|旅|[\u4e00-\u9fff]{{2}}))(?!你|的是什么){_OBJ_ZH}",
        _zh_like,
        "喜欢|爱|迷上|偏好|钟情|痴迷|热衷|迷恋|中意",
    ),
    rule(
        r"(?:业余|平时|个人|的)?(?:爱好|兴趣|兴趣爱好|业余爱好)(?:主要)?(?:是|有|为|：|"
        r":)(?P<v>[^。！？]{1,40})$",
        lambda m: Finding("hobby", trimmed(m["v"]), importance=0.6),
        "爱好|兴趣",
    ),
    rule(
        r"(?:是|也是|算是)(?:一?个)?(?:资深|忠实|重度|铁杆|十足的|"
        r"骨灰级)?(?P<v>[^，。的]{1,12}?)(?:爱好者|迷|粉丝?|发烧友|控|党|死忠粉|达人|"
        r"重度用户)(?:了)?\s*$",
        lambda m: liking(m["v"], LIKE, strength=2),
        "爱好者|迷|粉|发烧友|控|党|达人|用户",
    ),
    rule(
        rf"(?:更|比较|还是更?|宁愿|宁可|倾向于?|偏向于?|习惯(?:了|于)?)(?:喜欢|想|愿意|用|吃|喝|"
        rf"选择?)?{_OBJ_ZH}",
        _zh_lean,
        "宁|倾向|偏向|习惯",
    ),
    rule(
        r"(?:[^，。只]{0,4})只(?:能|会|肯|爱)?(?:喝|吃|用|穿|听|看)(?!剩|得|完|了|过|一|半|两|几|不)"
        r"(?P<v>[^，。了个份]{2,10}?)(?:的)?\s*$",
        lambda m: (
            None
            if re.search(r"[今昨刚]|你|这|那|\d", m.string)
            else liking(m["v"], LIKE, strength=2)
        ),
        "只",
    ),
    rule(
        r"(?:每天|早上|每天早上|一直|天天|平时|经常|现在|都|常|只|主要|改|一般|通常|习惯)*(?:只|"
        r"都|就|改|会|要|在)?(?:喝|吃)(?:的是|一?杯|一?碗|一?份|点|"
        r"着)?(?P<v>(?:[\u4e00-\u9fffA-Za-z]{0,6}?)(?:咖啡|茶|奶茶|牛奶|豆浆|可乐|果汁|啤酒|"
        r"红酒|白酒|酸奶|燕麦|粥|面条?|米饭|沙拉|素|辣|牛肉|海鲜|水果|轻食|拿铁|美式|白开水|"
        r"温水|鸡胸肉|粗粮))(?:了)?\s*$",
        lambda m: liking(m["v"], LIKE) if not re.search(r"[今昨刚]|正在|想", m.string) else None,
        "喝|吃",
    ),
)
