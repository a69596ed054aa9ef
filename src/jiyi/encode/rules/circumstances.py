"""What somebody finds hard, lacks or has little of, in both languages: circumstances that help must
reckon with."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Clause, Finding
from jiyi.text.patterns import regex

_HARD_EN: Final = regex(
    r"(?:am |are |is )?(?:struggl(?:e|es|ing)|having (?:trouble|difficulty|a hard time)|"
    r"have (?:trouble|difficulty|a hard time)) (?:with |to |in )?(?!(?:with |to |in )?(?:this|"
    r"that|it)\b)\w.{3,80}$"
    r"|my (?:biggest|main|greatest|only) (?:problem|challenge|weakness|struggle|fear|concern|"
    r"pain point|constraint|limitation|worry|obstacle|bottleneck) (?:is|has been) .{4,90}$"
    r"|find (?:it )?(?!that\b|this\b|out\b).{3,60} (?:hard|difficult|confusing|boring|overwhelming|"
    r"stressful|exhausting|tedious)(?: to .{3,40})?$"
    r"|(?:am|get|get really|am really) (?:afraid|scared|terrified|nervous|anxious) (?:of|about|"
    r"when|in) (?!(?:this|that|it|them|you)\b).{3,60}$",
    re.IGNORECASE,
)
_LITTLE_EN: Final = regex(
    r"\b(?:only have|have only|have limited|have very little|have no|can(?:'t| ?not) afford|"
    r"do(?:n't| not) own|do(?:n't| not) have (?:an?|any|much|access to|enough)) (?!to\b|idea|"
    r"clue|one\b|specific|questions?|doubt|problem|plans? to|"
    r"time (?:now|today|for this)|choice|more\b|(?:that|this|it|them)\b|any (?:more|longer)\b|"
    r"to (?:waste|lose|miss|fail|wait))"
    # "can't afford any mistakes" is a worry, and tells of no lack
    r"(?!(?:any|another|an?) (?:more )?(?:surprise|trouble|mistake|delay|risk|error|distraction|"
    r"problem|failure|setback))\w.{2,70}$",
    re.IGNORECASE,
)
_CANNOT_EN: Final = regex(
    r"\bcan(?:'t| ?not) (?:drive|swim|cook|read music|eat|drink|walk far|see well|hear well|run|"
    r"lift|"
    r"work (?:on|at|late|weekends)|travel|fly|sleep (?:without|on)|concentrate|code|"
    r"speak)\b.{0,60}$",
    re.IGNORECASE,
)
_HARD_ZH: Final = regex(
    r"(?:最大的?|主要的?|唯一的?)?(?:困难|挑战|短板|弱点|痛点|瓶颈|顾虑|担忧|烦恼|限制)(?:是|"
    r"在于).{2,40}$"
    r"|(?:不擅长|不太会|不会(?=开车|游泳|做饭|用电脑|英语|编程|骑车)|总是?学不会|"
    r"老是?学不会).{1,30}$"
    r"|(?:害怕|怕(?![^，。]{1,4}了$)(?!是|你|我|麻烦|万一|[有没太烤弄做出影自到坏断来给把被他她它们大孩别影耽])|恐惧|一.{1,6}就紧张)[^不会来]{0,8}$"
    r"|(?:在|对).{1,20}(?:上|方面|中)?(?:有困难|很吃力|比较吃力|没信心|缺乏信心|感到吃力)$"
)
_LITTLE_ZH: Final = regex(
    r"(?:每[天周月])?(?:只有|仅有|只能(?:抽|拿|花|挤)出?|最多)(?:有|花|抽出?)?\s*(?:\d|"
    r"[一二两三四五六七八九十半几])+.{1,24}$"
    r"|(?:没有|没)(?=车|房|驾照|电脑|手机|编程基础|基础|经验|信用卡|护照|签证|电梯|厨房|"
    r"烤箱).{1,24}$"
    r"|(?:买|负担|承受)不起.{1,20}$"
)


def circumstance(clause: Clause) -> Finding | None:
    """A difficulty or a lack that the clause tells of the speaker or of somebody close."""
    if clause.language == "en":
        if not clause.subject_words and not clause.predicate.lower().startswith(("my ", "our ")):
            return None
        told = (
            _HARD_EN.match(clause.predicate)
            or _LITTLE_EN.search(clause.text)
            or _CANNOT_EN.search(clause.text)
        )
        tag = "circumstances"
    else:
        if not clause.subject_words or clause.lead:
            return None
        told = _HARD_ZH.match(clause.predicate) or _LITTLE_ZH.match(clause.predicate)
        tag = "情况"
    if told is None:
        return None
    return Finding(None, tags=(tag,), importance=0.6, confidence=0.85)
