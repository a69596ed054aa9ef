"""The profile: hard facts and learned ones, and their editor."""

from __future__ import annotations

import json

from jiyi.encode.slots import SLOTS, cardinality_of, label_of
from jiyi.inspector.answer import Answer, Away, Page
from jiyi.inspector.visit import Visit
from jiyi.types import Json


def profile(visit: Visit) -> Answer:
    """What is known of the user, exactly."""
    known = visit.view().profile()
    return Page("profile.html", {"profile": known, "attributes": sorted(SLOTS)})


def change(visit: Visit) -> Answer:
    """Set a learned field: a new value replaces the old one, which stays in the history."""
    view = visit.view("write")
    attribute, value = visit.sent("attribute"), visit.sent("value")
    name = label_of(attribute, visit.language)
    kept = view.remember(
        visit.say("{attribute}: {value}", attribute=name, value=value),
        slot={
            "attribute": attribute,
            "value": value,
            "cardinality": cardinality_of(attribute),
        },
        source="inspector",
    )
    edited = visit.form.get("memory_id")
    if edited and edited != kept.memory_id and view.get(edited).status == "active":
        # Of a field with several values the new one did not replace it.
        view.update(edited, valid_to=visit.now)
    return Away(visit.link("/profile", said="saved"))


def set_permanent(visit: Visit) -> Answer:
    """Set or remove a hard fact."""
    value = visit.form.get("value", "").strip()
    visit.view("admin").set_permanent(**{visit.sent("name"): _read(value) if value else None})
    return Away(visit.link("/profile", said="saved"))


def _read(text: str) -> Json:
    """A JSON value where the text is one (3, true, ["a"]), else the text itself."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value
