"""Which parts of a turn may hold facts at all. What this lets through is still only text: rules
or a model look for facts in it. What it holds back never becomes one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from jiyi.encode.foreign import HIDDEN, without_foreign_text
from jiyi.encode.secrets import MASK, flags_of, redact_secrets
from jiyi.text.patterns import regex
from jiyi.text.sentences import bounded_sentences
from jiyi.types import Kind, Trust, Turn

__all__ = ["MASK", "Statement", "flags_of", "heard", "redact_secrets", "spoken", "statements"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a turn that may hold facts: `text` is the turn's text at `span`, to the letter.

    `kind` and `trust` are set for what an assistant said: it is something that happened, on the
    assistant's word. `paragraph` numbers the blocks of lines, so that a reader knows what stands
    together.
    """

    span: tuple[int, int]
    text: str
    trust: Trust = "user"
    kind: Kind | None = None
    paragraph: int = 0


# --- sentences that state nothing --------------------------------------------------------------

_QUESTION_MARK: Final = regex(r"[?？][\s\"'”’」』）)!！~～]*$")
_QUESTION_EN: Final = regex(
    r"^(?:(?:and|but|so|ok(?:ay)?|well|hey|hi|then|also|now|btw|by the way|oh|um+|hmm+)[\s,]+)*"
    r"(?!when (?:i|we|he|she|they|my \w+)\b)"  # "when I was a student I …" asks nothing
    r"(?:what|where|when|who|whom|whose|why|which|how)(?:\b(?!ever)|['’]?s\b)(?!\s+(?:a|an)\s+"
    r"(?:great|nice|lovely|beautiful|day|shame|pity|relief|mess)\b)(?:\s+\w+){0,5}?\s+"
    r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|to|am|might|shall|"
    r"about)\b"
    r"|^(?:(?:and|but|so|ok(?:ay)?|well|hey|hi|then|also|now|btw|by the way|please)[\s,]+)*"
    r"(?:do|does|did|can|could|would|will|should|shall|may|is|are|am|was|were|has|have|had|"
    r"(?:is|are|do|does|did|could|wo|would|have|has)n['’]?t|can['’]?t)\s+"
    r"(?:i|you|we|they|he|she|it|this|that|there|my|your|our|the|any|some|anyone|someone)\b"
    r"(?!\s+(?:be|not)\b)",
    re.IGNORECASE,
)
_QUESTION_ZH: Final = regex(
    r"(?:[吗么嘛][\s。.!！~～]*$)|(?:是不是|有没有|能不能|可不可以|要不要|会不会|好不好|对不对|"
    r"行不行|"
    r"该不该|难道|请问|(?<!不管)[去在到]哪|哪[里儿个些家位款种]|什么时候|为什么|为啥|怎么(?:办|样|做|弄|用|写|读|去|"
    r"选|看|走|回事)|"
    r"如何|多少[钱个人天]?|(?<![十好这那前后百千上])几[点号岁个]|谁[是的会能]|^谁|是谁|^怎么|什么(?:意思|东西|原因|区别|"
    r"好)|有什么|是什么|"
    r"叫什么|做什么|干什么|吃什么|喝什么|用什么|(?:还|你)记得我|你知道我|能否|可否|是否)"
)
# What is a question only in form, or not at all: 不管怎么样, "whatever".
_NOT_A_QUESTION_ZH: Final = regex(
    r"不管|无论|不论|什么都|怎么都|哪里都|谁都|没什么|没有什么|不知怎么|多少有点|多少还是|"
    r"先问|问我(?:是否|要不要)|问一?下我|告诉我是否|确认是否|检查是否|确认一下是否"
)
_TAG_QUESTION: Final = regex(
    r"(?:,\s*(?:right|correct|yes|no|isn't (?:it|that so)|don't i|do i|am i(?: not)?|aren't i|"
    r"didn't i"
    r"|doesn't (?:it|he|she))|[，,]?\s*(?:对吧|是吧|对不对|是不是|没错吧|对吗|是吗|"
    r"好像是吧))\s*[?？]+\s*$",
    re.IGNORECASE,
)
_HYPOTHETICAL: Final = regex(
    r"\b(?:suppose|supposing|imagine|hypothetically|what if|let's say|let us say|assume|assuming|"
    r"pretend|in theory|say i (?:were|had|lived|was)|for the sake of argument|as if|if only|"
    r"(?:even )?if (?:i|we|my \w+)(?:'d| were| was| had| lived| wanted| could| would| ever| am|"
    r" have| move|"
    r" become| get| did| go| lose| win| want| need| ask| say)|i wish|were i to|had i |"
    r"i would have|i could have|i'd have|would i |"
    r"i (?:almost|nearly) )"
    r"|假如|假设|假定|假使|倘若|设想|想象一下|想像一下|要是|如果(?:我|咱|有一天|能|可以)|我要是|"
    r"我如果|"
    r"我若|比如说我|打个比方|万一|要不是|幻想|差点(?:儿)?(?:就)?",
    re.IGNORECASE,
)
# A supposition or a story goes on to the end of its paragraph.
_FICTION: Final = regex(
    r"^(?:(?:so|ok|okay|now|well|let's|please)[\s,]+)*(?:imagine|suppose|pretend|hypothetically|"
    r"assume)\b"
    r"|想[象像](?:你|我|自己|一下|有)|^(?:假如|假设|假定|设想)"
    r"|\b(?:in|for) (?:my|the|this|a|our) (?:\w+ )?(?:novel|story|screenplay|script|fan ?fic\w*|"
    r"game|dream|"
    r"movie|film|book|short story|d&d campaign|campaign|poem|song|series|manga|comic|play)\b[,:]?"
    r"|\b(?:role[- ]?play\w*|my character|the protagonist|the main character|the hero(?:ine)? |"
    r"once upon a time|"
    r"act as|play the (?:role|part)|you(?:'re| are| will be) (?:playing|acting)|"
    r"write (?:me )?(?:a|an|another|the) "
    r"(?:\w+[ -]){0,4}(?:story|poem|novel|song|scene|dialogue|script|essay|letter|monologue|"
    r"speech|haiku|"
    r"limerick|tale|blog post|article|email|review|cover letter|tweet|ad|paragraph|diary)"
    r"|(?:i|we) (?:dreamt|dreamed) (?:that|about|of|i)\b|in character)"
    r"|(?:小说|故事|剧本|剧情|游戏|梦|电影|电视剧|漫画|动漫|童话|副本|番剧)(?:里|中|当中)|"
    r"角色扮演|扮演|主角|主人公|女主|男主|"
    r"我(?:昨晚|昨天|刚才)?(?:梦见|梦到|做梦)|从前有|台词|"
    r"写(?:一|个|首|篇|段|封|份){1,2}(?:关于|以)?[^，。,]{0,16}(?:故事|小说|诗|剧本|作文|文案|"
    r"歌词|信|情书|演讲稿|文章|散文|日记|检讨|邮件|段子)",
    re.IGNORECASE,
)
_JOKE: Final = regex(
    r"\b(?:just|only|i'?m|i was|was) (?:kidding|joking)\b|\b(?:jk|j/k)\b|\bjust a joke\b|"
    r"\bapril fools?\b|/s\s*$"
    r"|开(?:个|你)?玩笑(?:的|啦|呢|而已)|(?:说|讲)着玩的?|逗你(?:的|玩)|骗你的|闹着玩",
    re.IGNORECASE,
)
_REPORTED: Final = regex(
    r"^(?:according to|as (?:the|per)|the (?:article|book|author|paper|news|report|post|site|"
    r"website|"
    r"documentation|docs|manual|wiki|study|film|movie|song|lyrics|quote|email|ad) (?:say|claim|"
    r"state|report|"
    r"read|mention|write|suggest|argue|goes)|it (?:says|is said)|people say|they say|"
    r"rumou?r has it|studies "
    r"(?:show|say)|research (?:shows|says)|wikipedia)"
    r"|^(?:据说|据报道|有人说|网上说|网友说|书上说|书里说|新闻说|报道称|文章(?:说|称|里|中)|"
    r"俗话说|老话说|百度百科|"
    r"专家说|研究(?:表明|发现)|资料显示|传闻|歌词|常言道|古人云|作者(?:说|认为|写)|原文)",
    re.IGNORECASE,
)
_SMALL_TALK: Final = regex(
    r"(?:(?:hi|hello|hey|yo|good (?:morning|evening|afternoon|night)|"
    r"thanks?(?: you)?(?: so much| a lot| again)?|"
    r"thx|ty|ok(?:ay)?|cool|great|nice|awesome|perfect|sure|yes|yeah|yep|no|nope|lol|haha+|hmm+|"
    r"bye|"
    r"see you(?: later| soon)?|got it|i see|sounds (?:good|great)|no problem|you'?re welcome|"
    r"wow|alright|"
    r"never ?mind|good job|well done|exactly|right|please|sorry|there|again|everyone|all|chat|"
    r"friend)"
    r"[\s,.!~]*)+"
    r"|(?:你好|您好|嗨|哈喽|早上好|晚上好|下午好|中午好|早安|晚安|早|谢谢(?:你|您|啦|了)?|多谢|"
    r"感谢|好的|好|行|"
    r"嗯+|哦+|哈+|嘿+|呵+|是的|对|没错|不客气|辛苦了?|再见|拜拜|明白了?|知道了|收到|可以|没问题|"
    r"没事|算了|"
    r"厉害|太棒了|不错|真好|在吗|啊+|呀|哇+|ok|okk|OK|[，,。.!！~～\s])+",
    re.IGNORECASE,
)

