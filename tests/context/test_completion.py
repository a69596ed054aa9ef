"""Questions that lean on the conversation, and those that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parts import turn

from jiyi.recall.completion import LOOK_BACK, MAX_ADDED, complete
from jiyi.recall.leaning import leaning
from jiyi.recall.topics import topics

LEANING = """
the morning one
the cheaper one please
I'd rather have the blue one
when will it arrive?
When does it arrive
how much does it cost?
is it waterproof?
where did they go?
who recommended her?
does he like it
What did Anna say about it?
what about the red one?
what about Tuesday?
how about next week
and the red one?
and in blue?
and tomorrow?
how much?
why?
when exactly?
for two people?
by Friday?
which one is cheaper?
which of them is closer?
what's the price
what is the phone number?
tell me more about that
is that available
does this work
anything else?
who else came?
when does that project end?
the second one please
the latter
what time does it open?
要上午的
还是要下午的吧
红色的呢
便宜一点的有吗
选大的
那上午的呢
什么时候到
什么时候能到？
多少钱？
几点开始
在哪里买的
到了吗
能退吗
怎么样了
地址在哪
价格是多少
谁推荐的
还有呢
还有别的吗
那北京呢
第二个
那个多少钱
这个怎么用
那款有蓝色的吗
那家餐厅叫什么名字
那边天气怎么样
这个项目什么时候截止
它防水吗
他什么时候回来
她喜欢什么
他们住哪
那个 meeting 几点?
it 什么时候到
""".strip().splitlines()

ALONE = """
What is my favourite colour?
Where do I live?
who am I?
When is Alice's birthday?
What time is it?
is it raining?
how long does it take to boil an egg?
Does Slack have its own API?
What did I say about the deploy script yesterday?
Where did my parents buy their house?
door code ZX-9917-Q
P-2025-0412
Alice
Paris?
how should the table look?
Design a button
What is the address of the Hilton in Rome?
What's my phone number?
this week's schedule for the team
Which programming language do I prefer?
How do I make coffee with the French press?
I bought a camera last week. Where did I put it?
Tell me about the time that Caroline went to Paris
What did Caroline and Melanie do together?
thanks!
ok
no one told Maria about the party
用户住在哪里
我住在哪里？
我是谁
你好
好的
谢谢你
北京
我的 iPhone 15 Pro 怎么了
我对什么过敏
我喜欢喝什么
我几岁了
小明的生日是什么时候
我的钥匙呢
这个月的预算是多少
P-2025-0412 怎么样
前端用的是哪个框架
我是什么时候搬到上海的
吉他多少钱一把
其他同事的意见
我妈妈的生日她喜欢什么礼物
部署脚本要注意什么
张伟的电话是多少
帮我设计一个按钮
昨天的会议讨论了什么
我上周三去了哪里
那天在杭州西湖边吃了什么菜
我住的那个小区叫什么名字
同事他们的办公室在几楼
Is it likely that Nate plays chess?
Has Maria made it to the final?
""".strip().splitlines()


@pytest.mark.parametrize("query", LEANING)
def test_it_leans(query):
    """Pronouns, "the … one", bare follow-ups, missing subjects: these need the conversation."""
    assert leaning(query) is not None


@pytest.mark.parametrize("query", ALONE)
def test_it_stands_alone(query):
    """A question that names its subject, a greeting, or one about the user is left alone."""
    assert leaning(query) is None


CONVERSATIONS = [
    (
        [
            turn("Can you book the guided tour at the British Museum on Saturday?"),
            turn("There is one in the morning and one in the afternoon.", "assistant"),
        ],
        ["the morning one", "要上午的", "how much is it?"],
        "British Museum",
    ),
    (
        [
            turn("我订了一台索尼相机，送到公司。"),
            turn("好的，订单 SO-8812 已确认。", "assistant"),
        ],
        ["什么时候到", "when will it arrive?", "那个多少钱", "能退吗"],
        "索尼相机",
    ),
    (
        [
            turn("帮我预约张医生的牙科门诊"),
            turn("周四上午和下午都有号，您要哪个时段？", "assistant"),
        ],
        ["要上午的", "the morning one", "他什么时候下班"],
        "张医生",
    ),
    (
        [
            turn("我们的 Kubernetes 集群要升级到 1.31"),
            turn("升级前请先备份 etcd。", "assistant"),
        ],
        ["怎么做", "how long does it take?", "what about it?"],
        "Kubernetes",
    ),
]


@pytest.mark.parametrize(
    ("turns", "query", "subject"),
    [(turns, query, subject) for turns, queries, subject in CONVERSATIONS for query in queries],
)
def test_the_subject_is_added(turns, query, subject):
    """A leaning question in either language gets what the last turns are about, after its own
    words, in the language they were said in."""
    completion = complete(query, turns)
    if query.startswith("how long does it take"):
        # An empty `it` is not taken for the cluster's: careful means missing some.
        assert completion is None
        return
    assert completion is not None
    assert completion.text.startswith(query)
    assert any(subject in term or term in subject for term in completion.added)
    assert completion.reason


@pytest.mark.parametrize("query", ALONE)
def test_nothing_is_added_to_what_stands_alone(query):
    """Whatever was said before, a question that stands alone is not touched."""
    for turns, _, _ in CONVERSATIONS:
        assert complete(query, turns) is None


def test_no_conversation_nothing_to_add():
    """Without turns, or with turns that name nothing, a question stays as it is."""
    assert complete("要上午的", []) is None
    assert complete("the morning one", [turn("hi"), turn("Hello!", "assistant")]) is None


def test_the_question_itself_is_no_context():
    """The question may already be the last turn; it is not completed from itself."""
    turns, _, _ = CONVERSATIONS[0]
    asked = "and the red one with the strap?"
    assert complete(asked, [*turns, turn(asked)]) == complete(asked, turns)


def test_the_newest_subject_wins():
    """After the conversation has moved on, the new subject comes before the old one."""
    turns = [
        turn("I ordered a Sony camera."),
        turn("Noted.", "assistant"),
        turn("And I want to return the Bosch drill."),
        turn("The return label for the Bosch drill is ready.", "assistant"),
    ]
    completion = complete("when will it be picked up?", turns)
    assert completion is not None
    assert "Bosch" in completion.added[0]


def test_tools_and_system_prompts_are_no_subject():
    """Only what the user and the assistant said is looked at."""
    turns = [turn("SECRET-1 policy", "system"), turn("row RX-77", "tool")]
    assert complete("how much is it?", turns) is None


def test_only_the_last_turns_count():
    """What was spoken of many turns ago is not brought back."""
    turns = [turn("The Leica lens is broken."), *[turn("ok")] * LOOK_BACK]
    assert complete("how much is it?", turns) is None


words = st.sampled_from(
    [
        "it",
        "the",
        "one",
        "那个",
        "要",
        "上午",
        "的",
        "Sony",
        "相机",
        "什么时候",
        "?",
        "and",
        "呢",
        "🎉",
    ]
)
texts = st.one_of(st.lists(words, max_size=6).map(" ".join), st.text(max_size=40))


@given(texts, st.lists(texts, max_size=8))
def test_it_never_harms(query, said):
    """Any text: no error; the question's own words stay in front; few terms are added, none of
    which the question has already; and the result is the same each time."""
    turns = [turn(text, "assistant" if n % 2 else "user") for n, text in enumerate(said) if text]
    completion = complete(query, turns)
    assert completion == complete(query, turns)
    if completion is not None:
        assert completion.text.startswith(query.rstrip())
        assert 0 < len(completion.added) <= MAX_ADDED
        assert all(term and term.lower() not in query.lower() for term in completion.added)


@given(texts)
def test_topics_are_parts_of_the_text(text):
    """A topic is never invented: each one has a positive weight and no line break."""
    for phrase, weight in topics(text).items():
        assert weight > 0
        assert phrase.strip()
        assert "\n" not in phrase
