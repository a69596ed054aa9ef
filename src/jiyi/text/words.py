"""The short word lists that search terms are made with: what carries no meaning, what changes its
form, and what only asks."""

from __future__ import annotations

from typing import Final

_STOP_WORDS: Final = """
    a an the and or but if then than so as of at by for with about into onto from to in on off
    up out over under again too very just also
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves
    this that these those there here
    am is are was were be been being have has had having do does did doing done
    will would shall should can could might must
    what when where who whom whose which why how
    s t d m re ve ll
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""English words without meaning of their own. Negations are not among them."""

QUESTION_WORDS_EN: Final = frozenset({"please", "tell", "know", "question", "answer"})
"""Words that a question is asked with, beside the stop words."""

CONTRACTIONS: Final = {
    "can't": "not", "won't": "not", "cannot": "not", "ain't": "not", "let's": "",
    "o'clock": "oclock",
}  # fmt: skip
"""Contractions whose parts do not follow from the apostrophe."""

_IRREGULAR_FORMS: Final = """
arise arose arisen|awake awoke awoken|bear bore born borne|beat beaten|become became
begin began begun|bend bent|bite bit bitten|bleed bled|blow blew blown|break broke broken
breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen
come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung
hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led
lean leant|leap leapt|learn learnt|leave left|lend lent|lose lost|light lit|make made|mean meant
meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen
seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot
show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept
slide slid|speak spoke spoken|speed sped|spell spelt|spend spent|spill spilt|spin spun
spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck
swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught
tear tore torn|tell told|think thought|throw threw thrown|understand understood
wake woke woken|wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn
write wrote written
child children|person people|foot feet|tooth teeth|goose geese|mouse mice|man men|woman women
wife wives|knife knives|half halves|shelf shelves|leaf leaves|wolf wolves|loaf loaves
good better best|bad worse worst
mom mum mother mommy mummy|dad father daddy|kid kids|tv television|photo photograph|phone telephone
bike bicycle|fridge refrigerator|movie film|favorite favourite|color colour|neighbor neighbour
"""

IRREGULAR: Final = {
    form: group.split()[0]
    for line in _IRREGULAR_FORMS.strip().splitlines()
    for group in line.split("|")
    for form in group.split()[1:]
}
"""Irregular English forms, and a few everyday doublets, to the form they are indexed as."""

GRAMMAR_CHARACTERS: Final = "的了吗呢吧啊呀嘛么们我你他她它是也很这那与及在和都"
"""Chinese characters that belong to the grammar: neither they nor their pairs are terms."""

STOP_CHARACTERS: Final = (
    "着过得地或有就还又一个上下里不没会能可以来去要想说做看给把被让对从到为因所但如果时候最更"
)
"""Chinese characters that say little alone; their pairs are kept."""

QUESTION_PHRASES_ZH: Final = (
    "为什么", "什么时候", "什么", "怎么样", "怎么", "怎样", "哪里", "哪儿", "哪些", "哪个", "哪",
    "多少", "多久", "几", "谁", "如何", "是否", "请问", "告诉我", "吗", "呢", "吧", "还记得",
    "记得", "知道",
)  # fmt: skip
"""Chinese words that a question is asked with, longer ones before those inside them."""

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
