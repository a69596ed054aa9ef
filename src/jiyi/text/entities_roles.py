"""What people are to each other: the words of both languages, each pair under one English label."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TABLE: Final = """
mother     | mother, mom, mum, mummy, mommy | 妈妈 母亲 老妈 妈
father     | father, dad, daddy | 爸爸 父亲 老爸 爸
sister     | sister | 姐姐 妹妹 姐 妹
brother    | brother | 哥哥 弟弟 哥 弟
wife       | wife | 老婆 妻子 太太 媳妇
husband    | husband | 老公 丈夫
partner    | partner, spouse, fiance, fiancee | 爱人 对象 伴侣 未婚妻 未婚夫
girlfriend | girlfriend | 女朋友 女友
boyfriend  | boyfriend | 男朋友 男友
son        | son | 儿子
daughter   | daughter | 女儿 闺女
child      | child, kid, baby | 孩子 宝宝
grandmother | grandmother, grandma, granny | 奶奶 外婆 姥姥 祖母
grandfather | grandfather, grandpa | 爷爷 外公 姥爷 祖父
aunt       | aunt, auntie | 姑姑 阿姨 姨妈 舅妈 婶婶 姑妈
uncle      | uncle | 叔叔 舅舅 伯伯 姑父 姨父
cousin     | cousin | 表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹
nephew     | nephew | 侄子 外甥
niece      | niece | 侄女 外甥女
friend     | friend, best friend, buddy | 朋友 好友 闺蜜 哥们
colleague  | colleague, coworker, co-worker, teammate | 同事 队友
boss       | boss, manager, supervisor | 老板 领导 上司 主管 经理
assistant  | assistant, secretary | 助理 秘书
roommate   | roommate, flatmate, housemate | 室友 舍友
neighbour  | neighbour, neighbor | 邻居
classmate  | classmate | 同学
teacher    | teacher, tutor, professor | 老师 导师 班主任
mentor     | mentor, advisor, adviser, supervisor | 师傅 师父
student    | student | 学生 徒弟
coach      | coach, trainer | 教练
doctor     | doctor, dentist, therapist, physician | 医生 大夫 牙医
landlord   | landlord, landlady | 房东
client     | client, customer | 客户
dog        | dog, puppy | 狗 小狗 狗狗
cat        | cat, kitten | 猫 小猫 猫咪
"""


def _roles() -> Mapping[str, str]:
    roles: dict[str, str] = {}
    for line in _TABLE.strip().splitlines():
        label, english, chinese = (part.strip() for part in line.split("|"))
        for word in (*(w.strip() for w in english.split(",")), *chinese.split()):
            roles.setdefault(word, label)
    return MappingProxyType(roles)


ROLES: Final = _roles()
"""A word, in lower case, and the label of the relation that it names."""

EN_ROLES: Final = "|".join(sorted((w for w in ROLES if w.isascii()), key=len, reverse=True))
ZH_ROLES: Final = "|".join(sorted((w for w in ROLES if not w.isascii()), key=len, reverse=True))
"""The words of one language as alternatives of a regular expression, the longer first."""
