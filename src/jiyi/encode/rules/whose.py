"""Whether a clause says whose fact it is: some findings count only with a named subject."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.text.patterns import regex

_OPEN_GOAL: Final = regex(
    r"\bto (?:\w+ ){1,2}?(?:it|them|(?:this|that|these|those)"
    r"(?! (?:week|month|year|summer|winter|spring|fall|autumn|evening|weekend)\b))\b"
    r"|com(?:ing|in['’]) true",
    re.IGNORECASE,
)
# "Love the colours!": said of what lies before the speaker.
_REACTION: Final = regex(r"(?:love|like|enjoy|hate|dislike|adore)s? the\b", re.IGNORECASE)


def told_of_somebody(finding: Finding, clause: Clause) -> bool:
    """Whether a finding that needs a named subject has one: 叫团团 after 我养了一只猫 names the
    cat, not the speaker, and 准备开会 is a line of an agenda."""
    named = clause.subject_words and not clause.lead
    if finding.attribute == "goal" and _OPEN_GOAL.search(finding.value):
        return False
    if clause.predicate.lower().startswith(("my ", "our ")):
        return True
    if finding.attribute == "goal":
        return (
            bool(named)
            or clause.lead == "I'm "
            or (clause.predicate.startswith("目标") and clause.sentence.lstrip().startswith("我"))
        )
    if finding.attribute == "condition" and clause.language == "zh":
        return bool(clause.subject_words) or clause.predicate[:1] not in finding.value[:1]
    if finding.attribute == "salary" and not clause.subject_words:
        # 阿良拍了20场，收入10万: whose, the sentence says only to people.
        return clause.sentence.lstrip().startswith(clause.text[:2])
    if finding.attribute == "employer" and clause.language == "en":
        # "work with influencers" names no employer
        return not finding.value[:1].islower() or (
            bool(clause.subject_words) and " with " not in clause.predicate
        )
    if finding.attribute == "employer" and clause.predicate.startswith("加入"):
        return bool(clause.subject_words)
    if not clause.subject_words and _REACTION.match(clause.predicate):
        return False
    if finding.attribute == "name" and clause.language == "zh":
        return bool(named) or not clause.predicate.startswith("叫")
    return not clause.predicate.lower().startswith(("like ", "likes ")) or bool(
        clause.subject_words
    )
