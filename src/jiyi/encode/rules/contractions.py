"""English as it is typed: contractions spelled out, with their apostrophes or without ("im",
"dont", "gonna"), and short forms of chats. Rules read the plain form; the text stays as it was."""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.patterns import regex

_CONTRACTION: Final = regex(
    r"\bwon['’]t\b|\b(?:can['’]t|cannot)\b|n['’]t\b|['’](?:m|ve|re|ll)\b"
    r"|\b(?:I|we|you|he|she|they)['’]d\b|\b(?:he|she|it|that|there|here|who)['’]s\b"
    r"|\blet['’]s\b"
    # "my mum's a midwife", "my name's Ann": no possessive stands before these
    r"|(?<=\w)['’]s(?= (?:an?|the|called|named|not|never|always|also|now|\d+)\b)"
    r"|\b(?:my|our) [\w-]+['’]s(?= (?:in|from|on|at|allergic|vegan|vegetarian|got|been)\b)"
    r"|(?<=\bname)['’]s(?= \w)",
    re.IGNORECASE,
)
_SPELLED_OUT: Final = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "n't": " not",
    "'m": " am",
    "'ve": " have",
    "'re": " are",
    "'ll": " will",
    "let's": "let us",
}
_ENDINGS: Final = {"d": " would", "s": " is"}

_SHORT: Final = """
    i=I im=I_am ive=I_have dont=do_not doesnt=does_not didnt=did_not cant=can_not wont=will_not
    isnt=is_not arent=are_not wasnt=was_not werent=were_not havent=have_not hasnt=has_not
    hadnt=had_not couldnt=could_not wouldnt=would_not shouldnt=should_not theyre=they_are
    theyve=they_have youre=you_are weve=we_have hes=he_is shes=she_is thats=that_is lets=let_us
    gonna=going_to wanna=want_to gotta=have_to bday=birthday fave=favourite fav=favourite
    ppl=people pls=please plz=please gf=girlfriend bf=boyfriend u=you ur=your rn=right_now
"""
_WORDS: Final = {
    short: full.replace("_", " ")
    for short, _, full in (pair.partition("=") for pair in _SHORT.split())
}
_WORD: Final = regex(
    rf"(?<![\w@.'’/-])(?:(?P<word>{'|'.join(_WORDS)})(?![\w@'’/-]|\.\w)"
    # Words of their own elsewhere: "she fell ill", "my id", "its name", "we were"
    r"|(?P<will>ill)(?= (?:be|have|need|go|take|come|let|start|never|always|try|move)\b)"
    r"|(?P<would>id)(?= (?:like|love|rather|prefer|be|never|hate|say)\b)"
    r"|(?P<it>its)(?= (?:an?|not|now|been|called|spelled|\d)\b))",
    re.IGNORECASE,
)
_TYPED: Final = frozenset([*_WORDS, "ill", "id", "its", "were", "names", "cannot", "me"])
"""Words of which a clause holds one, or an apostrophe, where there is something to spell out. What
stands at a comma is missed, which is rare."""
_TYPED_ANYHOW: Final = _TYPED - {"i"}
_OPENING: Final = (
    # "were based in Austin": nobody asks, and nobody else is named
    (
        regex(
            r"^were (?=(?:based|living|moving|using|trying|saving|planning|expecting|getting|"
            r"hoping|working|building|from|vegan|vegetarian|married|engaged)\b)",
            re.IGNORECASE,
        ),
        "we are ",
    ),
    (
        regex(r"^(?:my names|name is) (?!are\b|and\b|of\b|for\b)(?=\w)", re.IGNORECASE),
        "my name is ",
    ),
    (
        regex(
            r"^(?:(?:me|I) and (?:my [\w-]+(?: (?-i:[A-Z])\w+)?|(?-i:[A-Z])\w+)|"
            r"my [\w-]+(?: (?-i:[A-Z])\w+)? and "
            r"(?:I|me))(?: both| also| just)* (?=(?:are|were|have|live|broke|split|got|had|moved|"
            r"want|plan|"
            r"like|love|work|met|bought|went|run|own|share|do|will|can)\b)",
            re.IGNORECASE,
        ),
        "we ",
    ),
)


_HAS: Final = regex(r" (?:got|been)\b", re.IGNORECASE)


def spelled_out(text: str) -> str:
    """A clause with its contractions and the short forms of chats in full."""
    if (
        "'" not in text
        and "’" not in text
        and _TYPED.isdisjoint(text.split())
        and _TYPED_ANYHOW.isdisjoint(text.lower().split())
    ):
        return text
    text = _WORD.sub(_full_word, _CONTRACTION.sub(_full_form, text))
    for pattern, plain in _OPENING:
        text = pattern.sub(plain, text)
    return text


def _full_word(match: re.Match[str]) -> str:
    if match["word"]:
        return _WORDS[match["word"].lower()]
    return "I will" if match["will"] else "I would" if match["would"] else "it is"


def _full_form(match: re.Match[str]) -> str:
    short = match.group()
    full = _SPELLED_OUT.get(short.lower().replace("’", "'"))
    if full is not None:
        return full
    if short[-1] == "s" and _HAS.match(match.string, match.end()):
        return short[:-2] + " has"
    return short[:-2] + _ENDINGS[short[-1].lower()]
