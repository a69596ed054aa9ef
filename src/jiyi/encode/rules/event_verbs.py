"""The verbs of events in both languages: what kind of event, and whether they tell one without any
time being named."""

from __future__ import annotations

import re
from typing import Final

from jiyi.text.patterns import regex

_BY_NOW: Final = r"(?:have|has) (?:now |just |finally |already |also |both |all )*"
# Verbs of events: the kind of event, and whether they tell one without any time being named.
KINDS_EN: Final = (
    (
        "family",
        True,
        (
            r"(?:got|am getting|are getting|will get|is getting|getting) (?:married|engaged|"
            r"divorced)|(?:gave|giving) birth|had (?:a|our|twin) (?:baby|boy|girl|twins)|"
            r"proposed to|broke up|split up|are expecting (?:our|a|twins)|am expecting|passed away|"
            r"died|lost my (?:mother|father|mom|dad|dog|cat|"
            r"grand\w+|wife|husband|brother|sister|friend)|adopted|became an? (?:mother|father|"
            r"parent|aunt|uncle|grand\w+)|celebrated"
        ),
    ),
    (
        "work",
        True,
        (
            r"lost my job|(?:got|was|were|am|have been|has been) (?:promoted|hired|fired|laid off|"
            r"transferred|offered|accepted)|got (?:the|a new|a) (?:job|offer|promotion|raise)|"
            r"started (?:a|my|working|a new) |quit my|resigned|retired|(?:co-?)?founded|launched|"
            r"shipped|"
            r"released|deployed|signed|closed the (?:deal|round)|raised \$?\d|handed in|submitted|"
            r"finished|completed|finali[sz]ed|published|presented|interviewed|delivered|hired|"
            r"merged|migrated|won the (?:contract|bid)|lost the (?:contract|bid|client)|"
            r"applied (?:for|to)|registered|got (?:the|my) (?:certificate|certification|licen[cs]e|"
            r"visa|approval|permit|funding)|secured|fixed|resolved|rolled back|onboarded"
        ),
    ),
    (
        "education",
        True,
        (
            r"graduated|passed (?:my|the|an?|all)|failed (?:my|the|an?)|got into|enrolled|"
            r"dropped out|defended my|got accepted|took (?:the|my|an?) [\w ]{0,20}(?:exam|test|"
            r"course|class)|started (?:studying|learning)|signed up for|attended"
        ),
    ),
    (
        "health",
        True,
        (
            r"broke my|tore my|fractured|dislocated|pulled a|sprained|hurt my|injured|"
            r"had (?:my|an?) [\w ]{2,30} (?:out|removed|replaced|fitted)|had (?:an? )?(?:surgery|"
            r"operation|accident|"
            r"check-?up|heart attack|stroke|miscarriage|mri|x-ray|fever|covid|flu|panic attack)|"
            r"was (?:hospitali[sz]ed|diagnosed|in hospital|admitted)|got (?:sick|covid|the flu|"
            r"injured|vaccinated|surgery|a tattoo|stitches)|caught (?:a cold|the flu|covid)|"
            r"recovered|gave blood|lost \d+ ?(?:kg|pounds|lbs)|gained \d+"
        ),
    ),
    (
        "travel",
        False,
        (
            r"went|flew|travel+ed|drove|visited|toured|hiked|camped|backpacked|sailed|"
            r"am (?:going(?! to (?!the|an?\b|my|our|(?-i:[A-Z])))|flying|travel+ing|heading|"
            r"driving|"
            r"visiting|off)|are (?:going(?! to (?!the|an?\b|my|our|(?-i:[A-Z])))|flying|travel+ing|"
            r"heading|driving|visiting)|will (?:go|fly|travel|visit|drive)|is (?:going|flying|"
            r"travel+ing|visiting)|came back|got back|returned|arrived|landed|left for|stayed|"
            r"moved|"
            r"(?:fly|leave|travel|head|drive|sail) (?:to|for|out|back)|am moving|"
            r"took (?:a|the|my \w+) (?:trip|train|flight|bus|ferry|road trip|cruise|vacation|"
            r"holiday|to)|booked"
        ),
    ),
    (
        "purchase",
        True,
        (
            r"(?:bought|purchased|ordered) (?:an?|my|our) (?:new )?(?-i:[A-Z])\w+|"
            r"(?:bought|purchased|ordered|sold|got) (?:an?|our|my|two) (?:[\w-]+ ){0,3}(?:house|"
            r"home|"
            r"flat|apartment|cottage|car|van|motorbike|boat|sofa|couch|desk|bed|mattress|fridge|"
            r"freezer|oven|washing machine|dishwasher|tv|telly|laptop|phone|camera|tent|piano|"
            r"guitar|bike|treadmill|telescope|printer|monitor|tablet)"
        ),
    ),
    (
        "purchase",
        False,
        (
            r"bought|purchased|ordered|sold|paid|got (?:a new|myself|my new)|leased|rented|"
            r"picked up|donated|spent|received|gifted"
        ),
    ),
    (
        "meeting",
        False,
        (
            r"met|had (?:an?|my|our|the) |have (?:an?|my|our|the) (?:[\w'-]+ ){0,3}(?:appointment|"
            r"meeting|exam|interview|flight|trip|party|wedding|conference|presentation|demo|"
            r"deadline|class|game|match|race|concert|surgery|check-?up|dinner|lunch|date|call|"
            r"review|session|audition|recital|workshop|visit|test|reservation)|hosted|organi[sz]ed|"
            r"invited|joined|saw|caught up|talked|spoke|called|hung out|threw|am (?:meeting|seeing|"
            r"hosting|having|attending|presenting|interviewing|giving|running|taking|starting|"
            r"performing|joining)|are (?:meeting|seeing|hosting|having|attending|presenting|"
            r"launching|starting)|will (?:meet|have|attend|present|host|start|give|take|run|launch|"
            r"perform|see)|let us (?:meet|have|schedule|do|plan)|(?:need to|have to|must|"
            r"am supposed to|am going to|are going to|will) (?:meet|see|attend|submit|finish|call|"
            r"pick up|pay|send|visit|go to|fly|renew|file|register|book|present|deliver|return|"
            r"leave|move|start|launch|hand in|interview|take (?:the|my|a))|am due|(?:is|"
            r"are) (?:coming|arriving|visiting|due)|scheduled"
        ),
    ),
    (
        "sport",
        False,
        (
            r"won|ran|raced|swam|climbed|cycled|biked|played|competed|lost (?:the|a|my)|scored|"
            r"trained|surfed|skied|did (?:a|my|the|yoga)|practiced|performed|sang|danced|beat"
        ),
    ),
    (
        "creation",
        False,
        (
            r"wrote|painted|drew|made|built|baked|cooked|created|designed|recorded|planted|started|"
            r"read|watched|finished|learned|learnt|tried|found|lost|discovered|repaired|cleaned|"
            r"took|volunteered|helped|taught|gave|brought|did|saw|heard|got|began|opened|closed|"
            r"changed|set up|sent|wore|ate|drank|spent"
        ),
    ),
    # "I've installed the rack in the cellar": done by now, whenever.
    (
        "purchase",
        True,
        (
            rf"{_BY_NOW}(?:bought|ordered|purchased|sold|rented|leased|paid|transferred|booked|"
            r"reserved)"
        ),
    ),
    (
        "creation",
        True,
        (
            rf"{_BY_NOW}(?:installed|configured|set up|uploaded|downloaded|built|written|drafted|"
            r"tested|reviewed|collected|created|designed|recorded|edited|drawn|painted|planted|"
            r"repaired|moved|sent|scheduled|joined|organi[sz]ed|prepared|added|cleaned|packed|"
            r"assembled|printed|translated|memori[sz]ed)"
        ),
    ),
)

