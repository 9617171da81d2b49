"""Observations and actions in words."""

from __future__ import annotations

import pytest

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
from pytest_webbench.browser.observation import Choice, Element, Observation, Panel
from pytest_webbench.browser.rendering import as_text, describe

SEEN = Observation(
    url="https://shop.test/",
    title="Shop",
    text="Shop\nTwo things",
    elements=(
        Element(
            ref="e1",
            role="link",
            name="Next",
            tag="a",
            operations=("click",),
            context="Row 1",
            in_view=False,
        ),
        Element(
            ref="e2",
            role="combobox",
            name="Size",
            tag="select",
            operations=("select",),
            value="S",
            choices=tuple(Choice(value=str(n), label=f"N{n}") for n in range(25)),
            required=True,
        ),
        Element(
            ref="e3",
            role="textbox",
            name="Code",
            tag="input",
            operations=("type",),
            value="",
            hint="up to 3 characters",
            disabled=True,
            covered=True,
            in_view=False,
        ),
        Element(
            ref="e4",
            role="checkbox",
            name="Gift",
            tag="input",
            operations=("click",),
            checked=False,
            focused=True,
        ),
    ),
    panels=(Panel(ref="e5", name="List", above=0, below=300),),
    scrolled=(0, 900),
    tabs=("Shop", "Help"),
    left_out=7,
)


def test_observation_as_text() -> None:
    options = " | ".join(f"N{n}" for n in range(20))
    assert as_text(SEEN).splitlines() == [
        "URL: https://shop.test/",
        "Title: Shop",
        'Tabs (* is in front): *0 "Shop", 1 "Help"',
        "Scrolled: 0 px above, 900 px below the viewport",
        "Panels that scroll on their own:",
        '[e5] "List" (0 px above, 300 px below)',
        "Elements:",
        '[e1] link "Next", out of view, in "Row 1"',
        f'[e2] combobox "Size", value "S", required, options: {options} and 5 more',
        '[e3] textbox "Code", value "", disabled, covered, (up to 3 characters)',
        '[e4] checkbox "Gift", not checked, focused',
        "... and 7 more; scroll to see others",
        "Text:",
        "Shop",
        "Two things",
    ]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Click(ref="e1"), 'click link "Next"'),
        (Click(ref="e99"), "click e99"),
        (Hover(ref="e1"), 'hover link "Next"'),
        (ClickAt(x=3, y=4.5), "click at (3, 4.5)"),
        (TypeText(ref="e3", text="ab"), "type 'ab' into textbox \"Code\""),
        (
            TypeText(ref="e3", text="ab", submit=True),
            "type 'ab' into textbox \"Code\" and press Enter",
        ),
        (SelectOption(ref="e2", option="N3"), "select 'N3' in combobox \"Size\""),
        (Press(key="Enter"), "press Enter"),
        (Scroll(), "scroll down"),
        (Scroll(direction="up", ref="e5"), 'scroll up panel "List"'),
        (Drag(ref="e1", to="e4"), 'drag link "Next" to checkbox "Gift"'),
        (Upload(ref="e1", names=("a.txt", "b.txt")), 'upload a.txt, b.txt to link "Next"'),
        (Back(), "go back"),
        (SwitchTab(index=1), 'switch to tab 1 "Help"'),
        (SwitchTab(index=9), 'switch to tab 9 ""'),
        (Wait(), "wait"),
        (Done(answer="42"), "done '42'"),
        (Done(), "done"),
        (Blocked(reason="a wall"), "blocked: a wall"),
    ],
)
def test_action_in_words(action: Action, words: str) -> None:
    assert describe(action, SEEN) == words
