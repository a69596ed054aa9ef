"""Text that must be handled with care: secrets, and text that gives orders to the model."""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.patterns import regex

MASK: Final = "[secret]"
"""What stands in place of a secret."""

_KEYS: Final = regex(
    r"""
    \b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}        # OpenAI, Stripe and their kin
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}
    | \bxox[abprs]-[\w-]{10,} | \bAKIA[0-9A-Z]{16}\b | \bAIza[\w-]{30,} | \bhf_[A-Za-z0-9]{20,}
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}                      # a JSON web token
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----(?:.*?-----END\ [A-Z ]*PRIVATE\ KEY-----|.*)
    # a password inside an address
    | \b[a-z][a-z0-9+.-]*://[^\s/:@]+:(?P<inurl>(?!\[secret\])[^\s/@]+)@
    """,
    re.VERBOSE | re.DOTALL,
)

# A name for a secret, then its value. "Door code" and "postcode" are no secrets of this kind.
_NAMED: Final = regex(
    r"""
    (?:
        \b(?:pass(?:word|code|phrase)|passwd|pwd|secret(?:\ key)?|private\ key
           |(?:api|access|auth|bearer|refresh|session)[\s_-]?(?:key|token|secret)|token
           |cvv|cvc|pin(?:\ (?:code|number))?|ssn|social\ security(?:\ number)?
           |passport\ (?:number|no\.?)|seed\ phrase|recovery\ (?:code|phrase))\b
        (?:\s+(?:for|of|to|on)\s+[^\s,.;:=]+(?:\s+[^\s,.;:=]+){0,3}?)?
        \s*(?:is(?:\s+now)?|are|was|[:=]|to)\s*
      | (?:密码|口令|密钥|私钥|令牌|暗号|验证码|身份证号?码?|护照号?码?|社保号
          |卡号|银行卡号?|助记词)
        \s*(?:是|为|：|:|=|改成了?|换成了?|改为|设成了?|设为)?\s*
    )
    ["'“「`]?(?P<value>[^\s，。；,;"'”」`]{3,})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_A_VALUE: Final = regex(
    r"(?:the|a|an|my|your|our|not|too|very|so|in|on|at|for|with|expired?|wrong|invalid|missing|"
    r"required|needed|stored|saved|kept|managed|rotated|changed?|reset|weak|strong|safe|secure|"
    r"limit\w*|count\w*|usage|based|always|never|be|get|use|being|什么|多少|[\u4e00-\u9fff]{2,})"
    r"(?![\w-])",
    re.IGNORECASE,
)
_DIGITS: Final = regex(r"(?<![\w.-])\d(?:[ -]?\d){12,18}[Xx]?(?![\w-])")
_SSN: Final = regex(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")

_ORDERS: Final = regex(
    r"""
    \b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:
        (?:previous|prior|above|earlier|preceding|existing|system|all(?:\ of)?\ (?:the|your))\b
        [^.!?\n]{0,20}\b(?:instructions?|prompts?|rules?|guidelines?|messages?|directions?)
      | your\ (?:instructions?|rules?|guidelines?|training|system\ prompt))
    | \byou\ are\ (?:now|no\ longer)\s+(?:an?\b|in\b|bound\b|the\b|free\b|[A-Z])
    | \b(?:reveal|print|show|output|repeat|leak)\b[^.!?\n]{0,30}\b(?:system|hidden|initial)\ prompt
    | \b(?:new|updated)\ (?:system\ )?instructions?\s*:
    | ^\s*(?:\[|<\|?|\#+\s*)?(?:system|im_start|inst)(?:\|?>|\]|\s*:)
    | \b(?:developer|jailbreak|dan|god)\ mode\b
    | \bpretend\ (?:that\ )?you\ (?:have\ no|are\ not\ bound)
    | (?:忽略|无视|忘记|忘掉|跳过|绕过|不要(?:理会|遵守))[^。！？\n]{0,12}
      (?:之前|以上|上面|先前|前面|此前|所有|系统|你的|原来)[^。！？\n]{0,8}
      (?:指令|指示|提示词?|规则|设定|要求|限制|系统消息)
    | 从现在(?:起|开始)[，,]?\s*你(?:就)?(?:是|不再是|将扮演|要扮演)
    | (?:输出|显示|泄露|告诉我|打印|复述)[^。！？\n]{0,10}(?:系统提示词?|系统指令|隐藏指令)
    | 你现在是(?:一个|一名)?(?:没有|不受)[^。！？\n]{0,8}(?:限制|约束) | 越狱模式 | 开发者模式
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)


def flags_of(text: str) -> tuple[str, ...]:
    """What is noticed about a text: "instruction" when it gives the model orders that would
    override its own, "secret" when it holds a password, key, token, card or identity number."""
    flags = []
    if _ORDERS.search(text):
        flags.append("instruction")
    if _secret_spans(text):
        flags.append("secret")
    return tuple(flags)


def redact_secrets(text: str) -> str:
    """The text with every secret replaced by `MASK`; the words around it stay."""
    for start, end in reversed(_secret_spans(text)):
        text = text[:start] + MASK + text[end:]
    return text


def _secret_spans(text: str) -> list[tuple[int, int]]:
    spans = [m.span("inurl") if m.group("inurl") else m.span() for m in _KEYS.finditer(text)]
    for match in _NAMED.finditer(text):
        value = match.group("value")
        if value != MASK and not _NOT_A_VALUE.match(value) and _looks_secret(match.group(), value):
            spans.append(match.span("value"))
    spans += [m.span() for m in _DIGITS.finditer(text) if _is_numbered(m.group())]
    spans += [m.span() for m in _SSN.finditer(text)]
    return _merged(spans)


def _looks_secret(whole: str, value: str) -> bool:
    """A value after "password is" is one unless it is an ordinary word of prose."""
    if re.search(r"[\d_!@#$%^&*+=?~]", value):
        return True
    named = re.match(r"(?:pass|pwd|密码|口令|暗号|secret)", whole, re.IGNORECASE)
    return named is not None and value.isascii() and len(value) >= 4


def _is_numbered(digits: str) -> bool:
    plain = re.sub(r"[ -]", "", digits)
    if len(plain) == 18:
        return _is_identity_number(plain)
    return len(plain) in range(13, 20) and plain.isdigit() and _passes_luhn(plain)


def _passes_luhn(digits: str) -> bool:
    """The check digit of payment cards (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (2 if place % 2 else 1)
        total += number - 9 if number > 9 else number
    return total % 10 == 0 and len(set(digits)) > 1


def _is_identity_number(digits: str) -> bool:
    """The check digit of Chinese identity numbers (GB 11643-1999: weights 2^(17-i) mod 11)."""
    if not digits[:17].isdigit():
        return False
    total = sum(int(d) * (2 ** (17 - i) % 11) for i, d in enumerate(digits[:17]))
    return "10X98765432"[total % 11] == digits[17].upper()


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
