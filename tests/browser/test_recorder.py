"""The recorder of input cannot be switched off unseen, nor can its reports be forged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Playwright, sync_playwright

from pytest_webbench.browser.cdp_session import BINDING, HARNESS_WORLD
from pytest_webbench.browser.event_loop import wait_in_event_loop
from pytest_webbench.browser.local import LocalBrowser
from pytest_webbench.browser.session import Session
from pytest_webbench.world import World
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser

BUTTON = "<button>Go</button>"


def clicked(session: Session, after: int = 0) -> list[str]:
    """What was clicked after so many actions."""
    session.flush()
    later = session.actions[after:]
    return [action.target.name for action in later if action.kind == "click"]


REWRITES = {
    "document.write": f"document.open(); document.write('{BUTTON}'); document.close()",
    "twice": f"for (const _ of [1, 2]) {{ document.open(); document.write('{BUTTON}') }}",
    "never closed": f"document.open(); document.write('{BUTTON}')",
    "other root": f"""
        const made = new DOMParser().parseFromString('{BUTTON}', 'text/html').documentElement;
        document.replaceChild(document.adoptNode(made), document.documentElement)""",
    "prototypes": """
        for (const one of [Array, Map, Set, String, Date, EventTarget, Event, Node, Element])
          for (const key of Object.getOwnPropertyNames(one.prototype))
            try { one.prototype[key] = () => { throw 1 } } catch {}
        JSON.stringify = () => { throw 1 };
        void 0""",
}


def test_clicks_in_documents_that_scripts_rewrite_are_recorded(session: Session) -> None:
    page = session.page
    for script in REWRITES.values():
        page.goto(HOME)
        page.evaluate(f"document.body.innerHTML = '{BUTTON}'; {script}")
        before = len(session.actions)
        page.mouse.click(20, 20)
        assert clicked(session, before) == ["Go"], script
    page.goto(HOME)
    before = len(session.actions)
    page.set_content(BUTTON)
    page.get_by_role("button").click()
    page.set_content(f"<iframe srcdoc='{BUTTON}'></iframe>")
    page.frame_locator("iframe").get_by_role("button").click()
    with session.context.expect_page() as tab:
        page.evaluate(f"open('about:blank').document.write('{BUTTON}')")
    tab.value.get_by_role("button").click()
    assert clicked(session, before) == ["Go", "Go", "Go"]
    assert session.recorder_gaps() == []


PROPERTIES = """
    children childNodes length nodeType tagName localName closest matches textContent getAttribute
    parentNode ownerDocument getBoundingClientRect labels querySelector firstChild shadowRoot
    isConnected attributes role id
