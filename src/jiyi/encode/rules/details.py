"""Facts about things in English: tools and what they are for, numbers, places, dates; and what the
Chinese rules share with them."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.products import PRODUCTS, is_product
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_HEADS_EN: Final = (
    r"(?:numbers?|code|postcode|zip ?code|address|e-?mail|phone|deadline|due date|budget|name|size|"
    r"date|(?:start|"
    r"end|meeting|arrival|departure|opening|closing|check-in|check-out|lunch|dinner|class|"
    r"flight) time|birthday|anniversary|version|port|url|link|path|"
    r"branch|time ?zone|limit|capacity|quota|price|cost|rent|salary|fee|rate|location|venue|"
    r"address|room|seat|gate|flight|schedule|"
    r"password hint|plate|serial|model|brand|colou?r|theme|font|language|currency|unit|format|"
    r"title|topic|subject|target|goal|"
    r"scope|stack|database|framework|library|editor|ide|browser|os|operating system|shell|"
    r"terminal|cloud|server|host|hostname|domain|"
    r"repo(?:sitory)?|license|owner|contact|supplier|vendor|client|customer|audience|duration|"
    r"length|width|height|weight|age|frequency|"
    r"dosage|dose|temperature|threshold|headcount|team size|revenue|score|grade|rank|level|id|"
    r"username|handle|account|region|"
    r"timeline|milestone|launch date|start date|end date|release date|wifi|network|ssid|"
    r"constraint|requirement|priority|preference|rule|policy|approach|strategy|method|stack|"
    r"setup|main (?:focus|concern|priority))"
)
HEADS_ZH: Final = (
    r"(?:号码|编号|工号|学号|房号|房间号|座位号|车牌号?|门牌号|卡号|单号|门禁码|取件码|邀请码|"
    r"代码|地址|邮箱|电话|截止日期|截止时间|期限|预算|名字|名称|尺码|鞋码|"
    r"日期|时间|生日|纪念日|版本号?|端口|网址|链接|路径|分支|时区|上限|下限|人数|规模|地点|位置|"
    r"价格|费用|租金|房租|单价|成本|金额|频率|"
    r"持续时间|时长|长度|宽度|高度|身高|体重|年龄|学历|职业|品牌|型号|颜色|主题|字体|语言|货币|"
    r"单位|格式|标题|目标|范围|技术栈|"
    r"数据库|框架|编辑器|浏览器|操作系统|系统|终端|服务器|域名|仓库|许可证|负责人|联系人|供应商|"
    r"客户|受众|剂量|温度|阈值|营收|分数|成绩|"
    r"排名|等级|鞋子尺码|账号|用户名|区域|里程碑|上线时间|发布时间|开始时间|结束时间|主要内容|"
    r"内容|口味|"
    r"方案|策略|方法|流程|要求|约束|限制|优先级|座右铭|星座|血型|性格|爱好)"
)
HEADS: Final = regex(rf"\b{_HEADS_EN}$|{HEADS_ZH}$", re.IGNORECASE)
"""Nouns that hold one value at a time: a number, a deadline, a name."""

VALUE_NOT: Final = regex(
    r"^(?:not|for|about|from|like|with|without|under|than|more|less|most|limited|key|crucial|"
    r"delays|too|very|so|really|stolen|broken|lost|dead|damaged|cracked|missing|down|slow|"
    r"out of|full|empty|gone|working|running|moved|scheduled|postponed|rescheduled|pushed|"
    r"changed|cancell?ed|delayed|quite|a (?:bit|mess|problem|good|great|nice|pain|lot|big|key)|"
    r"good|bad|great|fine|ok(?:ay)?|nice|perfect|"
    r"important|clear|unclear|wrong|right|correct|ready|done|gone|over|up|here|there|that|this|"
    r"it|what|how|why|where|when|who|which|"
    r"going|getting|being|now (?:clear|set)|always|never|still (?:unclear|open|unknown)|also|"
    r"just|only|already (?:set|clear)|the (?:same|best|worst|problem|issue|key)|"
    r"to (?:be|make|get|have|see|understand|know)|solid|helpful|useful|excellent|spot on|tight|"
    r"high|low|slow|fast|off|out|down|"
    r"my\b|our\b|什么|多少|哪|谁|怎么|不|没|很|太|真|这|那|错|对|好|坏|在哪|个问题|问题|因为|为了|"
    r"可以|"
    r"有点|非常|比较|如何|我|[空满假]的?$)",
    re.IGNORECASE,
)
SUBJECT_NOT: Final = regex(
    r"^(?:at|in|on|to|for|from|with|and|or|by|when|if|as)\b|建议|意思|想法|看法|理解|"
    r"\b(?:question|chapter|section|"
    r"figure|table|page|slide|this|that|your|it|first|next|last|only|main thing|real|biggest|"
    r"problem|issue|question|point|thing|way|idea|reason|answer|what|"
    r"rest|fact|one)\b|^(?:这(?!个(?:项目|仓库|产品|系统|公司|课题|小组))|那|你|它|他|她|唯一|"
    r"最大|问题|关键|重点|原因|什么|哪)",
    re.IGNORECASE,
)
PRODUCT_NOT: Final = regex(
    r"^(?:it|this|that|them|these|those|what|which|how|be|step|one|the (?:same|following|first|"
    r"second|above|word|term|time|opportunity|rest|new|plan|method|approach|template|"
    r"framework|checklist|list)|my|your|a lot|more|less|some|any|both|to|us|him|her|me|all)\b|"
    r"^(?:你|他|她|这|那|什么|来|了|的|得|不|心|力|脑|手|一下|过|完|功|户|途|处|意|法|词|餐|于|以|"
    r"钱|时间)",
    re.IGNORECASE,
)


def _use_for(match: re.Match[str]) -> Finding | None:
    product, purpose = trimmed(match["v"]), thing_topic(match["t"])
    product = re.sub(r"^(?:a|an)\s+", "", product)
    if PRODUCT_NOT.match(product) or not _is_named(product) or not purpose:
        return None
    if len(purpose.split()) > 4 or SUBJECT_NOT.search(purpose):
        return None
    return Finding(with_topic("tool", purpose), product, importance=0.6)


def _is_named(product: str) -> bool:
    """A product named in a few words: no more than four, and no sentence about one."""
    return len(product.split()) <= 4 and (is_product(product) or len(product.split()) <= 2)


# What people do with a tool, and what that is called.
_DONE_WITH: Final = dict(
    re.findall(
        r"([\w ]+) (\w+)(?:, |$)",
        "deploy deployment, build building, test testing, lint linting, format formatting, "
        "bundle bundling, host hosting, monitor monitoring, track tracking, manage management, "
        "write writing, edit editing, draw drawing, design design, record recording, "
        "plan planning, organise planning, organize planning, code coding, program programming, "
        "sync sync, document documentation, store storage, log logging, chat chat, "
        "communicate communication, debug debugging, profile profiling, package packaging, "
        "provision provisioning, schedule scheduling, automate automation, backup backup, "
        "model modelling, translate translation, invoice invoicing, take notes note",
    )
)
DEEDS_ZH: Final = (
    "部署|测试|构建|打包|监控|画图|绘图|记账|剪辑|写作|编程|沟通|协作|开会|聊天|排版|设计|建模|"
    "发布|上线|调试|翻译|备份|排班|做图|做表|剪片子|管理项目|管项目|记笔记|做笔记|写代码|写文档|"
    "剪视频|跑测试|做设计"
)
"""The same in Chinese, where the deed is its own name: a regex."""


def _done_with(match: re.Match[str]) -> Finding | None:
    """ "We deploy with Docker"; what is done in or on something may be done in a town."""
    product = re.sub(r"^(?:a|an|the)\s+", "", trimmed(match["v"]))
    named = product.lower() in PRODUCTS or re.search(r"[a-z][A-Z]|[\d.+#]", product)
    if PRODUCT_NOT.match(product) or not is_product(product) or len(product.split()) > 3:
        return None
    if match["by"].lower() in ("in", "on") and not named:
        return None
    purpose = f"{thing_topic(match['t'] or '')} {_DONE_WITH[match['verb'].lower()]}".strip()
    if len(purpose.split()) > 4 or SUBJECT_NOT.search(purpose):
        return None
    return Finding(with_topic("tool", purpose), product, importance=0.6)


def use(match: re.Match[str]) -> Finding | None:
    product = re.sub(r"^(?:a|an|the)\s+", "", trimmed(match["v"]))
    product = re.sub(r"\s*(?:部署|跑|写|做|开发|搭建?|管理|画|记|处理|编辑|存)$", "", product)
    if re.search(r"报错|失败|出错|打不开|卡|崩|不了", product) or re.match(
        r"for ?(?:循环|loop)|if|while", product
    ):
        return None
    if PRODUCT_NOT.match(product) or not is_product(product) or len(product.split()) > 4:
        return None
    return Finding(with_topic("tool", thing_topic(product)), product, importance=0.55)


# "my schedule is already packed" tells a state, not a value.
_QUALITY: Final = regex(
    r"(?:usually|already|always|often|sometimes|mostly|currently|pretty|quite|so|totally|"
    r"completely|almost|nearly|strongly|fully|"
    r"\w+ing|\w+ed|strong|weak|tight|busy|clear|limited|flexible|solid|small|big|huge|simple|"
    r"complex|easy|hard|different)\b",
    re.IGNORECASE,
)


def _detail(match: re.Match[str]) -> Finding | None:
    topic, value = thing_topic(match["t"]), trimmed(match["v"])
    if not value or not topic or VALUE_NOT.match(value) or SUBJECT_NOT.search(match["t"]):
        return None
    owned = match["t"].lower().startswith(("my ", "our "))
    sure = re.search(r"\d|[A-Z\u4e00-\u9fff]|\w[@/.]\w", value) is not None
    words = len(value.split())
    if words > 10 or (
        not sure and (not owned or (words == 1 and value not in PRODUCTS) or _QUALITY.match(value))
    ):
        return None
    return Finding(
        with_topic("detail", topic), value, importance=0.6, confidence=0.9 if sure else 0.75
    )


_WHEN: Final = regex(
    r"\d|\b(?:\w+day|today|tomorrow|tonight|noon|midnight|morning|afternoon|evening|week|month|"
    r"year|next|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


def decided(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if not value or PRODUCT_NOT.match(value) or VALUE_NOT.match(value) or len(value) > 60:
        return None
    chinese = re.search(r"[\u4e00-\u9fff]", match.string) is not None
    return Finding(
        None, value, tags=("决定" if chinese else "decision",), importance=0.6, confidence=0.85
    )


_PLAN_NOUNS: Final = (
    r"(?:appointment|meeting|exam|interview|flight|trip|party|wedding|conference|presentation|"
    r"demo|deadline|class|game|match|race|concert|surgery|check-?up|dinner|lunch|call|review|"
    r"standup|stand-up|reservation|session|launch|release)"
)


def _plan(match: re.Match[str]) -> Finding | None:
    value = re.sub(r"^(?:on|at|for|to)\s+", "", trimmed(match["v"]))
    if VALUE_NOT.match(value) or not _WHEN.search(value):
        return None
    return Finding(
        with_topic("plan", thing_topic(match["t"])),
        value,
        kind="episodic",
        importance=0.6,
        event="plan",
    )


EN: Final[tuple[Rule, ...]] = (
    rule(
        r"(?:the|my|our) (?:[\w'-]+ ){1,4}?(?:has|have|holds?|takes?|supports?|allows?|"
        r"can (?:only )?(?:hold|take|handle))(?: only| just| at most| no more than|"
        r" a maximum of| up to| at least)* \d[^,;]{0,60}$",
        lambda m: (
            Finding(None, m.group(), tags=("limit",), importance=0.6)
            if re.search(
                r"\b(?:only|just|at most|no more than|maximum|up to|at least)\b", m.group()
            )
            else None
        ),
        "only|just|at most|no more than|maximum|up to|at least",
    ),
    rule(
        r"(?:have )?(?:decided (?:on|to (?:use|go with|buy|take|keep|stay|start|focus on|drop))|"
        r"chosen|chose|picked|selected|settled on|opted for|"
        r"am going with|are going with|will go with|let us go with|went with|"
        r"committed to) (?P<v>[^,;()\n]{3,60}?)(?=\s+(?:because|since|as|so|for now|instead)\b|"
        r"\s*[,;(]|\s*$)",
        decided,
        "decided|chose|picked|selected|settled|opted|go with|going with|went with|committed",
    ),
    rule(
        r"(?:let us |we (?:will |should |are going to )|will |should |am going to |"
        r"are going to )?(?:use|uses|am using|is using|are using|have been using|work with|"
        r"rely on|"
        r"relies on) (?P<v>[^,;()]{2,40}?) (?:for|to (?:do|handle|manage|write|track|edit|make|"
        r"build|run)|as (?:my|our|the)|when) (?:my |our |"
        r"the )?(?P<t>[^,;()]{2,40}?)(?=\s+(?:now|instead|these days|because|since|and|at)\b|"
        r"\s*[,;(]|\s*$)",
        _use_for,
        "us|work with|rel",
    ),
    rule(
        r"(?:use|uses|am using|is using|are using|have been using|code in|codes in|program in|"
        r"work with|develop (?:in|with|on)) (?P<v>[A-Za-z][\w.+#/ -]{0,40}?)(?=\s+(?:now|"
        r"instead|these days|because|since|and|at|on|every|daily|in|with|for|as|so|but)\b|"
        r"\s*[,;(]|\s*$)",
        use,
        "us|code|program|work with|develop",
    ),
    rule(
        rf"(?P<verb>{'|'.join(_DONE_WITH)})(?: (?:all |most of )?(?:my |our |the )?"
        r"(?P<t>[\w -]{2,30}?))? (?P<by>with|using|via|in|on) (?P<v>[A-Za-z][\w.+#/ -]{0,30}?)"
        r"(?=\s+(?:now|these days|because|since|at work|every|daily)\b|\s*[,;(]|\s*$)",
        _done_with,
        "with|using|via|in|on",
    ),
    rule(
        r"(?P<t>(?:my |our |the )?(?:[\w'-]+ ){0,3}?(?:frontend|front-end|backend|back-end|"
        r"database|db|server|app|website|site|api|pipeline|ci|build|cluster|prod(?:uction)?|"
        r"staging|project|service|"
        r"infra(?:structure)?|stack|mobile app|data layer|cache|queue|blog|store)) (?:uses|"
        r"is (?:built|written) (?:with|in|on)|is in|runs on|is running on|runs|is on|is hosted on|"
        r"is deployed (?:on|to)) (?P<v>[^,;()]{2,40}?)(?=\s+(?:now|instead|because|since|and)\b|"
        r"\s*[,;(]|\s*$)",
        _use_for,
        "us|built|written|run|hosted|deployed|is on|is in",
    ),
    rule(
        rf"(?P<t>(?P<own>my|our|the) (?:[\w'/&-]+ ){{0,4}}?{_HEADS_EN}(?: (?:for|of|to) (?:the |"
        rf"my |our )?[\w' -]{{2,40}}?)?) (?:is|are|was|will be|has been|equals|"
        rf"stands at)(?: now| currently| set to| still| always| at| due| on| about| around|"
        rf" roughly)* (?P<v>[^;\n]{{1,90}})$",
        _detail,
    ),
    rule(
        rf"(?P<t>(?:the |my |our )(?:[\w'/&-]+ ){{0,4}}?{_HEADS_EN}) ?(?:[:=]|(?<=code|time|"
        rf"port|date|room|gate|seat|mber) (?=(?-i:[A-Z])+-?\d|\d)) ?(?P<v>\S[^;\n]{{0,60}})$",
        _detail,
    ),
    rule(
        rf"(?P<t>(?:the |my |our )(?:[\w'/&-]+ ){{0,4}}?{_PLAN_NOUNS}) (?:is|has been|was|"
        r"will be|got|is now|takes place|starts|begins|leaves|departs|arrives|lands|ends)(?: now|"
        r" currently| scheduled| planned|"
        rf" set| moved| rescheduled| postponed| pushed| changed)*(?: (?:for|on|at|to|in|"
        rf"back to))? (?P<v>[^,;()]{{2,50}})$",
        _plan,
    ),
)
