"""Chinese statements cut into clauses, each with its subject told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jiyi.encode.rules.finding import Clause, Context, Mark
from jiyi.text.patterns import regex

RELATIONS: Final = (
    "老婆|妻子|爱人|媳妇|太太|老公|丈夫|(?<=我)先生|(?<=我的)先生|(?<=我家)先生|对象|女朋友|"
    "男朋友|女友|男友|未婚妻|未婚夫|前妻|前夫|前女友|"
    "前男友|"
    "gf|bf|GF|BF|boss|岳父|岳母|公公|婆婆|丈母娘|老丈人|爷爷奶奶|外公外婆|姥姥姥爷|妈妈|爸爸|母亲|父亲|"
    "老妈|老爸|爸妈|父母|妈|爸|爹|娘|"
    "大儿子|小儿子|大女儿|小女儿|儿子|女儿|闺女|孩子|娃|宝宝|"
    "双胞胎|哥哥|弟弟|姐姐|妹妹|大哥|二哥|大姐|二姐|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|"
    "嫂子|姐夫|妹夫|弟妹|"
    "哥(?!们)|姐(?!们)|弟|妹|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|舅妈|姑姑|姑妈|姑父|"
    "姨妈|姨父|"
    "伯父|伯母|婶婶|大伯|"
    "侄子|侄女|外甥女?|孙子|孙女|外孙女?|小舅子|小姨子|"
    "发小|哥们儿?|兄弟|姐们儿?|死党|网友|同桌|学长|学姐|学弟|学妹|师兄|师姐|师弟|师妹|校友|战友|"
    "老乡|亲戚|前任|保姆|司机|家教|律师|护士|会计|病人|员工|老伴|干妈|干爹|闺蜜|好友|好朋友|朋友|"
    "同学|室友|舍友|邻居|房东|租客|同事|领导|上司|老板|主管|经理|"
    "下属|助理|实习生|"
    "搭档|合伙人|客户|导师|老师|教练|班主任|师傅|徒弟|学生|医生|组长|队友|"
    "狗狗?|猫咪?|猫猫|兔子|仓鼠|鹦鹉|乌龟|宠物"
)
SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏"
    "魏吕丁任沈姚卢姜"
    "崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_GIVEN: Final = (
    r"(?![会是在有不的了我你他她们这那就都也很要去来说到和与及把被给从对向年月日天周时上下中里外"
    r"前后定开做用没最为什么])[\u4e00-\u9fa5]"
)
_NAME: Final = (
    rf"(?:[小老阿大][{SURNAMES}]|[{SURNAMES}](?:{_GIVEN}){{0,2}}?(?:总|工|哥|姐|老师|经理|"
    rf"医生|教授)|[{SURNAMES}](?:{_GIVEN}){{1,2}}?|[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
)
_NAME_VERB: Final = (
    r"(?=是(?!不是)|在[^于]|住|喜欢|爱|讨厌|不喜欢|不吃|负责|的(?:电话|手机|邮箱|生日|微信|地址|"
    r"工作|职业|爱好|公司|学历|年龄|"
    r"身高|体重|老家|专业|名字)|有[一两三\d]|今年|属|姓|对.{1,8}过敏|跳槽|搬到|调到|离职|升|"
    r"毕业|做[^了完好到出]|来自|老家|"
    r"主要|擅长|最近|现在|平时|已经|也|也是|更|从|会|用|养|开|读|上|当)"
)
# What parents and friends call somebody: 小宝, 朵朵; after 我儿子 it needs no surname.
_PET_NAME: Final = (
    r"(?:[小阿大老](?![时学概多家约量心声区是爱会想在也都要有])[\u4e00-\u9fff]|"
    r"(?!天天|常常|刚刚|慢慢|偏偏|往往|渐渐|最最|一一|个个|人人|明明|早早|仅仅|稍稍|多多)"
    r"(?P<twice>[\u4e00-\u9fff])(?P=twice))"
)
_FILLER: Final = regex(
    r"(?:(?:[Hh](?:i|ello|ey)|HI)(?![A-Za-z])|哈[喽啰]|大家好|嗯+|哦+|噢|啊+|呃+|诶|欸|哎呀?|唉|"
    r"哈哈+|嘿嘿?|对了|话说|那个|这个嘛|说起来|"
    r"顺便(?:说一?[下句])?|顺带一提|另外|"
    r"此外|还有(?!点|些|[一两三几\d])|而且|并且|然后|所以|不过|但是?|可是|因为|由于|毕竟|虽然|"
    r"尽管|其实|老实说|说实话|坦白说|讲真|说真的|你知道(?:的|吗)?|"
    r"补充一?[下点]|跟你说(?:一?[下声])?|和你说(?:一?[下声])?|告诉你(?:一?[下声])?|提一?[下句]|"
    r"首先|其次|最后|总之|好的|是的|(?:好|对|行)(?=[，,。!！~\s])|没错|(?:不是|可以)(?=[，"
    r",。!！\s])|ok|OK|你好|您好|嗨|早上好|晚上好|比如说?(?=我)[，,：:]?|"
    r"那(?![边里儿些种年天次家位条件头块])|"
    r"就是|反正|同时|"
    r"医生(?:说|告诉我?|诊断说?)(?=我)|我(?:跟|和)你(?:们)?说|悄悄告诉你|更新一?下|汇报一?下|"
    r"最近呢?(?=[，,、 ])|目前(?=[，,])|"
    r"平时(?=[，,])|"
    r"工作上|生活中|生活上|饮食上|饮食方面|工作方面|周末(?=[，,]))[，,。!！~：:\s]*"
)
_HEDGE: Final = regex(
    r"可能|也许|大概|或许|应该(?!(?:先|把|要|用|按))|说不定|好像|似乎|估计|不一定|不确定|听说|"
    r"我猜|我觉得|感觉|我想是|貌似|兴许|没准|八成|多半|恐怕|不太确定"
)
_HEDGE_HEAD: Final = regex(
    r"(?:可能|也许|大概|或许|应该|好像|似乎|估计|听说|我猜|我觉得|感觉|貌似|说不定)[，, ]*"
)
_EMPHASIS: Final = regex(
    r"重要|关键|务必|必须|一定要|千万|绝对|绝不|记住|记得|切记|牢记|永远|从不|严禁|禁止|强烈|"
    r"严重|紧急|底线|原则|！{2,}|!{2,}|一律"
)
_REMEMBER: Final = regex(
    r"(?:请|麻烦)?(?:你)?(?:帮我|替我|给我)?(?:也|再|要|一定要|务必)?(?:记住|记一下|记下来?|"
    r"记得(?!吗|我|你)|牢记|切记|备忘一下|别忘了?|不要忘了?)"
    r"(?:这[一个]?[点条件]?事?|这个)?[，,：:。\s]*"
)
_CHANGE: Final = regex(
    r"(?:算了(?!算)|不对|等等|等一?下|更正(?:一?下)?|纠正(?:一?下)?|我?[说记搞弄]错了|"
    r"我?[弄搞记]混了|"
    r"改主意了|改变主意了|我?想了想|"
    r"不不不?|哦不|不好意思|抱歉|修改一?下|改一?下|更新(?:一?下)?|应该是(?!.{0,3}不是)|"
    r"准确(?:地|来)?说|确切地?说)[，,。：:！!\s]*"
)
_ADVERB: Final = regex(
    r"(?:现在|目前|如今|当前|眼下|一直以?来?|平时|平常|日常|已经|最近|近来|真的|非常|特别|其实|"
    r"也|还(?!行|好|可以|有点|房贷|车贷|款|钱|信用卡|贷|清)|都|就(?!是)|又|才|"
    r"通常|一般|经常|常常|往往|总是|偶尔|比较|更(?!新|换|改)|很(?!少)|实在|确实|的确|当然|"
    r"基本上?|主要|大多|从小|从来|刚刚?|终于|"
    r"本来|原来|原本|原先|以前|之前|从前|过去|曾经?(?!国)|当年|当时|那时候?|向来|始终|这边|这些年|"
    r"这几年|这两年|近期|后来|正在|正(?![式好常确规版宗文品经])|"
    r"仍然|仍|依然|依旧|"
    r"超级?|好(?=[喜爱讨想])|挺|蛮|可(?=[喜爱讨])|太(?=[喜爱讨])|尤其|格外|十分|极其|极|"
    r"自己|本人|个人|这个人|今年(?!.{0,6}岁)|呢|呀|嘛|的话|反正|倒是|大概|可能|应该|好像|似乎|"
    r"估计|(?:以后|今后|往后)(?=[在住]))[，,、 ]?"
)
# A time in front of what is said is skipped by the rules, and stays in the text.
_WHEN: Final = regex(
    r"(?:(?:从|自从|在|到|大概|大约|就)?(?:大前天|前天|昨天|昨晚|昨日|今天|今早|今晚|今日|明天|"
    r"明早|明晚|后天|大后天|去年|前年|今年|明年|后年|"
    r"(?:上上|上|这|本|下下|下)个?(?:周|星期|礼拜|月|季度|学期|半年)(?:[一二三四五六日天末]|初|"
    r"底|中旬)?|(?:周|星期|礼拜)[一二三四五六日天末]|"
    r"(?:19|20)\d\d年(?:初|底|中)?|[一二三四五六七八九十\d]{1,3}月(?:份|初|底|"
    r"中旬)?(?:[一二三四五六七八九十\d]{1,3}[日号])?|[一二三四五六七八九十\d]{1,3}[日号]|"
    r"(?:\d+|[一二两三四五六七八九十几半]+)(?:个)?(?:多)?(?:天|周|星期|月|年|小时|"
    r"分钟)(?:多)?[以之]?前|"
    r"(?:春|夏|秋|冬)天|春节|国庆|中秋|端午|元旦|清明|五一|暑假|寒假|小时候|小的时候|儿时|童年|"
    r"年轻时|年轻的时候|早年|当年|当时|那时候?|那会儿|那几?年|现在(?=我)|如今(?=我)|"
    r"(?:以前|之前|从前|过去|曾经|原来|原先)(?=[，,我])|(?:退休|结婚|转行|创业|离职|生孩子)之?前|"
    r"(?:上|读|念)?(?:小学|初中|中学|高中|大学|研究生)(?:的)?(?:时候?|期间)|"
    r"(?:读书|上学|留学|实习|当兵)(?:的)?(?:时候?|期间)|大学时|大学毕业后?|"
    r"毕业后|"
    r"(?:早上|上午|中午|下午|傍晚|晚上|凌晨|夜里|清晨|早晨)(?:[\d一二三四五六七八九十两]{1,3}点"
    r"半?)?|月底|月初|年底|年初|周末|过年|最近)(?:的时候|时|起|开始|以来|那天)?[，,、 ]?)+"
)
_FIRST: Final = regex(
    rf"(?P<me>我们家|咱们?家|我家里?|我自己|我本人|我们|咱们|我|咱|俺|本人|笔者)(?!猜|觉得|想问|说)"
    rf"(?P<of>的|这边的?)?\s?(?P<kin>(?:[大小二三]|有一?个(?=[^，。]{{1,4}}(?:在|是|叫|做|住|喜欢|"
    rf"对|特别|去|刚))|那个|这个|一个|一位|最好的|以前的?|前|新|老|直属|直接|"
    rf"顶头)?(?P<relation>{RELATIONS}))?"
    rf"(?P<name>(?:(?<!我)(?<!我们)(?<!的){_PET_NAME}|{_NAME}){_NAME_VERB})?"
)
_OTHER: Final = regex(rf"(?P<name>{_NAME}){_NAME_VERB}")
_BARE_KIN: Final = regex(rf"(?P<relation>{RELATIONS})(?=[^们\s])(?![那这]边|方面|[那这]块)")
# "每天早上六点起床": here the time is the fact.
# What somebody else says or thinks is their word, not a fact.
_SAYS: Final = regex(
    rf"(?:我们?的?)?(?:{RELATIONS}|他们?|她们?|别人|人家|有人|大家|[{SURNAMES}]总|老板)(?:总是|"
    rf"一直|常常?|老|也|还|都|又)?(?:说|觉得|认为|问|告诉|建议|推荐|劝我|让我|提到|以为)"
)
_TOLD: Final = regex(
    r"(?!我(?!(?!说)[^，。我]{1,4}说))[^，。：:]{1,6}(?:跟我|和我|告诉我|对我)?说(?:他|她|自己|"
    r"有个|那边|家里)"
)
# 你来当队长，负责发牌; 听说有人中了奖，才三十岁; 说以后要当船长.
_OF_OTHERS: Final = regex(
    r"\s*(?:(?:从?(?:今天|明天|现在|以后|下次)(?:开始|起)?|那|所以|以后)[，,]?)?[你您]们?"
    r"(?:就|也|都|先)?(?:来[当做]|去(?!掉|除)|负责|当|在家)"
    r"|\s*(?:听说|据说|有人说)(?!我)|[^，。我咱]{0,6}(?:有个?人|别人|人家)"
    r"|\s*(?:还|又|也|总|老|一直|天天|都)*说(?:以后|将来|长大|他|她|自己|想|要|会|不想|等)(?!吧)"
)
_SCHEDULED: Final = regex(
    r"^(?:早上|早晨|凌晨|上午|中午|下午|傍晚|晚上|半夜|夜里).{0,8}[点:：]"
    r"|^(?:19|20)\d\d年(?:的$|出生|生的?$|生人|结的婚)"
)
_PRONOUN: Final = regex(r"(?P<pronoun>他们?|她们?|ta|TA)(?P<of>的)?(?P<family>家)?")
# 不抽烟不喝酒 denies two things, 对猫毛过敏但是喜欢猫 tells two.
_CUT: Final = regex(
    r"[，；;。！!—]+|[：:,](?!\d)|\s{2,}|(?<=[\u4e00-\u9fff])\s(?=[\u4e00-\u9fff])"
    r"|(?:(?<=不[吃喝抽碰]\w)|(?<=不[吃喝抽碰]\w\w)|(?<=不[吃喝抽碰]\w\w\w))(?=[也、]?不[吃喝抽碰])"
    r"|(?<=[\u4e00-\u9fffA-Za-z0-9]{3})(?=(?:但是|但(?!愿|凡)|不过(?!敏|来|去|年)|所以(?!然)|而且)[^，,。]{4})"
)
# "生日不是3月5号，是5月3号" is one clause.
_NOT_THEN_IS: Final = regex(r"(?:并?不是|不叫|不在|不住)[^，,]{1,20}$")


def clauses(start: int, sentence: str, context: Context) -> Iterator[Clause]:
    """The clauses of one sentence that begins at `start` of its turn, in order."""
    carried: set[Mark] = set()
    reported = False
    for begin, end in _cuts(sentence):
        # 老马说他们那边有个同事，做法务的: what goes on is still told by somebody else.
        reported = _reported(sentence[begin:end], reported=reported)
        if reported:
            continue
        clause = _parse(start + begin, sentence[begin:end], sentence, context, carried)
        if clause is not None:
            yield clause


def _reported(head: str, *, reported: bool) -> bool:
    if _TOLD.match(head) is not None or _OF_OTHERS.match(head) is not None:
        return True
    return reported and _FIRST.match(head.strip()) is None


def _cuts(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CUT.finditer(sentence):
        if match.group() in ("：", ":") and not sentence[start : match.start()].strip():
            continue
        if _holds_together(sentence, start, match):
            continue
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(sentence):
        yield start, len(sentence)


def _holds_together(sentence: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a mark is inside one clause: "邮箱：a@b.c", where what stands before the colon names
    what stands after it, and "不是3月5号，是5月3号"."""
    before = sentence[start : mark.start()]
    if mark.group() in ("：", ":"):
        if _ABOUT_ME.match(sentence, mark.end()):
            return False  # 总结一下：我住在杭州
        return len(before) <= _LABEL and re.search(r"记|说|注意|更正|更新|补充", before) is None
    if mark.group() in ("，", ","):
        return (
            _NOT_THEN_IS.search(before) is not None
            and re.match(r"(?:而是|应该是|是|叫|在|而在|住在)", sentence[mark.end() :]) is not None
        )
    return False


