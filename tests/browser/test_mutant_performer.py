"""Steps that the open page decides: each finds its element, or says that there is none."""

from __future__ import annotations

import pytest

from pytest_webbench.browser.mutant_performer import MutantPerformer
from pytest_webbench.browser.session import Session
from pytest_webbench.errors import StepError
from pytest_webbench.judge.episode_mutants import PageStep
from pytest_webbench.task.script import Click, Select, SetChecked, Type

pytestmark = pytest.mark.browser

LINK = Click(do="click", role="link", name="B")
BUTTON = Click(do="click", role="button", name="Send")
BOX = SetChecked(do="check", role="checkbox", name="B")
SORT = Select(do="select", role="combobox", name="Sort", option="B")
FIELD = Type(do="type", role="textbox", name="Word", text="lamp")
ROWS = "<table>{}</table>".format(
    "".join(f"<tr><td><a href='/i/{x}'>{x}</a> <a href='/by/{x}'>by</a>" for x in "ABC")
)


def show(session: Session, body: str) -> None:
    session.page.evaluate("body => { document.body.innerHTML = body }", body)


@pytest.mark.parametrize(
    ("body", "opened"),
    [
        ("<ul><li><a href='#a'>A</a><li><a href='#b'>B</a><li><a href='#c'>C</a></ul>", "#c"),
        ("<ul><li><a href='#a'>A</a><li><a href='#b'>B</a></ul>", "#a"),
        ("<a href='#a'>A</a> <a href='#b'>B</a>", "#a"),
        (ROWS, "/i/C"),
        ("<div><h3><a href='#a'>A</a></h3></div><div><h3><a href='#b'>B</a></h3></div>", "#a"),
        (
            "<ul><li><a href='#b'>B</a><li hidden><a href='#x'>X</a><li><a href='#c'>C</a></ul>",
            "#c",
        ),
    ],
)
def test_neighbour_is_the_next_item_of_the_list(session: Session, body: str, opened: str) -> None:
    show(session, body)
    MutantPerformer().perform(session.page, PageStep("neighbour", LINK))
    assert session.page.url.endswith(opened)


@pytest.mark.parametrize(
    ("body", "ticked"),
    [
        (
            "<label><input type=checkbox id=b> B</label>"
            "<label><input type=checkbox id=c> C</label>",
            "c",
        ),
        (
            "<label><input type=checkbox id=a> A</label><label><input type=checkbox id=b> B</label>"
            "<label><input type=checkbox id=c checked> C</label>",
            "a",
        ),
    ],
)
def test_other_box_is_one_of_the_group_that_is_not_ticked(
    session: Session, body: str, ticked: str
) -> None:
    show(session, body)
    MutantPerformer().perform(session.page, PageStep("other-box", BOX))
    assert session.page.evaluate("id => document.getElementById(id).checked", ticked)


@pytest.mark.parametrize(("ask", "chosen"), [("other-option", "C"), ("first-option", "A")])
def test_options(session: Session, ask: str, chosen: str) -> None:
    show(session, "<select aria-label=Sort><option>A<option>B<option>C<option disabled>D</select>")
    step = PageStep("other-option" if ask == "other-option" else "first-option", SORT)
    MutantPerformer().perform(session.page, step)
    assert session.page.locator("select").input_value() == chosen


FORM = "<form action='/next'><input name=word aria-label=Word><button>Send</button></form>"


def test_enter_and_button_replace_each_other(session: Session) -> None:
    performer = MutantPerformer()
    for step in (PageStep("submit"), PageStep("enter", BUTTON)):
        session.page.goto("https://mini.test/")
        show(session, FORM)
        performer.perform(session.page, FIELD)
        performer.perform(session.page, step)
        # A script's steps do not wait for what they lead to; the next one would.
        session.page.wait_for_url("**/next?*")
        assert session.page.url == "https://mini.test/next?word=lamp"


def test_looking_around_returns_to_the_page(session: Session) -> None:
    MutantPerformer().perform(session.page, PageStep("look-around"))
    assert session.page.url == "https://mini.test/"
    assert session.page.evaluate("history.length") == 3


@pytest.mark.parametrize(
    ("step", "body"),
    [
        (PageStep("neighbour", LINK), "<p><a href='#b'>B</a></p>"),
        (PageStep("neighbour", LINK), "<a href='#b'>B</a> <a href='https://other.test/'>C</a>"),
        (PageStep("other-box", BOX), "<label><input type=checkbox> B</label>"),
        (PageStep("other-option", SORT), "<select aria-label=Sort><option>B</select>"),
        (PageStep("first-option", SORT), "<select aria-label=Sort><option>B<option>C</select>"),
        (PageStep("submit"), "<input autofocus>"),
        (PageStep("enter", BUTTON), "<input><button>Send</button>"),
        (PageStep("enter", BUTTON), "<form><input><button>X</button><button>Send</button></form>"),
        (PageStep("look-around"), "<a href='https://other.test/'>away</a> <a href='#x'>here</a>"),
    ],
)
def test_page_without_a_match_is_reported(session: Session, step: PageStep, body: str) -> None:
    show(session, body)
    with pytest.raises(StepError, match=f"{step.ask}.*(offers nothing|no other option)"):
        MutantPerformer().perform(session.page, step)
