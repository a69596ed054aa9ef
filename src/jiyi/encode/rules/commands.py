"""What a user says about forgetting: taking a rule back (undoable) or having words erased."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.forgetting import (
    DO_NOT_FORGET,
    KEEP_NO_MORE,
    REMEMBER_NO_MORE,
    asked_to_forget,
    span_of,
)
from jiyi.encode.rules.results import Command, Erase, Retract
from jiyi.encode.rules.topics import trimmed
from jiyi.text.patterns import regex

# A cheap test: nearly every sentence fails it.
_MAYBE: Final = regex(
    r"\b(?:delete|erase|remove|wipe|forget|purge|scrub|clear|go by|follow|rely on|apply|applies|"
    r"hold|ignore|"
    r"disregard|drop|cancel|stop|void|scrap|stick to|act on|obey|remember|keep|store|save)\b"
    r"|删|忘|清[除掉空]|抹|擦除|移除|作废|不算|不作数|不适用|取消|按|照|遵守|这样|那样|这么|那么|失效|"
    r"撤[回销]|废除|不成立|别管|无视|不用管|执行|当我没说|"
    r"(?:别|不要|不许|不准)再?(?:记|保存|保留|存)",
    re.IGNORECASE,
)
_ASK_EN: Final = (
    r"(?:^|[,;.!]\s*)(?:(?:and|but|so|ok(?:ay)?|now|actually|hey|hi|then|also|well|no|yes|"
    r"sorry)[\s,]+)*"
    r"(?:please\s+|kindly\s+|can you (?:please )?|could you (?:please )?|would you (?:please )?|"
    r"will you (?:please )?|"
    r"i(?:'d| would) like you to\s+|i want you to\s+|i need you to\s+|you (?:can|should|must|"
    r"need to|may) |just\s+|"
    r"let's |i want to |i(?:'d| would) like to )*"
)
_SAID_EN: Final = (
    r"(?:(?:everything|anything|all|all (?:the )?(?:things?|facts?|info(?:rmation)?|data|"
    r"details?|memories|records?)|"
    r"the (?:facts?|info(?:rmation)?|data|details?|things?|memor(?:y|ies)|notes?|records?|part|"
    r"bit)|what(?:ever)?|the fact|that)"
    r"(?: (?:that )?(?:i(?:'ve| have)? (?:just )?(?:said|told(?: you)?|mentioned|"
    r"shared(?: with you)?|gave(?: you)?|given(?: you)?|wrote)|"
    r"you (?:know|have|remember|stored|saved|learned|keep)|we (?:said|discussed|talked about|"
    r"spoke about)))?"
    r"(?:\s*(?:about|on|regarding|concerning|of|related to|"
    r"relating to)\s+(?P<a>[^.,;!?\n]{2,80}?))?)"
)
_PERSONAL_EN: Final = (
    r"(?:my|our)\s+(?P<b>(?:(?:home|work|old|new|previous|current|personal|private|phone|email|"
    r"mailing|full|real|bank|stored|saved|"
    r"medical|contact|date of|postal|street|exact|last|first|former)\s+)*"
    r"(?:address|e-?mail(?: address)?|phone(?: number)?|number|name|birthday|birth ?date|birth|"
    r"age|location|city|home|job|employer|"
    r"company|salary|income|health|medical (?:history|data|info\w*)|"
    r"allerg(?:y|ies)(?: to [^.,;!?\n]{2,40}?)?|(?:\w+ ){0,2}(?:pass)?(?:code|pin|combination)s?|"
    r"condition|"
    r"diagnosis|diet|weight|height|medication|"
    r"family|wife|husband|kids?|children|partner|relationship|marital status|pets?|dog|cat|"
    r"preferences?(?: (?:for|about) [^.,;!?\n]{2,40}?)?|"
    r"hobby|hobbies|schedule|plans?|goals?|profile|data|information|details|personal (?:data|"
    r"info\w*|details)|memor(?:y|ies)|"
    r"nationality|religion|education|school|university|car|accounts?|contact(?: (?:details|"
    r"info\w*))?|nickname|history|"
    r"passport(?: number)?|id(?: number)?|password|card(?: number)?))"
)
_TAIL_EN: Final = (
    r"(?:[\s,]+(?:from (?:your |the )?(?:memory|memories|records?|notes|database|storage|profile)|"
    r"please|now|right now|completely|permanently|for good|entirely|altogether|at once|"
    r"immediately|too|as well|again))*\s*[.!?]*\s*$"
)
_FROM_MEMORY_EN: Final = (
    r"\s+from (?:your |the )?(?:memory|memories|records?|notes|profile|long-term memory)"
)

_ERASE_EN: Final = (
    regex(
        rf"{_ASK_EN}(?:delete|erase|remove|wipe|purge|scrub|clear|"
        rf"forget(?: about)?)(?: all(?: of)?)?\s+{_PERSONAL_EN}{_TAIL_EN}",
        re.IGNORECASE,
    ),
    regex(
        rf"{_ASK_EN}(?:delete|erase|remove|wipe|purge|scrub|clear|"
        rf"forget)(?: out)?\s+(?:about\s+)?(?=[^.]*\b(?:i(?:['’]ve)? (?:have |just |"
        rf"ever )?(?:said|told|mentioned|shared|gave|given|wrote)|you (?:know|have|remember|"
        rf"stored|saved|learned|keep)|we (?:said|discussed|talked|spoke)|(?:about|on|regarding|"
        rf"concerning) (?:me|my|us|our|myself))\b){_SAID_EN}{_TAIL_EN}",
        re.IGNORECASE,
    ),
    regex(
        rf"{_ASK_EN}(?:delete|erase|remove|wipe|purge|scrub|clear|"
        rf"forget)\s+(?P<a>[^.,;!?\n]{{2,80}}?){_FROM_MEMORY_EN}{_TAIL_EN}",
        re.IGNORECASE,
    ),
    regex(
        rf"{_ASK_EN}(?:forget|delete|erase|remove|wipe|purge) (?:that |(?:about )?the fact that )"
        rf"(?P<a>(?:i|my|we|"
        rf"our)\b[^.;!?\n]{{3,100}}?){_TAIL_EN}",
        re.IGNORECASE,
    ),
    regex(
        rf"{_ASK_EN}{REMEMBER_NO_MORE} (?:about )?(?P<a>(?:my|our) [^.,;!?\n]{{2,60}}?|"
        rf"what i (?:said|told you)[^.,;!?\n]{{0,60}}?|(?:the fact )?that (?:i|we|my|our)\b"
        rf"[^.;!?\n]{{3,100}}?)(?: any ?more| any longer)?{_TAIL_EN}",
        re.IGNORECASE,
    ),
    regex(
        rf"{_ASK_EN}{KEEP_NO_MORE} {_PERSONAL_EN}(?: any ?more| any longer)?{_TAIL_EN}",
        re.IGNORECASE,
    ),
)
_RETRACT_EN: Final = (
    regex(
        rf"{_ASK_EN}(?:do not|don't|stop|no longer|quit|never)(?: ever)?\s+(?:go(?:ing)? by|"
        rf"follow(?:ing)?|rely(?:ing)? on|apply(?:ing)?|act(?:ing)? on|stick(?:ing)? to|"
        rf"obey(?:ing)?|us(?:e|ing)|do(?:ing)?|adher(?:e|ing) to)\s+(?P<a>that|this|it|those|"
        rf"these|(?:that|this|the|my|those|these)\s+(?:[\w' -]{{1,40}}\s)?(?:rule|instruction|"
        rf"preference|guideline|request|setting|format|convention|advice|requirement|constraint|"
        rf"one|way)s?(?: (?:about|on|for|regarding) [^.,;!?\n]{{2,50}}?)?|"
        rf"what i said(?: (?:about|on) [^.,;!?\n]{{2,60}}?)?|my (?:earlier|previous|old|"
        rf"last) [^.,;!?\n]{{2,60}}?)(?:\s+(?:any ?more|any longer|again|from now on|now|please|"
        rf"either))*[.!\s]*$",
        re.IGNORECASE,
    ),
    regex(
        rf"{_ASK_EN}(?:forget(?: about)?|ignore|disregard|drop|cancel|scrap|void|retract|withdraw|"
        r"undo|"
        rf"take back)\s+(?P<a>(?:that|this|the|my|those)\s+(?:[\w' -]{{1,50}}\s)?(?:rule|"
        rf"instruction|preference|guideline|request|requirement|constraint|"
        rf"convention)s?(?: (?:about|on|for|regarding|to) [^.,;!?\n]{{2,60}}?)?|"
        rf"what i (?:just )?said(?: (?:earlier|before))?(?: (?:about|on|"
        rf"regarding) [^.,;!?\n]{{2,60}}?)?)(?: (?:any ?more|from now on|please|earlier|"
        rf"before))*[.!\s]*$",
        re.IGNORECASE,
    ),
    regex(
        r"(?:^|[,;]\s*)(?P<a>(?:that|this|it|(?:that|this|the|my) (?:[\w' -]{1,50} )?(?:rule|"
        r"instruction|preference|guideline|request|requirement|constraint|one)s?(?: (?:about|on|"
        r"for) [^.,;!?\n]{2,50}?)?|what i said(?: (?:about|"
        r"on) [^.,;!?\n]{2,60}?)?)) (?:no longer|does not|doesn't|do not|don't) (?:appl(?:y|"
        r"ies)|hold|holds|count|counts|matter|stand|stands)(?: any ?more| now|"
        r" any longer)*[.!\s]*$",
        re.IGNORECASE,
    ),
    regex(
        r"(?:^|[,;]\s*)(?P<a>i) (?:take (?:that|it) back|"
        r"take back what i said(?: about (?P<b>[^.,;!?\n]{2,60}?))?)[.!\s]*$",
        re.IGNORECASE,
    ),
)

_ASK_ZH: Final = (
    r"(?:^|[，,。；！!]\s*)(?:请|麻烦|拜托|帮我|你|给我|可以|能不能|能否|可不可以|那|那么|算了|"
    r"还是|就|先|赶紧|立刻|马上|现在|我(?:要|想|希望)(?:你|让你)?|顺便|另外|、)*"
)
_DELETE_ZH: Final = (
    r"(?:删掉|删除掉?|删了|删去|删|清除掉?|清掉|清空|抹掉|抹去|擦除|移除|忘掉|忘了|忘记|忘|去掉|"
    r"销毁)"
)
_PERSONAL_ZH: Final = (
    r"(?:地址|住址|住处|住在哪[里儿]?|邮箱|电话(?:号码)?|手机号?码?|号码|联系方式|微信号?|姓名|"
    r"名字|真名|生日|出生日期|年龄|性别|身份证号?码?|护照号?|银行卡号?|卡号|密码|"
    r"公司|单位|工作|职业|工资|薪水|收入|健康(?:状况|信息)?|病史|病情|过敏(?:史|信息|原)?|体重|"
    r"身高|血型|药物?|饮食(?:偏好|习惯)?|"
    r"家庭(?:情况|信息|成员)?|家人|老婆|妻子|老公|丈夫|孩子|对象|男朋友|女朋友|婚姻(?:状况)?|"
    r"感情(?:状况)?|宠物|偏好|喜好|爱好|习惯|日程|行程|计划|目标|"
    r"信息|资料|个人(?:信息|资料|数据|情况)|隐私|数据|记录|记忆|画像|学历|学校|专业|车牌号?|"
    r"账号|昵称|老家|籍贯|位置|经历|事情?|事)"
)
_ERASE_ZH: Final = (
    regex(
        rf"{_ASK_ZH}把?(?:关于|有关)?我?(?:之前|刚才|刚刚|上次|以前|昨天|前面)*(?:跟你|和你|"
        rf"对你|给你|告诉)?(?:说|讲|提|聊|告诉你|提供|发|给你|透露)(?:过|到|给你|"
        rf"的)*(?P<a>[^，。！？]{{0,30}}?)(?:全部|全|都|统统|彻底|完全|从记忆(?:里|中)|给我|"
        rf"给)*{_DELETE_ZH}(?:吧|了|掉|好吗|可以吗|行吗|呗|哈)*[。！!？?]*$"
    ),
    regex(
        rf"{_ASK_ZH}把(?:关于|有关)?(?:我们?)的?(?P<b>[^，。！？]{{0,12}}?{_PERSONAL_ZH})(?:全部"
        rf"|全|都|统统|彻底|完全|从记忆(?:里|中)|给我|给)*{_DELETE_ZH}(?:吧|了|掉|好吗|可以吗|"
        rf"行吗)*[。！!？?]*$"
    ),
    regex(
        rf"{_ASK_ZH}(?<!别)(?<!不要)(?<!不能)(?:彻底|全部|都|永久)*{_DELETE_ZH}(?:所有)?(?:关于|"
        rf"有关)?(?:我们?)(?:之前|刚才|刚刚|上次|以前)*(?:(?:跟你|和你)?(?:说|讲|提|聊|告诉你|"
        rf"提供)(?:过|到|的)+(?P<a>[^，。！？]{{0,30}}?)|"
        rf"的?(?P<b>[^，。！？]{{0,12}}?{_PERSONAL_ZH}))(?:吧|了|掉|好吗|可以吗|"
        rf"行吗)*[。！!？?]*$"
    ),
    regex(
        rf"{_ASK_ZH}(?:彻底|全部|都)*{_DELETE_ZH}(?:所有)?(?:关于|"
        rf"有关)(?P<a>[^，。！？]{{1,30}}?)(?:的)?(?:一切|所有)?(?:记忆|信息|内容|记录|事情?|话|"
        rf"资料|数据)*(?:吧|了|掉)*[。！!]*$"
    ),
    regex(
        rf"{_ASK_ZH}把(?P<a>[^，。！？]{{1,30}}?)从(?:你的|你)?(?:记忆|记录|资料|档案)(?:里|中|"
        rf"库)?(?:面)?(?:删|抹|清|移|去)(?:掉|除|去|了)*[。！!]*$"
    ),
    regex(
        rf"{_ASK_ZH}把(?P<a>我[^，。！？]{{2,30}}?)(?:的)?[这那]一?(?:条|个|件事|点|项)(?:记忆|信息|"
        rf"记录|内容)?(?:全部|都|彻底|给我|给)*{_DELETE_ZH}(?:吧|了|掉)*[。！!]*$"
    ),
    regex(
        rf"(?:^|[，,。；！]\s*)(?:你|请|以后|就|那)*(?:不要|别|不许|不准)再?(?:记(?:住|得|着|下)?"
        rf"(?P<a>我(?!的?(?:账|帐|头|名下))[^，。！？]{{1,30}}?)|(?:保存|保留|存储?|存着)我们?的?"
        rf"(?P<b>[^，。！？]{{0,12}}?{_PERSONAL_ZH}))(?:了|吧)*[。！!]*$"
    ),
)
_THING_ZH: Final = (
    r"(?:这个|那个|这条|那条|这样|那样|这么|那么|它|此|上面(?:说)?的?|刚才(?:说)?的?|"
    r"之前(?:说)?的?|我(?:之前|刚才|上次|以前)?(?:说|定|提|要求)的?)"
)
_RETRACT_ZH: Final = (
    regex(
        rf"(?:^|[，,。；！]\s*)(?:以后|今后|从现在起|请|你|就|那|那么|算了|也|都)*(?:别|不要|"
        rf"不用|不必|无需|甭|停止|别再|不要再|不用再|不必再)(?:再)?(?:按照?|照|依照?|遵守|遵循|"
        rf"执行|沿用|参考|采用|套用)(?:着)?(?P<a>{_THING_ZH}?(?:的)?[^，。！？]{{0,24}}?)(?:来做"
        rf"?|做|办|执行|走|弄|写|搞|回答)?(?:了|啦|吧)*[。！!]*$"
    ),
    regex(
        r"(?:^|[，,。；！]\s*)(?:以后|今后|从现在起|请|你)*(?:别|不要|别再|不要再|"
        r"不用再)(?P<a>这样|那样|这么|那么)(?:做|干|弄|写|说|回答|办|搞|叫我?)?(?:了|啦|"
        r"吧)*[。！!]*$"
    ),
    regex(
        r"(?:^|[，,。；！]\s*)(?:(?P<b>[^，。！？]{2,20}?)[这那]一?[条个点项](?:规则|要求|规定|"
        r"约定|安排)?|(?P<a>(?:这|那|上一?|前一?|之前|刚才|我|"
        r"关于)[^，。！？]{0,24}?(?:规则|要求|规定|约定|指令|说法|设定|限制|偏好|安排|条|话|"
        r"说的|说的话?)))(?:就|现在|已经|可以|都|也)*(?:作废|不算数?|取消|失效|撤[回销]|废除|"
        r"不成立|不适用|不作数|不用管|不用遵守|别管|删)(?:了|吧|啦|掉)*[。！!]*$"
    ),
    regex(
        r"(?:^|[，,。；！]\s*)(?:请|帮我|你)*(?:取消|撤[回销]|废除|作废|无视|忽略|别管|不用管|"
        r"不用理)(?P<a>(?:这|那|上一?|前一?|之前|刚才|我|关于)[^，。！？]{0,24}?(?:规则|要求|"
        r"规定|约定|指令|设定|限制|偏好|条|话|说的))(?:了|吧|啦)*[。！!]*$"
    ),
    regex(r"(?:^|[，,。；！]\s*)(?:就)?(?P<a>当我没说)(?:过)?(?:吧)?[。！!]*$"),
)

_EMPTY: Final = regex(
    r"(?:that|this|it|those|these|i|what i (?:just )?said|the fact|everything|all|这个|那个|"
    r"这条|那条|这样|那样|这么|那么|它|此|的|上面(?:说)?的?|刚才(?:说)?的?|之前(?:说)?的?|"
    r"我(?:之前|刚才|上次|以前)?(?:说|定|提|要求)的?话?|(?:这|那)(?:一?条|个)?(?:规则|要求|规定|"
    r"约定|指令|设定|限制|偏好|说法|条|话)|当我没说|"
    r"(?:that|this|the|my)(?: last| previous| earlier)? (?:rule|instruction|preference|"
    r"guideline|request|requirement|one|way)s?|"
    r"(?:这|那)?(?:话|些?话|些?事情?|内容|东西|一切))",
    re.IGNORECASE,
)
_WRAPPING: Final = regex(
    r"^(?:my|our|the|that|this|those|about|关于|有关|我(?:们)?的?|(?:之前|刚才|上次|"
    r"以前)?说(?:过)?的|之前的?|刚才的?|按照?)\s*|"
    r"\s*(?:(?<=邮箱)地址|的?[这那]一?[条个件项点](?:事情?|记忆|信息|记录|内容)?|的(?:事情?|话|内容|信息|(?:[这那]?条)?(?:规则|要求)?)|"
    r"rules?|instructions?|"
    r"preferences?|(?<=.)的)$",
    re.IGNORECASE,
)
_ABOUT: Final = regex(
    r"^(?:what i (?:just )?said(?: (?:earlier|before))?|(?:(?:my|the|that|this|those|"
    r"your) )?(?:(?:earlier|previous|old|last|first) )?"
    r"(?:rules?|instructions?|preferences?|guidelines?|requests?|requirements?|constraints?|"
    r"conventions?)) "
    r"(?:about|on|for|regarding|concerning|to) ",
    re.IGNORECASE,
)


def commands_in(start: int, sentence: str, antecedent: str) -> list[Command]:
    """The commands of one sentence that begins at `start` of its turn.

    `antecedent` is what "that" means here: the statement before, or an empty string.
    """
    if not _MAYBE.search(sentence):
        return []
    if not DO_NOT_FORGET.search(sentence):
        if asked := asked_to_forget(start, sentence):
            return [asked]
        for pattern in (*_ERASE_EN, *_ERASE_ZH):
            if (match := pattern.search(sentence)) is not None:
                topic = _topic(match, antecedent)
                return [Erase(topic, span_of(start, match))] if topic else []
    for pattern in (*_RETRACT_EN, *_RETRACT_ZH):
        if (match := pattern.search(sentence)) is not None:
            return [Retract(_topic(match, antecedent), span_of(start, match))]
    return []


def _topic(match: re.Match[str], antecedent: str) -> str:
    groups = match.groupdict()
    named = trimmed(groups.get("a") or "") or trimmed(groups.get("b") or "")
    if groups.get("b") and (not groups.get("a") or groups["a"].lower() == "i"):
        named = trimmed(groups["b"])
    if not named or _EMPTY.fullmatch(named):
        return antecedent
    named = trimmed(_ABOUT.sub("", named)) or named
    previous = ""
    while named != previous:
        previous = named
        shorter = trimmed(_WRAPPING.sub("", named))
        named = shorter or named
    return named
