"""Word lists for names: surnames, roles, endings of places and organisations, and what looks like
a name but is none."""

from __future__ import annotations

from typing import Final

ZH_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡"
    "余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯"
    "龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
ZH_DOUBLE_SURNAMES: Final = (
    "欧阳", "司马", "上官", "诸葛", "皇甫", "尉迟", "公孙", "慕容",
)  # fmt: skip
ZH_SHORT_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜"
    "叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范"
)
"""Surnames that make a nickname with 小 or 老; those that make a word (小高) are left out."""
ZH_GIVEN: Final = "明强华伟杰军芳丽珍英红玲兰梅香娟文辉飞斌勇康宝花秀燕云峰凯"
"""Given names that make a nickname with 阿."""

ZH_ROLES: Final = (
    "老师", "经理", "总监", "主任", "医生", "大夫", "教授", "先生", "女士", "小姐", "师傅", "同学",
    "阿姨", "叔叔", "博士", "律师", "护士", "教练", "校长", "院长", "局长", "处长", "科长", "部长",
    "组长", "队长", "班长", "老板", "助理", "秘书", "工程师", "警官", "奶奶", "爷爷", "大爷",
    "大妈",
)  # fmt: skip
_ZH_NO_NAMES: Final = """
    高中 高级 高等 高手 周一 周二 周三 周四 周五 周六 周日 周末 周围 任何 任意
    任职 方便 方面 方法 白天 白色 黄色 金色 马上 万一 王牌 关于 何时 何况 许多
    成为 石头 江南 江北 向来 向着 常常 于是 余下 程序 毛病 武汉 夏天 金融 田径
    钢琴 雷锋 严格 史上 陆续 曾经 段时 武术 高兴
"""
ZH_NO_NAMES: Final = frozenset(_ZH_NO_NAMES.split())
"""Words that begin with a surname and are no names."""

ZH_RELATIONS: Final = (
    "名叫", "叫做", "叫", "名字是", "同事", "朋友", "闺蜜", "老婆", "老公", "丈夫", "妻子", "儿子",
    "女儿", "同学", "室友", "邻居", "客户", "联系人", "哥哥", "姐姐", "弟弟", "妹妹", "男友",
    "女友",    "男朋友", "女朋友", "导师", "表哥", "表姐", "表弟", "表妹", "负责人", "上司", "搭档",
)  # fmt: skip
"""Words after which a full name may stand."""

ZH_STOPS: Final = (
    "的了着过在到去住从来是有我你您他她它们这那和与跟同于往回离由每各某个家间所位名条次些把被"
    "让给对向等就都也还很几及或但而说看想要会能可以叫做用买逛走经常又再并将今昨刚已正送选请教"
    "获虽如最近另隔友当时实真其消清确待参直"
)
"""Characters that do not belong to the name of a place or an organisation when they stand before
it."""

_ZH_CITIES: Final = """
    北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 成都 武汉 西安 长沙 郑州 青岛
    大连 厦门 宁波 无锡 佛山 东莞 合肥 福州 济南 沈阳 哈尔滨 长春 昆明 南昌
    贵阳 南宁 太原 石家庄 兰州 银川 西宁 乌鲁木齐 拉萨 呼和浩特 海口 三亚 珠海
    温州 泉州 烟台 徐州 常州 扬州 绍兴 嘉兴 金华 桂林 丽江 大理 洛阳 香港 澳门
    台北 高雄 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南
    湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏
    宁夏 新疆 中国 美国 英国 法国 德国 日本 韩国 俄罗斯 意大利 西班牙 加拿大
    澳大利亚 新西兰 新加坡 泰国 越南 印度 巴西 东京 大阪 京都 首尔 曼谷 纽约
    伦敦 巴黎 柏林 罗马 悉尼 洛杉矶 旧金山 西雅图 波士顿 芝加哥 多伦多 温哥华
    莫斯科
"""
ZH_CITIES: Final = tuple(_ZH_CITIES.split())
"""Cities, provinces and countries that are named without an ending."""

