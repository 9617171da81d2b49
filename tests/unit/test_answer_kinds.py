"""Right and wrong answers by kind: lists, keys, escapes, names with signs, ratings, doubts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_webbench.checks import BUILT_IN


def url_score(found: str, wanted: str, **options: Any) -> float:
    settings: dict[str, Any] = {"ignore_query": False, **options}
    return BUILT_IN.metrics["url_matches"](**settings).score(found, wanted)


def score(answer: str, expected: Any) -> float:
    metric = BUILT_IN.metrics["answer_match"]()
    assert metric.issues(expected) == []
    return metric.score(answer, expected)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "The version is 2.5.4 and it has 200,000+ installations",
            {"version": "2.5.4", "installations": 200000},
        ),
        ("- Adam\n- Bob\n- Carl\n- Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam, Bob, Carl, Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam, Bob, Carl, Dave", {"all": ["Adam", "Bob", "Carl", "Dave"]}),
        ("- Adam\n- Bob\n- Carl\n- Dave", {"all": ["Adam", "Bob", "Carl", "Dave"]}),
        ("Adam, Bob, Carl and Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam; Bob; Carl and Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("1. Adam\n2. Bob\n3. Carl\n4. Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("The names are Adam, Bob, Carl, and Dave.", ["Adam", "Bob", "Carl", "Dave"]),
        (
            "Adam - the first\nBob - the second\nCarl - third\nDave - last one",
            ["Adam", "Bob", "Carl", "Dave"],
        ),
        ('["Adam","Bob","Carl","Dave"]', ["Adam", "Bob", "Carl", "Dave"]),
        ('{"names":["Dave","Adam","Bob","Carl"]}', ["Adam", "Bob", "Carl", "Dave"]),
        ('{"names":["Dave","Adam","Bob","Carl"]}', {"names": ["Adam", "Bob", "Carl", "Dave"]}),
        ("Dave, Adam, Bob & Carl", {"names": ["Adam", "Bob", "Carl", "Dave"]}),
        ("both Adam and Bob", ["Adam", "Bob"]),
        (
            "Here are they:\n\n* **Adam**\n* **Bob**\n* **Carl**\n* **Dave**\n",
            ["Adam", "Bob", "Carl", "Dave"],
        ),
        ('["Adam","Bob","Carl","Dave"]', {"all": ["Adam", "Bob", "Carl", "Dave"]}),
        ('{"names":["Adam","Bob","Carl","Dave"]}', {"all": ["Adam", "Bob", "Carl", "Dave"]}),
        ("Adam / Bob / Carl / Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam|Bob|Carl|Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam\nBob\nCarl\nDave", ["Adam", "Bob", "Carl", "Dave"]),
        (
            "Adam, Bob, Carl, Dave",
            {
                "all": [
                    {"contains": "Adam"},
                    {"contains": "Bob"},
                    {"contains": "Carl"},
                    {"contains": "Dave"},
                ]
            },
        ),
        ("Adam, Bob, Carl, Dave", {"contains": ["Adam", "Bob", "Carl", "Dave"]}),
        (
            "- Adam\n- Bob\n- Carl\n- Dave",
            {"all": [{"any": ["Adam", "Ad\xe1n"]}, "Bob", "Carl", "Dave"]},
        ),
        (
            "Paris, Rome, Oslo, Berlin, and Madrid",
            {"all": ["Paris", "Rome", "Oslo", "Berlin", {"in": ["Madrid", "Madrit"]}]},
        ),
        ("3, 5, 7, 11", [3, 5, 7, 11]),
        ("- 3\n- 5\n- 7\n- 11", [3, 5, 7, 11]),
        ("[3,5,7,11]", [3, 5, 7, 11]),
        ("3; 5; 7 and 11", [3, 5, 7, 11]),
        ("(1) Adam (2) Bob (3) Carl (4) Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("a) Adam\nb) Bob\nc) Carl\nd) Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam", {"any": ["Adam", "Bob"]}),
        ("first: Adam; second: Bob; third: Carl; fourth: Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("weight 55, height 69, head 66", {"weight": 55, "height": 69, "head": 66}),
        ("55 weight, 69 height and 66 head", {"weight": 55, "height": 69, "head": 66}),
        (
            "The weight is 55 kg and the height is 69 cm; head: 66",
            {"weight": 55, "height": 69, "head": 66},
        ),
        ("weight: 55\nheight: 69\nhead: 66", {"weight": 55, "height": 69, "head": 66}),
        (
            "| weight | height | head |\n|---|---|---|\n| 55 | 69 | 66 |",
            {"weight": 55, "height": 69, "head": 66},
        ),
        ("name: Adam, city: Rome", {"name": "Adam", "city": "Rome"}),
        ("3 rooms for $99", {"rooms": 3, "price": {"le": 100, "gt": 50}}),
        ("There are 3 rooms and 5 visitors", {"rooms": 3, "visitors": 5}),
        ("version 7.4.1, released 2024-01-30", {"version": "7.4.1"}),
        ("It is 7.4.1", {"version": "7.4.1"}),
        ('{"city":"Le\\u00f3n"}', "Le\xf3n"),
        ('{"city":"Le\\u00f3n"}', {"city": "Le\xf3n"}),
        ('{"a":"a 12\\" plate"}', 'a 12" plate'),
        ('{"price":"\\u20ac49.90"}', "\u20ac49.90"),
        ('Here: {"price":"\\u20ac49.90"}', 49.9),
        ('["Le\\u00f3n","Oslo"]', ["Le\xf3n", "Oslo"]),
        ('{"a":"C:\\\\x"}', "C:\\x"),
        ('{"a":"one\\/two"}', "one/two"),
        ('{"a":"x\\ty"}', "x y"),
        ("It is C++.", "C++"),
        ("C#", "C#"),
        ("F#, of course", "F#"),
        ("A-", "A-"),
        ("The grade is A+.", "A+"),
        ("Node.js", "Node.js"),
        (".NET 8", ".NET"),
        ("Q&A", "Q&A"),
        ("H2O", "H2O"),
        ("It's an S23+", "S23+"),
        ("S23.", "S23"),
        ("(C)", "C"),
        ("The language is C.", "C"),
        ("C, not C++", "C"),
        ("Node: great", "Node"),
        ("We use Node.", "Node"),
        ("Node. js is bad", "Node"),
        ("GPT-4o", "GPT-4o"),
        ("iPhone 15 Pro", "iPhone 15 Pro"),
        ("C's best", "C"),
        ("A - good", "A"),
        ("'A'", "A"),
        ("**A**", "A"),
        ("Paris-based", "Paris"),
        ("AT&T", "AT&T"),
        ("Yahoo!", "Yahoo!"),
        ("Yahoo! is it", "Yahoo"),
        ("200,000+ installs", 200000),
        ("It's Paris!", "Paris"),
        ("Is it Paris? Yes", "Paris"),
        ("Paris", "Paris"),
        ("Pa\xadris", "Paris"),
        ("Pa\u200dris", "Paris"),
        ("\u200fParis\u200e", "Paris"),
        ("\u2066Paris\u2069", "Paris"),
        ("Paris\ufe0f", "Paris"),
        ("Pa\u2060ris", "Paris"),
        ("Pa\u034fris", "Paris"),
        ("San\xa0Jose", "San Jose"),
        ("San\u2009Jose", "San Jose"),
        ("1\u200b234", 1234),
        ("\u200e42\u200e", 42),
        ("\uff14\uff12", 42),
        ("\u0664\u0662", 42),
        ("\u096a\u0968", 42),
        ("\U000e0041Paris", "Paris"),
        ("1\u2060,\u2060234", 1234),
        ("3\u2064", 3),
        ("4.5/5", 4.5),
        ("8.1/10", 8.1),
        ("4.5 of 5", 4.5),
        ("4.5 out of 5", 4.5),
        ("4.5 / 5 stars", 4.5),
        ("8.1 of 10", 8.1),
        ("Rated 4 of 5 stars", 4),
        ("rating: 87/100", 87),
        ("4.5/5", "4.5/5"),
        ("3/4", "3/4"),
        ("1,23,456", 123456),
        ("\u20b91,23,456.50", 123456.5),
        ("Rs. 12,34,56,789", 123456789),
        ("v7.4.1", "7.4.1"),
        ("V7.4.1", "7.4.1"),
        ("7.4.1", "v7.4.1"),
        ("version v7.4.1 here", "7.4.1"),
        ("v2.0", "v2.0"),
        ("Python v3.12", "3.12"),
        ("It needs v12.", 12),
        ("The v2 API has 12 endpoints", 12),
        ("kr 99,90", 99.9),
        ("35,90 z\u0142", 35.9),
        ("R$ 12,50", 12.5),
        ('"\\u20ac12.50"', 12.5),
        ('"Z\\u00fcrich"', "Z\u00fcrich"),
        ('{"version":"v7.4.1"}', {"version": "7.4.1"}),
        ('{"version":"v7.4.1"}', "7.4.1"),
        ("\u20ac68,51", 68.51),
        ("68,51 \u20ac", 68.51),
        ("EUR 68,51", 68.51),
        ("\u20ac1.234,50", 1234.5),
        ("\u20ac68,51", "\u20ac68.51"),
        ("\u20ac 68,51", 68.51),
        ("68,5 \u20ac", 68.5),
        ("5kg", 5),
        ("12km", 12),
        ("30min", 30),
        ("5GB", 5),
        ("$12.5M", 12500000),
        ("100ms", 100),
        ("72\xb0F", 72),
        ("On June 8, 2024 there were 5 cats", 5),
        ("2024-05-01: 17 items", 17),
        ("I found it: the 3rd of May; 12 items", 12),
        ("It was not 4 but 5", 5),
        ("4,5/5", 4.5),
        ("It is rated 4,5/5.", 4.5),
        ("8,1 / 10", 8.1),
        ("4,5 of 5", 4.5),
        ("rated 4,5 out of 5 stars", 4.5),
        ("14,5/20", 14.5),
        ("The code is 061102, not 241102.", "061102"),
        ("00123456 (not 00123457)", "00123456"),
        ("PIN: 0042 (room 1234)", "0042"),
        ("Order 00123456 on 2024-01-02", "00123456"),
        ("zip 01234 in 2019", "01234"),
        ("weight | 55\nheight | 69", {"weight": 55, "height": 69}),
        ("| name | Adam |\n| city | Rome |", {"name": "Adam", "city": "Rome"}),
        ("weight: 55 | height: 69", {"weight": 55, "height": 69}),
        (
            "| | weight | height | head |\n|---|---|---|---|\n| Rex | 55 | 69 | 66 |",
            {"weight": 55, "height": 69, "head": 66},
        ),
        (
            "| unit | measure | value |\n|---|---|---|\n| kg | weight | 55 |\n| cm | height | 69 |",
            {"weight": 55, "height": 69},
        ),
    ],
)
def test_right_answer_is_accepted(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 1.0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("- Adam\n- Bob\n- Carl\n- Dave", "Adam"),
        ("Adam, Bob, Carl", ["Adam", "Bob", "Carl", "Dave"]),
        ("- Adam\n- Bob\n- Carl\n- Dave\n- Eve\n- Fred\n- Gina", ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam, Bob, Carl, Dave, Eve, Fred, Gina, Hugo, Ida", ["Adam", "Bob", "Carl", "Dave"]),
        ('["Adam","Bob","Carl","Dave","Eve"]', ["Adam", "Bob", "Carl", "Dave"]),
        ("Adam, Bob, Carl, Dave, Eve, Fred, Gina, Hugo", {"all": ["Adam", "Bob", "Carl", "Dave"]}),
        ("Adam, Bob, Carl or Dave", ["Adam", "Bob", "Carl", "Dave"]),
        ("3, 5, 7, 11, 13", [3, 5, 7, 11]),
        ("weight 66, height 55, head 69", {"weight": 55, "height": 69, "head": 66}),
        ("55 69 66", {"weight": 55, "height": 69, "head": 66}),
        ("weight: 66\nheight: 55\nhead: 69", {"weight": 55, "height": 69, "head": 66}),
        ("The height is 55 and the weight is 69", {"weight": 55, "height": 69}),
        ("name: Rome, city: Adam", {"name": "Adam", "city": "Rome"}),
        ("Adam, Rome", {"name": "Adam", "city": "Rome"}),
        ("There are 5 rooms and 3 visitors", {"rooms": 3, "visitors": 5}),
        ("| weight | height |\n|---|---|\n| 69 | 55 |", {"weight": 55, "height": 69}),
        ("C++", "C"),
        ("C#", "C"),
        ("It is C++.", "C"),
        ("S23+", "S23"),
        ("A-", "A"),
        ("A+", "A"),
        ("Node.js", "Node"),
        ("Node.js is it", "Node"),
        ("GPT-4o", "GPT-4"),
        ("JavaScript", "Java"),
        ("F#", "F"),
        (".NET", "NET"),
        ("v3.10", "3.1"),
        ("The v2 API has 12 endpoints", 2),
        ("R$ 35", "$35"),
        ("ASP.NET", ".NET"),
        ("AT&T", "AT"),
        ("Q&A", "Q"),
        ("3D", "3"),
        ("H2O", "2"),
        ("C", "C++"),
        ("A", "A-"),
        ("S23", "S23+"),
        ("Disney+", "Disney"),
        ("C/C++", "C"),
        ("A-.", "A"),
        ("B- (good)", "B"),
        ("iPhone 15", "iPhone 15 Pro"),
        ("Objective-C", "C"),
        ("4 to 5", 4),
        ("4 to 5", 5),
        ("4-5", 4),
        ("4\u20135", 5),
        ("between 4 and 5", 4),
        ("from 4 to 5", 5),
        ("4.5/5", 5),
        ("4.5 of 5", 5),
        ("8.1/10", 10),
        ("3/4", 4),
        ("either 4/5 or 3/5", 4),
        ("v7.4.10", "7.4.1"),
        ("v17.4.1", "7.4.1"),
        ("v7.4.1-rc1", "7.4.1"),
        ("1,23,457", 123456),
        ("It might be Paris", "Paris"),
        ("I am not sure, possibly Paris", "Paris"),
        ("perhaps Paris", "Paris"),
        ("maybe Paris", "Paris"),
        ("It could be Paris", "Paris"),
        ("I guess Paris", "Paris"),
        ("It is definitely not Paris", "Paris"),
        ("Paris is not the answer", "Paris"),
        ("It is Paris, or maybe London", "Paris"),
        ("It might be 5", 5),
        ("5 or maybe 6", 5),
        ("I don't know, maybe 5", 5),
        ("\u20ac68,51", 6851),
        ("\u20ac68,51", 68),
        ('{"city":"Le\\u00f3n"}', "Oslo"),
        ("4,5", 4.5),
        ("4,5/5", 5),
        ("4,5/5", 45),
        ("4,5 of 50", 4.5),
        ("Either 241102 or 061102", "241102"),
        ("Either 241102 or 061102", "061102"),
        ("061102 / 241102", "061102"),
        ("061102, 241102", "241102"),
        ("0042 or 1234", "0042"),
        ("Candidates: 0042, 0043, 0044", "0042"),
        ("00123456; other: 00123457", "00123456"),
        ("weight | 69\nheight | 55", {"weight": 55, "height": 69}),
        ("| name | Rome |\n| city | Adam |", {"name": "Adam", "city": "Rome"}),
        ("weight: 69 | height: 55", {"weight": 55, "height": 69}),
        (
            "| unit | measure | value |\n|---|---|---|\n| kg | weight | 69 |\n| cm | height | 55 |",
            {"weight": 55, "height": 69},
        ),
        ("x " * 20_000 + "Paris", "Paris"),
        ("\n".join(f"City {number}" for number in range(3_000)) + "\nParis", "Paris"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_wrong_answer_is_refused(answer: str, expected: Any) -> None:
    assert score(answer, expected) == 0.0


@pytest.mark.parametrize(
    ("found", "wanted", "same"),
    [
        ("https://a.example/x_%28y%29", "https://a.example/x_(y)", True),
        ("https://a.example/?q=a+b&p=1", "https://a.example/?p=1&q=a%20b", True),
        ("https://a.example/?t=1%3A2%2C3", "https://a.example/?t=1:2,3", True),
        ("https://a.example/a%2Fb", "https://a.example/a/b", False),
        ("https://a.example/?q=a%26b=1", "https://a.example/?q=a&b=1", False),
        ("https://a.example/?q=a%2Bb", "https://a.example/?q=a+b", False),
        ("https://a.example/?q=1&q=2", "https://a.example/?q=2&q=1", False),
    ],
)
def test_notations_of_one_address_are_the_same(found: str, wanted: str, *, same: bool) -> None:
    assert url_score(found, wanted) == float(same)


def test_order_of_parameters_matters_if_asked() -> None:
    assert (
        url_score("https://a.example/?q=1&p=2", "https://a.example/?p=2&q=1", ordered_query=True)
        == 0.0
    )


# -- whole kinds -----------------------------------------------------------------------------------

KEYS = ("weight", "height", "age", "price")
whole = st.integers(2, 99)
scales = st.sampled_from([5, 10, 20, 100])


@given(whole, st.integers(1, 9), scales, st.sampled_from(["/", " / ", " of ", " out of "]))
def test_decimal_comma_before_a_scale_is_a_point(
    number: int, digit: int, scale: int, join: str
) -> None:
    wanted = float(f"{number}.{digit}")
    assert score(f"It is {number},{digit}{join}{scale}.", wanted) == 1.0
    assert score(f"It is {number},{digit}{join}{scale}.", wanted + 1) == 0.0


@given(st.permutations(KEYS), st.lists(whole, min_size=4, max_size=4, unique=True), st.booleans())
def test_columns_of_a_table_may_have_any_order(
    order: list[str], values: list[int], labelled: bool
) -> None:
    expected = dict(zip(KEYS, values, strict=True))
    head, cells = list(order), [str(expected[key]) for key in order]
    if labelled:
        head, cells = ["", *head], ["Rex", *cells]
    assert score(_table(head, cells), expected) == 1.0
    swapped = cells[:-2] + cells[:-3:-1]
    assert score(_table(head, swapped), expected) == 0.0


def _table(*rows: list[str]) -> str:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *others])


codes = st.text(st.sampled_from("0123456789"), min_size=6, max_size=8)


@given(codes, codes, st.sampled_from(["Either {} or {}", "{}, {}", "{} / {}", "It is {}; also {}"]))
def test_one_of_two_codes_is_no_answer(code: str, other: str, words: str) -> None:
    other = other[: len(code)].ljust(len(code), "1")
    assume(code != other)
    assert score(words.format(code, other), code) == 0.0
    assert score(f"The code is {code}.", code) == 1.0


@given(st.sampled_from(["Paris", "42", "v7.4.1"]), st.integers(20_001, 30_000))
def test_whoever_writes_everything_down_has_not_answered(value: str, length: int) -> None:
    assert score(value + " " + "-" * length, value) == 0.0
    assert score(value, value) == 1.0