# --- what an assistant says of itself ----------------------------------------------------------

_ASSISTANT: Final = regex(
    r"\b(?:i|we)(?:'ve| have|'d| would|'ll| will)?\s+(?:also\s+|strongly\s+|still\s+|just\s+|"
    r"previously\s+|earlier\s+)*"
    r"(?:recommend(?:ed)?|suggest(?:ed)?|advi[sc]ed?|propos(?:e|ed)|decided|chose|picked|"
    r"went with|booked|"
    r"ordered|sent|scheduled|created|"
    r"promised? (?:you )?to (?:send|remind|prepare|deliver|give|write|call|order|book)|"
    r"saved|updated|set up|reserved|remind you|send you|"
    r"follow up|switched|deployed|fixed)\b"
    r"|\bmy (?:recommendation|suggestion|advice|pick|choice|proposal)\b"
    r"|我(?:之前|刚才|已经|强烈|还是|更|会|来|再|就|也|这边|帮你|为你|给你|都)*"
    r"(?:建议|推荐|决定|选择了|选了|提议|(?:保证|答应|承诺)[^，。]{0,8}(?:发|送|提醒|准备|订|打电话)|预订了|订了|安排了|提醒你|设置了|发送了|"
    r"创建了|更新了|部署了|"
    r"修复了|保存了|预约了)"
    r"|我的(?:建议|推荐|方案|提议)是",
    re.IGNORECASE,
)
# Said for the moment, or of nothing that is named there: "I'll send you that shortly".
_ASSISTANT_MOMENT: Final = regex(
    r"\b(?:shortly|right away|right now|in a moment|momentarily|as soon as (?:possible|you)|"
    r"once you|"
    r"separate message|(?:recommend|suggest) (?:that )?we|(?:this|next|our|future) conversations?|"
    r"recommend you (?:to )?(?:evaluate|assess|think|consider)|here(?:'s| is| are)|as an ai|"
    r"language model|my (?:love|dear|darling|"
    r"sweet))\b"
    r"|\b(?:recommend(?:ed)?|suggest(?:ed)?|advised?|proposed?|created|saved|updated|fixed|set up|"
    r"send you|sent|promise)\W+(?:(?:that|you|to|we|using|use|trying|doing|keeping|and|correct|"
    r"fix|try|check|\w+ing) )*"
    r"(?:it|this|that|these|those|them|take care|everything)\b(?! (?:week|month|year|morning|"
    r"evening))"
    # "I suggest a simple structure": it is told after that
    r"|\b(?:recommend|suggest|propose) an? (?:[\w-]+ ){0,3}(?:structure|approach|plan|method|"
    r"framework|format|way|strategy|system|template|process|outline|order|breakdown)\W*$"
    # whoever chose this job is not the assistant
    r"|^\W*as an? [^,]{3,60}, (?:we|i)\b|\b(?:chose|picked) (?:this|that|my)\b|"
    r"\bi was (?:hired|born|raised|promoted)\b|\bmy system\b"
    r"|\b(?:reflect|incorporate|include|address|handle|do) (?:this|that|these|those|it)\b"
    r"|^[\W\d]*(?:\.\.\.|…)|马上就|稍后|这就|请稍等|作为(?:一个)?(?:AI|人工智能|语言模型)|亲爱的"
    r"|(?:建议|推荐|保存|更新|创建|修复|发送)了?(?:它|这[个些样]|那[个些样]|一下这)",
    re.IGNORECASE,
)
_REFUSED: Final = regex(
    r"\bas an ai\b|\b(?:i'm|i am) (?:sorry|unable)\b[^.]{0,40}\b(?:can(?:not|'t)|unable|not able|"
    r"would not)"
    r"|作为(?:一个)?(?:AI|人工智能|语言模型)|(?:抱歉|对不起)[，,][^。]{0,20}(?:无法|不能)",
    re.IGNORECASE,
)
# An actor on a stage: "(I stroke your hair)", "*smiles*".
_STAGED: Final = regex(
    r"[(（] ?I [a-z]|(?<!\*)\*(?!\*)(?:i|he|she|smiles?|leans?|sighs?|nods?) ?[^*\n]{0,80}\*(?!\*)",
    re.IGNORECASE,
)
# From here on it is a text that was asked for.
_DRAFT_BEGINS: Final = regex(
    r"\bhere(?:'s|’s| is| are)[^\n.]{0,40}\b(?:draft|template|sample|script|letter|e-?mail|"
    r"message|post|"
    r"essay|story|speech|record|pitch|version|rewrite|revision|poem|dialogue)s?\b"
    r"|(?:以下是|下面是|这是)[^。\n]{0,16}(?:草稿|初稿|模板|范文|邮件|文案|稿子|脚本|文章|信|故事)",
    re.IGNORECASE,
)
_ASSISTANT_IDLE: Final = regex(
    r"\b(?:if (?:you|i|we)|let me know|would you like|feel free|happy to|glad to|remember that|"
    r"anything else|(?:recommend|suggest|advise) (?:that )?(?:(?:you|we)(?: \w+ly)? (?:start|begin|"
    r"continue|check|consider|look|focus|outline|prioriti[sz]e|keep|review|break|invest|explore)|"
    r"starting|checking|"
    r"focusing|beginning|trying|looking|considering|reaching|reviewing|exploring|consulting|"
    r"doing|taking|making|keeping|setting|breaking|prioriti[sz]ing)\b|(?<=after )i promised|"
    r"建议(?:先|从|在|多|尽量|定期|每天|可以)|"
    r"cannot|can't|could you|as an ai)\b|如果你|您可以|需要我|要不要我|随时告诉",
    re.IGNORECASE,
)

