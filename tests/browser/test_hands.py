"""Acting on what was observed: every kind of action, real input, and clear reasons where it cannot be done."""

# ruff: noqa: E501 - pages are easier to read unbroken

from __future__ import annotations

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
)  # fmt: skip
from pytest_webbench.browser.hands import Hands
from pytest_webbench.browser.observation import Observation
from pytest_webbench.browser.observe import Observer
from pytest_webbench.browser.session import Session
from pytest_webbench.errors import StepError
from pytest_webbench.world import World
from tests.browser.conftest import HOME, Notes

pytestmark = pytest.mark.browser
LOG = "<script>log = []; const note = (event) => log.push(`${event.type} ${event.target.id} ${event.isTrusted}`);</script>"


class Person:
    """Looks, and acts on elements by their names."""

    def __init__(self, page: Page, files: dict[str, Path] | None = None) -> None:
        self.page = page
        self.observer = Observer()
        self.hands = Hands(self.observer, files=files)
        self.seen: Observation = self.look()

    def look(self) -> Observation:
        self.seen = self.observer.look(self.page)
        return self.seen

    def ref(self, name: str) -> str:
        return next(one.ref for one in (*self.seen.elements, *self.seen.panels) if one.name == name)

    def do(self, action: Action) -> Observation:
        self.page = self.hands.do(self.page, action)
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


def test_a_form_is_filled_and_sent_and_the_harness_sees_real_input(session: Session, notes: Notes) -> None:
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
    assert person.click("Send").url == HOME + "next?name=Ada&secret=&day=2024-05-06&size=Large&gift=on"
    assert person.do(Back()).title == "Form"
    session.flush()
    session.end()
    assert [(step.kind, step.value) for step in notes.steps.values()][1:7] == [
        ("type", "Ada"), ("select", "Large"), ("click", None), ("type", "2024-05-06"), ("click", None),
        ("navigate", HOME + "form"),
    ]  # fmt: skip


def test_elements_in_shadow_roots_and_frames_are_clicked(tab: Page) -> None:
    tab.goto(HOME + "parts")
    count = "addEventListener('click', (event) => { globalThis.clicked = event.composedPath()[0].textContent })"
    for frame in tab.frames:
        frame.evaluate(count)
    person = Person(tab)
    for one in person.seen.elements:
        person.hands.do(tab, Click(ref=one.ref))
    assert [frame.evaluate("clicked") for frame in tab.frames] == ["Shadow button", "Framed button", "Framed button"]


def test_light_and_shadow_children_of_one_host_are_not_mixed_up(tab: Page) -> None:
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
        ("b.textContent = 'Delete all'", r'e\d+ was button "Go" and is now button "Delete all": look again'),
        ("move()", r'e\d+ button "Go" keeps moving'),
    ],
)
def test_what_is_in_the_way_is_named(tab: Page, change: str, why: str) -> None:
    person = on(
        tab,
        """<button id=b style="position:relative" onclick="document.title = 'clicked'">Go</button>
        <div id=cover hidden style="position:fixed;inset:0;background:gray">Cookies!</div><script>
        let n = 0; const move = () => { b.style.left = `${n = (n + 7) % 300}px`; requestAnimationFrame(move) }</script>""",
    )
    tab.evaluate(change)
    begin = time.monotonic()
    with pytest.raises(StepError, match=why):
        person.click("Go")
    assert time.monotonic() - begin < 10
    assert tab.title() != "clicked"


def test_an_element_that_becomes_ready_a_moment_later_is_waited_for(tab: Page) -> None:
    person = on(tab, "<button id=b disabled onclick=\"document.title = 'clicked'\">Go</button>")
    tab.evaluate("setTimeout(() => { b.disabled = false; b.replaceWith(b) }, 300)")
    assert person.click("Go").title == "clicked"


def test_refs_survive_when_the_page_moves_elements_about(tab: Page) -> None:
    person = on(
        tab,
        "<ul id=l></ul><script>for (const n of 'ABC') l.innerHTML += `<li><button>${n}</button>`;"
        "addEventListener('click', (event) => { document.title = event.target.textContent })</script>",
    )
    tab.evaluate("l.prepend(l.lastChild); l.insertAdjacentHTML('afterbegin', '<li><button>New</button>')")
    assert person.click("B").title == "B"


