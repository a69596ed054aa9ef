"""Forgetting: first what would go, then the receipt of what went."""

from __future__ import annotations

from typing import Any, Final

from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.pages.traces import texts_of
from jiyi.inspector.visit import Visit

_SHOWN: Final = 50
_SELECTORS: Final = ("ids", "query", "subject", "session", "before")


def request(visit: Visit) -> Answer:
    """The form, and with selectors what they mean."""
    asked = {name: visit.asked(name) for name in _SELECTORS}
    options = _options(asked, everything=bool(visit.asked("everything")))
    values: dict[str, Any] = {
        "asked": asked,
        "everything": bool(visit.asked("everything")),
        "keep_turns": bool(visit.asked("keep_turns")),
        "plan": None,
    }
    if options:
        view = visit.view("forget")
        plan = view.forget(**options, keep_turns=values["keep_turns"], dry_run=True)
        shown = [*plan.memory_ids[:_SHOWN], *plan.turn_ids[:_SHOWN]]
        values |= {"plan": plan, "texts": texts_of(visit, shown), "shown": _SHOWN}
    return Page("forget.html", values, part="plan")


def forget(visit: Visit) -> Answer:
    """Erase, and show the receipt."""
    given = {name: visit.form.get(name, "").strip() for name in _SELECTORS}
    options = _options(given, everything=bool(visit.form.get("everything")))
    keep = bool(visit.form.get("keep_turns"))
    report = visit.view("forget").forget(**options, keep_turns=keep)
    return Page("receipt.html", {"report": report})


def _options(given: dict[str, str], *, everything: bool) -> dict[str, Any]:
    if everything:
        return {"everything": True}
    options: dict[str, Any] = {name: value for name, value in given.items() if value}
    if "ids" in options:
        options["ids"] = options["ids"].replace(",", " ").split()
    return options
