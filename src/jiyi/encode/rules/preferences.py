"""Likes and dislikes of both languages, each filling `preference/<object>`."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding, Rule, rule
from jiyi.encode.rules.topics import object_topic, trimmed
from jiyi.encode.slots import with_topic

SUBJECT: Final = "{subject}"
"""Stands for the subject of the clause: "Dune is my favourite book" says so of Dune."""

LIKE: Final = "like"
DISLIKE: Final = "dislike"
MAX_TOPIC: Final = 48

_NOT_OBJECT: Final = re.compile(
    r"^(?:it|this|that|them|these|those|him|her|you|me|us|one|ones|so|not|how|what|when|where|who|why|if|whether|"
    r"the (?:idea|way|fact|sound|look|plan|approach|suggestion|first|second|third|last|new|one|rest|thought|"
    r"part|point|structure|details?|example|focus|clarity)|"
    r"your|that's|things?|everything|anything|something|nothing|each other|myself|the same|both|all|"
    r"to (?:know|see|hear|get|ask|have|make|understand|think|say|add|start|try|go|do|be|discuss|talk|use|take|"
    r"keep|focus|move|work on|look|find|finalize|review|set|proceed|continue|begin|confirm|explore|learn more))\b|"
    r"^(?:先|第[一二三四五\d]|你|他|她|它|这|那|什么|哪|怎么|谁|的|了|我|吗|上|看你|听你)",
    re.IGNORECASE,
)
_END_EN: Final = (
    r"(?=\s+(?:but|because|since|although|though|so|when|while|if|and (?:i|my|we|he|she)|more than|over|than|"
    r"better than|rather than|instead|that (?:i|we|he|she))\b|\s*[,;(:]|\s*$|\.\s)"
)
_OBJ_EN: Final = rf"(?P<v>[^,;()\n]{{2,80}}?){_END_EN}"
_END_ZH: Final = r"(?:了|啦|呢|啊|哦|呀|吧|嘛|的|哈|来着|，|$)"
_OBJ_ZH: Final = (
    r"(?P<v>[^，。！？\n]{1,24}?)(?:了|啦|呢|啊|哦|呀|吧|嘛|哈|来着|这件事|这一?点|这种事)*\s*$"
)


# "I like the breakdown" is about what lies on the table, "I like the sea" is not.
_AT_HAND: Final = re.compile(r"(?:the|these|those|a lot of|all of|some of|its|his|their|this|that)\s", re.IGNORECASE)
_KNOWN_THINGS: Final = re.compile(
    r"the (?:[A-Z]|sea|seaside|ocean|beach|mountains?|outdoors|countryside|city|rain|snow|cold|heat|sun|summer|winter|autumn|fall|spring|forests?|"
    r"woods|desert|night|dark|gym|theatre|theater|cinema|opera|ballet|library|piano|guitar|violin|cello|drums|blues|news|smell|taste|sound|"
    r"feeling of|color|colour|idea of living|(?:north|south|west|east)\b|\w+ies\b|\d0s)"
)


def liking(
    topic_text: str, value: str, *, strength: int = 1, confidence: float = 0.9
) -> Finding | None:
    """A finding for a liking or disliking of what `topic_text` names."""
    text = trimmed(topic_text)
    if not text or _NOT_OBJECT.match(text) or (_AT_HAND.match(text) and not _KNOWN_THINGS.match(text)):
        return None
    topic = object_topic(text)
    if not topic or len(topic) > MAX_TOPIC or _NOT_OBJECT.match(topic):
        return None
    return Finding(
        with_topic("preference", topic),
        value,
        importance=0.55 + 0.1 * strength,
        confidence=confidence,
        strength=strength,
    )


def _build(value: str, strength: int = 1):  # type: ignore[no-untyped-def] # noqa: ANN202
    def build(match: re.Match[str]) -> Finding | None:
        return liking(match["v"], value, strength=strength)

    return build


def _favourite(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if not value or len(value) > 60 or _NOT_OBJECT.match(value):
        return None
    topic = object_topic(match["t"] or "")
    return Finding(with_topic("favourite", topic), value, importance=0.65, strength=2)


def _prefer(match: re.Match[str]) -> Finding | None:
    """ "tea over coffee": what is preferred; the other is the thing it is preferred to."""
    finding = liking(match["v"], LIKE, strength=1)
    return finding


_ADV_EN: Final = r"(?:also |really |absolutely |truly |totally |just |still |always |usually |generally |both |much |strongly |very much |kind of |do )*"

EN: Final[tuple[Rule, ...]] = (
    rule(
        r"(?:is|are|was) (?:now |currently |still |definitely |by far |easily )*(?P<w>my|our) (?:all-time |absolute |current |new )*favou?rite(?: (?P<t>[\w' -]{2,40}?))?(?: (?:now|right now|these days|of all time|ever))*$",
        lambda m: Finding(
            with_topic("favourite", object_topic(m["t"] or "")), SUBJECT, importance=0.65, strength=2
        ),
        "favo",
    ),
    rule(
        rf"my (?:all-time |absolute |current |new |personal |number one )*(?:favou?rite|go-to)(?: (?P<t>[\w' -]{{2,40}}?))?(?: (?:right now|now|at the moment|these days|of all time|ever|currently))* (?:is|are|would be|has (?:always )?been|has become|became)(?: now| currently| definitely| probably| still)* {_OBJ_EN}",
        _favourite,
        "favo|go-to",
    ),
    rule(
        r"(?P<v>(?!it\b|this\b|that\b|he\b|she\b|they\b)[\w' -]{2,40}?) (?:is|are) (?:now |currently |still |definitely |by far )*my (?:all-time |absolute |current |new |personal )*(?:favou?rite|go-to)(?: (?P<t>[\w' -]{2,40}?))?(?: (?:now|right now|these days|of all time|ever))*\s*$",
        _favourite,
        "favo|go-to",
    ),
    rule(
        rf"(?:can not stand|could not stand|can not bear|detest|detests|loathe|loathes|despise|despises|absolutely hate|am disgusted by|am sick of|am tired of|{_ADV_EN}hate|{_ADV_EN}hates) (?!to (?:say|ask|bother|break|admit|be|interrupt)){_OBJ_EN}",
        _build(DISLIKE, 3),
        "hate|stand|bear|detest|loathe|despise|disgusted|sick of|tired of",
    ),
    rule(
        rf"(?:do not|does not|did not|never|no longer|can not)(?: really| particularly| actually| even| much| generally| usually)* (?:like|likes|love|enjoy|care for|want|fancy|dig)(?: to (?:eat|drink|watch|play|use|have|wear|do))? {_OBJ_EN}(?:any ?more|any longer)?",
        lambda m: (
            None
            if re.match(r"(?:do|does|did) not(?: \w+)* want", m.group(), re.IGNORECASE)
            else liking(m["v"], DISLIKE, strength=2)
        ),
        "like|love|enjoy|care for|fancy|dig",
    ),
    rule(
        rf"(?:dislike|dislikes|am not (?:a (?:big |huge )?fan of|fond of|into|keen on|crazy about)|is not (?:a fan of|fond of|into|keen on)|am no fan of|have (?:a |an )?(?:strong )?(?:aversion|dislike) (?:to|of|for)|am averse to|am over|have gone off|went off) {_OBJ_EN}",
        _build(DISLIKE, 2),
        "dislike|fan|fond|into|keen|crazy|aversion|averse|over| off",
    ),
    rule(
        rf"(?:do not|does not|no longer) (?:drink|eat|play|watch|do|listen to|wear) {_OBJ_EN}",
        lambda m: (
            liking(re.sub(r"\s*any ?(?:more|longer)$", "", m["v"]), "stopped", strength=2)
            if re.search("any ?more|any longer|no longer", m.string, re.IGNORECASE)
            else None
        ),
        "any|longer",
    ),
    rule(
        rf"(?:do not|does not|can not|never|will not|refuse to) (?:eat|drink|consume|touch)(?: any)? {_OBJ_EN}",
        _build("avoid", 2),
        "eat|drink|consume|touch",
    ),
    rule(
        rf"(?:avoid|avoids|am avoiding|stay away from|steer clear of) (?:eating |drinking |using )?{_OBJ_EN}",
        _build("avoid", 2),
        "avoid|away|clear",
    ),
    rule(
        rf"(?:have |has )?(?:stopped|quit|gave up|given up|cut out|have stopped|am done with|have quit|kicked) (?:eating |drinking |playing |watching |doing |the habit of )?(?!using\b)(?!my job|work|for|to\b|at\b|by\b|smoking){_OBJ_EN}",
        lambda m: liking(m["v"], "stopped", strength=2),
        "stop|quit|g|cut out|done|kicked",
    ),
    rule(
        rf"used to (?:like|love|enjoy|drink|eat|play|adore) {_OBJ_EN}",
        lambda m: liking(m["v"], "stopped", confidence=0.75),
        "used to",
    ),
    rule(
        rf"{_ADV_EN}(?:love|loves|adore|adores|am (?:obsessed with|crazy about|passionate about|addicted to|in love with|mad about)|is (?:obsessed with|crazy about|passionate about)|can not live without|live for) (?!to (?:hear|know|see|get|ask|chat|learn more|help))(?!(?:how|that|when|what|it|this|you)\b){_OBJ_EN}",
        _build(LIKE, 3),
        "love|adore|obsessed|crazy|passionate|addicted|live without|mad about|live for",
    ),
    rule(
        rf"(?:would |'d )?(?:much |strongly |really |generally |usually |always )*(?:prefer|prefers|favou?r|favou?rs|have a preference for|am partial to|lean towards?|would rather (?:have|use|get|eat|drink)) (?!(?:to|that|if|it|not) (?:you|we|be|i)\b){_OBJ_EN}",
        _prefer,
        "prefer|favo|partial|lean|rather",
    ),
    rule(
        rf"{_ADV_EN}(?:like|likes|enjoy|enjoys|am (?:really |very |quite )?(?:fond of|into|keen on|a (?:big |huge |massive |real )?(?:fan of|lover of))|is (?:fond of|into|keen on|a (?:big |huge )?fan of)|have a soft spot for|am a sucker for|have always (?:liked|loved|enjoyed)|have come to (?:like|love|enjoy)|have grown to (?:like|love)|started to (?:like|enjoy)|am getting into|got into|fancy) (?!(?:how|that|when|what|it|this|you|the (?:idea|way|sound|look|plan))\b){_OBJ_EN}",
        _build(LIKE, 1),
        "like|enjoy|fond|into|keen|fan|lover|soft spot|sucker|loved|fancy",
    ),
    rule(
        r"am (?:a |an )(?P<v>[\w -]{2,20}?) (?:person|lover|fan|enthusiast|fanatic|nerd|buff|addict|junkie|geek)\s*$",
        lambda m: (
            liking(m["v"], LIKE, strength=2)
            if not re.match(
                r"(?:morning|night|people|busy|good|bad|private|quiet|simple|practical|visual)\b",
                m["v"],
                re.IGNORECASE,
            )
            else Finding(
                "personality",
                trimmed(m.group().removeprefix("am ").removeprefix("a ")),
                importance=0.5,
            )
        ),
        "person|lover|fan|enthusiast|nerd|buff|addict|junkie|geek",
    ),
    rule(
        r"(?:drink|drinks|eat|eats|have|has) (?P<v>(?:[\w-]+ ){0,3}?(?:coffee|tea|matcha|espresso|latte|beer|wine|milk|juice|cola|coke|soda|water|oatmeal|yogh?urt|smoothies?|noodles|rice|salad|fish|meat|chicken|eggs|bread|fruit|kombucha))(?: (?:every|each|in the|for breakfast|at|all|with|daily|a lot|now|instead|these days)\b.*)?\s*$",
        lambda m: (
            liking(m["v"], LIKE) if m.group().lower().startswith(("drink", "eat")) else None
        ),
        "drink|eat",
    ),
    rule(
        rf"my (?:hobby|hobbies|interests?|passions?|pastimes?) (?:is|are|includes?) {_OBJ_EN}",
        lambda m: Finding("hobby", trimmed(m["v"]), importance=0.6),
        "hobb|interest|passion|pastime",
    ),
)

_DEGREE: Final = r"(?:最|特别|非常|超级?|很|真的?|挺|蛮|更|比较|尤其|十分|好|太|一直|从小就?|还是|也|都|就|可|越来越|有点|越发|其实|还|现在|开始|变得)*"

ZH: Final[tuple[Rule, ...]] = (
    rule(
        r"(?:业余|平时|个人|的)?(?:爱好|兴趣|兴趣爱好|业余爱好)(?:主要)?(?:是|有|为|：|:)(?P<v>[^。！？]{1,40})$",
        lambda m: Finding("hobby", trimmed(m["v"]), importance=0.6),
        "爱好|兴趣",
    ),
    rule(
        r"(?:现在|目前|如今)?(?:的)?最(?:喜欢|爱|钟爱)(?:吃|喝|看|听|玩|用)?的(?:就|还|已经|现在)*(?:是|变成了?|换成了?)(?P<v>[^，。]{1,20}?)(?:了|啦)?$",
        lambda m: Finding("favourite", trimmed(m["v"]), importance=0.65, strength=2),
        "最",
    ),
    rule(
        rf"(?:现在|目前|如今|平时)?(?:最|最最)(?:喜欢|爱|钟爱|中意|偏爱|常(?:用|吃|喝|听|看))(?:吃|喝|看|听|玩|用|穿|去|读)?的(?P<t>[^，。是]{{1,12}}?)(?:就|还|现在|一直|已经|变成了?|当然|依然|仍然)*(?:是|变成了?|换成了?|改成了?)(?:了)?{_OBJ_ZH}",
        lambda m: _favourite_zh(m),
        "最",
    ),
    rule(
        r"(?P<v>[^，。]{1,16}?)是(?:我)?(?:现在|目前)?最(?:喜欢|爱|钟爱)(?:吃|喝|看|听|玩|用)?的(?P<t>[^，。]{1,12}?)\s*$",
        lambda m: _favourite_zh(m),
        "最",
    ),
    rule(
        rf"{_DEGREE}(?:再也不|不再|不怎么|不太|不大|不是很|不是特别|并不|不|没那么|没有那么|没以前那么|戒(?:掉)?了?|受够了?|吃腻了?|喝腻了?|烦透了?)(?:喜欢|爱|想|感冒|待见|热衷于?|习惯)(?!知道|问){_OBJ_ZH}",
        lambda m: _zh_dislike(m),
        "喜欢|爱|感冒|待见|热衷|习惯",
    ),
    rule(
        rf"{_DEGREE}(?:讨厌|厌恶|反感|受不了|无法忍受|忍受不了|恨|嫌弃|看不惯|不能接受|接受不了|抵触|烦)(?!恼|躁|死|了){_OBJ_ZH}",
        lambda m: liking(m["v"], DISLIKE, strength=3),
        "讨厌|厌恶|反感|受不了|忍受|恨|嫌弃|看不惯|接受|抵触|烦",
    ),
    rule(
        r"对(?P<v>[^，。]{1,16}?)(?:完全|一点[也都]?|实在|真的|都|也|并)*(?:不感兴趣|没兴趣|没有兴趣|无感|不感冒|提不起兴趣)(?:了)?\s*$",
        lambda m: liking(m["v"], DISLIKE, strength=2),
        "感兴趣|兴趣|无感|感冒",
    ),
    rule(
        r"对(?P<v>[^，。]{1,16}?)(?:很|非常|特别|挺|比较|超|十分|一直)*(?:感兴趣|有兴趣|着迷|上瘾|情有独钟|痴迷)(?:了)?\s*$",
        lambda m: liking(m["v"], LIKE, strength=2),
        "兴趣|着迷|上瘾|情有独钟|痴迷",
    ),
    rule(
        r"(?:从来|一直|已经|现在|平时|都|也|是|真的|绝对|坚决)*(?:不(?:再|能|敢|会|怎么|太|大)?(?:吃|喝|碰|沾|看|玩|抽)|忌|戒(?:掉)?了?|忌口|吃不了|喝不了|吃不得|喝不得)(?P<v>[^，。了饱下完惯起到出消惊]{1,12}?)(?P<le>了)?(?:啦|的|呢|啊)?\s*$",
        lambda m: _zh_avoid(m),
        "不|忌|戒",
    ),
    rule(
        rf"(?:以前|之前|曾经|原来|过去)(?:很|特别|最)?(?:喜欢|爱){_OBJ_ZH}",
        lambda m: liking(m["v"], "stopped", confidence=0.7),
        "以前|之前|曾经|原来|过去",
    ),
    rule(
        rf"{_DEGREE}(?:喜欢上了?|爱上了?|迷上了?|喜欢|热爱|喜爱|酷爱|钟爱|偏爱|偏好|钟情于?|痴迷于?|热衷于?|迷恋|爱好|好这口|中意|爱(?=吃|喝|看|听|玩|打|穿|逛|读|跑|养|去|写|画|做|旅|[\u4e00-\u9fff]{{2}}))(?!你|的是什么){_OBJ_ZH}",
        lambda m: _zh_like(m),
        "喜欢|爱|迷上|偏好|钟情|痴迷|热衷|迷恋|中意",
    ),
    rule(
        r"(?:业余|平时|个人|的)?(?:爱好|兴趣|兴趣爱好|业余爱好)(?:主要)?(?:是|有|为|：|:)(?P<v>[^。！？]{1,40})$",
        lambda m: Finding("hobby", trimmed(m["v"]), importance=0.6),
        "爱好|兴趣",
    ),
    rule(
        r"(?:是|也是|算是)(?:一?个)?(?:资深|忠实|重度|铁杆|十足的|骨灰级)?(?P<v>[^，。的]{1,12}?)(?:爱好者|迷|粉丝?|发烧友|控|党|死忠粉|达人|重度用户)(?:了)?\s*$",
        lambda m: liking(m["v"], LIKE, strength=2),
        "爱好者|迷|粉|发烧友|控|党|达人|用户",
    ),
    rule(
        rf"(?:更|比较|还是更?|宁愿|宁可|倾向于?|偏向于?|习惯(?:了|于)?)(?:喜欢|想|愿意|用|吃|喝|选择?)?{_OBJ_ZH}",
        lambda m: _zh_lean(m),
        "宁|倾向|偏向|习惯",
    ),
    rule(
        r"(?:每天|早上|每天早上|一直|天天|平时|经常|现在|都|常|只|主要|改|一般|通常|习惯)*(?:只|都|就|改|会|要|在)?(?:喝|吃)(?:的是|一?杯|一?碗|一?份|点|着)?(?P<v>(?:[\u4e00-\u9fffA-Za-z]{0,6}?)(?:咖啡|茶|奶茶|牛奶|豆浆|可乐|果汁|啤酒|红酒|白酒|酸奶|燕麦|粥|面条?|米饭|沙拉|素|辣|牛肉|海鲜|水果|轻食|拿铁|美式|白开水|温水|鸡胸肉|粗粮))(?:了)?\s*$",
        lambda m: liking(m["v"], LIKE) if not re.search(r"[今昨刚]|正在|想", m.string) else None,
        "喝|吃",
    ),
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
    if re.match(r"(?:早|午|晚|中)?(?:饭|餐)|苦|醋|一点|东西|药", match["v"]) and match["le"]:
        return None
    stopped = match["le"] or "戒" in whole or "不再" in whole
    return liking(match["v"], "stopped" if stopped else "avoid", strength=2)


def _zh_like(match: re.Match[str]) -> Finding | None:
    text = match["v"]
    if re.match(r"(?:你|这个回答|这个主意|这个想法|不喜欢)|(?:不|没)", text) or text.endswith(
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
