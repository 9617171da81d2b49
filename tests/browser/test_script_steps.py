"""Steps of scripts that are more than a click: sliders, dragging, files, dialogs, values read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Playwright
from pydantic import TypeAdapter

from pytest_webbench import Budget, TaskBrief
from pytest_webbench.agents.load import script_agent
from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.browser.session import Session
from pytest_webbench.errors import StepError
from pytest_webbench.task import ScriptStep
from pytest_webbench.testing import page_server, run_task, task

pytestmark = pytest.mark.browser

STEP: TypeAdapter[ScriptStep] = TypeAdapter(ScriptStep)
PAGE = """
<label>Price <input type=range min=0 max=100 step=5 value=50 id=native></label>
<div role=slider tabindex=0 aria-label=Own aria-valuemin=0 aria-valuemax=9 aria-valuenow=3
     id=own></div>
<div role=slider tabindex=0 aria-label=Stuck aria-valuenow=3></div>
<div role=slider tabindex=0 aria-label=Mute></div>
<ul aria-label=Shelf><li draggable=true aria-label=Lamp id=lamp>Lamp</li></ul>
<div role=list aria-label=Cart id=cart style="height: 60px"></div>
<label>Photo <input type=file id=photo></label>
<label>Papers <input type=file multiple id=papers></label>
<button onclick="this.textContent = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>
<button onclick="setTimeout(() => alert('later'), 50)">Later</button>
<button id=plain>Plain</button>
<label>Search <input id=search onkeydown="this.title = event.key"></label>
<script>
  const own = document.getElementById("own");
  const set = (value) => own.setAttribute("aria-valuenow", Math.max(0, Math.min(9, value)));
  const MOVES = {ArrowRight: 1, ArrowLeft: -1, Home: -9, End: 9};
  own.onkeydown = (event) => set(Number(own.getAttribute("aria-valuenow")) + MOVES[event.key]);
  const cart = document.getElementById("cart");
  cart.ondragover = (event) => event.preventDefault();
  cart.ondrop = () => cart.append(document.getElementById("lamp"));
