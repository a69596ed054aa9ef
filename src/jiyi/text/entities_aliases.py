"""Where a text says that two names are one: "Robert, whom everybody calls Bob", 李雷（小李）.

Only what is said counts; that two names look alike says nothing. A missed alias costs a link, a
wrong one makes two people one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jiyi.text.entities import find_entities
from jiyi.text.names import EN_NO_NAMES, ZH_NO_NAMES, ZH_SURNAMES
from jiyi.text.normalise import fold
from jiyi.text.patterns import regex
from jiyi.text.scripts import HAN, han_pattern
from jiyi.text.sentences import sentences

EN_NAME: Final = (
    r"(?:[A-ZÀ-Þ][\w’-]*|[a-z]{1,2}[A-Z]\w*)(?:[. ]{1,2}(?:[A-ZÀ-Þ0-9][\w’-]*|of|the|de|van)){0,4}"
)
_WORD: Final = r"[A-ZÀ-Þ][\w’-]+"
_A: Final = rf"(?P<a>{EN_NAME})"
_B: Final = rf"[\"“'‘]?(?P<b>{EN_NAME})[\"”'’]?"
_PEOPLE: Final = (
    r"(?:everybody|everyone|people|we|we all|I|they|most (?:people|of us)|"
    r"(?:(?:all|most) of )?(?:my|his|her|our|their|the|all)(?: \w+){1,2}|friends|colleagues|"
    r"family)"
)
_CALL: Final = r"(?:all |just |usually |always |mostly |simply |often |sometimes )?calls?"

_ENGLISH: Final[tuple[re.Pattern[str], ...]] = (
    regex(rf"{_A},? (?:whom?|which|that) {_PEOPLE} {_CALL} {_B}"),
    regex(rf"{_A},? (?:whom?|which) {_PEOPLE} (?:\w+ )?(?:know|refer to|nicknamed?)(?: as)? {_B}"),
    regex(
        rf"{_A}(?:,|,? who is|,? which is| is|'s)? (?:also|better|otherwise|commonly|often|widely)"
        rf" (?:known|referred to|called)(?: as)? {_B}"
    ),
    regex(rf"{_A},? (?:aka|a\.k\.a\.|alias|nicknamed|(?:who )?goes by|who is nicknamed) {_B}"),
    regex(rf"{_A} \((?:aka|a\.k\.a\.|alias|known as|nicknamed|called|short:) ?{_B}\)"),
    regex(rf"{_A}(?: \(|, )(?:or )?{_B},? (?:for short|as {_PEOPLE} (?:\w+ )?calls?\b)"),
    regex(
        rf"{_B} (?:is|was) (?:just )?(?:short|a nickname|the nickname|another name|the short form|"
        rf"an alias|the short name|a short name|the (?:English|Chinese|stage|pen) name)"
        rf" (?:for|of) {_A}"
    ),
    regex(rf"{_B} (?:stands for|stood for|is really called|is actually called) {_A}"),
    regex(rf"{_B}['’]s (?:full|real|actual|legal|other) name is {_A}"),
    regex(
        rf"{_A}['’]s (?:nickname|alias|(?:short|stage|pen|English|Chinese|other|pet) name) is {_B}"
    ),
    regex(
        rf"{_A} and {_B} are (?:one and the same|the same (?:person|man|woman|guy|company|product|"
        r"place|thing|one)\b)"
    ),
    regex(rf"{_A} is the same (?:person|man|woman|one|company|thing|product|place) as {_B}"),
    regex(rf"^{_A} ?(?:={{1,3}}|≡) ?{_B}[.!]?$"),
    regex(rf"\b(?:[Bb]y|[Ww]hen I say|[Ii]f I say) {_B},? I(?: always)? mean {_A}"),
    regex(rf"\b(?i:{_PEOPLE}) {_CALL} (?P<a>{_WORD}) [\"“‘']?(?P<b>{_WORD})[\"”’']?(?=[,.;!]|$)"),
)
_QUOTED: Final = regex(rf"(?P<first>{_WORD}) [\"“](?P<b>{_WORD})[\"”] (?P<last>{_WORD})")
_BRACKET_EN: Final = regex(rf"(?P<a>{EN_NAME}) \([\"“]?(?P<b>{_WORD})[\"”]?\)")
_SMALL: Final = frozenset({"of", "the", "and", "for", "de", "van"})
_SHORT: Final = 3
"""Letters at its start that a short form in brackets shares with the name: Robert (Rob)."""

_NICKNAMES: Final = {
    full: short.split()
    for full, short in (
        ("robert", "bob bobby"), ("william", "bill billy"), ("richard", "dick rick"),
        ("james", "jim jimmy"), ("john", "jack johnny"), ("elizabeth", "beth betty liz"),
        ("margaret", "peggy maggie meg"), ("edward", "ted ned"), ("henry", "harry hank"),
        ("charles", "chuck charlie"), ("katherine", "kate kitty"), ("catherine", "cathy kate"),
        ("alexander", "sasha sandy"), ("anthony", "tony"), ("theodore", "ted"),
        ("michael", "mike mick"), ("sarah", "sally"), ("mary", "molly polly"),
        ("joseph", "joe"), ("susan", "sue"), ("rebecca", "becky"), ("victoria", "vicky tori"),
    )
}  # fmt: skip
"""Short forms that do not begin like the name; they count only beside it, in brackets."""

# --- Chinese ----------------------------------------------------------------------------------

_ZH: Final = f"[{HAN}]"
_LATIN: Final = r"[A-Za-z][A-Za-z0-9.]*(?: [A-Z][A-Za-z0-9.]*){0,3}"
_GIVEN: Final = f"(?:(?![的是就叫和跟与管])[{HAN}])"
_ZH_PERSON: Final = (
    f"(?:[小老阿]{_GIVEN}|[{ZH_SURNAMES}]{_GIVEN}{{1,2}}|{_GIVEN}{{1,3}}"
    f"(?:总|工|哥|姐|老师|经理|医生|教授)|{_LATIN})"
)
_ZH_THING: Final = f"(?:{_ZH}{{2,12}}|{_LATIN})"
_ZH_NAMED: Final = (
    "(?:简称|又名|又称|又叫|也叫|别名|昵称|小名|乳名|外号|绰号|花名|人称|笔名|艺名|俗称|全名|全称|原名|"
    "本名|真名|大名|英文名|中文名|(?:大家|我们|人们|同事们?|朋友们?|家里人?|熟人)(?:一般|平时|都|也)*"
    "(?:管?叫|喊|称)(?:他|她|它|其)?(?:为|作)?)(?:是|叫|为)?"
)
_END: Final = r"(?=[，。；！,.;!）)\s]|$)"
_CHINESE: Final[tuple[re.Pattern[str], ...]] = (
    regex(f"(?:^|[，。；！\\s])(?P<a>{_ZH_PERSON})(?:其实)?就是(?P<b>{_ZH_PERSON}){_END}"),
    regex(
        f"(?P<b>{_ZH_PERSON}|{_LATIN})是(?P<a>{_ZH_PERSON})的"
        "(?:外号|小名|昵称|别名|绰号|花名|乳名|英文名|中文名|笔名|艺名)"
    ),
    regex(f"(?P<b>{_ZH_THING})是(?P<a>{_ZH_THING})的(?:简称|缩写|全称|别称)"),
    regex(
        f"(?:^|[，。；！\\s])(?P<a>{_ZH_PERSON})的?(?:外号|小名|昵称|别名|绰号|花名|全名|真名|本名|大名|"
        f"英文名|中文名|乳名)(?:就?是|叫做?)(?P<b>{_ZH_PERSON}){_END}"
    ),
    regex(
        f"(?:^|[，。；！\\s])(?P<a>{_ZH_THING})的?(?:简称|缩写|全称)(?:就?是|叫做?)(?P<b>{_ZH_THING}){_END}"
    ),
    regex(
        f"(?P<a>{_ZH_PERSON})，?(?:又名|又叫|人称|外号|绰号|花名|也叫|小名|乳名)(?:叫|是)?"
        f"(?P<b>{_ZH_PERSON}){_END}"
    ),
    regex(
        f"(?:大家|我们|人人|同事们?|朋友们?|家里人?|别人|熟人|都|平时)(?:一般|平时|习惯|都|也|全)*"
        f"管(?P<a>{_ZH_PERSON})(?:叫做?|喊作?|称作?)(?P<b>{_ZH_PERSON}){_END}"
    ),
    regex(
        f"(?:大家|我们|人人|同事们?|朋友们?|家里人?|别人|熟人)(?:一般|平时|习惯|都|也|全)*(?:叫|喊|称呼?)"
        f"(?P<a>[{ZH_SURNAMES}]{_ZH}{{1,2}}?)(?:为|作|叫)?(?P<b>[小老阿]{_ZH}|{_ZH}(?:总|工|哥|姐)){_END}"
    ),
    regex(
        f"(?:^|[，。；！\\s])(?P<a>{_ZH_PERSON})(?:和|跟|与)(?P<b>{_ZH_PERSON})(?:其实)?(?:都)?"
        "(?:是|说的是|指的是)(?:同一个人|一个人|同一人)"
    ),
    regex(f"^(?P<a>{_ZH_THING}) ?(?:={{1,3}}|＝) ?(?P<b>{_ZH_THING})[。！]?$"),
    regex(
        f"(?:我说的|我讲的|我提到的)(?P<b>{_ZH_PERSON})(?:就是|是|指的是)(?P<a>{_ZH_PERSON}){_END}"
    ),
)
_OTHER: Final = f"[{HAN}A-Za-z](?:[{HAN}A-Za-z0-9 .]{{0,20}})"
_BRACKET_ZH: Final = regex(
    f'[（(](?P<named>{_ZH_NAMED})?[“「"]?(?P<b>{_OTHER})[”」"]?[）)]'
    f'|[，,](?P<called>{_ZH_NAMED})[“「"]?'
    f'(?P<c>(?![我你])[{HAN}A-Za-z][{HAN}A-Za-z0-9 .]{{0,20}}?)[”」"]?{_END}'
)
_RUN_BEFORE: Final = regex(f"[{HAN}]+$|{_LATIN}$")
_SIGNS_EN: Final = regex(
    r"calls?\b|known|refer|aka\b|a\.k\.a|alias|nickname|goes by|short|stand|stood|name|the same\b"
    r"|[=≡(\"“]|mean|really|actually",
)
_SIGNS_ZH: Final = regex("就是|名|号|称|叫|写|喊|[=＝（(]|同一|一个人|我说的|我讲的|我提到的")
"""Without one of these no pattern fits: a cheap test before them."""

_NOT_ONE: Final = regex(
    r"\bnot\b|n['’]t\b|\?|\bdifferent\b|\bconfus\w+|不是|并非|不叫|别叫|不同|两个人|[？?]|混淆|搞混",
    re.IGNORECASE,
)


def find_aliases(text: str) -> list[tuple[str, str]]:
    """Pairs of names that `text` says are one, in the order of saying."""
    found: dict[tuple[str, str], None] = {}
    if not (_SIGNS_EN.search(text) or _SIGNS_ZH.search(text)):
        return []
    for start, end in sentences(text):
        sentence = text[start:end]
        if _NOT_ONE.search(sentence):
            continue
        pairs: list[tuple[str, str]] = []
        if _SIGNS_EN.search(sentence):
            pairs += _english(sentence)
        if _SIGNS_ZH.search(sentence) and han_pattern.search(sentence):
            pairs += _chinese(sentence)
        for one, other in pairs:
            if one and other and fold(one) != fold(other):
                found[one, other] = None
    return list(found)


def _english(sentence: str) -> Iterator[tuple[str, str]]:
    for pattern in _ENGLISH:
        for match in pattern.finditer(sentence):
            yield _clean(match["a"]), _clean(match["b"])
    for match in _QUOTED.finditer(sentence):
        if not {match["first"].lower(), match["last"].lower()} & EN_NO_NAMES:
            yield f"{match['first']} {match['last']}", match["b"]
    for match in _BRACKET_EN.finditer(sentence):
        name, short = _clean(match["a"]), match["b"]
        if name and _shortens(short, name):
            yield name, short


def _shortens(short: str, name: str) -> bool:
    """Whether a word in brackets is an acronym or a known short form of the name before it."""
    words = name.split()
    initials = "".join(word[0] for word in words if word.lower() not in _SMALL)
    if len(words) > 1 and short.isupper():
        return short == initials
    first = words[0].lower()
    known = short.lower() in _NICKNAMES.get(first, ())
    return known or (len(words[0]) > len(short) and first.startswith(short.lower()[:_SHORT]))


def _clean(name: str) -> str:
    """A name without the capitalised words around it that belong to the sentence."""
    words = name.rstrip(". '’").split(" ")
    while words and (words[0].lower() in EN_NO_NAMES or words[0].islower()):
        words = words[1:]
    while words and (words[-1].lower() in EN_NO_NAMES or words[-1] in _SMALL):
        words = words[:-1]
    return " ".join(words)


def _chinese(sentence: str) -> Iterator[tuple[str, str]]:
    for pattern in _CHINESE:
        for match in pattern.finditer(sentence):
            one, other = match["a"], match["b"]
            if one[:2] not in ZH_NO_NAMES and other[:2] not in ZH_NO_NAMES:
                yield one, other
    for match in _BRACKET_ZH.finditer(sentence):
        other = (match["b"] or match["c"]).strip()
        name = _name_before(sentence, match.start())
        if name and (match["named"] or match["called"] or _is_nickname(other, name)):
            yield name, other


def _name_before(sentence: str, end: int) -> str:
    """The name that stands right before a place in a sentence."""
    for mention in find_entities(sentence[:end]):
        if mention.span[1] == end:
            return mention.text
    run = _RUN_BEFORE.search(sentence[:end])
    if run is None:
        return ""
    word = run.group()
    if not han_pattern.match(word):
        return _clean(word)
    if len(word) <= 4:
        return word
    # 我同事李雷（小李）: the last two or three characters, when they begin with a surname.
    tails = (word[-size:] for size in (3, 2))
    return next((t for t in tails if t[0] in ZH_SURNAMES and t[:2] not in ZH_NO_NAMES), "")


def _is_nickname(short: str, name: str) -> bool:
    """小李 or 李哥 of 李雷, 阿雷 or 雷雷 of 李雷: built from the characters of the name."""
    if not 2 <= len(name) <= 4 or not 2 <= len(short) <= 3 or name[0] not in ZH_SURNAMES:
        return False
    if short[0] in "小老":
        return short[1:] in (name[0], name[-1], name[1:])
    if short[0] == "阿" or short[0] == short[1]:
        return short[1] in name[1:]
    return short[0] == name[0] and short[1:] in ("总", "工", "哥", "姐", "老师", "经理", "医生")
