"""Templates become pages: with the words, dates and links of the visit."""

from __future__ import annotations

import json
import re
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from jiyi.encode.slots import label_of
from jiyi.inspector import plots
from jiyi.inspector.answer import Page
from jiyi.inspector.differences import differences
from jiyi.inspector.language import say, say_reason
from jiyi.inspector.visible import visible
from jiyi.inspector.visit import Visit, form_token
from jiyi.recall.age import age_in_words

_HERE: Final = Path(__file__).parent
STATIC: Final = _HERE / "static"
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def render(page: Page, visit: Visit, *, part: str | None = None) -> str:
    """The page as HTML, or one block of it."""
    template = _templates().get_template(page.template)
    context = {**_words(visit), **page.values, "visit": visit}
    if part is None:
        return template.render(context)
    return "".join(template.blocks[part](template.new_context(context)))


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["visible"] = visible
    templates.filters["json"] = _json
    templates.globals |= {"differences": differences, "meter": plots.meter}
    # Not imported by each template: a block that is shown alone would lack it.
    templates.globals["parts"] = templates.get_template("parts.html").module
    return templates


def _words(visit: Visit) -> dict[str, Any]:
    language = visit.language
    return {
        "t": partial(say, language=language),
        "link": visit.link,
        "may": visit.may,
        "label": lambda attribute: label_of(attribute, language),
        "when": partial(_when, visit),
        "shown": partial(_shown, visit),
        "because": partial(_because, visit),
        "token": _token(visit),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value


def _token(visit: Visit) -> Markup:
    """The hidden field of every form."""
    value = escape(form_token(visit.seal))
    return Markup(f'<input type="hidden" name="form_token" value="{value}">')  # noqa: S704 - hex


def _when(visit: Visit, moment: datetime | None, *, time: bool = False) -> Markup:
    """A date with its age, in the clock's zone."""
    if moment is None:
        return Markup("–")
    now = visit.now
    local = moment.astimezone(now.tzinfo)
    shown = f"{local:%Y-%m-%d %H:%M}" if time else f"{local:%Y-%m-%d}"
    age = age_in_words(moment, now, visit.language)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        local.isoformat(timespec="seconds"), age, shown
    )


def _because(visit: Visit, reason: str | None) -> str | Markup:
    """A reason; where it ends with the id of a memory, that leads there."""
    if not reason:
        return ""
    head, _, id = reason.rpartition(" ")
    if not _ID.fullmatch(id):
        return visible(say_reason(reason, visit.language))
    return Markup("{} {}").format(
        visible(say_reason(head, visit.language)), _memory_link(visit, id)
    )


def _memory_link(visit: Visit, id: str) -> Markup:
    return Markup('<a href="{}"><code>…{}</code></a>').format(
        visit.link(f"/memories/{id}"), id[-8:]
    )


def _shown(visit: Visit, value: object) -> str | Markup:
    """A value of a field, whatever it is."""
    if isinstance(value, datetime):
        return _when(visit, value, time=True)
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "–"
    if value is None or isinstance(value, bool):
        return {None: "–", True: visit.say("yes"), False: visit.say("no")}[value]
    if _ID.fullmatch(str(value)):
        return _memory_link(visit, str(value))
    return visible(visit.say(str(value)))
