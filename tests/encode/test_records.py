"""Pasted conversations, notices, drafted letters and passing remarks: kinds of junk that come in
under the user's role, or that a reader would take for a fact."""

from __future__ import annotations

import pytest
from spoken import facts, slots, turn

from jiyi.encode.guard import statements


@pytest.mark.parametrize(
    ("text", "own", "others"),
    [
        ("User: I live in Leeds now.\nAssistant: I live in the cloud, and I like jazz.",
         "Leeds", "jazz"),
        ("me: I moved to Porto\nChatGPT: You like port wine then. I love Porto too!",
         "Porto", "wine"),
        ("[chat] Me: my name is Alice\nBot: my name is Robo", "Alice", "Robo"),
        ("用户：我住在利兹。\n助手：我住在云端，我喜欢爵士乐。", "利兹", "爵士"),
        ("我：我搬到厦门了\n客服：我在杭州上班，很高兴为您服务", "厦门", "杭州"),
        ("[助手对话] 用户：我叫孙伟\n助手：我叫小智", "孙伟", "小智"),
    ],
)  # fmt: skip
def test_in_a_pasted_conversation_only_the_user_speaks(text: str, own: str, others: str) -> None:
    """Lines labelled as the user's are theirs; an assistant's lines leave nothing."""
    told = " ".join(draft.text for draft in facts(text))
    assert own in told
    assert others not in told


@pytest.mark.parametrize(
    "text",
    [
        "Anna: I live in Rome\nBen: I live in Oslo\nAnna: I like tea\nBen: I hate tea",
        "张三：我住在罗马\n李四：我住在奥斯陆\n张三：我爱喝茶\n李四：我讨厌喝茶",
    ],
)
def test_in_a_pasted_chat_of_others_nobody_is_the_user(text: str) -> None:
    """Of a conversation between named people nothing is told of the user."""
    assert not facts(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Push notification] Your order has shipped. I love this shop!",
        "[SMS received] Anna: I moved to Rome last week",
        "(Forwarded) I live in Rome and I work at Acme",
        "[推送] 天气：明天有雨，请带伞",
        "[短信 接收] 王磊：我搬到罗马了",
        "【某某银行】您的账户于今天支出500元",
        "【转发】我住在罗马，在阿克米上班",
    ],
)
def test_what_a_device_received_is_not_said_by_the_user(text: str) -> None:
    """Notices, received and forwarded messages hold no statements."""
    assert not statements(turn(text))


@pytest.mark.parametrize(
    "text",
    [
        "Budget: 5000 dollars\nDeadline: Friday",
        "My address: 12 Elm Street",
        "电话：13800001111",
        "[Oslo](https://example.org) is where I live: Oslo",
    ],
)
def test_labels_of_values_are_no_speakers(text: str) -> None:
    """A form or a list with colons is still the user's."""
    assert statements(turn(text))


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ms Vale,\nI have decided to accept your offer.\nBest regards,\nAnn",
        "Here is a template:\nHi [Recruiter Name], I have decided to decline.",
        "尊敬的客户：\n我已经为您安排了发货。\n此致",
        "I recommend starting with:",
    ],
)
def test_a_drafted_letter_is_no_word_of_the_assistant(text: str) -> None:
    """What an assistant writes for somebody else's mouth, and a line that only announces a list,
    is nothing that it decided or promised."""
    assert not statements(turn(text, "assistant"))


@pytest.mark.parametrize(
    "text",
    [
        "I can't afford any mistakes on this",
        "I'm so nervous about this",
        "Studied all day, like always.",
        "Love the colors!",
        "my team must trust me",
        "my dreams are comin' true",
        "We really need to finish this phase today",
        "Use social media and work with influencers",
        "买了个投影仪，以后在家看电影方便",
        "还要坚持为以后存钱",
        "以后写报告",
        "Q3必须拿下这个大客户",
        "又有点舍不得了",
        "我可爱极了",
        "有了他，每次都是无价的宝藏",
        "老马说他们那边有个同事，做法务的",
    ],
)
def test_passing_remarks_fill_no_slot(text: str) -> None:
    """Moods, reactions, goals of the day and somebody's hearsay are no preference, rule or job."""
    assert not {name for name in slots(text) if name not in ("device", "possession")}
