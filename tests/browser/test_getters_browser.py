"""Getters in a real browser: frames, other origins, servers, traffic, limits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route

from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Captured
from pytest_webbench.checks import BUILT_IN, MISSING, Probe
from pytest_webbench.errors import CanaryError, GetterError
from pytest_webbench.evidence.redact import MASK
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser

Read = Callable[..., Any]


@pytest.fixture
def read(capture: Callable[..., Captured]) -> Read:
    """Captures with what a getter asks, and reads it."""

    def run(type_: str, **options: Any) -> Any:
        getter = BUILT_IN.getters[type_].model_validate(options)
        probe = getter.probe()
        return getter.read(capture(*([probe] if probe else [])).evidence)

    return run


# -- frames and shadow roots -------------------------------------------------------------------


@pytest.fixture
def parts(session: Session) -> Session:
    session.page.goto(HOME + "parts", wait_until="load")
    return session


@pytest.mark.parametrize(
    "frame", ["#same", "#cross", "iframe[title='Other site']", "same", "cross"]
)
def test_elements_of_one_frame_by_selector_or_name(parts: Session, read: Read, frame: str) -> None:
    found = read(
        "dom_extract",
        selectors={"inner": "#inner", "outer": "h1"},
        frame=frame,
        must_exist=["inner"],
    )
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
def test_texts_and_counts_are_read(
    parts: Session, read: Read, type_: str, options: dict[str, Any], value: Any
) -> None:
    assert read(type_, **options) == value


def test_state_of_a_control_in_a_frame_of_another_site(parts: Session, read: Read) -> None:
    found = read("control_state", selectors={"button": "button"}, frame="#cross")
    assert (found["button"]["tag"], found["button"]["text"]) == ("button", "Framed button")


def test_missing_canary_in_a_frame(parts: Session, read: Read) -> None:
    with pytest.raises(CanaryError, match="'h1'"):
        read("dom_count", selector="h1", frame="#cross", must_exist=True)


# -- rows --------------------------------------------------------------------------------------

LIST = """
<ul>
  <li data-id="7"><h2>Brass <b>lamp</b></h2><span class="price">$49.90</span></li>
  <li data-id="8"><h2>Oak lamp</h2><span class="price">$<b>1,035</b>.00</span></li>
  <li data-id="9"><h2>Steel lamp</h2><lamp-price></lamp-price></li>
</ul>
<iframe srcdoc="<ol><li>one</li><li>two</li></ol>"></iframe>
<script>
  document.querySelector("lamp-price").attachShadow({mode: "open"}).innerHTML =
    "<span class=price>$20.00</span>";