def test_a_ref_of_another_page_or_tab_or_none_at_all_is_refused(tab: Page) -> None:
    tab.goto(HOME)
    person = Person(tab)
    old = person.ref("Home") if any(one.name == "Home" for one in person.seen.elements) else person.ref("Next")
    person.click("Next")
    for ref, why in ((old, "is gone from the page"), ("e999999", "there is no element e999999")):
        with pytest.raises(StepError, match=why):
            person.do(Click(ref=ref))


def test_text_goes_into_fields_editors_and_custom_comboboxes_with_real_keys(tab: Page) -> None:
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
        "new words", "two lines", "fresh", "42", "7", "typed",
    ]  # fmt: skip
    assert tab.evaluate("log") == ["keyup i true"]
    for name, text, why in (
        ("Fixed", "x", "is read only"),
        ("Tick", "x", "takes no text"),
        ("Number", "abc", "refused"),
    ):
        with pytest.raises(StepError, match=why):
            person.type(name, text)


def test_suggestions_that_come_a_moment_after_typing_are_seen(tab: Page) -> None:
    person = on(
        tab,
        """<input type=search aria-label=Q id=q><ul id=l></ul><script>let t;
        q.oninput = () => { clearTimeout(t); t = setTimeout(() => { l.innerHTML = '<li>Suggestion' }, 250) }</script>""",
    )
    assert "Suggestion" in person.type("Q", "su").text


def test_lists(tab: Page) -> None:
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
        ("One", "Delta", r"""combobox "One" has no option 'Delta'; there are \['Alpha', 'Beta', 'Gamma'\]"""),
        ("One", "Gamma", "is disabled"), ("Custom", "x", "is no native list: click it to open it"),
    ):  # fmt: skip
        with pytest.raises(StepError, match=why):
            person.do(SelectOption(ref=person.ref(name), option=option))


def test_keys_hovering_points_and_waiting(tab: Page) -> None:
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
        (Press(key="NoSuchKey"), "press: .*NoSuchKey"), (ClickAt(x=5000, y=1), "outside the viewport of"),
        (SwitchTab(index=7), "there is no tab 7; there are 1"),
    ):  # fmt: skip
        with pytest.raises(StepError, match=why):
            person.do(action)
    assert person.hands.do(tab, Done(answer="x")) is person.hands.do(tab, Blocked()) is tab


def test_page_and_panels_scroll_by_the_wheel(tab: Page) -> None:
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


def test_dragging(tab: Page) -> None:
    person = on(
        tab,
        """<div id=a draggable=true role=button>Card</div><div id=z role=button style="height:100px">Bin</div><script>
        z.ondragover = (event) => event.preventDefault(); z.ondrop = (event) => { document.title = 'dropped' }</script>""",
    )
    assert person.do(Drag(ref=person.ref("Card"), to=person.ref("Bin"))).title == "dropped"


def test_files_go_through_the_pages_own_chooser(tab: Page, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("content", encoding="utf-8")
    person = on(tab, """<label style="cursor:pointer">Attach <input id=f type=file style="display:none"
        onchange="document.title = f.files[0].name"></label> <button onclick="f.click()">Choose</button> <button>Other</button>""",
        {"a.txt": tmp_path / "a.txt"})  # fmt: skip
    for name in ("Attach", "Choose"):
        tab.evaluate("f.value = ''; document.title = ''")
        assert person.do(Upload(ref=person.ref(name), names=("a.txt",))).title == "a.txt"
    with pytest.raises(StepError, match="no such file: b.txt; the task offers: a.txt"):
        person.do(Upload(ref=person.ref("Attach"), names=("b.txt",)))
    with pytest.raises(StepError, match='button "Other" opens no file chooser'):
        person.do(Upload(ref=person.ref("Other"), names=("a.txt",)))


def test_new_tabs_come_to_the_front_and_going_back_leaves_them(tab: Page) -> None:
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


def test_what_an_action_starts_is_waited_for(tab: Page) -> None:
    tab.goto(HOME)
    tab.evaluate("""document.body.innerHTML = '<button>Load</button><p id=p></p><button>Leave</button>';
        const [load, leave] = document.querySelectorAll('button');
        load.onclick = async () => { p.textContent = await (await fetch('/slow')).text() };
        leave.onclick = () => setTimeout(() => { location.href = '/next' }, 20); 0""")
    person = Person(tab)
    assert "lazily loaded words" in person.click("Load").text
    assert person.click("Leave").title == "Next"


def test_there_is_nothing_before_the_start_page(session: Session) -> None:
    person = Person(session.page)
    assert not person.seen.can_go_back
    with pytest.raises(StepError, match="no earlier page"):
        person.do(Back())
