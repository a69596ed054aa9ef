"""Chinese standing instructions: how the user wants things done from now on."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from jiyi.encode.rules.answers import about_answers
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.plain_orders_zh import plainly_standing
from jiyi.encode.rules.topics import rule_topic
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex

_STANDING: Final = regex(
    r"(?<![为从])以后(?!(?:才|再说|还|会|就会|的事|[^，。]{0,12}(?:方便|省心|省事|轻松|舒服|有用)了?$))|今后|往后|从现在[起开]始?|从今[天以]?[起后]|从今往后|"
    r"每次|每回|一律|默认|凡是|任何时候|"
    r"无论何时|不管什么时候|所有的?[^，。]{1,10}都[要得用必]|都要|统一(?=用|使?用|写|放|按|采用|"
    r"改|为|成)|始终(?=用|保持|要)|永远(?:不要|别|要)|总是要"
)
_OPENS: Final = regex(
    r"(?:[^，,]{0,4})(?:(?:以后|今后|往后)[^，,]{0,8}|从现在[起开]始?|从今[天以]?[起后]?|每次[^，,]{0,12}|"
    r"凡是[^，,]{0,12})[，,]"
)
_ORDER: Final = regex(
    r"^(?:请|麻烦|你|都|也|要|就|得)*(?:给我|帮我|跟我|和我|对我|替我|在|把|用|按|以|先|尽量|"
    r"最好|直接|自动|默认|只|都|就|回[答复]|回复|报告|代码|文档|"
    r"邮件|表格|图表|日期|金额|价格|输出|写|称呼|提醒|保留|使用|采用|附上|标注|注明|列出|不要|"
    r"别|不用|无需|避免|禁止|发|保存|备份|检查|遵守|统一|控制|不准|不许|千万|务必|必须|一定)"
)
_MUST: Final = regex(
    r"^(?P<who>[^，。]{0,24}?)(?P<modal>必须|务必|一定要|一定得|一定不要|一定别|千万别|千万不要|"
    r"千万要|不准|不许|(?<![舍恨怪巴免了顾由急])不得|严禁|禁止|切勿|请勿|绝对不能|绝不能|绝对不要|"
    r"不能|不可以|不要再?|(?<![特分个区级性差类告])别再?|应该|应当|需要|要)(?P<rest>[^，。]{1,60})$"
)
_STRONG: Final = frozenset(
    [
        "必须",
        "务必",
        "一定要",
        "一定得",
        "一定不要",
        "一定别",
        "千万别",
        "千万不要",
        "千万要",
        "不准",
        "不许",
        "不得",
        "严禁",
        "禁止",
        "切勿",
        "请勿",
        "绝对不能",
        "绝不能",
        "绝对不要",
    ]
)
# What an agent does in the world: 不要自动升级 holds until it is taken back, while 不要加标题 is
# about the text at hand.
_DEED: Final = regex(
    r"升级|更新|部署|上线|发布|发版|合并|提交|推送|重启|关机|关闭|删除?|清空|覆盖|安装|装|卸载|"
    r"发邮件|发送|发给|群发|转发|打电话|打扰|吵|叫醒|通知|提醒|联系|"
    r"发(?=[^，。]{0,3}(?:消息|短信|微信|邮件|通知))|预约|预订|订票|下单|购买|买|付款|支付|扣款|续费|花钱|分享|公开|上传|下载|同步|备份|自动|"
    r"重构|改动|动|改|修改|重命名|审批|签|邀请|取消|用|调用|访问|运行|执行|跑"
)
_ALLOWED: Final = regex(
    r"可以(?!吗|么)|允许|直接|自动|尽管|放心|随时|没问题|没关系|也行|就行|即可|都行|不用问|"
    r"不必问|无妨"
)
_CONDITION: Final = regex(
    r"^(?:如果|要是|只要|一旦|碰到|遇到|每当)?有(?:新版本?|更新|新的|问题|变化|异常)"
)
_CLOSES: Final = regex(
    r"(?:吧|就行了?|就好了?|就可以了?|即可|也行|也可以|没问题|没关系|都行|可以的?了?|无所谓|了)$"
)
_NEGATIVE: Final = regex(
    r"不要|不用|不必|无需|不准|不许|不得|不能|不可|禁止|严禁|切勿|请勿|勿|"
    r"(?<![特分个区级性差类告])别(?!人|的|墅|名|处|国|家)|避免|绝不|停止|杜绝"
)
_PAST: Final = regex(
    r"^(?:他|她|它|我以前|[都也就还又](?:是|有|会|觉得|很|挺|太|真)|让(?![你您我]))|了以后|之后|(?:毕业|结婚|下班|放学|工作|退休|生了?孩子|搬家|回来|"
    r"长大)以后|以后(?:才|就会|再说|还)|"
    r"总是(?:很|会|觉得|忘|迟|失眠|做梦|睡)|(?<!不要)(?<!别)每次(?:都|我|他|她|去|来|吃|看|见|想|听)(?!.*(?:要|"
    r"请|必须|给我|帮我|先))"
)
_MOMENT: Final = regex(
    r"这里|那里|叫我|喊我|称呼我|担心|着急|客气|生气|难过|紧张|怕|急|哭|闹|吵架|走|笑|说了|这样|"
    r"那样|介意|误会|想太多|放弃|多想|管我|骗我|提了|废话|光说|等了|见|聊|再说|继续吧|开始吧|"
    r"看看|想想|试试|告诉我答案|告诉我结果|这次|现在先|一下(?:吧|这)"
)
# Something to reach once: Q3必须拿下这个客户, 明天一定要交.
_ONE_GOAL: Final = regex(
    r"这[个次家位批版场单]|那[个次家位批版场单]|Q[1-4]|今[天晚]|明[天早晚]|后天|[本这下]个?(?:周|月|季度)|拿下|争取"
)
# 没测到的写“未采”: what to write, where.
_ENTER: Final = regex(r".{2,24}[写填记标](?:成|为|作|上)?[“‘「\"'][^”’」\"']{1,12}[”’」\"']$")
# 以后写报告，每个数值…: when the order that follows holds.
_OCCASION: Final = regex(
    r"(?:(?:以后|今后|往后|从现在[起开]始?|从今[天以]?[起后]?|每次|每回|凡是)[，, ]?)+"
    r"(?:(?:在|我|我们|你|给我|帮我|替我|跟我|和我)*(?:写|做|发|交|出|搞|办|看|学|画|改|汇报|开会|提交|订|查|整理|起草|翻译|部署|发布"
    r"|上线|测|采|录|填|买|排)[^，,。]{0,6}|[^，,。]{1,10}(?:时|的时候|时候|里|中|之?前|之?后))[，,]"
)
# 以后写报告: a deed, and nothing on how.
_BARE_DEED: Final = regex(r"[写做发交出搞办看学][\u4e00-\u9fff]{1,3}")
_WISH: Final = regex(r"^(?:我要求|我希望你?|我需要你|我想让你|我要你)")
_CONTENT: Final = regex(r"[^不要别用的了我你他请把都就也还在再、 ]")


def chinese(clause: Clause, *, task: bool, aside: bool = False) -> Finding | None:
    """The standing instruction that a Chinese clause gives, if it gives one.

    `task`: the turn hands over a task or a document; then only what is said to stand stands.
    `aside`: the turn says much else; then the same holds for instructions about the answers.
    """
    text = clause.text
    standing = _STANDING.search(clause.sentence) is not None
    marked = "remember" in clause.marks
    special = about_answers(clause, text, standing=standing or marked)
    if special is not None and (standing or marked or not (task or aside)):
        return special
    wish = _WISH.match(text)
    if clause.subject_words and not clause.lead and wish is None:
        return None
    core = _WISH.sub("", text)
    if _PAST.search(core) or len(core) > 80:
        return None
    value = "dont" if _NEGATIVE.search(core) else "do"
    if standing and _is_order(clause, core):
        found = _rule(core, value, 0.8)
        opens = _OPENS if _STANDING.search(core) is None else _OCCASION
        opening = opens.match(clause.sentence)
        if found is None or opening is None or clause.sentence.startswith(clause.text):
            return found
        # 以后写报告，先写结论: the second clause says how, the first when.
        return replace(found, text=opening.group().strip("，, ") + "，" + clause.text)
    if plainly_standing(clause, core, task=task and not marked):
        return _rule(core, value, 0.7)
    if task and not marked:
        return None
    return _ordered(clause, core, value, marked=marked)


def _ordered(clause: Clause, core: str, value: str, *, marked: bool) -> Finding | None:
    if (match := _MUST.match(core)) is not None:
        return _must(match, core, value, marked=marked)
    if _ENTER.search(core) and not clause.subject_words and not _MOMENT.search(core):
        return _rule(core, value, 0.7)
    if marked and _ORDER.match(core):
        return _rule(core, value, 0.75)
    return _allowed(clause, core, value)


def _must(match: re.Match[str], core: str, value: str, *, marked: bool) -> Finding | None:
    """报价必须含税, 不要自动升级."""
    if _MOMENT.search(core) or _ONE_GOAL.search(core):
        return None
    if match["modal"] in _STRONG or marked:
        return _rule(core, value, 0.75)
    if _NEGATIVE.match(match["modal"]) and _DEED.search(match["rest"]):
        return _rule(core, "dont", 0.7)
    return None


def _allowed(clause: Clause, core: str, value: str) -> Finding | None:
    """有新版直接升级, 周五上线也可以."""
    if not _ALLOWED.search(core) or not _DEED.search(core) or _MOMENT.search(core):
        return None
    if _CONDITION.match(core) or _CLOSES.search(core) or "change" in clause.marks:
        return _rule(core, value, 0.65)
    return None


def _is_order(clause: Clause, core: str) -> bool:
    rest = _STANDING.sub("", core).lstrip("，, ")
    if len(_CONTENT.findall(rest)) < 2 or (_BARE_DEED.fullmatch(rest) and rest != core):
        return False
    if _STANDING.search(core) is None:
        # 从现在起，日报发到产品群: the sentence opens as a rule, this clause says which
        return bool(
            _OPENS.match(clause.sentence)
            or _ORDER.match(core)
            or _MUST.match(core)
            or _ALLOWED.search(core)
        )
    return bool(
        _ORDER.match(rest)
        or _MUST.match(core)
        or _ALLOWED.search(core)
        or re.search(r"[都就要用叫按以把给放写发交先]|吧$", rest)
    )


def _rule(about: str, value: str, importance: float) -> Finding | None:
    topic = rule_topic(about)
    if len(topic) < 2:
        return None
    return Finding(with_topic("instruction", topic), value, importance=importance, tags=("要求",))
