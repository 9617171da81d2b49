"""Acting on an observation: every action, trusted input, clear reasons for refusals."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pytest_webbench.browser.actions import (
    Action,
    Back,
    Blocked,
    Click,
    ClickAt,
    Done,
    Drag,
    Hover,
    Press,
    Scroll,
    SelectOption,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)
from pytest_webbench.browser.executor import ActionExecutor
from pytest_webbench.browser.observation import Element, Observation, Panel
from pytest_webbench.browser.observer import Observer
from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.browser.session import Session
from pytest_webbench.errors import StepError
from pytest_webbench.task.script import SetChecked, Type
from pytest_webbench.world import World
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser
LOG = "<script>log = []; const note = (event) => log.push(`${event.type} ${event.target.id} ${event.isTrusted}`);</script>"


class Person:
    """Looks, and acts on elements by their names."""

    def __init__(self, page: Page, files: dict[str, Path] | None = None) -> None:
        self.page = page
        self.observer = Observer()
        self.executor = ActionExecutor(self.observer, files=files)
        self.seen: Observation = self.look()

    def look(self) -> Observation:
        self.seen = self.observer.look(self.page)
        return self.seen

    def ref(self, name: str) -> str:
        seen: list[Element | Panel] = [*self.seen.elements, *self.seen.panels]
        return next(one.ref for one in seen if one.name == name)

    def do(self, action: Action) -> Observation:
        self.page = self.executor.do(self.page, action)
        return self.look()

    def click(self, name: str) -> Observation:
        return self.do(Click(ref=self.ref(name)))

    def type(self, name: str, text: str, *, submit: bool = False) -> Observation:
        return self.do(TypeText(ref=self.ref(name), text=text, submit=submit))

    def values(self) -> dict[str, str | None]:
        return {one.name: one.value for one in self.seen.elements}


@pytest.fixture(scope="module")
def shared_tab(mini_browser: Browser, world: World) -> Iterator[Page]:
    page = mini_browser.new_page(**world.context_args())
    yield page
    page.context.close()


@pytest.fixture
def tab(shared_tab: Page) -> Page:
    shared_tab.goto("about:blank")
    return shared_tab


def on(page: Page, html: str, files: dict[str, Path] | None = None) -> Person:
    page.set_content(html)
    return Person(page, files)


def test_form_is_filled_with_trusted_input(session: Session, notes: Notes) -> None:
    session.page.goto(HOME + "form")
    person = Person(session.page)
    person.type("Name", "Ada")
    person.do(SelectOption(ref=person.ref("Size"), option="large"))
    person.click("Gift")
    person.type("Day", "2024-05-06")
    assert person.values() == {
        "Name": "Ada",
        "Secret": "",
        "Day": "2024-05-06",
        "Size": "Large",
        "Gift": None,
        "Send": None,
    }
    assert (
        person.click("Send").url == HOME + "next?name=Ada&secret=&day=2024-05-06&size=Large&gift=on"
    )
    assert person.do(Back()).title == "Form"
    session.flush()
    session.end()
    assert [(step.kind, step.value) for step in notes.steps.values()][1:7] == [
        ("type", "Ada"),
        ("select", "Large"),
        ("click", None),
        ("type", "2024-05-06"),
        ("click", None),
        ("navigate", HOME + "form"),
    ]


def test_elements_in_shadow_roots_and_frames_are_clicked(tab: Page) -> None:
    tab.goto(HOME + "parts")
    count = "addEventListener('click', (event) => { globalThis.clicked = event.composedPath()[0].textContent })"
    for frame in tab.frames:
        frame.evaluate(count)
    person = Person(tab)
    for one in person.seen.elements:
        person.executor.do(tab, Click(ref=one.ref))
    assert [frame.evaluate("clicked") for frame in tab.frames] == [
        "Shadow button",
        "Framed button",
        "Framed button",
    ]


def test_light_and_shadow_children_are_distinguished(tab: Page) -> None:
    person = on(
        tab,
        """<div id=host><button id=light>Light</button></div><script>
        host.attachShadow({mode: 'open'}).innerHTML = '<button id=dark>Dark</button><div><slot></slot></div>';
        addEventListener('click', (event) => document.title += event.composedPath()[0].id + '-')</script>""",
    )
    person.click("Light")
    assert person.click("Dark").title == "light-dark-"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("b.remove()", r"^e\d+ is gone from the page$"),
        ("b.style.display = 'none'", r'e\d+ button "Go" cannot be seen'),
        ("b.disabled = true", r'e\d+ button "Go" is disabled'),
        ("cover.hidden = false", r'e\d+ button "Go" is covered by <div id="cover"> \(Cookies!\)'),
        (
            "b.textContent = 'Delete all'",
            r'e\d+ was button "Go" and is now button "Delete all": look again',
        ),
    ],
)
def test_covering_element_is_named(tab: Page, change: str, why: str) -> None:
    person = on(
        tab,
        """<button id=b style="position:relative" onclick="document.title = 'clicked'">Go</button>
        <div id=cover hidden style="position:fixed;inset:0;background:gray">Cookies!</div>""",
    )
    tab.evaluate(change)
    begin = time.monotonic()
    with pytest.raises(StepError, match=why):
        person.click("Go")
    assert time.monotonic() - begin < 10
    assert tab.title() != "clicked"


def test_late_element_is_waited_for(tab: Page) -> None:
    person = on(tab, "<button id=b disabled onclick=\"document.title = 'clicked'\">Go</button>")
    tab.evaluate("setTimeout(() => { b.disabled = false; b.replaceWith(b) }, 300)")
    assert person.click("Go").title == "clicked"


def test_refs_survive_moved_elements(tab: Page) -> None:
    person = on(
        tab,
        "<ul id=l></ul><script>for (const n of 'ABC') l.innerHTML += `<li><button>${n}</button>`;"
        "addEventListener('click', (event) => { document.title = event.target.textContent "
        "})</script>",
    )
    tab.evaluate(
        "l.prepend(l.lastChild); l.insertAdjacentHTML('afterbegin', '<li><button>New</button>')"
    )
    assert person.click("B").title == "B"


def test_stale_or_unknown_ref_is_refused(tab: Page) -> None:
    tab.goto(HOME)
    person = Person(tab)
    old = (
        person.ref("Home")
        if any(one.name == "Home" for one in person.seen.elements)
        else person.ref("Next")
    )
    person.click("Next")
    for ref, why in ((old, "is gone from the page"), ("e999999", "there is no element e999999")):
        with pytest.raises(StepError, match=why):
            person.do(Click(ref=ref))


def test_text_is_typed_into_fields_editors_and_comboboxes(tab: Page) -> None:
    person = on(
        tab,
        LOG
        + """<input id=i aria-label=Field value=old onkeyup="note(event)"><textarea aria-label=Area>old</textarea>
        <div contenteditable aria-label=Edit>old <b>text</b></div> <input id=n type=number aria-label=Number>
        <div role=combobox tabindex=0 aria-label=Combo onclick="inner.hidden = false; inner.focus()">Pick</div>
        <input id=inner hidden aria-label=Inner oninput="inner.setAttribute('data-v', inner.value)">
        <input type=range aria-label=Range max=10> <input readonly aria-label=Fixed><input type=checkbox aria-label=Tick>""",
    )
    person.type("Field", "new words")
    person.type("Area", "two\nlines")
    person.type("Edit", "fresh")
    person.type("Number", "42")
    person.type("Range", "7")
    person.type("Combo", "typed")
    values = person.values()
    assert [values[name] for name in ("Field", "Area", "Edit", "Number", "Range", "Inner")] == [
        "new words",
        "two lines",
        "fresh",
        "42",
        "7",
        "typed",
    ]
    assert tab.evaluate("log") == ["keyup i true"]
    for name, text, why in (
        ("Fixed", "x", "is read only"),
        ("Tick", "x", "takes no text"),
        ("Number", "abc", "refused"),
    ):
        with pytest.raises(StepError, match=why):
            person.type(name, text)


def test_late_suggestions_are_observed(tab: Page) -> None:
    person = on(
        tab,
        """<input type=search aria-label=Q id=q><ul id=l></ul><script>let t;
        q.oninput = () => { clearTimeout(t); t = setTimeout(() => { l.innerHTML = '<li>Suggestion' }, 250) }</script>""",
    )
    assert "Suggestion" in person.type("Q", "su").text


def test_options_of_lists_are_selected(tab: Page) -> None:
    person = on(
        tab,
        """<select aria-label=One><option value=a>Alpha<option>Beta<option disabled>Gamma</select>
        <select aria-label=Many multiple><option>A<option selected>B<option>C</select>
        <input list=dl aria-label=Data><datalist id=dl><option value=Apple></datalist>
        <div role=combobox tabindex=0 aria-label=Custom>x</div>""",
    )
    for name, option in (("One", "beta"), ("One", "a"), ("Many", "C"), ("Data", "Apple")):
        person.do(SelectOption(ref=person.ref(name), option=option))
    assert person.values() == {"One": "Alpha", "Many": "B, C", "Data": "Apple", "Custom": "x"}
    for name, option, why in (
        (
            "One",
            "Delta",
            r"""combobox "One" has no option 'Delta'; there are \['Alpha', 'Beta', 'Gamma'\]""",
        ),
        ("One", "Gamma", "is disabled"),
        ("Custom", "x", "is not a native list: click it to open it"),
    ):
        with pytest.raises(StepError, match=why):
            person.do(SelectOption(ref=person.ref(name), option=option))


def test_keys_hover_points_and_waits_work(tab: Page) -> None:
    person = on(
        tab,
        """<style>#m { display: none } #h:hover + #m { display: block }</style>
        <button id=h>Menu</button><div id=m>Shown</div><script>
        onkeydown = (event) => { document.title = event.key }; onclick = (event) => { document.title = event.clientX }</script>""",
    )
    assert person.do(Press(key="Escape")).title == "Escape"
    assert "Shown" in person.do(Hover(ref=person.ref("Menu"))).text
    assert person.do(ClickAt(x=300, y=200)).title == "300"
    tab.evaluate("setTimeout(() => { document.title = 'later'; m.textContent = 'Later' }, 200)")
    assert person.do(Wait()).title == "later"
    for action, why in (
        (Press(key="NoSuchKey"), "press: .*NoSuchKey"),
        (ClickAt(x=5000, y=1), "outside the viewport of"),
        (SwitchTab(index=7), "there is no tab 7; there are 1"),
    ):
        with pytest.raises(StepError, match=why):
            person.do(action)
    assert person.executor.do(tab, Done(answer="x")) is person.executor.do(tab, Blocked()) is tab


def test_wheel_scrolls_page_and_panels(tab: Page) -> None:
    person = on(
        tab,
        """<div id=p aria-label=Panel style="height:200px;overflow:auto"><p style="height:900px">in</p></div>
        <div style="height:5000px"></div><script>onwheel = (event) => { document.title += event.isTrusted + '-' }</script>""",
    )
    height = person.seen.viewport[1]
    assert person.do(Scroll()).scrolled[0] == round(height * 0.8)
    assert person.do(Scroll(direction="up")).scrolled[0] == 0
    seen = person.do(Scroll(ref=person.ref("Panel")))
    assert (seen.panels[0].above, seen.scrolled[0]) == (160, 0)
    assert set(seen.title.strip("-").split("-")) == {"true"}


def test_elements_are_dragged(tab: Page) -> None:
    person = on(
        tab,
        """<div id=a draggable=true role=button>Card</div><div id=z role=button style="height:100px">Bin</div><script>
        z.ondragover = (event) => event.preventDefault(); z.ondrop = (event) => { document.title = 'dropped' }</script>""",
    )
    assert person.do(Drag(ref=person.ref("Card"), to=person.ref("Bin"))).title == "dropped"


def test_files_are_uploaded_through_the_chooser(tab: Page, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("content", encoding="utf-8")
    person = on(
        tab,
        """<label style="cursor:pointer">Attach <input id=f type=file style="display:none"
        onchange="document.title = f.files[0].name"></label> <button onclick="f.click()">Choose</button> <button>Other</button>""",
        {"a.txt": tmp_path / "a.txt"},
    )
    for name in ("Attach", "Choose"):
        tab.evaluate("f.value = ''; document.title = ''")
        assert person.do(Upload(ref=person.ref(name), names=("a.txt",))).title == "a.txt"
    with pytest.raises(StepError, match="no such file: b.txt; the task offers: a.txt"):
        person.do(Upload(ref=person.ref("Attach"), names=("b.txt",)))
    with pytest.raises(StepError, match='button "Other" opens no file chooser'):
        person.do(Upload(ref=person.ref("Other"), names=("a.txt",)))


def test_new_tab_comes_to_the_front_and_back_leaves_it(tab: Page) -> None:
    tab.goto(HOME)
    person = Person(tab)
    seen = person.click("New tab")
    assert (seen.title, seen.tabs, seen.tab) == ("Popup", ("Home", "Popup"), 1)
    assert person.do(SwitchTab(index=0)).title == "Home"
    assert person.do(SwitchTab(index=1)).title == "Popup"
    assert person.do(Back()).tabs == ("Home",)
    person.click("New tab")
    person.page.evaluate("document.querySelector('button').onclick = () => window.close(); 0")
    assert person.click("Close").tabs == ("Home",)


def test_navigation_started_by_an_action_is_waited_for(tab: Page) -> None:
    tab.goto(HOME)
    tab.evaluate("""document.body.innerHTML = '<button>Load</button><p id=p></p><button>Leave</button>';
        const [load, leave] = document.querySelectorAll('button');
        load.onclick = async () => { p.textContent = await (await fetch('/slow')).text() };
        leave.onclick = () => setTimeout(() => { location.href = '/next' }, 20); 0""")
    person = Person(tab)
    assert "lazily loaded words" in person.click("Load").text
    assert person.click("Leave").title == "Next"


def test_back_stops_at_the_start_page(session: Session) -> None:
    person = Person(session.page)
    assert not person.seen.can_go_back
    with pytest.raises(StepError, match="no earlier page"):
        person.do(Back())


MOVING = f"""<!doctype html>{LOG}<style>
    @keyframes drift {{ from {{ transform: translateX(0) }} to {{ transform: translateX(90px) }} }}
    .moving {{ animation: drift 1s infinite alternate linear; width: 90px }}
    #glass {{ position: fixed; inset: 0; z-index: 9; display: none }}</style>
    <div style="height:1500px"></div>
    <button class=moving id=pulse onclick="note(event)">Pulse</button><br>
    <label class=moving><input type=checkbox id=tick onclick="note(event)"> Tick</label><br>
    <marquee scrollamount=2 width=300><a href="#news" id=news onclick="note(event)">News</a></marquee>
    <button id=drift style="position:relative" onclick="note(event)">Drift</button>
    <div id=glass>glass</div><script>
    const drift = document.getElementById('drift');
    let left = 0;
    setInterval(() => {{ drift.style.left = `${{(left += 1) % 200}}px` }}, 16);</script>"""


@pytest.mark.slow
def test_element_that_never_rests_is_clicked_where_it_is(tab: Page) -> None:
    tab.route("**/moving", lambda route: route.fulfill(content_type="text/html", body=MOVING))
    tab.goto(HOME + "moving")
    person = Person(tab)
    for name in ("Pulse", "Drift", "News"):
        person.click(name)
    clicked = ["click pulse true", "click drift true", "click news true"]
    assert tab.evaluate("log") == clicked

    steps = StepPerformer(person.observer)
    steps.perform(tab, SetChecked(do="check", role="checkbox", name="Tick"))
    assert tab.get_by_role("checkbox").is_checked()

    tab.evaluate("document.getElementById('glass').style.display = 'block'")
    with pytest.raises(StepError, match='covered by <div id="glass">'):
        person.click("Pulse")
    assert tab.evaluate("log.length") == len(clicked) + 1


@pytest.mark.parametrize(
    ("field", "refused", "takes", "taken"),
    [
        ("type=date", "31.12.2024", "is empty now: it takes a date as YYYY-MM-DD", "2024-12-31"),
        ("type=date value=2024-01-01", "2024-02-30", "is empty now: it takes a date", "2024-02-29"),
        ("type=time", "5 pm", "is empty now: it takes a time as HH:MM", "17:05"),
        ("type=month", "12/2024", "it takes a month as YYYY-MM", "2024-12"),
        ("type=week", "2024-99", "it takes a week as YYYY-Www", "2024-W07"),
        ("type=datetime-local", "2024-12-31", "YYYY-MM-DDTHH:MM", "2024-12-31 17:05"),
        ("type=color", "no colour", "holds '#000000' now: it takes a colour as #rrggbb", "#FF8800"),
        (
            "type=range min=0 max=50 step=5",
            "70",
            "holds '50' now: it takes a number (from 0",
            "45.0",
        ),
        ("type=range", "much", "it takes a number", "7"),
        ("type=number max=9", "12 pieces", "it takes a number, such as 12.5 (up to 9)", "-1.5"),
    ],
)
def test_field_that_refuses_a_value_says_what_it_takes(
    tab: Page, field: str, refused: str, takes: str, taken: str
) -> None:
    tab.set_content(f"<label>Value <input {field}></label>")
    person = Person(tab)
    with pytest.raises(StepError, match=re.escape(takes)) as raised:
        person.type("Value", refused)
    assert f'"Value" refused {refused!r}' in str(raised.value)
    person.type("Value", taken)
    written = {"45.0": "45", "#FF8800": "#ff8800", "2024-12-31 17:05": "2024-12-31T17:05"}
    assert tab.get_by_label("Value").input_value() == written.get(taken, taken)


def test_step_of_a_script_that_a_field_refuses_says_what_it_takes(session: Session) -> None:
    session.page.set_content("<input type=number aria-label=Count>")
    step = Type(do="type", role="spinbutton", name="Count", text="a lot")
    with pytest.raises(StepError, match="refused 'a lot' and is empty now: it takes a number"):
        StepPerformer().perform(session.page, step)
