"""Chinese statements that last and fill no slot: what somebody is, has, lacks, is busy with for
months, once went through, thinks of the world. The open words decide nothing here: the form of the
sentence does, and what only lasts an hour is left out."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.clauses_zh import RELATIONS, SURNAMES
from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex
from jiyi.types import Turn

_COUNT: Final = r"(?:\d[\d.]*万?|[一两二三四五六七八九十百几半]+)"
_PEOPLE: Final = r"(?:孩子|娃|儿子|女儿|对象|男朋友|女朋友|兄弟姐妹|家人|亲人)"

# Of the hour, of the talk, or of nothing named.
_PASSES: Final = regex(
    r"今[天早晚日]|昨[天晚日]|刚[才刚]|待会|一会儿?|此刻|这会儿|马上|等下|正在(?!学|备考|准备|"
    r"减肥|装修|找工作|"
    r"创业|戒|治疗)|[你您它这那]|什么|怎么|问题是|觉得|感觉|想问|不知道|"
    r"(?<![一不])(?:好|太|真)(?:累|困|饿|烦|忙|难|热|冷|想)|(?:了吗|吧|呢|哈|啊|呀|嘛|么)$|快没"
)
_IS: Final = regex(
    r"是(?:个|一个|一名|一位|位|名|典型的?|资深的?|纯|地道的?|半个|一半的?)*"
    r"(?![说想来去要不在为因怕真很太挺认故无有没能会可第昨今刚被从谁啥最更越用按先打看听问猜希"
    r"感担相时一这那他她我"
    r"你您对给把和跟比新好坏故认])"
    r"(?![^，。]*(?:路人|受害者|万分|朋友|冠军|好人|傻|笨|高手|天才|外星|新手|过客|粉丝|客户|用户|"
    r"第[一二三]))"
    r"(?P<v>[^，。的了过着是]{2,12})$"
    r"|是(?:坚决|一直|比较)?(?:反对|支持|信奉|信|学|搞|做|管|教|卖|跑|开)[^，。了过]{1,12}的$"
    r"|是[^，。了]{1,8}(?:毕业|出身|长大|转行过?来|带大|培养出来|调过?来)的$"
)
_HAS: Final = regex(
    rf"(?:还|也|一共|总共|家里?|手里|名下)*有(?:过)?(?:{_COUNT}(?:多|"
    rf"几)?)?[套台辆只条把间家张块本幅件架支双亩栋口部副万]"
    r"(?!事|话|戏|法)(?![^，。]*(?:建议|意见|问题|想法|疑问|消息|报告|论文|作业|图|邮件|视频|文章|"
    r"代码|数据|要|得))"
    r"(?P<v>[^，。过]{1,20})$"
    r"|(?:还|也|一直|从小|有点|有些)*有(?:点|一点|些|轻微的?|严重的?)?"
    r"(?P<w>[^，。]{0,6}(?:癖|恐惧症?|社恐|选择困难症?|强迫症|拖延症|洁癖|抑郁|焦虑|口音|纹身|胎记|"
    r"结节|增生|息肉|积液|病史|家族史|残疾|障碍))$"
    rf"|(?:目前|现在|还|也)*(?:没有|没)(?:{_PEOPLE}|车|房|驾照|宗教信仰|信仰|兄弟|姐妹|护照)$"
    rf"|(?:家里?)?有{_COUNT}个(?:[^，。]{{0,6}})(?:孩子|娃|人|老人|房间|卧室)$"
)
_BODY: Final = (
    r"(?:[左右双]?(?:眼睛?|耳朵?|手腕?|脚踝?|腿|膝盖?|肩膀?|腰|颈椎|背|胃|肠胃|心脏|肝|肾|肺|皮肤|"
    r"牙齿?|"
    r"头发|嗓子|关节|半月板|韧带|跟腱)|血压|血糖|血脂|尿酸|胆固醇|转氨酶|骨密度|视力|听力|睡眠|"
    r"睡眠质量|体质|"
    r"免疫力|记性|记忆力|方向感|平衡感|酒量|饭量|胃口|口味|身体|脾气|性格|性子|体力|近视)"
)
_QUALITY: Final = regex(
    rf"(?P<v>(?:{_BODY}|[左右])?{_BODY}(?:一直|从小|有点|有些|比较|不是|不|很|挺|较|偏|特别|都|就|"
    rf"天生)*"
    r"(?:好|不好|差|高|低|弱|小|大|敏感|淡|咸|辣|甜|重|轻|急|慢|直|内向|外向|有问题|不行|怪|浅|深|"
    r"过度|劳损))$"
    r"|(?P<s>[英日法德俄韩粤汉中文]{1,2}[语文话]|数学|语文|英语口语|口语|编程|厨艺|书法|车技|字)"
    r"(?:水平)?(?:一直|也|还|比较|不|很|挺|太|是)*(?:好|差|烂|一般|不错|流利|入门|"
    r"[A-C][12](?:水平)?|N[1-5]|"
    r"[四六八]级|零基础)$"
)
_CAN_NOT: Final = regex(
    r"(?:都|也|真的|完全|还|一直|从来|平时|基本|几乎|根本)*(?:"
    r"不(?:能|可以|宜|适合)(?:太|过度|长时间)?(?:久[坐站]|熬夜|剧烈|负重|喝|吃|碰|沾|抬|跑|跳|"
    r"提重|搬重|受凉|晒|饮酒|见光|坐飞机|弯腰|下蹲|运动|爬|加糖|放)"
    r"|不会(?:说(?!的|出)|做饭|做菜|开车|游泳|骑|弹|画|唱|跳舞|打[字球牌麻]|下棋|喝酒|抽烟|编程|"
    r"写代码|修图|手语)"
    r"|不(?:怎么|大|太|爱|常|"
    r"习惯)(?![你您我他她它这那明清懂理确相想好知满舒行对敢会能可适合认同够]|开(?!车)))"
    r"(?P<v>[^，。了过的]{0,10})$"
    r"|(?:从不|从来不|一直不|基本不|几乎不|向来不)[^，。了过你您]{2,10}$"
)
_BUSY: Final = regex(
    r"(?:最近|现在|目前|一直|还|正|也|业余|平时|这学期|今年)*(?:在|正在)"
    r"(?:(?:自?学(?!校|院|生|会)|练(?!习题)|攻读|备考|备孕|减肥|减脂|增肌|戒|装修|治疗|吃中药|"
    r"创业|追|养(?!神)|带(?=娃$|孩子$|团队|学生|研究生|项目)|攒钱|"
    r"准备(?:考|参加|雅思|托福|高考|中考|婚礼|装修|开店|创业|N\d|[A-Z]{3,})|开发|兼职|跟(?=进)|"
    r"做(?:一?[个款套]|直播|自媒体|副业|康复)|写(?:一?本|小说|论文|博客|毕业论文)|找(?:工作|房子|"
    r"对象|实习)|"
    r"读(?:博|研|MBA)|全职|家(?:带|办公|照顾|休养)|休(?:学|产假))[^，。了你这那]{0,16}|还房贷)"
    r"(?:中|呢)?$"
    r"|(?:现在|目前|一直|最近)?(?:全职|兼职|业余|远程)(?:在家)?(?:带娃|带孩子|办公|工作|做|送|写|"
    r"教|当|开|"
    r"work)[^，。了]{0,12}$"
    r"|(?:现在|目前|平时|一直|长期)?(?:work from home|居家办公|在家办公|远程办公|远程工作|远程|"
    r"WFH|wfh)$"
)
_ONCE: Final = regex(
    r"(?!.*(?:没|不|吃|说|问|提|看|试|想|听|聊|发|查|找|改|写|用|讲|难)(?:[^，。]{0,2})过)"
    r"[^，。]{0,16}?(?:去|做|动|学|当|得|住|待|在[^，。]{1,8}[读工生留待住干上做]\w?|养|出|拿|"
    r"参加|考|打|"
    r"创业?|开|教|带|被[^，。]{1,6}|置换|骨折|摔断|跑|爬|演|组织|获)过"
    r"(?![来去敏年节于了分程关期度滤头渡瘾]|一会|一下|一?点|一些|[一两几二三\d]+[次遍回]$)(?P<v>[^，"
    r"。了你这那它吗]{1,16})$"
    r"|[^，。]{0,8}(?:置换|骨折|做手术|动手术|休学|复读|当兵|离婚|住院|留学|支教|创业)过$"
    r"|被[^，。]{1,6}(?:咬|骗|撞|偷|抢|烫)过$"
)
_HOLDS: Final = regex(
    r"(?:一直|比较|很|更|最|非常|坚决|也|都|一贯|始终|从来|其实)*"
    r"(?:不?(?:支持|反对|相信|信奉|看重|在意|在乎|赞成|提倡|崇尚|推崇|认同)|不信)"
    r"(?![你您他她它这那自会]|一下|的|一定|明天|以后|奇迹|有一天|好)(?P<v>[^，。了吗]{2,24})$"
    r"|(?:一直|始终|还是)?(?:认为|主张|坚信)(?![你您他她这那我它不很太挺还没是最]|可以|应该|有点|会)[^，。了吗]{4,40}$"
)
_LASTS: Final = regex(
    r"(?:一直|长期|平时|从小)*(?:戴(?:眼镜|助听器|牙套|隐形眼镜)|留(?:长发|短发|胡子)|素颜|裸辞|"
    r"独居|合租|"
    r"单休|双休|大小周|丁克|不婚|异地恋?|远程|住校|走读|倒班|轮班|(?:上|值)(?:夜|早|中|晚|白|"
    r"大夜)班|收集[^，。了]{2,12}|"
    r"收藏[^，。了]{2,12}|打呼噜[^，。]{0,4}|信[佛教道]教?|内向|外向|慢热|怕[冷热黑高]|恐高|路痴|"
    r"脸盲|色弱|"
    r"带(?:着|了)?[^，。了]{0,3}[一两二三四五六七八九十\d]+个?人的?[^，。了]{0,6}|近视\d+度?)$"
)
_DONE: Final = r"(?:做|干|当|搞|教|写|学|开|练|玩|养|用|打|弹|跑|戒|住|待|素食)"
_SO_LONG: Final = regex(
    rf"(?:都|也|已经|快|一共)*{_DONE}了?(?:快|将近|差不多)?{_COUNT}(?:多)?(?:年(?!级)|"
    rf"个月)(?:多)?(?:的)?[^，。吗你那这了]{{1,10}}了?$"
)
_REACTS: Final = regex(
    r"(?:一)?(?:吃|喝|闻|碰|坐|晒|看)(?!了?[就都]?会)(?:到|了)?[^，。你这那]{1,8}?(?:就会|都会|会|"
    r"就)(?!好|行|知道|想起|觉得|吐槽)"
    r"(?:拉肚子|过敏|头[疼痛晕]|胃[疼痛]|肚子[疼痛]|恶心|反胃|[想呕]?吐|起[疹红][^，。]{0,3}|失眠|"
    r"心慌|脸红|晕|发[痒烧]|"
    r"咳嗽|打喷嚏|反酸|胀气|便秘|长痘)[^，。]{0,4}$"
)
_WANTS: Final = regex(
    r"(?:一直|特别|很|也|还|以后|将来|今年|明年)*想(?:要|去)?(?:学(?!一下|会了?$|$)|考(?![虑你]|"
    r"一下|$)|转行|换工作|换个?工作|跳槽|"
    r"创业|移民|留学|减肥|瘦\d|买房|买车|开(?:一?家|个)|当(?!面|时|然)|成为|在[^，。]{1,8}[前内]|"
    r"[^，。]{0,4}年?[前内]|"
    r"要(?:二胎|孩子)|生二胎|搬[到去]|攒|存够|写一?本|出一?本|环游|走遍|读完\d)[^，。你吗了]{0,16}$"
)
_AT: Final = regex(
    r"在(?!这|那|家|一起|线|路上|外面)[^，。你]{2,8}?(?:读书|上学|念书|[读上念](?:大学|高中|初中)|留学|读[研博]|开[^，"
    r"。了始会]{1,6}(?:店|馆|公司|厂|民宿)|画图|教书|"
    r"当兵|做生意|陪读|做(?:项目|研究|科研)|学(?!校|院)[^，。了]{1,6}|创业|支教|养老|坐月子|治病|"
    r"实习)$"
    r"|(?:租的房子|房子|公司|单位|学校|办公室|店|工厂|娘家|婆家|户口|"
    r"社保)(?:现在)?在(?![这那哪你]|装修|开会)[^，。了]{2,16}$"
    r"|当兵(?:去了)?$"
)
_THING: Final = regex(
    r"(?:养|租|开|用|住|追|常看|常读)的(?!时候|是|那|这|话|时)[^，。]{1,8}?(?:是|叫|在|今年)[^，"
    r"。了]{1,12}$"
    r"|(?:午休|年假|产假|试用期)(?:有|是)?[^，。]{2,8}$"
)
_AFTER: Final = regex(
    r"(?:点|晚上|睡前|饭后|下班|周末)[^，。]{0,4}(?:以后|之后|后|前)?(?:都|就|一般|"
    r"从)*不(?![想会能是知在])[^，。了]{2,8}$"
)
_NEAR: Final = regex(
    r"(?:和|跟|与)[^，。]{1,8}(?:一起住|住一起|住在一起|合租|同岁|同龄|同姓|同一天生日|是[^，"
    r"。了]{1,8})$"
    r"|(?:都)?(?:已经|快|都|今年)*[\d一二三四五六七八九十]{1,3}(?:多)?岁?了?$"
)
# 周五不发版, 每周五才上线: what holds each week.
_WEEKLY: Final = regex(
    r"(?:周|星期|礼拜)[一二三四五六日天末](?:都|就|才|从|一般)*不(?![是会想知])[^，。了]{1,12}$"
)
_LIVES: Final = regex(
    r"(?:家)?住(?:在|的是)?(?:\d+|[一二三四五六七八九十]+|顶|高|底|低)[楼层][^，。]{0,10}$"
)
_PARENT: Final = regex(r"(?:的)?预产期(?:是|在|为)?[^，。]{2,12}$|(?:是)?独生(?:子女?|女)$")

_A_NAME: Final = regex(rf"是[{SURNAMES}][\u4e00-\u9fff]{{1,2}}")
_CLOSE: Final = regex(r"我|咱|俺|本人")
_KIN: Final = frozenset(re.sub(r"\(\?.*?\)|\?", "", RELATIONS).split("|"))

_KINDS: Final = (
    (_IS, "身份"),
    (_HAS, "情况"),
    (_QUALITY, "情况"),
    (_CAN_NOT, "情况"),
    (_BUSY, "在做"),
    (_ONCE, "经历"),
    (_HOLDS, "看法"),
    (_LASTS, "情况"),
    (_PARENT, "情况"),
    (_LIVES, "住处"),
    (_SO_LONG, "经历"),
    (_REACTS, "健康"),
    (_AT, "情况"),
    (_THING, "情况"),
)


# 奶茶我喝三分糖去冰, 早饭我一般不吃: what it is about stands first.
_TOPICAL: Final = regex(
    r"(?![^，。]*(?:[这那你您他她它]|今天|昨天|刚|想|觉得|[了过吗吧呢]$))[^，。我给让帮跟和对叫请替把被陪为向]{1,6}我(?:一般|平时|都|也|只|从来|现在|基本|每天|通常|习惯)*"
    r"不?(?:喝|吃|用|穿|坐|要|看|听|睡|做|走)[^，。]{0,10}$"
)
_LONGEST: Final = 120
"""Characters of a turn. In a longer one such a statement is made in passing."""


def lasting(clause: Clause, turn: Turn) -> Finding | None:
    """What a Chinese clause says of its named subject that lasts, where no other rule reads it: not
    in passing, nor among people who know each other."""
    if turn.name is not None or len(turn.text) > _LONGEST or "hedge" in clause.marks:
        return None
    if clause.language == "zh" and not clause.subject_words and _TOPICAL.match(clause.text):
        return _statement("习惯")
    if clause.language != "zh" or not clause.subject_words:
        return None
    text = clause.predicate
    if not (_CLOSE.match(clause.subject_words) or clause.subject_words in _KIN):
        return None
    if clause.lead and not clause.sentence.lstrip("，, ").startswith(("我", "咱", "本人")):
        return None
    if _PASSES.search(text):
        return None
    return _state(clause, text) or _goal(text) or _of_speaker(clause) or _of_others(clause, text)


def _statement(tag: str) -> Finding:
    return Finding(None, tags=(tag,), importance=0.55, confidence=0.8)


def _state(clause: Clause, text: str) -> Finding | None:
    for pattern, tag in _KINDS:
        if pattern is _IS and ("们" in clause.subject_words or _A_NAME.fullmatch(text)):
            continue  # 我们是朋友, 我是张三
        if pattern.match(text) is not None:
            return _statement(tag)
    return None


def _goal(text: str) -> Finding | None:
    if _WANTS.match(text) is None:
        return None
    return Finding("goal", text[text.index("想") + 1 :], importance=0.55, confidence=0.8)


def _of_speaker(clause: Clause) -> Finding | None:
    if _WEEKLY.search(clause.text) and not _THIS_WEEK.search(clause.text):
        return _statement("规则")
    if clause.subject != "user" or clause.lead:
        return None
    return _statement("习惯") if _AFTER.search(clause.text) else _own_thing(clause)


def _of_others(clause: Clause, text: str) -> Finding | None:
    if clause.subject == "user" or clause.lead or _NEAR.match(text) is None:
        return None
    return _statement("情况")


_THIS_WEEK: Final = regex(r"[这下本上]个?(?:周|星期|礼拜)")
_OWN: Final = regex(
    r"(?P<t>[^，。是的我你他她这那不没]{2,8}?)(?:的)?(?:是|叫|：|:)(?P<v>\d[^，。]{0,14}|[^，"
    r"。的了是我你]{1,8}的|(?-i:[A-Z])[\w .+-]{1,24})$"
    r"|(?P<k>鞋码|尺码|鞋子|裤子|衣服|腰围|工号|学号|车牌|门牌号?)(?:是|"
    r"穿)?(?P<n>[\dA-Za-z][\w-]*)码?$"
)
_NO_OWN: Final = regex(
    r"意思|问题|想法|看法|建议|理解|观点|答案|感觉|疑问|困惑|需求|要求|原话|结论|选择|意见|打算|"
    r"态度|今天|昨天|现在|"
    r"都|也|就|只|才|说|觉|想|认为|以为|怕|希望|本来|可能|应该|大概|家里"
)


def _own_thing(clause: Clause) -> Finding | None:
    """我家路由器是华硕的, 我鞋码42: what a thing of the speaker's is."""
    match = _OWN.match(clause.predicate)
    if match is None:
        return None
    topic, value = match["t"] or match["k"], match["v"] or match["n"]
    if _NO_OWN.search(topic):
        return None
    return Finding(
        with_topic("detail", topic), value.removesuffix("的"), importance=0.55, confidence=0.85
    )
