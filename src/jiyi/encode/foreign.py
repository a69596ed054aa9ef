"""Text in a turn that is not its speaker's own: code, recalled memories, quotations, articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from jiyi.text.patterns import regex
from jiyi.text.scripts import han_pattern

HIDDEN: Final = "\x00"
"""Stands for each character of foreign text, so that places stay the same. No turn holds NUL."""

_FENCE: Final = regex(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_INLINE_FENCE: Final = regex(r"```.*?(?:```|\Z)", re.DOTALL)
_TAGGED: Final = regex(
    r"<(memor(?:y|ies)|context|recalled?|documents?|search_results?|tool_(?:result|output|response)"
    r"|function_results?|quote|article|system|untrusted|source|blockquote|email|transcript)\b[^>]*>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
# A heading of recalled text, and everything under it up to an empty line.
_HEADED: Final = regex(
    r"(?im)^[ \t>#*\[【-]*(?:relevant memor|recalled memor|retrieved (?:memor|context|document)"
    r"|memor(?:y|ies) (?:about|of) (?:the )?user|long[- ]term memor|known facts|background memor"
    r"|what (?:i|we) (?:know|remember) about (?:the )?user|search results?|tool (?:output|result)"
    r"|previous(?:ly)? (?:stored )?memor|user profile"
    r"|相关记忆|历史记忆|已知记忆|用户记忆|长期记忆|召回的?记忆|记忆内容|检索结果|搜索结果|"
    r"工具(?:输出|返回|结果)"
    r"|用户画像|已知信息|参考资料|以下是(?:相关|召回|检索|用户)的?(?:记忆|资料|信息))"
    r"[^\n]*\n?(?:[^\n]*\S[^\n]*(?:\n|\Z))*"
)
_QUOTED_LINES: Final = regex(r"(?m)^[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*")
_TABLE_OR_LOG: Final = regex(
    r"(?m)^[ \t]*(?:\|.*\||Traceback \(most recent.*|File \".*|at [\w.$]+\(.*\)|\$ .*|>>> .*"
    r"|(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\n]*?\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE)\b|"
    r"(?:INFO|WARN(?:ING)?|ERROR|DEBUG)\b[: \]])[^\n]*)$"
)
_JSON_BLOCK: Final = regex(r"(?ms)^[ \t]*[{\[]\s*(?:\"|\n\s*[\"{]).*?^[ \t]*[}\]],?[ \t]*$")

# What a device or a mailbox received, under a label that says so: "[Push] …", 【某某】您的订单….
_NOTICE: Final = regex(
    r"(?im)^[ \t]*(?:[\[【(（](?:[^\]】)）\n]{0,8}(?:推送|通知|公告|广告|转发|收到|接收|来信|"
    r"照片|图片|截图|相册|扫描件|验证码)"
    r"|(?:[\w-]+ ){0,2}(?:push|notifications?|alert|received|incoming|inbox|forwarded|fwd|"
    r"newsletter|advert\w*|photos?|pictures?|images?|screenshots?|scan|ocr|"
    r"sponsored)\b)[^\]】)）\n]{0,12}[\]】)）]"
    r"|【[^】\n]{1,16}】(?=亲爱的|尊敬的|您|你关注|恭喜))[^\n]*(?:\n[^\n]*\S[^\n]*)*"
)
# "[Note] …": the label of a record is no part of what it says.
_RECORD_LABEL: Final = regex(
    r"(?m)^[ \t]*\[[^\W\d_][^\]\n\d]{0,11}\](?!\()[ \t]*"
    # … and its title, which Chinese sets apart by a space.
    r"(?:(?=[\u4e00-\u9fff\d])[^\s，。！？：:、；,“”我咱]{4,28}[ \t]+(?=[^\W_]{2}))?"
)
# Who speaks, at the head of a line of a pasted conversation.
_SPEAKER: Final = regex(
    r"(?m)^[ \t]*(?:\[[^\]\n]{1,16}\][ \t]*)?(?P<who>[^\W\d_][\w .'·-]{0,19}?)"
    r"[ \t]*(?:[(（][^)）\n]{1,20}[)）])?[ \t]*[:：](?!//)[ \t]*"
)
_OWN_LABELS: Final = frozenset(["user", "me", "human", "i", "myself", "用户", "我", "本人"])
_MACHINES: Final = frozenset(
    re.findall(
        r"\S+",
        "assistant ai bot chatbot chatgpt gpt model system agent 助手 助理 机器人 系统 模型 客服 "
        "智能助手",
    )
)

# "Translate the following:", after which another text begins.
_PASTE: Final = regex(
    r"(?im)(?:\b(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|edit|correct|"
    r"polish|"
    r"analy[sz]e|review|explain|improve|fix|classify|shorten|reply to|answer|based? (?:\w+ )*on|"
    r"here(?: is|'s|’s| are)|this is|read|see|consider|"
    r"look at|from)\b[^\n.?!]{0,60}?"
    r"\b(?:following|this|below|article|text|paragraph|passage|email|message|essay|story|abstract|"
    r"transcript|post|review|quote|excerpt|document|code|letter|sentence|log|output|prompt|"
    r"blog|report|news|chapter|poem|lyrics|description|bio)\b[^\n.?!:：]{0,40}[:：]"
    r"|\b(?:e-?mail|message|letter|text)\b[^\n.?!]{0,40}\b(?:i|we)(?: have|'ve)? "
    r"(?:just )?(?:received|got)\b[^\n.?!]{0,60}[?:]"
    r"|(?:收到|发来)[^，。！？\n]{0,12}(?:邮件|消息|来信|短信)[^\n。！？]{0,24}[？?：:]"
    r"|(?:翻译|总结|概括|润色|改写|校对|修改|分析|解释|看看|看一?下|读一?下|评价|点评|续写|提炼|"
    r"缩写|扩写|回复|"
    r"原文|文章|内容|文本|段落|邮件|新闻|报道|材料|代码|日志|报错|歌词|作文|简历|通知|公告|"
    r"聊天记录)"
    r"[^\n。！？]{0,20}?(?:如下|以下|下面|下文|这段|这篇|这封|这条|这个|这句|的?内容|是|说|写道|"
    r"写着)?"
    r"[^\n。！？:：]{0,16}[:：])\s*"
)

# "Rewrite this: …": somebody's text follows, however short. To the end of its line.
_DICTATED: Final = regex(
    r"(?im)(?:(?:^|[.!?;,]\s+)(?:(?:please|now|then|and|hey|hi|ok(?:ay)?|can you|could you|"
    r"would you|"
    r"will you|help me(?: to)?|i need you to|i want you to)[\s,]+)*"
    r"(?:(?:translate|rewrite|rephrase|paraphrase|proofread|summari[sz]e|reword|shorten|polish|"
    r"spell-?check|fix the (?:grammar|spelling|typos?)|(?:correct|check)(?: the| my)?(?: grammar| "
    r"spelling| english| this| these| sentence)+)\b[^\n.?!:：]{0,60}"
    r"|how (?:do|would|can|should) (?:i|you|we|one) (?:say|write|translate|put|phrase)\b"
    r"[^\n.?!:：]{0,40})"
    r"[:：]"
    r"|(?:^|[，,。；！？\s])(?:请|麻烦|你|能|可以|帮我|帮忙|给我|再|把|将)*"
    r"[^，,。；！？:：\n]{0,10}?"
    r"(?:翻译|译成|译为|改写|润色|校对|缩写|扩写|续写|仿写|改错|纠正语法|转述|"
    r"用.{1,3}[语文]怎么说|(?:总结|概括|归纳|分析|解释|点评)一?下?(?:下面|以下|这[段句篇些]|上面|下列)|"
    r"怎么翻译|(?:请|帮我|把[^，。]{0,8})(?:总结|概括))[^，,。；！？:：\n]{0,12}[:：])"
    r"[ \t]*(?P<said>[^\n]*)"
)
# "He wrote: …": to the end of the sentence.
_WRITTEN: Final = regex(
    r"(?i)(?:\b(?:he|she|they|someone|somebody|(?:my|our|his|her|their|the) [\w'’]+(?: \w+)?|"
    r"(?-i:(?!We\b)[A-Z][\w’'-]+)) (?:just |then |also |once |recently |has |have )*"
    r"(?:wrote|writes|written|said|says|repl(?:ied|ies)|texted|emailed|messaged|posted|tweeted|"
    r"answered|asked|told)"
    r"(?: [\w'’]+){0,4}\s*[:：]"
    r"|(?:他|她|他们|她们|对方|人家|有人|网友|作者|(?:我的?)?(?:同事|朋友|老板|客户|领导|老师|"
    r"同学|室友|房东|妈妈?|爸爸?|老婆|老公|哥哥|姐姐|弟弟|妹妹|女儿|儿子))[^，,。！？:：\n我]{0,6}"
    r"(?:写道?|说道?|留言|回复|回信|来信|问)(?:我|给我)?[:：])[ \t]*(?P<said>[^\n.。!！?？]*)"
)
# 总结：“…”: a text to work on, in quotation marks.
_ABOUT_TEXT: Final = regex(
    r"(?:\b(?:summari[sz]e|translate|rewrite|classify|analy[sz]e|explain|edit)\b[^\n.?!]{0,16}|"
    r"(?:总结|概括|翻译|改写|分析|解释|润色|分类)[^，。！？\n]{0,8})[:：]\s*$",
    re.IGNORECASE,
)

# Words in quotation marks: a name when short, somebody's speech when long.
_QUOTES: Final = regex(
    r"“([^”\n]{1,2000})”|「([^」\n]{1,2000})」|『([^』\n]{1,2000})』"
    r"|(?<![\w\"])\"([^\"\n]{1,2000})\"(?!\w)|(?<![\w'])'([^'\n]{12,2000})'(?!\w)"
)
_SPEECH_BEFORE: Final = regex(
    r"(?:\b(?:sa(?:y|ys|id|ying)|ask(?:s|ed)?|wrote|writes?|tells?|told|quot\w+|claims?|"
    r"shout\w*|repl\w+|goes|like|reads|read)\b|[说道问写喊答讲称曰]|写着|写道|名为|题为|叫做|"
    r"标题|台词|歌词)"
    r"[\s,，:：]*$",
    re.IGNORECASE,
)
_NAME_CHARS: Final = 24
"""A quotation up to this length that nobody is said to speak is a name or a term, and stays."""

# Write “未采” where nothing was measured: what is to be written is a value, nobody's speech.
_ENTERED: Final = regex(
    r"(?:[写填记标](?:成|为|作|上|入)?|\b(?:write|put|enter|mark|type|print)(?: it| them)?"
    r"(?: as| down)?)"
    r"[\s,，:：]*$",
    re.IGNORECASE,
)
_VALUE_CHARS: Final = 12


def without_foreign_text(text: str) -> str:
    """The text with every character that is not the speaker's own replaced by `HIDDEN`."""
    spans: list[tuple[int, int]] = []
    if "```" in text or "~~~" in text:
        spans += _spans(_FENCE, text)
        spans += _spans(_INLINE_FENCE, text)
    if "<" in text:
        spans += _spans(_TAGGED, text)
    if ">" in text:
        spans += _spans(_QUOTED_LINES, text)
    if "\n" in text:
        spans += _spans(_JSON_BLOCK, text)
    spans += _spans(_HEADED, text)
    spans += _spans(_TABLE_OR_LOG, text)
    if "[" in text or "【" in text or "(" in text or "（" in text:
        spans += _spans(_NOTICE, text)
        spans += _spans(_RECORD_LABEL, text)
    if ":" in text or "：" in text:
        spans += _of_others(text)
        spans += _dictated(text)
    spans += _pasted(text)
    for match in _QUOTES.finditer(text):
        inner = next(group for group in match.groups() if group is not None)
        before = max(0, match.start() - 16)
        speech = _SPEECH_BEFORE.search(text, before, match.start())
        entered = len(inner) <= _VALUE_CHARS and _ENTERED.search(text, before, match.start())
        if (speech and not entered) or len(inner) > _NAME_CHARS:
            spans.append(match.span())
    return _hide(text, spans)


