"""What a turn is about: its names, codes and noun phrases, found by rules in both languages."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from jiyi.recall.light_words import (
    ATTRIBUTES_ZH,
    FUNCTION_EN,
    FUNCTION_ZH,
    HAN_RUN,
    LATIN_WORD,
    RELATIVE_EN,
    RELATIVE_ZH,
    VERBS_EN,
    VERBS_ZH,
    han_pattern_of,
    is_light_en,
    word_list,
)
from jiyi.text.entities import find_entities
from jiyi.text.patterns import regex
from jiyi.text.scripts import han_pattern

READ_CHARACTERS: Final = 1_000
"""Of a long turn only so much is read, half from each end: openings and closings name the topic."""

MAX_PHRASE_EN: Final = 3
MAX_PHRASE_ZH: Final = 8

# How much a kind of phrase says about the topic; only their order matters.
CODE: Final = 3.0
NAME: Final = 2.5
PHRASE: Final = 1.5
WORD: Final = 0.7

_MEASURE: Final = "个只条件台本部家位次份张款种辆间套双杯瓶块元点号天周月年岁层楼页章"

_DETERMINERS: Final = frozenset(
    word_list(
        "a an the my our your his her their its this that some any no two three four five of for "
        "about to from with in at on"
    )
)
# Words that begin or end with a light character, kept whole.
_KEPT_ZH: Final = word_list(
    """
    会议 会员 会计 可乐 可可 和平 和谐 对象 对手 对话 要求 想法 不锈钢 有机 有限 能源 能力 再生
    还款 把手 请假 请柬 都市 首都 成都 太阳 太太 太原 太空 地铁 地图 地址 地方 地板 得力 过敏
    过滤 好友 行李 行程 银行 被子 让步 为人 很多 对联 向日葵 从业 花园 花卉 棉花 用户 用品 算法
    读书 听力 收音机 开发 开关 关系 海关 机关 进口 出口 出租 回忆 走廊 住宅 住院 坐标 加油 减肥
    带子 送别 寄宿 吃货 喝彩 看护 做法 买家 卖家 写字楼 拿铁 选手 定金 修车 等级 样品 样本 大学
    大会 大衣 大米 小说 小区 小米 小吃 多媒体 少年 早餐 早饭 晚餐 晚饭 晚会 快递 快餐 慢跑 近视
    远程 长城 长沙 高铁 高中 高血压 新疆 新闻 新娘 天津 天气 天文 月饼 月季 年会 年货 周边 贵州
    贵阳 短信 旧书 进货 试卷 试验 查处 办公室 办公 订阅 订单 发票 发布 收入 收据 放假 关节 开会
    见闻 变量 变压器
    """
)
_BREAKS_ZH: Final = regex(
    f"(?P<kept>{'|'.join(_KEPT_ZH)})"
    f"|(?:[一二两三四五六七八九十百千几每这那某第]+|(?<=\\d))(?:[{_MEASURE}])"
    f"|(?:{han_pattern_of(FUNCTION_ZH, RELATIVE_ZH, VERBS_ZH, ATTRIBUTES_ZH).pattern})"
)
_CLAUSE_EN: Final = regex(r"[.,;:!?()\[\]{}\"“”<>|\n]+(?=\s|$)|[()\[\]{}\"“”<>|\n]+|['](?=\s)")


def topics(text: str) -> dict[str, float]:
    """Phrases of a text that name things, in order of appearance, with their weight (> 0).

    Light words, times and general verbs are left out. The same phrase is returned once.
    """
    half = READ_CHARACTERS // 2
    if len(text) > READ_CHARACTERS:
        text = text[:half] + "\n" + text[-half:]
    text = normalize("NFKC", text).replace("’", "'")
    # Chinese names first: 张医生 is not the measure word 张 and a doctor. Latin names are found as
    # parts of their phrases below ("Sony camera").
    names = [mention for mention in find_entities(text) if han_pattern.search(mention.text)]
    found = [(mention.span[0], mention.text, NAME) for mention in names]
    for mention in names:
        start, end = mention.span
        text = text[:start] + "\n" * (end - start) + text[end:]
    for run in HAN_RUN.finditer(text):
        found.extend(_han_phrases(run.group(), run.start()))
    position = 0
    for clause in _CLAUSE_EN.split(text):
        start = text.find(clause, position)
        position = start + len(clause)
        found.extend(_latin_phrases(clause, start))
    weights: dict[str, float] = {}
    for _, phrase, weight in sorted(found):
        weights[phrase] = max(weight, weights.get(phrase, 0.0))
    return weights


def _han_phrases(run: str, offset: int) -> list[tuple[int, str, float]]:
    result = []
    start = 0
    breaks = [m.span() for m in _BREAKS_ZH.finditer(run) if m.group("kept") is None]
    for end, after in [*breaks, (len(run), len(run))]:
        phrase = run[start:end]
        if len(phrase) >= 2:
            # The head of a Chinese noun phrase stands at its end.
            result.append((offset + start, phrase[-MAX_PHRASE_ZH:], PHRASE))
        start = after
    return result


def _latin_phrases(clause: str, offset: int) -> list[tuple[int, str, float]]:
    result: list[tuple[int, str, float]] = []
    phrase: list[re.Match[str]] = []
    before = ""
    first = True

    def close() -> None:
        if phrase:
            result.append(_weighed(phrase, before, offset, opens=opens))

    opens = False
    for match in LATIN_WORD.finditer(clause):
        word = match.group()
        code = any(char.isdigit() for char in word) and any(char.isalpha() for char in word)
        name = code or word[1:] != word[1:].lower() or (word[0].isupper() and not first)
        light = is_light_en(word.lower(), FUNCTION_EN, RELATIVE_EN)
        verb = not name and is_light_en(word.lower(), VERBS_EN)
        gap = bool(phrase) and clause[phrase[-1].end() : match.start()].strip(" ") != ""
        if gap or light or verb or word.isdigit():
            close()
            phrase = []
        if light or verb or word.isdigit():
            before = word.lower()
        else:
            if not phrase:
                opens = first
            phrase.append(match)
        first = False
    close()
    return result


def _weighed(
    phrase: list[re.Match[str]], before: str, offset: int, *, opens: bool
) -> tuple[int, str, float]:
    words = phrase[-MAX_PHRASE_EN:]
    text = " ".join(word.group() for word in words)
    bare = text.removesuffix("'s")
    if any(char.isdigit() for char in text):
        weight = CODE
    elif any(word.group()[0].isupper() for word in words[1:]) or (
        words[0].group()[0].isupper() and not opens
    ):
        weight = NAME
    elif before in _DETERMINERS or len(words) > 1:
        weight = PHRASE
    else:
        weight = WORD
    return offset + words[0].start(), bare, weight
