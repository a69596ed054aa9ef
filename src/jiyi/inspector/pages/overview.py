"""What there is, at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from jiyi.inspector import plots
from jiyi.inspector.answer import Answer, Page
from jiyi.inspector.visit import Visit
from jiyi.ports import Selection
from jiyi.types import STATUSES

_NEWEST: Final = 2000  # what the plots are drawn from, so that a large memory opens as fast
_COLUMNS: Final = 24


def overview(visit: Visit) -> Answer:
    """Numbers and plots of one user."""
    view = visit.view()
    stats, now = view.stats(), visit.now
    every = Selection(now=now, statuses=frozenset(STATUSES) - {"forgotten"})
    with view.store.read() as reader:
        records, more = reader.memories(view.scope, every, limit=_NEWEST)
        turns = reader.turns(view.scope, limit=_NEWEST, order="newest")
    t = visit.say
    current = [record for record in records if record.status == "active"]
    kinds = Counter(record.kind for record in current).most_common()
    labels, series = _over_time(
        now,
        {t("messages"): [x.said_at for x in turns], t("memories"): [x.said_at for x in records]},
    )
    return Page(
        "overview.html",
        {
            "stats": stats,
            "cut": more is not None or len(turns) == _NEWEST,
            "newest": _NEWEST,
            "over_time": plots.columns(labels, series, title=t("Messages and memories over time")),
            "kinds": plots.bars(
                [
                    plots.Bar(t(kind), number, visit.link("/memories", kind=kind))
                    for kind, number in kinds
                ],
                title=t("Current memories by kind"),
            ),
            "statuses": plots.bars(
                [
                    plots.Bar(t(status), number, visit.link("/memories", status=status), 1)
                    for status, number in stats.memories.items()
                    if status != "forgotten"
                ],
                title=t("Memories by status"),
            ),
            "recent": records[:6],
        },
    )


def _over_time(
    now: datetime, moments: dict[str, Sequence[datetime]]
) -> tuple[list[str], dict[str, list[int]]]:
    """Counts by day, week or month, whichever fits the time that there is."""
    first = min((min(each) for each in moments.values() if each), default=now)
    days = max((now - first).days + 1, 1)
    size = next((n for n in (1, 7, 30, 91, 365) if days <= n * _COLUMNS), -(-days // _COLUMNS))
    count = max(-(-days // size), 7 if size == 1 else 4)
    end = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    starts = [end - timedelta(days=size * (count - place)) for place in range(count)]
    counted = {name: [0] * count for name in moments}
    for name, each in moments.items():
        for moment in each:
            place = (moment - starts[0]) // timedelta(days=size)
            if 0 <= place < count:
                counted[name][place] += 1
    form = "%m-%d" if size < 30 else "%Y-%m"
    return [f"{start:{form}}" for start in starts], counted