# A text that an assistant drafts for somebody speaks with that person's "I".
_DRAFTED: Final = regex(
    r"\[(?:your|my|the|recipient|client|customer|company|recruiter|hiring|position|first|last|"
    r"insert|name|date)\b[^\]\n]{0,30}\](?!\()|(?:^|\n)[\s>*\"“]*(?:dear|subject:|hi|hello) ?"
    r"[^\n]{0,40}(?:,|:)?\n(?=[\s\S]*\b(?:regards|sincerely|best wishes|cheers|yours)\b)"
    r"|【(?:您|你|姓名|公司|日期|对方)[^】\n]{0,12}】|(?:此致|敬礼|敬上|尊敬的)",
    re.IGNORECASE,
)


class Heard(NamedTuple):
    """One sentence of a user's own words, foreign text hidden: where it begins and ends in the
    turn, and whether it opens a story or supposes something."""

    start: int
    end: int
    text: str
    fiction: bool
    supposed: bool


def heard(text: str) -> list[Heard]:
    """The sentences of a user's turn: what both `spoken` and `statements` begin with."""
    kept = without_foreign_text(text)
    found: list[Heard] = []
    for start, end in bounded_sentences(kept):
        said = kept[start:end]
        fiction, supposed = _FICTION.search(said), _HYPOTHETICAL.search(said)
        found.append(Heard(start, end, said, fiction is not None, supposed is not None))
    return found


