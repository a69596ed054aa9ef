"""The whole recall on an index in memory: what is found, in what order, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from memory_index import MemoryIndex, cite

from jiyi.errors import ModelError
from jiyi.ports import Selection
from jiyi.recall.engine import Recaller
from jiyi.recall.settings import RecallSettings
from jiyi.testing import HashEmbedder
from jiyi.types import Hits, Scope, Trace

DAY = timedelta(days=1)
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


@pytest.fixture
def index() -> MemoryIndex:
    return MemoryIndex()


def ask(index: MemoryIndex, query: str, *, limit: int = 5, **options: Any) -> tuple[Hits, Trace]:
    embedder = options.pop("embedder", index.embedder)
    settings, reranker = options.pop("settings", None), options.pop("reranker", None)
    recaller = Recaller(index, embedder=embedder, settings=settings, reranker=reranker)
    selection = options.pop("selection", Selection(now=NOW))
    now = options.pop("now", NOW)
    scope = options.pop("scope", index.scope)
    return recaller.recall(scope, query, limit=limit, now=now, selection=selection, **options)


def texts(hits: Hits) -> list[str]:
    return [hit.text for hit in hits]


# --- finding ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("我在昆明住了三年", "昆明"),
        ("我在昆明住了三年", "用户在昆明住了多久"),
        ("the ThinkPad X1 屏幕裂了", "ThinkPad X1 怎么了"),
        ("the ThinkPad X1 屏幕裂了", "屏幕"),
        ("My sister plays the cello", "which instrument does my sister play"),
    ],
)
def test_both_languages_and_mixed_text(index: MemoryIndex, said: str, question: str) -> None:
    """Scenarios 15, 16: the statement comes first among others in both languages."""
    for n in range(20):
        index.memory(f"note {n}: the weather was fine 天气不错", said_at=NOW - n * DAY)
    index.memory(said, said_at=NOW - 9 * DAY)
    assert ask(index, question)[0][0].text == said


def test_the_answer_to_a_question_follows_it(index: MemoryIndex) -> None:
    """A turn without any word of the question is found beside the turn that has them, and before
    it where that one only asks."""
    index.turn("What do you feed the parrot?", said_at=NOW - DAY, session="A", name="Bo")
    index.turn("Mostly walnuts", said_at=NOW - DAY, session="A", name="Ann")
    for n in range(12):
        index.turn(f"The bus was late by {n} minutes", said_at=NOW - n * DAY, session=f"B{n}")
    hits, _ = ask(index, "parrot feed")
    assert texts(hits)[:2] == ["Mostly walnuts", "What do you feed the parrot?"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("which hotel", "user"),
        ("which hotel did you recommend", "assistant"),
        ("宾馆", "user"),
        ("你上次推荐的宾馆", "assistant"),
    ],
)
def test_whose_words_are_asked_for(index: MemoryIndex, question: str, first: str) -> None:
    """Scenario 40: the user's words lead, unless the question is about what the assistant said."""
    index.turn("I recommend the hotel Aurora 推荐极光宾馆", said_at=NOW - 2 * DAY, role="assistant")
    index.turn("some hotel or other 某个宾馆", said_at=NOW - 40 * DAY, session="B")
    index.turn("a walk in the park", said_at=NOW, session="C")
    hits, _ = ask(index, question)
    assert hits[0].role == first
    assert {hit.role for hit in hits} == {"user", "assistant"}


@pytest.mark.parametrize(
    "question", ["what did I do last week", "我上周做了什么", "March 2026 plans"]
)
def test_periods_are_resolved_against_now(index: MemoryIndex, question: str) -> None:
    """Scenario 26: a period in the question finds what was said in it, without a shared word."""
    index.turn("went climbing with Ann, 去爬山了", said_at=datetime(2026, 3, 11, tzinfo=UTC))
    index.turn("repaired the roof, 修屋顶", said_at=datetime(2025, 3, 11, tzinfo=UTC), session="B")
    hits, trace = ask(index, question)
    assert "climbing" in trace.candidates[0].id or trace.arms["time"] >= 1
    best = max(trace.candidates, key=lambda c: sum(c.scores.values()))
    assert best.id == "turn-0"
    assert not hits or hits[0].id == "turn-0"