_ABOUT_ME: Final = regex(r"\s*(?:我(?!的)|咱)")
# 总结一下：… may be an order as well as a summary, and what follows somebody else's.
_SUM_UP: Final = regex(r"(?:总结|概括|归纳|梳理|整理|复述)(?:一?下)?(?:就?是)?$")
_LABEL: Final = 8
"""Characters before a colon that may be a label."""


def _parse(
    start: int, text: str, sentence: str, context: Context, carried: set[Mark]
) -> Clause | None:
    marks: set[Mark] = set(carried)
    carried.discard("change")
    head = text.strip()
    moved = True
    while moved and head:
        moved = False
        for pattern, mark in _HEADS:
            if (match := pattern.match(head)) is not None and match.end():
                head = head[match.end() :]
                moved = True
                if mark is not None:
                    marks.add(mark)
                break
    if _HEDGE.search(text) and not ("change" in marks and "应该是" in text):
        marks.add("hedge")
    if _EMPHASIS.search(text):
        marks.add("emphasis")
    head = head.rstrip(" \t\n。！!，,；;~～…")
    if _SUM_UP.match(head):
        carried.add("hedge")
        return None
    if not head:
        # "算了，还是用 PM2": the word of change stands apart, what it changes follows
        carried.update(m for m in marks if m in ("change", "remember", "hedge"))
        return None
    begin = start + text.find(head)
    return _with_subject(begin, head, sentence, context, frozenset(marks))


