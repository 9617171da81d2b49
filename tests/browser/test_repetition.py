"""An agent's actions are done again in a clean context: what was faked does not come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, Route

from pytest_webbench.agents import Budget
from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.session import Session
from pytest_webbench.episode.repetition import Unlogged, repeat
from pytest_webbench.episode.runner import EpisodeRunner, EpisodeSettings
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.task import Task, TaskBrief
from pytest_webbench.world import World
from tests.support.mini_suite import HOME

NEXT = HOME + "next"
FORM = HOME + "form"
SETTINGS = EpisodeSettings(max_actions=20, max_seconds=30, locale="en-US", timezone="UTC")
PAGE = "<title>Next</title><h1>Next</h1><p>You got here.</p>"

Act = Callable[[Page], None]


class Acts:
    """An agent made of one function."""

    def __init__(self, act: Act) -> None:
        self._act = act

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> None:
        del brief, budget
        self._act(page)


@pytest.fixture
def flags(
    mini_browser: Browser, world: World, watchdog: Watchdog
) -> Callable[[Task, Act], list[str]]:
    """Plays a task that has to pass, and gives the kinds of the flags."""
    runner = EpisodeRunner(watchdog, world)

    def open_session(arguments: dict[str, Any]) -> Session:
        return Session.unrecorded(
            fresh_context(mini_browser, {**world.context_args(), **arguments})
        )

    def play(task: Task, act: Act) -> list[str]:
        result = runner.run(
            task, Acts(act), settings=SETTINGS, sink=Unlogged(), open_session=open_session
        )
        integrity = repeat(runner, task, result, settings=SETTINGS, open_session=open_session)
        assert integrity is not None, "it has to pass"
        evidence = result.captured.evidence.model_copy(update={"integrity": integrity})
        verdict = judge(task, evidence)
        assert verdict.outcome is Outcome.PASSED
        return [flag.kind.value for flag in verdict.flags]

    return play


def task(url: str, **changes: Any) -> Task:
    data = {
        "id": "t",
        "goal": "Get there.",
        "start_url": HOME,
        "checks": [{"name": "there", "get": "final_url", "metric": "url_matches", "expected": url}],
        "solution": [{"do": "click", "role": "link", "name": "Next"}],
    }
    return Task.model_validate({**data, **changes})


OPEN_NEXT = task(
    NEXT,
    checks=[
        {"name": "there", "get": "final_url", "metric": "url_matches", "expected": NEXT},
        {
            "name": "said",
            "get": "page_text",
            "metric": "include_exclude",
            "expected": {"must_include": ["You got here."]},
        },
    ],
)


def click(page: Page) -> None:
    page.get_by_role("link", name="Next").click()


def click_by_script(page: Page) -> None:
    assert page.evaluate("document.body.innerText.length") > 0
    page.evaluate("document.querySelector('a').click()")
    page.wait_for_url(NEXT)


def click_key(page: Page) -> None:
    page.get_by_role("link", name="Next").press("Enter")
    page.wait_for_url(NEXT)


def wander(page: Page) -> None:
    page.get_by_role("link", name="Form").click()
    page.get_by_label("Secret").fill("open sesame")
    page.get_by_label("Size").select_option("Large")
    page.go_back()
    click(page)
    page.get_by_role("link", name="Home").click()
    page.go_back()
    page.wait_for_url(NEXT)
    page.reload()


def use_tabs(page: Page) -> None:
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="New tab").click()
    opened.value.wait_for_load_state()
    other = page.context.new_page()
    other.goto(HOME)
    click(other)
    opened.value.bring_to_front()
    other.bring_to_front()


def open_beside(page: Page) -> None:
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Next").click(modifiers=["ControlOrMeta"])
    opened.value.bring_to_front()


def open_beside_by_wheel(page: Page) -> None:
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Next").click(button="middle")
    opened.value.bring_to_front()


def read_address(page: Page) -> None:
    page.get_by_role("link", name="Form").click()
    page.goto(HOME)
    page.goto(page.evaluate("document.querySelector('a').href"))


def use_a_wide_window(page: Page) -> None:
    page.set_viewport_size({"width": 1600, "height": 1000})
    click(page)


def block_others(page: Page) -> None:
    page.context.route("**/*.png", lambda route: route.fulfill(body=""))
    page.route("**/form", lambda route: route.abort())
    click(page)


HONEST = (
    click,
    click_by_script,
    click_key,
    wander,
    use_tabs,
    open_beside,
    open_beside_by_wheel,
    read_address,
    use_a_wide_window,
    block_others,
)


@pytest.mark.parametrize("act", HONEST)
def test_honest_agents_are_not_flagged(flags: Callable[[Task, Act], list[str]], act: Act) -> None:
    assert flags(OPEN_NEXT, act) == []


def open_menu(page: Page) -> None:
    page.locator("#menu").hover()
    page.get_by_role("link", name="Next").click()


def rest_on_tip(page: Page) -> None:
    page.locator("#tip").hover()


def drag_card(page: Page) -> None:
    page.locator("#card").drag_to(page.locator("#board"))


def drag_piece(page: Page) -> None:
    page.locator("#piece").drag_to(page.locator("#square"))


def drag_thumb(page: Page) -> None:
    page.mouse.move(40, 530)
    page.mouse.down()
    page.mouse.move(160, 530, steps=70)
    page.mouse.up()


def click_on_map(page: Page) -> None:
    page.locator("#map").click(position={"x": 150, "y": 20})


def upload_content(page: Page) -> None:
    photo = FilePayload(name="photo.txt", mimeType="text/plain", buffer=b"seven lamps")
    page.get_by_label("Photo").set_input_files([photo])


def upload_by_chooser(page: Page) -> None:
    with page.expect_file_chooser() as opened:
        page.get_by_text("Photo").click()
    photo = FilePayload(name="photo.txt", mimeType="text/plain", buffer=b"seven lamps")
    opened.value.set_files([photo])


GESTURES = (
    open_menu,
    rest_on_tip,
    drag_card,
    drag_piece,
    drag_thumb,
    click_on_map,
    upload_content,
    upload_by_chooser,
)


@pytest.mark.parametrize("act", GESTURES)
def test_what_the_pointer_did_is_done_again(
    flags: Callable[[Task, Act], list[str]], act: Act
) -> None:
    def use(page: Page) -> None:
        act(page)
        page.wait_for_url(NEXT)

    solution = [{"do": "hover", "role": "link", "name": "Next"}]
    assert flags(task(NEXT, start_url=HOME + "gestures", solution=solution), use) == []


def touch(page: Page) -> None:
    """An action that leads nowhere."""
    page.mouse.click(3, 3)


def push_state(page: Page) -> None:
    page.evaluate(
        "(html) => { history.pushState({}, '', '/next'); document.body.innerHTML = html }", PAGE
    )
    touch(page)


def write_document(page: Page) -> None:
    page.evaluate("history.replaceState({}, '', '/next')")
    page.evaluate("(html) => { document.open(); document.write(html); document.close() }", PAGE)
    touch(page)


def set_content(page: Page) -> None:
    page.evaluate("history.replaceState({}, '', '/next')")
    touch(page)
    page.set_content(PAGE)


def lead_by_script(page: Page) -> None:
    touch(page)
    page.evaluate("location.href = '/next'")
    page.wait_for_url(NEXT)


def add_link(page: Page) -> None:
    page.evaluate(
        "document.body.insertAdjacentHTML('afterbegin', '<a href=/next id=way>Way out</a>')"
    )
    page.locator("#way").click()
    page.wait_for_url(NEXT)


def answer_in_place(page: Page) -> None:
    page.context.route(FORM, _moved)
    page.get_by_role("link", name="Form").click()
    page.wait_for_url(NEXT)


def _moved(route: Route) -> None:
    body = f"<script>location.href = '{NEXT}'</script>"
    route.fulfill(status=200, content_type="text/html", body=body)


def answer_over_cdp(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Fetch.enable", {"patterns": [{"urlPattern": FORM}]})
    headers = [{"name": "location", "value": NEXT}]

    def answer(event: dict[str, Any]) -> None:
        moved = {"requestId": event["requestId"], "responseCode": 302, "responseHeaders": headers}
        session.send("Fetch.fulfillRequest", moved)

    session.on("Fetch.requestPaused", answer)
    page.get_by_role("link", name="Form").click()
    page.wait_for_url(NEXT)


def set_by_protocol(page: Page) -> None:
    page.evaluate("history.replaceState({}, '', '/next')")
    touch(page)
    session = page.context.new_cdp_session(page)
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    body = session.send("DOM.querySelector", {"nodeId": root, "selector": "body"})["nodeId"]
    session.send("DOM.setOuterHTML", {"nodeId": body, "outerHTML": f"<body>{PAGE}</body>"})


def change_while_captured(page: Page) -> None:
    touch(page)
    page.evaluate(
        """(html) => addEventListener('scroll', () => {
          history.replaceState({}, '', '/next');
          document.body.innerHTML = html;
        }, { once: true })""",
        PAGE,
    )
    page.evaluate("document.body.style.height = '5000px'; scrollTo(0, 10)")
    page.wait_for_url(NEXT)


FAKES = (
    push_state,
    write_document,
    set_content,
    lead_by_script,
    add_link,
    answer_in_place,
    answer_over_cdp,
    set_by_protocol,
    change_while_captured,
)


@pytest.mark.parametrize("act", FAKES)
def test_what_was_faked_does_not_come_back(
    flags: Callable[[Task, Act], list[str]], act: Act
) -> None:
    assert "not repeated" in flags(OPEN_NEXT, act)


def test_opened_addresses_are_flagged_although_they_pass_again(
    flags: Callable[[Task, Act], list[str]],
) -> None:
    def open_address(page: Page) -> None:
        page.get_by_role("link", name="Form").click()
        page.goto(NEXT)

    assert flags(OPEN_NEXT, open_address) == ["opened by address"]


STORED = task(
    HOME,
    checks=[
        {
            "name": "chosen",
            "get": {"type": "storage", "keys": ["unit"]},
            "metric": "json_object_match",
            "expected": {"unit": "km"},
        }
    ],
)


def test_storage_that_no_page_wrote_does_not_come_back(
    flags: Callable[[Task, Act], list[str]],
) -> None:
    def store(page: Page) -> None:
        touch(page)
        page.evaluate("localStorage.setItem('unit', 'km')")

    assert flags(STORED, store) == ["not repeated"]


def test_answers_in_place_of_servers_are_noticed_the_second_time(
    flags: Callable[[Task, Act], list[str]],
    mini_browser: Browser,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new_context = mini_browser.new_context

    def intercepted(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.route(FORM, lambda route: route.fulfill(status=302, headers={"location": NEXT}))
        return context

    def follow(page: Page) -> None:
        page.get_by_role("link", name="Form").click()
        page.wait_for_url(NEXT)

    monkeypatch.setattr(mini_browser, "new_context", intercepted)
    assert flags(OPEN_NEXT, follow) == ["not repeated", "intercepted"]
