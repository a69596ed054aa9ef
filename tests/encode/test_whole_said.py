"""A statement is taken whole: who did it, of what, when, and no word of its neighbours."""

from __future__ import annotations

import pytest
from spoken import facts, let_in, slots, turn

from jiyi.encode.rules import extract


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("My sister and I went to a pottery fair last month.", "My sister and I went"),
        ("Last year my old colleagues and I opened a kiosk.", "Last year (2022) my old colleagues"),
        ("Omar and I founded a bakery in 2019.", "Omar and I founded a bakery"),
        ("Last week, my uncle passed away.", "Last week (2023-05-15/2023-05-21), my uncle"),
        ("I am still single even though my twin is not.", "I am still single"),
    ],
)
def test_a_subject_and_its_time_stay_with_what_is_told(said: str, text: str) -> None:
    """Two who act together are one subject, a time in front belongs to it, and "even though"
    begins another clause."""
    assert facts(said)[0].text.startswith(text)


def test_each_of_two_who_act_is_a_subject_of_its_own() -> None:
    """ "I visited my sister and I stayed" is no couple; "my husband and I live" tells one's own."""
    assert facts("I visited my sister and I stayed for a week in May.")[0].text.startswith("I ")
    assert slots("My husband and I live in Tartu.") == {"residence": "Tartu"}


def test_a_list_of_things_is_not_cut_before_its_end() -> None:
    """ "and the …" goes on with what was named unless something is said of it."""
    (goal,) = facts("We plan to restore a pier and the old lighthouse.")
    assert goal.text == "We plan to restore a pier and the old lighthouse."
    assert slots("I live in Bergen and the rent is 900 euros.") == {
        "residence": "Bergen",
        "detail/rent": "900 euros",
    }


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("The budget is under 300 euros a month.", ("detail/budget", "under 300 euros a month")),
        ("我特别喜欢“雨后”和“晨雾”", ("preference/雨后和晨雾", "like")),
        ("我最喜欢的歌是‘潮汐’和‘灯塔’", ("favourite/歌", "‘潮汐’和‘灯塔’")),
        (
            "My goal is to fill a sheet with 'name' and 'city'.",
            ("goal", "fill a sheet with 'name' and 'city'"),
        ),
        (
            "I'm passionate about running a quiet, friendly workshop for kids.",
            ("preference/run a quiet, friendly workshop for kid", "like"),
        ),
        ("我妈在一所小学教语文", ("occupation", "教语文")),
        ("我在美团做了四年后端开发", ("employer", "美团")),
        ("机票和酒店我都确认好了", ("detail/机票和酒店状态", "确认")),
        ("My current role is Shift Lead at a big bakery in Ghent.", ("occupation", "Shift Lead")),
        ("我月供一万五", ("detail/月供", "一万五")),
        ("我妈是会计已退休", ("occupation", "会计")),
        ("小李从余杭搬到滨江去了", ("residence", "滨江")),
        ("比如我每天早上喝豆浆", ("preference/豆浆", "like")),
        ("把晨跑改为只走3公里慢走", ("detail/晨跑", "只走3公里慢走")),
    ],
)
def test_a_value_is_whole(said: str, slot: tuple[str, str]) -> None:
    """Bounds, marks in pairs, adjectives in a row and what is taught are part of the value."""
    assert slot in slots(said).items()
    assert "20" not in facts(said)[0].text.replace("2023", "")


@pytest.mark.parametrize(
    "said", ["今天又是跑得满头大汗才回到家", "在读者群里做小规模测试，效果不错", "我是无茶不欢的人"]
)
def test_what_ends_like_a_job_or_a_place_is_none(said: str) -> None:
    """…到家 is no -ist, a test in a chat group no trade, and who cannot do without tea comes from
    nowhere."""
    assert slots(said) == {}


def test_a_daily_hour_is_no_date() -> None:
    """ "6:30 run", told of every day, is not half past six of the day it was said."""
    assert all("2023" not in draft.text for draft in facts("我的日常：6点起床，6:30跑步，8点上班"))


def test_a_plain_statement_is_made_in_passing_in_a_long_turn() -> None:
    """ "I teach maths" is worth keeping when it is what somebody says, not within a story nor
    between friends."""
    assert facts("I teach maths at a night school.")
    story = "The lamp on the pier went out again and nobody came to mend it for hours. " * 3
    assert facts(story + "I suspect moths in the fuse box of the lighthouse.") == []
    friend = turn("I suspect moths in the fuse box.", name="Ada")
    assert let_in(extract(friend, [turn("Hm.", name="Bo", id="a")])) == []


def test_of_a_weekday_and_a_date_the_date_counts() -> None:
    """ "Friday, June 23rd" is the 23rd of June, not the next Friday."""
    (meeting,) = facts("I have a dentist appointment on Friday, June 23rd.")
    assert "(2023-06-23)" in meeting.text


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("我把旧相机换成了索尼A7", "镜头也在考虑换成适马，画风统一"),
        ("我的编辑器换成了Zed", "终端也想换成Ghostty，配色一致"),
    ],
)
def test_what_is_only_considered_corrects_nothing(before: str, said: str) -> None:
    """A thing that somebody thinks of changing takes no other thing's place, nor does what is said
    of it."""
    assert facts(before, said) == []


def test_a_note_is_about_its_writer_in_every_sentence() -> None:
    """Whom the sentence before spoke of is not the one who did what a new sentence tells."""
    note = "[笔记] 奶奶去年退休了。今天下班时买了蛋糕。"
    assert not any("奶奶今天" in draft.text for draft in facts(note))


def test_what_is_done_by_now_needs_no_date() -> None:
    """ "I've installed the rack in the cellar" is told, whenever it was; "it" is not."""
    assert facts("I've installed the wine rack in the cellar.")
    assert facts("I've sent the lease to Ilse.")
    assert facts("我把阳台的书架装好了")
    assert not facts("I've sent it.")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Please wait.", "Got it. No more rushing, I promise."),
        ("Please wait.", "I promise to begin as soon as the file is there."),
        ("Help me.", "If I need anything from you, I'll send you a line."),
        ("Help me.", "I suggest a simple weekly structure."),
        ("Help me.", "Your job: pick a bank (I'd recommend the cheapest) and sign up."),
        ("For my application, polish the wording of the text.", "I chose the trade for its tools."),
        ("Help me.", "As a shipping company, we have decided to outsource our yard."),
        ("I need three blog posts on soap.", "I'll send you a free sample of our soap."),
        ("我想投稿，帮忙润色一下这段文字", "我决定在海边开一家书店。"),
        ("等一下", "我保证下次不会再这样了。"),
    ],
)
def test_manners_and_words_of_others_are_no_deeds_of_an_assistant(asked: str, answer: str) -> None:
    """Promises about manners, conditions, asides, what is told only after that, and texts written
    for somebody else leave nothing."""
    assert let_in(extract(turn(answer, "assistant", id="b"), [turn(asked, id="a")])) == []


@pytest.mark.parametrize(
    "answer",
    [
        "I promise to send you the packing list on Friday.",
        "I suggest the Harbour Inn for two nights.",
        "我答应明天提醒你交房租。",
    ],
)
def test_a_promise_of_something_is_kept(answer: str) -> None:
    """What an assistant will send, and what it proposes by name."""
    assert let_in(extract(turn(answer, "assistant", id="b"), [turn("Well?", id="a")]))
