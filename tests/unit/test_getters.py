"""Getters: what they read, what is missing, and when the evidence cannot tell."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pytest_webbench.checks import BUILT_IN, MISSING, Getter
from pytest_webbench.errors import CanaryError, GetterError
from pytest_webbench.evidence.models import (
    Evidence,
    Health,
    HistoryEntry,
    NetworkRequest,
    ObservedAction,
    PageState,
    Read,
    Tab,
    TouchedElement,
)

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
    history=(
        HistoryEntry(url="https://a.example/", typed=True),
        HistoryEntry(url=PAGE.url),
        HistoryEntry(url="https://a.example/cart", ahead=True),
    ),
    local_storage={"theme": "dark"},
    session_storage={"step": "2", "cart": '{"n": 1}'},
    requests=(
        NetworkRequest(method="GET", url="https://a.example/", kind="document", status=200),
        NetworkRequest(
            method="POST", url="https://a.example/api", kind="fetch", status=201, body={"q": 1}
        ),
    ),
    actions=(
        ObservedAction(
            number=1,
            kind="select",
            target=TouchedElement(role="combobox", name="Sort"),
            value="Price",
        ),
        ObservedAction(number=2, kind="click", target=TouchedElement(role="link", name="Lamps")),
    ),
)


def getter(type_: str, **options: Any) -> Getter:
    return BUILT_IN.getters[type_].model_validate(options)


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
        (
            "url_parse",
            {"parse_keys": ["tag", "no"], "multi": True},
            {"tag": ["a", "b"], "no": MISSING},
        ),
        (
            "url_parse",
            {"url": "https://b.example/?q=caf%E9&u=caf%C3%A9"},
            {"q": "café", "u": "café"},
        ),
        ("url_parse", {"part": "fragment"}, {"sort": "price"}),
        ("url_path_parse", {}, ["shop", "lamps;x"]),
        ("url_path_parse", {"index": -1}, "lamps;x"),
        ("url_path_parse", {"index": 2}, MISSING),
        ("open_tabs", {}, [{"url": "https://a.example/", "title": "A"}]),
        ("page_text", {"max_chars": 3}, "All"),
        ("page_text", {"max_chars": 0}, "All lamps"),
        ("visible_text", {"max_chars": 3}, "All"),
        ("url_parse", {"url": "https://b.example/?x=1"}, {"x": "1"}),
        ("url_path_parse", {"url": "https://b.example/y/z"}, ["y", "z"]),
        ("nav_history", {}, ["https://a.example/", PAGE.url, "https://a.example/cart"]),
        ("nav_history", {"up_to_current": True}, ["https://a.example/", PAGE.url]),
        ("storage", {"kind": "session", "json_values": True}, {"step": 2, "cart": {"n": 1}}),
        ("storage", {"origin": "https://A.example:443/"}, {"theme": "dark"}),
        ("storage", {}, {"theme": "dark"}),
        ("storage", {"kind": "session", "keys": ["step", "no"]}, {"step": "2", "no": MISSING}),
        ("actions", {}, ['select combobox "Sort" = Price', 'click link "Lamps"']),
        ("actions", {"kind": "click"}, ['click link "Lamps"']),
    ],
)
def test_getter_reads(type_: str, options: dict[str, Any], value: Any) -> None:
    assert getter(type_, **options).read(EVIDENCE) == value


@pytest.mark.parametrize("answer", [None, "", " \n"])
def test_absent_answer_is_missing(answer: str | None) -> None:
    assert getter("agent_answer").read(Evidence(answer=answer)) is MISSING


@pytest.mark.parametrize(
    ("answer", "path", "value"),
    [
        ('{"count": 30, "teams": [{"name": "Reds"}]}', "count", 30),
        ('```json\n{"count": 30}\n```', "count", 30),
        ('{"teams": [{"name": "Reds"}, {"name": "Mets"}]}', "teams[1].name", "Mets"),
        ('{"teams": []}', "teams", []),
        ('{"teams": []}', "teams[0]", MISSING),
        ("[1, 2]", "[1]", 2),
        ('{"count": 30}', "total", MISSING),
        ('{"count": 30, "count": 31}', "count", MISSING),
        ('It is {"count": 30}', "count", MISSING),
        ("30", "count", MISSING),
        ("", "count", MISSING),
    ],
)
def test_path_into_a_typed_answer(answer: str, path: str, value: Any) -> None:
    assert getter("agent_answer", path=path).read(Evidence(answer=answer)) == value


def test_path_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"bad path 'a\[b'"):
        getter("agent_answer", path="a[b")


@pytest.mark.parametrize(
    "type_", ["final_url", "page_title", "page_text", "visible_text", "url_parse", "storage"]
)
def test_page_getter_is_an_error_without_a_page(type_: str) -> None:
    with pytest.raises(GetterError, match="no final page was captured: the tab crashed"):
        getter(type_).read(Evidence(gaps=("the tab crashed",)))


def with_read(of: Getter, read: Read) -> Evidence:
    probe = of.probe()
    assert probe is not None
    return EVIDENCE.model_copy(update={"reads": {probe.key(): read}})


@pytest.mark.parametrize("type_", ["url_parse", "url_path_parse"])
def test_getter_of_a_given_address_needs_no_page(type_: str) -> None:
    assert getter(type_, url="https://b.example/").read(Evidence()) in ({}, [])


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 2),
        ({"method": "post"}, 1),
        ({"kind": "document"}, 1),
        ({"url_pattern": "/API$"}, 1),
        ({"kind": "xhr"}, 0),
    ],
)
def test_requests_are_filtered(options: dict[str, Any], count: int) -> None:
    assert len(getter("network_requests", **options).read(EVIDENCE)) == count


@pytest.mark.parametrize(
    ("type_", "options"),
    [
        ("network_requests", {"url_pattern": "("}),
        ("axtree_query", {"name_pattern": "(a+)+$"}),
        ("page_health", {"patterns": ["("]}),
        ("storage", {"origin": "shop.example"}),
        ("storage", {"origin": "https://shop.example/cart"}),
        ("cookie", {}),
        ("cookie", {"name": "consent", "matches": ["all", "("]}),
        ("cookie", {"name": "consent", "origin": "shop.example"}),
    ],
)
def test_bad_options_are_refused(type_: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        getter(type_, **options)


def test_unreachable_server_counts_as_a_missing_canary() -> None:
    state = getter("api_state", url="/api")
    with pytest.raises(CanaryError, match="HTTP status 404"):
        state.read(with_read(state, Read(error="/api answered with HTTP status 404")))


def test_cookie_is_read_from_the_recorded_probe() -> None:
    cookie = getter("cookie", name="consent", matches="^essential$")
    outcome = {"name": "consent", "matches": True}
    assert cookie.read(with_read(cookie, Read(value=outcome))) == outcome
    assert cookie.read(with_read(cookie, Read(missing=True))) is MISSING


def test_changed_cookie_options_need_a_new_episode() -> None:
    old = getter("cookie", name="consent", matches="^essential$")
    new = getter("cookie", name="consent", matches="^(essential|none)$")
    evidence = with_read(old, Read(value={"name": "consent", "matches": True}))
    with pytest.raises(GetterError, match="changed after the episode"):
        new.read(evidence)


def test_storage_of_another_origin_is_read_from_its_own_probe() -> None:
    storage = getter("storage", origin="https://b.example", keys=["theme"])
    assert storage.read(with_read(storage, Read(value={}))) == {"theme": MISSING}
    with pytest.raises(GetterError):
        storage.read(EVIDENCE)
    with pytest.raises(CanaryError, match="session storage"):
        getter("storage", origin="https://b.example", kind="session").read(EVIDENCE)


@pytest.mark.parametrize(
    ("evidence", "options", "signals", "blocked"),
    [
        (EVIDENCE, {}, [], False),
        (EVIDENCE, {"http_status": 503}, ["http_503"], True),
        (EVIDENCE, {"min_chars": 100}, ["empty"], False),
        (EVIDENCE, {"patterns": ["all LAMPS"]}, ["custom:all LAMPS"], True),
        (Evidence(), {}, ["no_page", "empty"], False),
        (EVIDENCE.model_copy(update={"health": Health(state="bot_wall")}), {}, ["bot_wall"], True),
    ],
)
def test_health_getter_never_raises(
    evidence: Evidence, options: dict[str, Any], signals: list[str], blocked: bool
) -> None:
    found = getter("page_health", **options).read(evidence)
    assert (found["ok"], found["signals"], found["blocked"]) == (not signals, signals, blocked)


@pytest.mark.parametrize("type_", ["dom_extract", "control_state", "dom_count", "visible_text"])
def test_frame_is_probed_only_if_named(type_: str) -> None:
    options = (
        {"selectors": {"a": "b"}}
        if type_ in ("dom_extract", "control_state")
        else {"selector": "b"}
    )
    plain, framed = getter(type_, **options).probe(), getter(type_, **options, frame="#f").probe()
    assert plain is not None
    assert framed is not None
    assert "frame" not in plain.arguments
    assert framed.arguments == {**plain.arguments, "frame": "#f"}


FIELDS = getter("dom_extract", selectors={"name": "h1", "price": ".price"}, must_exist=["name"])


def test_fields_are_read_and_absent_ones_are_missing() -> None:
    found = FIELDS.read(with_read(FIELDS, Read(value={"name": "Lamp", "price": None})))
    assert found == {"name": "Lamp", "price": MISSING}


@pytest.mark.parametrize("value", [None, "", []])
def test_absent_canary_is_an_error(value: Any) -> None:
    with pytest.raises(GetterError, match="canary 'name'"):
        FIELDS.read(with_read(FIELDS, Read(value={"name": value, "price": "5"})))


def test_count_getter_checks_its_canary() -> None:
    count = getter("dom_count", selector="li", must_exist=True)
    assert count.read(with_read(count, Read(value=2))) == 2
    with pytest.raises(GetterError, match="canary 'li'"):
        count.read(with_read(count, Read(value=0)))


def test_failed_or_absent_probe_is_an_error() -> None:
    count = getter("dom_count", selector="li")
    with pytest.raises(GetterError, match="SyntaxError"):
        count.read(with_read(count, Read(error="SyntaxError: bad selector")))
    with pytest.raises(GetterError, match="was the check changed"):
        count.read(EVIDENCE)


def test_visible_text_of_an_absent_element_is_missing() -> None:
    text = getter("visible_text", selector="#no")
    assert text.read(with_read(text, Read(missing=True))) is MISSING


def test_probe_key_ignores_the_order_of_options() -> None:
    one = getter("dom_extract", selectors={"a": "x", "b": "y"}).probe()
    two = getter("dom_extract", selectors={"b": "y", "a": "x"}).probe()
    other = getter("dom_extract", selectors={"a": "x"}).probe()
    assert one is not None
    assert two is not None
    assert other is not None
    assert one.key() == two.key() != other.key()
