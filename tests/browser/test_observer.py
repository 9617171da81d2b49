"""Observations: states, texts, places, frames and shadow roots, hostile pages."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from pytest_webbench.browser.observation import Element
from pytest_webbench.browser.observer import Observer
from pytest_webbench.browser.rendering import as_text
from pytest_webbench.world import World
from tests.support.mini_suite import HOME

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def shared_page(mini_browser: Browser, world: World) -> Iterator[Page]:
    page = mini_browser.new_page(**world.context_args())
    yield page
    page.context.close()


@pytest.fixture
def tab(shared_page: Page) -> Page:
    shared_page.goto("about:blank")
    return shared_page


def look(page: Page, html: str) -> dict[str, Element]:
    """The elements of a page, by name."""
    page.set_content(html)
    return {element.name: element for element in Observer().look(page).elements}


def test_states_values_choices_and_hints_are_listed(tab: Page) -> None:
    seen = look(
        tab,
        """<label>On <input type=checkbox checked></label> <label>Off <input type=checkbox></label>
        <label>Half <input type=checkbox id=half></label><script>half.indeterminate = true</script>
        <button aria-pressed=true>Pressed</button> <button aria-expanded=false>Folded</button> <button disabled>No</button>
        <div role=button tabindex=0 aria-disabled=true>Aria no</div> <details open><summary>More</summary></details>
        <div role=tab tabindex=0 aria-selected=true>Tab</div> <a href="#x" aria-current=page>Here</a>
        <input aria-label=Text value="Ada" required autofocus> <input aria-label=Secret type=password value=hunter2>
        <input aria-label=Day type=date min=2024-01-01> <textarea aria-label=Area readonly maxlength=9>words</textarea>
        <select aria-label=Size><option value=s>Small<option value=l selected>Large<option disabled>None</select>
        <input aria-label=Fruit list=l><datalist id=l><option value=Apple><option value=Pear></datalist>
        <div contenteditable aria-label=Edit>some <b>text</b></div> <input aria-label=Code placeholder="AB-1" pattern="[A-Z]+">
        <input type=hidden value=treasure><input type=file aria-label=File>""",
    )
    assert [seen[name].checked for name in ("On", "Off", "Half", "Pressed", "Folded")] == [
        True,
        False,
        None,
        True,
        None,
    ]
    assert [seen[name].expanded for name in ("Folded", "More", "On")] == [False, True, None]
    assert [name for name in seen if seen[name].disabled] == ["No", "Aria no"]
    assert [name for name in seen if seen[name].selected] == ["Tab", "Here"]
    assert [name for name in seen if seen[name].required] == ["Text"]
    assert seen["Secret"].value == "********"
    assert [seen[name].value for name in ("Text", "Size", "Area", "Edit", "On")] == [
        "Ada",
        "Large",
        "words",
        "some text",
        None,
    ]
    assert [(one.value, one.label, one.selected) for one in seen["Size"].choices] == [
        ("s", "Small", False),
        ("l", "Large", True),
    ]
    assert [one.value for one in seen["Fruit"].choices] == ["Apple", "Pear"]
    assert seen["Day"].hint == "YYYY-MM-DD; at least 2024-01-01"
    assert seen["Area"].hint == "up to 9 characters; read only"
    assert seen["Code"].hint == 'such as "AB-1"; pattern [A-Z]+'
    assert {
        name: seen[name].operations
        for name in ("Size", "Text", "Fruit", "Edit", "File", "Area", "On")
    } == {
        "Size": ("select",),
        "Text": ("type",),
        "Fruit": ("type", "click"),
        "Edit": ("type",),
        "File": ("upload",),
        "Area": ("click",),
        "On": ("click",),
    }
    assert "treasure" not in as_text(Observer().look(tab))
    tab.get_by_label("Text").focus()
    assert [one.name for one in Observer().look(tab).elements if one.focused] == ["Text"]


def test_clickable_element_is_listed_once_without_its_parts(tab: Page) -> None:
    tab.set_content("""<style>.c { cursor: pointer }</style><button class=c><span class=c onclick="1">Inside</span></button>
        <div class=c><b>Card</b></div> <li class=c><a href="/x">Only a link</a></li> <div onclick="1">Handler</div>
        <div class=c>Row with <button>Act</button></div> <label class=c><input type=checkbox>Tick</label>
        <label class=c>Attach <input type=file style="display:none"></label>""")
    seen = [(one.role, one.name, one.operations) for one in Observer().look(tab).elements]
    assert seen == [
        ("button", "Inside", ("click",)),
        ("clickable", "Card", ("click",)),
        ("link", "Only a link", ("click",)),
        ("clickable", "Handler", ("click",)),
        ("clickable", "Row with Act", ("click",)),
        ("button", "Act", ("click",)),
        ("checkbox", "Tick", ("click",)),
        ("button", "Attach", ("upload",)),
    ]


def test_text_is_what_can_be_seen_one_line_per_block(tab: Page) -> None:
    tab.set_content("""<h1>Head</h1><p>One <b>bold</b> word,<br>next line</p><ul><li>First<li>Second</ul>
        <table><tr><td>a<td>b</table><p style="display:none">gone</p><p style="visibility:hidden">unseen <i style="visibility:visible">seen</i></p>
        <p style="opacity:0">clear</p><span style="position:absolute;width:1px;height:1px;overflow:hidden">spoken</span>
        <details><summary>Sum</summary>folded</details><script>1</script><img alt="A picture" src="data:,">
        <pre>one
        two</pre><div id=host><i slot=s>slotted</i><i>lost</i></div><script>
        host.attachShadow({ mode: 'open' }).innerHTML = '<p>before <slot name=s></slot> after</p>'</script>""")
    assert Observer().look(tab).text.splitlines() == [
        "Head",
        "One bold word,",
        "next line",
        "First",
        "Second",
        "a | b",
        "seen",
        "Sum",
        "[A picture]",
        "one two",
        "before slotted after",
    ]


def test_equal_names_get_their_row_heading_or_legend(tab: Page) -> None:
    tab.set_content("""<table><tr><td>Apples<td><button>Add</button><tr><td>Pears<td><button>Add</button></table>
        <h2>Basket</h2><div><button>Add</button></div><fieldset><legend>Size</legend><label><input type=radio>M</label></fieldset>""")
    assert [(one.name, one.context) for one in Observer().look(tab).elements] == [
        ("Add", "Apples"),
        ("Add", "Pears"),
        ("Add", "Basket"),
        ("M", "Size"),
    ]


def test_covered_and_out_of_view_are_distinguished(tab: Page) -> None:
    seen = look(
        tab,
        """<body style="margin:0"><button>Free</button> <button style="position:absolute;top:200px;left:0">Under</button>
        <div style="position:absolute;top:190px;left:0;width:300px;height:50px;background:red"></div>
        <div style="height:60px;width:200px;overflow:auto"><p style="height:90px">x</p><button>In panel</button></div>
        <div style="height:3000px"></div><button>Far</button>""",
    )
    assert {name: (one.in_view, one.covered) for name, one in seen.items()} == {
        "Free": (True, False),
        "Under": (False, True),
        "In panel": (False, False),
        "Far": (False, False),
    }
    observation = Observer().look(tab)
    assert observation.scrolled[1] > 2000
    assert [(panel.above, panel.below > 50) for panel in observation.panels] == [(0, True)]
    assert [one.name for one in Observer(viewport_only=True).look(tab).elements] == [
        "Free",
        "Under",
        "In panel",
    ]


def test_modal_dialog_leaves_only_its_own_elements(tab: Page) -> None:
    seen = look(
        tab,
        "<button>Behind</button><dialog "
        "id=d><button>OK</button></dialog><script>d.showModal()</script>",
    )
    assert list(seen) == ["OK"]


def test_elements_in_shadow_roots_and_frames_are_in_order(
    tab: Page,
) -> None:
    tab.goto(HOME + "parts")
    observation = Observer().look(tab)
    assert [(one.name, one.frame) for one in observation.elements] == [
        ("Shadow button", ""),
        ("Framed button", HOME + "inner"),
        ("Framed button", "https://other.test/inner"),
    ]
    assert observation.text.splitlines() == [
        "Parts",
        "shadow words",
        "Shadow button",
        "framed words",
        "Framed button",
        "framed words",
        "Framed button",
    ]
    assert "hidden words" not in observation.text
    boxes = [
        tab.frames[number].get_by_role("button", name="Framed button").bounding_box()
        for number in (1, 2)
    ]
    for element, box in zip(observation.elements[1:], boxes, strict=True):
        assert box is not None
        assert element.box == pytest.approx(
            tuple(box[key] for key in ("x", "y", "width", "height")), abs=0.1
        )
        assert element.in_view


def test_refs_are_stable_and_never_reused(tab: Page) -> None:
    observer = Observer()
    tab.set_content("<button>A</button><button>B</button>")
    first = {one.name: one.ref for one in observer.look(tab).elements}
    tab.evaluate(
        "document.body.prepend(document.body.lastChild, "
        "Object.assign(document.createElement('button'), {textContent: 'C'}))"
    )
    second = {one.name: one.ref for one in observer.look(tab).elements}
    assert {name: second[name] for name in "AB"} == first
    tab.goto(HOME)
    assert not {one.ref for one in observer.look(tab).elements} & set(second.values())


def test_fingerprint_depends_on_visible_content_only(tab: Page) -> None:
    observer = Observer()
    tab.set_content("<p>text</p><input aria-label=F><button>B</button>")
    prints = [observer.look(tab).fingerprint]
    tab.evaluate("document.body.style.paddingLeft = '50px'")
    assert observer.look(tab).fingerprint == prints[0]
    for change in (
        "document.querySelector('p').textContent = 'other'",
        "document.querySelector('input').value = 'x'",
        "document.querySelector('button').disabled = true",
        "history.pushState(0, '', '#y')",
    ):
        tab.evaluate(change)
        prints.append(observer.look(tab).fingerprint)
    assert len(set(prints)) == 5


def test_elements_in_view_come_first_beyond_the_limit(tab: Page) -> None:
    tab.set_content(
        "<body><script>document.body.innerHTML = Array.from({length: 10000}, (_, n) => `<p><a "
        "href=/${n}>Link ${n}</a></p>`).join('')</script>"
    )
    tab.evaluate("document.querySelectorAll('p')[7000].scrollIntoView()")
    observation = Observer(elements=100, text=500).look(tab)
    names = [one.name for one in observation.elements]
    assert len(names) == 100
    assert observation.left_out == 9900
    assert {"Link 7000", "Link 7001", "Link 7099"} <= set(names)
    assert names == sorted(names)
    assert "Link 7001" in observation.text
    assert len(observation.text) <= 500


HOSTILE = """<form><input name=children><input name=firstChild><input name=parentNode><input name=nodeType>
  <input name=getBoundingClientRect><input name=localName><input name=shadowRoot><button name=nextSibling>Go</button></form>
  <img name=body alt=x><img name=activeElement alt=x><img name=scrollingElement alt=x><img name=getElementById alt=x>
  <form name=querySelectorAll></form><button id=b aria-label="half \ud83d\u0007 end">x</button><script>
  JSON.stringify = () => '"fooled"'; Array.prototype.map = Array.prototype.push = () => { throw 1 };
  Object.prototype.toJSON = () => 'fooled'; String.prototype.trim = () => 'fooled'; window.getComputedStyle = () => ({});
  for (const name of ['firstChild', 'nextSibling', 'nodeType', 'textContent'])
    Object.defineProperty(Node.prototype, name, { get() { throw new Error('trap') } });
  Element.prototype.getBoundingClientRect = () => { throw 1 }; window.__webbench_seen = [];
  b.setAttribute('aria-label', 'half \\ud83d \\u0007 end'); b.setAttribute('title', 'x'.repeat(3e6));
  let host = b.parentElement || document.documentElement; host = document.documentElement.lastElementChild;
  for (let i = 0; i < 900; i++) { const next = document.createElement('div'); host.appendChild(next);
    host = next.attachShadow({ mode: 'open' }); }