</script>
"""


def test_rows_are_read_with_texts_attributes_and_shadow_roots(session: Session, read: Read) -> None:
    session.page.set_content(LIST)
    fields = {"name": "h2", "price": ".price", "id": {"attr": "data-id"}, "none": "em"}
    options = {"row": "ul > li", "fields": fields}
    brass = {"name": "Brass lamp", "price": "$49.90", "id": "7", "none": MISSING}
    assert read("dom_rows", **options, pick="first") == brass
    assert read("dom_rows", **options, pick={"least": "price"})["id"] == "9"
    assert read("dom_rows", **options, pick={"greatest": "price"})["price"] == "$1,035.00"
    assert read("dom_rows", row="li", fields={"text": {}}, frame="iframe") == [
        {"text": "one"},
        {"text": "two"},
    ]


# -- other pages -------------------------------------------------------------------------------


def test_page_at_another_address_is_read(
    session: Session, capture: Callable[..., Captured]
) -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body="<h1>forged</h1>", content_type="text/html")

    rows = {"row": "li", "fields": {"count": "b"}, "pick": {"least": "count"}}
    wanted = [
        ("dom_extract", {"selectors": {"h1": "h1"}, "at": HOME + "next"}),
        ("page_text", {"at": HOME + "next"}),
        ("dom_count", {"selector": "a", "at": HOME + "next"}),
        ("dom_rows", {**rows, "at": HOME + "next"}),
        ("dom_count", {"selector": "a", "at": HOME + "no-such-page"}),
        ("dom_count", {"selector": "a", "at": "https://no-such-host.invalid/"}),
        ("dom_count", {"selector": "a"}),
    ]
    getters = [BUILT_IN.getters[name].model_validate(options) for name, options in wanted]
    # What the agent puts in between is of no use to it.
    session.context.route("**/next", answer)
    taken = capture(*filter(None, (getter.probe() for getter in getters))).evidence
    assert asked == []
    assert getters[0].read(taken) == {"h1": "Next"}
    assert "You got here." in getters[1].read(taken)
    assert getters[2].read(taken) == 1
    assert getters[3].read(taken) is MISSING
    for broken, why in ((getters[4], "HTTP status 404"), (getters[5], "could not be read")):
        with pytest.raises(GetterError, match=why):
            broken.read(taken)
    assert getters[6].read(taken) > 1
    assert [tab.url for tab in taken.tabs] == [HOME]
    assert taken.page is not None
    assert taken.page.url == HOME
    assert [page.url for page in taken.pages_seen] == [HOME]


def test_scripts_of_the_agent_do_not_run_at_another_address(
    session: Session, capture: Callable[..., Captured]
) -> None:
    forge = """addEventListener('DOMContentLoaded', () => {
      document.body.innerHTML = '<p id=kept>forged</p>';
    })"""
    opened: list[str] = []
    session.page.goto(HOME + "next")
    session.page.evaluate("localStorage.unit = 'km'; document.cookie = 'who=me'")
    session.context.add_init_script(forge)
    session.page.add_init_script(forge)
    session.context.on("page", lambda page: opened.append(page.url))
    options = {"selectors": {"kept": "#kept"}, "at": HOME + "kept"}
    getter = BUILT_IN.getters["dom_extract"].model_validate(options)
    probe = getter.probe()
    assert probe is not None
    # What the site itself has stored is there, but for what belongs to one tab.
    assert getter.read(capture(probe).evidence) == {"kept": "km who=me"}
    assert opened == []


# -- accessibility tree ------------------------------------------------------------------------


def test_accessibility_nodes_are_found_by_role_and_name(session: Session, read: Read) -> None:
    assert read("axtree_query", role="Link", name_pattern="^ne[wx]t?") == [
        {"role": "link", "name": "Next", "value": ""},
        {"role": "link", "name": "New tab", "value": ""},
    ]


def test_accessibility_nodes_have_field_values(session: Session, read: Read) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Name").fill("Ada")
    assert read("axtree_query", role=["textbox"], name_pattern="Name") == [
        {"role": "textbox", "name": "Name", "value": "Ada"}
    ]


# -- the site's server -------------------------------------------------------------------------


def test_server_request_uses_the_session_of_the_page(session: Session, read: Read) -> None:
    session.context.add_cookies([{"name": "who", "value": "me", "url": HOME, "httpOnly": True}])
    heard: list[Any] = []

    def answer(route: Any) -> None:
        request = route.request
        heard.append(
            (
                request.method,
                request.all_headers().get("cookie"),
                request.headers["x-a"],
                request.post_data,
            )
        )
        route.fulfill(json={"items": [1, 2]})

    session.context.route("**/api/cart", answer)
    assert read(
        "api_state", url="/api/cart", method="POST", headers={"x-a": "b"}, body={"q": 1}
    ) == {"items": [1, 2]}
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
def test_unusable_server_response_is_an_error(
    session: Session, read: Read, url: str, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(CanaryError, match=why):
        read("api_state", url=url, **options)


def test_server_response_can_be_text_with_another_status(session: Session, read: Read) -> None:
    assert read("api_state", url="/slow", expect_json=False, ok_status=200) == "lazily loaded words"


def test_server_request_is_not_recorded_as_one_of_the_page(
    session: Session, capture: Callable[..., Captured]
) -> None:
    probe = (
        BUILT_IN.getters["api_state"].model_validate({"url": "/slow", "expect_json": False}).probe()
    )
    assert capture(probe).evidence.requests == ()


# -- scripts of other distributions ------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("({name}) => document.querySelector(name).textContent", {"value": "Parts"}),
        ("async ({name}) => (await Promise.resolve([name]))", {"value": ["h1"]}),
        ("() => document.querySelector('#no-such')", {"missing": True}),
        ("() => undefined", {"missing": True}),
        ("() => { throw new TypeError('no') }", {"error": "TypeError: no"}),
        ("() => 'x'.repeat(3_000_000)", {"error": "the answer is longer than"}),
        ("() => {", {"error": "SyntaxError"}),
    ],
)
def test_probe_may_bring_its_script(
    parts: Session, capture: Callable[..., Captured], script: str, answer: dict[str, Any]
) -> None:
    probe = Probe("title", {"name": "h1"}, script=script)
    read = capture(probe).evidence.reads[probe.key()].model_dump(exclude_defaults=True)
    if "error" in answer:
        assert answer["error"] in read["error"]
    else:
        assert read == answer


# -- storage -----------------------------------------------------------------------------------

OTHER = "https://other.test"


def test_storage_of_the_final_page_is_read(session: Session, read: Read) -> None:
    session.page.evaluate("""localStorage.cart = '{"items": [1]}'; localStorage.theme = 'dark'""")
    found = read(
        "storage", origin="https://MINI.test:443/", keys=["cart", "theme", "no"], json_values=True
    )
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


def test_storage_of_another_origin_is_read_in_a_temporary_tab(session: Session, read: Read) -> None:
    session.page.goto(OTHER + "/next")
    session.page.evaluate("localStorage.seen = 'yes'")
    session.page.goto(HOME)
    session.page.evaluate("localStorage.seen = 'no'")
    assert read("storage", origin=OTHER) == {"seen": "yes"}
    assert [tab.url for tab in session.tabs] == [HOME], (
        "our tab is none of the agent's and is closed"
    )


def test_storage_of_another_origin_is_never_substituted(session: Session, read: Read) -> None:
    session.page.evaluate("localStorage.seen = 'no'; sessionStorage.seen = 'no'")
    assert read("storage", origin=OTHER, keys=["seen"]) == {"seen": MISSING}
    with pytest.raises(CanaryError, match="session storage"):
        read("storage", origin=OTHER, kind="session")


# -- cookies -----------------------------------------------------------------------------------

SECRET = "s3cr3t-of-a-session"


def hold(session: Session, **cookies: str) -> None:
    session.context.add_cookies(
        [{"name": name, "value": value, "url": HOME} for name, value in cookies.items()]
    )


@pytest.mark.parametrize(
    ("options", "matches"),
    [
        ({}, True),
        ({"equals": '{"usage":false}'}, True),
        ({"equals": '{"USAGE":false}'}, False),
        ({"matches": '"Usage": ?false'}, True),
        ({"matches": ["usage", "true"]}, False),
        ({"matches": "usage", "equals": "usage"}, False),
        ({"matches": "usage", "origin": "https://mini.test"}, True),
    ],
)
def test_cookie_is_compared_as_the_task_asks(
    session: Session, read: Read, options: dict[str, Any], matches: bool
) -> None:
    hold(session, policy="%7B%22usage%22%3Afalse%7D")
    assert read("cookie", name="policy", **options) == {"name": "policy", "matches": matches}


def test_cookie_not_sent_to_the_page_is_missing(session: Session, read: Read) -> None:
    hold(session, policy="all")
    assert read("cookie", name="Policy") is MISSING
    assert read("cookie", name="policy", origin=OTHER) is MISSING


def test_http_only_cookie_is_read(session: Session, read: Read) -> None:
    session.context.add_cookies([{"name": "sid", "value": "1", "url": HOME, "httpOnly": True}])
    assert read("cookie", name="sid", equals="1") == {"name": "sid", "matches": True}


def test_cookie_of_the_same_name_is_not_confused(session: Session, read: Read) -> None:
    session.page.goto(HOME + "next")
    session.page.evaluate("document.cookie = 'policy=all; path=/'")
    session.page.evaluate("document.cookie = 'policy=none; path=/next'")
    assert read("cookie", name="policy", equals="none") == {"name": "policy", "matches": False}


def test_cookie_value_never_enters_the_evidence(
    session: Session, capture: Callable[..., Captured]
) -> None:
    hold(session, sid=SECRET)
    probe = BUILT_IN.getters["cookie"].model_validate({"name": "sid", "matches": "^s3"}).probe()
    evidence = capture(probe).evidence
    assert '"matches":true' in evidence.to_json().replace(" ", "")
    assert SECRET not in evidence.to_json()


# -- traffic -----------------------------------------------------------------------------------


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


def test_requests_are_filtered_by_method_and_address(session: Session, read: Read) -> None:
    session.page.get_by_role("link", name="Form").click()
    session.page.get_by_role("button", name="Send").click()
    session.page.wait_for_url("**/next?**")
    found = read("network_requests", method="get", url_pattern=r"/next\?", kind="document")
    assert [one["status"] for one in found] == [200]


def test_requests_before_the_agent_are_not_recorded(session: Session, read: Read) -> None:
    assert read("network_requests") == []


def test_downloads_are_recorded_with_name_size_and_digest(session: Session, read: Read) -> None:
    with session.page.expect_download():
        session.page.get_by_role("link", name="File").click()
    assert read("downloads") == [
        {
            "url": HOME + "file",
            "name": "file.txt",
            "size": 4,
            "sha256": hashlib.sha256(b"data").hexdigest(),
        }
    ]


def test_errors_in_the_console_are_recorded(session: Session, read: Read) -> None:
    session.page.evaluate(
        "console.log('fine'); console.error('bad', 7); void setTimeout(() => { throw new "
        "Error('worse') })"
    )
    session.page.wait_for_timeout(50)
    assert read("console_errors") == ["bad 7", "Error: worse"]


def test_dialogs_are_read(session: Session, read: Read) -> None:
    session.page.evaluate("alert('hello')")
    assert read("dialogs") == ["alert: hello"]


def test_clipboard_is_read(session: Session, read: Read) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Name").fill("copied words")
    session.page.get_by_label("Name").press("Control+a")
    session.page.get_by_label("Name").press("Control+c")
    assert read("clipboard") == "copied words"


def test_clipboard_is_cleared_between_episodes(session: Session, read: Read) -> None:
    session.context.grant_permissions(["clipboard-write"])
    session.page.evaluate("navigator.clipboard.writeText('stale')")
    session.empty_clipboard()
    assert read("clipboard") == ""


# -- history and health ------------------------------------------------------------------------


def test_addresses_left_by_going_back_are_kept(session: Session, read: Read) -> None:
    session.page.goto(HOME + "next")
    session.page.goto(HOME + "form")
    session.page.go_back()
    assert read("nav_history") == [HOME, HOME + "next", HOME + "form"]
    assert read("nav_history", up_to_current=True) == [HOME, HOME + "next"]


def test_health_of_a_bot_wall(session: Session, read: Read) -> None:
    session.page.goto(HOME + "wall")
    found = read("page_health")
    assert (found["ok"], found["blocked"], found["signals"], found["http_status"]) == (
        False,
        True,
        ["bot_wall"],
        200,
    )


# -- limits and secrets ------------------------------------------------------------------------


def test_long_values_are_truncated_and_marked(
    session: Session, capture: Callable[..., Captured]
) -> None:
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
    for what in (
        "the title",
        "the text",
        "the visible text",
        "localStorage",
        "entry of sessionStorage",
        "the answer",
    ):
        assert f"{what} was cut after" in told
    assert len(evidence.final_page().text) == 500_000
    assert len(evidence.local_storage) == 500


def test_oversized_probe_result_is_an_error(session: Session, read: Read) -> None:
    session.page.evaluate("document.body.append('x'.repeat(600000))")
    with pytest.raises(GetterError, match="longer than 500000 characters"):
        read("dom_extract", selectors={"body": "body"})


def test_passwords_are_masked_and_reported_as_secrets(
    session: Session, read: Read, notes: Notes
) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Secret").fill("hunter2")
    session.page.evaluate(
        "document.querySelector('[type=password]').setAttribute('value', 'preset')"
    )
    assert read("dom_extract", selectors={"s": "[name=secret]"}, attr="value") == {"s": MASK}
    assert read("control_state", selectors={"s": "[name=secret]"})["s"]["value"] == MASK
    assert {"hunter2", "preset"} <= set(notes.secrets)


# -- what only a browser with a window does by itself --------------------------------------------

COPY = """<button onclick="navigator.clipboard.writeText('a lamp')
  .then(() => this.textContent = 'Copied', error => this.textContent = error.name)">Copy</button>
  <button onclick="navigator.clipboard.readText()
  .then(text => this.textContent = text, error => this.textContent = error.name)">Paste</button>"""


def test_pages_may_copy_but_not_paste(session: Session, read: Read) -> None:
    session.page.evaluate("html => document.body.innerHTML = html", COPY)
    session.page.get_by_role("button", name="Copy").click()
    session.page.get_by_text("Copied").wait_for()
    session.page.get_by_role("button", name="Paste").click()
    session.page.get_by_text("NotAllowedError").wait_for()
    state = "navigator.permissions.query({name: 'geolocation'}).then(found => found.state)"
    assert session.page.evaluate(state) != "granted"
    assert read("clipboard") == "a lamp"
