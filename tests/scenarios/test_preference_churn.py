"""F30: what changes again and again. After each of twenty sessions and more the profile is current
to the last field and the history complete, in both languages."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest

from jiyi import Memory
from jiyi.testing import FakeClock

# One line per change: attribute, its value afterwards, what is said. Sessions of a few lines each;
# every attribute changes several times, each time in other words.
ENGLISH = """
residence | Leeds | I live in Leeds.
employer | Initech | I work at Initech.
favourite/colour | green | My favourite colour is green.
preference/coffee | like | I love coffee.
tool/note | Notion | I use Notion for my notes.
reply_language | English | Please answer in English from now on.
reply_style/length | brief | Keep your answers short from now on.
instruction/deploy friday | dont | Never deploy on Fridays.
nickname | Bob | You can call me Bob.
diet | vegetarian | I'm a vegetarian.
--
residence | Porto | I moved to Porto yesterday.
preference/coffee | stopped | I stopped drinking coffee.
tool/note | Obsidian | I switched from Notion to Obsidian.
--
favourite/colour | teal | Actually, my favourite colour is teal now.
employer | Globex | I just joined Globex.
--
reply_language | Chinese | From now on reply in Chinese, please.
reply_style/length | detailed | Always give me detailed answers.
instruction/deploy friday | do | Deploying on Fridays is fine now.
--
residence | Lyon | We have relocated to Lyon.
diet | vegan | I am vegan now.
preference/coffee | like | I drink coffee again.
--
tool/note | Logseq | I've migrated from Obsidian to Logseq.
nickname | Robbie | Actually, call me Robbie.
--
employer | Umbrella | I now work for Umbrella.
favourite/colour | maroon | These days my favourite colour is maroon.
--
preference/coffee | dislike | I hate coffee these days.
reply_language | English | Answer in English again from now on.
--
residence | Ghent | I'm now living in Ghent.
instruction/deploy friday | dont | Don't deploy on Fridays any more.
--
reply_style/length | brief | From now on, be brief in your answers.
tool/note | Notion | I replaced Logseq with Notion.
--
diet | vegetarian | I'm a vegetarian again.
favourite/colour | navy | My new favourite colour is navy.
--
employer | Hooli | I got a job at Hooli.
preference/coffee | like | I've come to love coffee.
--
residence | Turin | I've just moved to Turin.
reply_language | French | In future, reply in French.
--
nickname | Rob | Please call me Rob.
tool/note | Bear | I ditched Notion for Bear.
--
instruction/deploy friday | do | You can deploy on Fridays again.
reply_style/length | detailed | From now on, answer in detail.
--
favourite/colour | amber | my current favourite is amber
residence | Delft | I live in Delft now.
--
employer | Stark Industries | I left Hooli and joined Stark Industries.
preference/coffee | stopped | I no longer drink coffee.
--
reply_language | English | From now on, please respond in English.
diet | vegan | I've gone vegan.
--
tool/note | Obsidian | I went from Bear to Obsidian.
residence | Basel | I moved from Delft to Basel.
--
instruction/deploy friday | dont | From now on never deploy on Fridays.
favourite/colour | white | My favourite colour is white these days.
--
residence | Graz | I'm based in Graz now.
preference/coffee | like | I enjoy coffee again.
"""
CHINESE = """
residence | 成都 | 我住在成都。
employer | 华星科技 | 我在华星科技上班。
favourite/颜色 | 绿色 | 我最喜欢的颜色是绿色。
preference/咖啡 | like | 我爱喝咖啡。
tool/记笔记 | Notion | 记笔记我用Notion。
reply_language | English | 以后用英文回答我。
reply_style/length | brief | 以后回答简短一点。
instruction/升级 | dont | 不要自动升级。
name | 阿明 | 我叫阿明。
diet | 吃素 | 我吃素。
--
residence | 重庆 | 我搬到重庆了。
preference/咖啡 | stopped | 我不喝咖啡了。
tool/记笔记 | Obsidian | 从Notion换成Obsidian了。
--
favourite/颜色 | 蓝色 | 我现在最喜欢的颜色是蓝色。
employer | 远帆软件 | 我跳槽到远帆软件了。
--
reply_language | Chinese | 从现在起用中文回复我。
reply_style/length | detailed | 以后回答详细一点。
instruction/升级 | do | 有新版直接升级。
--
residence | 昆明 | 我们全家搬到昆明了。
preference/咖啡 | like | 我又喜欢喝咖啡了。
--
tool/记笔记 | Logseq | 我不用Obsidian了，改用Logseq。
name | 老明 | 以后喊我老明吧。
--
employer | 云图数据 | 我现在在云图数据工作。
favourite/颜色 | 紫色 | 我最喜欢的颜色变成紫色了。
--
preference/咖啡 | dislike | 我讨厌喝咖啡。
reply_language | English | 以后还是用英文回复。
--
residence | 大理 | 我现在住大理。
instruction/升级 | dont | 以后别自动升级了。
--
reply_style/length | brief | 以后回答要简洁。
tool/记笔记 | Notion | 从Logseq换回了Notion。
--
favourite/颜色 | 灰色 | 我如今最喜欢的颜色是灰色。
preference/咖啡 | like | 我喜欢上了咖啡。
--
employer | 天工机械 | 我入职天工机械了。
residence | 厦门 | 我搬家到厦门了。
--
reply_language | Chinese | 今后都用中文回答。
name | 小明 | 以后叫我小明就好。
--
tool/记笔记 | Bear | 把Notion换成Bear了。
instruction/升级 | do | 以后可以自动升级。
--
reply_style/length | detailed | 从现在开始回答详细些。
favourite/颜色 | 白色 | 我现在最喜欢的是白色。
--
preference/咖啡 | stopped | 我戒了咖啡。
residence | 珠海 | 我定居在珠海了。
--
employer | 青禾农业 | 我换工作了，现在在青禾农业上班。
reply_language | English | 以后请用英文交流。
--
residence | 拉萨 | 我家现在在拉萨。
tool/记笔记 | Obsidian | 不用Bear了，换成Obsidian。
--
preference/咖啡 | like | 我现在很爱喝咖啡。
instruction/升级 | dont | 今后禁止自动升级。
--
favourite/颜色 | 黑色 | 我最喜欢的颜色换成黑色了。
residence | 青岛 | 我搬到青岛住了。
--
reply_language | Chinese | 以后用中文回复。
reply_style/length | brief | 以后回答尽量简短。
"""


def sessions(script: str) -> list[list[tuple[str, str, str]]]:
    return [
        [
            (attribute.strip(), value.strip(), said.strip())
            for attribute, value, said in (line.split("|") for line in part.strip().splitlines())
        ]
        for part in script.split("--")
    ]


@pytest.mark.parametrize("script", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_profile_is_current_after_every_session(
    memory: Memory, clock: FakeClock, script: str
) -> None:
    """After each session the profile holds the last value of every attribute and nothing else, and
    each attribute's history holds all its values in order, each ending where the next begins."""
    told: dict[str, list[tuple[str, str]]] = {}
    parts = sessions(script)
    assert len(parts) > 19
    for number, part in enumerate(parts):
        for attribute, value, said in part:
            memory.observe(said, session=f"s{number}")
            told.setdefault(attribute, []).append((value, said))
            clock.advance(timedelta(minutes=2))
        wanted = {attribute: values[-1][0] for attribute, values in told.items()}
        found = {field.attribute: field.value for field in memory.profile().learned}
        assert found == wanted, f"after session {number}"
        clock.advance(timedelta(days=3))
    everything = memory.list(include="superseded", limit=500).items
    for attribute, values in told.items():
        chain = sorted(
            (m for m in everything if m.slot is not None and m.slot.attribute == attribute),
            key=lambda m: m.said_at,
        )
        assert [m.slot.value for m in chain if m.slot] == [value for value, _ in values]
        assert [m.status for m in chain] == ["superseded"] * (len(chain) - 1) + ["active"]
        for old, new in pairwise(chain):
            assert old.superseded_by == new.id
            assert old.valid_to == new.valid_from
