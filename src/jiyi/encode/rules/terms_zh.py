"""Chinese statements of what is agreed or fixed: prices and budgets, hours and days, where a system
runs, the conventions of a project, who is to be asked."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.clauses_zh import SURNAMES
from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.products import PRODUCTS
from jiyi.encode.rules.topics import thing_topic, trimmed
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_SUM: Final = (
    r"(?:\d[\d,.]*|[一二两三四五六七八九十百千万][一二两三四五六七八九十百千万零点]*)(?:多|来|几)?"
    r"(?:万|千|百|k|K|w|W)?(?:多|出头|左右|上下)?(?:块钱?|元|欧元?|刀|美元|美金|港币|日元|英镑|镑|"
    r"rmb|RMB)?"
)
_PER: Final = r"(?:个?月|年|季度?|天|日|次|人|位|小时|平米?|晚|节课?|斤|张|份|套|课时)"
_PAID: Final = (
    r"(?:预算|生活费|零花钱|房租|租金|物业费?|工资|学费|保费|费用|开销|定价|会费|月供|首付|押金|"
    r"存款|贷款|尾款|"
    r"停车费|电费|水费|网费|话费|房贷|车贷|份子钱|补课费|管理费|服务费|运费|票价|单价)"
)
_PAID_FOR: Final = _PAID.removeprefix("(?:").removesuffix(")").replace("费?", "")
_NO_PRICE: Final = regex(r"[花跑走喝吃做睡练学看写你他她这那我]|今|昨|明天|平均|大概$|每$")
_DAY: Final = (
    r"(?:每?(?:周|星期|礼拜)[一二三四五六日天末](?:[、和到至][周星期]?[一二三四五六日天末])?|"
    r"工作日|节假日|周末|每天|法定假日)"
)
_CLOCK: Final = (
    r"(?:(?:早上|上午|中午|下午|晚上|凌晨|夜里|早|晚)?(?:\d{1,2}(?:[:：]\d\d|点半?|点\d+分?)?|"
    r"[一二两三四五六七八九十]{1,3}点(?:半|[一三]刻)?))"
)
_WHEN: Final = regex(
    rf"(?:{_DAY}|{_CLOCK}|\d{{4}}年|\d{{1,2}}月(?:\d{{1,2}}[日号]?)?|\d{{1,2}}[日号]|(?:这|本|"
    rf"下下?|上)个?(?:周|星期|礼拜|月)"
    r"(?:[一二三四五六日天末]|\d{1,2}[日号])?|[今明后]天|大后天|月底|月初|年底|年初|[早中晚]上|"
    r"[上下中]午|傍晚|的|"
    r"(?:AM|PM|am|pm)|\d{1,2}[-/.]\d{1,2}|左右|之?前)+"
)
_NO_EVENT: Final = regex(
    r"[你他她它这那谁]|什么|怎么|答案|结果|原因|问题|意思|现在|今天|昨天|时间就|最|就|只|也|都|不|"
    r"没|上班|下班|回来|出生|见|说|"
    r"生日|人$|家$|间$"
)
_SYSTEM: Final = (
    r"(?:IP|ip|后端|前端|数据库|缓存|组件库|框架|ORM|网关|消息队列|队列|CDN|域名|环境|分支|镜像|"
    r"服务器|操作系统|仓库|"
    r"架构|开发语言|工具链|包管理器?|UI库|编译器|模型|对象存储|监控|日志|CI|客户端|小程序端?|"
    r"移动端|服务端|主库|从库|"
    r"接口|前缀|路径|协议|鉴权|登录方式)"
)
_NO_SYSTEM: Final = regex(
    r"^\d{3}$|^空|[你他她这那什哪]|[吗呢吧么]$|不|没|坏|错|挂|慢|卡|崩|好的?$|必须|需要"
)
_PERSON: Final = (
    rf"(?:[\u4e00-\u9fff]{{2,4}}的)?(?:[小老阿][\u4e00-\u9fff]|"
    rf"[{SURNAMES}][\u4e00-\u9fff]{{0,1}}(?:总|工|哥|姐|老师|"
    rf"经理|主任|会计|医生|阿姨|师傅|律师)|[{SURNAMES}](?![们的了是在]|"
    rf"[有要会能])[\u4e00-\u9fff]{{1,2}}|"
    r"(?-i:[A-Z])[a-z]{1,11})"
)
_NAME_ONLY: Final = regex(r"^[\u4e00-\u9fff]{2,4}的(?=.{2,3}$)")


def _price(match: re.Match[str]) -> Finding | None:
    topic = thing_topic(match["t"])
    if len(topic) < 2 or _NO_PRICE.search(topic):
        return None
    value = trimmed(match["v"])
    if not re.search(r"\d\d|[百千万kKwW元块欧刀镑]", value) and not re.search(_PAID + "$", topic):
        return None
    per = match.groupdict().get("p")
    return Finding(with_topic("detail", topic), f"每{per}{value}" if per else value, importance=0.6)


def _hours(match: re.Match[str]) -> Finding | None:
    topic = thing_topic(match["t"])
    if len(topic) < 1 or re.search(r"[你他她这那]|今天|昨天|明天", topic):
        return None
    what = match["what"]
    return Finding(with_topic("schedule", f"{topic}{what}"), trimmed(match["v"]), importance=0.55)


def _set_for(match: re.Match[str]) -> Finding | None:
    topic, value = thing_topic(re.sub(r"^(?:我们?的?|每天)", "", match["t"])), trimmed(match["v"])
    if len(topic) < 2 or _NO_EVENT.search(topic) or not _DAYLIKE.search(value):
        return None
    if _WHEN.fullmatch(value) is None and _WITH_NAME.fullmatch(value) is None:
        return None
    return Finding(with_topic("plan", topic), value, kind="episodic", importance=0.6, event="plan")


_DAYLIKE: Final = regex(r"[周星期礼拜月号日天底初]|[:：点]")
_WITH_NAME: Final = regex(rf"{_WHEN.pattern}的?(?-i:[A-Z])[\w-]+")


def _system(match: re.Match[str]) -> Finding | None:
    topic, value = thing_topic(match["t"]), trimmed(match["v"])
    if _NO_SYSTEM.search(value) or _NO_SYSTEM.search(topic):
        return None
    if not re.search(r"[A-Za-z0-9]", value):
        return None
    named = re.match(r"[A-Za-z]", value) is not None and "." not in value
    return Finding(with_topic("tool" if named else "detail", topic), value, importance=0.6)


def _runs_on(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if not re.search(r"[A-Za-z]{2}|云|服务器|机房|集群|虚拟机", value) or _NO_SYSTEM.search(value):
        return None
    topic = thing_topic(match["t"] or "") or "部署"
    if _NO_SYSTEM.search(topic) or len(topic) > 12:
        return None
    return Finding(with_topic("tool", topic), value, importance=0.6)


def _writes(match: re.Match[str]) -> Finding | None:
    names = re.split(r"[、和跟与,/ ]+", match["v"].strip().lower())
    if not all(name in PRODUCTS or name in _LANGUAGES for name in names if name):
        return None
    return Finding(with_topic("tool", "编程语言"), trimmed(match["v"]), importance=0.6)


_LANGUAGES: Final = frozenset(
    [
        "c",
        "c++",
        "c#",
        "sql",
        "r",
        "dart",
        "node",
        "vue3",
        "node.js",
        "next.js",
        "nest",
        "spring",
        "objective-c",
        "matlab",
    ]
)


def _convention(match: re.Match[str]) -> Finding | None:
    topic, value = thing_topic(match["t"]), trimmed(match["v"])
    if re.search(r"[你他她这那]", topic + value) or re.search(r"[吗呢吧么]$", value):
        return None
    if topic.endswith("单位"):
        return Finding(with_topic("units", topic.removesuffix("单位")), value, importance=0.75)
    return Finding(with_topic("format", topic), value, importance=0.7)


def _limit(match: re.Match[str]) -> Finding | None:
    topic = thing_topic(match["t"] + match["k"])
    if re.search(r"[你他她这那我]|今天|昨天", topic):
        return None
    return Finding(with_topic("detail", topic), trimmed(match["v"]), importance=0.6)


def _asked(match: re.Match[str]) -> Finding | None:
    what, who = trimmed(match["v"]), trimmed(match["who"])
    if re.search(r"[你您他她这那什谁吗]|我(?!们)", what) or len(what) < 2:
        return None
    who = _NAME_ONLY.sub("", who)
    # 采购现在归小王了: somebody had charge of it before
    handed = (
        what if re.search(r"现在|以后|改|归|交给|换", match.group()[len(match["v"]) :]) else None
    )
    return Finding("responsibility", what, subject=who, importance=0.6, replaces=handed)


def _mine(match: re.Match[str]) -> Finding | None:
    what = trimmed(re.sub(r"(?:那边|这边|这块|部分|的事)$", "", match["v"]))
    if re.search(r"^[你您他她这那]|饭|今[天晚]|作业", what) or len(what) < 2:
        return None
    return Finding("responsibility", what, subject="user", importance=0.6)


RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?P<t>[^，。\d]{{0,8}}?{_PAID})(?:大概|大约|差不多|控制在|不超过|最多|上限|是|有|要|在|"
        rf"涨到|涨成|降到|现在)*(?:了)?"
        rf"(?:(?:每|一个?|按)?(?P<p>{_PER}))?(?P<v>{_SUM}(?:以内|以下|之内)?)(?:钱|了)?$",
        _price,
        _PAID_FOR,
    ),
    rule(
        rf"(?P<t>[^，。\d]{{0,8}}?{_PAID})(?:大概|大约|差不多|是|要|涨到|现在)*(?P<v>{_SUM})(?:每|"
        rf"一个?|/)(?P<p>{_PER})(?:了)?$",
        _price,
        _PAID_FOR,
    ),
    rule(
        rf"(?:每|一个?)(?P<p>{_PER})(?P<t>[^，。\d]{{0,6}}?{_PAID})(?:大概|大约|差不多|控制在|"
        rf"不超过|最多|是|有|要|在)*"
        rf"(?P<v>{_SUM}(?:以内|以下|之内)?)(?:了)?$",
        _price,
        _PAID_FOR,
    ),
    rule(
        rf"(?P<t>[\u4e00-\u9fff]{{2,10}}?)(?:大概|大约|差不多|现在|是|收)*(?:每|一个?|"
        r"按)(?P<p>个?月|年|季度?|天|人|位|小时|晚|节课?|课时)(?:是|要|收)?"
        rf"(?P<v>{_SUM})(?:钱)?$",
        _price,
        "每|一|按",
    ),
    rule(
        rf"(?P<t>[^，。\d]{{1,10}}?)(?:是|在)?(?P<v>(?:{_DAY})?{_CLOCK}(?:到|至|-|—|"
        rf"~)(?:第二天)?{_CLOCK})"
        r"(?P<what>营业|开门|开放|上班|办公|上课|接诊|运营)(?:的|时间)?$",
        _hours,
        "到|至|-|—|~",
    ),
    rule(
        rf"(?P<t>[^，。\d]{{1,10}}?)(?P<v>{_DAY})(?:都|也|一般|就)*(?P<what>不开门|不营业|闭馆|"
        rf"休息|关门|不上班|店休|停诊|放假|不开放)(?:的)?$",
        _hours,
        "不|闭馆|店休|休息|关门|停诊|放假",
    ),
    rule(
        r"(?P<t>[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z -]{1,11}?)\s?(?:是|在|：|:|"
        r"定在)(?:在)?\s?"
        r"(?P<v>(?=.{0,8}[\d一二三四五六七八九十周天月末])[^，。]{2,20}?)$",
        _set_for,
        "是|在|：|:",
    ),
    rule(
        rf"(?P<t>[^，。]{{0,8}}?{_SYSTEM}(?:地址)?)(?:现在|目前|都)*(?:是|为|叫|：|:)\s?(?P<v>[^，"
        rf"。]{{2,30}}?)(?:的)?$",
        _system,
        "是|为|叫|：|:",
    ),
    rule(
        r"(?P<t>[^，。在]{0,10}?)(?:都|也|目前|现在|已经|全)*(?:跑|部署|托管|放|存|架|搭|运行|"
        r"维护)?在(?P<v>[^，。]{2,20}?)"
        r"(?:上面?|里面?|中)?(?:跑|管理|维护)?(?:的)?$",
        _runs_on,
        "跑在|部署在|托管在|放在|存在|架在|搭在|运行在|环境在|维护在",
    ),
    rule(
        r"(?:主要|平时|一般|主力|工作上)*(?:是)?写(?P<v>[A-Za-z][\w+#.]*(?:(?: ?[、/,] ?|"
        r" ?[和跟与] ?)[A-Za-z][\w+#.]*){0,3})(?:的|代码|为主)?$",
        _writes,
        "写",
    ),
    rule(
        r"(?P<t>[^，。我用]{0,10}?(?:单位|格式|命名|缩进|信息|注释|文档|标题|编码|引号|换行|字体|"
        r"字号|颜色|风格|日期|金额|"
        r"变量名?|函数名?|类名|接口|提交说明|commit|文件名|图表|货币|小数|参考文献|引用|语言|时间))"
        r"(?:都|统一|一律|默认|全部|也)*(?:用|使用|采用|按|以)(?P<v>[^，。]{1,20}?)(?:写|表示|"
        r"命名|显示|来写|为准)?(?:的|吧)?$",
        _convention,
        "用|按|以|采用",
    ),
    rule(
        r"(?P<t>[^，。]{2,12}?)(?P<k>保留|限流|限制|要求|上限|下限|超时|过期时间|有效期|间隔|最大|"
        r"最小|覆盖率)"
        r"(?:是|为|在|到|要求)*(?P<v>(?:每[^，。\d]{1,3}|至少|最多|不低于|不超过)?\d[^，"
        r"。]{0,10}?)(?:的|了)?$",
        _limit,
        "保留|限流|限制|要求|上限|下限|超时|过期|有效期|间隔|最大|最小|覆盖率",
    ),
    rule(
        rf"(?P<v>[^，。找问]{{2,12}}?)(?:的事情?|这事|方面|的问题|的话)?(?:就|都|可以|直接|"
        rf"要)*(?:找|问|联系)(?P<who>{_PERSON})(?:就行|即可|就好)?$",
        _asked,
        "找|问|联系",
    ),
    rule(
        rf"(?P<v>[^，。]{{2,12}}?)(?:那边|这边|这块|部分|的事)?(?:现在|目前|一直|都|"
        rf"主要)*是(?P<who>{_PERSON})(?:在|来)?(?:负责|管|跟|弄|做)(?:的|着)?$",
        _asked,
        "负责|管|跟|弄|做",
    ),
    rule(
        rf"(?P<v>[^，。]{{2,16}}?)(?:这块|部分|这边|那边)?(?:现在|以后|就|都|还是|改|统一)*(?:由|"
        rf"归|交给|是)(?P<who>{_PERSON})(?:来)?"
        r"(?:负责|管|跟进|牵头|主导|对接)?(?:了|吧|的)?$",
        lambda m: _asked(m) if re.search("由|归|交给", m.group()[len(m["v"]) :]) else None,
        "由|归|交给",
    ),
    rule(
        r"(?P<v>[^，。]{2,14}?)(?:这块|部分|这边|那边)?(?:现在|以后|就|都|还是|改|统一)*(?:由|归|"
        r"交给|换成)我(?:来)?"
        r"(?:负责|管|跟进|牵头|主导|对接|弄|做)?(?:了|的)?$",
        _mine,
        "由我|归我|交给我|换成我",
    ),
    rule(
        rf"(?!.*[你这那])[^，。我]{{2,12}}只有{_PERSON}(?:才)?(?:有|能[^，。]{{1,6}}|可以[^，"
        rf"。]{{1,6}}|知道|会)$",
        lambda m: Finding(None, m.group(), tags=("限制",), importance=0.6),
        "只有",
    ),
    rule(
        r"(?:都|统一|一直)*用(?P<v>[A-Za-z][\w.+#-]*)，?不用(?P<o>[A-Za-z][\w.+#-]*)$",
        lambda m: Finding(with_topic("tool", thing_topic(m["v"])), m["v"], importance=0.6),
        "不用",
    ),
)
