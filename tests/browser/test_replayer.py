"""Recorded actions done again: found by the words of the recorder, whatever else has changed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.replayer import Replayer
from pytest_webbench.browser.session import Session
from pytest_webbench.errors import StepError
from pytest_webbench.evidence.models import ObservedAction, TouchedElement
from pytest_webbench.world import World
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser
NAMELESS_TO_PLAYWRIGHT = """<button onclick="document.title += 'wrong-'">Save</button>
<button onclick="document.title += 'icon-'"><span hidden>disk </span>Save</button>
<div tabindex=0 onclick="document.title += 'card-'">A   card
of two lines</div><label>Size <select aria-hidden=true onchange="document.title += this.value">
<option>S<option>L</select></label><div id=host></div><script>
host.attachShadow({mode: 'open'}).innerHTML =
  "<a onclick=\\"document.title += 'shadow-'\\" role=button>In the shadow</a>"</script>"""


def record(session: Session, notes: Notes, html: str, *selectors: str) -> list[ObservedAction]:
    """What the recorder says of clicks on these elements."""
    session.page.route("**/shown", lambda route: route.fulfill(content_type="text/html", body=html))
    session.page.goto(HOME + "shown")  # to set the content would take the recorder's listeners away
    for selector in selectors:
        session.page.click(selector)
    session.flush()
    session.end()
    return [step for step in notes.steps.values() if step.kind == "click"]


def clicked(**target: object) -> ObservedAction:
    return ObservedAction(number=1, kind="click", target=TouchedElement.model_validate(target))


@pytest.fixture
def tab(mini_browser: Browser, world: World) -> Page:
    return mini_browser.new_page(**world.context_args())


def test_elements_are_found_by_their_recorded_names(
    session: Session, notes: Notes, tab: Page
) -> None:
    actions = record(
        session,
        notes,
        NAMELESS_TO_PLAYWRIGHT,
        "button:has(span)",
        "div[tabindex]",
        "a[role=button]",
    )
    assert [action.target.name for action in actions] == [
        "disk Save",
        "A card of two lines",
        "In the shadow",
    ]
    tab.set_content(NAMELESS_TO_PLAYWRIGHT)
    replayer = Replayer()
    for action in actions:
        replayer.do(tab, action)
    assert tab.title() == "icon-card-shadow-"
    tab.context.close()


@pytest.mark.parametrize(
    ("html", "what"),
    [
        ("<p role=link>Next</p><a href=#a>Next</a>", "the same tag before the same role"),
        ("<a hidden href=#b>Next</a><a href=#a>Next</a>", "what can be seen"),
        ("<a href=#b>Next page</a><a href=#a>Next</a>", "the same name before a longer one"),
        ("<a href=#b>Other</a><a href=#a>Next (2)</a>", "a longer name where there is no other"),
        ("<a href=#b>Next</a><br><a href=#a>Next</a>", "a link that leads where it led"),
    ],
)
def test_most_similar_element_is_taken(tab: Page, html: str, what: str) -> None:
    tab.goto(HOME)
    tab.evaluate("html => { document.body.innerHTML = html }", html)
    action = clicked(role="link", name="Next", tag="a").model_copy(
        update={"url": HOME, "url_after": HOME + "#a"}
    )
    Replayer().do(tab, action)
    assert tab.url == HOME + "#a", what
    tab.context.close()


def test_frames_of_other_sites_are_searched(tab: Page) -> None:
    tab.goto(HOME)
    tab.evaluate("""document.body.innerHTML = '<iframe sandbox="allow-scripts" srcdoc="' +
      "<button onclick='this.textContent = 1'>Inner</button>" + '"></iframe>'; 0""")
    Replayer().do(tab, clicked(role="button", name="Inner", tag="button"))
    assert tab.frames[1].locator("button").text_content() == "1"
    tab.context.close()


def test_missing_element_or_record_is_named(tab: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_webbench.browser.replayer.FIND_SECONDS", 0.3)
    tab.set_content("<input type=password aria-label=Secret>")
    typed = clicked(role="textbox", name="Secret", tag="input").model_copy(
        update={"kind": "type", "value": "********"}
    )
    for action, why in (
        (clicked(role="link", name="Next", tag="a"), '1. click link "Next": no such element at'),
        (typed, "what was typed into a password field is not recorded"),
        (typed.model_copy(update={"tab": 3}), "tab 3 of the recording did not open; there are 1"),
    ):
        with pytest.raises(StepError, match=why):
            Replayer().do(tab, action)
    tab.context.close()


def test_action_may_close_its_tab_or_open_another(mini_browser: Browser, world: World) -> None:
    context = fresh_context(mini_browser, world.context_args()).context
    page = context.new_page()
    page.goto(HOME)
    replayer = Replayer()
    replayer.do(page, clicked(role="link", name="New tab", tag="a"))
    popup = context.pages[1]
    popup.set_content("<button onclick='window.close()'>Bye</button>")
    replayer.do(
        page, clicked(role="button", name="Bye", tag="button").model_copy(update={"tab": 1})
    )
    assert popup.is_closed()
    context.close()
