"""What a model proposes is checked against what was said; resolve decides."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from flow import NOW, SUN, draft, encoder, memories, observe, texts, turn

from jiyi.encode.commit import commit
from jiyi.encode.model import check_proposal
from jiyi.encode.prompt import SCHEMA, instruction, messages_for, segments
from jiyi.encode.support import Support, find_support
from jiyi.encode.worker import Worker
from jiyi.ports import Store
from jiyi.testing import FakeClock, ScriptedChatModel
from jiyi.text.tokens import count_tokens
from jiyi.types import Draft, Role


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("用户对青霉素过敏", "医生说的没错，我对青霉素过敏。"),
        ("User moved to Oslo in May", "I finally moved to Oslo in May!"),
        ("The user does not eat pork", "No bacon for me, I don't eat pork"),
        ("用户2026年3月11日要去杭州复查", "下周三我要去杭州复查"),
        ("User flies to Oslo on 2026-03-06", "I fly to Oslo tomorrow"),
        ("用户特别喜欢喝茶", "我特别喜欢喝茶，不过今天没喝"),
        ("用户的项目截止到6月30日", "我的项目6月30日截止"),
        ("User is vegetarian since giving up meat", "I'm vegetarian since I gave up meat"),
        ("用户的 iPhone 15 Pro 坏了", "我的 iPhone 15 Pro 坏了，好烦"),
        ("用户的项目用 PostgreSQL 18 存数据", "我们这个项目，数据都放在 PostgreSQL 18 里"),
        ("User dislikes tea", "I can't stand tea"),
        ("用户讨厌香菜", "我受不了香菜"),
        ("User prefers window seats on long flights", "window seats, always, on long flights"),
    ],
)
def test_supported(statement: str, said: str) -> None:
    """A statement in the words of the source stands, with the span of its sentence."""
    found = find_support(statement, turn(said))
    assert isinstance(found, Support)
    assert said[slice(*found.span)].strip()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("User lives in Paris", "I like trains and long walks"),
        ("用户是素食者", "今天的会议改到三点"),
        ("User worked at Acme for 6 years", "I worked at Acme for 5 years"),
        ("用户的门牌是 B-204", "我的门牌是 B-203"),
        ("User likes tea", "I don't like tea"),
        ("用户喜欢喝茶", "我不喜欢喝茶"),
        ("User likes green tea", "I like red tea"),
        ("用户喜欢喝绿茶", "我喜欢喝红茶"),
        ("用户对酒过敏", "我对虾过敏"),
        ("User likes tea", "I hate tea"),
        ("用户喜欢香菜", "我讨厌香菜"),
        ("User lives in Paris with a cat", "I live in Oslo with a cat"),
        ("用户住在北京", "我住在杭州"),
        ("用户2026年7月1日要去杭州", "我下周三要去杭州"),
        ("User does not like tea", "I like tea"),
        ("User's friend Zoë-9 is from Rome", "my friend is from Rome"),
    ],
)
def test_refused(statement: str, said: str) -> None:
    """Invented content, another number or code, a "not" dropped or added: refused."""
    assert isinstance(find_support(statement, turn(said)), str)


@pytest.mark.parametrize(
    "quote",
    ["我对青霉素过敏", "我对 青霉素过敏", "“我对青霉素过敏”", "我对青霉素过敏了", None, "别的话"],
)
def test_quotes_are_found(quote: str | None) -> None:
    """A quote leads to its span, also when it was copied carelessly or is missing."""
    said = turn("今天下雨。我对青霉素过敏。")
    found = find_support("用户对青霉素过敏", said, quote=quote)
    assert isinstance(found, Support)
    assert "青霉素过敏" in said.text[slice(*found.span)]


def proposal(text: str, **fields: Any) -> dict[str, Any]:
    return {"text": text, "turn": 1, "importance": 3, "confidence": 0.9, **fields}


def checked(fields: dict[str, Any], said: str, *, role: Role = "user") -> Draft | str:
    result = check_proposal(fields, [turn(said, role=role)], [1], context=said)
    return result if isinstance(result, str) else result[1]


@pytest.mark.parametrize(
    "said",
    [
        "假如我住在罗马，该带什么？",
        "Suppose I lived in Rome, what should I pack?",
        "Do I live in Rome?",
        "我住在罗马吗？",
        "Translate the following text:\nI live in Rome",
    ],
)
def test_suppositions_and_questions(said: str) -> None:
    """What the guard holds back is not let in by a model (32)."""
    text = "用户住在罗马" if "罗马" in said else "User lives in Rome"
    assert checked(proposal(text), said) == "unsupported"


@pytest.mark.parametrize("role", ["system", "tool"])
def test_prompts_and_tools(role: Role) -> None:
    """Nothing comes from system prompts and tool output, and a model does not even see them."""
    said = turn("User lives in Rome", role=role)
    assert checked(proposal("User lives in Rome"), said.text, role=role) == "unsupported"
    assert list(segments([said])) == []


@pytest.mark.parametrize(
    ("fields", "slot"),
    [
        ({"attribute": "residence", "value": "Oslo"}, ("residence", "Oslo")),
        ({"attribute": "residence", "value": None}, None),
        ({"attribute": None, "value": None}, None),
        ({"attribute": "residence", "value": "Paris"}, None),
        ({"attribute": "shoe_size", "value": "Oslo"}, None),
        ({"attribute": "preference/Oslo", "value": "like"}, ("preference/Oslo", "like")),
        ({"attribute": "preference/Paris", "value": "like"}, None),
        ({"slot": {"attribute": "residence", "value": "Oslo"}}, ("residence", "Oslo")),
        ({}, None),
    ],
)
def test_slots_are_checked(fields: dict[str, Any], slot: tuple[str, str] | None) -> None:
    """A slot counts when the schema has it and its value was said; null clears nothing (48)."""
    found = checked(proposal("User lives in Oslo", **fields), "I live in Oslo, I love it")
    assert isinstance(found, Draft)
    assert (slot is None) == (found.slot is None)
    if slot is not None and found.slot is not None:
        assert (found.slot.attribute, found.slot.value) == slot


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2026-03-11", datetime(2026, 3, 11, tzinfo=UTC)),
        ("2026-03-11T10:00:00Z", datetime(2026, 3, 11, tzinfo=UTC)),
        ("2026-07-01", None),
        ("soon", None),
        (None, None),
        (20260311, None),
    ],
)
def test_dates_are_checked(date: Any, expected: datetime | None) -> None:
    """A date counts when the words speak of it."""
    found = checked(
        proposal("用户下周三要去杭州复查", kind="episodic", date=date), "下周三要去杭州复查"
    )
    assert isinstance(found, Draft)
    assert found.event is not None
    assert found.event.at == expected


@pytest.mark.parametrize(
    ("fields", "importance", "confidence"),
    [
        ({"importance": 5, "confidence": 1}, 1.0, 1.0),
        ({"importance": "high", "confidence": "sure"}, None, 0.8),
        ({"importance": None, "confidence": None}, 0.5, 0.8),
        ({"importance": "8/10", "confidence": 90}, 0.8, 0.9),
        ({"importance": {}, "confidence": -1, "tags": "x", "kind": 7, "turn": "[1]"}, 0.5, 0.8),
    ],
)
def test_unreadable_fields(
    fields: dict[str, Any], importance: float | None, confidence: float
) -> None:
    """Odd numbers, scales and types never lose the statement."""
    found = checked(proposal("User lives in Oslo", **fields), "I live in Oslo")
    assert isinstance(found, Draft)
    assert found.confidence == pytest.approx(confidence)
    if importance is not None:
        assert found.importance == pytest.approx(importance)


def test_secrets_are_masked() -> None:
    """A password that a model copies out does not reach the store."""
    said = "my database password is hunter2Xy!9 and I live in Oslo"
    found = checked(proposal("User's database password is hunter2Xy!9"), said)
    assert isinstance(found, str) or "hunter2Xy!9" not in found.text


def test_assistant_words_stay_the_assistant_s() -> None:
    """What the assistant recommended is an event on its word, without a slot (40)."""
    found = checked(
        proposal("The assistant recommended plan B", attribute="plan", value="plan B"),
        "I recommend plan B because it is cheaper.",
        role="assistant",
    )
    if isinstance(found, Draft):
        assert (found.trust, found.slot, found.kind) == ("assistant", None, "episodic")


def test_prompt_is_small() -> None:
    """The instruction stays within 1,500 tokens, with rules and examples in both languages."""
    text = instruction()
    assert count_tokens(text) <= 1_500
    assert "ATTRIBUTES" not in text
    assert "residence" in text
    assert set(SCHEMA["properties"]["memories"]["items"]["required"]) <= set(
        SCHEMA["properties"]["memories"]["items"]["properties"]
    )


def test_prompt_shows_turns_with_dates() -> None:
    """The model sees numbered turns with roles and dates, and earlier ones apart."""
    said = turn("下周三要去杭州复查", at=datetime(2026, 3, 5, tzinfo=UTC))
    (segment,) = segments([said])
    system, user = messages_for(segment, [said], [turn("我最近总咳嗽")])
    assert system["role"] == "system"
    assert "[1] user (2026-03-05 Thu): 下周三要去杭州复查" in user["content"]
    assert "Earlier" in user["content"]


def test_long_turns_come_in_portions() -> None:
    """Everything of a long talk is shown to the model, about ten turns a call."""
    talk = [turn(f"word {n} " + "blah. " * 40) for n in range(24)] + [turn("长句。" * 4_000)]
    portions = list(segments(talk))
    assert all(len({number for number, _ in portion}) <= 10 for portion in portions)
    shown = "".join(text for portion in portions for number, text in portion if number == 25)
    assert shown.replace("\n", "") == talk[-1].text


def ask(store: Store, reply: Any, *, said: str) -> ScriptedChatModel:
    """The rules and then a model read one turn."""
    model = ScriptedChatModel([json.dumps({"memories": reply}, ensure_ascii=False)])
    clock = FakeClock(NOW)
    reading = encoder(batches=True)
    observe(store, reading, turn(said))
    Worker(store, reading, chat_model=model, clock=clock, threaded=False).run_pending()
    return model


@pytest.mark.parametrize(
    ("said", "proposed"),
    [
        ("+I live in Oslo @residence=Oslo", ("User lives in Oslo", "residence", "Oslo")),
        ("+I live in Oslo @residence=Oslo", ("User lives in Oslo", None, None)),
        ("+我对花生过敏 @allergy=花生", ("用户对花生过敏", None, None)),
        ("+我对花生过敏", ("用户对花生过敏", "allergy", "花生")),
        ("+I prefer aisle seats", ("User prefers aisle seats", "preference/aisle seats", "like")),
    ],
)
def test_rules_and_model_leave_one(
    store: Store, said: str, proposed: tuple[str, str | None, str | None]
) -> None:
    """The same fact found by the rules and by a model is one memory (47)."""
    text, attribute, value = proposed
    ask(store, [proposal(text, attribute=attribute, value=value)], said=said)
    (only,) = memories(store)
    assert (only.slot is not None) == ("@" in said or attribute is not None)


def test_null_clears_no_slot(store: Store) -> None:
    """A model that returns null for everything it was not told changes nothing (48)."""
    with store.write() as writer:
        commit(writer, SUN, draft("lives in Rome", "residence=Rome"), now=NOW)
        commit(writer, SUN, draft("name is Sun", "name=Sun"), now=NOW)
    empty = proposal("User likes figs a lot", attribute="residence", value=None, subject=None)
    ask(store, [empty, {"attribute": "name", "value": None}], said="I like figs a lot")
    slots = {m.slot.attribute: m.slot.value for m in memories(store) if m.slot}
    assert slots == {"residence": "Rome", "name": "Sun"}


def test_refusals_are_counted(store: Store) -> None:
    """What was proposed, kept and refused stands in the audit log, without content."""
    ask(
        store,
        [
            proposal("User lives in Oslo", attribute="residence", value="Oslo"),
            proposal("User owns three yachts"),
            {"importance": 3},
        ],
        said="I live in Oslo",
    )
    with store.read() as reader:
        (event,) = [e for e in reader.events(SUN) if e.action == "model read"]
    assert event.counts["proposed"] == 2
    assert event.counts["unsupported"] == 1
    assert event.counts["stored"] == 1
    assert texts(memories(store)) == ["User lives in Oslo"]


def test_erased_while_the_model_thought(store: Store) -> None:
    """A turn that was erased while the model was at work leaves nothing."""
    said = turn("I live in Oslo")

    class Slow(ScriptedChatModel):
        def complete(self, *args: Any, **options: Any) -> str:
            with store.write() as writer:
                writer.erase(SUN, turn_ids=[said.id], at=NOW, reason="asked", event_id=said.id)
            return super().complete(*args, **options)

    model = Slow([json.dumps({"memories": [proposal("User lives in Oslo")]})])
    reading = encoder(batches=True)
    observe(store, reading, said)
    Worker(store, reading, chat_model=model, clock=FakeClock(NOW), threaded=False).run_pending()
    assert memories(store) == []
