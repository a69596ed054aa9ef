"""What the Chinese rules share: where a value ends, and how it becomes a finding."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Builder, Finding
from jiyi.encode.rules.topics import trimmed
from jiyi.text.patterns import regex

END: Final = r"(?:了|啦|的|呢|啊|哦|喔|呀|吧|嘛|哈|来着|而已)*\s*$"
V: Final = r"(?P<v>.{1,60}?)" + END
IS: Final = r"(?:是|为|叫|变成|改成|换成|改为|就是|：|:|=)了?\s*"
NUM: Final = r"(?:\d{1,3}|[一二两三四五六七八九十百]{1,4})"
DATE: Final = (
    r"(?:(?:19|20)\d\d\s*年?)?(?:农历|阴历|阳历|公历)?\s*(?:\d{1,2}|"
    r"[一二三四五六七八九十正腊]{1,3})\s*[月./-]\s*"
    r"(?:初?[一二三四五六七八九十\d]{1,3})\s*[日号]?"
)
VAGUE: Final = regex(
    r"^(?:这|那|它|他|她|你|什么|哪|谁|怎么|如何|多少|一个?人|问题|的|了|不|没|很|太|还|也|都|"
    r"就|想|要|会|能|可以|真的|"
    r"这样|那样|这个|那个|这里|那里|这儿|那儿|一起|一下|[一-龥]?(?:时候|问题|事情|原因|情况|"
    r"意思|办法))$|[吗呢么?？]$|什么|怎么|哪里|哪个|(?:真|很|太|挺)[好棒美难贵爽累差]了?$"
)
CITY: Final = regex(
    r"(?:北京|上海|广州|深圳|杭州|南京|苏州|成都|重庆|武汉|西安|天津|长沙|郑州|青岛|厦门|宁波|"
    r"无锡|合肥|福州|济南|大连|沈阳|"
    r"哈尔滨|长春|昆明|贵阳|南宁|南昌|太原|石家庄|兰州|海口|三亚|珠海|佛山|东莞|温州|常州|香港|"
    r"澳门|台北|拉萨|乌鲁木齐|银川|西宁|"
    r"呼和浩特|纽约|伦敦|东京|大阪|巴黎|柏林|新加坡|悉尼|多伦多|温哥华|旧金山|洛杉矶|首尔|曼谷|"
    r"国外|老家|外地|本地|"
    r"[\u4e00-\u9fff]{2,5}(?:市|县|省|区|镇|村|州)|美国|英国|日本|德国|法国|加拿大|澳洲|"
    r"澳大利亚|韩国|泰国)(?:市)?"
)


def fact(attribute: str, *, importance: float = 0.7, value: str | None = None) -> Builder:
    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"]) if value is None else value
        if not found or VAGUE.search(found):
            return None
        return Finding(attribute, found, importance=importance)

    return build


def ended(attribute: str) -> Builder:
    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"])
        if not found or VAGUE.search(found):
            return None
        return Finding(attribute, f"不再{found}", replaces=found, ends=True, importance=0.7)

    return build
