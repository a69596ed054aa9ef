"""What a statement is about, in one form: the same thing said in other words has one topic."""

from __future__ import annotations

import re
from typing import Final

import Stemmer

from jiyi.text.normalise import fold
from jiyi.text.patterns import regex

_stem: Final = Stemmer.Stemmer("english").stemWord
# Stems that end in a way no word does: repli, tabl, sav, sentenc, updat, figur.
_CUT_OFF: Final = regex(
    r"[bcdfgkptz]l$|v$|(?:lud|eas|aus|nc|oic|uc|dg|ang|ns|cs)$|(?<=..)ag$|"
    r"(?<=...)(?:(?<!form)(?<![aeiou])at|"
    r"(?<=..)i[sz]|(?<!o)ur)$"
)

_EDGE: Final = " \t\n,.;:!?，。；：！？、…~～\"'“”‘’*_`"
_LOOSE: Final = " \t\n,.;:!?，。；：！？、…~～*_`"
_OPENING, _CLOSING = tuple("“‘\"'"), tuple("”’\"'")
_QUOTE: Final = regex(r"[“”‘’\"']")
_OPENED: Final = regex(r"(?<!\w)[“‘\"']|[\u4e00-\u9fff][“‘]")
_CLOSED: Final = regex(r"[”’\"'](?!\w)|[”’][\u4e00-\u9fff]")
_PAIRS: Final = ("《》", "「」", "『』", "()", "（）", "[]", "【】")
_EN_FIRST: Final = regex(
    r"^(?:a|an|the|my|our|your|his|her|their|its|some|any|all|that|this|these|those|every|each|"
    r"most|"
    r"both|kinds? of|sorts? of|types? of|really|very|super|just|also|only|even|either|anything|"
    r"eating|eat|drinking|drink|having|watching|watch|reading|read|listening to|listen to|"
    r"playing|play|using|use|wearing|wear|doing|do|going to|go to|taking|take|to|of|with)\s+"
)
_EN_LAST: Final = regex(
    r"\s+(?:a lot|very much|so much|too much|the most|more than anything|these days|lately|"
    r"recently|"
    r"any ?more|any longer|now|at all|too|as well|though|again|instead|for now|right now|"
    r"since|best|most|more|better|either|anyway|actually|please|overall|in general|"
    r"every (?:day|morning|evening|night|week)|so far|and|or|but|because|when|if)$"
)
_EN_PLURAL: Final = regex(
    r"(?<=[a-z]{2})(?:(?<=[^aeiou])ies|(?<=ch|sh)es|(?<=[sxz])es|(?<![sui])s)$"
)
_ZH_FIRST: Final = regex(
    r"^(?:吃|喝|看|听|玩|用|穿|逛|读|买|打|去|做|学|养|坐|那种|这种|各种|一些|一点|这个|那个|"
    r"这些|那些|"
    r"所有的?|任何|关于|比较|特别|非常|很|太|最|更|超|挺|有点|我的|我们的|你的|他的|"
    r"她的)(?=[^\s了着过]{1})"
)
_ZH_KEEP: Final = regex(
    r"(?:打球|打车|打折|打游戏|看书|学习|学校|用户|做饭|做菜|做梦|去年|打扫|打扮|打包|买单|坐车)"
)
_ZH_LAST: Final = regex(
    r"(?:的?(?:东西|食物|菜品|感觉|时候|方式|类型)|[了的啊呀呢吧哦啦嘛哈哟嘞呗]|这种|那种|"
    r"什么的|之类的?|来着|一下|而已)$"
)


_IE: Final = regex(
    r"(?:mov|cook|zomb|self|hood|brown|smooth|calor|p|t|l|d|veg|rook|gen|sort|prair|bird|bog|"
    r"food)ies"
)


_SPELLINGS: Final = regex(
    r"\b(?:col|fav|flav|neighb|harb|hum|hon)or(?=s?\b|ite|ful)|\btheater|\bgray\b"
)


def _spelt(text: str) -> str:
    """The British spelling of words that are spelt in two ways: one topic for both."""
    return _SPELLINGS.sub(
        lambda m: {"theater": "theatre", "gray": "grey"}.get(m[0], f"{m[0][:-2]}our"), text
    )


def thing_topic(text: str) -> str:
    """The name of a thing that facts are told of: "the weekly meetings" is `weekly meeting`."""
    topic = _spelt(re.sub(r"\s+", " ", fold(text)).strip(_EDGE))
    if re.search(r"[\u4e00-\u9fff]", topic):
        topic = re.sub(r"^(?:我们?|咱们?|这个|那个|我家)?的?|的$", "", topic)
        return topic.replace(" ", "") if not re.search(r"[a-z]", topic) else topic
    topic = re.sub(r"^(?:(?:a|an|the|my|our|your|his|her|their|its|this|that)\s+)+", "", topic)
    head, space, last = topic.rpartition(" ")
    if re.search(r"(?:^|\s)[A-Z]\S*[^\w\s]*$", text):
        return topic  # a name: Emacs, Windows
    return head + space + _singular(last)


def object_topic(text: str) -> str:
    """The object of a liking or a habit: "eating Chinese food a lot" and "the Chinese food" are
    `chinese food`; 爱吃川菜 and 川菜的 are 川菜."""
    topic = _spelt(re.sub(r"\s+", " ", fold(text)).strip(_EDGE))
    if re.search(r"[\u4e00-\u9fff]", topic):
        return _zh_object(_QUOTE.sub("", topic))
    previous = ""
    while topic != previous:
        previous = topic
        topic = _EN_LAST.sub("", _EN_FIRST.sub("", topic, count=1)).strip(_EDGE)
    words = topic.split(" ")
    if words[0].endswith("ing") and len(words[0]) > 5:
        words[0] = _stem(words[0])
    words[-1] = _singular(words[-1])
    return " ".join(words)


