"""The schema of slots."""

from __future__ import annotations

import pytest

from jiyi.encode.slots import (
    SLOTS,
    cardinality_of,
    extended,
    family_of,
    label_of,
    label_words,
    spec_of,
    topic_of,
    with_topic,
)


def test_every_attribute_has_words_in_both_languages() -> None:
    """Each slot can be asked for in Chinese and in English."""
    for spec in SLOTS.values():
        assert spec.zh
        assert any(not word.isascii() for word in spec.zh)
        assert all(word.isascii() for word in spec.en)
        assert spec.group


def test_topics_belong_to_their_family() -> None:
    """`preference/tea` is described by `preference`; its topic is one of its words."""
    attribute = with_topic("preference", "  green   tea ")
    assert attribute == "preference/green tea"
    assert (family_of(attribute), topic_of(attribute)) == ("preference", "green tea")
    assert spec_of(attribute) == SLOTS["preference"]
    assert "green tea" in label_words(attribute)
    assert with_topic("favourite", "") == "favourite"


def test_cardinality() -> None:
    """One home, many allergies; what is unknown adds up, so that nothing is replaced."""
    assert cardinality_of("residence") == "one"
    assert cardinality_of("allergy") == "many"
    assert cardinality_of("shade of sail") == "many"


def test_own_attributes_extend_the_schema() -> None:
    """A mapping adds attributes and changes built-in ones; the built-in schema stays as it is."""
    schema = extended(
        {"crop": {"cardinality": "one", "zh": ["作物"], "en": ["crop"], "group": "farm"}}
    )
    assert cardinality_of("crop", schema) == "one"
    assert label_words("crop", schema) == ("作物", "crop")
    assert cardinality_of("residence", schema) == "one"
    assert "crop" not in SLOTS


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"colour": 1}, "unknown keys"),
        ({"cardinality": "two"}, "cardinality"),
        ({"zh": "作物"}, "zh"),
    ],
)
def test_a_wrong_extension_is_named(fields: dict[str, object], problem: str) -> None:
    """The error says which attribute and which key is wrong."""
    with pytest.raises(ValueError, match=problem) as caught:
        extended({"crop": fields})
    assert "crop" in str(caught.value)


def test_labels_of_long_and_foreign_topics() -> None:
    """A short topic in the reader's language makes a phrase; a long one, one in the other language,
    and that of a tool stands in brackets."""
    assert label_of("favourite/tea", "en") == "favourite tea"
    assert label_of("favourite/茶", "zh") == "最喜欢的茶"
    assert label_of("favourite/茶", "en") == "favourite (茶)"
    assert label_of("favourite/thing to do on a rainy sunday", "en").endswith(" sunday)")
    assert label_of("tool/vim", "en") == "tool (vim)"
    assert label_of("tool/移动端的持续集成和发布", "zh") == "工具 (移动端的持续集成和发布)"
    assert label_of("detail/wifi password", "zh") == "wifi password"