_HEADS: Final[tuple[tuple[re.Pattern[str], Mark | None], ...]] = (
    (_FILLER, None),
    (_CHANGE, "change"),
    (_REMEMBER, "remember"),
    (_HEDGE_HEAD, "hedge"),
)


def _with_subject(
    begin: int, head: str, sentence: str, context: Context, marks: frozenset[Mark]
) -> Clause | None:
    when = _WHEN.match(head)
    shift = when.end() if when is not None and when.end() < len(head) else 0
    inherited = context.inherited
    found = _subject(head[shift:], context)
    if found is None:
        return None
    if inherited and (found.lead or found.resolved):
        marks |= {"hedge"}
    return Clause(
        span=(begin, begin + len(head)),
        text=head,
        language="zh",
        subject=found.name,
        predicate=_without_adverbs(found.rest).strip(),
        lead=found.lead,
        resolved=None if found.resolved is None else head[:shift] + found.resolved,
        marks=marks,
        subject_words=found.words,
        sentence=sentence,
    )


class _Subject(NamedTuple):
    """Who a clause speaks of: the slot's subject, the words for it, and what is said of it."""

    name: str
    words: str
    rest: str
    lead: str = ""
    resolved: str | None = None


def _subject(head: str, context: Context) -> _Subject | None:
    """None when a clause is somebody's word or speaks of nobody known."""
    if _SAYS.match(head) is not None:
        return None
    if (match := _PRONOUN.match(head)) is not None:
        if context.other is None:
            return None
        words = context.other_words
        resolved = words + head[match.end("pronoun") :]
        return _Subject(context.other, words, head[match.end() :], resolved=resolved)
    found = _first_person(head, context.speaker) or _third_person(head)
    if found is not None:
        context.speaks_of(found.name, found.words)
        return found
    if context.last is not None:
        if context.last == context.speaker and "我" in head:
            return _Subject(context.last, context.last_words, head)
        return _Subject(context.last, context.last_words, head, lead=context.last_words)
    return _Subject(context.speaker, "", head)


