"""Made-up memories of about 120 characters, the same on every run.

`zh` are notes of ordinary words in a few patterns of sentences, with dates, numbers, and names of
people, shops and brands: 148 terms each, and 12 different ones a memory in a block of 4,096 (a year
of phone items, cut into memories of 120 characters, has 120 and 16: the index takes as much).
`en` draws words whose frequencies fall like those of a language. `zh-worst` draws characters one by
one, so that nearly every pair of neighbours is new: no language does that.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

from jiyi.ports import TermWeights
from jiyi.text.terms import term_weights

LANGUAGES = ("en", "zh", "zh-worst")
_CHARACTERS = 120
_ROWS, _CELLS = range(0xB0, 0xD7), range(0xA1, 0xFA)  # of GB 2312


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ZH_WHO = _words(
    "我 我们组 隔壁组 张工 李姐 王主任 小刘 陈老师 周医生 房东 物业 快递员 教练 妈妈 "
    "爸爸 表弟 外婆 室友 客户那边 供应商 实习生 财务 人事 导师 同桌 邻居 孩子的班主任 "
    "健身房前台 理发师 装修队"
)
_ZH_SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜"
_ZH_GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英文玉兰建国宇轩梓涵欣怡浩然子墨若曦"
_ZH_KINDS = _words("牌 店 项目 路 班 号院 小组 计划 超市 诊所 书店 公寓")
_ZH_HOW = _words(
    "新的 旧的 蓝色的 备用的 进口的 借来的 打折的 坏掉的 便宜的 加急的 第二份 最后一份 剩下的"
)
_ZH_WHEN = _words(
    "今天 昨天 前天 今早 昨晚 上周末 这个月初 上个月 下周三 周五下午 午休的时候 下班路上 "
    "开会之前 放假那几天 春节期间 国庆回来以后 半夜 吃过晚饭 刚到公司 出差途中"
)
_ZH_WHERE = _words(
    "公司 家里 会议室 实验室 食堂 楼下便利店 地铁站 图书馆 医院 学校门口 菜市场 咖啡馆 "
    "健身房 银行 车站 机场 公园 客户现场 仓库 车间 温室 停车场 小区广场 电影院 杭州 成都 "
    "深圳 西安 南京 青岛 武汉 厦门"
)
_ZH_VERBS = _words(
    "整理 检查 修改 讨论 准备 提交 安排 预约 购买 退掉 更换 测试 记录 核对 翻译 打印 "
    "归还 借用 联系 通知 复习 练习 参观 清洗 修理 搬走 寄出 收到 取消 推迟 确认 比较 "
    "下载 备份 删除 分享 取回 申请 报销 验收"
)
_ZH_THINGS = _words(
    "季度报告 实验数据 合同草稿 采购清单 会议纪要 培训材料 体检报告 机票 火车票 酒店订单 "
    "生日礼物 跑步鞋 降噪耳机 显示器 笔记本电脑 保险单 驾驶证 租房合同 水电账单 猫粮 "
    "绿萝 吉他 自行车 儿童座椅 净水器 洗衣机 投影仪 相机镜头 英语课本 钢琴谱 疫苗本 "
    "医保卡 工资条 发票 样品 标本 传感器 服务器 数据库 接口文档 测试用例 设计稿 宣传海报 "
    "调查问卷 论文初稿 答辩幻灯片 菜谱 药盒 眼镜 行李箱 帐篷 滑雪板"
)
_ZH_FEELINGS = _words(
    "觉得很满意 有点担心 心里踏实了 特别开心 觉得太贵了 不太习惯 打算再试一次 "
    "决定以后不买了 比想象中顺利 累得不想说话 挺有收获 有些失望 松了一口气 想早点休息 "
    "下次要提前准备 准备写进总结里"
)
_ZH_WHY = _words(
    "因为截止日期提前了 因为上次出了差错 因为对方一直没有回复 因为天气突然变冷 "
    "因为预算不够 因为医生这样建议 因为孩子要考试 因为搬家以后放不下 因为系统升级 "
    "因为路上堵车 因为朋友推荐 因为原来的坏了 为了省一点时间 为了月底之前完成 "
    "为了让新人尽快上手 为了参加比赛"
)
_ZH_SENTENCES = (
    "{when}{who}在{label}{verb}了{how}{thing}，{why}，{feeling}。",
    "{month}月{day}日和{name}约在{where}见面，主要是{verb}{label}的{thing}，顺便{verb}一下{how}{thing}。",
    "{who}说{label}的{thing}要在{month}月{day}日之前{verb}好，{why}。",
    "{when}花了{number}块钱{verb}{label}{thing}，{feeling}，{name}也这么说。",
    "{name}喜欢把{how}{thing}放在{label}，{who}找了{small}次才找到。",
    "以后{verb}{label}{thing}的时候先问{name}，{why}。",
    "{label}的{thing}编号是{letter}{number}，{who}负责{verb}。",
    "每周{week}{when}去{where}，先{verb}{thing}，再去{label}{verb}{how}{thing}，大概{small}个小时。",
    "{who}让{name}把{label}{thing}的事情推到{month}月，{why}，{feeling}。",
    "{name}的电话换成了尾号{number}，{when}在{label}告诉{who}的。",
)


class MadeUp:
    """Makes texts of one of `LANGUAGES`, with their terms."""

    def __init__(self, name: str, seed: int) -> None:
        if name not in LANGUAGES:
            raise ValueError(f"no made-up language {name!r}: {', '.join(LANGUAGES)}")
        self.name = name
        self.random = random.Random(seed)
        self._english = _english_words(self.random)
        self._weights = [1 / (rank + 10) for rank in range(len(self._english))]
        # Shops, brands, projects, streets take their names from the 3,755 commonest characters.
        common = [
            bytes((row, cell)).decode("gb2312") for row in range(0xB0, 0xD7) for cell in _CELLS
        ]
        self._named = self.random.sample(common, 1000)
        self._signs = [chr(0x4E00 + n) for n in range(3000)]
        self._sign_weights = [1 / (rank + 10) for rank in range(len(self._signs))]

    def text(self) -> str:
        """The next text."""
        if self.name == "en":
            return " ".join(self.random.choices(self._english, self._weights, k=20))
        if self.name == "zh-worst":
            return "".join(self.random.choices(self._signs, self._sign_weights, k=_CHARACTERS))
        text = ""
        while len(text) < _CHARACTERS - 15:
            text += self._sentence()
        return text

    def terms(self, text: str) -> TermWeights:
        """As they are indexed. Those of the worst case are all its characters and pairs, none of
        them left out for being a word of grammar."""
        if self.name != "zh-worst":
            return term_weights(text)
        units = [*text, *(a + b for a, b in pairwise(text))]
        return TermWeights(Counter(units), len(units))

    def _sentence(self) -> str:
        pick = self.random
        pattern, filled = pick.choice(_ZH_SENTENCES), ""
        while "{" in pattern:
            before, _, rest = pattern.partition("{")
            slot, _, pattern = rest.partition("}")
            filled += before + self._word(slot)
        return filled + pattern

    def _word(self, slot: str) -> str:
        pick = self.random
        match slot:
            case "name":
                given = "".join(pick.sample(_ZH_GIVEN, pick.choice((1, 2, 2))))
                return pick.choice(_ZH_SURNAMES) + given
            case "label":
                size = pick.choice((2, 2, 3))
                return "".join(pick.choices(self._named, k=size)) + pick.choice(_ZH_KINDS)
            case "month":
                return str(pick.randint(1, 12))
            case "day":
                return str(pick.randint(1, 28))
            case "number":
                return str(pick.randint(10, 9999))
            case "small":
                return pick.choice("两三四五六")
            case "week":
                return pick.choice("一二三四五六日")
            case "letter":
                return pick.choice("ABCDEFGH")
        return pick.choice(_ZH_SLOTS[slot])


_ZH_SLOTS = {
    "who": _ZH_WHO,
    "when": _ZH_WHEN,
    "where": _ZH_WHERE,
    "how": _ZH_HOW,
    "verb": _ZH_VERBS,
    "thing": _ZH_THINGS,
    "feeling": _ZH_FEELINGS,
    "why": _ZH_WHY,
}


def _english_words(pick: random.Random) -> list[str]:
    """A vocabulary whose frequencies fall like those of a language."""
    letters = "etaoinshrdlucmfwypvbgk"
    return ["".join(pick.choices(letters, k=pick.randint(2, 9))) for _ in range(20_000)]
