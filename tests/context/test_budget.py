"""The hard total: never above the budget, counted on the rendered text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from parts import NOW, hit, parts, record, turn

from jiyi.recall.context import build_context
from jiyi.recall.excerpt import excerpt, shorten
from jiyi.text.terms import query_terms
from jiyi.text.tokens import count_tokens
from jiyi.types import Profile, ProfileField

CHINESE = "今天下午三点在上海虹桥火车站见面，记得带上报告。"
ENGLISH = "Reports must show units in the value column, Anna said on Monday. "
EMOJI = "👨‍👩‍👧‍👦🎉🇨🇳✅🧑🏽‍🚀"
CODE = "for (int i = 0; i < n; ++i) { a[i] += b[i] * 0x1F; }\n"

texts = st.one_of(
    st.sampled_from([CHINESE, ENGLISH, EMOJI, CODE, "", " ", "\n", "a"]).flatmap(
        lambda text: st.integers(1, 30).map(lambda n: text * n)
    ),
    st.text(max_size=80),
)
words = texts.filter(str.strip)


@st.composite
def all_parts(draw):
    """Any parts: every layer present or absent, short or far too long."""
    memories = draw(st.lists(words, max_size=8))
    said = draw(st.lists(words, max_size=12))
    passages = draw(st.lists(words, max_size=4))
    pins = draw(st.lists(words, max_size=6))
    last = draw(st.lists(st.tuples(words, st.sampled_from(["user", "assistant", "tool"]))))
    learned = tuple(
        ProfileField(attribute=f"a{n}", value=value, permanent=False)
        for n, value in enumerate(draw(st.lists(words, max_size=6)))
    )
    return parts(
        draw(words),
        *[hit(text) for text in memories],
        *[hit(text, unit="turn", days=n) for n, text in enumerate(said)],
        *[hit(text, unit="document") for text in passages],
        support=draw(st.sampled_from(["strong", "weak", "none"])),
        identity=draw(st.none() | texts),
        rules=draw(st.lists(texts, max_size=7)),
        profile=Profile(permanent=draw(st.dictionaries(words, texts, max_size=4)), learned=learned),
        standing=[record(text, pinned=n % 2 == 0) for n, text in enumerate(pins)],
        notes=draw(st.dictionaries(words, st.one_of(texts, st.integers()), max_size=3)),
        summary=draw(st.none() | texts),
        recent=[turn(text, role) for text, role in last],
    )


@settings(max_examples=80, deadline=None)
@given(all_parts(), st.integers(1, 3000))
def test_never_above_the_budget(a, budget):
    """Whatever there is to say in whatever script, the rendered text stays within the budget, and
    its layers and last turns are consistent with it."""
    context, cuts = build_context(a, budget=budget, now=NOW)
    assert count_tokens(context.text) <= budget
    assert context.tokens == count_tokens(context.text)
    assert context.text == "\n\n".join(layer.text for layer in context.layers)
    shown = {id for layer in context.layers if layer.name == "recent" for id in layer.unit_ids}
    assert shown == {t.id for t in context.recent}
    assert all(cuts.values())


@settings(max_examples=40, deadline=None)
@given(all_parts(), st.integers(1, 800))
def test_any_counter_is_obeyed(a, budget):
    """A counter of the caller's own is obeyed as well: also one that counts bytes, and one for
    which joined texts cost more than their parts."""
    for count in (len, lambda text: len(text.encode()), lambda text: len(text) ** 2 // 400):
        context, _ = build_context(a, budget=budget, now=NOW, count=count)
        assert count(context.text) <= budget


@given(words, st.integers(0, 60), words)
def test_an_excerpt_fits(text, limit, query):
    """A shortened text or excerpt never has more tokens than it may."""
    assert count_tokens(shorten(text, limit, count_tokens)) <= limit
    assert count_tokens(excerpt(text, query_terms(query), limit, count_tokens)) <= limit
    assert shorten(text, count_tokens(text), count_tokens) == text


def test_ten_thousand_memories_in_500_tokens():
    """A great many hits and constraints in Chinese with emoji: within 500 tokens, and not empty."""
    hits = [hit(f"{CHINESE}{EMOJI} 第 {n} 条") for n in range(5_000)]
    hits += [hit(f"{EMOJI}{CHINESE} {n}", unit="turn", days=n % 300) for n in range(4_000)]
    pins = [record(f"必须遵守第 {n} 条 {EMOJI}", pinned=True) for n in range(1_000)]
    context, cuts = build_context(
        parts("下午几点见面", *hits, standing=pins, identity="你是助手"), budget=500, now=NOW
    )
    assert 300 <= count_tokens(context.text) <= 500
    assert {layer.name for layer in context.layers} >= {"identity", "standing", "memories"}
    assert "more" in cuts["turns"]
