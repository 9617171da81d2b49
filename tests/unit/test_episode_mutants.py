"""Episodes made from a solution: which are made, and what comes of them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    HowOpened,
    ObservedAction,
    PageSeen,
    PageState,
    TouchedElement,
)
from pytest_webbench.judge.episode_audit import EpisodeAudit, State, audit_episodes
from pytest_webbench.judge.episode_mutants import EpisodeMutant, PageStep, derive
from pytest_webbench.report.episode_audit import episode_audit_data, episode_audit_lines
from pytest_webbench.task import Task

HOME = "https://shop.example/"
LIST = "https://shop.example/lamps?stock=1&sort=price"
LAMP = "https://shop.example/lamps/42"
SOLUTION = [
    {"do": "type", "role": "searchbox", "name": "Search", "text": "lamp"},
    {"do": "press", "key": "Enter"},
    {"do": "check", "role": "checkbox", "name": "In stock"},
    {"do": "select", "role": "combobox", "name": "Sort by", "option": "Price"},
    {"do": "click", "role": "button", "name": "Apply"},
    {"do": "click", "role": "link", "name": "Brass lamp"},
    {"do": "done", "answer": "7"},
]
CHECKS = [
    {"name": "lamp", "get": "final_url", "metric": "url_matches", "expected": LAMP},
    {"name": "number", "get": "agent_answer", "metric": "answer_match", "expected": 7},
]
WAY = {
    "name": "way",
    "get": "pages_seen",
    "metric": "came_from",
    "expected": {"host": "shop.example", "path": "/lamps", "params": {"includes": {"stock": "1"}}},
}


def task(*checks: dict[str, Any], **fields: Any) -> Task:
    return Task.model_validate(
        {
            "id": "t",
            "goal": "Find the lamp and say how many there are.",
            "start_url": HOME,
            "answer": "text",
            "checks": [*CHECKS, *checks],
            "solution": SOLUTION,
            **fields,
        }
    )


def click(role: str, name: str, on: PageSeen, to: PageSeen) -> ObservedAction:
    target = TouchedElement(role=role, name=name)
    return ObservedAction(number=1, kind="click", target=target, url=on.url, url_after=to.url)


def evidence(*, how: HowOpened = HowOpened.CLICK, **changes: Any) -> Evidence:
    pages = (
        PageSeen(number=1, url=HOME),
        PageSeen(number=2, url="https://shop.example/lamps", how=HowOpened.INPUT, opened_from=1),
        PageSeen(number=3, url=LIST, how=HowOpened.CLICK, opened_from=2),
        PageSeen(number=4, url=LAMP, how=how, opened_from=3, final=True),
    )
    fields: dict[str, Any] = {
        "task": "t",
        "answer": "7",
        "page": PageState(url=LAMP, title="Brass lamp", text="Brass lamp", visible_text="Brass"),
        "pages_seen": pages,
        "actions": (
            click("button", "Apply", pages[1], pages[2]),
            click("link", "Brass lamp", pages[2], pages[3]),
        ),
    }
    return Evidence(**{**fields, **changes})


def made(subject: Task, reference: Evidence | None = None) -> dict[str, list[EpisodeMutant]]:
    families: dict[str, list[EpisodeMutant]] = {}
    for mutant in derive(subject, reference or evidence()):
        families.setdefault(mutant.family, []).append(mutant)
    return families


def words(mutant: EpisodeMutant) -> list[str]:
    """The kinds of its steps; what the page decides in capitals."""
    found = []
    for step in mutant.steps:
        found.append(step.ask.upper() if isinstance(step, PageStep) else step.do)
    return found


def test_every_step_but_the_answer_is_left_out_in_turn() -> None:
    mutants = made(task())["left-out"]
    assert [len(one.steps) for one in mutants] == [6] * 6
    assert all(words(one)[-1] == "done" for one in mutants)


@pytest.mark.parametrize(
    ("family", "steps"),
    [
        ("filter-undone", "type press check select click check click click done"),
        ("other-filter", "type press OTHER-BOX select click click done"),
        ("second-value", "type press OTHER-BOX check select click click done"),
        ("neighbour", "type press check select click NEIGHBOUR done"),
        ("item-first", "goto goto type press check select click done"),
        ("item-typed", "type press check select click goto done"),
        ("route-typed", "goto goto goto done"),
        ("answer-only", "done"),
        ("new-tab", "type press check select click click tab done"),
        ("tab-closed", "type press check select click click close done"),
        ("filters-swapped", "type press select check click click done"),
        ("looked-around", "LOOK-AROUND type press check select click click done"),
        ("opened-twice", "type press check select click click back click done"),
        ("enter-or-button", "type SUBMIT check select click click done"),
        ("scrolled", "type press check select click scroll click done"),
    ],
)
def test_families_are_made_of_these_steps(family: str, steps: str) -> None:
    assert words(made(task(WAY))[family][0]) == steps.split()


def test_last_choice_of_a_select_is_undone_by_its_first_option() -> None:
    _, undone = made(task())["filter-undone"]
    assert words(undone)[5:7] == ["FIRST-OPTION", "click"]


def test_addresses_are_typed_only_where_the_goal_asks_for_a_way() -> None:
    typed = {"item-first", "item-typed", "route-typed"}
    assert not typed & made(task()).keys()
    assert typed <= made(task(WAY)).keys()
    either = {**WAY, "options": {"how": ["click", "typed"]}}
    assert not typed & made(task(either)).keys()
    asked = "Find the lamps in stock. From that list open the brass one."
    assert typed <= made(task(goal=asked)).keys()


@pytest.mark.parametrize("how", [HowOpened.INPUT, HowOpened.TYPED, HowOpened.SCRIPT])
def test_item_mutants_need_a_click(how: HowOpened) -> None:
    families = made(task(WAY), evidence(how=how))
    assert not {"neighbour", "item-first", "item-typed", "opened-twice"} & families.keys()


REVIEWS = "https://shop.example/lamps/42/reviews"
WITH_REVIEWS = [
    *SOLUTION[:-1],
    {"do": "click", "role": "tab", "name": "reviews", "exact": False},
    SOLUTION[-1],
]


def evidence_of_reviews() -> Evidence:
    """The lamp was opened from the list, and its reviews, which are judged, from there."""
    route = evidence()
    lamp = route.pages_seen[-1].model_copy(update={"final": False})
    reviews = PageSeen(number=5, url=REVIEWS, how=HowOpened.CLICK, opened_from=4, final=True)
    actions = (*route.actions, click("tab", "12 Reviews", lamp, reviews))
    return evidence(pages_seen=(*route.pages_seen[:-1], lamp, reviews), actions=actions)


@pytest.mark.parametrize(
    ("checks", "typed"),
    [
        pytest.param([{**WAY, "options": {"page": "/lamps/42"}}], [LAMP], id="a page on the way"),
        pytest.param([{**WAY, "options": {"via": ["/lamps/42"]}}], [LAMP, REVIEWS], id="each page"),
        pytest.param([], [REVIEWS], id="the final page"),
    ],
)
def test_pages_are_typed_that_the_task_wants_opened_by_a_click(
    checks: list[dict[str, Any]], typed: list[str]
) -> None:
    goal = "Find the lamps in stock. From that list open the brass one, and its reviews."
    subject = task(*checks, goal=goal, solution=WITH_REVIEWS)
    families = made(subject, evidence_of_reviews())
    assert [one.title for one in families["item-typed"]] == [
        f"list in front, {url} typed" for url in typed
    ]
    assert len(families["neighbour"]) == len(families["opened-twice"]) == len(typed)


def test_the_click_is_known_though_the_page_changed_its_fragment() -> None:
    before, opens = evidence().actions
    moved = opens.model_copy(update={"url_after": f"{LAMP}#map=17"})
    assert "item-typed" in made(task(WAY), evidence(actions=(before, moved)))


def test_labels_are_unique() -> None:
    labels = [mutant.label for mutant in derive(task(WAY), evidence())]
    assert len(set(labels)) == len(labels)


# -- what comes of them --------------------------------------------------------------------------


def audit(subject: Task, verdicts: dict[str, Evidence | None]) -> EpisodeAudit:
    """The audit of a task whose mutants end as ``verdicts`` says by family; others as they must."""

    def played(mutant: EpisodeMutant) -> tuple[Evidence | None, str]:
        other = evidence(page=PageState(url=LAMP, title="Other route"))
        wrong = evidence(page=PageState(url=HOME))
        return verdicts.get(mutant.family, other if mutant.must_pass else wrong), "no such link"

    return audit_episodes(subject, evidence(), played)


def states(found: EpisodeAudit, family: str) -> set[State]:
    return {one.state for one in found.results if one.family == family}


def test_task_that_judges_every_mutant_by_the_rule_is_sound() -> None:
    found = audit(task(), {})
    assert (found.sound, found.open) == (True, [])
    assert states(found, "wrong-answer") == {State.REJECTED}
    assert states(found, "answer-form") == {State.ACCEPTED}
    assert episode_audit_lines([found])[-1].startswith("1 of 1 tasks hold")


@pytest.mark.parametrize(
    ("family", "evidence_of_it", "state"),
    [
        ("neighbour", evidence(page=PageState(url=LAMP, title="x")), State.ACCEPTED),
        ("new-tab", evidence(page=PageState(url=HOME)), State.REJECTED),
        ("left-out", None, State.UNKNOWN),
        ("left-out", evidence(), State.NOT_APPLICABLE),
        (
            "new-tab",
            evidence(page=PageState(url=HOME), ending=Ending.GAVE_UP),
            State.NOT_APPLICABLE,
        ),
    ],
)
def test_states(family: str, evidence_of_it: Evidence | None, state: State) -> None:
    found = audit(task(), {family: evidence_of_it})
    assert states(found, family) == {state}
    assert found.sound == (state is State.NOT_APPLICABLE)


def test_exception_closes_a_family_and_must_be_needed() -> None:
    allowed = {"allowed": ["neighbour"], "because": "Any lamp will do here."}
    subject = task(mutants=allowed)
    passing = evidence(page=PageState(url=LAMP, title="x"))
    needed = audit(subject, {"neighbour": passing})
    assert needed.sound
    assert any("Any lamp will do here." in line for line in episode_audit_lines([needed]))
    idle = audit(subject, {})
    assert (idle.sound, idle.not_needed) == (False, ["neighbour"])
    assert episode_audit_data([idle])["tasks"][0]["exceptions_not_needed"] == ["neighbour"]


def test_ratios_have_intervals() -> None:
    data = episode_audit_data([audit(task(), {"neighbour": evidence()})])
    assert data["wrong_that_pass"]["count"] == 1
    assert data["right_that_are_refused"]["count"] == 0
    low, high = data["wrong_that_pass"]["interval"]
    assert 0 < low < 1 / data["wrong_that_pass"]["of"] < high < 1


def test_task_without_a_passing_solution_is_not_audited() -> None:
    def played(_mutant: EpisodeMutant) -> tuple[Evidence | None, str]:
        raise AssertionError("nothing is made from a solution that does not pass")

    for reference in (None, evidence(page=PageState(url=HOME))):
        found = audit_episodes(task(), reference, played)
        assert found.problem
        assert not found.sound


@pytest.mark.parametrize(
    "mutants",
    [
        {"allowed": ["neighbour"]},
        {"allowed": ["neighbour"], "because": "short"},
        {"allowed": [], "because": "There is a reason."},
        {"allowed": ["neighbours"], "because": "There is a reason."},
    ],
)
def test_exceptions_need_known_families_and_a_reason(mutants: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        task(mutants=mutants)


def test_mutants_section_does_not_change_the_digest() -> None:
    allowed = {"allowed": ["neighbour"], "because": "Any lamp will do here."}
    assert task(mutants=allowed).digest() == task().digest()
