"""Observations list what Chromium's accessibility tree lists, by role and name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright

from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.observer import Observer
from pytest_webbench.world import World, open_world

pytestmark = pytest.mark.browser

SUITE_C = Path(__file__).parents[2] / "suites" / "suite_c"
WIDGETS = {
    "link",
    "button",
    "textbox",
    "searchbox",
    "combobox",
    "checkbox",
    "radio",
    "spinbutton",
    "slider",
    "switch",
    "tab",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "treeitem",
}
# Chromium has finer names for these.
SAME = {
    "DisclosureTriangle": "button",
    "Date": "textbox",
    "DateTime": "textbox",
    "InputTime": "textbox",
    "ColorWell": "textbox",
}
COMPOSED = {"Date", "DateTime", "InputTime"}
NAMES = (Path(__file__).parent / "names.html").read_text(encoding="utf-8")
# Chromium lists these too; nobody can see them.
UNSEEN = {("link", "skip"), ("button", "unseen")}


def frames(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", ()):
        yield from frames(child)


def in_accessibility_tree(page: Page) -> Counter[tuple[str, str]]:
    """Roles and names of the widgets that Chromium lists; letter case left out, for it applies
    ``text-transform``.
    """
    session = page.context.new_cdp_session(page)
    found: Counter[tuple[str, str]] = Counter()
    for frame in frames(session.send("Page.getFrameTree")["frameTree"]):
        nodes = {
            node["nodeId"]: node
            for node in session.send("Accessibility.getFullAXTree", {"frameId": frame})["nodes"]
        }
        for node in nodes.values():
            role = SAME.get(node["role"]["value"], node["role"]["value"])
            if role in WIDGETS and not node.get("ignored") and not part_of_control(nodes, node):
                found[role, " ".join(node.get("name", {}).get("value", "").split()).casefold()] += 1
    session.detach()
    return found


def part_of_control(nodes: dict[str, dict[str, Any]], node: dict[str, Any]) -> bool:
    """Whether it is one of the browser's own parts of a control, such as the days of a date
    field.
    """
    above = nodes.get(node.get("parentId", ""))
    return above is not None and (
        above["role"]["value"] in COMPOSED or part_of_control(nodes, above)
    )


def observed(page: Page) -> Counter[tuple[str, str]]:
    seen = Observer(elements=5000).look(page)
    return Counter(
        (one.role, one.name.casefold()) for one in seen.elements if one.role != "clickable"
    )


def same(page: Page, unseen: Collection[tuple[str, str]] = ()) -> int:
    """How many widgets there are; fails unless both ways list the same."""
    expected = in_accessibility_tree(page)
    for one in unseen:
        del expected[one]
    ours = observed(page)
    assert sorted((expected - ours).elements()) == [], "missing"
    assert sorted((ours - expected).elements()) == [], "too many"
    return expected.total()


def test_names_and_roles_agree_with_the_accessibility_tree(
    mini_browser: Browser, world: World
) -> None:
    page = mini_browser.new_page(**world.context_args())
    page.set_content(NAMES)
    assert same(page, UNSEEN) == 57
    page.goto("https://mini.test/form")
    assert same(page) == 6
    page.close()


@pytest.fixture(scope="module")
def suite_c(playwright: Playwright) -> Iterator[Page]:
    world = open_world("replica", SUITE_C)
    provider = browser_provider(playwright, {}, "local")
    page = provider.acquire(world).new_page(**world.context_args())
    yield page
    provider.release()
    world.close()


def start_urls() -> dict[str, str]:
    lines = (
        (path.stem, path.read_text(encoding="utf-8"))
        for path in sorted((SUITE_C / "tasks").glob("*.yaml"))
    )
    return {
        task: line.partition(": ")[2].strip().strip("'\"")
        for task, text in lines
        for line in text.splitlines()
        if line.startswith("start_url: ")
    }


SOME = (
    "datagov-state-vehicle-registrations",
    "freesound-cc0-short-whoosh",
    "lichess-editor-castling-position",
    "scryfall-restricted-instant",
)


# Anchors without an address: the accessibility tree calls them links because scripts listen for
# clicks on them, which no script of ours can see.
NOT_LISTED = {
    "lichess-editor-castling-position": (("link", "clear board"), ("link", "starting position")),
}


@pytest.mark.parametrize(
    "task",
    [pytest.param(task, marks=() if task in SOME else pytest.mark.slow) for task in start_urls()],
)
def test_suite_c_pages_agree_with_the_accessibility_tree(suite_c: Page, task: str) -> None:
    suite_c.goto(start_urls()[task])
    suite_c.wait_for_load_state(
        "networkidle"
    )  # some pages fetch their lists after they have loaded
    assert same(suite_c, NOT_LISTED.get(task, ())) > 1