def test_vectors_find_what_shares_no_word() -> None:
    """With an embedder a paraphrase is found, and its cosine alone is support enough."""
    embedder = HashEmbedder(groups=(("car", "automobile"), ("bought", "purchased")))
    index = MemoryIndex(embedder=embedder)
    for n in range(30):
        index.memory(f"garden note {n} about tulip {n}", said_at=NOW - n * DAY)
    index.memory("she purchased an automobile", said_at=NOW - 50 * DAY)
    assert ask(index, "bought car", embedder=None)[0].support == "none"
    hits, trace = ask(index, "bought car")
    assert hits[0].text == "she purchased an automobile"
    assert trace.arms["vector"] > 0


def test_a_failing_embedder_leaves_the_words(index: MemoryIndex) -> None:
    """When the query cannot be embedded, the text arm still answers."""

    class Broken(HashEmbedder):
        def embed_query(self, text: str) -> Any:
            raise ModelError("it is down", retryable=True)

    index.embedder = Broken()
    index.memory("the spare key hangs in the shed", said_at=NOW)
    assert texts(ask(index, "spare key")[0]) == ["the spare key hangs in the shed"]


def test_another_scope_sees_nothing(index: MemoryIndex) -> None:
    """A scope without units gets an empty result with the weakest support."""
    index.memory("the spare key hangs in the shed", said_at=NOW)
    hits, trace = ask(index, "spare key", scope=Scope(user="somebody else"))
    assert (len(hits), hits.support, trace.candidates) == (0, "none", ())


# --- leaving out ------------------------------------------------------------------------------


def test_filtered_units_never_shorten_the_answer(index: MemoryIndex) -> None:
    """Scenario 28: behind 300 expired memories that match better, the live ones fill the list."""
    for n in range(300):
        index.memory(f"parking permit {n}", said_at=NOW, expires_at=NOW - DAY)
    for n in range(5):
        index.memory(f"the permit number {n} is kept with a lot of other papers", said_at=NOW)
    hits, _ = ask(index, "parking permit", limit=5)
    assert len(hits) == 5
    assert all("papers" in text for text in texts(hits))


@pytest.mark.parametrize(
    "question",
    [
        "what is the capital of Mongolia",
        "蒙古的首都是哪里",
        "how do I fold a kayak",
        "怎么折叠皮划艇",
    ],
)
def test_what_nothing_supports(index: MemoryIndex, question: str) -> None:
    """Scenario 35: nothing is returned, support says none, and the trace says why."""
    index.memory("I like green tea with lemon", said_at=NOW)
    index.memory("我喜欢下雨天听音乐", said_at=NOW)
    index.turn("how are you today", said_at=NOW)
    hits, trace = ask(index, question)
    assert len(hits) == 0
    assert hits.support == trace.support == "none"
    assert all(c.cut for c in trace.candidates)


def test_support_has_three_grades(index: MemoryIndex) -> None:
    """The more of the question's rare words a unit holds, the better the support."""
    index.memory("Ottilie rides a chestnut horse", said_at=NOW)
    for n in range(50):
        index.memory(f"something else number {n}", said_at=NOW)
    assert ask(index, "Ottilie chestnut horse")[0].support == "strong"
    assert ask(index, "Ottilie's favourite opera composer")[0].support in ("weak", "none")
    assert ask(index, "favourite opera composer")[0].support == "none"


# --- current before stale ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("I park in bay 14", "we moved, the car stands in bay 31", "which bay do I park in"),
        ("我的车停在14号车位", "换车位了，现在是31号", "我的车停在几号车位"),
    ],
)
def test_a_stale_turn_stands_under_its_successor(
    index: MemoryIndex, old: str, new: str, question: str
) -> None:
    """Scenario 10: the successor is brought in although it matches less, and stands above."""
    index.turn(old, said_at=NOW - 9 * DAY, stale=True, later="memory-1")
    index.memory(new, said_at=NOW - DAY)
    for n in range(40):
        index.memory(f"a bay window has {n} panes 窗户", said_at=NOW)
    hits, _ = ask(index, question)
    assert texts(hits)[0] == new
    assert hits[1].text == old
    assert hits[1].later == "memory-1"


def test_what_was_taken_back_leaves(index: MemoryIndex) -> None:
    """A turn all of whose facts were retracted has no successor and is not returned."""
    index.turn("my locker code is 4471", said_at=NOW, stale=True)
    index.memory("lockers are in the basement", said_at=NOW)
    hits, trace = ask(index, "locker code")
    assert "4471" not in " ".join(texts(hits))
    assert any(c.cut == "taken back" for c in trace.candidates)


