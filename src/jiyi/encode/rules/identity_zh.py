"""Chinese statements about who somebody is: name, home, work, family, health, means."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.clauses_zh import RELATIONS
from jiyi.encode.rules.finding import Builder, Clause, Finding, Rule, rule
from jiyi.encode.rules.topics import object_topic, trimmed
from jiyi.encode.slots import with_topic

_END: Final = r"(?:了|啦|的|呢|啊|哦|喔|呀|吧|嘛|哈|来着|而已)*\s*$"
_V: Final = r"(?P<v>.{1,60}?)" + _END
_IS: Final = r"(?:是|为|叫|变成|改成|换成|改为|就是|：|:|=)了?\s*"
_NUM: Final = r"(?:\d{1,3}|[一二两三四五六七八九十百]{1,4})"
_DATE: Final = (
    r"(?:(?:19|20)\d\d\s*年?)?(?:农历|阴历|阳历|公历)?\s*(?:\d{1,2}|[一二三四五六七八九十正腊]{1,3})\s*[月./-]\s*"
    r"(?:初?[一二三四五六七八九十\d]{1,3})\s*[日号]?"
)
_VAGUE: Final = re.compile(
    r"^(?:这|那|它|他|她|你|什么|哪|谁|怎么|如何|多少|一个?人|问题|的|了|不|没|很|太|还|也|都|就|想|要|会|能|可以|真的|"
    r"这样|那样|这个|那个|这里|那里|这儿|那儿|一起|一下|[一-龥]?(?:时候|问题|事情|原因|情况|意思|办法))$|[吗呢么?？]$|什么|怎么|哪里|哪个"
)
_JOBS: Final = (
    r"(?:工程师|程序员|开发|设计师|老师|教师|教授|讲师|护士|医生|大夫|牙医|药师|兽医|律师|法官|会计师?|审计师?|分析师|"
    r"架构师|科学家|研究员|作家|编辑|记者|翻译|摄影师|导演|画家|画师|插画师|音乐人|歌手|演员|舞者|厨师|面点师|烘焙师|咖啡师|"
    r"服务员|司机|飞行员|船员|军人|警察|消防员|保安|电工|水管工|木匠|技师|技工|技术员|焊工|农民|园丁|裁缝|理发师|美容师|"
    r"图书管理员|经理|总监|主管|顾问|行政|人事|HR|创始人|合伙人|CEO|CTO|CFO|总裁|老板|个体户|自由职业者?|外包|猎头|"
    r"销售|导购|收银员|秘书|前台|助理|实习生|学徒|学生|研究生|博士生?|硕士生?|大学生|高中生|初中生|小学生|本科生|博士后|"
    r"教练|治疗师|心理咨询师|咨询师|社工|银行职员|柜员|交易员|经纪人|中介|策划|制片人|主播|博主|up主|UP主|家教|校长|"
    r"运维|测试|产品|产品经理|运营|前端|后端|全栈|算法|数据|质检员?|快递员|外卖员|骑手|保姆|月嫂|助产士|公务员|公司职员|"
    r"职员|文员|工人|全职妈妈|全职爸爸|家庭主妇|退休(?:教师|工人|职工)?|店主|店长|摄像师|建筑师|检验员|采购|物流|仓管|"
    r"育种员?|技术支持|客服|编剧|策展人|列车员|乘务员|空姐|飞行员|船长|渔民|养殖户|兽医|环卫工|清洁工|保洁|"
    r"送快递的|送外卖的|开出租的|开滴滴的|做生意的|教书的|当兵的|搞(?:技术|IT|科研|销售|金融|艺术)的|"
    r"(?:[\u4e00-\u9fffA-Za-z]{1,10})(?:师|员|工|手|家|长|官|医|商|农|匠|经理))"
)
_PLACE: Final = (
    r"(?!这|那|一起|线|家里?[休办带]|做|忙|想|看|等|外面?$|路上|此|意|乎|于|里面?$|床上|办公室$)"
)


def _fact(attribute: str, *, importance: float = 0.7, value: str | None = None) -> Builder:
    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"]) if value is None else value
        if not found or _VAGUE.search(found):
            return None
        return Finding(attribute, found, importance=importance)

    return build


def _ended(attribute: str) -> Builder:
    def build(match: re.Match[str]) -> Finding | None:
        found = trimmed(match["v"])
        if not found or _VAGUE.search(found):
            return None
        return Finding(attribute, f"不再{found}", replaces=found, ends=True, importance=0.7)

    return build


def _account(match: re.Match[str]) -> Finding | None:
    return Finding("account", f"{match['t']} {trimmed(match['v'])}", importance=0.7)


def _schedule(match: re.Match[str]) -> Finding | None:
    topic = object_topic(match["t"])
    return Finding(with_topic("schedule", topic), trimmed(match["v"]), importance=0.55)


def _family(match: re.Match[str]) -> Finding | None:
    return Finding("family", trimmed(match["v"]), tags=("家人", match["kin"]), importance=0.7)


def _occupation(match: re.Match[str]) -> Finding | None:
    found = trimmed(match["v"])
    if (
        not found
        or _VAGUE.search(found)
        or re.match(r"(?:不|没|谁|说|因为|为了|想|要|在|有|被|大家|国家|人家|一家|专家说)", found)
    ):
        return None
    return Finding("occupation", found.removesuffix("的"), importance=0.8)


_KIN: Final = rf"(?P<kin>{RELATIONS})"
_PET: Final = r"(?:狗狗?|猫咪?|小猫|小狗|兔子|仓鼠|鹦鹉|乌龟|金鱼|鱼|蛇|蜥蜴|龙猫|豚鼠|鸟|马|鸡|鸭|羊|刺猬|金毛|柯基|泰迪|拉布拉多|哈士奇|柴犬|边牧|萨摩耶|比熊|英短|美短|布偶猫?|橘猫|狸花猫?|暹罗猫?|缅因猫?|贵宾犬?|[\u4e00-\u9fff]{0,3}[猫狗犬])"
_DISEASE: Final = (
    r"(?:[12一二]?型?糖尿病|哮喘|高血压|低血压|高血脂|高血糖|低血糖|偏头痛|头痛|癫痫|关节炎|类风湿|抑郁症?|焦虑症?|失眠症?|胃炎|胃溃疡|胃病|"
    r"肠炎|痛风|湿疹|鼻炎|咽炎|颈椎病|腰椎间盘突出|腰突|甲亢|甲减|甲状腺结节|心脏病|冠心病|肾结石|肾病|肝炎|脂肪肝|乙肝|近视|散光|色盲|色弱|"
    r"贫血|荨麻疹|银屑病|白癜风|多动症|自闭症|强迫症|双相|癌|肿瘤|结节|脑梗|中风|骨质疏松|反流|胆结石|哮喘病|腱鞘炎|静脉曲张|夜盲|耳鸣|"
    r"[\u4e00-\u9fff]{1,6}(?:炎|症|癌|综合征|结石|病)(?!毒))"
)
_CAR: Final = r"(?:车|轿车|越野车|电动车|摩托车?|自行车|房车|皮卡|特斯拉|比亚迪|宝马|奔驰|奥迪|大众|丰田|本田|蔚来|理想|小鹏|问界|吉利|长城|哈弗|五菱|沃尔沃|保时捷|福特|雪佛兰|别克|现代|起亚|马自达|日产|雷克萨斯|极氪|领克|SU7|Model ?[3SXY]|思域|卡罗拉|凯美瑞|雅阁|朗逸|轩逸)"
_DEVICE: Final = r"(?:手机|电脑|笔记本(?:电脑)?|台式机|平板|显示器|键盘|鼠标|耳机|相机|单反|打印机|路由器|音箱|手表|手环|投影仪?|游戏机|扫地机器人|咖啡机|空气炸锅|无人机|吉他|钢琴|小提琴|古筝|iPhone|iPad|MacBook|Mac|ThinkPad|Kindle|Switch|PS5|Xbox|树莓派|NAS|Pixel|显卡|服务器|净化器|电视|跑步机|缝纫机|望远镜)"
_CLOCK: Final = r"(?:(?:早上|早晨|凌晨|上午|中午|下午|傍晚|晚上|半夜|夜里|周[一二三四五六日末]|每天)*\s*(?:\d{1,2}(?::\d\d|[点时](?:半|[一二三]刻|\d{1,2}分?)?)|[一二两三四五六七八九十]{1,3}点(?:半|[一二三]刻|[一二三四五\d]?十?[一二三四五六七八九\d]?分?)?))"

RULES: Final[tuple[Rule, ...]] = (
    # name, age, origin
    rule(
        rf"(?:名字|姓名|全名|真名|本名|大名|英文名|中文名)(?:就)?{_IS}{_V}",
        _fact("name", importance=0.9),
        "名",
    ),
    rule(
        rf"(?:的)?(?:名字|大名)?(?:就)?叫(?:做)?(?!我|你|他|她|人|上|醒|什么|外卖|车|苦|停|好|救护)(?P<v>[^，。\s]{{1,20}}?){_END}",
        _fact("name", importance=0.9),
        "叫",
    ),
    rule(rf"姓(?P<v>[\u4e00-\u9fff]{{1,2}}){_END}", _fact("name", importance=0.8), "姓"),
    rule(
        rf"(?:以后|今后|从现在起|从现在开始|你?可以|请|就|直接|大家都?|同事们?都?|朋友们?都?|你们?)*(?:管我叫|叫我|喊我|称呼我(?:为)?|称我为)(?:做|为|一声)?(?!起床|去|吃|过|来|别|不|干|做)(?P<v>[^，。]{{1,16}}?)(?:就[行好]了?|就可以|即可)?{_END}",
        _fact("nickname", importance=0.9),
        "叫|喊|称",
    ),
    rule(
        rf"(?:昵称|外号|绰号|小名|网名|花名){_IS}{_V}",
        _fact("nickname", importance=0.8),
        "昵称|外号|绰号|名",
    ),
    rule(
        rf"(?:今年|马上|快|刚|刚满|已经|都|年龄|年纪)*(?:{_IS})?(?:满|过)?(?P<v>{_NUM})(?:周?岁|岁半)(?:多)?{_END}",
        _fact("age"),
        "岁",
    ),
    rule(
        rf"生日(?:就)?(?:{_IS}|在)?(?:每年)?(?:的)?(?P<v>{_DATE}){_END}",
        _fact("birthday", importance=0.8),
        "生日",
    ),
    rule(
        rf"(?:是|出生(?:于|在)|生于)?(?P<v>(?:(?:19|20)\d\d|[0-9]\d)年?)(?:的|出生|生人|生){_END}",
        _fact("birth_year"),
        "出生|生|年的",
    ),
    rule(rf"(?:出生(?:于|在)|生于)(?P<v>{_DATE}){_END}", _fact("birthday", importance=0.8), "生"),
    rule(
        rf"(?:出生在|生在|在)(?P<v>[\u4e00-\u9fff]{{2,12}}?)(?:出生|长大|土生土长){_END}",
        _fact("hometown"),
        "出生|长大|土生",
    ),
    rule(
        rf"(?:老家|家乡|故乡|祖籍|籍贯)(?:{_IS}|在)?(?P<v>[\u4e00-\u9fffA-Za-z]{{2,16}}?)(?:那边|农村|乡下|人)?{_END}",
        _fact("hometown"),
        "老家|乡|籍",
    ),
    rule(
        rf"(?:是)?(?:土生土长的?|地道的?|一个)?(?P<v>[\u4e00-\u9fff]{{2,6}}?)(?:本地)?人{_END}",
        lambda m: _origin(m),
        "人",
    ),
    rule(rf"来自(?P<v>[\u4e00-\u9fffA-Za-z]{{2,12}}?){_END}", _fact("hometown"), "来自"),
    rule(
        rf"(?:性别{_IS}?|是(?:一?个|名|位)?)(?P<v>男|女|男生|女生|男的|女的|男性|女性|女孩子?|男孩子?){_END}",
        _fact("gender"),
        "男|女",
    ),
    rule(
        rf"(?:是|属)?(?P<v>(?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座){_END}|属(?P<z>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的)?\s*$",
        lambda m: Finding("zodiac", m["v"] or f"属{m['z']}"),
        "座|属",
    ),
    rule(rf"(?:是)(?P<v>[\u4e00-\u9fff]{{1,4}}族){_END}", _fact("ethnicity"), "族"),
    rule(
        rf"(?:信|信奉|信仰)(?P<v>佛教?|基督教?|天主教|伊斯兰教|道教){_END}", _fact("religion"), "信"
    ),
    # home
    rule(
        rf"(?:家|人)?(?:现)?(?:定?居|住|安家|落户|扎根|常驻|蜗居|租住|租房|生活|待|呆|漂){'{1,2}'}?(?:在|到|于)(?:了)?{_PLACE}(?P<v>[^，。]{{2,40}}?)(?:那边|这边|附近|一带)?(?:(?:住|生活|待|呆|工作)?了?{_NUM}(?:多)?(?:年|个月|周|天)(?:多)?)?{_END}",
        _fact("residence", importance=0.8),
        "住|居|家|驻|生活|待在|呆在|扎根|落户",
    ),
    rule(
        rf"家(?:就)?(?:在|住)(?!干|做|等|办公|带|休|待|呆|里)(?P<v>[^，。]{{2,40}}?){_END}",
        _fact("residence", importance=0.8),
        "家在|家住|家就",
    ),
    rule(
        rf"(?:家)?(?:住(?!院|宿|过|不|得|几|一?[晚夜天]|了|酒店|哪))(?P<v>[\u4e00-\u9fffA-Za-z0-9]{{2,30}}?){_END}",
        _fact("residence", importance=0.75),
        "住",
    ),
    rule(
        rf"(?:(?:从|由).{{1,16}}?)?(?:全家|一家人?|举家)?(?:搬家?|迁居?|移居|移民|搬迁)(?:家)?(?:到|去|来|至|回)(?:了)?(?P<v>[^，。]{{2,30}}?)(?:住|居住|生活)?{_END}",
        lambda m: _moved(m),
        "搬|迁|移",
    ),
    rule(
        rf"(?:现?住址|家庭住址|家庭地址|收货地址|通讯地址|新地址|地址)(?:现在|已经)?(?:{_IS}|在)?(?P<v>[\u4e00-\u9fffA-Za-z0-9#\-() （）]{{4,60}}?){_END}",
        _fact("address", importance=0.8),
        "址",
    ),
    rule(rf"(?:所在)?时区{_IS}{_V}", _fact("timezone"), "时区"),
    # contact
    rule(
        rf"(?:联系电话|电话号码?|手机号码?|联系方式|手机|电话|座机|固话|号码)(?:现在|已经)?(?:{_IS})?(?P<v>\+?[\d-][\d -]{{5,18}}\d){_END}",
        _fact("phone", importance=0.8),
        "0|1|2|3|4|5|6|7|8|9",
    ),
    rule(
        rf"(?:的)?(?:电子|工作|个人|公司|新|常用)?(?:邮箱|邮件|email|Email|E-mail)(?:地址|账号)?(?:现在|已经)?(?:{_IS})?\s*(?P<v>[\w.+-]+@[\w.-]+\w)",
        _fact("email", importance=0.8),
        "@",
    ),
    rule(
        rf"(?:微信号?|wechat)(?:账号|ID|id)?{_IS}(?P<v>[\w-]{{3,30}}){_END}",
        _fact("wechat", importance=0.8),
        "微信|wechat",
    ),
    rule(
        rf"(?P<t>QQ|qq|GitHub|github|微博|抖音|B站|小红书|知乎|推特|钉钉|飞书|Steam|公众号)(?:号|账号|ID|id|用户名|名)?{_IS}{_V}",
        _account,
        "是|叫|：|:",
    ),
    # work
    rule(
        rf"(?:在|属于|是|调到|转到|调去|转岗到)(?P<v>[^，。]{{1,14}}?(?:部门?|团队|组|科室|事业部|中心|科))(?:的|工作|上班)?{_END}",
        _fact("department"),
        "部|团队|组|科|中心",
    ),
    rule(
        rf"(?:(?:从|由)(?P<old>.{{1,20}}?))?(?:刚|已经|正式|最近)?(?:跳槽|入职|加入|转职|跳|加盟|换)(?:工作)?(?:到|去|进|至)?(?:了)?(?P<v>[^，。]{{2,24}}?)(?:工作|上班|当[^，]*|做[^，]*)?{_END}",
        lambda m: _joined(m),
        "跳|入职|加入|转职|加盟|换工作",
    ),
    rule(
        rf"(?:是)?在(?P<v>[^，。]{{2,24}}?)(?:工作|上班|任职|就职|供职|打工|搬砖|实习|当差|干活)(?:{_NUM}(?:多)?年)?(?:当|做|担任|，)?{_END}",
        lambda m: _workplace(m),
        "工作|上班|任职|就职|供职|打工|搬砖|实习",
    ),
    rule(rf"(?:就职|任职|供职|受雇)(?:于|在){_V}", _fact("employer", importance=0.8), "职|雇"),
    rule(
        rf"(?:公司|单位|东家|雇主){_IS}(?!做|搞|一家)(?P<v>[^，。]{{2,24}}?){_END}",
        _fact("employer", importance=0.8),
        "公司|单位|东家|雇主",
    ),
    rule(
        rf"(?:已经|刚|最近)?(?:从(?P<v>[^，。]{{2,20}}?)(?:离职|辞职|被裁|走人|退休)|(?:离开|辞掉)了?(?P<w>[^，。]{{2,20}}?)(?:的工作)?){_END}",
        lambda m: _left(m),
        "离|辞|被裁|退休",
    ),
    rule(
        rf"在(?P<w>[^，。]{{2,20}}?)(?:做|当|担任|干|搞|教|任)(?P<v>[^，。]{{2,20}}?){_END}",
        lambda m: _works_as(m),
        "做|当|担任|干|搞|教|任",
    ),
    rule(
        rf"(?:职业|工作|岗位|本职工作|职位|职务|主业|行业){_IS}(?:一?[名位个])?{_V}",
        lambda m: _occupation(m),
        "职|工作|岗位|主业|行业",
    ),
    rule(
        rf"(?:是|成为|当上|当|担任|转行做|转行当|转做|转岗做|升为|升任|晋升为|提拔为|升成|改行做|改当)了?(?:一?[名位个])?(?P<v>(?!做|搞|从事|负责|好|坏|个)(?:[^，。是有不]{{0,14}}?){_JOBS}){_END}",
        lambda m: _occupation(m),
    ),
    rule(
        rf"(?:是)?(?:做|搞|干|从事)(?P<v>(?:[^，。了过]{{1,14}}?)(?:的|工作|行业|这行|方面|开发|设计|运营|销售|研发|测试|运维|育种|科研|教育|贸易|生意)){_END}",
        lambda m: _occupation(m),
        "做|搞|干|从事",
    ),
    rule(
        rf"(?P<v>退休|待业|失业|离职|自由职业|自己创业|创业){_END}",
        _fact("occupation"),
        "退休|业|离职",
    ),
    rule(
        rf"(?:主要|专门|目前)?(?:负责|分管|主管)(?!任|人){_V}",
        _fact("responsibility", importance=0.6),
        "负责|分管|主管",
    ),
    rule(
        rf"(?:职级|级别|职称)(?:{_IS}|升到|评上了?|评了)?{_V}",
        _fact("position"),
        "职级|级别|职称",
    ),
    rule(
        rf"(?:有|工作|干|从业)(?:了)?(?P<v>{_NUM}(?:多)?年(?:多)?)(?:的)?(?:[^，。]{{0,12}}经验|工龄)?{_END}",
        _fact("work_years"),
        "年",
    ),
    rule(
        rf"(?:月薪|年薪|工资|薪水|收入|年包|月收入|年收入)(?:{_IS}|有|大概|大约|每月|涨到了?)?(?P<v>\d[^，。]{{0,12}}?){_END}",
        _fact("salary"),
        "薪|工资|收入|年包",
    ),
    # education
    rule(
        rf"(?:本科|硕士|博士|研究生|大学|高中|刚|是)?(?:毕业于|毕业在|从)(?P<v>[\u4e00-\u9fffA-Za-z ]{{2,20}}?(?:大学|学院|学校|中学|高中|大|MIT|Stanford))(?:毕业|的)?{_END}",
        _fact("school"),
        "毕业|从",
    ),
    rule(
        rf"(?:在|就读于|考上了?|考到了?|上|读)(?P<v>[\u4e00-\u9fffA-Za-z ]{{2,20}}?(?:大学|学院|学校|中学|高中|小学|幼儿园))(?:读书|上学|念书|就读|读|上|念)?(?P<m>[\u4e00-\u9fff]{{2,12}}?(?:专业|系))?{_END}",
        _fact("school"),
        "学|高中|幼儿园",
    ),
    rule(
        rf"(?:学的?是|学的|念的?是|读的?是|主修|攻读|专业{_IS}|专业)(?P<v>[^，。]{{2,20}}?)(?:专业)?{_END}",
        _fact("major"),
        "学的|念的|读的|主修|攻读|专业",
    ),
    rule(
        rf"(?:学历|学位|文化程度)?(?:{_IS}|拿到了?|有)?(?:一?个)?(?P<v>(?:[\u4e00-\u9fff]{{0,8}}?)(?:博士|硕士|本科|大专|专科|高中|中专|初中|小学|学士|MBA|EMBA)(?:学历|学位|毕业)?){_END}",
        _fact("education"),
        "博士|硕士|本科|专|中|学|MBA",
    ),
    rule(
        rf"(?:在)?(?:读|上|念|是)?(?P<v>(?:小学|初|高|大|研|博|幼儿园)[一二三四五六大中小班]{{1,2}}(?:年级)?|[一二三四五六]年级){_END}",
        _fact("grade"),
        "年级|小学|初|高|大|研|博|班",
    ),
    rule(
        rf"(?:考过|考到|拿到|考下来?|持有|有)了?(?P<v>[^，。]{{1,16}}?(?:证书?|资格证|执照|驾照|等级证)){_END}",
        _fact("certificate"),
        "证|执照|驾照",
    ),
    # family, pets
    rule(
        rf"(?P<v>(?:已婚|未婚|单身|离异|离婚|订婚|结婚|分手|再婚|丧偶|恋爱中|脱单))(?:状态|人士|{_NUM}年)?(?:了)?(?:{_NUM}(?:多)?年)?{_END}",
        _fact("marital"),
        "婚|单身|分手|离异|恋爱|脱单|丧偶",
    ),
    rule(
        rf"(?:和|跟|与)?(?P<k>{RELATIONS}|[\u4e00-\u9fff]{{2,3}})?(?P<v>结婚|离婚|分手|订婚|领证)(?:了|{_NUM}(?:多)?年).{{0,8}}$",
        lambda m: Finding("marital", m["v"], importance=0.7),
        "婚|分手|领证",
    ),
    rule(
        rf"(?:家里?)?(?:还)?有(?:了)?(?P<v>(?:[一两二三四五六\d]+|好几)(?:个|位|对)?(?:[\u4e00-\u9fff\d]{{0,6}}?(?:的|岁))?{_KIN}[^，。]{{0,16}}?){_END}",
        _family,
        "有",
    ),
    rule(
        rf"(?:家里?|家中)?(?:还)?(?:养|收养|领养|买|捡|多|有)(?:的|了|过)?(?P<v>(?:[一两二三四五六\d]+|好几)[只条匹头个缸](?:[^，。]{{0,10}}?){_PET}[^，。]{{0,12}}?){_END}",
        _fact("pet", importance=0.6),
        "养|只|条|匹|缸",
    ),
    rule(rf"(?:家里?)?养(?:的是|着|了)?(?P<v>{_PET}){_END}", _fact("pet", importance=0.6), "养"),
    # health
    rule(
        r"(?:吃|喝|碰)(?:不了|不得)?(?P<v>[^，。]{1,12}?)(?:就|会|都会)过敏",
        _fact("allergy", importance=1.0),
        "过敏",
    ),
    rule(
        r"(?:从小|一直|严重|轻微)*对(?P<v>[^，。]{1,20}?)(?:严重|轻微|有点|有些|会|也|都|特别)*过敏",
        _fact("allergy", importance=1.0),
        "过敏",
    ),
    rule(
        rf"(?:有|得了?|患有?)?(?:严重的?|轻微的?)?(?P<v>(?!.{{0,6}}[对人会不家])[\u4e00-\u9fff]{{1,8}}?)过敏(?:症|史|体质)?{_END}",
        _fact("allergy", importance=1.0),
        "过敏",
    ),
    rule(
        rf"(?P<v>(?:乳糖|麸质|酒精|果糖)不耐受?)(?:症)?{_END}",
        _fact("allergy", importance=0.95),
        "不耐",
    ),
    rule(
        rf"(?:有|得了?|患(?:有|上)?了?|确诊(?:为|了|是)?|查出(?:来|有)?了?|被?诊断(?:为|出|是)|犯了?)(?:一点|点|严重的?|轻度的?|中度的?|慢性的?|遗传性|老)?(?P<v>{_DISEASE}){_END}",
        _fact("condition", importance=0.9),
    ),
    rule(
        rf"(?P<v>高度近视|怀孕(?:{_NUM}(?:个月|周))?|色盲|晕车|晕船|恐高|腰不好|胃不好|肠胃不好|膝盖不好|心脏不好|失眠){_END}",
        _fact("condition", importance=0.8),
    ),
    rule(
        rf"(?:每天|长期|一直|正在|按时|需要)*(?:吃|服用|在吃|打|注射)(?:着)?(?P<v>[^，。]{{1,14}}?(?:片|胶囊|药|素|胰岛素|疫苗|维生素[A-Z]?|剂))(?:治疗)?{_END}",
        _fact("medication", importance=0.85),
        "吃|服用|打|注射",
    ),
    rule(
        rf"(?:血型)?(?:{_IS})?(?P<v>(?:[ABO]|AB|RH阴性?)型(?:血)?){_END}",
        _fact("blood_type", importance=0.8),
        "型",
    ),
    rule(
        rf"(?:身高)?(?:{_IS}|有|才|大概|大约)?(?P<v>(?:1[.米]\d{{1,2}}米?|1\d\d)\s*(?:cm|厘米|公分)?|一米[\u4e00-\u9fff\d]{{1,3}})(?:高)?{_END}",
        lambda m: (
            Finding("height", m["v"])
            if "高" in m.group() or re.search("cm|厘米|公分|米", m["v"])
            else None
        ),
        "身高|米|cm|公分",
    ),
    rule(
        rf"(?:体重)(?:{_IS}|有|才|大概|大约|降到了?|涨到了?)?(?P<v>\d[\d.]*\s*(?:kg|公斤|斤|千克)?){_END}",
        _fact("weight"),
        "体重",
    ),
    rule(
        rf"(?:是)?(?:个|一名)?(?:一直)?(?P<v>吃素|素食主义者?|素食者?|纯素(?:食者)?|蛋奶素|清真|不吃荤|生酮(?:饮食)?|低碳饮食|吃清真|低盐饮食|糖尿病饮食)(?:的|{_NUM}年)?{_END}",
        _fact("diet", importance=0.9),
        "素|清真|荤|生酮|饮食",
    ),
    rule(
        rf"(?:改|开始|转)(?:成|为|吃)?(?P<v>吃?素食?|生酮|低碳水?){_END}",
        _fact("diet", importance=0.9),
        "素|生酮|低碳",
    ),
    rule(rf"(?P<v>不抽烟|不吸烟|戒烟|从不抽烟){_END}", _fact("smoking", value="不抽"), "烟"),
    rule(rf"(?P<v>抽烟|吸烟)(?:{_NUM}年)?{_END}", _fact("smoking", value="抽"), "烟"),
    rule(
        rf"(?P<v>不喝酒|滴酒不沾|戒酒|不能喝酒|不沾酒){_END}", _fact("drinking", value="不喝"), "酒"
    ),
    # abilities and means
    rule(
        rf"(?:会(?:说|讲)?|能说|能讲|精通|懂|在学|正在学|学过|自学)(?:一点|一些|点|流利的?)?(?P<v>(?:英|日|法|德|俄|韩|粤|汉|中|藏|蒙|西班牙|葡萄牙|意大利|阿拉伯|泰|越南|闽南|客家|上海|四川|广东)(?:语|文|话)(?:和[\u4e00-\u9fff]{{2,5}})?){_END}",
        _fact("language"),
        "语|文|话",
    ),
    rule(rf"母语{_IS}{_V}", _fact("language"), "母语"),
    rule(
        rf"(?:擅长|拿手(?:的是|菜是)?|精通|善于){_V}",
        _fact("skill"),
        "擅长|拿手|精通|善于",
    ),
    rule(
        rf"(?:会)(?P<v>弹[\u4e00-\u9fff]{{2,4}}|拉[\u4e00-\u9fff]{{2,4}}|吹[\u4e00-\u9fff]{{2,4}}|游泳|开车|滑雪|滑冰|画画|编程|写代码|书法|下围棋|下象棋|跳舞|唱歌|做饭|剪辑|摄影){_END}",
        _fact("skill"),
        "会",
    ),
    rule(
        rf"(?:(?:开|骑|买|换|提|有|租)(?:的是|着|了|过)?(?:一?[辆台部])?)(?P<v>[^，。会了]{{0,12}}?{_CAR}[^，。]{{0,10}}?){_END}",
        lambda m: _vehicle(m),
        "开|骑|买|换|提|有|租",
    ),
    rule(
        rf"(?:(?:用|买|换|入手|新买|有|拥有|升级)(?!的{_DEVICE})(?:的是|着|了|过|到|成)?(?:一?[辆台部个副把块款]|个新)?)(?P<v>[^，。了]{{0,14}}?{_DEVICE}[^，。]{{0,14}}?){_END}",
        _fact("device", importance=0.5),
    ),
    rule(
        rf"(?:用)?(?:的)?(?P<d>手机|电脑|笔记本|平板|耳机|相机|显示器|键盘)(?:是|用的是|用的|换成了?|型号是)(?P<v>[^，。]{{2,24}}?){_END}",
        lambda m: Finding("device", f"{m['d']} {trimmed(m['v'])}"),
        "是|用|换",
    ),
    # schedule and goals
    rule(
        rf"(?:每天|平时|工作日|周末|一般|基本)*(?P<v>{_CLOCK})(?:左右|以前|之前|就|才|准时)*(?P<t>起床|睡觉|睡|上床|上班|下班|跑步|健身|吃晚饭|吃早饭|开晨会|开会|遛狗|出门|锻炼|到家){_END}",
        _schedule,
        "点|:|时",
    ),
    rule(
        rf"(?:人生|今年|长期|短期|最终|近期|年度|学习|减肥)?(?:的)?(?:目标|梦想|愿望|理想|志向|心愿)(?:{_IS})(?:要|想)?{_V}",
        _fact("goal", importance=0.7),
        "目标|梦想|愿望|理想|志向|心愿",
    ),
    rule(
        rf"(?:在|正在|正)?(?:备考|准备考|备战|准备参加){_V}", _fact("goal", importance=0.65), "备"
    ),
    rule(
        rf"(?P<v>(?:打算|计划|准备|决定|立志|想要|希望能?)(?!了吗)(?!知道|问|了解|请|你|让你|确认|看看|一下|听)[^，。]{{3,40}}?){_END}",
        lambda m: Finding("goal", trimmed(m["v"]), importance=0.55, confidence=0.8),
        "打算|计划|准备|决定|立志|想要|希望",
    ),
)


_NATIONS: Final = re.compile(
    r"(?:中国|美国|英国|法国|德国|日本|韩国|俄罗斯|加拿大|澳大利亚|意大利|西班牙|印度|泰国|越南|新加坡|马来西亚|巴西|荷兰|瑞[典士]|[\u4e00-\u9fff]{1,4}国)$"
)
_NOT_PLACE: Final = re.compile(
    r"好|坏|老|新|个|种|家里?$|男|女|病|大|小|懒|聪明|本|熟|外|内向|外向|别|他|自己|主|客|负责|联系|合伙|候选|当事|法|证|机器|单身|普通|"
    r"正常|什么|哪|年轻|成年|商|诗|工|军|情|爱|恋|亲|仇|敌|路|盲|艺|圣|伟|名|猎|怪|狂|夜|早起|急|慢|直|俗|粗|细|感性|理性|完美"
)


def _origin(match: re.Match[str]) -> Finding | None:
    place = match["v"].removeprefix("是")
    if "是" not in match.group()[:1] and len(place) < 2:
        return None
    if len(place) < 2 or _NOT_PLACE.search(place) or _VAGUE.search(place):
        return None
    if not match.group().startswith(("是", "土", "地道")):
        return None
    return Finding("nationality" if _NATIONS.search(place) else "hometown", place, importance=0.7)


def _moved(match: re.Match[str]) -> Finding | None:
    place = trimmed(match["v"])
    if _VAGUE.search(place) or re.search(r"[桌椅箱书沙发楼上楼下数据文件代码]{2}", place):
        return None
    return Finding("residence", place, importance=0.8)


def _joined(match: re.Match[str]) -> Finding | None:
    place = trimmed(match["v"]).removesuffix("公司") or trimmed(match["v"])
    if _VAGUE.search(place) or re.search(
        r"[群会购]$|群聊|会议|项目|计划|讨论|收藏|购物车|黑名单|战队|俱乐部|健身", place
    ):
        return None
    if match.group().startswith("换") and "工作" not in match.group():
        return None
    return Finding("employer", place, importance=0.8, replaces=match["old"])


def _workplace(match: re.Match[str]) -> Finding | None:
    place = trimmed(match["v"]).removesuffix("公司") or trimmed(match["v"])
    if _VAGUE.search(place) or re.search(r"^(?:家|线上|一起|外面|户外|这|那|努力|认真)$", place):
        return None
    attribute = "workplace" if _CITY.fullmatch(place) else "employer"
    return Finding(attribute, place, importance=0.8)


def _left(match: re.Match[str]) -> Finding | None:
    place = trimmed(match["v"] or match["w"] or "")
    if not place or _VAGUE.search(place):
        return None
    return Finding("employer", f"不再{place}", replaces=place, ends=True, importance=0.75)


def _works_as(match: re.Match[str]) -> Finding | None:
    job, place = trimmed(match["v"]), trimmed(match["w"])
    if not re.search(
        rf"{_JOBS}$|的$|开发|设计|运营|销售|研发|育种|管理|语文|数学|英语|物理|化学", job
    ):
        return None
    if _VAGUE.search(job) or re.search(r"作业|家务|梦|饭|菜|核酸|检查|笔记|运动|瑜伽", job):
        return None
    if _CITY.fullmatch(place) or re.search(r"家|这|那|线上", place):
        return Finding("occupation", job, importance=0.8)
    return Finding("employer", place, importance=0.8, tags=("公司", "工作", job[:10]))


_CITY: Final = re.compile(
    r"(?:北京|上海|广州|深圳|杭州|南京|苏州|成都|重庆|武汉|西安|天津|长沙|郑州|青岛|厦门|宁波|无锡|合肥|福州|济南|大连|沈阳|"
    r"哈尔滨|长春|昆明|贵阳|南宁|南昌|太原|石家庄|兰州|海口|三亚|珠海|佛山|东莞|温州|常州|香港|澳门|台北|拉萨|乌鲁木齐|银川|西宁|"
    r"呼和浩特|纽约|伦敦|东京|大阪|巴黎|柏林|新加坡|悉尼|多伦多|温哥华|旧金山|洛杉矶|首尔|曼谷|国外|老家|外地|本地|"
    r"[\u4e00-\u9fff]{2,5}(?:市|县|省|区|镇|村|州)|美国|英国|日本|德国|法国|加拿大|澳洲|澳大利亚|韩国|泰国)(?:市)?"
)


def _vehicle(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if _VAGUE.search(value) or re.search(
        r"车(?:票|位|展|险|厘子|祸|间|道|队|主|费|库|站)|火车|公交|地铁|打车|班车|出租|网约|理想的",
        value,
    ):
        return None
    return Finding("vehicle", value, importance=0.55)
