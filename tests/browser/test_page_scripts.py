"""The modules that our page scripts are made of, each in a real page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pytest_webbench.browser.page_scripts import OBSERVER, bundle

pytestmark = pytest.mark.browser
Ask = Callable[[str, str], Any]


@pytest.fixture(scope="module")
def tab(mini_browser: Browser) -> Iterator[Page]:
    page = mini_browser.new_page()
    yield page
    page.context.close()


@pytest.fixture
def ask(tab: Page) -> Ask:
    """The value of an expression in the scope of all modules, on a page of some HTML."""

    def evaluate(html: str, expression: str) -> Any:
        tab.set_content(html)
        script = bundle(*OBSERVER, result=f"((x) => {expression})(document.querySelector('#x'))")
        return tab.evaluate(script)

    return evaluate


@pytest.mark.parametrize(
    ("text", "clipped"),
    [
        ("  two\n\twords ", "two words"),
        ("zero\u200bwidth\x00", "zero width"),
        ("abcdefghijklm", "abcdefghi…"),
        ("abcdefgh\U0001f600jk", "abcdefgh…"),
        ("", ""),
    ],
)
def test_texts_are_collapsed_and_clipped(ask: Ask, text: str, clipped: str) -> None:
    escaped = "".join(f"\\u{unit:04x}" for unit in _utf16(text))
    assert ask("", f'clip("{escaped}", 10)') == clipped


def _utf16(text: str) -> Iterator[int]:
    data = text.encode("utf-16-le")
    for at in range(0, len(data), 2):
        yield int.from_bytes(data[at : at + 2], "little")


def test_form_fields_do_not_shadow_properties(ask: Ask) -> None:
    form = "<form id=x><input name=children><input name=parentNode><input name=tagName></form>"
    assert ask(form, "[tagOf(x), tagOf(parentOf(x)), tagOf(firstChild(x))]") == [
        "form",
        "body",
        "input",
    ]


@pytest.mark.parametrize(
    ("html", "role", "operations"),
    [
        ("<a id=x href=#>", "link", ["click"]),
        ("<a id=x>", "clickable", ["click"]),
        ("<input id=x>", "textbox", ["type"]),
        ("<input id=x list=l>", "combobox", ["type", "click"]),
        ("<input id=x type=number readonly>", "spinbutton", ["click"]),
        ("<input id=x type=file>", "button", ["upload"]),
        ("<select id=x multiple>", "listbox", ["select"]),
        ("<div id=x role='nonsense tab'>", "tab", ["click"]),
        ("<div id=x contenteditable>", "textbox", ["type"]),
        ("<label id=x for=f></label><input id=f type=checkbox>", "checkbox", ["click"]),
    ],
)
def test_roles_and_operations(ask: Ask, html: str, role: str, operations: list[str]) -> None:
    assert ask(html, "[roleOf(x, tagOf(x)), operationsOf(x, tagOf(x), roleOf(x, tagOf(x)))]") == [
        role,
        operations,
    ]


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<i id=a>By</i><i id=b>id</i><button id=x aria-labelledby='a b'>No</button>", "By id"),
        ("<button id=x aria-label=Label>No</button>", "Label"),
        ("<label>Size <input id=x value=No></label>", "Size"),
        ("<input id=x type=submit>", "Submit"),
        ("<button id=x><img alt=Picture> <b hidden>No</b>words</button>", "Picture words"),
        ("<a id=x href=# title=Title></a>", "Title"),
        ("<input id=x placeholder=Hint>", "Hint"),
    ],
)
def test_accessible_names(ask: Ask, html: str, name: str) -> None:
    assert ask(html, "nameOf(x, tagOf(x), roleOf(x, tagOf(x)))") == name


def test_refs_live_as_long_as_their_element(ask: Ask) -> None:
    value = ask(
        "<p id=x>",
        "(() => { const ref = refOf(x); const same = refOf(x) === ref && elementOf(ref) === x;"
        " x.remove(); forgetDetached(); return [ref, same, elementOf(ref) === undefined]; })()",
    )
    assert value == ["e1", True, True]


def test_paths_cross_shadow_roots_and_frames(ask: Ask) -> None:
    html = "<p></p><div id=x></div>"
    deep = (
        "(x.attachShadow({mode: 'open'}).innerHTML = '<i></i><b><u></u></b>', "
        "x.shadowRoot.querySelector('u'))"
    )
    assert ask(html, f"pathOf({deep})") == [
        ["xpath", "/*[1]/*[2]/*[2]"],
        ["shadow", 2],
        ["xpath", "./*[1]"],
    ]
    framed = "<iframe id=x srcdoc='<b></b>'></iframe>"
    script = "pathOf(documentIn(x).body.firstChild || documentIn(x).body)[1]"
    assert ask(framed, script) == ["frame", ""]


@pytest.mark.parametrize(
    ("cover", "found"),
    [
        ("", None),
        ("<div style='position:fixed;inset:0'>Cookies</div>", "<div> (Cookies)"),
        ("<style>#x { margin-left: 5000px }</style>", "away"),
    ],
)
def test_element_over_another_is_found(ask: Ask, cover: str, found: str | None) -> None:
    script = """(() => {
      const box = boxOf(x);
      const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const middle = [box.left + box.width / 2, box.top + box.height / 2];
      const over = coverOf(x, middle, placeOf(document), view);
      return over instanceof Element ? sketch(over) : over;
    })()"""
    assert ask(f"<button id=x>Go</button>{cover}", script) == found


def test_html_is_simplified_with_refs_and_states(ask: Ask) -> None:
    html = "<div><p>One <b>two</b></p><input id=x type=checkbox checked><a href=/>Go</a></div>"
    wanted = "{elements: 9, text: 99, html: 999, viewportOnly: false, next: 1, clip: null}"
    assert ask(html, f"JSON.parse(look({wanted})).html") == (
        '<p>One two</p>\n<input ref="e1" checked type="checkbox"><a ref="e2" href="/">Go</a>'
    )


def test_nearest_elements_are_kept_beyond_the_limit(ask: Ask) -> None:
    buttons = "".join(f"<button style='display:block;height:400px'>{n}</button>" for n in range(9))
    wanted = "{elements: 3, text: 99, html: 0, viewportOnly: false, next: 1, clip: null}"
    seen = ask(buttons, f"JSON.parse(look({wanted}))")
    assert [one["name"] for one in seen["elements"]] == ["0", "1", "2"]
    assert seen["leftOut"] == 6


def test_settling_ends_at_once_or_at_its_limit(ask: Ask) -> None:
    still = (
        "(async () => { const begin = performance.now(); await quiet(2000); "
        "return performance.now() - begin })()"
    )
    assert ask("<p id=x>still", still) < 1500
    restless = "<p id=x><script>setInterval(() => { x.textContent += '.' }, 5)</script>"
    assert ask(restless, still.replace("2000", "300")) >= 300


def test_recorder_and_observer_share_their_vocabulary(ask: Ask) -> None:
    html = "<label>Name <input id=x placeholder=No></label>"
    expression = "[recorded.role(x), recorded.name(x)]"
    assert ask(html, expression) == ["textbox", "Name"]
