"""Evidence: what is read of the final page, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Captured
from pytest_webbench.checks import BUILT_IN, Probe
from pytest_webbench.evidence.models import Evidence
from tests.support.mini_suite import HOME

pytestmark = pytest.mark.browser

CaptureIt = Callable[..., Captured]


def test_address_title_text_and_history_are_captured(session: Session, capture: CaptureIt) -> None:
    session.page.get_by_role("link", name="Next").click()
    evidence = capture(answer="done").evidence
    assert evidence.page is not None
    assert (evidence.page.url, evidence.page.title, evidence.page.status) == (
        HOME + "next",
        "Next",
        200,
    )
    assert "You got here." in evidence.page.text
    assert evidence.page.visible_text == "Next You got here. Home"
    assert [(entry.url, entry.typed) for entry in evidence.history] == [
        (HOME, True),
        (HOME + "next", False),
    ]
    assert evidence.health.state == "ok"
    assert evidence.gaps == ()


def test_pending_navigation_is_waited_for(session: Session, capture: CaptureIt) -> None:
    session.page.evaluate("setTimeout(() => document.querySelector('a').click(), 5)")
    session.page.wait_for_timeout(20)
    assert capture().evidence.final_page().url == HOME + "next"


def test_page_is_scrolled_through_and_back_before_reading(
    session: Session, capture: CaptureIt
) -> None:
    session.page.goto(HOME + "long")
    evidence = capture().evidence
    assert "lazily loaded words" in evidence.final_page().visible_text
    assert session.page.evaluate("scrollY") == 0


def test_scrolling_adds_text_and_changes_nothing_else(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "endless")
    rows = Probe("domCount", {"selector": "li"})
    names = Probe(
        "domExtract", {"selectors": {"row": "li", "lazy": "#lazy"}, "attr": None, "all": False}
    )
    overlay = Probe("domCount", {"selector": "dialog"})
    seen = Probe("cookie", {"name": "seen"})
    evidence = capture(rows, names, overlay, seen).evidence
    page = evidence.final_page()

    assert (page.url, page.title, page.status) == (HOME + "endless", "Endless", 200)
    assert [entry.url for entry in evidence.history][-1] == HOME + "endless"
    assert [(tab.url, tab.title) for tab in evidence.tabs] == [(HOME + "endless", "Endless")]
    assert evidence.pages_seen[-1].url == HOME + "endless"
    assert evidence.local_storage == {}
    assert evidence.dialogs == ()
    assert evidence.reads[rows.key()].value == 20
    assert evidence.reads[names.key()].value == {"row": "Lamp 1", "lazy": "lazy words"}
    assert evidence.reads[overlay.key()].value == 0
    assert evidence.reads[seen.key()].missing
    for text in (page.text, page.visible_text):
        assert text.startswith("Lamps")
        for words in ("Lamp 1", "Lamp 20", "Menu", "Lamp 21", "Lamp 40", "lazy words", "Join us"):
            assert words in text


def test_page_that_moves_on_when_scrolled_is_judged_as_left(
    session: Session, capture: CaptureIt
) -> None:
    session.page.goto(HOME + "leaves")
    evidence = capture().evidence
    assert (evidence.final_page().title, evidence.final_page().text) == ("Leaves", "Stay")
    assert evidence.history[-1].url == HOME + "leaves"
    assert any("scrolled" in gap for gap in evidence.gaps)


def test_page_that_reloads_itself_is_read_at_rest(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "reloads", wait_until="commit")
    evidence = capture().evidence
    assert evidence.final_page().text == "Settled"
    assert evidence.health.state == "ok"

    session.page.goto(HOME + "refreshes")
    evidence = capture().evidence
    assert evidence.final_page().text == "Score 2:1"
    assert evidence.health.state == "ok"


def test_page_that_never_holds_still_is_said_to_do_so(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "restless", wait_until="commit")
    evidence = capture().evidence
    assert evidence.health.state == "restless"
    assert not any("script" in gap or "crashed" in gap for gap in evidence.gaps)


def test_frames_and_shadow_roots_are_read_and_hidden_text_is_not(
    session: Session, capture: CaptureIt
) -> None:
    session.page.goto(HOME + "parts", wait_until="load")
    probe = Probe(
        "domExtract",
        {"selectors": {"deep": "#deep", "inner": "#inner"}, "attr": None, "all": False},
    )
    evidence = capture(probe).evidence
    page = evidence.final_page()
    assert "shadow words" in page.visible_text
    assert "framed words" in page.visible_text
    assert "hidden words" not in page.visible_text
    assert "shadow words" in page.text
    assert evidence.reads[probe.key()].value == {"deep": "shadow words", "inner": "framed words"}


_SVG = """<svg xmlns='http://www.w3.org/2000/svg' width='300' height='90'><title>Chart</title>
    <style>text { fill: red }</style><defs><text>template</text></defs>
    <text y='20'>Sa<tspan>les</tspan></text><text y='60'>4<tspan>2</tspan></text></svg>"""
_XHTML = """<html xmlns='http://www.w3.org/1999/xhtml'><head><title>Plain</title></head>
    <body><p>Wo<b>rds</b></p><script>var code</script></body></html>"""


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("image/svg+xml", _SVG, "Sales 42"),
        ("application/xhtml+xml", _XHTML, "Words"),
        ("text/plain", "one\n  two", "one\n  two"),
        ("application/json", '{"a": 1}', '{"a": 1}'),
        ("application/xml", "<a><b>One</b></a>", "<b>One</b>"),
        ("text/html", "<!doctype html><math><mn>4</mn><mo>.</mo><mn>9</mn></math>", "4.9"),
        ("text/html", f"<!doctype html>{_SVG} per year", "Sales 42 per year"),
    ],
)
def test_documents_of_every_kind_have_text(
    session: Session, capture: CaptureIt, kind: str, body: str, words: str
) -> None:
    session.page.route("**/kind", lambda route: route.fulfill(content_type=kind, body=body))
    session.page.goto(HOME + "kind")
    evidence = capture().evidence
    page = evidence.final_page()
    assert words in page.visible_text
    assert "template" not in page.visible_text
    assert words.split(maxsplit=1)[0] in page.text.replace("\n", "")
    assert evidence.health.state == "ok"


def _inline(*displays: str) -> str:
    return "".join(
        f"<span style='display:{display}'>{number}</span>"
        for number, display in enumerate(displays, start=1)
    )


WORDS = {
    "$<span>49</span>.<sup>90</sup>": "$49.90",
    "lamp<b>s</b>": "lamps",
    "lamp<wbr>shade": "lampshade",
    "<p style='width:9ch'>long<b>wordwithoutend</b></p>": "longwordwithoutend",
    "<span>4</span><!-- --><span>9</span>": "49",
    "<x-a>foo</x-a><x-a>bar</x-a>": "foobar",
    _inline("inline", "contents", "inline-block", "inline-flex", "inline-grid", "inline"): "123456",
    f"<p style='display:flex'>$ {_inline('block', 'block')}</p>": "$ 12",
    "<p style='display:inline-flex'><i>$</i>\n<i>49</i></p>": "$49",
    "<p style='display:flex;gap:9px'><i>Home</i><i>About</i></p>": "Home About",
    "<p style='display:flex;flex-direction:column'><i>a</i><i>b</i></p>": "a b",
    "<p style='display:grid;grid-template-columns:9em 9em'><i>a</i><i>b</i></p>": "a b",
    "<i style='padding:0 8px'>Home</i><i style='padding:0 8px'>About</i>": "Home About",
    "<style>u::after { content: ', ' }</style><u>x</u><u>y</u>": "x y",
    "<span style='float:left;font-size:3em'>O</span>nce upon": "Once upon",
    "<table><tr><td>a<td>b<tr><td>c</table>": "a b c",
    "<p>a</p><p>b</p>c<br>d<img width=9 height=9>e": "a b c d e",
    "a  b\n   c <b> d </b>e": "a b c d e",
    "<pre>a\n  b</pre>": "a\n  b",
    "<i style='text-transform:uppercase'>La</i>mp": "Lamp",
    "<p dir=rtl>\u05e9\u05dc<b>\u05d5\u05dd</b></p>": "\u05e9\u05dc\u05d5\u05dd",
}


def test_words_and_numbers_are_whole_in_visible_text(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "next")
    sections = "".join(f"<section id=s{at}>{html}</section>" for at, html in enumerate(WORDS))
    session.page.evaluate("(html) => { document.body.innerHTML = html }", sections)
    probes = [Probe("visibleText", {"selector": f"#s{number}"}) for number in range(len(WORDS))]
    evidence = capture(*probes).evidence
    found = {html: evidence.reads[one.key()].value for html, one in zip(WORDS, probes, strict=True)}
    assert found == WORDS


def test_live_state_of_controls_is_read(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Name").fill("Ada")
    session.page.get_by_label("Size").select_option("Large")
    session.page.get_by_label("Gift").check()
    selectors = {"name": "[name=name]", "size": "select", "gift": "[name=gift]", "none": "#none"}
    probe = Probe("controlState", {"selectors": selectors})
    value: Any = capture(probe).evidence.reads[probe.key()].value
    assert value["name"]["value"] == "Ada"
    assert value["size"]["selected"] == ["Large"]
    assert value["gift"]["checked"] is True
    assert value["none"] is None


def test_bad_selector_fails_its_read_only(session: Session, capture: CaptureIt) -> None:
    bad, good = Probe("domCount", {"selector": "a[["}), Probe("domCount", {"selector": "a"})
    reads = capture(bad, good).evidence.reads
    assert "SyntaxError" in (reads[bad.key()].error or "")
    assert reads[good.key()].value == 12


def test_storage_is_read(session: Session, capture: CaptureIt) -> None:
    session.page.evaluate("localStorage.theme = 'dark'; sessionStorage.once = '1'")
    evidence = capture().evidence
    assert (evidence.local_storage, evidence.session_storage) == ({"theme": "dark"}, {"once": "1"})


def test_page_cannot_tamper_with_the_probes(session: Session, capture: CaptureIt) -> None:
    session.page.evaluate(
        """() => {
          Document.prototype.querySelectorAll = () => [];
          JSON.stringify = () => '{"url": "https://mini.test/next"}';
          Object.defineProperty(document, 'title', { get: () => 'Next' });
        }"""
    )
    evidence = capture().evidence
    assert (evidence.final_page().url, evidence.final_page().title) == (HOME, "Home")


def test_invalid_characters_become_replacement_characters(
    session: Session, capture: CaptureIt
) -> None:
    session.page.goto(HOME + "odd")
    evidence = capture(answer="a\ud83db\x00c").evidence
    text = evidence.to_json()
    assert Evidence.model_validate_json(text.encode()) == evidence
    assert evidence.answer == "a\ufffdb\ufffdc"
    assert "half \ufffd null" in evidence.final_page().text


def test_endless_script_is_ended_and_the_page_read(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "hang")
    session.page.wait_for_timeout(200)
    evidence = capture().evidence
    assert evidence.final_page().title == "Hang"
    assert "a script of the final page never returned and was ended" in evidence.gaps


def test_dead_address_typed_by_the_agent_is_attributed_to_it(
    session: Session, capture: CaptureIt
) -> None:
    with pytest.raises(Exception, match="ERR_"):
        session.page.goto("https://mini.test:81/")
    session.page.wait_for_timeout(200)
    health = capture().evidence.health
    assert (health.state, health.by_agent) == ("browser_error", True)


def test_no_open_tab_is_a_gap_in_the_evidence(session: Session, capture: CaptureIt) -> None:
    session.page.close()
    evidence = capture().evidence
    assert evidence.page is None
    assert evidence.gaps == ("no tab was open when the episode ended",)


def test_new_tab_is_final(session: Session, capture: CaptureIt) -> None:
    with session.context.expect_page() as opened:
        session.page.get_by_role("link", name="New tab").click()
    opened.value.wait_for_load_state()
    evidence = capture().evidence
    assert [(tab.url, tab.title) for tab in evidence.tabs] == [
        (HOME, "Home"),
        (HOME + "popup", "Popup"),
    ]
    assert evidence.final_page().title == "Popup"


@pytest.mark.parametrize(
    ("script", "url", "title"),
    [
        ("open('').document.write('<title>Bill</title><p>Total 49</p>')", HOME, "Bill"),
        ("open('about:blank').document.body.innerHTML = '<p>Total 49</p>'", "about:blank", ""),
        ("open('').document.body.append('Total 49')", "about:blank", ""),
    ],
)
def test_blank_tab_that_a_page_has_filled_is_final(
    session: Session, capture: CaptureIt, script: str, url: str, title: str
) -> None:
    with session.page.expect_popup():
        session.page.evaluate(f"{script}; 0")
    evidence = capture().evidence
    page = evidence.final_page()
    assert (page.url, page.title, page.text) == (url, title, "Total 49")
    assert [(tab.url, tab.title) for tab in evidence.tabs] == [(HOME, "Home"), (url, title)]
    assert evidence.health.state == "ok"


def test_empty_blank_tab_is_not_final(session: Session, capture: CaptureIt) -> None:
    with session.page.expect_popup():
        session.page.evaluate("open(''); 0")
    assert capture().evidence.final_page().title == "Home"


def test_history_is_longer_than_the_browser_remembers(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "parts")
    session.page.evaluate(
        """() => {
          for (let at = 0; at < 40; at++) history.pushState(null, '', '/parts#' + at);
          history.replaceState(null, '', '/parts?other');
          const inner = document.getElementById('same').contentWindow;
          for (let at = 0; at < 5; at++) inner.history.pushState(null, '', '/inner#' + at);
          for (let at = 40; at < 80; at++) history.pushState(null, '', '/parts#' + at);
        }"""
    )
    session.page.go_back()
    evidence = capture().evidence
    urls = [entry.url for entry in evidence.history]
    assert urls[:2] == [HOME, HOME + "parts"]
    kept = [at for at in range(80) if f"{HOME}parts#{at}" in urls]
    assert kept == [at for at in range(80) if at != 39]  # which was replaced
    assert evidence.history[0].typed
    assert not evidence.history[2].typed
    assert [entry.ahead for entry in evidence.history][-2:] == [False, True]
    assert evidence.incomplete == ()


def test_archive_holds_the_page_and_an_image(session: Session, capture: CaptureIt) -> None:
    archive = capture(archive=True).archive
    assert archive.mhtml is not None
    assert "multipart/related" in archive.mhtml
    assert archive.screenshot is not None
    assert archive.screenshot.startswith(b"\xff\xd8")


def test_page_whose_fields_are_named_like_properties_is_read(
    session: Session, capture: Callable[..., Captured]
) -> None:
    names = """
        children childNodes length nodeType nodeValue tagName localName namespaceURI innerText
        textContent getAttribute hasAttribute ownerDocument shadowRoot firstChild nextSibling value
        checked disabled assignedNodes querySelectorAll
    """
    fields = "".join(f"<input name={name} value=x>" for name in names.split())
    images = "".join(f"<img name={name}>" for name in ["body", "documentElement", "title"])
    session.page.evaluate(
        "html => { document.body.innerHTML = html }",
        f"{images}<form id=form aria-pressed=true>{fields}<p>within a form</p></form>",
    )
    selectors = {"form": "#form"}
    text = BUILT_IN.getters["visible_text"].model_validate({"selector": "#form"}).probe()
    found = BUILT_IN.getters["control_state"].model_validate({"selectors": selectors}).probe()
    assert text is not None
    assert found is not None
    evidence = capture(text, found, archive=True).evidence
    assert evidence.page is not None
    assert evidence.page.responsive
    assert "within a form" in evidence.page.text
    assert "within a form" in evidence.page.visible_text
    assert evidence.reads[text.key()].value == "within a form"
    state: Any = evidence.reads[found.key()].value
    assert (state["form"]["tag"], state["form"]["text"]) == ("form", "within a form")
    assert (state["form"]["value"], state["form"]["aria"]["pressed"]) == (None, "true")
