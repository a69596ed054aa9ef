"""The cheap look that leaves out what cannot contradict anything leaves out nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from jiyi import Memory
from jiyi.consolidate.conflicts import find_conflicts, open_conflicts
from jiyi.consolidate.merging import merges
from jiyi.consolidate.suspects import rare_words, suspects
from jiyi.resolve.gist import covers, gist_key
from jiyi.resolve.wording import statement_key
from jiyi.testing import FakeClock
from jiyi.types import MemoryRecord, Scope, Slot

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SUBJECTS = (
    "Deploys",
    "The backups",
    "Ann's berries",
    "I",
    "The user",
    "备份",
    "小组",
    "我",
    "用户",
)
VERBS = (
    *(" are allowed", " aren't allowed", " are not permitted", " are banned", " can't fly"),
    *(" cannot fly", " can fly", " like", " really don't like", " doesn't like", " hates", " run"),
    *(" never run", " won’t run", " will run", " always run", " is", " isn't", " have", " do not"),
    *("允许", "禁止", "喜欢", "很讨厌", "不喜欢", "在", "不在", "没有", "有", "打开", "关闭了"),
)
ENDS = (
    *("", " at 2", " at 3 pm", " for 5 euros", " 12%", " on Friday.", " lies!", " well-known A1"),
    *(" tea and milk", " flies", " fly", " café", " CAFÉ", " so\u00adft", " soft", " on", " off."),
    *("两点", "在 3 点", " ３ 点", "蓝色的标志", "蓝色标志呢", "　红茶", "机房。", "在 C3 机房"),
)
TEXTS = st.builds(
    "".join,
    st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(VERBS), st.sampled_from(ENDS)),
)
SLOTS = st.sampled_from(
    (
        *(None, None, None),
        Slot(subject="user", attribute="city", value="Lyon"),
        Slot(subject="user", attribute="city", value="大连"),
        Slot(subject="user", attribute="instruction/friday deploys", value="no"),
        Slot(subject="user", attribute="instruction/deploy on Fridays", value="yes"),
        Slot(subject="user", attribute="pet", value="cat", cardinality="many"),
        Slot(subject="user", attribute="pet", value="dog", cardinality="many"),
    )
)


@st.composite
def told(draw: st.DrawFn) -> list[tuple[str, Slot | None, str]]:
    """Statements that are close to each other: few subjects and endings, any verb."""
    subjects = draw(st.lists(st.sampled_from(SUBJECTS), min_size=1, max_size=2))
    ends = draw(st.lists(st.sampled_from(ENDS), min_size=1, max_size=3))
    text = st.builds(
        "".join,
        st.tuples(st.sampled_from(subjects), st.sampled_from(VERBS), st.sampled_from(ends)),
    )
    readers = st.sampled_from(("user", "user", "shared", "agent"))
    return draw(st.lists(st.tuples(text, SLOTS, readers), max_size=30))


def records(statements: Sequence[tuple[str, Slot | None, str]]) -> list[MemoryRecord]:
    return [
        MemoryRecord(
            id=f"m{n:03}",
            text=text,
            kind="semantic",
            status="active",
            scope=Scope(user="sun", agent="a"),
            recorded_at=NOW + timedelta(days=n),
            said_at=NOW + timedelta(days=n * 7 % 11),
            valid_from=NOW,
            slot=slot,
            visibility=visibility,  # type: ignore[arg-type]
        )
        for n, (text, slot, visibility) in enumerate(statements)
    ]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(statements=told())
def test_the_suspects_hold_every_contradiction(
    statements: list[tuple[str, Slot | None, str]],
) -> None:
    """Among them alone the rules find the same pairs, for the same reasons, as among all."""
    memories = records(statements)
    near = set(suspects((m.id, m.text, m.slot, m.visibility == "shared") for m in memories))
    assert find_conflicts([m for m in memories if m.id in near]) == find_conflicts(memories)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(one=TEXTS, other=TEXTS)
def test_one_statement_has_one_set_of_rare_words(one: str, other: str) -> None:
    """Whatever `statement_key` takes for the same is the same at the cheap look as well."""
    if statement_key(one) == statement_key(other):
        assert rare_words(one) == rare_words(other)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(statements=told())
def test_blocks_merge_what_pairs_would(
    statements: list[tuple[str, Slot | None, str]],
) -> None:
    """Groups found by blocks are those that comparing every pair finds."""
    memories = records([(text, None, "user") for text, _, _ in statements])
    group = {memory.id: {memory.id} for memory in memories}
    for one, other in combinations(memories, 2):
        same = (
            (statement_key(one.text) and statement_key(one.text) == statement_key(other.text))
            or (gist_key(one.text) and gist_key(one.text) == gist_key(other.text))
            or covers(one.text, other.text)
            or covers(other.text, one.text)
        )
        if same:
            joined = group[one.id] | group[other.id]
            group.update(dict.fromkeys(joined, joined))
    expected = {frozenset(ids) for ids in group.values() if len(ids) > 1}
    found = {frozenset(member.id for member in step.members) for step in merges(memories)}
    assert found == expected


def test_the_inbox_reads_only_what_may_contradict(memory: Memory, clock: FakeClock) -> None:
    """Through a store: the pairs are there in both languages, whatever else the space holds; what
    only happened, has expired or is over contradicts nothing."""
    for n, text in enumerate(
        ("The ferry leaves at 7", "夜班车票价是 4 元", "The ferry leaves at 8", "夜班车票价是 5 元")
    ):
        memory.remember(text)
        memory.remember(f"Crate {'abcd'[n]}{n} holds walnuts 核桃{n}箱")
        clock.advance(timedelta(hours=1))
    memory.remember("The ferry leaves at 9", kind="episodic")
    memory.remember("The ferry leaves at 10", ttl=5)
    memory.remember("夜班车票价是 6 元", valid_to=clock() + timedelta(seconds=9))
    clock.advance(timedelta(minutes=1))
    pairs = [(c.first.text, c.second.text) for c in memory.conflicts()]
    assert pairs == [
        ("夜班车票价是 4 元", "夜班车票价是 5 元"),
        ("The ferry leaves at 7", "The ferry leaves at 8"),
    ]
    with memory._parts.store.read() as reader:
        everything = reader.space_memories(
            memory.scope, statuses=frozenset({"active"}), now=clock()
        )
        assert open_conflicts(reader, memory.scope, now=clock()) == find_conflicts(everything)
