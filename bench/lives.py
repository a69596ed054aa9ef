"""What two made-up people tell in a year, one in English and one in Chinese: the words of
`years.made_year`. Nothing here was taken from a benchmark, and no rule was made for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Drift:
    """A fact that changes in words that no rule connects: `before` is told until `after` is."""

    question: str
    before: Sequence[str]
    after: Sequence[str]
    former: str
    value: str


@dataclass(frozen=True, slots=True)
class Fading:
    """What stops being true without a word: a habit that was told again and again, or something
    told once; or, as `kept`, what is told once and stays true."""

    question: str
    texts: Sequence[str]
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """The words of one person. `facts` are (question, how a value is told first, how a change is
    told, values of the year); `tastes` are (question, wordings, what an answer holds)."""

    language: str
    facts: Sequence[tuple[str, str, str, Sequence[str]]]
    drifts: Sequence[Drift]
    habits: Sequence[Fading]
    once: Sequence[Fading]
    kept: Sequence[Fading]
    tastes: Sequence[tuple[str, Sequence[str], str]]
    today: str
    people: Sequence[str]
    does: Sequence[str]
    chat: Sequence[str]
    routines: Sequence[str]
    week: Sequence[str]
    error: str


ENGLISH = Life(
    language="English",
    facts=(
        ("Where do I live?", "I live in {}.", "I moved to {}.", ("Lyon", "Nantes", "Bergen")),
        (
            "Which company do I work for?",
            "I work at {}.",
            "I started a new job at {}.",
            ("Marlow Pumps", "Tessera Labs"),
        ),
        (
            "What is my phone number?",
            "My phone number is {}.",
            "My new phone number is {}.",
            ("555-0142", "555-0178", "555-0199"),
        ),
        (
            "What is my favourite tea?",
            "My favourite tea is {}.",
            "My favourite tea is now {}.",
            ("oolong", "sencha", "rooibos", "assam"),
        ),
        (
            "What is my email address?",
            "My email is {}.",
            "My email is {} now.",
            ("kim@marlow.example", "kim@tessera.example"),
        ),
        ("What is my job?", "I work as a {}.", "I now work as a {}.", ("fitter", "planner")),
        ("What diet do I follow?", "I'm {}.", "I'm {} now.", ("vegetarian", "vegan")),
        # What no slot holds: nothing but time tells which of two is current.
        (
            "When does the backup of the server run?",
            "The backup of the server runs at {}.",
            "The backup of the server runs at {} from now on.",
            ("2 am", "4 am", "11 pm"),
        ),
        (
            "Where is the key of the shed?",
            "The key of the shed is under {}.",
            "The key of the shed is now under {}.",
            ("the mat", "the bench", "the rain barrel"),
        ),
        (
            "When is the choir practice?",
            "Our choir practice is on {}.",
            "Our choir practice is on {} now.",
            ("Monday", "Thursday"),
        ),
        (
            "Who looks after the boiler?",
            "Mr {} looks after the boiler.",
            "Mr {} looks after the boiler now.",
            ("Abel", "Brandt", "Cortez"),
        ),
    ),
    drifts=(
        Drift(
            "How do I get to work?",
            ("I go to work by train.", "I get to work by train every day."),
            (
                "The bicycle takes me to the office these days.",
                "I was at the office early, the bicycle is quicker than anything.",
            ),
            "train",
            "bicycle",
        ),
        Drift(
            "Where do I buy my bread?",
            ("I buy my bread at Holm's bakery.", "My bread comes from Holm's bakery."),
            (
                "Ever since the market hall opened I get our loaves there.",
                "The loaves from the market hall are the best in town.",
            ),
            "holm",
            "market hall",
        ),
        Drift(
            "Who cuts my hair?",
            ("Sandro cuts my hair.", "Sandro always cuts my hair."),
            ("I have gone over to a barber called Piet.", "Piet the barber did my hair nicely."),
            "sandro",
            "piet",
        ),
        Drift(
            "What do I use to take notes?",
            ("I take notes in a paper notebook.", "I use a paper notebook to take notes."),
            (
                "Everything I jot down goes into Quillpad.",
                "Quillpad holds all the notes I make.",
            ),
            "paper notebook",
            "quillpad",
        ),
        Drift(
            "Where do we keep the car?",
            ("We keep the car in the yard.", "The car is kept in the yard."),
            (
                "The garage on Elm Street is ours, the Fiat sleeps there.",
                "I left the car in our garage on Elm Street.",
            ),
            "the yard",
            "elm street",
        ),
    ),
    habits=(
        Fading(
            "When do I go to the pottery class?",
            (
                "I go to the pottery class on Tuesday evenings.",
                "My pottery class is on Tuesday evenings.",
            ),
            "pottery class",
        ),
        Fading(
            "Where do I swim?",
            ("I swim at the Northbath twice a week.", "I usually swim at the Northbath."),
            "northbath",
        ),
        Fading(
            "Which podcast do I listen to?",
            (
                "I listen to the podcast Deep Harbour on my walks.",
                "I always listen to Deep Harbour.",
            ),
            "deep harbour",
        ),
    ),
    once=(
        Fading(
            "Who is staying with us?",
            ("My cousin Dario is staying in our guest room.",),
            "dario",
        ),
        Fading("What is broken in the kitchen?", ("The tap in the kitchen drips.",), "drips"),
        Fading("What am I reading?", ("I am reading The Salt Path Home.",), "salt path"),
        Fading("Which song do I practise?", ("I practise the song Blue Lantern.",), "lantern"),
    ),
    kept=(
        Fading("Who has our spare key?", ("Mrs Quint next door has our spare key.",), "quint"),
        Fading(
            "Where did my parents meet?", ("My parents met on a ferry to Malta.",), "ferry to malta"
        ),
        Fading("What is the cat called?", ("Our cat is called Pepper.",), "pepper"),
        Fading("Which wood is the desk made of?", ("My desk is made of larch.",), "larch"),
    ),
    tastes=(
        (
            "Do I like concise answers?",
            (
                "Please keep your answers concise.",
                "I prefer short answers.",
                "Answers should be concise.",
                "I like brief replies.",
            ),
            "concise",
        ),
        (
            "Do I like spicy food?",
            (
                "I love spicy food.",
                "I'm a big fan of spicy food.",
                "I really enjoy spicy food.",
                "I do like spicy food.",
            ),
            "food",
        ),
        (
            "Do I like jazz?",
            ("I love jazz.", "I really enjoy jazz.", "I'm a fan of jazz.", "I like jazz a lot."),
            "jazz",
        ),
        (
            "How should dates be written?",
            (
                "Always write dates as 2026-01-31.",
                "From now on, write dates as 2026-01-31.",
                "Please always write dates as 2026-01-31.",
            ),
            "2026-01-31",
        ),
    ),
    today="Today I {}.",
    people=("Ann", "Ravi", "Greta", "Tom", "Mei", "Olga"),
    does=(
        *("met {} for lunch", "called {} about the shed", "went to the market with {}"),
        *("fixed the pump with {}", "helped {} move a piano", "played chess with {}"),
        *("visited {} in hospital", "lent {} the drill", "repainted the boat with {}"),
    ),
    chat=(
        *("Thanks, that helps.", "What's the weather like?", "Can you rephrase that?", "Ok."),
        *("Hm.", "How do I boil an egg?", "This queue is endless.", "I'm a bit tired today."),
        *("Suppose I lived on Mars, what would I eat?", "Tell me a joke.", "Never mind."),
    ),
    routines=("I usually run on {} mornings.", "I keep {} evenings free."),
    week=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    error="Error: connection {} refused by host",
)

CHINESE = Life(
    language="Chinese",
    facts=(
        ("我住在哪里？", "我住在{}。", "我搬到{}了。", ("南京", "厦门", "昆明")),
        ("我在哪家公司上班？", "我在{}上班。", "我跳槽到{}了。", ("蓝帆水泵", "格物实验")),
        (
            "我的手机号是多少？",
            "我的手机号是{}。",
            "我换了新手机号，是{}。",
            ("13900000142", "13900000178", "13900000199"),
        ),
        (
            "我最喜欢喝什么茶？",
            "我最喜欢喝{}。",
            "我现在最喜欢喝{}。",
            ("乌龙茶", "龙井茶", "普洱茶", "白毫茶"),
        ),
        (
            "我的邮箱是什么？",
            "我的邮箱是{}。",
            "我的邮箱现在是{}。",
            ("lin@lanfan.example", "lin@gewu.example"),
        ),
        ("我做什么工作？", "我是一名{}。", "我现在是一名{}。", ("钳工", "规划师")),
        (
            "服务器的备份几点运行？",
            "服务器的备份{}运行。",
            "服务器的备份以后{}运行。",
            ("凌晨两点", "凌晨四点", "晚上十一点"),
        ),
        (
            "工具房的钥匙在哪儿？",
            "工具房的钥匙在{}下面。",
            "工具房的钥匙现在在{}下面。",
            ("门垫", "长凳", "雨水桶"),
        ),
        ("合唱团哪天排练？", "合唱团{}排练。", "合唱团现在{}排练。", ("周一", "周四")),
        (
            "谁负责看锅炉？",
            "{}师傅负责看锅炉。",
            "现在{}师傅负责看锅炉。",
            ("老艾", "老卜", "老柯"),
        ),
    ),
    drifts=(
        Drift(
            "我怎么去上班？",
            ("我坐地铁去上班。", "我每天坐地铁上班。"),
            ("最近都是骑车去公司。", "今天很早就到公司了，骑车比什么都快。"),
            "地铁",
            "骑车",
        ),
        Drift(
            "我在哪儿买面包？",
            ("我在老王面包房买面包。", "面包我都在老王面包房买。"),
            ("自从集市大厅开张，吐司都去那边拿。", "集市大厅的面包全城最好。"),
            "老王",
            "集市大厅",
        ),
        Drift(
            "谁给我剪头发？",
            ("小桑给我剪头发。", "我的头发一直是小桑剪。"),
            ("我找了一位姓皮的理发师。", "皮师傅把我的头发理得不错。"),
            "小桑",
            "皮",
        ),
        Drift(
            "我用什么记笔记？",
            ("我用纸质本子记笔记。", "记笔记我用的是纸质本子。"),
            ("随手写的东西全放进羽笔里。", "羽笔里存着我所有的笔记。"),
            "纸质本子",
            "羽笔",
        ),
        Drift(
            "我们的车停在哪里？",
            ("我们的车停在院子里。", "车一般停在院子里。"),
            ("榆树街的车库归我们了，菲亚特就放那儿。", "我把车放在榆树街的车库里过夜。"),
            "院子",
            "榆树街",
        ),
    ),
    habits=(
        Fading(
            "我什么时候去上陶艺课？",
            ("我每周二晚上去上陶艺课。", "我的陶艺课在周二晚上。"),
            "陶艺课",
        ),
        Fading(
            "我在哪里游泳？",
            ("我每周去北池游泳两次。", "我一般在北池游泳。"),
            "北池",
        ),
        Fading(
            "我听哪个播客？",
            ("我散步的时候听播客《深港》。", "我一直听《深港》这个播客。"),
            "深港",
        ),
    ),
    once=(
        Fading("谁住在我们家里？", ("表弟大力住在我们家客房。",), "大力"),
        Fading("厨房里什么坏了？", ("厨房的水龙头漏水。",), "水龙头"),
        Fading("我在读什么书？", ("我在读《盐路归家》这本书。",), "盐路"),
        Fading("我在练哪首歌？", ("我在练《蓝灯笼》这首歌。",), "蓝灯笼"),
    ),
    kept=(
        Fading("谁有我们家的备用钥匙？", ("隔壁的权阿姨有我们家的备用钥匙。",), "权阿姨"),
        Fading("我爸妈是在哪儿认识的？", ("我爸妈是在去海南的渡轮上认识的。",), "渡轮"),
        Fading("我们家的猫叫什么？", ("我们家的猫叫胡椒。",), "胡椒"),
        Fading("我的书桌是什么木头做的？", ("我的书桌是落叶松做的。",), "落叶松"),
    ),
    tastes=(
        (
            "我喜欢简洁的回答吗？",
            ("请让回答简洁一点。", "我喜欢简短的回答。", "回答应该简洁。", "回答尽量简洁。"),
            "回答",
        ),
        (
            "我喜欢吃辣吗？",
            ("我喜欢吃辣。", "我特别喜欢吃辣。", "我很爱吃辣。", "我一直爱吃辣。"),
            "辣",
        ),
        (
            "我喜欢爵士乐吗？",
            ("我喜欢爵士乐。", "我非常喜欢爵士乐。", "我爱听爵士乐。", "我平时喜欢爵士乐。"),
            "爵士乐",
        ),
        (
            "日期应该怎么写？",
            ("日期都写成 2026-01-31。", "以后日期写成 2026-01-31。", "请把日期写成 2026-01-31。"),
            "2026-01-31",
        ),
    ),
    today="今天我{}。",
    people=("安娜", "小瑞", "阿桂", "老唐", "小梅", "欧姐"),
    does=(
        *("和{}吃了午饭", "给{}打电话说工具房的事", "跟{}去了菜市场"),
        *("和{}修好了水泵", "帮{}搬了钢琴", "跟{}下了象棋"),
        *("去医院看了{}", "把电钻借给了{}", "和{}给船刷了漆"),
    ),
    chat=(
        *("谢谢，有用。", "天气怎么样？", "换个说法行吗？", "好的。", "嗯。", "鸡蛋怎么煮？"),
        *("队排得没完没了。", "今天有点累。", "假如我住在火星上，吃什么？", "讲个笑话。", "算了。"),
    ),
    routines=("我一般{}早上跑步。", "我{}晚上不安排事情。"),
    week=("周一", "周二", "周三", "周四", "周五"),
    error="错误：连接 {} 被主机拒绝",
)