ZH_PLACE_ENDS: Final = (
    "(?<![城超股上夜楼都门菜货])市(?![场民区内政面值中])",
    "(?<![节反])省(?![级心钱])",
    "县(?!级)",
    "(?<![地社小校园片景市郊山灾战时专住新老])区(?![域别分间块内])",
    "(?<![城乡小])镇(?![静定痛])",
    "(?<![农乡山小])村(?![民子长])",
    "(?<![公马铁道线电思出网销套走])路(?![上口程线过边途人径由灯况])",
    "(?<![逛上大])街(?![上头边坊拍舞])",
    "大道",
    "胡同",
    "机场",
    "(?:火车|高铁|地铁|汽车)?站(?![在点起立着])",
    "公园",
    "广场",
)
"""How the names of places end, each as a pattern that leaves common words alone."""

ZH_ORGANISATION_ENDS: Final = (
    "公司", "集团", "银行", "大学", "学院", "中学", "小学", "幼儿园", "医院", "研究院", "研究所",
    "协会", "基金会", "出版社", "酒店", "餐厅", "咖啡馆", "书店", "事务所", "工作室", "实验室",
    "博物馆", "图书馆",
)  # fmt: skip
_ZH_GENERIC: Final = """
    互联网 科技 外贸 软件 贸易 游戏 保险 物流 快递 装修 广告 上市 私立 公立
    重点 儿童 人民 中心 大型 国有 国企 外企 创业 初创 本地 当地 社区 国际 连锁
    星级 五星级 网红 老牌 附属 市立 省立 口腔 整形 宠物 商业 商务 建筑 设计
    咨询 电商 汽车 食品 医药 服装 中文 英文 中央 地铁 火车 高铁 飞机 电视 加油
    充电 森林 主题 湿地 城市 购物 休闲 国家 动物 植物 露天 民办 寄宿 母校 普通
    著名 知名 理想 老家
"""
ZH_GENERIC: Final = frozenset(_ZH_GENERIC.split())
"""Words that describe a place or an organisation without naming it."""

_NO_NAMES: Final = """
    i i'm i'll i've i'd ok okay hi hello hey thanks thank yes no yeah yep nope wow oh ah haha lol
    omg btw please sorry congrats congratulations dear well so and but or if then the a an this that
    these those there here what when where who why how which my your his her our their its it we you
    they
    he she is are was were do does did can could will would should may might must have has had
    not never always sometimes maybe perhaps just also even still let's let good great nice cool
    awesome amazing today yesterday tomorrow tonight morning afternoon evening night
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    january february march april may june july august september october november december
    bye woah whoa woohoo hooray yay ugh hmm glad remember definitely absolutely totally exactly
    sure wish hope love check look see keep take make try use get give put go come think thinking
    many most some any every everyone everything someone something nothing more both each another
    first second third next last then once since while after before during until because although
    however anyway besides meanwhile finally really honestly actually basically fun happy
    happily sadly luckily life family art music food work school home nature friends
    am pm tv id pc faq diy asap fyi aka ps pdf url http https api cpu gpu ram usb wifi dvd
    mom mum dad mama papa grandma grandpa mommy daddy sir madam ma'am god jesus
    christmas easter thanksgiving halloween english chinese french german spanish japanese korean
    italian russian american british european asian african indian
"""
EN_NO_NAMES: Final = frozenset(_NO_NAMES.split())
"""Capitalised words that are no names, in lower case."""

EN_TITLES: Final = ("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "uncle", "aunt", "auntie")
EN_RELATIONS: Final = (
    "friend|sister|brother|wife|husband|son|daughter|boss|colleague|coworker|cousin|partner"
    "|roommate|neighbor|neighbour|boyfriend|girlfriend|fiance|fiancee|manager|teacher|coach|named|called"
)
EN_ORGANISATION_WORDS: Final = frozenset(
    {"university", "college", "school", "institute", "hospital", "bank", "inc", "corp", "company",
     "ltd", "llc", "club", "association", "foundation", "museum", "library", "studio", "hotel",
     "restaurant", "cafe", "group", "agency", "academy", "church"}
)  # fmt: skip
EN_PLACE_WORDS: Final = frozenset(
    {"street", "road", "avenue", "park", "city", "lake", "mountain", "mountains", "beach",
     "airport", "county", "river", "island", "square", "bridge", "station", "valley", "canyon",
     "bay"}
)  # fmt: skip
