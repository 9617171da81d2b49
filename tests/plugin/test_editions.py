"""Editions: what validations play, and items of their own by ``--webbench-seeds``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.evidence.models import Repeated
from pytest_webbench.run import LedgerEntry, RunDir
from tests.support.mini_suite import RunMini

pytestmark = pytest.mark.slow

Results = Callable[[], dict[str, LedgerEntry]]

# What the page shows is 10, 11, 12 ...: a value that a test can tell beforehand.
SITE = """from pytest_webbench.world.kit import Request, Response, Site, by_edition

site = Site(__file__)
price = by_edition(lambda edition: 10 + edition.number)


@site.get("/")
def home(request: Request) -> Response:
    page = "<!doctype html><title>Shop</title><a href=/lamp>Lamp</a>"
    return Response(page, media_type="text/html")


@site.get("/lamp")
def lamp(request: Request) -> Response:
    page = f"<!doctype html><title>Lamp</title><p>It costs <b>{price(request)}</b>.</p>"
    return Response(page, media_type="text/html")
"""
TASK = """id: {name}
goal: Open the lamp and say what it costs.
start_url: https://shop.test/
answer: text
checks:
- name: the lamp is open
  get: final_url
  metric: url_matches
  expected: https://shop.test/lamp
- name: the price
  get: agent_answer
  metric: answer_match
  expected: {expected}
  requires: [the lamp is open]
solution:
- {{do: click, role: link, name: Lamp}}
{answer}
counterexamples:
- name: another price
  steps:
  - {{do: click, role: link, name: Lamp}}
  - {{do: done, answer: '99'}}
"""
PRICE = "{type: dom_extract, selectors: {price: b}}"
READS = f"- {{do: read, get: {PRICE}, as: lamp}}\n- {{do: done, answer: '{{{{lamp.price}}}}'}}"


def _add_task(suite: Path, name: str, expected: str, answer: str) -> None:
    text = TASK.format(name=name, expected=expected, answer=answer)
    (suite / "tasks" / f"{name}.yaml").write_text(text)


@pytest.fixture
def shop(mini: Path) -> Path:
    """One site that has editions; tasks that read its price, hold it, and hold it twice."""
    for task in (mini / "tasks").iterdir():
        task.unlink()
    site = mini / "replica" / "shop.test" / "site.py"
    site.parent.mkdir()
    site.write_text(SITE)
    _add_task(mini, "reads", PRICE, READS)
    _add_task(mini, "frozen", "'10'", READS)
    _add_task(mini, "twice", "'10'", "- {do: done, answer: '10'}")
    return mini


@pytest.mark.browser
@pytest.mark.usefixtures("shop")
def test_frozen_value_is_unsound_and_the_edition_is_named(
    run_mini: RunMini, results: Results
) -> None:
    result = run_mini("--webbench-validate", "3")
    result.stdout.fnmatch_lines(
        [
            "UNSOUND frozen  solution 1/3 in editions 0, 1, 2, start-page 1/1, counterexample 1/1*",
            "*reference solution in edition 1: the reference solution does not pass",
            "*reference solution in edition 2: the reference solution does not pass",
            "sound   reads   solution 3/3 in editions 0, 1, 2, start-page 1/1, counterexample 1/1*",
            "UNSOUND twice   solution 3/3 in editions 0, 1, 2, *",
            "*twice is not sound: the price: the pages show '10' in edition 0 and not in *",
            "1 of 3 tasks are sound",
        ]
    )
    # Its episodes hold, one by one; they are not played again.
    assert run_mini("--webbench-validate", "3", "-k", "twice").ret == 1
    in_other_editions = sorted(key for key, entry in results().items() if entry.seed)
    assert in_other_editions == [
        "frozen.s1",
        "frozen.s2",
        "reads.s1",
        "reads.s2",
        "twice.s1",
        "twice.s2",
    ]


# -- items by edition --------------------------------------------------------------------------


def _names(result: pytest.RunResult) -> list[str]:
    return [line.partition("::")[2] for line in result.outlines if "::" in line]


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("options", "names"),
    [
        ((), ["reads"]),
        (("--webbench-seeds", "1"), ["reads"]),
        (("--webbench-seeds", "3"), ["reads[s0]", "reads[s1]", "reads[s2]"]),
        (("--webbench-seeds", "3", "-k", "reads and s1]"), ["reads[s1]"]),
        (
            ("--webbench-seeds", "2", "--webbench-repeats", "2"),
            ["reads[s0-r1]", "reads[s0-r2]", "reads[s1-r1]", "reads[s1-r2]"],
        ),
        (
            ("--webbench-seeds", "2", "--webbench-agent", "random"),
            ["reads[noop-s0]", "reads[noop-s1]", "reads[random-s0]", "reads[random-s1]"],
        ),
        (("-o", "webbench_seeds=2"), ["reads[s0]", "reads[s1]"]),
    ],
    ids=["without", "one", "three", "chosen", "repeats", "agents", "ini"],
)
def test_every_edition_is_an_item(
    run_mini: RunMini, options: tuple[str, ...], names: list[str]
) -> None:
    result = run_mini(
        "--webbench-agent", "noop", *options, "--collect-only", "-q", path="mini/tasks/reads.yaml"
    )
    assert _names(result) == names


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--webbench-seeds", "0"), "*--webbench-seeds '0': use a whole number of at least 1*"),
        (("--webbench-seeds", "-1"), "*--webbench-seeds '-1': use a whole number of at least 1*"),
        (("--webbench-seeds", "1,2"), "*--webbench-seeds '1,2': use a whole number of*"),
        (
            ("--webbench-seeds", "2", "--webbench-world", "live"),
            "*--webbench-seeds: the live world has one edition only*",
        ),
    ],
)
def test_seeds_that_make_no_sense_are_refused(
    pytester: pytest.Pytester, run_mini: RunMini, options: tuple[str, ...], message: str
) -> None:
    result = run_mini("--webbench-agent", "noop", *options)
    lines = [*result.outlines, *result.errlines]
    pytest.LineMatcher(lines).fnmatch_lines([message])
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert not (pytester.path / "runs").exists()


@pytest.mark.browser
@pytest.mark.usefixtures("shop")
def test_run_is_resumed_in_more_editions(
    pytester: pytest.Pytester, run_mini: RunMini, results: Results
) -> None:
    run_mini("--webbench-agent", "scripted", path="mini/tasks/reads.yaml")
    before = results()
    result = run_mini(
        *("--webbench-agent", "scripted", "--webbench-seeds", "2", "-v"),
        path="mini/tasks/reads.yaml",
    )
    result.assert_outcomes(passed=2)
    found = results()
    assert sorted(found) == ["reads", "reads.s1"]
    assert found["reads"] == before["reads"], "edition 0 is not played again"
    run = RunDir(pytester.path / "runs" / "t")
    assert [item.nodeid.partition("::")[2] for item in run.planned()] == ["reads[s0]", "reads[s1]"]
    evidence = run.stored_episode(found["reads.s1"]).evidence()
    assert evidence is not None
    assert evidence.answer == "11"
    # Done again in the same edition, what was observed comes to the same end.
    assert evidence.integrity is not None
    assert evidence.integrity.repeated is Repeated.SAME