def _first_person(head: str, speaker: str) -> _Subject | None:
    """我, 我妹妹, 我们家…"""
    match = _FIRST.match(head)
    if match is None:
        return None
    rest, whole = head[match.end() :], head[: match.end()]
    if match["kin"] and not rest.startswith(("们", "家的")):
        return _Subject(match["name"] or match["relation"], whole, rest.removeprefix("的"))
    if match["name"] and match["of"] is None and len(match["me"]) > 1:
        return _Subject(match["name"], whole, rest)
    if match["kin"] or match["name"]:
        rest = head[match.end("of") if match["of"] else match.end("me") :]
    if "家" in match["me"] and rest[:1] not in ("家", "的"):
        return _Subject(speaker, "我", f"家{rest}")
    return _Subject(speaker, match["me"], rest)


def _third_person(head: str) -> _Subject | None:
    """妹妹…, 小李…"""
    match = _BARE_KIN.match(head)
    if match is not None and not head.startswith(("老板娘", "对象是")):
        name = match["relation"]
        return _Subject(name, name, head[match.end("relation") :].removeprefix("的"))
    match = _OTHER.match(head)
    if match is not None:
        return _Subject(match["name"], match["name"], head[match.end() :].removeprefix("的"))
    return None


def _without_adverbs(rest: str) -> str:
    """What is said, without adverbs and times in front of it."""
    while not _SCHEDULED.search(rest):
        match = _ADVERB.match(rest) or _WHEN.match(rest)
        if match is None or not 0 < match.end() < len(rest):
            break
        rest = rest[match.end() :]
    return rest
