"""What kind of turn this is: who speaks, in which language, and whether for themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from jiyi.text.language import Language, language_of
from jiyi.text.patterns import regex
from jiyi.text.scripts import han_pattern
from jiyi.types import Turn

_TASK: Final = regex(
    r"\s*(?:please |kindly |can you |could you |i want you to |i need you to )*(?:you(?:'re|"
    r" are| will)\b|act as|your (?:task|job|role)|(?:re)?write|create|generate|"
    r"summari[sz]e|translate|compose|draft|design|develop|make (?:a|an|me)|give me|provide|list|"
    r"paraphrase|base|answer the|explain|analy[sz]e|assist|improve|"
    r"correct|edit|rephrase|pretend|imagine|continue|complete|prepare|produce|as an? )\b"
    r"|(?:请|帮我|麻烦|你来)*(?:写|生成|翻译|总结|润色|扮演|作为|根据|基于|列出|设计(?!稿|师|图|部|院|费|组|方案|类|感|系)|创作|你是|"
    r"你现在是|你将|你的任务|续写|改写|分析|解释|概括|撰写|编写|制作|整理以下|阅读)",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = regex(r"\b(?:i|i'm|i've|my|me|we|our)\b|我|咱", re.IGNORECASE)
LONG: Final = 600
"""Characters. A longer turn with few words about its speaker is a document."""


_LETTER: Final = regex(r"[^\W\d_]")
# A turn that speaks of somebody without naming them: a pronoun, or Chinese without a subject.
_LEANS: Final = regex(
    r"\b(?:he|she|they)\b|^\s*(?!我|咱|俺|本人)[\u4e00-\u9fff]|他|她", re.IGNORECASE
)


def is_task(text: str) -> bool:
    """Whether a turn hands over a task or a document, whose sentences are about that and not
    about the user: only what speaks of "I" and "my" counts there."""
    if _TASK.match(text):
        return True
    return len(text) > LONG and len(_FIRST_PERSON.findall(text)) < len(text) / 150


_WRITING: Final = regex(
    r"\s*(?:please |kindly |now |can you |could you |i want you to |i need you to |"
    r"help me (?:to )?)*(?:"
    r"(?:re)?write|draft|compose|translate|paraphrase|rephrase|summari[sz]e|generate|continue|"
    r"pretend|"
    r"imagine|act as|you are|you will be|give me (?:\w+ ){0,3}(?:articles?|stor(?:y|ies)|posts?|"
    r"essays?))\b"
    r"|\s*(?:请|帮我|麻烦|你来|再)*(?:写|翻译|润色|扮演|续写|改写|撰写|编写|你是|你现在是|假如你)",
    re.IGNORECASE,
)


# "Fix the grammar and send me a cleaner version", "three blog posts, each with a tagline": what
# is asked for says "I" as somebody else would.
_REVISING: Final = regex(
    r"\b(?:fix|correct|polish|improve|proofread|edit|revise|rewrite|rephrase|reword|shorten|smooth)\b"
    r"[^.?!\n]{0,40}\b(?:gramma\w+|wording|mistakes|errors|spelling|version|text|essays?|letters?|"
    r"paragraphs?|drafts?|e-?mails?|proposals?|articles?|tone|resume|cv|posts?)\b"
    r"|\b(?:write|draft|create|generate|compose|make|need|give me|send me)\b[^.?!\n]{0,60}"
    r"\b(?:articles?|blogs?|blog posts?|essays?|cover letters?|stor(?:y|ies)|scripts?|ads?|"
    r"captions?|cta|newsletters?|speech(?:es)?|slogans?|taglines?|testimonials?|monologues?)\b"
    r"|(?:润色|修改|改写|校对|改一?改|改一?下|精简|缩写|扩写)[^。？！\n]{0,16}(?:语法|文字|措辞|版本|文章|作文|信|段落|稿|"
    r"邮件|简历|文案|语气)"
    r"|(?:写|起草|生成|来)[^。？！\n]{0,16}(?:文章|博客|作文|求职信|故事|剧本|文案|演讲稿|情书|检讨|广告|标语|台词)",
    re.IGNORECASE,
)


def asks_for_a_text(text: str) -> bool:
    """Whether a turn asks for a text to be written or a part to be played: who says "I" in the
    answer is nobody here."""
    return _WRITING.match(text) is not None or _REVISING.search(text) is not None


# 张伟 is our PM
_NAME_THEN_ENGLISH: Final = regex(
    r"[\u4e00-\u9fff]{2,4} (?:is|was|has|works|lives|likes|loves|handles|and I|will|does|can|"
    r"owns) [^\u4e00-\u9fff]+$"
)
_RECORD: Final = regex(r"\s*[\[【][^\W\d_]")
_LETTER_TO: Final = regex(
    r"\s*[\[【][^\]】\n]{0,10}(?:短信|微信|私信|邮件|消息|发送|发出|sent|sms|message|mail|whatsapp)",
    re.IGNORECASE,
)


def is_record(text: str) -> bool:
    """Whether a turn is a labelled record, "[Note] …", and not said to anybody here."""
    return _RECORD.match(text) is not None


def is_letter(text: str) -> bool:
    """Whether a turn is a labelled message that its speaker wrote to somebody else, who then is
    "you", and is asked to remember."""
    return _LETTER_TO.match(text) is not None


def statement_language(text: str) -> Language:
    """The language whose grammar a statement follows: 我的 iPhone 15 Pro Max is Chinese, whatever
    the share of Latin letters."""
    letter = _LETTER.search(text)
    if letter is not None and han_pattern.match(letter.group()):
        return "en" if _NAME_THEN_ENGLISH.match(text) else "zh"
    return language_of(text)


def speaker_of(turn: Turn, previous: Sequence[Turn]) -> str:
    """ "user", or the speaker's name where the conversation has several people of this role."""
    if turn.name is None:
        return "user"
    others = {t.name for t in previous if t.role == "user" and t.name is not None}
    return turn.name if others - {turn.name} else "user"


def leans_on_before(turn: Turn) -> bool:
    """Whether a turn speaks of somebody whom only the turn before names."""
    return _LEANS.search(turn.text) is not None
