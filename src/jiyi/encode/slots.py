"""The places that facts fill: which attributes there are, how many values each holds, and the
words of both languages that name them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from jiyi.text.language import Language, language_of
from jiyi.types import Cardinality


@dataclass(frozen=True, slots=True)
class SlotSpec:
    """One attribute of the schema.

    `zh` and `en` are words that people use for it, the first of each being its label. `group`
    is the part of the profile it is shown in. An attribute with topics (`preference/tea`) is
    described by its family, the part before the slash.
    """

    attribute: str
    cardinality: Cardinality
    zh: tuple[str, ...]
    en: tuple[str, ...]
    group: str


def _spec(line: str) -> SlotSpec:
    attribute, cardinality, zh, en, group = (part.strip() for part in line.split("|"))
    if cardinality not in ("one", "many"):
        raise ValueError(f"cardinality of {attribute!r} must be one or many")
    return SlotSpec(
        attribute,
        "one" if cardinality == "one" else "many",
        tuple(zh.split()),
        tuple(word.strip() for word in en.split(",")),
        group,
    )


_TABLE: Final = """
name              | one  | 姓名 名字 叫什么 | name, called | identity
nickname          | one  | 称呼 怎么称呼 昵称 | nickname, call me, address me | identity
alias             | many | 别名 又叫 也叫 别称 | alias, also known as | identity
age               | one  | 年龄 几岁 多大 岁数 | age, years old, how old | identity
birthday          | one  | 生日 出生 | birthday, born | identity
birth_year        | one  | 出生年份 出生 | birth year, born | identity
gender            | one  | 性别 | gender | identity
zodiac            | one  | 星座 属相 生肖 | zodiac sign | identity
nationality       | one  | 国籍 | nationality, citizen | identity
ethnicity         | one  | 民族 | ethnicity | identity
religion          | one  | 信仰 宗教 | religion, faith | identity
personality       | many | 性格 | personality | identity
residence | one | 居住地 住在哪里 家在 地址 城市 | home, live, city, town, place | residence
hometown          | one  | 老家 家乡 哪里人 | hometown, come from, grew up | residence
address           | one  | 地址 住址 寄到哪里 | address, street, postal address | contact
phone | one | 电话 手机号 联系方式 号码 | phone, number, contact, telephone, mobile, cell | contact
email             | one  | 邮箱 邮件 联系方式 | email, contact, mail, reach | contact
wechat            | one  | 微信 联系方式 | wechat, contact | contact
account           | many | 账号 用户名 | account, handle, username | contact
timezone          | one  | 时区 | time zone | contact
employer | one | 公司 单位 工作 就职 上班 | employer, company, work at, work for, firm | work
workplace         | one  | 工作地点 上班地点 | workplace, office, where do I work | work
occupation | one | 职业 工作 岗位 做什么 | job, occupation, profession, work as, career | work
department        | one  | 部门 团队 | department, team | work
position          | one  | 职位 职级 头衔 | position, title, level | work
work_years        | one  | 工作年限 经验 | years of experience, worked | work
salary            | one  | 工资 薪水 收入 挣 赚 | salary, income, pay, earn | work
manager           | one  | 领导 上司 老板 主管 经理 | manager, boss, supervisor, report to | work
responsibility    | many | 负责 职责 | responsible for, duty | work
education         | one  | 学历 学位 | degree, education | education
school | one | 学校 大学 毕业 读书 | school, university, graduated, college, study | education
major             | one  | 专业 | major, field of study | education
grade             | one  | 年级 | grade, year of study | education
certificate       | many | 证书 证 | certificate, certified, licence | education
marital           | one  | 婚姻 结婚 单身 对象 | marital status, married, single, spouse | family
family            | many | 家人 家庭 亲人 | family, relatives | family
relation          | many | 关系 认识 | relation, knows | family
children          | one  | 孩子 几个孩子 | children, kids | family
pet               | many | 宠物 养 | pet, animal | family
allergy           | many | 过敏 不能吃 | allergy, allergic, can not eat | health
condition         | many | 健康 疾病 病史 | health, condition, illness | health
medication        | many | 药 用药 服药 | medication, medicine, takes | health
blood_type        | one  | 血型 | blood type | health
height            | one  | 身高 多高 | height, tall | health
weight            | one  | 体重 多重 | weight, weigh, heavy | health
diet              | one  | 饮食 忌口 吃素 不能吃 | diet, vegetarian, eats | health
smoking           | one  | 抽烟 吸烟 | smoking, smoke | health
drinking          | one  | 喝酒 饮酒 | alcohol, drinking | health
language          | many | 语言 会说 | language, speak | skills
skill             | many | 技能 擅长 会 | skill, good at | skills
level             | one  | 水平 程度 | level, proficiency | skills
tool              | one  | 工具 用什么 使用 软件 | tool, use, stack, software, app | tools
version           | one  | 版本 | version | tools
device            | many | 设备 手机 电脑 | device, phone, computer | possessions
vehicle           | many | 车 开什么车 汽车 | car, vehicle, drive | possessions
possession        | many | 有 拥有 物品 | own, have, belongings | possessions
preference        | one  | 喜欢 偏好 爱好 讨厌 | like, preference, enjoy, dislike | preferences
favourite         | one  | 最喜欢 最爱 | favourite, favorite, best | preferences
hobby             | many | 爱好 兴趣 业余 | hobby, interest, free time | preferences
instruction       | one  | 要求 规则 习惯 以后 | instruction, rule, always, never | instructions
procedure         | one  | 流程 步骤 怎么做 | procedure, steps, how to | instructions
reply_language    | one  | 回复语言 用什么语言 | reply language, answer in | instructions
reply_style       | one  | 回答风格 详细 简短 | answer style, length, tone | instructions
units             | one  | 单位 单位制 | units, metric, imperial | instructions
format            | one  | 格式 | format | instructions
schedule          | one  | 时间安排 作息 几点 | schedule, routine, when | schedule
habit             | one  | 习惯 平时 | habit, routine, usually | schedule
goal              | many | 目标 计划 打算 | goal, plan, aim | goals
plan              | one  | 计划 安排 | plan, arrangement | goals
decision          | one  | 决定 选定 方案 | decision, chosen | work
project           | many | 项目 在做 | project, working on | work
detail            | one  | 信息 | detail | facts
"""

SLOTS: Final[Mapping[str, SlotSpec]] = MappingProxyType(
    {spec.attribute: spec for spec in map(_spec, _TABLE.strip().splitlines())}
)
"""The built-in schema, by attribute or family."""

_WITH_TOPIC: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "favourite": "favourite {topic}",
        "version": "{topic} version",
        "detail": "{topic}",
        "plan": "{topic}",
        "schedule": "{topic}",
    },
    "zh": {
        "favourite": "最喜欢的{topic}",
        "version": "{topic}版本",
        "detail": "{topic}",
        "plan": "{topic}",
        "schedule": "{topic}",
    },
}
"""How an attribute with a topic reads; others name the topic in brackets."""

_BRACKETS: Final = "{name} ({topic})"
_LONG_TOPIC: Final = 24
_TOPIC: Final = re.compile(r"\s+")


def family_of(attribute: str) -> str:
    """The part of an attribute before its topic: `preference` of `preference/tea`."""
    return attribute.partition("/")[0]


def topic_of(attribute: str) -> str:
    """The topic after the slash, or an empty string."""
    return attribute.partition("/")[2]


def with_topic(family: str, topic: str) -> str:
    """`family/topic`, the topic with white space collapsed; the family alone without a topic."""
    topic = _TOPIC.sub(" ", topic).strip()
    return f"{family}/{topic}" if topic else family


def spec_of(attribute: str, schema: Mapping[str, SlotSpec] = SLOTS) -> SlotSpec | None:
    """The entry for an attribute: its own, else that of its family."""
    return schema.get(attribute) or schema.get(family_of(attribute))


def cardinality_of(attribute: str, schema: Mapping[str, SlotSpec] = SLOTS) -> Cardinality:
    """How many values an attribute holds. Unknown attributes add up: nothing is replaced."""
    spec = spec_of(attribute, schema)
    return "many" if spec is None else spec.cardinality


def label_words(attribute: str, schema: Mapping[str, SlotSpec] = SLOTS) -> tuple[str, ...]:
    """Words of both languages that name an attribute, its topic first; for indexing beside the
    text, so that "where do I live" finds 我住在北京."""
    spec = spec_of(attribute, schema)
    topic = topic_of(attribute)
    words = (spec.zh + spec.en) if spec is not None else (family_of(attribute),)
    return ((topic,) if topic else ()) + words


def label_of(attribute: str, language: Language, schema: Mapping[str, SlotSpec] = SLOTS) -> str:
    """The name of an attribute for readers of a language, with its topic."""
    spec, topic = spec_of(attribute, schema), topic_of(attribute)
    words = () if spec is None else (spec.zh if language == "zh" else spec.en)
    name = words[0] if words else family_of(attribute)
    if not topic:
        return name
    pattern = _WITH_TOPIC[language].get(family_of(attribute), _BRACKETS)
    # A long topic, or one in the other language, would make a clumsy phrase.
    if len(topic) > _LONG_TOPIC or (language == "zh") != (language_of(topic) == "zh"):
        pattern = pattern if pattern == "{topic}" else _BRACKETS
    return pattern.format(name=name, topic=topic)


def extended(own: Mapping[str, Mapping[str, object]]) -> Mapping[str, SlotSpec]:
    """The built-in schema with a user's own attributes, which win.

    Args:
        own: attribute → {"cardinality": "one" | "many", "zh": [words], "en": [words],
            "group": name}; every key may be left out ("many", no words, group "own").

    Raises:
        ValueError: naming the attribute and the key that is wrong.
    """
    schema = dict(SLOTS)
    for attribute, fields in own.items():
        unknown = set(fields) - {"cardinality", "zh", "en", "group"}
        if unknown:
            raise ValueError(f"slot {attribute!r}: unknown keys {sorted(unknown)}")
        cardinality = fields.get("cardinality", "many")
        if cardinality not in ("one", "many"):
            raise ValueError(f"slot {attribute!r}: cardinality must be 'one' or 'many'")
        schema[attribute] = SlotSpec(
            attribute,
            "one" if cardinality == "one" else "many",
            _words(attribute, "zh", fields.get("zh", ())),
            _words(attribute, "en", fields.get("en", ())),
            str(fields.get("group", "own")),
        )
    return MappingProxyType(schema)


def _words(attribute: str, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise ValueError(f"slot {attribute!r}: {key} must be a list of words")  # noqa: TRY004
    return tuple(str(word) for word in value)
