"""Words that carry no topic of their own: what is left of a question without them is its subject.

Closed word classes and the most general verbs and attributes of both languages, used to see
whether a question says what it is about, and to find what a turn was about.
"""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.patterns import regex
from jiyi.text.scripts import HAN


def word_list(text: str) -> tuple[str, ...]:
    """Words written with white space between them."""
    return tuple(text.split())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_EN: Final = _words(
    """a an the this that these those some any each every all both either neither no not none
    i me my mine myself we us our ours you your yours he him his she her hers it its they them
    their theirs who whom whose which what when where why how whether there here
    am is are was were be been being do does did done doing have has had having will would shall
    should can could may might must ought need 's 're 've 'll 'd 'm 't n't
    and or but so then also plus too as if than because while though although until till unless
    of in on at to for from by with without about into onto over under between during after before
    since through around near off out up down again still yet already just only even ever never
    once very really quite rather more most less least much many few lot bit little enough such
    else other another same one ones okay ok yes yeah no nope well please thanks thank hey hi
    hello sure right like got gonna wanna let lets let's maybe perhaps probably exactly actually
    don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't
    haven't hasn't hadn't i'm i've i'll i'd you're you've you'll it's that's there's what's
    when's where's who's how's he's she's they're we're we've we'll cannot etc via per
    something anything nothing everything someone anyone everyone somebody anybody thing things
    kind sort type way ways stuff"""
)

# Comparisons and times that say which one, never of what.
RELATIVE_EN: Final = _words(
    """cheaper bigger smaller earlier later faster slower better worse larger longer shorter nearer
    closer newer older first second third last next previous former latter left
    today tomorrow yesterday tonight now soon morning afternoon evening night noon midnight early
    late daily weekly monthly monday tuesday wednesday thursday friday saturday sunday week month
    year day days weeks months years hour hours minute minutes weekend time times ago recently"""
)

VERBS_EN: Final = _words(
    """go goes going went gone come coming came arrive leave leaving left start begin began begun
    end finish open close work happen get getting got give gave given giving take took taken
    taking make made making put putting set setting see saw seen seeing look find found finding
    say said saying tell told telling talk speak spoke ask answer call think thought thinking know
    knew known believe guess want wish hope try tried trying use using used buy bought buying sell
    sold order book reserve pay paid paying cost bring brought send sent sending ship deliver
    receive return keep kept keeping hold held show shown pick choose chose chosen choosing
    decide recommend suggest mention remind remember forget forgot forgotten help fix repair solve
    check change add remove meet met meeting read reading watch hear heard listen write wrote
    written run ran running play stay move wait turn seem feel felt mean meant cause cancel
    confirm plan explain describe compare support include contain prefer love hate enjoy hear
    continue stop become became lose lost win won visit invite share join need needed wear wore
    eat ate eaten drink drank cook break broke broken build built install upgrade update
    available ready free possible good bad nice great fine cool new old big small cheap expensive
    interested happy glad sorry worth"""
)

# What anything can have: without an owner it does not say whose.
ATTRIBUTES_EN: Final = _words(
    """price address phone number cost colour color size name date deadline status progress result
    results rating fee schedule duration length weight title author link url location distance
    details reason difference address brand model version email hours menu total amount"""
)

GENERIC_EN: Final = _words(
    """project order issue problem person place book file report plan product event trip item
    option idea guy man woman girl boy company team group task document meeting question topic
    restaurant hotel shop store movie film song game app tool package appointment flight train
    ticket tickets class course job story"""
)

FUNCTION_ZH: Final = word_list(
    """
    什么时候 什么样 什么 甚么 怎么样 怎么办 怎么 怎样 如何 为什么 为啥 为何 干嘛 啥时候 啥 谁
    哪里 哪儿 哪个 哪些 哪位 哪种 哪家 哪天 哪年 哪 多少 多久 多长 多大 多远 多高 多贵 几点 几个
    几次 几天 几号 几月 几时 几 是不是 有没有 能不能 可不可以 会不会 要不要 好不好 行不行 对不对
    是否 吗 呢 吧 啊 呀 哦 嘛 啦 哈 嗯 噢 喔 么 的话 的 地 得 了 着 过 我们 咱们 你们 他们 她们
    它们 我 你 您 他 她 它 咱 自己 大家 别人 人家 这个 那个 这些 那些 这样 那样 这么 那么 这种
    那种 这里 那里 这儿 那儿 这边 那边 这 那 该 此 其中 其 前者 后者 是 有 没有 没 在 于 和 与
    跟 及 或者 或 还是 还 再 又 也 都 就 才 只 很 太 更 最 挺 比较 非常 真 特别 一下 一点 一些
    有点 但是 但 而且 而 不过 所以 因为 如果 要是 那么 然后 接着 另外 此外 以及 以后 之后 以前
    之前 后来 现在 目前 已经 刚才 刚刚 刚 从 到 对 向 往 给 为 被 把 让 叫 由 按 以 关于 除了 不
    别 不要 不用 不能 能 可以 可 会 要 想 应该 应当 需要 必须 得 行 好 请问 请 帮我 帮忙 帮 麻烦
    告诉 谢谢 你好 您好 好的 可能 也许 大概 一直 一起 其实 当然 觉得 知道 记得 认为 时候 东西
    事情 件事
    """
)