def _singular(word: str) -> str:
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies") and _IE.fullmatch(word):
        return word[:-1]
    return _EN_PLURAL.sub(lambda m: "y" if m.group() == "ies" else "", word)


def _zh_object(topic: str) -> str:
    previous = ""
    while topic != previous:
        previous = topic
        shorter = _ZH_LAST.sub("", topic)
        if shorter:
            topic = shorter
        if not _ZH_KEEP.match(topic):
            shorter = _ZH_FIRST.sub("", topic, count=1)
            if shorter and not shorter.isspace():
                topic = shorter
        topic = topic.strip(_EDGE)
    return topic.replace(" ", "") if not re.search(r"[a-z]", topic) else topic


_STOP_EN: Final = frozenset(
    re.findall(
        r"\S+",
        "time a an the i me my mine we us our you your he she it its they them this that these "
        "those to of in on at for with by from as into and or but so if when whenever while "
        "is are am be been was were do does did done can could will would shall should may "
        "might must have has had not no never always every each any all please ever again ok "
        "okay fine good allowed now just also too really only sure make want need like let "
        "go ahead feel free don doesn directly automatically auto automatic straight away "
        "right immediately without asking remember note keep mind going forward future "
        "longer more anymore stop avoid refrain from there here then than when where which "
        "who what new available",
    )
)
_WORD: Final = regex(r"[a-z0-9][a-z0-9+#._/-]*[a-z0-9+#]|[a-z0-9]")
_ZH_MODAL: Final = regex(
    r"以后|今后|往后|从现在[起开]始?|从今[天以]?[起后]?|记住|记得|请|麻烦|务必|一定|必须|一律|"
    r"统一|总是|永远|始终|"
    r"每次|每回|不要再?|不用再?|不准|不许|不能|不可以?|禁止|千万|别再?|勿|无需|不必|避免|可以|"
    r"应该?|需要|允许|要|得|"
    r"都|就|也|再|还|会|能|自动|直接|立刻|马上|立即|主动|随便|尽量|最好|给我|帮我|替我|跟我|"
    r"和我|对我|我们?|你们?|您|"
    r"请求|的话|时候|如果|只要|一旦|有新版本?|有更新|"
    r"[了的吧啊呀呢哦啦嘛地]|没问题|没关系|也行|就行|即可|行了?|好了?|随时|改成|改为|换成"
)


def rule_topic(text: str) -> str:
    """What a standing instruction is about, without its polarity, mood and politeness.

    "don't deploy on Fridays" and "deploying on Fridays is fine" are both `deploy friday`;
    不要自动升级 and 有新版直接升级 are both 升级.
    """
    plain = fold(text)
    if re.search(r"[\u4e00-\u9fff]", plain):
        rest = _ZH_MODAL.sub("", plain)
        return re.sub(r"[\s，。；：！？、,.;:!?~～\"'“”]+", "", rest)[:24]
    plain = re.sub(r"n['’]t\b", "", plain)
    words = [w for w in _WORD.findall(plain) if w not in _STOP_EN]
    return " ".join(dict.fromkeys(_base(w) if w.isalpha() else w for w in words[:6]))


def _base(word: str) -> str:
    """One form for "table" and "tables", "deploy" and "deploying", that people can read."""
    stem = _stem(word)
    if stem.endswith("i") and len(stem) > 3:
        return f"{stem[:-1]}y"
    return f"{stem}e" if _CUT_OFF.search(stem) else stem


# Thought about, not done: 在考虑换成小米, 想把店改成书吧. 变成 seldom tells a value.
WISHED_ZH: Final = regex(
    r"考虑|琢磨|犹豫|纠结|盘算|希望|(?:^|[也都还又很就我])(?:想|打算|计划|准备)(?!了想)|"
    r"变[成为](?!.*[\dA-Za-z])"
)
# What stands before a topic: 体重终于, 项目已经把延迟, 正式设定.
_TOPIC_NOISE_ZH: Final = regex(
    r"^(?:我们?|咱们?)?的?(?:正式|重新)?(?:设定|设置|制定|确定)?(?:了)?"
    r"|(?:已经|终于|总算|成功|刚刚?|目前|现在|最近|正式|一口气|顺利|直接)*(?:把|将)"
    r"|(?:已经|终于|总算|成功|刚刚?|目前|现在|最近|顺利|直接|都|也|又|就|从)+$"
)


def changed_topic(text: str) -> str:
    """What a Chinese change is about, without the words around it: 体重终于降到…, 已经把延迟从…."""
    return _TOPIC_NOISE_ZH.sub("", text)


def trimmed(text: str) -> str:
    """A value without white space and marks at its ends."""
    bare = text.strip(_EDGE)
    for left, right in _PAIRS:
        if bare.startswith(left) and bare.endswith(right):
            return bare[1:-1].strip(_EDGE)
    if _QUOTE.search(bare) is None:
        return bare
    # ‘雨后’和‘晨雾’, with 'id' and 'label': the marks at its ends are no pair.
    head, tail = text.lstrip(_LOOSE)[:1], text.rstrip(_LOOSE)[-1:]
    if head in _OPENING and _CLOSED.search(bare):
        bare = head + bare
    return bare + tail if tail in _CLOSING and _OPENED.search(bare) else bare
