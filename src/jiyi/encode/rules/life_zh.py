"""Chinese statements about family, health, abilities, possessions, days and goals."""

from __future__ import annotations

import re
from typing import Final

from jiyi.encode.rules.clauses_zh import RELATIONS
from jiyi.encode.rules.finding import Finding, Rule, rule
from jiyi.encode.rules.topics import object_topic, trimmed
from jiyi.encode.rules.values_zh import END, IS, NUM, VAGUE, V, fact
from jiyi.encode.slots import with_topic
from jiyi.text.patterns import regex


def _schedule(match: re.Match[str]) -> Finding | None:
    topic = object_topic(match["t"])
    return Finding(with_topic("schedule", topic), trimmed(match["v"]), importance=0.55)


def _family(match: re.Match[str]) -> Finding | None:
    return Finding("family", trimmed(match["v"]), tags=("家人", match["kin"]), importance=0.7)


_KIN: Final = rf"(?P<kin>{RELATIONS})"
_PET: Final = (
    r"(?:狗狗?|猫咪?|小猫|小狗|兔子|仓鼠|鹦鹉|乌龟|金鱼|鱼|蛇|蜥蜴|龙猫|豚鼠|鸟|马|鸡|鸭|羊|"
    r"刺猬|金毛|柯基|泰迪|拉布拉多|哈士奇|柴犬|边牧|萨摩耶|比熊|英短|美短|布偶猫?|橘猫|狸花猫?|"
    r"暹罗猫?|缅因猫?|贵宾犬?|[\u4e00-\u9fff]{0,3}[猫狗犬])"
)
_COMMON: Final = (
    r"(?:[12一二ⅠⅡ]|I{1,2})?型?糖尿病|老年痴呆|痴呆|阿尔茨海默|帕金森|哮喘|高血压|低血压|高血脂|"
    r"高血糖|低血糖|偏头痛|头痛|癫痫|"
    r"关节炎|"
    r"类风湿|抑郁症?|焦虑症?|失眠症?|胃炎|胃溃疡|胃病|"
    r"肠炎|痛风|湿疹|鼻炎|咽炎|颈椎病|腰椎间盘突出|腰突|甲亢|甲减|甲状腺结节|心脏病|冠心病|"
    r"肾结石|肾病|肝炎|脂肪肝|乙肝|近视|散光|色盲|色弱|"
    r"贫血|荨麻疹|银屑病|白癜风|多动症|自闭症|强迫症|双相|癌|肿瘤|结节|脑梗|中风|骨质疏松|反流|"
    r"胆结石|哮喘病|腱鞘炎|静脉曲张|夜盲|耳鸣"
)
_DISEASE: Final = rf"(?:{_COMMON}|[\u4e00-\u9fff]{{1,6}}(?:炎|症|癌|综合征|结石|病)(?!毒))"
_CAR: Final = (
    r"(?:车|轿车|越野车|电动车|摩托车?|自行车|房车|皮卡|特斯拉|比亚迪|宝马|奔驰|奥迪|大众|丰田|"
    r"本田|高尔夫|途观|迈腾|速腾|帕萨特|汉兰达|飞度|捷达|捷豹|路虎|凯迪拉克|红旗|奇瑞|传祺|腾势|"
    r"小米SU7|"
    r"小牛|雅迪|爱玛|哈雷|蔚来|理想|小鹏|问界|吉利|长城|哈弗|五菱|沃尔沃|保时捷|福特|雪佛兰|别克|"
    r"现代|起亚|"
    r"马自达|日产|雷克萨斯|极氪|领克|SU7|Model ?[3SXY]|思域|卡罗拉|凯美瑞|雅阁|朗逸|轩逸)"
)
_DEVICE: Final = (
    r"(?:手机|电脑|笔记本(?:电脑)?|台式机|平板|显示器|键盘|鼠标|耳机|相机|单反|打印机|路由器|"
    r"音箱|手表|手环|投影仪?|游戏机|扫地机器人|咖啡机|空气炸锅|无人机|吉他|钢琴|小提琴|古筝|"
    r"iPhone ?\d*|小米 ?\d+|红米|华为 ?(?:Mate|P\d|nova)|荣耀|vivo|OPPO|一加|iPad|MacBook|"
    r"(?<![A-Za-z])Mac|ThinkPad|Kindle|Switch|PS5|Xbox|树莓派|NAS|Pixel|显卡|服务器|"
    r"净化器|电视|跑步机|缝纫机|望远镜)"
)
_CLOCK: Final = (
    r"(?:(?:早上|早晨|凌晨|上午|中午|下午|傍晚|晚上|半夜|夜里|周[一二三四五六日末]|"
    r"每天)*\s*(?:\d{1,2}(?::\d\d|[点时](?:半|[一二三]刻|\d{1,2}分?)?)|"
    r"[一二两三四五六七八九十]{1,3}点(?:半|[一二三]刻|[一二三四五\d]?十?[一二三四五六七八九\d]?"
    r"分?)?))"
)


