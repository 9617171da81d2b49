"""Our own world in a page's frames: hidden from the page, and never taken for another one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Page

from pytest_webbench.browser.cdp_session import HARNESS_WORLD
from pytest_webbench.browser.isolated_world import IsolatedWorld, WorldScript
from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.task.script import Click
from pytest_webbench.world import World
from tests.support.mini_suite import HOME

pytestmark = pytest.mark.browser
COUNTER = WorldScript("counter", "globalThis.count = (globalThis.count || 0) + 1")


@pytest.fixture
def tab(mini_browser: Browser, world: World) -> Iterator[Page]:
    page = mini_browser.new_page(**world.context_args())
    yield page
    page.context.close()


def world_of(page: Page, script: WorldScript = HARNESS_WORLD) -> IsolatedWorld:
    return IsolatedWorld(page, page.context.new_cdp_session(page), script)


def test_pages_neither_see_nor_change_the_world(tab: Page) -> None:
    tab.set_content("<script>JSON.stringify = () => 'forged'; var visible = 1</script>")
    world = world_of(tab, COUNTER)
    assert world.evaluate("JSON.stringify([1])") == "[1]"
    assert world.evaluate("typeof visible") == "undefined"
    assert tab.evaluate("typeof count") == "undefined"


def test_script_runs_once_per_document(tab: Page) -> None:
    world = world_of(tab, COUNTER)
    assert [world.evaluate("count"), world.evaluate("count")] == [1, 1]
    tab.goto(HOME)
    assert [world.evaluate("count"), world.evaluate("location.href")] == [1, HOME]


def test_promises_are_awaited_and_errors_explained(tab: Page) -> None:
    world = world_of(tab)
    assert world.evaluate("Promise.resolve({a: null})", wait=True) == {"a": None}
    with pytest.raises(Error, match="in-page script failed: .*nothing here"):
        world.evaluate("(() => { throw new Error('nothing here') })()")


def test_expression_is_evaluated_once_despite_a_navigation(tab: Page) -> None:
    world = world_of(tab)
    world.evaluate("1")
    with pytest.raises(Error):
        world.evaluate(
            "new Promise(() => { location.href = 'about:blank#2'; location.reload() })", wait=True
        )


def test_frames_of_any_site_have_an_isolated_world(tab: Page) -> None:
    tab.set_content("<iframe sandbox srcdoc='<b>in</b>'></iframe><p></p>")
    world = world_of(tab)
    inner = world.within("document.querySelector('iframe')")
    assert inner.evaluate("document.body.textContent") == "in"
    for element, why in (("document.querySelector('p')", "holds no frame"), ("null", "is gone")):
        with pytest.raises(Error, match=why):
            world.within(element)


@pytest.mark.parametrize("scripts", [True, False])
def test_script_steps_work_under_a_strict_policy(
    mini_browser: Browser, world: World, scripts: bool
) -> None:
    context = mini_browser.new_context(**world.context_args(), java_script_enabled=scripts)
    page = context.new_page()
    page.route(
        "**/boxed",
        lambda route: route.fulfill(
            content_type="text/html",
            headers={"content-security-policy": "sandbox"},
            body="<a href='#done'>Go</a>",
        ),
    )
    page.goto(HOME + "boxed")
    StepPerformer().perform(page, Click(do="click", role="link", name="Go"))
    assert page.url.endswith("#done")
    context.close()
