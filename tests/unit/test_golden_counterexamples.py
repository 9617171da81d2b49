"""Recorded episodes of Suite C that must pass, must fail or cannot be scored."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    Health,
    HistoryEntry,
    HowOpened,
    PageSeen,
    PageState,
    Read,
)
from pytest_webbench.judge import judge
from pytest_webbench.judge.rejudge import outcome_text
from pytest_webbench.task import Task
from pytest_webbench.task.native import read_task

FOLDER = Path(__file__).parents[1] / "golden" / "counterexamples"
TASKS = Path(__file__).parents[2] / "suites" / "suite_c" / "tasks"
SHOWN = ("title", "text", "visible_text")


@cache
def base(name: str) -> Evidence:
    return Evidence.model_validate(json.loads((FOLDER / f"{name}.json").read_bytes())["evidence"])


@cache
def task(name: str) -> Task:
    return read_task(TASKS / f"{name}.yaml")


def varied(evidence: Evidence, case: dict[str, Any]) -> Evidence:
    """The evidence as a case tells it: where the agent ended, what it had visited, said and left
    on the page.
    """
    page = evidence.page
    assert page is not None
    return evidence.model_copy(
        update={
            "page": None if case.get("no_page") else varied_page(page, case),
            "history": tuple(varied_history(evidence, case)),
            "pages_seen": tuple(varied_pages(evidence, case)),
            "answer": case.get("answer", evidence.answer),
            "ending": Ending(case.get("ending", evidence.ending)),
            "health": Health(state=case.get("health", "ok"), by_agent=case.get("by_agent", False)),
            "local_storage": {
                key: value
                for key, value in {**evidence.local_storage, **case.get("storage", {})}.items()
                if value is not None
            },
            "reads": {key: varied_read(key, read, case) for key, read in evidence.reads.items()},
        }
    )


def varied_page(page: PageState, case: dict[str, Any]) -> PageState:
    return page.model_copy(
        update={
            "url": case.get("url", page.url),
            **{name: case[name] for name in SHOWN if name in case},
        }
    )


def varied_history(evidence: Evidence, case: dict[str, Any]) -> list[HistoryEntry]:
    old, new = case.get("swap", ("", ""))
    before = case.get(
        "visited",
        [entry.url.replace(old, new) if old else entry.url for entry in evidence.history[:-1]],
    )
    assert not old or before != [entry.url for entry in evidence.history[:-1]], (
        "the case changes nothing"
    )
    return [HistoryEntry(url=url) for url in (*before, case.get("url", evidence.history[-1].url))]


def varied_pages(evidence: Evidence, case: dict[str, Any]) -> list[PageSeen]:
    """The pages seen, each opened by a click in the one before if the case names them."""
    if not evidence.pages_seen:
        return []
    *before, final = evidence.pages_seen
    if "visited" in case:
        before = [
            PageSeen(number=number, url=url, how=HowOpened.CLICK, opened_from=number - 1 or None)
            for number, url in enumerate(case["visited"], start=1)
        ]
        final = final.model_copy(
            update={"number": len(before) + 1, "opened_from": len(before) or None}
        )
    old, new = case.get("swap", ("", ""))
    before = [
        page.model_copy(update={"url": page.url.replace(old, new) if old else page.url})
        for page in before
    ]
    return [*before, final.model_copy(update={"url": case.get("url", final.url)})]


def varied_read(key: str, read: Read, case: dict[str, Any]) -> Read:
    if "read_error" in case:
        return Read(error=case["read_error"])
    for part, new in case.get("reads", {}).items():
        if part in key:
            return Read(missing=True) if new is None else Read(value=new)
    value = json.loads(json.dumps(read.value))
    for path, new in case.get("read", {}).items():
        name, _, inner = path.partition(".")
        if name in value:
            value[name] = {**value[name], inner: new} if inner and new is not None else new
    return Read(value=value)


def all_cases() -> list[Any]:
    return [
        pytest.param(file.stem, case, id=f"{file.stem}: {case['label']}")
        for file in sorted(FOLDER.glob("*.json"))
        for case in json.loads(file.read_bytes())["cases"]
    ]


@pytest.mark.parametrize(("name", "case"), all_cases())
def test_counterexample_is_judged_as_recorded(name: str, case: dict[str, Any]) -> None:
    verdict = judge(task(name), varied(base(name), case))
    found = outcome_text(verdict.outcome, verdict.reason)
    assert found == case["expect"], "\n".join(
        f"{one.name}: {one.state} {one.found} {one.why}" for one in verdict.checks
    )


def test_every_kind_has_enough_counterexamples() -> None:
    cases = [(param.values[0], param.values[1]) for param in all_cases()]
    assert len(cases) >= 124
    assert len({name for name, _ in cases}) >= 10
    kinds = Counter(case["expect"].partition(" ")[0] for _, case in cases)
    assert set(kinds) == {"passed", "failed", "unscored"}
    assert min(kinds.values()) >= 20


@pytest.mark.parametrize("name", sorted(file.stem for file in FOLDER.glob("*.json")))
def test_every_solution_of_suite_c_passes_as_recorded(name: str) -> None:
    assert judge(task(name), base(name)).outcome == "passed"
