"""The heuristic agent: what the words of a goal point to on a page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.agents.goal_keywords import Goal, stem, tokens
from pytest_webbench.agents.heuristic import MOST_ACTIONS, HeuristicPolicy, best_line
from pytest_webbench.agents.policy import PastAction, Turn
from pytest_webbench.browser.actions import Action, Click, Done, Scroll, SelectOption, TypeText
from pytest_webbench.browser.observation import Choice, Element, Observation
from pytest_webbench.task import TaskBrief

BRIEF = TaskBrief(
    task_id="t",
    goal="",
    start_url="https://shop.test/",
    wants_answer=False,
    max_actions=60,
    max_seconds=100.0,
    locale="en-US",
    timezone="UTC",
)


def link(ref: str, name: str, *, role: str = "link", href: str | None = None) -> Element:
    return Element(ref=ref, role=role, name=name, tag="a", operations=("click",), href=href)


SEARCH = Element(
    ref="q",
    role="searchbox",
    name="Search lamps",
    tag="input",
    operations=("click", "type"),
    value="",
)
SORT = Element(
    ref="s",
    role="combobox",
    name="Sort by",
    tag="select",
    operations=("select",),
    value="Best match",
    choices=(
        Choice(value="b", label="Best match", selected=True),
        Choice(value="p", label="Lowest price"),
    ),
)


def turn(
    goal: str,
    *elements: Element,
    history: tuple[PastAction, ...] = (),
    text: str = "",
    wants: bool = False,
) -> Turn:
    seen = Observation(url="https://shop.test/a", title="Lamps", text=text, elements=elements)
    return Turn(
        brief=replace(BRIEF, goal=goal, wants_answer=wants), observation=seen, history=history
    )


def chosen(goal: str, *elements: Element, history: tuple[PastAction, ...] = ()) -> Action:
    return HeuristicPolicy().choose(turn(goal, *elements, history=history)).action


def past(
    action: Action, label: str, *, url: str = "https://shop.test/a", changed: bool = True
) -> PastAction:
    return PastAction(action=action, label=label, changed=changed, url=url)


# -- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "same"),
    [
        ("Lamps", "lamp"),
        ("batteries", "battery"),
        ("Boxes", "box"),
        ("glass", "glass"),
        ("Decline", "refuse"),
        ("reject", "refuse"),
        ("GOV's", "gov"),
        ("as", "as"),
    ],
)
def test_synonyms_match(word: str, same: str) -> None:
    assert stem(word) == stem(same)


def test_goal_is_split_into_keywords() -> None:
    goal = Goal(
        'Search Lamp Shop for "night light", show only red ones, and open the Model 7 of 2012.'
    )
    assert goal.quoted == ("night light",)
    assert goal.names == ("Lamp Shop", "Model 7 of 2012")
    assert goal.numbers == ("7", "2012")
    assert [sorted(part) for part in goal.clauses] == [
        ["lamp", "light", "night", "search", "shop"],
        ["red"],
        ["2012", "7", "model"],
    ]
    assert goal.weights["night"] > goal.weights["lamp"] > goal.weights["red"]
    assert goal.clause_of("Model 7") == 2
    assert goal.clause_of("nothing of it") is None


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_goal_is_read_without_an_error(text: str, phrase: str) -> None:
    goal = Goal(text)
    assert goal.clauses
    assert all(weight > 0 for weight in goal.weights.values())
    assert goal.count_near(phrase, tokens(text)) >= 0
    assert isinstance(
        HeuristicPolicy().choose(turn(text, SEARCH, SORT, link("a", phrase))).action.do, str
    )


# -- choosing ----------------------------------------------------------------------------------


def test_quoted_phrase_is_searched_for_first() -> None:
    goal = 'Search for "night light" and open the product Luna.'
    assert chosen(goal, SEARCH, link("l", "Luna")) == TypeText(
        ref="q", text="night light", submit=True
    )


def test_keywords_are_followed_in_the_order_of_the_goal() -> None:
    goal = 'Search for "night light", sort by lowest price, and open the product Luna.'
    searched = past(
        TypeText(ref="q", text="night light"), 'type "night light" into searchbox "Search lamps"'
    )
    elements = (SEARCH, SORT, link("l", "Luna"), link("m", "Moon"))
    assert chosen(goal, *elements, history=(searched,)) == SelectOption(
        ref="s", option="Lowest price"
    )
    sorted_by = past(
        SelectOption(ref="s", option="Lowest price"), 'select "Lowest price" in combobox "Sort by"'
    )
    assert chosen(goal, *elements, history=(searched, sorted_by)) == Click(ref="l")


def test_name_with_more_of_the_goal_wins() -> None:
    goal = 'Open the page "Red night light".'
    assert chosen(
        goal, link("a", "Red"), link("b", "Red night light"), link("c", "Night")
    ) == Click(ref="b")


def test_action_is_not_repeated_on_the_same_page() -> None:
    history = (past(Click(ref="a"), 'click link "Luna"', changed=False),)
    assert chosen("Open the product Luna.", link("a", "Luna"), history=history) == Done()


def test_ticked_and_disabled_elements_are_left_alone() -> None:
    box = replace(link("c", "Red", role="checkbox"), checked=True)
    assert chosen("Show red ones.", box, replace(link("d", "Red"), disabled=True)) == Done()
    assert chosen("Show red ones.", replace(box, checked=False)) == Click(ref="c")


def test_link_to_the_front_page_scores_low() -> None:
    goal = "Open the lamp shop."
    home = link("h", "Lamp Shop", href="https://shop.test/")
    assert chosen(goal, home, link("l", "Lamp shop", href="https://shop.test/l")) == Click(ref="l")


def test_filled_form_is_submitted() -> None:
    history = (
        past(
            SelectOption(ref="s", option="Lowest price"),
            'select "Lowest price" in combobox "Sort by"',
        ),
    )
    go = link("g", "Apply", role="button")
    assert chosen("Sort by lowest price.", SORT, go, history=history) == Click(ref="g")


def test_page_is_scrolled_before_the_agent_is_done() -> None:
    seen = turn("Open Luna.", link("a", "Other"))
    further = replace(seen, observation=replace(seen.observation, scrolled=(0, 500)))
    assert HeuristicPolicy().choose(further).action == Scroll()
    again = replace(further, history=(past(Scroll(), "scroll down"),))
    assert HeuristicPolicy().choose(again).action == Done()


def test_heuristic_agent_always_ends() -> None:
    history = tuple(past(Click(ref=f"e{n}"), f'click link "{n}"') for n in range(MOST_ACTIONS))
    assert chosen("Open Luna.", link("a", "Luna"), history=history) == Done()


def test_same_turn_gives_the_same_decision() -> None:
    one = turn('Search for "night light".', SEARCH, SORT, link("l", "Luna"))
    assert HeuristicPolicy().choose(one) == HeuristicPolicy().choose(one)


# -- answers -----------------------------------------------------------------------------------

TEXT = "Welcome\nThe Luna is our best lamp\nWeight of the Luna: 450 g\nCopyright 2026"


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("How many grams is the weight of the Luna?", "450"),
        ("Which lamp is the best?", "The Luna is our best lamp"),
        ("Say something else.", "Lamps"),
    ],
)
def test_answer_is_the_line_that_matches_the_goal_best(goal: str, answer: str) -> None:
    assert best_line(Goal(goal), turn(goal, text=TEXT).observation) == answer
    assert HeuristicPolicy().choose(turn(goal, text=TEXT, wants=True)).action == Done(answer=answer)
