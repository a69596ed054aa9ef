"""What was so at a time that is over: kept with its years, and beside what is so today."""

from __future__ import annotations

import pytest

from jiyi import Memory


@pytest.mark.parametrize(
    ("now", "then", "year", "value"),
    [
        ("I live in Ghent", "In 2011 I lived in Zagreb", 2011, "Ghent"),
        ("I live in Ghent", "From 2010 to 2013 I lived in Zagreb", 2012, "Ghent"),
        ("I live in Ghent", "I was living in Zagreb in 2011", 2011, "Ghent"),
        ("我住在宁波", "2011年我住在长春", 2011, "宁波"),
        ("我住在宁波", "2010年到2013年我住在长春", 2012, "宁波"),
    ],
)
def test_the_past_replaces_nothing(
    memory: Memory, now: str, then: str, year: int, value: str
) -> None:
    """Told before or after, the profile shows today's value; the past is found, and only as of its
    own years."""
    for user, told in (("a", (now, then)), ("b", (then, now))):
        mine = memory.scoped(user=user)
        for text in told:
            mine.observe(text)
        learned = {field.attribute: field.value for field in mine.profile().learned}
        assert learned["residence"] == value
        past = next(m for m in mine.list().items if str(year // 10) in m.text)
        assert past.valid_from.year <= year
        assert past.valid_to is not None
        assert past.valid_to.year > year
        question = "Zagreb 长春"
        found = [h.id for h in mine.recall(question, as_of=f"{year}-06-01", units="memory")]
        assert past.id in found
        found = [h.id for h in mine.recall(question, as_of=f"{year + 4}-06-01", units="memory")]
        assert past.id not in found
