"""Getters: what they read, what is missing, and when the evidence cannot tell."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import GETTERS, MISSING, Getter
from pytest_webbench.errors import GetterError
from pytest_webbench.evidence.models import Evidence, HistoryEntry, ObservedAction, PageState, Read, Tab, Target

PAGE = PageState(
    url="https://a.example/shop/lamps;x/?q=red+lamp&tag=a&tag=b&empty=#/list?sort=price",
    title="Lamps",
    text="All lamps",
    visible_text="All lamps",
)
EVIDENCE = Evidence(
    answer="Three.",
    page=PAGE,
    tabs=(Tab(url="https://a.example/", title="A"),),
    history=(HistoryEntry(url="https://a.example/", typed=True), HistoryEntry(url=PAGE.url)),
    local_storage={"theme": "dark"},
    session_storage={"step": "2"},
    actions=(
        ObservedAction(number=1, kind="select", target=Target(role="combobox", name="Sort"), value="Price"),
        ObservedAction(number=2, kind="click", target=Target(role="link", name="Lamps")),
    ),
)


def getter(type_: str, **options: Any) -> Getter:
    return GETTERS[type_].model_validate(options)


@pytest.mark.parametrize(
    ("type_", "options", "value"),
    [
        ("const", {"value": [1, None]}, [1, None]),
        ("agent_answer", {}, "Three."),
        ("final_url", {}, PAGE.url),
        ("page_title", {}, "Lamps"),
        ("page_text", {}, "All lamps"),
        ("visible_text", {}, "All lamps"),
        ("url_parse", {}, {"q": "red lamp", "tag": "a", "empty": ""}),
        ("url_parse", {"parse_keys": ["tag", "no"], "multi": True}, {"tag": ["a", "b"], "no": MISSING}),
        ("url_parse", {"part": "fragment"}, {"sort": "price"}),
        ("url_path_parse", {}, ["shop", "lamps;x"]),
        ("url_path_parse", {"index": -1}, "lamps;x"),
        ("url_path_parse", {"index": 2}, MISSING),
        ("open_tabs", {}, [{"url": "https://a.example/", "title": "A"}]),
        ("nav_history", {}, ["https://a.example/", PAGE.url]),
        ("storage", {}, {"theme": "dark"}),
        ("storage", {"kind": "session", "keys": ["step", "no"]}, {"step": "2", "no": MISSING}),
        ("actions", {}, ['select combobox "Sort" = Price', 'click link "Lamps"']),
        ("actions", {"kind": "click"}, ['click link "Lamps"']),
    ],
)
def test_getter_reads(type_: str, options: dict[str, Any], value: Any) -> None:
    assert getter(type_, **options).read(EVIDENCE) == value


@pytest.mark.parametrize("answer", [None, "", " \n"])
def test_no_answer_is_missing(answer: str | None) -> None:
    assert getter("agent_answer").read(Evidence(answer=answer)) is MISSING


@pytest.mark.parametrize("type_", ["final_url", "page_title", "page_text", "visible_text", "url_parse", "storage"])
def test_page_getter_cannot_tell_without_a_page(type_: str) -> None:
    with pytest.raises(GetterError, match="no final page was captured: the tab crashed"):
        getter(type_).read(Evidence(gaps=("the tab crashed",)))


def with_read(of: Getter, read: Read) -> Evidence:
    probe = of.probe()
    assert probe is not None
    return EVIDENCE.model_copy(update={"reads": {probe.key(): read}})


FIELDS = getter("dom_extract", selectors={"name": "h1", "price": ".price"}, must_exist=["name"])


def test_fields_are_read_and_absent_ones_are_missing() -> None:
    found = FIELDS.read(with_read(FIELDS, Read(value={"name": "Lamp", "price": None})))
    assert found == {"name": "Lamp", "price": MISSING}


@pytest.mark.parametrize("value", [None, "", []])
def test_canary_that_is_not_there_is_an_error(value: Any) -> None:
    with pytest.raises(GetterError, match="canary 'name'"):
        FIELDS.read(with_read(FIELDS, Read(value={"name": value, "price": "5"})))


def test_canary_of_a_count() -> None:
    count = getter("dom_count", selector="li", must_exist=True)
    assert count.read(with_read(count, Read(value=2))) == 2
    with pytest.raises(GetterError, match="canary 'li'"):
        count.read(with_read(count, Read(value=0)))


def test_probe_that_failed_or_was_never_asked_is_an_error() -> None:
    count = getter("dom_count", selector="li")
    with pytest.raises(GetterError, match="SyntaxError"):
        count.read(with_read(count, Read(error="SyntaxError: bad selector")))
    with pytest.raises(GetterError, match="was the check changed"):
        count.read(EVIDENCE)


def test_visible_text_of_an_absent_element_is_missing() -> None:
    text = getter("visible_text", selector="#no")
    assert text.read(with_read(text, Read(missing=True))) is MISSING


def test_probe_key_depends_on_the_options_and_not_on_their_order() -> None:
    one = getter("dom_extract", selectors={"a": "x", "b": "y"}).probe()
    two = getter("dom_extract", selectors={"b": "y", "a": "x"}).probe()
    other = getter("dom_extract", selectors={"a": "x"}).probe()
    assert one is not None
    assert two is not None
    assert other is not None
    assert one.key() == two.key() != other.key()
