"""A change that one clause announces and the next one tells, in both languages: "I have a new
boss, her name is Ingrid", 我换号了，新号码是…."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.encode.rules.persons import ONE_AT_A_TIME, is_name
from jiyi.encode.rules.topics import trimmed
from jiyi.encode.rules.work_zh import JOB
from jiyi.text.patterns import regex

_THINGS: Final = {
    word: attribute
    for attribute, words in (
        ("phone", "number|numbers|phone number|phone numbers|mobile number|cell number"),
        ("phone", "号|号码|手机号|手机号码|电话|电话号码|联系电话"),
        ("email", "email|e-mail|email address|mail address|邮箱|电子邮箱|邮件地址"),
        ("wechat", "wechat|wechat id|微信|微信号"),
        ("address", "address|postal address|地址|住址|收货地址"),
        ("birthday", "birthday|birth date|date of birth"),
        ("age", "age"),
        ("employer", "job|jobs|company|companies|employer|工作|公司|单位|东家"),
    )
    for word in words.split("|")
}
_WORDS: Final = sorted({*_THINGS, *ONE_AT_A_TIME}, key=len, reverse=True)
_EN: Final = "|".join(re.escape(word) for word in _WORDS if word.isascii())
_ZH: Final = "|".join(word for word in _WORDS if not word.isascii())

_LATELY: Final = r"(?: (?:now|again|recently|lately|yesterday|today|(?:last|this) \w+))*"
_NEWS_EN: Final = regex(
    rf"(?:have |has )?(?:just |recently |finally )?(?:(?:changed|switched)(?: to)?(?: my| our|"
    rf" an?)?(?: new)?|(?:got|have|have got|gotten|found|started(?: at)?|was given|were given)"
    rf"(?: an?| my| our)? new) (?P<t>{_EN}){_LATELY}$"
    rf"|(?:am|was|were|got) (?:wrong|mistaken|mixed up) (?:about|with) (?:my|our) (?P<w>{_EN})$"
    rf"|(?:my|our) (?P<u>{_EN}) (?:has |have |just |recently )*changed{_LATELY}$",
    re.IGNORECASE,
)
_TOLD_EN: Final = regex(
    rf"(?:(?:(?:the|my|our) )?new (?:one|guy|{_EN})|it|that|(?:his|her|their|the) name|"
    rf"my (?:{_EN}))(?: is|'s|:)(?: now| called)* (?P<v>.+)$",
    re.IGNORECASE,
)
_NEWS_ZH: Final = regex(
    rf"(?:给?我们?|公司|部门|组里|团队|那边|最近|刚刚?|又|已经|上[周个]月?)*"
    rf"(?:换|更换|变更|改)了?(?:一?[个位]|新的?)*(?P<t>{_ZH})(?:了|啦)?$"
    rf"|(?:的|我的?)?(?P<u>{_ZH})(?:最近|刚刚?|又|已经|也)*(?:换|变|改)(?:人|掉)?(?:了|过了|啦)$"
    rf"|(?:新?来|有)了?(?:一?[个位])?新的?(?P<w>{_ZH})(?:了|啦)?$"
)
_TOLD_ZH: Final = regex(
    rf"(?:新来?的?)?(?:那?[个位])?(?:{_ZH})?(?:现在|目前|已经)*"
    rf"(?:是|叫|为|换成了?|变成了?|改成了?|用的?是?|在|去了?|：|:)\s*(?P<v>[^，。]+?)"
    rf"(?:上班|工作|这个|那边)?(?:了|啦|哦)?$|(?P<s>姓[\u4e00-\u9fff]{{1,2}})$"
)
_IS_JOB: Final = regex(rf"{JOB}$")
_VALUES: Final = {
    "birthday": regex(r"(?=.*\d)[\w ,/.]{3,30}$"),
    "age": regex(r"\d{1,3}$"),
    "phone": regex(r"\+?\d[\d ()-]{5,}\d$"),
    "email": regex(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$"),
    "wechat": regex(r"[\w-]{3,30}$"),
    "address": regex(r"(?=.*\d).{5,80}$|[\u4e00-\u9fff\w]{5,60}$"),
    "employer": regex(
        r"[A-Z][\w&.'’ -]{1,40}$|(?!个|做|当|一)[\u4e00-\u9fffA-Z][\u4e00-\u9fff\w]{1,20}$"
    ),
}


def announced(clause: Clause) -> str | None:
    """What a clause says has changed, without saying to what: a word such as "boss" or 号."""
    if clause.language == "en":
        match = _NEWS_EN.match(clause.predicate) if clause.subject == "user" else None
    elif clause.subject in ONE_AT_A_TIME:
        # 我老板换人了: the one who changed is the subject.
        return clause.subject if re.match(r"换(?:人)?[了啦]$", clause.predicate) else None
    else:
        match = _NEWS_ZH.match(clause.predicate) if clause.subject == "user" else None
    return None if match is None else next(filter(None, match.groups())).lower()


def told(clause: Clause, news: str, before: str) -> Finding | None:
    """The new value that a clause gives right after `before`, which announced it."""
    match = (_TOLD_EN if clause.language == "en" else _TOLD_ZH).match(clause.predicate)
    if match is None:
        return None
    value = trimmed(next(filter(None, match.groups())))
    attribute = _THINGS.get(news) or ONE_AT_A_TIME[news]
    if attribute == "employer" and clause.language == "zh" and _IS_JOB.search(value):
        return None  # 换工作了，现在是急救员: the clause says it without the news
    fits = _VALUES.get(attribute)
    if not (is_name(value, clause.language, surname=True) if fits is None else fits.match(value)):
        return None
    joint = "，" if clause.language == "zh" else ", "
    return Finding(
        attribute,
        value,
        importance=0.7,
        subject=news if attribute == "name" else "user",
        text=f"{before.rstrip('。.!！ ')}{joint}{clause.text}",
    )
