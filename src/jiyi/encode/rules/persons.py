"""Who somebody close is, in both languages: "my boss is Ingrid", 我老板是老李."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.text.language import Language
from jiyi.text.patterns import regex

ONE_AT_A_TIME: Final = {
    word: attribute
    for attribute, words in (
        ("manager", "boss|manager|supervisor|老板|领导|上司|主管|经理"),
        (
            "name",
            (
                "wife|husband|spouse|partner|girlfriend|boyfriend|mentor|doctor|dentist|therapist|"
                "landlord|advisor|team lead|coach|accountant|lawyer|solicitor|vet|gp|hairdresser|"
                "barber|nanny|"
                "babysitter|tutor|physio|line manager|"
                "roommate|flatmate|housemate|business partner|"
                "老婆|妻子|爱人|老公|丈夫|对象|女朋友|男朋友|女友|男友|房东|导师|教练|班主任|医生|"
                "室友|舍友|组长|搭档|合伙人"
            ),
        ),
    )
    for word in words.split("|")
}
"""People of whom there is one at a time, and the attribute that their name fills. "My friend is
Ann" tells of one of several."""

_NAMED_EN: Final = regex(
    r"(?:is|changed to|has changed to)(?: now| called| named)* (?P<v>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?"
    r"[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2})(?: now| these days| again| from now on)*$"
)
NO_NAME: Final = regex(
    r"(?:\w+(?:ish|ese|[srlv]ian|anian|inian|gian|dian)|French|German|Greek|Dutch|Swiss|Thai|Iraqi|"
    r"American|Mexican|African|Korean|Chilean|Cuban|Irish|Muslim|Christian|Catholic|Jewish|"
    r"Buddhist|Hindu|\w+day)\b"
)
"""Words with a capital that are no names: peoples, faiths, days."""
_NAMED_ZH: Final = regex(
    r"(?:现在|目前)?(?:换成了?|变成了?|改成了?|是|叫)\s?(?P<v>(?:[小老阿][\u4e00-\u9fff]|"
    r"[\u4e00-\u9fff](?:总|工|哥|姐|老师|经理|医生|教授)|"
    r"[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚"
    r"卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤]"
    r"[\u4e00-\u9fff]{1,2}|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?))(?:了|啦)?$"
)
# "Ben is our team lead now": the one who is it, of a role of which there is one.
_ROLE_EN: Final = regex(
    r"is (?:now )?(?:my|our) (?:new |current )?(?P<role>team lead|tech lead|boss|(?:line |project |"
    r"product "
    r"|office |account |general )?manager|supervisor|pm|cto|ceo|landlord|landlady|dentist|"
    r"therapist|gp|vet|"
    r"accountant|lawyer|solicitor|mentor|coach|scrum master|product owner|designer|wife|husband|"
    r"partner|girlfriend|boyfriend|fianc[ée]e?|roommate|flatmate|hairdresser|nanny)(?: now|"
    r" these days)?$",
    re.IGNORECASE,
)
_GONE: Final = regex(r"\b(?:old|former|ex|late|previous|last|other)\b|前|以前")
_OF_KIND: Final = regex(r"(?:人|(?<!老)师|(?<!医)生|员)$")


def is_name(text: str, language: Language, *, surname: bool = False) -> bool:
    """Whether a text may be somebody's name: "Tom Reed", 王医生; not 护士. `surname`: 姓陈 too."""
    if surname and text.startswith("姓"):
        return True
    match = _NAMED_EN.match(f"is {text}") if language == "en" else _NAMED_ZH.match(f"是{text}")
    return match is not None and not (NO_NAME.match(match["v"]) or _OF_KIND.search(match["v"]))


def somebody(clause: Clause) -> Finding | None:
    """The name of the one whom a clause speaks of by what they are to the speaker."""
    if (role := _ROLE_EN.match(clause.predicate)) is not None and clause.subject != "user":
        word = role["role"].lower()
        known = ONE_AT_A_TIME.get(word, "detail/" + word)
        subject = word if known == "name" else "user"
        return Finding(known, clause.subject, importance=0.65, subject=subject)
    attribute = ONE_AT_A_TIME.get(clause.subject)
    if attribute is None or _GONE.search(clause.subject_words):
        return None
    match = (_NAMED_EN if clause.language == "en" else _NAMED_ZH).match(clause.predicate)
    if match is None or NO_NAME.match(match["v"]) or _OF_KIND.search(match["v"]):
        return None
    subject = "user" if attribute == "manager" else None
    return Finding(attribute, match["v"], importance=0.65, subject=subject)


def of_whom(finding: Finding, clause: Clause) -> Finding:
    """A finding under the one whom it is about: "my manager's name is Wei" names the speaker's
    manager, "my friends call me Pip" the speaker."""
    if finding.attribute == "name" and ONE_AT_A_TIME.get(clause.subject) == "manager":
        return replace(finding, attribute="manager", subject="user")
    if finding.attribute == "nickname" and clause.predicate.lower().startswith("call me "):
        return replace(finding, subject="user")
    return finding