def test_superseded_on_request_only_and_below(index: MemoryIndex) -> None:
    """A superseded memory is absent by default, and under its successor when asked for."""
    index.memory(
        "the meeting room is Cedar", said_at=NOW - 9 * DAY, status="superseded",
        superseded_by="memory-1", valid_to=NOW - DAY,
    )  # fmt: skip
    index.memory("from now on we meet in Larch, the room upstairs", said_at=NOW - DAY)
    assert texts(ask(index, "meeting room")[0]) == [
        "from now on we meet in Larch, the room upstairs"
    ]
    both = Selection(now=NOW, statuses=frozenset({"active", "superseded"}))
    hits, _ = ask(index, "meeting room Cedar", selection=both)
    assert [hit.status for hit in hits] == ["active", "superseded"]


def test_as_of_asks_for_what_was_true_then(index: MemoryIndex) -> None:
    """With as_of the old memory is the answer and nothing is pushed down."""
    index.memory(
        "the meeting room is Cedar", said_at=NOW - 9 * DAY, status="superseded",
        superseded_by="memory-1", valid_to=NOW - DAY,
    )  # fmt: skip
    index.memory("the meeting room is Larch", said_at=NOW - DAY)
    then = Selection(now=NOW, as_of=NOW - 5 * DAY)
    assert texts(ask(index, "meeting room", selection=then)[0]) == ["the meeting room is Cedar"]


@pytest.mark.parametrize(
    ("template", "values", "question"),
    [
        ("The head of the {0} department is {1}", ("Ines", "Tariq Aziz Rahman"), "finance"),
        ("{0}部门的负责人是{1}", ("伊内斯", "塔里克"), "finance部门的负责人"),
    ],
)
def test_an_older_twin_stands_under_the_newer(
    index: MemoryIndex, template: str, values: tuple[str, str], question: str
) -> None:
    """Facts told one after another without slots: of two that differ in the value the newer leads,
    and a fact about another thing is not touched."""
    index.turn(template.format("finance", values[0]), said_at=NOW - 9 * DAY, session="A")
    index.turn(template.format("legal", "Bo"), said_at=NOW - 8 * DAY, session="B")
    index.turn(template.format("finance", values[1]), said_at=NOW - DAY, session="C")
    found = texts(ask(index, f"head of the {question}")[0])
    assert values[1] in found[0]
    assert values[0] in found[1]


# --- boosts and diversity -----------------------------------------------------------------------


def test_recency_never_dominates(index: MemoryIndex) -> None:
    """Scenario: a fresh, vague match does not outrank an old, exact one; among equals it leads."""
    index.memory("the boiler pressure must stay at 1.5 bar", said_at=NOW - 700 * DAY)
    index.memory("the boiler man came", said_at=NOW)
    assert "pressure" in texts(ask(index, "boiler pressure")[0])[0]
    index.memory("lamp oil is in the cellar", said_at=NOW - 364 * DAY)
    index.memory("lamp oil is in the attic", said_at=NOW)
    assert texts(ask(index, "lamp oil")[0])[0] == "lamp oil is in the attic"


def test_unhelpful_memories_lose_their_strength(index: MemoryIndex) -> None:
    """Scenario 49: much used, then marked unhelpful: it no longer stands above its equal."""
    text = "the {} rack takes spare tyres"
    index.memory(text.format("left"), said_at=NOW, use_count=90, importance=0.9, unhelpful=1)
    index.memory(text.format("right"), said_at=NOW)
    assert texts(ask(index, "rack spare tyres")[0])[0] == text.format("right")


def test_uses_and_pins_lift_a_little(index: MemoryIndex) -> None:
    """Standing decides between equals, not against a better answer."""
    index.memory("tyres: see the north shed", said_at=NOW, use_count=50, pinned=True)
    index.memory("tyres: see the south shed", said_at=NOW)
    assert "north" in texts(ask(index, "tyres shed")[0])[0]
    assert "south" in texts(ask(index, "tyres south shed")[0])[0]


def test_a_memory_stands_for_its_turn(index: MemoryIndex) -> None:
    """A memory and the turn it was drawn from take one place; the memory cites the turn."""
    turn = index.turn("Well, I moved to Ghent, and the canal is lovely", said_at=NOW)
    index.memory("I moved to Ghent", said_at=NOW, sources=(cite(turn),))
    hits, _ = ask(index, "moved to Ghent")
    assert [hit.unit for hit in hits] == ["memory"]
    assert hits[0].sources[0].turn_id == turn.id
    assert [hit.unit for hit in ask(index, "canal lovely")[0]] == ["turn"]


