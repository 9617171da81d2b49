"""Getters from question to value, in a real browser: frames, other origins, servers, traffic, limits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from pytest_webbench.browser.session import Session
from pytest_webbench.checks import GETTERS, MISSING
from pytest_webbench.errors import CanaryError, GetterError
from pytest_webbench.evidence.capture import Captured
from pytest_webbench.evidence.redact import MASK
from tests.browser.conftest import HOME, Notes

pytestmark = pytest.mark.browser

Read = Callable[..., Any]


@pytest.fixture
def read(capture: Callable[..., Captured]) -> Read:
    """Captures with what a getter asks, and reads it."""

    def run(type_: str, **options: Any) -> Any:
        getter = GETTERS[type_].model_validate(options)
        probe = getter.probe()
        return getter.read(capture(*([probe] if probe else [])).evidence)

    return run


# -- frames and shadow roots -------------------------------------------------------------------------------------------


@pytest.fixture
def parts(session: Session) -> Session:
    session.page.goto(HOME + "parts", wait_until="load")
    return session


@pytest.mark.parametrize("frame", ["#same", "#cross", "iframe[title='Other site']", "same", "cross"])
def test_elements_of_one_frame_by_selector_or_name(parts: Session, read: Read, frame: str) -> None:
    found = read("dom_extract", selectors={"inner": "#inner", "outer": "h1"}, frame=frame, must_exist=["inner"])
    assert found == {"inner": "framed words", "outer": MISSING}


@pytest.mark.parametrize(
    ("type_", "options", "value"),
    [
        ("visible_text", {"frame": "#cross"}, "framed words Framed button"),
        ("visible_text", {"frame": "#same", "selector": "button"}, "Framed button"),
        ("visible_text", {"frame": "#no-such"}, MISSING),
        ("visible_text", {"max_chars": 5}, "Parts"),
        ("dom_count", {"selector": "button", "frame": "#cross"}, 1),
        ("dom_count", {"selector": "button", "frame": "#no-such"}, 0),
        ("dom_count", {"selector": "button"}, 2),
        ("dom_extract", {"selectors": {"deep": "#deep"}}, {"deep": "shadow words"}),
    ],
)
def test_texts_and_counts(parts: Session, read: Read, type_: str, options: dict[str, Any], value: Any) -> None:
    assert read(type_, **options) == value


def test_state_of_a_control_in_a_frame_of_another_site(parts: Session, read: Read) -> None:
    found = read("control_state", selectors={"button": "button"}, frame="#cross")
    assert (found["button"]["tag"], found["button"]["text"]) == ("button", "Framed button")


def test_a_canary_that_a_frame_lacks(parts: Session, read: Read) -> None:
    with pytest.raises(CanaryError, match="'h1'"):
        read("dom_count", selector="h1", frame="#cross", must_exist=True)


# -- accessibility tree ------------------------------------------------------------------------------------------------


def test_nodes_of_the_accessibility_tree_by_role_and_name(session: Session, read: Read) -> None:
    assert read("axtree_query", role="Link", name_pattern="^ne[wx]t?") == [
        {"role": "link", "name": "Next", "value": ""},
        {"role": "link", "name": "New tab", "value": ""},
    ]


def test_values_of_fields_in_the_accessibility_tree(session: Session, read: Read) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Name").fill("Ada")
    assert read("axtree_query", role=["textbox"], name_pattern="Name") == [
        {"role": "textbox", "name": "Name", "value": "Ada"}
    ]


# -- the site's server -------------------------------------------------------------------------------------------------


def test_the_server_is_asked_as_the_page_would_ask_it(session: Session, read: Read) -> None:
    session.context.add_cookies([{"name": "who", "value": "me", "url": HOME, "httpOnly": True}])
    heard: list[Any] = []

    def answer(route: Any) -> None:
        request = route.request
        heard.append((request.method, request.all_headers().get("cookie"), request.headers["x-a"], request.post_data))
        route.fulfill(json={"items": [1, 2]})

    session.context.route("**/api/cart", answer)
    assert read("api_state", url="/api/cart", method="POST", headers={"x-a": "b"}, body={"q": 1}) == {"items": [1, 2]}
    assert heard == [("POST", "who=me", "b", '{"q": 1}')]


@pytest.mark.parametrize(
    ("url", "options", "why"),
    [
        (HOME + "no-such", {}, "HTTP status 404"),
        (HOME + "error", {"ok_status": [200, 404]}, "HTTP status 500"),
        (HOME + "slow", {}, "SyntaxError"),
        ("https://other.test/next", {"expect_json": False}, "Failed to fetch"),
    ],
)
def test_what_the_server_does_not_tell_is_an_error(
    session: Session, read: Read, url: str, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(CanaryError, match=why):
        read("api_state", url=url, **options)


def test_an_answer_as_text_with_a_status_that_is_accepted(session: Session, read: Read) -> None:
    assert read("api_state", url="/slow", expect_json=False, ok_status=200) == "lazily loaded words"


def test_asking_the_server_is_not_on_record_as_a_request_of_the_page(
    session: Session, capture: Callable[..., Captured]
) -> None:
    probe = GETTERS["api_state"].model_validate({"url": "/slow", "expect_json": False}).probe()
    assert capture(probe).evidence.requests == ()


# -- storage -----------------------------------------------------------------------------------------------------------

OTHER = "https://other.test"


def test_storage_of_the_final_page_is_read_there(session: Session, read: Read) -> None:
    session.page.evaluate("""localStorage.cart = '{"items": [1]}'; localStorage.theme = 'dark'""")
    found = read("storage", origin="https://MINI.test:443/", keys=["cart", "theme", "no"], json_values=True)
    assert found == {"cart": {"items": [1]}, "theme": "dark", "no": MISSING}


def test_storage_of_another_origin_is_read_in_an_open_tab_of_it(
    session: Session, read: Read, capture: Callable[..., Captured]
) -> None:
    tab = session.context.new_page()
    tab.goto(OTHER + "/next")
    tab.evaluate("localStorage.seen = 'yes'")
    session.page.bring_to_front()
    before = len(session.context.pages)
    assert read("storage", origin=OTHER) == {"seen": "yes"}
    assert len(session.context.pages) == before


def test_storage_of_another_origin_without_a_tab_is_read_in_one_of_ours(session: Session, read: Read) -> None:
    session.page.goto(OTHER + "/next")
    session.page.evaluate("localStorage.seen = 'yes'")
    session.page.goto(HOME)
    session.page.evaluate("localStorage.seen = 'no'")
    assert read("storage", origin=OTHER) == {"seen": "yes"}
    assert [tab.url for tab in session.tabs] == [HOME], "our tab is none of the agent's and is closed"


def test_storage_of_another_origin_is_never_substituted(session: Session, read: Read) -> None:
    session.page.evaluate("localStorage.seen = 'no'; sessionStorage.seen = 'no'")
    assert read("storage", origin=OTHER, keys=["seen"]) == {"seen": MISSING}
    with pytest.raises(CanaryError, match="session storage"):
        read("storage", origin=OTHER, kind="session")


# -- traffic -----------------------------------------------------------------------------------------------------------


def test_requests_are_recorded_in_order_with_what_they_sent(session: Session, read: Read) -> None:
    session.page.evaluate(
        """async () => {
          await fetch('/slow?token=abc', { headers: { Authorization: 'Bearer abc' } });
          await fetch('/a', { method: 'POST', headers: { 'content-type': 'application/json' },
                              body: JSON.stringify({ q: [1, null], password: 'abc' }) });
          const fields = [['q', 'red lamp'], ['q', '2'], ['pwd', 'abc']];
          await fetch('/b', { method: 'POST', body: new URLSearchParams(fields) });
          const form = new FormData();
          form.append('name', 'Ada');
          await fetch('/c', { method: 'PUT', body: form });
        }"""
    )
    found = read("network_requests", kind="fetch")
    assert [(one["method"], one["url"].removeprefix(HOME), one["status"]) for one in found] == [
        ("GET", f"slow?token={MASK}", 200),
        ("POST", "a", 405),
        ("POST", "b", 405),
        ("PUT", "c", 405),
    ]
    assert found[1]["body"] == {"q": [1, None], "password": MASK}
    assert found[2]["form"] == {"q": ["red lamp", "2"], "pwd": [MASK]}
    assert found[3]["form"] == {"name": ["Ada"]}
    assert "Bearer" not in str(found)


def test_requests_are_chosen_by_method_and_address(session: Session, read: Read) -> None:
    session.page.get_by_role("link", name="Form").click()
    session.page.get_by_role("button", name="Send").click()
    session.page.wait_for_url("**/next?**")
    found = read("network_requests", method="get", url_pattern=r"/next\?", kind="document")
    assert [one["status"] for one in found] == [200]


def test_what_was_requested_before_the_agent_began_is_not_recorded(session: Session, read: Read) -> None:
    assert read("network_requests") == []


def test_downloads_are_recorded_with_name_size_and_digest(session: Session, read: Read) -> None:
    with session.page.expect_download():
        session.page.get_by_role("link", name="File").click()
    assert read("downloads") == [
        {"url": HOME + "file", "name": "file.txt", "size": 4, "sha256": hashlib.sha256(b"data").hexdigest()}
    ]


def test_errors_in_the_console_are_recorded(session: Session, read: Read) -> None:
    session.page.evaluate(
        "console.log('fine'); console.error('bad', 7); void setTimeout(() => { throw new Error('worse') })"
    )
    session.page.wait_for_timeout(50)
    assert read("console_errors") == ["bad 7", "Error: worse"]


def test_dialogs_are_read(session: Session, read: Read) -> None:
    session.page.evaluate("alert('hello')")
    assert read("dialogs") == ["alert: hello"]


def test_the_clipboard_is_read(session: Session, read: Read) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Name").fill("copied words")
    session.page.get_by_label("Name").press("Control+a")
    session.page.get_by_label("Name").press("Control+c")
    assert read("clipboard") == "copied words"


def test_what_an_earlier_episode_left_in_the_clipboard_is_gone(session: Session, read: Read) -> None:
    session.context.grant_permissions(["clipboard-write"])
    session.page.evaluate("navigator.clipboard.writeText('stale')")
    session.empty_clipboard()
    assert read("clipboard") == ""


# -- history and health ------------------------------------------------------------------------------------------------


def test_addresses_that_the_agent_went_back_from(session: Session, read: Read) -> None:
    session.page.goto(HOME + "next")
    session.page.goto(HOME + "form")
    session.page.go_back()
    assert read("nav_history") == [HOME, HOME + "next", HOME + "form"]
    assert read("nav_history", up_to_current=True) == [HOME, HOME + "next"]


def test_health_of_a_wall(session: Session, read: Read) -> None:
    session.page.goto(HOME + "wall")
    found = read("page_health")
    assert (found["ok"], found["blocked"], found["signals"], found["http_status"]) == (False, True, ["bot_wall"], 200)


# -- limits and secrets ------------------------------------------------------------------------------------------------


def test_what_is_too_long_is_cut_and_the_cut_is_told(session: Session, capture: Callable[..., Captured]) -> None:
    session.page.evaluate(
        """() => {
          document.title = 'T'.repeat(3000);
          document.body.append('x'.repeat(600000));
          for (let i = 0; i < 600; i++) localStorage['k' + i] = 'v';
          sessionStorage.big = 'y'.repeat(200000);
        }"""
    )
    evidence = capture(answer="z" * 600_000).evidence
    told = "\n".join(evidence.gaps)
    for what in ("the title", "the text", "the visible text", "localStorage", "entry of sessionStorage", "the answer"):
        assert f"{what} was cut after" in told
    assert len(evidence.final_page().text) == 500_000
    assert len(evidence.local_storage) == 500


def test_an_answer_of_the_page_that_is_too_long_is_no_answer(session: Session, read: Read) -> None:
    session.page.evaluate("document.body.append('x'.repeat(600000))")
    with pytest.raises(GetterError, match="longer than 500000 characters"):
        read("dom_extract", selectors={"body": "body"})


def test_passwords_are_masked_and_told_to_the_sink(session: Session, read: Read, notes: Notes) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Secret").fill("hunter2")
    session.page.evaluate("document.querySelector('[type=password]').setAttribute('value', 'preset')")
    assert read("dom_extract", selectors={"s": "[name=secret]"}, attr="value") == {"s": MASK}
    assert read("control_state", selectors={"s": "[name=secret]"})["s"]["value"] == MASK
    assert {"hunter2", "preset"} <= set(notes.secrets)
