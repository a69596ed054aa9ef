"""Sessions on a real store: window, summary, end, and what goes when a turn is erased."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest
from said import START, said

from jiyi.ids import new_id
from jiyi.session.keeper import SessionKeeper
from jiyi.stores.sqlite import open_sqlite
from jiyi.text.terms import term_weights
from jiyi.text.tokens import count_tokens
from jiyi.types import Scope, Turn

SUN = Scope(user="sun")
NOW = START + timedelta(hours=1)


@pytest.fixture
def store() -> Iterator:
    with closing(open_sqlite(":memory:")) as opened:
        yield opened


def say(store, *turns, first=1) -> list[Turn]:
    """Put turns on the store, with ids of their own."""
    made = [
        Turn(
            id=new_id(),
            role=turn.role,
            text=turn.text,
            said_at=turn.said_at,
            recorded_at=turn.recorded_at,
            scope=turn.scope,
        )
        for turn in said(*turns, first=first)
    ]
    with store.write() as writer:
        for turn in made:
            writer.add_turn(turn, [((0, len(turn.text)), term_weights(turn.text))])
    return made


def shows(store, keeper=None, *, writable=True):
    shown = (keeper or SessionKeeper()).show(store, SUN, "A", now=NOW, writable=writable)
    return [turn.text for turn in shown.recent], shown.summary


TALK = [
    (role, text.format(n))
    for n in range(12)
    for role, text in (
        ("user", "请把第 {} 号阀门的压力记录为 {}0 bar。"),
        ("assistant", "已记录，编号 V-{}。"),
    )
    for text in [text.replace("{}0", "{0}0").replace("第 {}", "第 {0}").replace("V-{}", "V-{0}")]
]


def test_a_long_session_is_summarised(store):
    """Eight turns stay verbatim; the older ones become points once they pass the threshold, where
    something may be written, and a second call has nothing to do."""
    say(store, *TALK[:10])
    assert shows(store)[1] is None
    say(store, *TALK[10:], first=11)
    assert shows(store, writable=False)[1] is None
    recent, summary = shows(store)
    assert shows(store) == (recent, summary)
    assert recent == [text for _, text in TALK[-8:]]
    assert "第 0 号阀门" in summary
    assert "第 11 号阀门" not in summary


def test_an_ended_session_starts_afresh(store):
    """The end leaves one digest draft and takes window and summary away; what is said in the same
    session later is a new window and a new digest, without the old part."""
    keeper = SessionKeeper()
    say(store, *TALK)
    shows(store, keeper)
    ended = keeper.close(store, SUN, "A", now=NOW)
    assert ended.draft is not None
    assert "第 0 号阀门" in ended.draft.text or "第 11 号阀门" in ended.draft.text
    with store.write() as writer:
        keeper.end(writer, SUN, "A", ended, at=NOW, digest=new_id())
    assert shows(store, keeper) == ([], None)
    assert keeper.close(store, SUN, "A", now=NOW).draft is None
    say(store, ("user", "改成用 PDF 交付。"), first=50)
    assert shows(store, keeper) == (["改成用 PDF 交付。"], None)
    again = keeper.close(store, SUN, "A", now=NOW)
    assert again.draft is not None
    assert "PDF" in again.draft.text
    assert "阀门" not in again.draft.text


def test_an_erased_turn_is_in_no_summary(store):
    """After a turn is erased, the summary that quoted it is gone, and the next one is made of
    what is left."""
    turns = say(store, ("user", "我对青霉素过敏，编号 P-1。"), *TALK)
    assert "青霉素" in shows(store)[1]
    with store.write() as writer:
        writer.erase(SUN, turn_ids=[turns[0].id], at=NOW, reason="asked", event_id=new_id())
    assert shows(store, writable=False)[1] is None
    summary = shows(store)[1]
    assert "青霉素" not in summary
    assert "阀门" in summary


def test_what_is_not_to_be_encoded_is_not_summarised(store):
    """A turn that was kept when its memories were erased does not come back by a summary or a
    digest."""
    keeper = SessionKeeper()
    turns = say(store, ("user", "我的地址是长安街 1 号。"), *TALK)
    with store.write() as writer:
        writer.set_encodable(SUN, [turns[0].id], False)
    assert "长安街" not in shows(store, keeper)[1]
    assert "长安街" not in keeper.close(store, SUN, "A", now=NOW).draft.text


def test_two_processes_do_not_undo_each_other(store):
    """A summary made from an older one is not kept when a newer one has come meanwhile."""

    between: list[str | None] = []

    def count(text: str) -> int:
        if not between:
            between.append(None)
            between.append(shows(store)[1])
        return count_tokens(text)

    say(store, *TALK)
    slow = SessionKeeper(max_turns=2, count=count)
    assert shows(store, slow)[1] == between[-1] is not None
    assert shows(store)[1] == between[-1]


def test_the_question_stays_however_many_tools_answer(store):
    """The newest message of the user is shown although only results of tools came since, more than
    are read at first."""
    say(store, *TALK)
    shows(store)
    say(store, ("user", "请核对全部阀门"), *[("tool", f"ok {n}") for n in range(30)], first=60)
    assert "请核对全部阀门" in shows(store)[0]


def test_a_session_of_thousands_of_turns(store):
    """A very long session without a summary so far is read from its newest turns; with one, from
    where it ends, however far back."""
    say(store, *TALK)
    shows(store)
    say(store, *[("user", f"note {n} costs {n} euros") for n in range(300)], first=100)
    recent, summary = shows(store)
    assert len(recent) == 8
    assert "note 29" in summary
