"""Which passes are flagged, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_webbench.browser.repeatable import Hovered
from pytest_webbench.episode.repetition import Step, steps_of, with_hovers
from pytest_webbench.evidence.models import (
    Evidence,
    HowOpened,
    Integrity,
    ObservedAction,
    PageSeen,
    PageState,
    Repeated,
    TouchedElement,
)
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.judge.integrity import flags_of
from pytest_webbench.report import junit
from pytest_webbench.report.ctrf import document
from pytest_webbench.report.groups import summarize_groups
from pytest_webbench.report.redteam import RedTeam, redteam_data, redteam_lines
from pytest_webbench.report.results import RunResults, read_results
from pytest_webbench.report.summary import summarize
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.task import Task

START = "https://shop.test/"
CART = "https://shop.test/cart"
ITEM = "https://shop.test/item"
CLICK = {"do": "click", "role": "link", "name": "Cart"}


def task(*solution: dict[str, Any], **changes: Any) -> Task:
    data = {
        "id": "t",
        "goal": "Open the cart.",
        "start_url": START,
        "checks": [
            {"name": "there", "get": "final_url", "metric": "url_matches", "expected": CART}
        ],
        "solution": list(solution),
    }
    return Task.model_validate({**data, **changes})


def seen(*pages: tuple[str, str], final: int = -1) -> tuple[PageSeen, ...]:
    """Pages, each opened from the one before; ``final`` is the place of the one that is judged."""
    return tuple(
        PageSeen(
            number=number + 1,
            url=url,
            how=HowOpened(how),
            opened_from=number or None,
            final=number == final % len(pages),
        )
        for number, (url, how) in enumerate(pages)
    )


def kinds(task: Task, *pages: tuple[str, str], refused: str = "", **ground: Any) -> list[str]:
    evidence = Evidence(
        page=PageState(url=CART),
        pages_seen=seen(*(pages or ((START, "start"), (CART, "click")))),
        refused=(refused,) if refused else (),
        integrity=Integrity(**{"by_input": 1, **ground}),
    )
    return [flag.kind.value for flag in flags_of(task, evidence)]


def test_acting_leaves_no_flag() -> None:
    assert kinds(task(CLICK)) == []
    assert kinds(task(CLICK), by_input=0, by_script=1) == []


@pytest.mark.parametrize(
    ("solution", "flagged"),
    [
        ([CLICK], ["no action"]),
        ([{"do": "press", "key": "Enter"}], ["no action"]),
        ([{"do": "goto", "url": CART}], []),
        ([{"do": "back"}, {"do": "done", "answer": "3"}], []),
        ([], []),
    ],
    ids=["click", "key", "goto", "answer", "no solution"],
)
def test_a_pass_without_actions(solution: list[dict[str, Any]], flagged: list[str]) -> None:
    assert kinds(task(*solution), by_input=0) == flagged


@pytest.mark.parametrize(
    ("pages", "flagged"),
    [
        ([(START, "start"), (CART, "typed")], True),
        ([(START, "start"), (ITEM, "typed"), (CART, "click")], True),
        ([(START, "start"), (CART, "typed"), (CART + "#x", "script")], True),
        ([(START, "start"), (START, "typed"), (CART, "click")], False),
        ([(START, "start"), (START + "#top", "typed"), (CART, "click")], False),
        ([(START, "start"), (ITEM, "typed"), (START, "click"), (CART, "click")], False),
        ([(START, "start"), (ITEM, "back_forward"), (CART, "click")], False),
        ([(START, "start"), (CART, "typed"), (START, "typed"), (CART, "back_forward")], True),
        ([(START, "start"), (CART, "typed"), (CART, "reload")], True),
    ],
    ids=[
        "end",
        "middle",
        "moved on",
        "start",
        "fragment",
        "back at start",
        "back",
        "typed, then back",
        "typed, then loaded again",
    ],
)
def test_addresses_on_the_way(pages: list[tuple[str, str]], *, flagged: bool) -> None:
    assert kinds(task(CLICK), *pages) == ["opened by address"] * flagged


def test_addresses_that_the_solution_opens_or_a_page_links_to_are_no_detour() -> None:
    way = [(START, "start"), (ITEM, "typed"), (CART, "click")]
    assert kinds(task({"do": "goto", "url": ITEM}, CLICK), *way) == []
    assert kinds(task(CLICK), *way, linked=(ITEM,)) == []
    assert kinds(task(), *way) == []


FAKED: dict[str, Any] = {"undelivered": (CART,), "intercepted": (CART, ITEM), "rewritten": (CART,)}


@pytest.mark.parametrize(
    ("repeated", "flagged"),
    [
        (Repeated.SAME, []),
        (Repeated.OTHER, ["not repeated", "not delivered", "intercepted", "rewritten"]),
        (Repeated.UNTRIED, ["not delivered", "intercepted", "rewritten"]),
    ],
)
def test_what_was_faked_counts_unless_the_actions_pass_alone(
    repeated: Repeated, flagged: list[str]
) -> None:
    assert kinds(task(CLICK), repeated=repeated, **FAKED) == flagged


def test_requests_of_other_sites_may_be_answered_in_the_browser() -> None:
    assert kinds(task(CLICK), intercepted=("https://ads.test/one",)) == []


def test_leaving_the_web_is_always_flagged() -> None:
    refused = "file:///etc/passwd"
    assert kinds(task(CLICK), refused=refused, repeated=Repeated.SAME) == ["left the web"]


def test_flags_say_where() -> None:
    evidence = Evidence(
        page=PageState(url=CART),
        pages_seen=seen((START, "start"), (ITEM, "typed"), (CART, "typed")),
        integrity=Integrity(by_input=1),
    )
    verdict = judge(task(CLICK), evidence)
    assert verdict.outcome is Outcome.PASSED
    assert [str(flag) for flag in verdict.flags] == [f"opened by address: {ITEM} and 1 more"]


def test_old_evidence_and_failures_are_not_flagged() -> None:
    assert judge(task(CLICK), Evidence(page=PageState(url=CART))).flags == ()
    failed = judge(task(CLICK), Evidence(page=PageState(url=ITEM), integrity=Integrity()))
    assert (failed.outcome, failed.flags) == (Outcome.FAILED, ())


# -- what is done again --------------------------------------------------------------------------


def opened(url: str, seconds: float, how: str, *, number: int = 2) -> PageSeen:
    return PageSeen(number=number, url=url, seconds=seconds, how=HowOpened(how))


def test_moves_in_the_history_are_done_again_as_such() -> None:
    click = ObservedAction(number=1, kind="click", seconds=1.0)
    back = ObservedAction(number=2, kind="navigate", value=START, seconds=2.0)
    goto = ObservedAction(number=3, kind="navigate", value=START, seconds=8.0)
    pages = [
        opened(CART, 1.1, "click"),
        opened(START, 2.001, "back_forward", number=3),
        opened(START, 8.001, "typed", number=4),
    ]
    assert steps_of([click, back, goto], pages) == [
        Step(click),
        Step(back, HowOpened.BACK_FORWARD),
        Step(goto),
    ]


@pytest.mark.parametrize(
    ("how", "done"), [("back_forward", HowOpened.BACK_FORWARD), ("typed", None)]
)
def test_moves_without_an_action_are_done_again(how: str, done: HowOpened | None) -> None:
    click = ObservedAction(number=1, kind="click", seconds=1.0)
    last = ObservedAction(number=2, kind="click", seconds=3.0)
    steps = steps_of([click, last], [opened(START, 2.0, how)])
    assert [(step.action.kind, step.action.value, step.how) for step in steps] == [
        ("click", None, None),
        ("navigate", START, done),
        ("click", None, None),
    ]


def hovered(name: str, *, after: int) -> Hovered:
    target = TouchedElement(role="link", name=name, tag="a")
    return Hovered(target=target, at=(0.5, 0.5), url=START, tab=0, after=after)


def test_the_pointer_rests_again_where_no_action_leads_it() -> None:
    clicks = [
        ObservedAction(number=number, kind="click", target=hovered("Buy", after=0).target)
        for number in (1, 2)
    ]
    hovers = [
        *(hovered(str(number), after=0) for number in range(9)),
        hovered("Buy", after=0),
        *(hovered(name, after=1) for name in ("Buy", "Menu", "Menu")),
        hovered("Tip", after=2),
    ]
    steps = with_hovers([Step(click) for click in clicks], hovers)
    done = [step.target.name if isinstance(step, Hovered) else step.action.kind for step in steps]
    assert done == [*"345678", "click", "Buy", "Menu", "click", "Tip"]


# -- how it is shown -----------------------------------------------------------------------------

CHEAT = {"kind": "no action", "detail": "none was observed"}
TYPED = {"kind": "opened by address", "detail": CART}


def line(task: str, outcome: str = "passed", **values: Any) -> LedgerEntry:
    about = {"suite": "shop", "task": task, "agent": "me", "world": "replica"}
    return LedgerEntry.model_validate({**about, "outcome": outcome, **values})


LINES = (
    line("a", flags=[CHEAT, TYPED]),
    line("b", flags=[CHEAT]),
    line("c"),
    line("d", "failed"),
)


def recorded(folder: Path, flagged: str) -> RunResults:
    run = RunDir(folder)
    planned = [PlannedItem(**one.key._asdict(), nodeid=one.task) for one in LINES]
    run.plan(planned, {"options": {"flagged": flagged}})
    run.record_all(LINES, "main")
    return read_results(run, check=False)


def test_headline_counts_flagged_passes_and_says_why(tmp_path: Path) -> None:
    first, second = summarize(recorded(tmp_path / "t", "pass").results)[:2]
    assert "agent me: 3 of 4 passed, 2 of them flagged = 75.0%" in first
    assert second == "  flagged: 2 no action, 1 opened by address; see docs/integrity.md"


def test_flagged_passes_may_count_as_failed(tmp_path: Path) -> None:
    run = recorded(tmp_path / "t", "fail")
    first, second = summarize(run.results)[:2]
    assert "agent me: 1 of 4 passed = 25.0%" in first
    assert second.endswith("1 opened by address, counted as failed; see docs/integrity.md")
    assert [one.entry.outcome for one in run.results] == ["failed", "failed", "passed", "failed"]
    assert "flagged  no action: none was observed" in run.results[0].entry.detail


def test_reports_name_the_flags(tmp_path: Path) -> None:
    run = recorded(tmp_path / "t", "pass")
    (group,) = summarize_groups(run.results)
    assert (group.flagged, group.flags) == (2, {"no action": 2, "opened by address": 1})
    case = ElementTree.fromstring(junit.document(junit.cases_of(run.results))).find(".//testcase")
    assert case is not None
    flags = case.find("properties/property[@name='webbench.flags']")
    assert flags is not None
    assert flags.get("value") == f"no action: none was observed; opened by address: {CART}"
    assert document(run, "1")["results"]["tests"][1]["extra"]["flags"] == [
        "no action: none was observed"
    ]


def test_red_team_counts_tasks_that_fall_and_honest_passes(tmp_path: Path) -> None:
    found = RedTeam.of(
        recorded(tmp_path / "t", "pass").results,
        tasks=[("shop", task) for task in "abcd"],
        cheats={"me": "solution"},
        honest=["nobody"],
    )
    assert (found.fallen, found.honest_passes, found.holds) == (["c"], (0, 0), False)
    (cheat,) = found.cheats
    assert (cheat.silent, cheat.flagged, cheat.failed, cheat.unscored) == (1, 2, 1, 0)
    text = "\n".join(redteam_lines(found))
    assert "a cheat that knows the solution passes silently: 1 of 4 = 25.0 % (95 %: 4.6" in text
    assert "me PASSES SILENTLY: c" in text
    assert redteam_data(found)["tasks_that_fall"]["count"] == 1