"""
FIELDS = "".join(f"<input name={name}>" for name in PROPERTIES.split())
IMAGES = "<img name=body><img name=documentElement><img name=title><img name=defaultView>"
PLACED = "style='position: fixed; left: 0; top: 0; width: 90px; height: 90px'"
ODD_PAGES = {
    "fields named like properties": f"<form onclick='1' {PLACED}>{FIELDS}</form>",
    "within such a form": f"<form onclick='1'>{FIELDS}<i {PLACED}></i></form>",
    "images named like the document's": f"{IMAGES}<i {PLACED}></i>",
    "no words": f"<i role='button' aria-labelledby='none' {PLACED}></i>",
    "much text": f"<button {PLACED}>{'x' * 300_000}</button>",
    "deep": f"<label {PLACED}>{'<b>' * 500}{'</b>' * 500}<input></label>",
    "svg": f"<svg {PLACED} tabindex='0'><input></input></svg>",
}


def test_clicks_on_odd_elements_are_recorded(session: Session) -> None:
    page = session.page
    for content in ODD_PAGES.values():
        page.goto(HOME)
        page.evaluate("html => { document.body.innerHTML = html }", content)
        page.mouse.click(80, 85)
        session.flush()
        assert [one.kind for one in session.actions][-1] == "click", content[:100]
    assert session.recorder_gaps() == []


def drag(page: Page, selector: str, *, right: float, down: float = 0) -> None:
    box = page.locator(selector).bounding_box()
    assert box is not None
    x, y = box["x"] + 20, box["y"] + 10
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=3)
    page.mouse.up()


def test_drags_are_actions_and_trembling_hands_and_resting_pointers_are_not(
    session: Session,
) -> None:
    page = session.page
    page.goto(HOME + "gestures")
    before = len(session.actions)
    page.locator("#menu").hover()
    drag(page, "#map", right=30)  # the browser has a click follow
    drag(page, "#map", right=2)
    drag(page, "#card", right=40, down=40)
    page.wait_for_url(HOME + "next")
    page.goto(HOME + "busy")
    drag(page, "#outer", right=9)
    session.flush()
    done = [(one.kind, one.target.tag, one.value) for one in session.actions[before:]]
    del done[3]  # the address
    assert done == [
        ("drag", "canvas", None),
        ("click", "canvas", None),
        ("drag", "div", "Board"),
        ("click", "button", None),
    ]
    assert session.recorder_gaps() == []


def test_a_drag_beyond_the_budget_has_no_effect(session: Session) -> None:
    session.page.goto(HOME + "gestures")
    session.refuse_input()
    drag(session.page, "#piece", right=200)
    drag(session.page, "#card", right=40, down=40)
    session.flush()
    assert session.page.url == HOME + "gestures"


def test_input_that_is_kept_from_the_recorder_is_a_gap(session: Session) -> None:
    page = session.page
    page.evaluate(
        """html => {
          document.open();
          addEventListener("click", (event) => event.stopImmediatePropagation(), true);
          document.write(html);
          document.close();
        }""",
        BUTTON,
    )
    page.get_by_role("button").click()
    session.flush()
    assert session.actions == []
    assert session.recorder_gaps() == [f"input that the recorder did not see in {HOME}: 1"]
    page.goto(HOME + "next")
    session.flush()
    assert len(session.recorder_gaps()) == 1, "it is known although the document was left"


def world_of(client: CDPSession) -> int:
    """Our world, as a client of the browser finds it."""
    worlds: list[dict[str, Any]] = []
    client.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]))
    client.send("Runtime.enable")
    return int(next(one["id"] for one in worlds if one["name"] == HARNESS_WORLD.name))


def test_a_client_that_finds_our_world_cannot_forge_actions_unseen(session: Session) -> None:
    page = session.page
    page.goto(HOME + "form")
    client = session.context.new_cdp_session(page)
    world = world_of(client)

    def in_our_world(script: str) -> Any:
        call = {"expression": script, "contextId": world, "returnByValue": True}
        return client.send("Runtime.evaluate", call)["result"].get("value")

    assert in_our_world("Object.getOwnPropertyNames(globalThis).filter(n => /^tell/.test(n))") == []
    in_our_world(
        """for (const name of Object.getOwnPropertyNames(globalThis))
             if (/^recording/.test(name)) { delete globalThis[name]; globalThis[name] = null }
           JSON.stringify = () => ""; Event.prototype.composedPath = () => [];
           EventTarget.prototype.addEventListener = () => {};"""
    )
    page.get_by_label("Name").click()
    assert clicked(session) == ["Name"]
    assert session.recorder_gaps() == []
    before = len(session.actions)
    for payload in (
        "",
        "[]",
        "{}",
        "{" * 50_000,
        '{"kind": "click"}',
        json.dumps({"x": "y" * 10**6}),
    ):
        client.send("Runtime.addBinding", BINDING)
        in_our_world(f"globalThis.{BINDING['name']}({json.dumps(payload)})")
    assert clicked(session, before) == []
    assert session.recorder_gaps() == ["reports that the recorder of input did not make: 6"]
    forged = {
        "recorder": "x",
        "number": 1,
        "kind": "click",
        "target": {"role": "button", "name": "Send"},
        "value": None,
        "secret": None,
        "element": 1,
        "url": HOME,
    }
    pulse = {"at": page.evaluate("performance.timeOrigin"), "seen": {}, "happened": {}}
    for report in (forged, {"recorder": "x", "number": 2, "pulse": pulse}):
        in_our_world(f"globalThis.{BINDING['name']}({json.dumps(json.dumps(report))})")
    session.flush()
    assert session.recorder_gaps() == ["reports that the recorder of input did not make: 7"]


@pytest.fixture
def dedicated(playwright: Playwright, world: World) -> Iterator[Session]:
    """A session in a browser that CDP clients reach."""
    fresh = LocalBrowser(playwright, {}).dedicated(world, world.context_args())
    opened = Session(fresh, Notes(), step_shots=False)
    opened.open(HOME, timeout=20)
    opened.begin()
    yield opened
    opened.close()


def beside(session: Session, work: Any) -> None:
    """Do ``work`` with the page as a client in another process would."""

    def run() -> None:
        with sync_playwright() as other:
            browser = other.chromium.connect_over_cdp(str(session.cdp_url))
            work(browser.contexts[0].pages[0])
            browser.close()

    wait_in_event_loop(session.page, run)


def test_connection_that_breaks_is_opened_again(dedicated: Session) -> None:
    def work(page: Page) -> None:
        page.set_content(BUTTON)
        page.evaluate("console.log('x'.repeat(3e7))")
        page.get_by_role("button").click()

    beside(dedicated, work)
    assert clicked(dedicated) == ["Go"]
    assert dedicated.recorder_gaps() == [], "the console is not listened to"

    def break_connection(page: Page) -> None:
        client = page.context.new_cdp_session(page)
        world = world_of(client)
        for _ in range(2):
            client.send("Runtime.addBinding", BINDING)
            call = f"globalThis.{BINDING['name']}('x'.repeat(7e7))"
            client.send("Runtime.evaluate", {"expression": call, "contextId": world})
        page.get_by_role("button").click()
        page.goto(HOME + "form")
        page.get_by_label("Name").click()

    beside(dedicated, break_connection)
    found = clicked(dedicated)
    assert "Name" in found
    gaps = dedicated.recorder_gaps()
    assert any("broke and was opened again" in gap for gap in gaps), gaps
    lost = "Go" not in found
    assert any("did not arrive" in gap for gap in gaps) or not lost, gaps