KINDS_ZH: Final = (
    (
        "family",
        True,
        (
            r"结婚了|结的婚|领证了|订婚了|离婚了|分手了|怀孕了|生了(?:个|一个|二胎|双胞胎|宝宝|儿子|女儿)|"
            r"出生了|去世|过世|走了(?=$)|求婚|办(?:了)?婚礼|当(?:了)?(?:爸|妈|爷|奶)|领养了|满月|"
            r"周年"
        ),
    ),
    (
        "work",
        True,
        (
            r"升职|升(?:到|为|了)|晋升(?!庆祝|机会|空间|制度|标准|名额)|被?裁(?:员)?了|离职了|辞职了|跳槽|入职|退休了|转正|"
            r"拿到了?(?:\w{0,4})?(?:offer|录用|签证|执照|证书|融资|订单|驾照|批文)|上线了|发布了|"
            r"发版|签(?:了|下)|中标|提交了|完成了|搞定了|交付了|做完了?|写完了?|修好了|修复了|"
            r"部署了|(?:装|订|写|配|建|录|画|搭|办|交|寄|布置|设置|申请|注册|下载|上传|打印|打包)好了|创业(?!不易|艰难|公司|团队|进展|项目|者|板|的|[氛气]|环境|圈|故事|经历|想法|计划|梦|热)|开(?:了一家|了家)|转岗|(?:加薪|涨薪)(?!幅度|的|空间)|评上|投了|面试(?:通过|过)"
        ),
    ),
    (
        "education",
        True,
        (
            r"毕业了|考上|考过了?|通过了|没(?:考)?过|挂科|入学|开学|报名了?|报了(?:个|一个|名)|"
            r"拿到(?:毕业证|学位|证)|答辩|转学|录取"
        ),
    ),
    (
        "education",
        False,
        (r"(?:[中高会]|统)考(?!虑|察|勤|题|真题|加油|真)|(?<!想去)(?<!想)留学(?!生)"),
    ),
    (
        "health",
        True,
        (
            r"骨折|住院|出院|做(?:了)?(?:个)?(?:手术|体检|检查|核磁|CT)|确诊|受伤|崴(?:了)?脚|"
            r"摔(?:断|伤|了)|感冒了|发烧了?|打(?:了)?疫苗|拔(?:了)?牙|瘦了\d|胖了\d|流产|献血|扭伤|"
            r"中暑|过敏了"
        ),
    ),
    (
        "purchase",
        True,
        (
            r"(?:买|入手|订购|预订|提|租)了(?:[一两]?(?:[台套辆块双条副栋件部]|张(?![^，。]{0,4}[票券]))|个(?=[^，。]{0,6}"
            r"(?:机|椅|桌|柜|箱|床|锅|包|表|车|房|器|灯)))|(?:买|预订|入手)了[^，。]{0,4}(?-i:[A-Z])\w+|"
            r"买(?:了|套|了套)?[^，。]{0,4}(?:学区房|房子|房|公寓|商铺|车位)(?:了|$)|办了[^，。]{1,8}(?:卡|签证|护照|保险)|"
            r"把[^，。]{1,10}卖(?:掉)?了\d+[块元万]?"
        ),
    ),
    (
        "travel",
        False,
        (
            r"去(?:了|过)?|到了|飞(?:去|到|往)?|出差|旅游|旅行|游玩|玩了|回(?:了|到|来|国|家|老家)|"
            r"参观|游览|自驾|爬(?:了)?山|露营|徒步|度假|搬(?:了)?家|订了|出发|抵达|坐(?:火车|飞机|"
            r"高铁)"
        ),
    ),
    (
        "purchase",
        False,
        (
            r"买(?:了|到|过)?|下单|入手|卖(?:了|掉)|换了|租(?:了|到)|付(?:了|款)|花了|收到|订购|"
            r"捐(?:了|赠)|预订|团购"
        ),
    ),
    (
        "meeting",
        False,
        (
            r"见(?:了|到|面|过)|约(?:了|好)?|开(?:了)?(?:个)?会|聚(?:了|会|餐)|面试|"
            r"吃(?:了)?(?:个)?饭|参加(?:了|过)?|有(?:一?个|一?场|一?次|两个|"
            r"两场)?[^，。]{0,12}?(?:会|会议|面试|考试|约会|聚会|婚礼|手术|体检|预约|比赛|演出|"
            r"演唱会|航班|讲座|培训|课|答辩|活动|截止|评审|汇报|发布会)|要(?:去|交|开|见|参加|考|"
            r"面试|出差|做|给|和|跟|带|发|提交)|得(?:去|交|开|见)|准备(?:去|参加|考)|"
            r"将(?:要)?(?:参加|去|举行|举办|开始)|会(?:去|来|参加)|邀请|拜访|来(?:了|看|我家|做客)|"
            r"复诊|复查|看牙|年检|交(?:房|稿|作业|论文|报告|材料|初稿|[^，。给代流通易往换谈了]{0,6}稿)|"
            r"还(?:房贷|车贷|信用卡|款|贷)|生(?:二胎|三胎|孩子|宝宝|娃)|续(?:签|费)|搬家|开[^，。了始机车]{1,8}会(?!员|议室)|"
            r"面签|拔牙|过户|验车|拍婚纱照?|到期|截止|"
            r"主持|组织|举办|举行|碰(?:头|面|到)|遇(?:到|见)|联系了|打(?:了)?电话|预约|安排"
        ),
    ),
    (
        "sport",
        False,
        (
            r"跑(?:了|步|完)|游(?:了|泳)|骑(?:了|行)|打(?:了|球|赢|输)|踢|比赛|健身|训练|练(?:了|"
            r"习)|赢了|输了|登(?:顶|山)|滑雪|表演|演出"
        ),
    ),
    (
        "creation",
        False,
        (
            r"做(?:了|完|好)|写(?:了|完)?|画(?:了|完)|看(?:了|完)|读(?:了|完)|学(?:了|会|完)|"
            r"修(?:了|好|完)|装(?:了|好|修)|种(?:了)?|丢(?:了)|找到|发现|尝试|试(?:了|着)|"
            r"开始(?!了?吗)|结束了|整理了|打扫了|(?:帮|送|给|拍|录|养|办|交|改|发|吃|喝|带|教|听|"
            r"玩)(?:了|过|完)|拿(?:了|到)"
        ),
    ),
)

