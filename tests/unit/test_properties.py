"""Properties of the small pieces, on generated input."""

from __future__ import annotations

import json
import unicodedata
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webbench._text import sanitize, sanitize_deep
from pytest_webbench.checks import BUILT_IN, MISSING, answers, normal, numbers, paths, rules
from pytest_webbench.errors import RuleError

settings.register_profile("unit", max_examples=20, deadline=None, derandomize=True, database=None)
settings.load_profile("unit")

ANY_TEXT = st.text(st.characters(exclude_categories=()))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
SCOPE = rules.Scope()


# -- texts -------------------------------------------------------------------------------------


@given(ANY_TEXT)
def test_text_normalisation_is_idempotent(string: str) -> None:
    assert normal.text(normal.text(string)) == normal.text(string)


@given(ANY_TEXT)
def test_text_normalisation_ignores_extra_space(string: str) -> None:
    assert normal.text(f"\t {string.replace(' ', '   ')}\u00a0\n") == normal.text(string)


@given(st.text())
def test_text_normalisation_ignores_unicode_composition(string: str) -> None:
    assert normal.text(unicodedata.normalize("NFD", string)) == normal.text(
        unicodedata.normalize("NFC", string)
    )


@given(JSON)
def test_every_value_has_a_text_form(value: Any) -> None:
    assert isinstance(normal.text(value), str)


# -- numbers -----------------------------------------------------------------------------------


@given(st.integers(-(10**15), 10**15), st.sampled_from(["en", "de", "fr"]))
def test_grouped_integer_is_read_back(value: int, locale: str) -> None:
    separator = {"en": ",", "de": ".", "fr": "\u202f"}[locale]
    assert numbers.number(f"{value:,}".replace(",", separator), locale) == value


@given(st.decimals(-(10**9), 10**9, places=3))
def test_decimal_is_read_back_exactly(value: Decimal) -> None:
    found = numbers.quantities(numbers.prepare(f"it is {value:f} here"))
    assert [one.value for one in found] == [value]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_float_is_read_exactly(value: float) -> None:
    found = numbers.number(value)
    assert found is None or float(found) == value


@given(ANY_TEXT, st.booleans())
def test_numbers_found_in_a_text_are_in_order_and_inside_it(string: str, spaced: bool) -> None:
    prepared = numbers.prepare(string)
    starts = [one.start for one in numbers.quantities(prepared, spaced=spaced)]
    assert starts == sorted(starts)
    assert all(0 <= start < len(prepared) for start in starts)


@given(st.integers(0, 10**7))
def test_answer_states_its_number_but_not_the_neighbour(value: int) -> None:
    metric = BUILT_IN.metrics["answer_match"]()
    assert metric.score(f"The answer is {value}.", value) == 1.0
    assert metric.score(f"The answer is {value + 1}.", value) == 0.0
    assert metric.score(f"Either {value} or {value + 1}.", value) == 0.0


# -- paths and rules ---------------------------------------------------------------------------


@given(JSON, st.text(max_size=20))
def test_path_selects_or_is_refused(value: Any, path: str) -> None:
    try:
        assert isinstance(paths.select(value, path), list)
    except RuleError:
        with pytest.raises(RuleError):
            paths.parse(path)


@given(JSON)
def test_dot_path_selects_the_whole_value(value: Any) -> None:
    assert paths.select(value, "") == [value]


@given(JSON)
def test_value_equals_itself(value: Any) -> None:
    assert rules.equal(value, value, SCOPE)


@given(JSON.filter(lambda value: not isinstance(value, dict)), JSON)
def test_ne_is_the_opposite_of_eq(rule: Any, value: Any) -> None:
    assert rules.holds(value, {"eq": rule}, SCOPE) is not rules.holds(value, {"ne": rule}, SCOPE)


@given(JSON)
def test_any_object_is_a_valid_rule_or_refused(rule: Any) -> None:
    if not list(rules.issues(rule)):
        assert isinstance(rules.holds(MISSING, rule, SCOPE), bool)


# -- answers -----------------------------------------------------------------------------------


@given(
    st.dictionaries(st.text(max_size=8), JSON, max_size=3) | st.lists(JSON, min_size=2, max_size=3)
)
def test_json_block_is_found_in_prose(value: Any) -> None:
    answer = answers.parse_answer(f"Here it is: {json.dumps(value)} That is all.")
    assert answer is not None
    assert answer.blocks == (value,)
    assert answer.prose.split() == ["Here", "it", "is:", "That", "is", "all."]


@given(ANY_TEXT)
def test_any_answer_is_parsed_without_an_error(text: str) -> None:
    answer = answers.parse_answer(text)
    assert (answer is None) == (not text.strip())


# -- addresses ---------------------------------------------------------------------------------

PART = (
    st.text("abcXYZ019-._~ é", min_size=1, max_size=6)
    .map(lambda part: part.replace(" ", "%20"))
    .filter(lambda p: p.strip("."))
)
URLS = st.builds(
    lambda host, path, query: (
        f"https://{host}.example/{'/'.join(path)}" + (f"?q={query}" if query else "")
    ),
    st.from_regex(r"[a-z]{1,8}", fullmatch=True),
    st.lists(PART, max_size=3),
    st.text("abc", max_size=3),
)
DECORATIONS = st.sampled_from(
    [
        lambda url: url.replace("https://", "http://"),
        lambda url: url.replace("https://", "https://www."),
        lambda url: f"{url}#part",
        lambda url: url + ("&" if "?" in url else "?") + "utm_source=x",
        lambda url: f" {url} ",
        lambda url: url.replace("https://", "HTTPS://").replace(".example", ".EXAMPLE"),
    ]
)


@given(URLS, DECORATIONS)
def test_url_check_ignores_decoration(url: str, decorate: Any) -> None:
    assert BUILT_IN.metrics["url_matches"]().score(decorate(url), url) == 1.0


@given(URLS, st.sampled_from(["evil", "x-"]))
def test_url_check_compares_host_and_path(url: str, extra: str) -> None:
    metric = BUILT_IN.metrics["url_matches"]()
    assert metric.score(url.replace("https://", f"https://{extra}"), url) == 0.0
    assert metric.score(url.replace(".example", f".example.{extra}.test"), url) == 0.0
    assert metric.score(url.partition("?")[0].rstrip("/") + f"/{extra}", url) == 0.0


@given(ANY_TEXT)
def test_any_text_is_compared_as_a_url_without_an_error(text: str) -> None:
    assert BUILT_IN.metrics["url_matches"]().score(text, "https://a.example/") in (0.0, 1.0)
    assert BUILT_IN.metrics["tabs_match"]().score([text], "https://a.example/") in (0.0, 1.0)


# -- scrub -------------------------------------------------------------------------------------


@given(ANY_TEXT)
def test_sanitized_text_fits_utf8_and_xml(text: str) -> None:
    clean = sanitize(text)
    assert len(clean) == len(text)
    assert sanitize(clean) == clean
    clean.encode("utf-8")
    element = ElementTree.Element("a")
    element.text = clean
    ElementTree.fromstring(ElementTree.tostring(element))


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Z"))))
def test_printable_text_is_left_alone(text: str) -> None:
    assert sanitize(text) == text


@given(
    st.recursive(
        ANY_TEXT | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
        max_leaves=8,
    )
)
def test_sanitizing_reaches_every_string(value: Any) -> None:
    json.dumps(sanitize_deep(value), ensure_ascii=False).encode("utf-8")