</script>
"""


def step(do: str, role: str, name: str, **options: Any) -> ScriptStep:
    return STEP.validate_python({"do": do, "role": role, "name": name, **options})


@pytest.fixture
def suite_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    (folder / "files").mkdir(parents=True)
    (folder / "files/lamp.jpg").write_bytes(b"a lamp")
    (folder / "files/list.txt").write_text("a list")
    (tmp_path / "secret.txt").write_text("none of the suite's")
    (folder / "files/link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


def test_gestures_do_what_a_user_does(session: Session, suite_folder: Path) -> None:
    page, performer = session.page, StepPerformer(files=suite_folder)
    page.set_content(PAGE)

    def shown(script: str, *steps: ScriptStep) -> Any:
        for one in steps:
            performer.perform(page, one)
        return page.evaluate(script)

    assert shown("native.value", step("slide", "slider", "Price", to=85)) == "85"
    assert shown("native.value", step("slide", "slider", "Price", to="0")) == "0"
    for wanted in ("7", "9", "1", "0", "1"):
        moved = step("slide", "slider", "Own", to=wanted)
        assert shown("own.getAttribute('aria-valuenow')", moved) == wanted
    onto = {"role": "list", "name": "Cart"}
    assert shown("cart.textContent", step("drag", "listitem", "Lamp", to=onto)) == "Lamp"
    photo = step("upload", "button", "Photo", files=["files/lamp.jpg"])
    assert shown("photo.files[0].name", photo) == "lamp.jpg"
    papers = step("upload", "button", "Papers", files=["files/lamp.jpg", "files/list.txt"])
    assert shown("papers.files.length", papers) == 2
    accepted = step("click", "button", "Ask", dialog="accept")
    assert shown("document.querySelector('button').textContent", accepted) == "Yes"
    refused = step("click", "button", "Yes", dialog="dismiss")
    assert shown("document.querySelector('button').textContent", refused) == "No"
    # Without a word on dialogs, they are dismissed, also after one that was accepted.
    asked = step("click", "button", "No")
    assert shown("document.querySelector('button').textContent", asked) == "No"
    performer.perform(page, step("click", "button", "Later", dialog="accept"))
    pressed = step("press", "textbox", "Search", key="ArrowDown")
    assert shown("search.title", pressed) == "ArrowDown"


def test_gesture_that_cannot_be_done_says_why(session: Session, suite_folder: Path) -> None:
    page, performer = session.page, StepPerformer(files=suite_folder)
    page.set_content(PAGE)

    def refusal(one: ScriptStep) -> str:
        with pytest.raises(StepError) as caught:
            performer.perform(page, one)
        return str(caught.value)

    price = refusal(step("slide", "slider", "Price", to=62))
    assert "from 0 to 100 in steps of 5" in price
    assert "goes no nearer" in refusal(step("slide", "slider", "Stuck", to=5))
    assert "goes no nearer" in refusal(step("slide", "slider", "Own", to=4.5))
    assert "aria-valuenow" in refusal(step("slide", "slider", "Mute", to=5))
    assert "'much' is not a number" in refusal(step("slide", "slider", "Own", to="much"))
    missing = refusal(step("upload", "button", "Photo", files=["files/lmap.jpg"]))
    assert "unknown file 'files/lmap.jpg'; did you mean 'files/lamp.jpg'?" in missing
    outside = refusal(step("upload", "button", "Photo", files=["files/link.txt"]))
    assert "leads out of the suite's folder" in outside
    assert "one file only" in refusal(
        step("upload", "button", "Photo", files=["files/lamp.jpg", "files/list.txt"])
    )
    assert "no dialog opened" in refusal(step("click", "button", "Plain", dialog="accept"))


SHOP = {
    "/": """<title>Shop</title><h1>Lamps</h1><ul id=lamps></ul><script>
      setTimeout(() => lamps.innerHTML = `
        <li><a href="/brass">Brass "17"</a> <span class=price>$1,049.90</span></li>
        <li><a href="/oak">Oak "3"</a> <span class=price>$935.00</span></li>`, 300);
      </script>""",
    "/oak": "<title>Oak lamp</title><h1>Oak lamp</h1><p class=count>12 reviews</p>",
    "/brass": "<title>Brass lamp</title><h1>Brass lamp</h1>",
}
FIELDS = {"name": "a", "price": ".price", "link": {"selector": "a", "attr": "href"}}
SCHEMA = {
    "type": "object",
    "required": ["lamp", "price", "reviews"],
    "properties": {"price": {"type": "number"}, "reviews": {"type": "integer"}},
}
SOLUTION = [
    {
        "do": "read",
        "get": {"type": "dom_rows", "row": "li", "fields": FIELDS, "pick": {"least": "price"}},
        "as": "best",
    },
    {"do": "goto", "url": "{{best.link}}"},
    {"do": "read", "get": {"type": "visible_text", "selector": ".count"}, "as": "count"},
    {
        "do": "done",
        "answer": '{"lamp": "{{best.name}}", "price": {{best.price}}, "reviews": {{count}}}',
    },
]


def test_values_that_were_read_are_used_later(tmp_path: Path, playwright: Playwright) -> None:
    says = {"get": "agent_answer", "metric": "answer_match"}
    expected = {"lamp": 'Oak "3"', "price": 935, "reviews": 12}
    with page_server(SHOP) as url:
        wanted = task(
            start_url=url,
            answer="json",
            answer_schema=SCHEMA,
            checks=[{"name": "the cheapest", **says, "expected": expected}],
            solution=SOLUTION,
        )
        agent = script_agent(wanted.solution, StepPerformer())
        done = run_task(wanted, agent, tmp_path, playwright=playwright)
    assert done.explanation == ""
    assert done.evidence.answer == '{"lamp": "Oak \\"3\\"", "price": 935, "reviews": 12}'
    assert done.evidence.page is not None
    assert done.evidence.page.url == f"{url}oak"
    assert done.evidence.reads == {}


PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]>>endobj"
LINKS = """<title>Papers</title><h1>Papers</h1>
  <a href=/manual.pdf>Manual</a> <a href=/terms.pdf target=_blank>Terms</a>"""


class OpensPapers:
    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> None:
        for name in ("Manual", "Terms"):
            with page.context.expect_event("download"):
                page.get_by_role("link", name=name).click()
        with page.context.expect_event("download"), suppress(Error):
            page.goto(f"{brief.start_url}manual.pdf?typed")


def test_downloaded_pdf_is_a_page_seen(tmp_path: Path, playwright: Playwright) -> None:
    manual = {"type": "pages_seen", "url_pattern": r"/manual\.pdf$", "how": ["click"]}
    check = {"name": "the manual was open", "get": manual, "metric": "count_in_range"}
    with page_server({"/": LINKS, "/manual.pdf": PDF, "/terms.pdf": PDF}) as url:
        wanted = task(start_url=url, checks=[{**check, "expected": {"min": 1}}])
        done = run_task(wanted, OpensPapers(), tmp_path, playwright=playwright)
    assert done.explanation == ""
    first, *papers = done.evidence.pages_seen
    assert (first.url, first.download, first.final) == (url, None, True)
    assert [(one.url, one.download, one.how.value) for one in papers] == [
        (f"{url}manual.pdf", "manual.pdf", "click"),
        (f"{url}terms.pdf", "terms.pdf", "click"),
        (f"{url}manual.pdf?typed", "manual.pdf", "typed"),
    ]
    assert {(one.opened_from, one.final) for one in papers} == {(1, False)}


class EndsAtOnce:
    """Opens a paper in some way, and is done before it is there."""

    def __init__(self, name: str) -> None:
        self._name = name

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> None:
        del brief, budget
        page.get_by_role("link", name=self._name).click()


@pytest.mark.parametrize("name", ["Manual", "Terms"])
def test_pdf_that_was_opened_last_is_a_page_seen(
    tmp_path: Path, playwright: Playwright, name: str
) -> None:
    with page_server({"/": LINKS, "/manual.pdf": PDF, "/terms.pdf": PDF}) as url:
        wanted = task(
            start_url=url,
            checks=[
                {
                    "name": "a paper",
                    "get": {"type": "pages_seen", "url_pattern": r"\.pdf$"},
                    "metric": "count_in_range",
                    "expected": {"min": 1},
                }
            ],
        )
        for number in range(4):
            agent = EndsAtOnce(name)
            done = run_task(wanted, agent, tmp_path / str(number), playwright=playwright)
            assert [one.download for one in done.evidence.pages_seen] == [
                None,
                f"{name.lower()}.pdf",
            ]
            assert done.evidence.page is not None
            assert done.evidence.page.url == url
