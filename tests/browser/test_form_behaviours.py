"""The behaviours `calculator` and `slider` of the site kit, in a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pytest_webbench.world.kit import Calculator, forms

pytestmark = pytest.mark.browser
BEHAVIOURS = Path(forms.__file__).parent / "behaviours"

FORMULAS = [
    "a + b * 2 - 3 / b",
    "-(a - b) ** 2",
    "(1 + a / 100) ** 43",
    "round(a * 0.5)",
    "round(b / 3, 2)",
    "min(a, b, 4) + max(a, b)",
    "a if a > b else b",
    "1 if a == 5 else 2 if a <= 2 else 3",
    "floor(a / 2) + ceil(b / 2) + abs(a - b)",
    "exp(1) + log(10) + sqrt(2)",
]
CALCULATOR = """<form data-calculator='{formulas}'>
<label>a <input name="a" value="{a}"></label> <label>b <input name="b" value="3"></label>
</form>"""
SLIDER = """<div data-slider id="ages"><div data-track style="width: 200px; height: 20px">
<span role="slider" aria-label="Now" aria-valuemin="0" aria-valuemax="100" aria-valuenow="30"
 tabindex="0" data-attribute="leading" data-name="now"></span>
<span role="slider" aria-label="Then" aria-valuemin="0" aria-valuemax="100" aria-valuenow="60"
 tabindex="0" data-attribute="trailing" data-step="5"></span>
</div><b data-shows="0"></b></div>"""


@pytest.fixture
def tab(mini_browser: Browser) -> Iterator[Page]:
    page = mini_browser.new_page()
    yield page
    page.context.close()


def load(tab: Page, markup: str, *behaviours: str) -> None:
    tab.set_content(markup)
    for name in behaviours:
        tab.add_script_tag(path=BEHAVIOURS / f"{name}.js")


def test_page_and_server_work_out_the_same_figures(tab: Page) -> None:
    names = [f"f{number}" for number in range(len(FORMULAS))]
    calculator = Calculator({"a": 0, "b": 3}, dict(zip(names, FORMULAS, strict=True)))
    formulas = json.dumps(json.loads(calculator.for_page())).replace("'", "&#39;")
    for a in (0, 2, 5, 7.5, 1234.25):
        tab.goto("about:blank")
        tab.evaluate(
            "addEventListener('calculated', (event) => { window.results = event.detail; })"
        )
        tab.evaluate(
            "(markup) => { document.body.innerHTML = markup; }",
            CALCULATOR.format(formulas=formulas, a=a),
        )
        tab.add_script_tag(path=BEHAVIOURS / "calculator.js")
        in_page = tab.evaluate("window.results")
        for name, value in calculator.results(a=a, b=3).items():
            assert in_page[name] == pytest.approx(value, rel=1e-14), (name, a)


def test_calculator_shows_results_as_its_places_say(tab: Page) -> None:
    loan = Calculator({"amount": 0}, {"cost": "amount * 1.5", "share": "amount / 7"})
    tab.set_content(
        f"""<form data-calculator='{loan.for_page()}'><input name="amount" value="$1,000">
        <output data-result="cost" data-prefix="$" data-digits="0"></output>
        <output data-result="share"></output></form>"""
    )
    tab.add_script_tag(path=BEHAVIOURS / "calculator.js")
    assert tab.locator("output").all_inner_texts() == ["$1,500", "142.86"]
    tab.fill("input", "2,001")
    assert tab.locator("output").all_inner_texts() == ["$3,002", "285.86"]


@pytest.mark.parametrize(
    ("thumb", "keys", "leading", "trailing"),
    [
        ("Now", ["ArrowRight", "ArrowUp", "ArrowLeft"], "31", "60"),
        ("Now", ["PageDown", "PageDown", "PageDown", "PageDown"], "0", "60"),
        ("Now", ["End"], "60", "60"),
        ("Then", ["Home"], "30", "30"),
        ("Then", ["ArrowDown", "PageUp"], "30", "100"),
        ("Then", ["x"], "30", "60"),
    ],
)
def test_keys_move_a_thumb_up_to_the_other(
    tab: Page, thumb: str, keys: list[str], leading: str, trailing: str
) -> None:
    load(tab, SLIDER, "slider")
    for key in keys:
        tab.get_by_role("slider", name=thumb).press(key)
    slider = tab.locator("#ages")
    assert slider.get_attribute("leading") == leading
    assert slider.get_attribute("trailing") == trailing
    assert tab.locator("b").inner_text() == leading


def test_click_on_the_track_moves_the_nearer_thumb(tab: Page) -> None:
    load(tab, SLIDER, "slider")
    tab.locator("[data-track]").click(position={"x": 180, "y": 10})
    assert tab.locator("#ages").get_attribute("trailing") == "90"
    tab.locator("[data-track]").click(position={"x": 20, "y": 10})
    assert tab.locator("#ages").get_attribute("leading") == "10"
