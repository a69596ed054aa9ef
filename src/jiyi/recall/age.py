"""How long ago something was, in words of either language."""

from __future__ import annotations

from datetime import datetime

from jiyi.text.language import Language


def age_in_words(moment: datetime, now: datetime, language: Language) -> str:
    """The distance of two aware times in calendar units of `now`'s zone, rounded down.

    "today", "yesterday", days below two weeks, weeks below nine, months below two years, then
    years; "in 3 days" and 3 天后 for the future.
    """
    then = moment.astimezone(now.tzinfo).date()
    today = now.date()
    earlier, later = min(then, today), max(then, today)
    days = (later - earlier).days
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    months -= later.day < earlier.day
    if days == 0:
        return "今天" if language == "zh" else "today"
    if days == 1:
        return _NEXT[language][then > today]
    if days < 14:
        amount, unit = days, 0
    elif days < 63:
        amount, unit = days // 7, 1
    elif months < 24:
        amount, unit = months, 2
    else:
        amount, unit = months // 12, 3
    return _phrase(amount, unit, language, future=then > today)


_NEXT: dict[Language, tuple[str, str]] = {
    "zh": ("昨天", "明天"),
    "en": ("yesterday", "tomorrow"),
}
_UNITS: dict[Language, tuple[str, ...]] = {
    "zh": ("天", "周", "个月", "年"),
    "en": ("day", "week", "month", "year"),
}


def _phrase(amount: int, unit: int, language: Language, *, future: bool) -> str:
    name = _UNITS[language][unit]
    if language == "zh":
        return f"{amount} {name}{'后' if future else '前'}"
    plural = name if amount == 1 else name + "s"
    return f"in {amount} {plural}" if future else f"{amount} {plural} ago"