# Numerals, measure words and words of place: light alone, but also the first half of many names.
MEASURES_ZH: Final = word_list(
    """
    一 二 两 三 四 五 六 七 八 九 十 百 千 万 第 个 只 条 件 台 本 部 家 位 次 份 张 款 种 辆 间
    套 双 杯 瓶 块 元 点 号 上 下 里 外 前 后 中 内 来 去 事
    """
)

RELATIVE_ZH: Final = word_list(
    """
    今天 明天 后天 昨天 前天 今晚 明晚 昨晚 上午 下午 中午 早上 早晨 晚上 傍晚 凌晨 夜里 周一
    周二 周三 周四 周五 周六 周日 周末 星期一 星期二 星期三 星期四 星期五 星期六 星期天 星期日
    上周 下周 这周 本周 上个月 下个月 这个月 本月 今年 明年 去年 便宜 贵 大 小 多 少 早 晚 快 慢
    近 远 长 短 高 低 新 旧 远近 最近 天 周 月 年 小时 分钟 上次 下次 这次 那次
    """
)

VERBS_ZH: Final = word_list(
    """
    推荐 介绍 建议 提到 提过 提 说过 说 讲 聊 问 回答 回复 开始 结束 完成 继续 停止 出发 到达
    到货 送到 寄到 发货 送货 送 寄 发 退货 退款 退 换货 换 修好 修理 修 买 卖 订 预订 预约 定
    下单 付款 付 花 用 使用 吃 喝 穿 看 看看 听 读 写 做 弄 搞 办 办理 拿 取 走 回来 回去 回 进
    出 开 关 找 找到 查 查询 查看 检查 确认 取消 修改 改 更新 升级 安装 处理 解决 选 选择 挑
    决定 安排 准备 打算 计划 参加 参观 见 见面 认识 喜欢 讨厌 爱 怕 希望 试 试试 剩 剩下 等 住
    坐 放 收到 收 带 加 减 忘 忘记 发生 出现 包括 包含 支持 适合 合适 好吃 好看 好用 好玩 方便
    可靠 严重 重要 算 比 样 通过 行得通 成功 失败 变 变化
    """
)

ATTRIBUTES_ZH: Final = word_list(
    """
    价格 价钱 多少钱 钱 地址 电话 号码 颜色 尺寸 大小 名字 名称 日期 时间 期限 截止 状态 进度
    进展 结果 评分 费用 时长 长度 重量 标题 作者 链接 位置 距离 详情 原因 区别 品牌 型号 版本
    邮箱 营业时间 菜单 总共 金额 发票 味道 质量 效果
    """
)

GENERIC_ZH: Final = word_list(
    """
    项目 订单 问题 人 地方 书 文件 报告 方案 产品 活动 选项 想法 公司 团队 任务 文档 会议 会
    话题 餐厅 饭店 酒店 商店 店 电影 歌 游戏 软件 应用 工具 包裹 快递 航班 火车 车票 票 课程 课
    工作 故事 医生 老师 朋友 同事
    """
)


def han_pattern_of(*groups: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for Chinese words, the longest first."""
    words = sorted({word for group in groups for word in group}, key=len, reverse=True)
    return regex("|".join(map(re.escape, words)))


LATIN_WORD: Final = regex(f"[^\\W_{HAN}]+(?:[-'’_./#+][^\\W_{HAN}]+)*(?:\\+\\+|#)?", re.UNICODE)
HAN_RUN: Final = regex(f"[{HAN}]+")

_SUFFIXES: Final = ("ing", "ed", "es", "s", "d")


def is_light_en(word: str, *groups: frozenset[str]) -> bool:
    """Whether a lower-case word, or its stem without an English ending, is in one of the groups."""
    word = word.replace("’", "'")
    forms = {word, word.removesuffix("'s")}
    for suffix in _SUFFIXES:
        if len(word) > len(suffix) + 2 and word.endswith(suffix):
            stem = word[: -len(suffix)]
            forms.update({stem, stem + "e"})
            if len(stem) > 3 and stem[-1] == stem[-2]:
                forms.add(stem[:-1])
    return any(form in group for form in forms for group in groups)