def statements(turn: Turn, said: Sequence[Heard] | None = None) -> list[Statement]:
    """The parts of a turn that may hold facts, in order.

    Nothing comes from system prompts and tool output; nothing from blocks of code, recalled
    memories, quoted or pasted text; no questions, hypotheticals, fiction, jokes or small talk.
    Of an assistant's turn only what it recommended, decided, did or promised. `said` is what
    `heard` made of a user's turn, where it is at hand.
    """
    if turn.role in ("system", "tool") or not turn.encodable:
        return []
    if turn.role == "assistant":
        return list(_assistant_statements(turn.text))
    if _JOKE.search(turn.text):
        return []
    return list(_own_statements(turn.text, heard(turn.text) if said is None else said))


def spoken(said: Sequence[Heard]) -> Iterator[tuple[int, str]]:
    """The sentences that a user says in their own words and means, requests and questions
    included: (start in the turn, sentence)."""
    for each in said:
        if not each.supposed and not each.fiction:
            yield each.start, each.text.replace(HIDDEN, " ")


def _own_statements(text: str, said: Sequence[Heard]) -> Iterator[Statement]:
    fiction = -1
    paragraph = 0
    last = 0
    for each in said:
        # Line breaks are never hidden.
        paragraph += text.count("\n\n", last, each.start)
        last = each.start
        if each.fiction:
            fiction = paragraph
        if paragraph == fiction or each.supposed:
            continue
        if _SMALL_TALK.fullmatch(each.text) or _REPORTED.search(each.text):
            continue
        for part_start, part_end in _asserted(each.text):
            begin, stop = each.start + part_start, each.start + part_end
            if HIDDEN not in each.text[part_start:part_end]:
                yield Statement((begin, stop), text[begin:stop], paragraph=paragraph)
            else:
                hidden = each.text[part_start:part_end]
                yield from _around_hidden(text, hidden, begin, paragraph)