def test_the_same_text_takes_one_place(index: MemoryIndex) -> None:
    """Asked three times, a question is found once."""
    for n in range(3):
        index.turn("Where is the ladder?", said_at=NOW - n * DAY, session=f"s{n}")
    index.turn("the ladder is behind the barn", said_at=NOW, session="t")
    assert len(ask(index, "ladder")[0]) == 2


# --- around the ranking -------------------------------------------------------------------------


def test_elliptic_questions_are_completed(index: MemoryIndex) -> None:
    """Scenario 44: with a session, "when will it arrive?" is about the thing spoken of."""
    index.memory("the sofa from Nordhaus arrives on Friday", said_at=NOW - DAY)
    index.memory("the parcel from Lisbon arrives on Monday", said_at=NOW - DAY)
    index.turn("I am waiting for the sofa from Nordhaus", said_at=NOW, session="now")
    hits, trace = ask(index, "when will it arrive?", session="now", units=("memory",))
    assert trace.completed is not None
    assert "sofa" in hits[0].text


def test_units_are_what_is_searched(index: MemoryIndex) -> None:
    """Only the asked units come back, however many others match better."""
    index.memory("about the harvest and other things of autumn", said_at=NOW)
    for n in range(60):
        index.turn(f"harvest {n}", said_at=NOW - n * DAY, session=f"s{n}")
    hits, _ = ask(index, "harvest", units=("memory",))
    assert [hit.unit for hit in hits] == ["memory"]


def test_neighbours_come_along(index: MemoryIndex) -> None:
    """On request a turn brings the turns before it, in order of saying."""
    for n, text in enumerate(["shall we?", "yes", "then the opera on Sunday"]):
        index.turn(text, said_at=NOW + timedelta(minutes=n))
    hits, _ = ask(index, "opera on Sunday", neighbours=2, now=NOW + DAY)
    assert [turn.text for turn in hits[0].neighbours] == ["shall we?", "yes"]


def test_a_reranker_orders_and_drops(index: MemoryIndex) -> None:
    """Its order wins before the cut; NaN drops a hit; rerank=False leaves it out."""

    class Backwards:
        name = "backwards"

        def rerank(self, query: str, texts: Sequence[str]) -> Any:
            return np.array([np.nan if "drop" in t else len(t) for t in texts])

    index.memory("plum jam", said_at=NOW)
    index.memory("plum jam in a jar on a shelf", said_at=NOW)
    index.memory("plum jam, drop this", said_at=NOW)
    found = texts(ask(index, "plum jam", reranker=Backwards())[0])
    assert found == ["plum jam in a jar on a shelf", "plum jam"]
    assert len(ask(index, "plum jam", reranker=Backwards(), rerank=False)[0]) == 3


def test_the_end_of_a_pasted_conversation_leads(index: MemoryIndex) -> None:
    """When lines of talk are the question, the last ones say what is needed."""
    index.memory("Rosa sings in a choir", said_at=NOW)
    index.memory("Rosa grows pumpkins", said_at=NOW)
    talk = ["the choir was loud", "it was nice", "what about the garden", "how are the pumpkins?"]
    assert "pumpkins" in texts(ask(index, "\n".join(talk))[0])[0]
    assert "choir" in texts(ask(index, "\n".join(reversed(talk)))[0])[0]


def test_the_trace_tells_what_happened(index: MemoryIndex) -> None:
    """Arms with counts, every candidate with its parts, its place or its cut, and the stages."""
    for n in range(8):
        index.memory(f"honey from hive {n}", said_at=NOW)
    hits, trace = ask(index, "honey", limit=3)
    assert trace.arms["text"] == 8
    assert [c.rank for c in trace.candidates if c.rank] == [1, 2, 3]
    assert {c.cut for c in trace.candidates if c.rank is None} == {"beyond the limit"}
    assert {"index", "score", "read", "rank"} <= trace.latency_ms.keys()
    for hit in hits:
        assert hit.score == pytest.approx(sum(hit.scores.values()), abs=1e-4)


def test_long_questions_and_odd_ones(index: MemoryIndex) -> None:
    """A pasted page, signs only, and one letter are questions too; none of them fails."""
    index.memory("the vault opens at nine", said_at=NOW)
    page = " ".join(f"word{n}" for n in range(3000)) + " when does the vault open"
    for question in (page, "???", "a", "🙂", "的"):
        hits, _ = ask(index, question, settings=RecallSettings(max_terms=32))
        assert isinstance(hits, Hits)