POSSESSION_EN: Final = regex(
    r"(?!.*\bnot\b)my (?:new |old |poor )?(?P<t>[\w' -]{2,30}?) (?:just |has |have |had |was |"
    r"were |is |are |"
    r"got |been |finally |suddenly |completely |already |'s )*"
    r"(?:stolen|burgled|robbed|broken into|vandali[sz]ed|written off|broke(?:n)?(?: down)?|died|"
    r"crashed|lost|cracked|damaged|repaired|fixed|arrived|"
    r"delivered|towed|hacked|stopped working|is dead|flooded|burned|burnt|scratched|replaced|"
    r"sold)\b",
    re.IGNORECASE,
)
POSSESSION_ZH: Final = regex(
    r"(?P<t>[^，。]{1,20}?)(?:昨天|今天|今早|昨晚|前天|上周|刚|又|突然|已经|彻底|被人|也|都|"
    r"终于|不小心|给)*"
    r"(?:被偷(?:走)?了|坏(?:掉)?了|丢了|摔(?:碎|坏|裂)?了|没电了|进水了|修好了|到货了|寄到了|"
    r"送到了|被盗了|死机了|蓝屏了|爆胎了|被撞了|被拖走了|报废了|(?<!外)卖(?:掉)?了|失灵了|"
    r"漏水了)$"
)
