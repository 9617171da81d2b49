"""The HTML report in a real browser, opened from disk and served."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, Playwright, expect

from pytest_webbench.browser.find import find_browser
from pytest_webbench.report.html import write_report
from pytest_webbench.report.html.serve import report_app
from pytest_webbench.run import RunDir
from pytest_webbench.run.annotations import Note, add_note, read_notes
from tests.support.recorded_run import element, make_recorded_run, step
from tests.support.report_run import HOSTILE, make_run, serving

pytestmark = pytest.mark.browser

EPISODE = "#/episode/0/shop/alpha/task-1/1"
VIEWS = (
    "#/",
    "#/tasks",
    "#/charts",
    "#/compare",
    EPISODE,
    "#/diff/0/shop/alpha/task-0/1/1/shop/alpha/task-0/1",
)


@dataclass(frozen=True, kw_only=True)
class Written:
    run: RunDir
    index: Path


@pytest.fixture(scope="module")
def browser_(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=find_browser().path)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def written(browser_: Browser, tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Two hostile runs compared, with a hostile note; the element of every step is at 100, 50 of a
    page 1280 wide.
    """
    page = browser_.new_page(viewport={"width": 1280, "height": 720})
    page.set_content(
        "<body style='margin:0;background:#dde'><a "
        "style='position:absolute;left:100px;top:50px'>lamp</a>"
    )
    picture = page.screenshot(type="jpeg")
    page.close()
    folder = tmp_path_factory.mktemp("runs")
    run = make_run(folder / "one", picture=picture)
    other = make_run(
        folder / "two", outcomes=("failed", "failed", "passed"), agents=("alpha",), picture=picture
    )
    about = {
        "suite": "shop",
        "task": "task-1",
        "agent": "alpha",
        "text": HOSTILE,
        "author": HOSTILE[:70],
    }
    add_note(
        run.path,
        Note.model_validate({"id": "0" * 16, "kind": "dispute", "outcome": "passed", **about}),
    )
    return Written(run=run, index=write_report(run, other))


class Watched:
    """What a page does that no report should."""

    def __init__(self, page: Page) -> None:
        self.dialogs: list[str] = []
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("dialog", self._dismiss)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


@pytest.fixture
def page(browser_: Browser) -> Iterator[Page]:
    context = browser_.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def show(page: Page, index: Path | str, view: str) -> None:
    """A view with all its parts open."""
    address = index.as_uri() if isinstance(index, Path) else index
    page.goto("about:blank")
    page.goto(f"{address}{view}")
    page.wait_for_selector("main h1")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