def _pasted(text: str) -> Iterator[tuple[int, int]]:
    """What follows "translate the following:" when it is longer than a phrase."""
    if _PASTE.search(text) is None:
        return
    for match in _PASTE.finditer(text):
        rest = text[match.end() :]
        if len(rest) + len(han_pattern.findall(rest)) > 40 or "\n" in match.group()[-2:]:
            yield (match.end(), len(text))
            return


def _dictated(text: str) -> Iterator[tuple[int, int]]:
    """What follows "translate:" or "he wrote:", however short. Of a quotation, only itself: it is
    hidden whole, whatever its length."""
    for pattern in (_DICTATED, _WRITTEN):
        for match in _matches(pattern, text):
            start, end = match.span("said")
            quote = _QUOTES.match(text, start)
            yield quote.span() if quote is not None else (start, end)
    for quote in _QUOTES.finditer(text):
        if _ABOUT_TEXT.search(text, max(0, quote.start() - 24), quote.start()):
            yield quote.span()


def _of_others(text: str) -> Iterator[tuple[int, int]]:
    """What others say in a pasted conversation, and the labels of the user's own lines.

    Lines labelled as an assistant's make one, and labels of which two come again.
    """
    lines = list(_SPEAKER.finditer(text))
    if not lines:
        return
    named = [match["who"].casefold().strip() for match in lines]
    machines = _MACHINES.intersection(named)
    again = {who for who, times in Counter(named).items() if times > 1}
    if not machines and len(again) < 2:
        return
    ends = [match.start() for match in lines[1:]] + [len(text)]
    for match, who, end in zip(lines, named, ends, strict=True):
        if who in _OWN_LABELS:
            yield match.span()
        elif who in machines or len(again) > 1:
            yield match.start(), end


def _spans(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _matches(pattern, text)]


def _matches(pattern: re.Pattern[str], text: str) -> Iterable[re.Match[str]]:
    """Asked with `search` first, which seldom has to look at all (see `patterns`)."""
    return pattern.finditer(text) if pattern.search(text) is not None else ()


def _hide(text: str, spans: Iterable[tuple[int, int]]) -> str:
    chars: list[str] | None = None
    for start, end in spans:
        if chars is None:
            chars = list(text)
        chars[start:end] = [c if c == "\n" else HIDDEN for c in chars[start:end]]
    return text if chars is None else "".join(chars)