</script>"""


def test_hostile_pages_do_not_break_the_observer(tab: Page) -> None:
    tab.goto(HOME)
    tab.evaluate(
        "(html) => { document.open(); document.write(html); document.close() }",
        HOSTILE.encode("utf-8", "replace").decode(),
    )
    before = tab.context.new_cdp_session(tab).send("DOM.getDocument", {"depth": -1})["root"]
    observation = Observer().look(tab)
    assert [one.name for one in observation.elements if one.role == "button"] == [
        "Go",
        "half \ufffd end",
    ]
    assert len([one for one in observation.elements if one.role == "textbox"]) == 7
    assert observation.url == HOME
    after = tab.context.new_cdp_session(tab).send("DOM.getDocument", {"depth": -1})["root"]
    assert str(before["children"]).count("attributes") == str(after["children"]).count("attributes")


def test_page_cannot_detect_the_observer(tab: Page) -> None:
    tab.goto(HOME + "form")
    tab.evaluate("""() => { window.seen = []; new MutationObserver((all) => seen.push(...all.map((one) => one.type)))
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        window.names = Object.getOwnPropertyNames(window).length }""")
    for mode in ("axtree", "html", "visual"):
        Observer(marks=True).look(tab, mode=mode)
    assert tab.evaluate("[seen.length, Object.getOwnPropertyNames(window).length - names]") == [
        0,
        1,
    ]  # `names` itself


def test_simplified_html_holds_refs_and_states(tab: Page) -> None:
    tab.set_content("""<div class=wrap><div><p>Hi <a href="/x">there</a></p></div></div><script>1</script>
        <input type=password aria-label=Secret value=hunter2><input type=checkbox checked aria-label=On>
        <select aria-label=S><option>A<option selected>B</select><b>&lt;i&gt; "q"</b>""")
    observation = Observer().look(tab, mode="html")
    refs = [one.ref for one in observation.elements]
    assert f'<p>Hi<a ref="{refs[0]}" href="/x">there</a></p>' in observation.html
    assert (
        f'<input ref="{refs[1]}" value="********" type="password" aria-label="Secret">'
        in observation.html
    )
    assert f'<input ref="{refs[2]}" checked type="checkbox" aria-label="On">' in observation.html
    assert "<option>A</option><option selected>B</option></select>" in observation.html
    assert "&lt;i>" in observation.html
    assert "script" not in observation.html + observation.text
    assert "hunter2" not in observation.html


def test_marks_are_drawn_at_their_elements(tab: Page) -> None:
    from PIL import Image

    tab.set_content(
        "<body style='margin:0;background:white'><button "
        "style='position:absolute;left:100px;top:100px;width:200px;height:60px'></button>"
    )
    plain = Observer().look(tab, mode="visual").picture
    marked = Observer(marks=True).look(tab, mode="visual").picture
    assert plain is not None
    assert marked is not None
    size = tab.viewport_size
    assert size is not None
    pictures = [Image.open(io.BytesIO(one)).convert("RGB") for one in (plain, marked)]
    assert {one.size for one in pictures} == {(size["width"], size["height"])}
    differs = [(x, y) for x in range(0, 400, 2) for y in range(0, 200, 2) if _apart(pictures, x, y)]
    assert differs
    assert all(95 <= x <= 305 and 80 <= y <= 165 for x, y in differs)


def _apart(pictures: list[Image.Image], x: int, y: int) -> bool:
    one, other = (picture.getpixel((x, y)) for picture in pictures)
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) > 150


def test_tabs_are_listed_with_titles(tab: Page) -> None:
    tab.goto(HOME)
    tab.goto(HOME + "next")
    observer = Observer()
    assert observer.look(tab).can_go_back
    with tab.expect_popup() as opened:
        tab.evaluate("window.open('/popup')")
    opened.value.wait_for_load_state()
    seen = observer.look(opened.value)
    assert (seen.tabs, seen.tab, seen.can_go_back) == (("Next", "Popup"), 1, True)
    opened.value.close()