def test_hostile_texts_never_become_scripts(page: Page, written: Written) -> None:
    seen = Watched(page)
    for view in VIEWS:
        show(page, written.index, view)
        if view == EPISODE:
            expect(page.locator(".goal")).to_contain_text(HOSTILE[:40])
            expect(page.locator(".note-text")).to_have_text(HOSTILE)
            page.get_by_role("button", name="Show the archived page").click()
            frame = page.frame_locator("iframe")
            expect(frame.locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
            frame.locator("a").click()
            frame.locator("button").click()
        for frame_ in page.frames:
            assert (
                frame_.evaluate("[window.pwned, document.querySelectorAll('script').length]")[0]
                is None
            )
        assert (
            page.evaluate(
                "[...document.querySelectorAll('a')].filter(a => "
                "/^(javascript|data):/i.test(a.href)).length"
            )
            == 0
        )
        assert (
            page.evaluate(
                "document.querySelectorAll('main script, main img[src=x], main [onload]').length"
            )
            == 0
        )
    assert seen.dialogs == []
    assert seen.errors == []
    assert [
        url for url in seen.requests if not url.startswith(("file:///", "data:image/png", "about:"))
    ] == []


def violations(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]


def test_views_are_accessible(page: Page, written: Written) -> None:
    for view in ("#/", "#/tasks", EPISODE):
        show(page, written.index, view)
        assert violations(page) == [], view


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_views_are_accessible_in_light_and_dark(page: Page, written: Written, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    for view in VIEWS:
        show(page, written.index, view)
        assert violations(page) == [], view
    page.keyboard.press("?")
    assert violations(page) == []


def test_views_fit_a_phone(page: Page, written: Written) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for view in VIEWS:
        show(page, written.index, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view


def test_tasks_are_found_and_opened_with_the_keyboard(page: Page, written: Written) -> None:
    show(page, written.index, "#/")
    page.keyboard.press("/")
    page.keyboard.type("task-1")
    expect(page.get_by_role("status")).to_have_text("1 task of 3, 3 episodes")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("task-1")
    assert page.evaluate("location.hash").startswith("#/episode/1/shop/alpha/task-1/1")
    page.keyboard.press("]")
    expect(page.locator(".facts.strip")).to_contain_text("beta in one")
    page.keyboard.press("Escape")
    expect(page.get_by_role("status")).to_have_text("1 task of 3, 3 episodes")


def test_filters_are_part_of_the_address(page: Page, written: Written) -> None:
    show(page, written.index, "#/tasks?outcome=unscored&agent=0%20alpha")
    expect(page.get_by_role("status")).to_have_text("1 task of 3, 1 episode")
    page.get_by_label("Outcome").select_option("failed")
    expect(page.get_by_role("status")).to_have_text("1 task of 3, 1 episode")
    assert "outcome=failed" in page.evaluate("location.hash")


def test_step_is_marked_where_it_acted(page: Page, written: Written) -> None:
    show(page, written.index, f"{EPISODE}?step=1")
    expect(page.locator(".caption")).to_contain_text("1 of 2")
    picture, mark = (page.locator(f".stage {part}").bounding_box() for part in ("img", ".mark"))
    assert picture
    assert mark
    scale = picture["width"] / 1280
    assert mark["x"] - picture["x"] == pytest.approx(97 * scale, abs=1.5)
    assert mark["y"] - picture["y"] == pytest.approx(47 * scale, abs=1.5)
    assert mark["width"] == pytest.approx(206 * scale, abs=1.5)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text("2 of 2")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text("final page")
    expect(page.locator(".mark")).to_be_hidden()
    assert page.evaluate("location.hash").endswith("?step=3")


def test_step_without_a_screenshot_is_not_marked(page: Page, tmp_path: Path) -> None:
    page.set_content("<p>lamp")
    run = make_run(tmp_path / "one", agents=("alpha",), picture=page.screenshot(type="jpeg"))
    shots = run.path / "episodes" / "alpha" / "task-1" / "shots.jsonl"
    shots.write_text(shots.read_text().replace("shop.test", "other.test"))
    show(page, write_report(run), f"{EPISODE}?step=1")
    expect(page.locator(".caption")).to_contain_text("picture of an earlier moment")
    expect(page.locator(".stage img")).to_be_visible()
    expect(page.locator(".mark")).to_be_hidden()


def test_annotations_are_saved_by_the_server_and_shown_from_disk(
    page: Page, written: Written
) -> None:
    seen = Watched(page)
    with serving(
        report_app(written.index, [written.run, RunDir(written.run.path.with_name("two"))])
    ) as address:
        show(page, f"{address}/report/index.html", "#/episode/1/shop/alpha/task-2/1")
        page.get_by_label("Text", exact=True).fill(f"looks right to me {HOSTILE}")
        page.get_by_label("Kind").select_option("dispute")
        page.get_by_label("It should be").select_option("passed")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".note-head")).to_contain_text("should be passed")
        expect(page.locator(".stage img")).to_have_js_property("complete", True)
        assert page.locator(".stage img").evaluate("image => image.naturalWidth") == 1280
        assert violations(page) == []
    assert [one.outcome for one in read_notes(written.run.path.with_name("two"))] == ["passed"]
    show(page, written.index, "#/episode/1/shop/alpha/task-2/1")
    expect(page.locator(".note-text")).to_have_text(f"looks right to me {HOSTILE}")
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    assert (seen.dialogs, seen.errors) == ([], [])


def test_large_tables_render_only_visible_rows(
    page: Page, written: Written, tmp_path: Path
) -> None:
    index = tmp_path / "report" / "index.html"
    source = written.index.parent
    for name in ("index.html", "data/overview.js", "data/notes.js"):
        (index.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (index.parent / name).write_bytes((source / name).read_bytes())
    tasks = [
        {"suite": "s", "id": f"t-{n}", "site": "a.test", "tags": [], "goal": f"goal {n}"}
        for n in range(5_000)
    ]
    columns = {
        "run": 0,
        "task": list(range(5_000)),
        "agent": 0,
        "repeat": 1,
        "outcome": 1,
        "reason": 0,
        "flags": 0,
        "ending": 0,
        "worker": 0,
        "why": 0,
        "steps": 3,
        "seconds": 1,
        "acting": 1,
        "started": None,
        "attempts": 1,
        "calls": 0,
        "tokens": 0,
        "cost": None,
        "chunk": 0,
    }
    words = {"agent": ["a"], "ending": ["done"]}
    words |= {name: [""] for name in ("reason", "flags", "worker", "why")}
    text = json.dumps(
        json.dumps({"tasks": tasks, "words": words, "columns": columns, "count": 5_000})
    )
    (index.parent / "data" / "items.js").write_text(f'webbench("items", {text});')
    show(page, index, "#/tasks")
    expect(page.get_by_role("status")).to_have_text("5,000 tasks of 5,000, 5,000 episodes")
    assert page.locator(".rows [role=row]").count() < 80
    page.keyboard.press("End")
    expect(page.locator(".cell.active")).to_have_attribute("id", "cell-4999-0")
    expect(page.locator(".rows [role=row]").last).to_contain_text("t-4999")


def test_recorded_step_is_shown_with_target_and_choice(page: Page, tmp_path: Path) -> None:
    wrong = {
        "prediction": {"ref": "e2", "op": "TYPE", "value": HOSTILE},
        "elements": [element("target", "4", "e1"), element("chosen", "5", "e2", role="button")],
        "why": f"another element was chosen {HOSTILE}",
    }
    right = {"prediction": {"ref": "e1", "op": "CLICK"}}
    steps = [step("t", 0, "link", **wrong), step("t", 1, "button", **right)]
    index = write_report(make_recorded_run(tmp_path / "r", steps, agent="model"))
    seen = Watched(page)
    show(page, index, "#/")
    assert violations(page) == []
    rows = page.locator(".roles tbody tr")
    expect(rows.nth(0)).to_contain_text("all roles212 of 2100.0 %")
    expect(rows.nth(2)).to_contain_text("0 of 1")
    show(page, index, "#/tasks")
    expect(page.get_by_role("status")).to_have_text("2 of 2 recorded steps, of 1 task, 2 episodes")

    show(page, index, "#/episode/0/recorded/model/t-0/1")
    frame = page.frame_locator("iframe.recorded")
    expect(frame.locator("#node-4")).to_have_css("outline-style", "solid")
    expect(frame.locator("#node-5")).to_have_css("box-shadow", re.compile(r"rgb\(36, 83, 184\)"))
    frame.locator("#node-4").click()
    frame.locator("#node-5").click()
    card = page.locator(".card", has=page.get_by_role("heading", name="Target and choice"))
    expect(card).to_contain_text("another element was chosen")
    expect(card.locator(".marked").nth(1)).to_contain_text("button")
    card.get_by_role("link", name="show").first.click()
    expect(frame.locator("#node-4:target")).to_be_visible()
    assert page.locator("dt", has_text=re.compile("^steps$")).count() == 0
    assert violations(page) == []
    assert seen.dialogs == []
    assert seen.errors == []
    assert [url for url in seen.requests if not url.startswith(("file:///", "about:"))] == []
