"""Chinese instructions that hold from now on although no word says so: their form does.
解释的时候多举例子, 别再给我推荐电影了, 金额都保留两位小数, 跟我说话不用客气."""

from __future__ import annotations

from typing import Final

from jiyi.encode.rules.clauses_zh import RELATIONS
from jiyi.encode.rules.finding import Clause
from jiyi.text.patterns import regex

_AT_HAND: Final = regex(
    r"[这那]|下面|上面|刚才|第[一二三四五\d]|今[天晚]|明[天早]|这次|现在先|一下(?:吧)?$"
)
# Whenever something of the kind is done: 写邮件的时候, 改代码之前.
_WHENEVER: Final = regex(
    r"(?:在|当|给我|帮我|你)?(?:回[答复]|解释|说话|聊天|介绍|举例|推荐|翻译|总结|讨论|写|改|删|发|生成|提交|部署|报告|订|买|做|画|算|"
    r"合并|上线|付款|下单|预订)[^，。我你]{0,10}?(?:的时候|时候?|之?前|完)[，]?(?:请|都|就|也|务必|一定)?"
    r"(?:要|先|得|必须|应该|最好|尽量|多|少|别|不要|不用|避免|用|语气|给我|跟我|问我|提醒|附|带|注明|说明|列)"
)
# 不要在回答里加…, 回答里别…, 跟我说话…
_OF_ANSWERS: Final = regex(
    r"(?:请)?(?:别|不要|不用|少|避免)(?:再)?在?(?:回[答复]|答案|输出|解释|说话|聊天|对话|消息)[^，。我你]{0,3}(?:里|中|时|的时候|上)"
    r"|(?:回[答复]|答案|输出|解释|说话|对话|消息)(?:里|中|时)(?:请)?(?:别|不要|不用|少|多|要|避免|尽量|用|都)"
    r"|(?:跟|和|对)我(?:说话|聊天|沟通|讲话|交流)(?:请|都|时|的时候)?(?:别|不要|不用|要|直接|随意|尽量|可以|用|简单|客气|正式|像)"
    r"|有[事话]+(?:就|请)?直(?:接)?说"
)
# 别再给我推荐电影了: what was done again and again.
_NO_MORE: Final = regex(
    r"(?:请|拜托|麻烦)?(?:你)?(?:别|不要)(?:再|总是?|老是?|每次都?|一直)(?:给我|跟我|对我|向我|帮我)?(?!说话|这|那|问我|催)"
    r"(?P<what>[^，。我你他她它这那]{3,16})$"
    r"|(?:请)?(?:你)?(?:别|不要|不许)再?(?:叫|喊|称呼)我(?!起床|过去|来|去|吃|做|干|帮)(?P<name>[^，。]{1,8}?)(?:了)?$"
)
_OVER: Final = regex(r"[说想看问等闹哭吵提笑骂讲催来去忙动](?:了|啦)?$")
# 金额都保留两位小数: each of its kind.
_EACH: Final = regex(
    r"(?P<what>[^，。我你他她它咱]{1,10}?)(?:都|均|一律|统一|全部?)(?:要|得|必须)?"
    r"(?:用|保留|写|按|采用|使用|显示|以|放(?!假|心|弃|松)|加|带|标|附|转成|转换|换算|四舍五入|精确|控制|存|备份|发给|发到|抄送)"
    r"[^，。]{2,20}?(?<!了)(?<!过)$"
    r"|(?P<left>[^，。我你他她它]{2,8}?)(?:放|送到|寄到|发到|交给|存到?|放到)[^，。了]{2,10}?(?:就行|就好|即可|就可以)了?$"
)
_PEOPLE: Final = regex(
    rf"(?:{RELATIONS}|人|们|大家|同事|用户|顾客|学生|公司|部门|团队|组里|每个|家里|门|店|食堂)"
)


def plainly_standing(clause: Clause, core: str, *, task: bool) -> bool:
    """Whether a clause orders something for good, where only its form tells that it does.

    `task`: the turn hands over a task; then only what is said of every such task stands.
    """
    if _AT_HAND.search(core):
        return False
    if _WHENEVER.match(core):
        return True
    if task:
        return False
    if _OF_ANSWERS.match(core):
        return True
    if (match := _NO_MORE.match(core)) is not None:
        return not (match["what"] and _OVER.search(match["what"]))
    if clause.subject_words or (match := _EACH.match(core)) is None:
        return False
    return _PEOPLE.search(match["what"] or match["left"]) is None