def _device(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if VAGUE.search(value) or (match.group().startswith("换") and len(value) < 4):
        return None  # 换手机了: for which one, it does not say
    # 换了小米14: one takes the place of another of its kind
    replaces = _kind_of(value) if match.group().startswith("换") else None
    return Finding("device", value, importance=0.5, replaces=replaces)


_PHONES: Final = regex(
    r"手机|iPhone|小米 ?\d|红米|华为 ?(?:Mate|P\d|nova)|荣耀|vivo|OPPO|一加|Pixel", re.IGNORECASE
)
_COMPUTERS: Final = regex(r"电脑|笔记本|MacBook|Mac|ThinkPad|台式机", re.IGNORECASE)


def _kind_of(value: str) -> str | None:
    if _PHONES.search(value):
        return "手机"
    return "电脑" if _COMPUTERS.search(value) else None


def _vehicle(match: re.Match[str]) -> Finding | None:
    value = trimmed(match["v"])
    if VAGUE.search(value) or re.search(
        r"车(?:带|去|回|送|接|前往|出发|在|上|票|位|展|险|厘子|祸|间|道|队|主|费|库|站)|火车|公交|"
        r"地铁|打车|班车|出租|网约|理想的|[呢吗]",
        value,
    ):
        return None
    if len(value) == 1 and match.group().startswith(("换", "买", "提")):
        return None  # 换车了: which one, it does not say
    replaces = "车" if match.group().startswith("换") else None
    return Finding("vehicle", value, importance=0.55, replaces=replaces)


RULES: Final[tuple[Rule, ...]] = (
    # family, pets
    rule(
        rf"(?P<v>(?:已婚|未婚|单身|离异|离婚|订婚|结婚|分手|再婚|丧偶|恋爱中|脱单))(?:状态|人士|"
        rf"{NUM}年)?(?:了)?(?:{NUM}(?:多)?年)?{END}",
        fact("marital"),
        "婚|单身|分手|离异|恋爱|脱单|丧偶",
    ),
    rule(
        rf"(?:和|跟|与)?(?P<k>{RELATIONS}|[\u4e00-\u9fff]{{2,3}})?(?P<v>结婚|离婚|分手|订婚|"
        rf"领证)(?:了|{NUM}(?:多)?年).{{0,8}}$",
        lambda m: Finding("marital", m["v"], importance=0.7),
        "婚|分手|领证",
    ),
    rule(
        rf"(?:家里?)?(?:还)?有(?:了)?(?P<v>(?:[一两二三四五六\d]+|好几)(?:个|位|"
        rf"对)?(?:[\u4e00-\u9fff\d]{{0,6}}?(?:的|岁))?{_KIN}[^，。]{{0,16}}?){END}",
        _family,
        "有",
    ),
    rule(
        rf"(?:家里?)?(?:还)?有(?:了)?(?P<v>(?:个|对)(?:{NUM}岁半?的?)?(?P<kin>儿子|女儿|孩子|闺女|"
        rf"娃|"
        rf"宝宝|双胞胎|哥哥|弟弟|姐姐|妹妹)(?:{NUM}岁|[^，。在]{{0,8}}?)){END}",
        _family,
        "有",
    ),
    rule(
        rf"(?:家里?)?(?:一共|总共|有|是)*(?P<v>{NUM}口)(?:人|之家)?{END}",
        lambda m: Finding("family", m["v"] + "人", tags=("家人",), importance=0.65),
        "口",
    ),
    rule(
        rf"(?:家里?|家中)?(?:还)?(?:养|收养|领养|买|捡|多|有)(?:的|了|"
        rf"过)?(?P<v>(?:[一两二三四五六七八九十几\d]+|好几|(?<=[有养多]))[只条匹头个缸](?:[^，"
        rf"。]{{0,10}}?){_PET}[^，。]"
        rf"{{0,12}}?){END}",
        fact("pet", importance=0.6),
        "养|只|条|匹|缸",
    ),
    rule(rf"(?:家里?)?养(?:的是|着|了)?(?P<v>{_PET}){END}", fact("pet", importance=0.6), "养"),
    # health
    rule(
        r"过敏[原源](?:主要)?(?:是|有|：)(?P<v>[^，。]{1,20})$",
        fact("allergy", importance=1.0),
        "过敏",
    ),
    rule(
        r"(?:吃|喝|碰)(?:不了|不得)?(?P<v>[^，。]{1,12}?)(?:就|会|都会)过敏",
        fact("allergy", importance=1.0),
        "过敏",
    ),
    rule(
        r"(?:从小|一直|严重|轻微)*对(?P<v>[^，。]{1,20}?)(?:严重|轻微|有点|有些|会|也|都|"
        r"特别)*过敏",
        fact("allergy", importance=1.0),
        "过敏",
    ),
    rule(
        rf"(?:是|有|得了?|患有?)?(?:严重的?|"
        rf"轻微的?)?(?P<v>(?!.{{0,6}}[对人会不家是])[\u4e00-\u9fff]"
        rf"{{1,8}}?)过敏(?:症|史|体质)?{END}",
        fact("allergy", importance=1.0),
        "过敏",
    ),
    rule(
        rf"(?P<v>(?:乳糖|麸质|酒精|果糖)不耐受?)(?:症)?{END}",
        fact("allergy", importance=0.95),
        "不耐",
    ),
    rule(
        rf"(?:有|得了?|患(?:有|上)?了?|确诊(?:为|了|是)?|查出(?:来)?有?了?|被?诊断(?:为|出|是)|"
        rf"犯了?)(?:一点|点|严重的?|轻度的?|中度的?|慢性的?|遗传性|老)?(?P<v>{_DISEASE}){END}",
        fact("condition", importance=0.9),
    ),
    rule(
        rf"(?P<v>[\u4e00-\u9fff]{{1,4}}有(?:个|点|些)?{_DISEASE}){END}",
        lambda m: (
            None
            if re.search("没|家|人|他|她|你|说|查|诊|还|也", m["v"][:4])
            else fact("condition")(m)
        ),
        "结节|结石|炎|息肉|癌|肿瘤|病",
    ),
    rule(
        rf"(?:有)?(?:严重的?|轻度|中度|慢性|老)?(?!头痛|反流|中风|结节)(?P<v>{_COMMON})(?:很?多年|{NUM}(?:多)?年)?{END}",
        fact("condition", importance=0.9),
    ),
    rule(
        rf"(?P<v>高度近视|(?:近视|远视|散光|老花)(?:\d+度?)?|怀孕(?:{NUM}(?:个月|周))?|色盲|晕车|"
        rf"晕船|恐高|腰不好|胃不好|肠胃不好|"
        rf"膝盖不好|心脏不好|失眠)(?:很|挺|特别|比较|有点)*(?:厉害|严重)?{END}",
        fact("condition", importance=0.8),
    ),
    rule(
        rf"(?:每天|长期|一直|正在|按时|需要)*(?:吃|服用|在吃|打|"
        rf"注射)(?:着)?(?![全纯净]素)(?P<v>[^，。]{{1,14}}?(?:片|胶囊|药|素|胰岛素|疫苗|维生素[A-Z]?|"
        rf"剂))(?:治疗)?{END}",
        fact("medication", importance=0.85),
        "吃|服用|打|注射",
    ),
    rule(
        rf"(?:血型)?(?:{IS})?(?P<v>(?:[ABO]|AB|RH阴性?)型(?:血)?){END}",
        fact("blood_type", importance=0.8),
        "型",
    ),
    rule(
        rf"(?:身高)?(?:{IS}|有|才|大概|大约)?(?P<v>(?:1[.米]\d{{1,2}}米?|1\d\d)\s*(?:cm|厘米|"
        rf"公分)?|一米[\u4e00-\u9fff\d]{{1,3}})(?:高)?{END}",
        lambda m: (
            Finding("height", m["v"])
            if "高" in m.group() or re.search("cm|厘米|公分|米", m["v"])
            else None
        ),
        "身高|米|cm|公分",
    ),
    rule(
        rf"(?:体重)(?:{IS}|有|才|大概|大约|降到了?|涨到了?)?(?P<v>\d[\d.]*\s*(?:kg|公斤|斤|"
        rf"千克)?){END}",
        fact("weight"),
        "体重",
    ),
    rule(
        rf"(?:瘦|胖|减|涨|增)(?:肥|重)?(?:到|成|回)了?(?P<v>\d[\d.]*\s*(?:kg|公斤|斤|千克)){END}",
        fact("weight"),
        "kg|斤|千克",
    ),
    rule(
        rf"(?:是)?(?:个|一名)?(?:一直)?(?P<v>吃[全纯]?素|[全纯]素|素食主义者?|素食者?|素食|[Vv]egan|[Vv]egetarian|"
        rf"纯素(?:食者)?|蛋奶素|清真|"
        rf"不吃荤|生酮(?:饮食)?|低碳饮食|吃清真|低盐饮食|糖尿病饮食)(?:的|{NUM}年)?{END}",
        fact("diet", importance=0.9),
        "素|清真|荤|生酮|饮食|veg",
    ),
    rule(
        rf"(?:改|开始|转|能|恢复|可以)(?:成|为|吃)?(?P<v>吃?[全纯]?素食?|生酮|低碳水?|吃肉|吃荤){END}",
        fact("diet", importance=0.9),
        "素|生酮|低碳|肉|荤",
    ),
    rule(
        rf"(?P<v>不抽烟|不吸烟|戒烟|从不抽烟|(?:把)?烟(?:也|都|已经|给)*戒)(?:了)?(?:掉)?"
        rf"(?:{NUM}(?:多)?(?:年|个月|天)(?:多)?)?{END}",
        fact("smoking", value="不抽"),
        "烟",
    ),
    rule(rf"(?P<v>抽烟|吸烟)(?:{NUM}年)?{END}", fact("smoking", value="抽"), "烟"),
    rule(
        rf"(?P<v>不喝酒|滴酒不沾|戒酒|不能喝酒|不沾酒|(?:把)?酒(?:也|都|已经|给)*戒)(?:了)?(?:掉)?"
        rf"(?:{NUM}(?:多)?(?:年|个月|天)(?:多)?)?{END}",
        fact("drinking", value="不喝"),
        "酒",
    ),
    # abilities and means
    rule(
        rf"(?:会(?:说|讲)?|能说|能讲|精通|懂|在学|正在学|学过|自学)(?:一点|一些|点|"
        rf"流利的?)?(?P<v>(?:英|日|法|德|俄|韩|粤|汉|中|藏|蒙|手|西班牙|葡萄牙|意大利|阿拉伯|泰|"
        rf"越南|闽南|客家|上海|四川|广东)(?:语|文|话)(?:和[\u4e00-\u9fff]{{2,5}})?){END}",
        fact("language"),
        "语|文|话",
    ),
    rule(rf"母语{IS}{V}", fact("language"), "母语"),
    rule(
        rf"(?:擅长|拿手(?:的是|菜是)?|精通|善于){V}",
        fact("skill"),
        "擅长|拿手|精通|善于",
    ),
    rule(
        rf"(?:会)(?P<v>弹[\u4e00-\u9fff]{{2,4}}|拉[\u4e00-\u9fff]{{2,4}}|"
        rf"吹[\u4e00-\u9fff]{{2,4}}|游泳|开车|滑雪|滑冰|画画|编程|写代码|书法|下围棋|下象棋|"
        rf"跳舞|唱歌|做饭|剪辑|摄影){END}",
        fact("skill"),
        "会",
    ),
    rule(
        rf"(?:开|骑|买|换|提|有|租)(?:的是|着|了|过)?[一两二\d]?辆(?P<v>[^，。会了]{{2,24}}?)"
        rf"(?:代步|上下?班|通勤)?{END}",
        _vehicle,
        "辆",
    ),
    rule(
        rf"(?:(?:开|骑|买|换|提|有|租)(?:的是|着|了|过)?(?:一?[辆台部])?)(?P<v>[^，。会了]{{0,12"
        rf"}}?{_CAR}[^，。]{{0,10}}?){END}",
        _vehicle,
        "开|骑|买|换|提|有|租",
    ),
    rule(
        rf"(?:(?:用|买|换|入手|新买|有|拥有|升级)(?!的{_DEVICE})(?:的是|着|了|过|到|"
        rf"成)?(?:一?[辆台部个副把块款]|个新)?)(?P<v>[^，。了]{{0,14}}?{_DEVICE}(?:(?=[A-Za-z0-9 ])"
        rf"[^，。在来]{{0,14}}?)?)(?:在家|来|用来|准备|打算)?(?:(?<=家|来|备|算)[^，"
        rf"。]{{1,10}})?{END}",
        _device,
    ),
    rule(
        rf"(?:用)?(?:的)?(?P<d>手机|电脑|笔记本|平板|耳机|相机|显示器|键盘)(?:是|用的是|用的|"
        rf"换成了?|型号是)(?P<v>[^，。]{{2,24}}?){END}",
        lambda m: Finding(
            "device",
            f"{m['d']} {trimmed(m['v'])}",
            replaces=m["d"] if "换" in m.group() else None,
        ),
        "是|用|换",
    ),
    rule(
        rf"(?:平时|每天|现在|一般|都|改)*(?P<v>(?:坐|骑|开|乘|打|搭|走|步行)[^，"
        rf"。会了]{{0,10}}?)(?:去)?(?:上下?班|通勤|上学){END}",
        lambda m: Finding("schedule/通勤", trimmed(m["v"]), importance=0.5),
        "班|通勤|上学",
    ),
    # schedule and goals
    rule(
        rf"(?:每天|平时|工作日|周末|一般|基本)*(?P<v>{_CLOCK})(?:左右|以前|之前|就|才|"
        rf"准时)*(?P<t>起床|睡觉|睡|上床|上班|下班|跑步|健身|吃晚饭|吃早饭|开晨会|开会|遛狗|"
        rf"出门|锻炼|到家){END}",
        _schedule,
        "点|:|时",
    ),
    rule(
        rf"(?:人生|今年|长期|短期|最终|近期|年度|学习|减肥)?(?:的)?(?:目标|梦想|愿望|理想|志向|"
        rf"心愿)(?:{IS})(?:要|想)?{V}",
        fact("goal", importance=0.7),
        "目标|梦想|愿望|理想|志向|心愿",
    ),
    rule(
        rf"(?:在|正在|正)?准备(?P<v>考(?:研|公|博|编|证|级)[^，。]{{0,8}}?){END}",
        fact("goal", importance=0.65),
        "准备考",
    ),
    rule(
        rf"(?:在|正在|正)?(?:备考|准备考(?!研|公|博|编|证|级)|备战|准备参加|准备(?=雅思|托福|中考|"
        rf"高考|法考)){V}",
        fact("goal", importance=0.65),
        "备",
    ),
    rule(
        rf"(?P<v>(?:打算|计划|准备|决定|立志|想要|希望(?:能|可以))(?!了吗)(?!知道|问|了解|请|你|"
        rf"让你|确认|看看|一下|听)[^，。]{{3,40}}?){END}",
        lambda m: Finding("goal", trimmed(m["v"]), importance=0.55, confidence=0.8),
        "打算|计划|准备|决定|立志|想要|希望",
    ),
)
