"""What a question asks for besides its topic: the assistant's own words, or the latest state.

What the assistant said is evidence only when it is meant, and being new is evidence only for a
question about now or about last time.
"""

from __future__ import annotations

import re

from jiyi.recall.pasted import lines_of
from jiyi.text.patterns import regex
from jiyi.text.sentences import sentences

_ENGLISH = regex(
    r"\b(?:did|have|had|do) you (?:\w+ )?(?:say|said|tell|told|suggest\w*|recommend\w*|advise\w*"
    r"|mention\w*|propose\w*|give|gave|given|list\w*|write|wrote|written|explain\w*|call\w*|answer\w*"
    r"|describe\w*|calculate\w*|estimate\w*|show\w*|provide\w*|offer\w*|promise\w*)\b"
    r"|\byou(?:'ve|'d| have| had| just| also| once| previously| already)? (?:said|told|suggested"
    r"|recommended|advised|mentioned|proposed|gave|given|listed|wrote|explained|answered|described"
    r"|calculated|estimated|showed|provided|offered|promised|came up with)\b"
    r"|\byour (?:\w+ )?(?:suggestion|recommendation|advice|answer|reply|response|explanation|list"
    r"|proposal|plan|idea|estimate)s?\b"
    r"|\b(?:the )?(?:assistant|bot|ai)(?:'s)? (?:\w+ )?(?:said|told|suggest\w*|recommend\w*|advice"
    r"|advise\w*|mention\w*|propose\w*|gave|give|list\w*|answer\w*|repl\w+|explain\w*|say)\b",
    re.IGNORECASE,
)
_CHINESE = regex(
    "你(?:之前|上次|刚才|刚刚|当时|曾经|曾|那天|昨天|前天|先前|以前|后来|有没有|是怎么|怎么|都|还|又|也|给我|帮我|跟我|和我|向我|对我|为我){0,3}"
    "(?:说|讲|推荐|建议|提到|提过|提议|提醒|告诉|列|写|解释|回答|回复|介绍|给出|给的|算|估|答应|承诺|教)"
    "|你的(?:建议|推荐|回答|回复|解释|方案|提议|意见|答复|说法)"
    "|(?:助手|助理|AI|机器人)(?:之前|上次|刚才|当时|曾经|曾|是怎么|怎么|都|还|给我|帮我|跟我|向我|对我|为用户|给用户|向用户|对用户){0,3}"
    "(?:说|讲|推荐|建议|提到|提过|提议|提醒|告诉|列|写|解释|回答|回复|介绍|给出|给的|算|估|答应|教|的)",
    re.IGNORECASE,
)


def asks_for_assistant(query: str) -> bool:
    """Whether the question is about what the assistant said ("what did you suggest", 你建议过)."""
    return bool(_ENGLISH.search(query) or _CHINESE.search(query))


_RECENT_ENGLISH = regex(
    r"\b(?:last time|latest|newest|most recent(?:ly)?|recent(?:ly)?|lately|current(?:ly)?|now"
    r"|nowadays|these days|at the moment|at present|right now|so far|still|any ?more|any longer"
    r"|up to date|as of (?:now|today)|just (?:now|said|told|mentioned|talked|discussed)"
    r"|previous(?:ly)?|earlier|we (?:were|left)|where (?:did )?we)\b",
    re.IGNORECASE,
)
_RECENT_CHINESE = regex(
    "上次|上回|最近|近来|近期|现在|目前|当前|如今|眼下|最新|刚才|刚刚|还在|至今|到现在|这阵子|这段时间"
    "|之前(?:说|聊|谈|讲|提)|接着"
)


def asks_for_recent(query: str) -> bool:
    """Whether the question is about now or last time ("currently", "last time", 最近, 上次)."""
    return bool(_RECENT_ENGLISH.search(query) or _RECENT_CHINESE.search(query))


_ASKS = regex(
    r"[?？]"
    r"|\b(?:who|whom|whose|what|when|where|why|how|which|whether)\b"
    r"|^\W*(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|has|have|had)\b"
    r"|\b(?:tell|show|list|find|remind|give|summari[sz]e|describe|explain|name|recall|compare|help"
    r"|suggest|recommend|i (?:want|need|would like|'d like) to know)\b"
    r"|谁|什么|怎么|怎样|哪|几|多少|多久|多大|为何|是不是|有没有|能不能|可不可以|要不要|(?:吗|呢|么)\W*$"
    r"|告诉|说说|讲讲|列|找|回忆|总结|介绍|描述|推荐|建议|提醒|帮我|请|想知道|想问",
    re.IGNORECASE,
)
_QUOTED = regex(r"\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|《[^》\n]*》")
_REMARK = 6  # characters from which a sentence that does not ask tells something


def asks_something(query: str) -> bool:
    """Whether a text asks or requests something and nothing else: neither a piece of a
    conversation, nor a remark that a question follows ("We won again! How shall we celebrate?")."""
    if lines_of(query):
        return False
    own = _QUOTED.sub("x", query)
    parts = [own[start:end] for start, end in sentences(own)]
    told = [part for part in parts if len(part) >= _REMARK and not _ASKS.search(part)]
    return bool(parts) and not told and bool(_ASKS.search(parts[-1]))


_THE_USER = regex(r"\b(?:the|this|our) user(?:['’]s)?\b|(?:这位|该|本)?用户的?", re.IGNORECASE)


def without_the_user(query: str) -> str:
    """The question without the words for the one whose memory this is ("the user", 用户).

    Who asks about somebody's memory from outside names them by a word that the memory never holds.
    """
    rest = _THE_USER.sub(" ", query)
    return rest if rest.strip() else query


_ONESELF = regex(r"\b(?:i|i['’]\w+|me|my|mine|we|us|our|ours)\b|[我咱俺]|本人", re.IGNORECASE)


def names_oneself(query: str) -> bool:
    """Whether the question speaks of who asks ("my job", 我)."""
    return bool(_ONESELF.search(query))
