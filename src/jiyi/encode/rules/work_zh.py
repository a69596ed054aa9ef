"""Chinese statements about work and education."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.topics import trimmed
from jiyi.encode.rules.values_zh import CITY, END, IS, NUM, VAGUE, V, fact
from jiyi.text.patterns import regex

JOB: Final = (
    r"(?:工程师|程序员|开发|设计师|老师|教师|教授|讲师|护士|医生|大夫|牙医|药师|兽医|律师|法官|"
    r"会计师?|审计师?|分析师|"
    r"架构师|科学家|研究员|作家|编辑|记者|翻译|摄影师|导演|画家|画师|插画师|音乐人|歌手|演员|"
    r"舞者|厨师|面点师|烘焙师|咖啡师|"
    r"服务员|司机|飞行员|船员|军人|警察|消防员|保安|电工|水管工|木匠|技师|技工|技术员|焊工|农民|"
    r"园丁|裁缝|理发师|美容师|"
    r"图书管理员|经理|总监|主管|顾问|行政|人事|HR|创始人|合伙人|CEO|CTO|CFO|总裁|老板|个体户|"
    r"自由职业者?|外包|猎头|"
    r"销售|导购|收银员|秘书|前台|助理|实习生|学徒|学生|研究生|博士生|硕士生|大学生|高中生|"
    r"初中生|小学生|本科生|博士后|"
    r"教练|治疗师|心理咨询师|咨询师|社工|银行职员|柜员|交易员|经纪人|中介|策划|制片人|主播|博主|"
    r"up主|UP主|家教|校长|"
    r"运维|测试|产品|产品经理|运营|前端|后端|全栈|算法|数据|质检员?|快递员|外卖员|骑手|保姆|"
    r"月嫂|助产士|公务员|公司职员|"
    r"职员|文员|工人|全职妈妈|全职爸爸|家庭主妇|退休(?:教师|工人|职工)?|店主|店长|摄像师|建筑师|"
    r"检验员|采购|物流|仓管|"
    r"育种员?|技术支持|客服|编剧|策展人|列车员|乘务员|空姐|飞行员|船长|渔民|养殖户|兽医|环卫工|"
    r"清洁工|保洁|"
    r"送快递的|送外卖的|开出租的|开滴滴的|做生意的|教书的|当兵的|搞(?:技术|IT|科研|销售|金融|"
    r"艺术)的|"
    r"(?:[\u4e00-\u9fffA-Za-z]{1,10})(?:师|员|工|手|家|长|官|医|商|农|匠|经理))"
)


def _occupation(match: re.Match[str]) -> Finding | None:
    found = re.sub(r"(?<=..)(?:现?已经?|刚)退休$", "", trimmed(match["v"]))
    if (
        not found
        or found.startswith("的")
        or found.endswith(("高手", "对手", "帮手", "老手", "新手", "大家"))
        or VAGUE.search(found)
        or re.match(
            r"(?:不|没|谁|说|因为|为了|想|要|在|有|被|那[个些位种]|这[个些位种]|大家|国家|人家|"
            r"一家|专家说)"
            r"|.*(?:自己|我们)的家$|.*(?:得|才|了|[到回在全自]家|跑|累|忙).*",
            found,
        )
    ):
        return None
    return Finding("occupation", found.removesuffix("的"), importance=0.8)


def _joined(match: re.Match[str]) -> Finding | None:
    place = trimmed(match["v"]).removesuffix("公司") or trimmed(match["v"])
    if VAGUE.search(place) or re.search(
        r"[群会购]$|群聊|会议|项目|计划|讨论|收藏|购物车|黑名单|战队|俱乐部|健身", place
    ):
        return None
    if match.group().startswith("换") and "工作" not in match.group():
        return None
    return Finding("employer", place, importance=0.8, replaces=match["old"])


def _workplace(match: re.Match[str]) -> Finding | None:
    place = trimmed(match["v"]).removesuffix("公司") or trimmed(match["v"])
    if VAGUE.search(place) or re.search(
        r"^(?:家|工作|中间|其中|线上|一起|外面|户外|这|那|努力|认真)$", place
    ):
        return None
    if place.endswith(("部", "部门", "团队", "组", "科室")):
        return Finding("department", place, importance=0.7)
    attribute = "workplace" if CITY.fullmatch(place) else "employer"
    return Finding(attribute, place, importance=0.8)


def _department(match: re.Match[str]) -> Finding | None:
    """No place where something is: 在公园旁边的文化中心."""
    if re.search(
        r"[总内外全东西南北中局上下顶底]部$|俱乐部$|旁|附近|对面|隔壁|楼[上下]|边上|门口|"
        r"的[^的]*中心$|(?:艺术|文化|购物|商业|活动|体育|健身|市)中心$",
        match["v"],
    ):
        return None
    return fact("department")(match)


def _left(match: re.Match[str]) -> Finding | None:
    place = trimmed(match["v"] or match["w"] or "")
    if not place or VAGUE.search(place):
        return None
    return Finding("employer", f"不再{place}", replaces=place, ends=True, importance=0.75)


def _works_as(match: re.Match[str]) -> Finding | None:
    job, place = trimmed(match["v"]), trimmed(match["w"])
    if match.string[match.start("v") - 1] == "教":
        job = f"教{job}"
    if not re.search(
        rf"{JOB}$|的$|开发|设计|运营|销售|研发|育种|管理|语文|数学|英语|物理|化学", job
    ):
        return None
    if VAGUE.search(job) or re.search(r"作业|家务|梦|饭|菜|核酸|检查|笔记|运动|瑜伽", job):
        return None
    if _NO_WORKPLACE.search(place) or _ONE_DEED.match(job):
        return None
    if CITY.fullmatch(place) or re.search(r"家|这|那|线上|中间|其中|里面|^一[所个间]", place):
        return Finding("occupation", job, importance=0.8)
    return Finding("employer", place, importance=0.8, tags=("公司", "工作", job[:10]))


# 在群里做个小调查: no workplace, and done once.
_NO_WORKPLACE: Final = regex(
    r"群|圈里?$|评论区|直播间|现场$|[课会]上$|[网线手机电脑]上$|公园|操场|客厅|卧室"
)
_ONE_DEED: Final = regex(r"[小大](?:范围|规模|批量)|[一几]次|些|个|点|一[点下些]|一?场")


def _serves_as(match: re.Match[str]) -> Finding | None:
    job, place = trimmed(match["v"]), trimmed(match["w"])
    if VAGUE.search(job) or re.search(r"^(?:家|这|那|一|中间|其中)|这里|那里|里面", place + job):
        place = place if place.startswith("一") and not VAGUE.search(job) else ""
    if not place:
        return None
    if CITY.fullmatch(place):
        return Finding("occupation", job, importance=0.8)
    return Finding("employer", place, importance=0.8, tags=("公司", "工作", job[:10]))


_PROOF: Final = regex(r"机会|验证|保证|证明|证据|见证")

RULES: Final[tuple[Rule, ...]] = (
    # work
    rule(
        rf"(?:在|属于|是|调到|转到|调去|转岗到)(?P<v>[^，。]{{1,14}}?(?:部门?|团队|组|科室|"
        rf"事业部|中心|科))(?:的|工作|上班)?{END}",
        _department,
        "部|团队|组|科|中心",
    ),
    rule(
        rf"(?:(?:从|由)(?P<old>.{{1,20}}?))?(?:刚|已经|正式|最近)?(?:跳槽|入职|加入|转职|"
        rf"跳(?=[到去])|加盟|换(?=工作[到去]))(?:工作)?(?:到|去|进|至)?(?:了)?(?P<v>[^，"
        rf"。]{{2,24}}?)(?:工作|"
        rf"上班|当[^，]*|做[^，]*)?{END}",
        _joined,
        "跳|入职|加入|转职|加盟|换工作",
    ),
    rule(
        rf"(?:是)?在(?P<v>[^，。]{{2,24}}?)(?:工作|上班|任职|就职|供职|打工|搬砖|实习|当差|"
        rf"干活)(?:{NUM}(?:多)?年)?(?:当|做|担任|，)?{END}",
        _workplace,
        "工作|上班|任职|就职|供职|打工|搬砖|实习",
    ),
    rule(rf"(?:就职|任职|供职|受雇)(?:于|在){V}", fact("employer", importance=0.8), "职|雇"),
    rule(
        rf"(?:公司|单位|东家|雇主){IS}(?!做|搞|一家)(?P<v>[^，。]{{2,24}}?){END}",
        fact("employer", importance=0.8),
        "公司|单位|东家|雇主",
    ),
    rule(
        rf"(?:已经|刚|最近)?(?:从(?P<v>[^，。]{{2,20}}?)(?:离职|辞职|被裁|走人|退休)|(?:离开|"
        rf"辞掉)了?(?P<w>[^，。]{{2,20}}?)(?:的工作)?){END}",
        _left,
        "离|辞|被裁|退休",
    ),
    rule(
        rf"在(?P<w>[^，。]{{2,20}}?)(?:当(?!作|成|然|真|时|地|年|兵)|担任|任(?!何|意|"
        rf"由))(?P<v>[^，。了过]{{2,12}}?){END}",
        _serves_as,
        "当|任",
    ),
    rule(
        rf"在(?P<w>[^，。]{{2,20}}?)(?:做|当|担任|干|搞|教|任)(?P<v>[^，。]{{2,20}}?){END}",
        _works_as,
        "做|当|担任|干|搞|教|任",
    ),
    rule(
        rf"(?:职业|工作|岗位|本职工作|职位|职务|主业|行业){IS}(?:一?[名位个])?{V}",
        _occupation,
        "职|工作|岗位|主业|行业",
    ),
    rule(
        rf"(?:是|成为|当上|当|担任|转行做|转行当|转做|转岗做|升为|升任|晋升为|提拔为|升成|"
        rf"升职?(?=[^，。]{{0,6}}(?:工程师|经理|主管|总监|组长|店长|教授|医师))|改行做|改当|改行|"
        rf"转行)了?(?:一?[名位个])?(?P<v>(?!做|搞|从事|"
        rf"负责|好|坏|"
        rf"个)(?:[^，。是有不]{{0,14}}?){JOB}){END}",
        _occupation,
    ),
    rule(
        rf"(?:是)?(?:做|搞|干|从事)(?P<v>(?:[^，。了过]{{1,14}}?)(?:的|工作|行业|这行|方面|开发|"
        rf"设计|运营|销售|研发|测试|运维|育种|科研|教育|贸易|生意)){END}",
        _occupation,
        "做|搞|干|从事",
    ),
    rule(
        rf"(?P<v>退休|待业|失业|离职|自由职业|自己创业|创业|被裁员?){END}",
        fact("occupation"),
        "退休|业|离职",
    ),
    rule(
        r"在(?P<v>[^，。]{2,16}?)(?:主要|专门|目前)?(?:负责|分管|主管)(?!任|人)[^，。]{2,30}$",
        _workplace,
        "负责|分管|主管",
    ),
    rule(
        rf"(?:主要|专门|目前)?(?:负责|分管|主管)(?!任|人){V}",
        fact("responsibility", importance=0.6),
        "负责|分管|主管",
    ),
    rule(
        rf"(?:转行|改行|转岗)(?:去|来)?(?P<v>(?:开|卖|搞|教|学|跑|干)[^，。]{{1,10}}?){END}",
        _occupation,
        "行|岗",
    ),
    rule(
        rf"(?:转行|改行|转岗)(?:去|来)?(?:做|当)了?(?P<v>[^，。了]{{2,10}}?){END}",
        _occupation,
        "行|岗",
    ),
    rule(
        rf"(?:一直)?在(?:做|当)(?P<v>[^，。一了这那在的]{{0,8}}?{JOB}){END}",
        _occupation,
        "在",
    ),
    rule(
        rf"(?:已经|刚刚?|最近|裸|昨天|上周|上个?月)*(?:辞职|裸辞|辞了职|被辞退|辞掉了?工作|"
        rf"把工作辞){END}",
        lambda _: Finding("employer", "不再上班", replaces="工作", ends=True, importance=0.75),
        "辞",
    ),
    rule(
        rf"(?:职级|级别|职称)(?:{IS}|升到|评上了?|评了)?{V}",
        fact("position"),
        "职级|级别|职称",
    ),
    rule(
        rf"(?:有|工作|干|从业)(?:了)?(?P<v>{NUM}(?:多)?年(?:多)?)(?:的)?(?:[^，。]{{0,12}}经验|"
        rf"工龄)?{END}",
        fact("work_years"),
        "年",
    ),
    rule(
        rf"(?:月薪|年薪|工资|薪水|收入|年包|月收入|年收入)(?:{IS}|有|大概|大约|每月|"
        rf"涨到了?)?(?P<v>(?:\d|[一二两三四五六七八九十]+[万千百])[^，。]{{0,12}}?){END}",
        fact("salary"),
        "薪|工资|收入|年包",
    ),
    # education
    rule(
        rf"(?:本科|硕士|博士|研究生|大学|高中|刚|是)?(?:毕业于|毕业在|"
        rf"从)(?P<v>[\u4e00-\u9fffA-Za-z ]{{2,20}}?(?:大学|学院|学校|中学|高中|大|MIT|"
        rf"Stanford))(?:毕业|的)?{END}",
        fact("school"),
        "毕业|从",
    ),
    rule(
        rf"(?:在|就读于|考上了?|考到了?|上|读)(?P<v>(?![^，"
        rf"。]*读大学)[\u4e00-\u9fffA-Za-z ]{{2,20}}?(?:大学|学院|"
        rf"学校|中学|高中|小学|幼儿园|(?<=[^幼小中])大(?=读|念|上|学|$)|清华|北大|复旦|交大|浙大))"
        rf"(?:的研究生|的博士|的硕士|的本科)?(?:读书|上学|念书|就读|读|上|念)?"
        rf"(?:(?P<m>[\u4e00-\u9fff]{{2,12}}?(?:专业|系))|[大研博高初][一二三四五]|"
        rf"[一二三四五六]年级|"
        rf"[大中小]班|本科|硕士|博士|研究生)?{END}",
        fact("school"),
        "学|高中|幼儿园|大|清华|复旦",
    ),
    rule(
        rf"(?:(?:本科|硕士|博士|研究生|大学|研究生阶段)(?:时|期间|阶段)?)?(?:学的?是|学的|念的?是|"
        rf"读的?是|主修|"
        rf"攻读|专业{IS}|专业|(?:是|研究)?方向{IS})(?!都|全|不|很)(?P<v>[^，"
        rf"。]{{2,20}}?)(?:专业)?{END}",
        fact("major"),
        "学的|念的|读的|主修|攻读|专业|方向",
    ),
    rule(
        r"(?:是)?学(?P<v>(?!习|校|生|会|过|着|到|了|院|员|分|完|好|得|的|不|一|这|那|什么|期|历|"
        r"位|费|区|霸|渣|长|姐|弟|妹|"
        r"语文|做|怎么)[\u4e00-\u9fff]{2,8}?)(?:专业|系)?的\s*$",
        fact("major"),
        "学",
    ),
    rule(
        rf"(?:学历|学位|文化程度|教育程度|教育背景)?(?:{IS}|拿到了?|有)?(?:一?个)?(?:(?:可是|"
        rf"就是|才|只有|最高|还是|拿的是|读的是)(?:一?个)?)?(?P<v>(?:在读|全日制)?(?:博士|硕士|"
        rf"本科|大专|专科|高中|中专|初中|小学|学士|MBA|EMBA)(?:学历|学位|毕业)?){END}",
        fact("education"),
        "博士|硕士|本科|专|中|学|MBA",
    ),
    rule(
        rf"(?:已经|刚|今年|马上|就)*(?:在)?(?:读|上|念|升)(?:了|到)?(?P<v>幼儿园|小学|初中|高中|"
        rf"大学|大专|中专|技校|职高|初[一二三]|"
        rf"高[一二三]|大[一二三四])(?:读书)?{END}",
        fact("grade"),
        "读|上|念|升",
    ),
    rule(
        rf"(?:在)?(?:读|上|念|是)?(?P<v>(?:小学|初|高|大|研|博|"
        rf"幼儿园)[一二三四五六大中小班]{{1,2}}(?:年级)?|[一二三四五六]年级){END}",
        fact("grade"),
        "年级|小学|初|高|大|研|博|班",
    ),
    rule(
        rf"(?:考过|考到|拿到|考下来?|持有|有)了?(?P<v>[^，。]{{1,16}}?(?:证书?|资格证|执照|驾照|"
        rf"等级证)){END}",
        lambda m: None if _PROOF.search(m["v"]) else fact("certificate")(m),
        "证|执照|驾照",
    ),
)
