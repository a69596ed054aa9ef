"""Facts about things in Chinese: tools and what they are for, numbers, places, dates."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.details import (
    DEEDS_ZH,
    HEADS_ZH,
    PRODUCT_NOT,
    SUBJECT_NOT,
    VALUE_NOT,
    decided,
    use,
)
from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.products import CHINESE
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_PRODUCT_ZH: Final = rf"(?:[A-Za-z][A-Za-z0-9_.+#/ -]{{0,30}}?|{CHINESE})"
_SET_ZH: Final = regex(
    r"^(?:我们|我|这个(?=.{2}))?的?(?:(?:正式|重新)?(?:设定|设置|制定|确定|敲定)了?)?"
)


def _detail_zh(match: re.Match[str]) -> Finding | None:
    topic, value = (
        _SET_ZH.sub("", trimmed(match["t"])),
        trimmed(match["v"]),
    )
    if (
        not value
        or not topic
        or VALUE_NOT.match(value)
        or SUBJECT_NOT.search(match["t"])
        or (topic == "时间" and "就" in match.string)
        or len(topic) > 24
    ):
        return None
    if len(topic) <= 3 and match.string[match.end("t") : match.end("t") + 1] in "：:":
        return None  # a line of a form: "地点：…" says of nothing what it belongs to
    return Finding(with_topic("detail", topic.replace("的", "")), value, importance=0.6)


def _plan_zh(match: re.Match[str]) -> Finding | None:
    topic = thing_topic(
        re.sub(r"^(?:我们?|咱们?)?的?|(?:时间|日期|已经|现在|也|都|又)+$", "", match["t"])
    )
    value = trimmed(match["v"])
    if not topic or VALUE_NOT.match(value) or SUBJECT_NOT.search(topic):
        return None
    return Finding(with_topic("plan", topic), value, kind="episodic", importance=0.6, event="plan")


def _use_zh(match: re.Match[str]) -> Finding | None:
    product, purpose = trimmed(match["v"]), thing_topic(match["t"])
    purpose = re.sub(
        r"(?:这边|那边|方面|这块|部分|的话|还是|就|先|改|都|也|统一|一律|暂时|直接|继续|主要|"
        r"默认|现在|目前|以后|我们?|咱们?)+$",
        "",
        purpose,
    )
    if (
        PRODUCT_NOT.match(product)
        or not purpose
        or re.fullmatch(r"[吧呢啊呀哦了啦嘛的来]+", purpose)
        or not re.search(rf"[A-Za-z]{{2}}|[A-Z]|^(?:{CHINESE})$", product)
        or re.search(r"不|没|别|可以|能|想|(?<!开)会|建议|意思|看法|理解|是$", purpose)
    ):
        return None
    if re.fullmatch(
        r"我们?|平时|一直|现在|主要|都|也|在|常|还|人|家|同事|这里|那里|这儿|此处|这边|代码",
        purpose,
    ):
        return Finding(with_topic("tool", thing_topic(product)), product, importance=0.55)
    return Finding(with_topic("tool", purpose), product, importance=0.6)


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"(?!我)[^，。]{1,16}?(?:只有|仅有|只剩|最多|不超过|至少|只能(?:用|放|装|支持))(?:有|是|"
        r"坐|住|存|载|用|放|装|要)?\s*(?:\d|[一二两三四五六七八九十百千]+[个台张块条份人天小])[^，"
        r"。]{0,24}$",
        lambda m: Finding(None, m.group(), tags=("限制",), importance=0.6),
        "只|仅|最多|不超过|至少",
    ),
    rule(
        r"(?:已经|最后|最终|都|还是|就)*(?:决定(?:用|选|买|采用|走|去)|选定了?|选择了|选了|"
        r"定下来?用|敲定了?|拍板了?用?|就定)(?P<v>[^，。]{2,30}?)(?:了|吧|这个方案|方案)*$",
        decided,
        "定|选|拍板",
    ),
    rule(
        r"(?P<t>[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z /]{0,14}?)(?:现在|目前|主要|一直|统一|"
        r"都|也|默认|上)*(?:用的是|用的|使用的?是?|采用的?是?|选用的?是?|跑在|部署在|基于|"
        r"(?<![使采引选利通专常实运费应信作])用)(?:了|着)?\s*"
        rf"(?P<v>[A-Za-z][A-Za-z0-9_.+#/ -]{{0,30}}[一-鿿]{{0,3}}?|{CHINESE})(?:来)?"
        r"(?:做|写|开发|搭|部署|管理|跑)?(?:的|了|吧|呢|啊)*$",
        _use_zh,
    ),
    rule(
        r"(?:团队|公司|组里|部门|这边|这里)?(?:都|也|还是|一般|平时|统一)*(?:是)?(?:用|使用|采用|"
        r"靠)"
        rf"(?:的是|着|了|的)?\s*(?P<v>{_PRODUCT_ZH})\s*(?:来|去)?"
        rf"(?P<t>{DEEDS_ZH})(?:的|了)?$"
        # Of a name that is known, whatever is done with it, but not what was done once.
        rf"|(?:都|也|还是|一般|平时|统一)*(?:是)?(?:用|使用)(?P<w>{CHINESE})(?:来|去)?"
        r"(?P<p>(?!.*(?:[你我他她它您给了过吧吗呢试]|看看))[\u4e00-\u9fff]{2,5})$",
        lambda m: Finding(
            with_topic("tool", m["t"] or m["p"]), trimmed(m["v"] or m["w"]), importance=0.6
        ),
        "用|靠",
    ),
    rule(
        r"(?:都|也|还是)?(?:是)?(?:用|使用|采用)(?:的是|着|了|的)?\s*(?P<v>[^，。]{1,30}?)(?:来|"
        r"去)?(?:做|写|搞|开发|搭建?|管理|记|画|处理|跑|部署|编辑|"
        r"存)(?P<t>[\u4e00-\u9fffA-Za-z]{1,12}?)(?:的|了|呢)*$",
        _use_zh,
        "用",
    ),
    rule(
        r"(?:都|也|还是)?(?:是)?(?:用|使用|采用)(?:的是|着|了|"
        r"的)?\s*(?P<v>[A-Za-z][A-Za-z0-9_.+#/ -]{0,30}[一-鿿]{0,3}?)(?:的|了|吧|呢|啊)*$",
        use,
        "用",
    ),
    rule(
        rf"(?P<t>[^，。：:]{{0,20}}?{HEADS_ZH})(?:现在|目前|暂定|已经|就|定|最终|大概|大约|"
        rf"差不多)*(?:是|为|：|:|=|(?<!固)定在|定为|在)(?:在|了)?\s*(?P<v>[^。；]{{1,60}}?)(?:的|"
        rf"了|呢|"
        rf"哦|啊)?$",
        _detail_zh,
    ),
    rule(
        r"(?P<t>[^，。：:不没]{1,16}?)(?:(?<!固)定在|安排在|约在|订在|改到|推迟到|提前到|延期到|"
        r"延到|"
        r"挪到|改在|调整到)(?:了)?(?P<v>[^，。；]{1,30}?)(?:了|吧|哦|举行|开)?$",
        _plan_zh,
        "在|到",
    ),
)