def _assistant_statements(text: str) -> Iterator[Statement]:
    if (
        not _ASSISTANT.search(text)
        or _DRAFTED.search(text)
        or _REFUSED.search(text)
        or _STAGED.search(text)
    ):
        return
    draft = _DRAFT_BEGINS.search(text)
    kept = without_foreign_text(text if draft is None else text[: draft.start()])
    for start, end in bounded_sentences(kept):
        sentence = kept[start:end]
        if (
            HIDDEN not in sentence
            and _ASSISTANT.search(sentence)
            and not _QUESTION_MARK.search(sentence)
            and not sentence.rstrip("* \n").endswith((":", "："))
            and not _ASSISTANT_MOMENT.search(sentence)
            and not _idle(sentence)
        ):
            yield Statement((start, end), text[start:end], "assistant", "episodic")


def _idle(sentence: str) -> bool:
    """Offers and disclaimers before the verb; after it ("let me know") they take nothing back."""
    verb, idle = _ASSISTANT.search(sentence), _ASSISTANT_IDLE.search(sentence)
    before = "" if verb is None else sentence[: verb.start()]
    if before.rfind("(") > before.rfind(")"):
        return True  # an aside: "choose one (I'd suggest the cheaper)"
    return idle is not None and (verb is None or idle.start() < verb.end())


# --- questions ---------------------------------------------------------------------------------

_CLAUSE: Final = regex(r"[^,，]+(?:[,，]+|$)")
_ASKING: Final = regex(
    r"\b(?:tell me|help me|let me know|i (?:want|need|would like|'d like) (?:to (?:know|ask|"
    r"understand|see)|you to)|"
    r"i(?:'m| am) (?:wondering|curious|asking|not sure (?:if|whether|what|how))|"
    r"wonder(?:ing)? (?:if|what|how|whether)|"
    r"do you|can you|could you|would you|any (?:idea|tips|advice|recommendation|suggestion)s?)\b"
    r"|^(?:请|麻烦|帮我|帮忙|给我|你)?(?:介绍|解释|推荐|告诉我|说说|讲讲|列出|列一?下|查一?下|"
    r"搜一?下|找一?下|算一?下)|"
    r"我(?:想|要)(?:问|知道|了解|请教|咨询)",
    re.IGNORECASE,
)


def _asserted(sentence: str) -> list[tuple[int, int]]:
    """The parts of a sentence that assert something: all of it, or, when it asks, the clauses
    before the question."""
    zh_question = _QUESTION_ZH.search(sentence) and not _NOT_A_QUESTION_ZH.search(sentence)
    asks = _QUESTION_MARK.search(sentence)
    if not asks and not zh_question and not _QUESTION_EN.search(sentence):
        return [(0, len(sentence))]
    if _TAG_QUESTION.search(sentence):
        return []
    clauses = [match.span() for match in _CLAUSE.finditer(sentence)]
    kept = [
        span for span in (clauses[:-1] if asks else clauses) if not _asks(sentence[slice(*span)])
    ]
    return _joined(kept, sentence)


def _asks(clause: str) -> bool:
    plain = clause.strip(" ,，")
    return bool(
        _QUESTION_EN.search(plain)
        or (_QUESTION_ZH.search(plain) and not _NOT_A_QUESTION_ZH.search(plain))
        or _ASKING.search(plain)
    )


def _joined(spans: list[tuple[int, int]], sentence: str) -> list[tuple[int, int]]:
    """Neighbouring spans made one, without white space and commas at their ends."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    trimmed = []
    for start, end in joined:
        part = sentence[start:end]
        begin = start + len(part) - len(part.lstrip(" ,，"))
        stop = start + len(part.rstrip(" ,，"))
        if begin < stop:
            trimmed.append((begin, stop))
    return trimmed


def _around_hidden(text: str, kept: str, start: int, paragraph: int) -> Iterator[Statement]:
    """The visible parts of a sentence that holds foreign text and begins at `start`."""
    for match in re.finditer(f"[^{HIDDEN}]+", kept):
        part = match.group()
        begin = start + match.start() + len(part) - len(part.lstrip(" ,，:：。.;"))
        stop = start + match.start() + len(part.rstrip())
        if stop - begin >= 4:
            yield Statement((begin, stop), text[begin:stop], paragraph=paragraph)
