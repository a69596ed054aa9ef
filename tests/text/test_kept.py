"""What was found out about a text is kept without the text, or until something is erased."""

from __future__ import annotations

import weakref

from jiyi import Memory
from jiyi.text.kept import forget_texts, kept, until_erased


class Text(str):
    """A text of which it can be seen whether anybody still holds it."""

    __slots__ = ("__weakref__",)


def test_an_answer_is_kept_without_its_text():
    """The second time nothing is computed, and the text itself has gone meanwhile."""
    asked = []

    @kept(8)
    def size(text: str) -> int:
        asked.append(len(text))
        return len(text)

    text = Text("我住在汉中 12")
    gone = weakref.ref(text)
    assert size(text) == 8
    del text
    assert gone() is None
    assert size("我住在汉中 12") == 8
    assert asked == [8]


def test_no_more_is_kept_than_agreed():
    """A full table begins anew."""
    asked = []

    @kept(2)
    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    for text in ("a", "bb", "ccc", "a"):
        assert size(text) == len(text)
    assert asked == ["a", "bb", "ccc", "a"]


def test_words_are_remembered_until_something_is_erased():
    """What an answer holds of a text goes when a memory forgets."""

    @until_erased(8)
    def words(text: str) -> tuple[str, ...]:
        return tuple(text.split())

    text = Text("my code is 4411")
    gone = weakref.ref(text)
    words(text)
    del text
    held = gone() is not None
    forget_texts()
    assert held
    assert gone() is None


def test_forgetting_lets_go_of_what_was_remembered():
    """`forget` of a memory empties what the process remembers of texts."""

    @until_erased(8)
    def words(text: str) -> tuple[str, ...]:
        return tuple(text.split())

    with Memory(":memory:", embedder=None, background=False) as memory:
        id = memory.remember("The code is 4411", user="u").outcomes[0].memory_id
        before = words("The code is 4411")
        assert words("The code is 4411") is before
        memory.forget(ids=id, user="u")
        assert words("The code is 4411") is not before
