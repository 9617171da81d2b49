"""Getters and metrics that another distribution offers by entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.checks import BUILT_IN, installed_checks
from pytest_webbench.errors import SettingsError, TaskFileError
from pytest_webbench.evidence.models import Evidence, PageState, Read
from pytest_webbench.judge import CheckState, judge
from pytest_webbench.task.native import parse_task
from pytest_webbench.task.probes import probes_of
from pytest_webbench.task.schema import task_schema
from pytest_webbench.task.stored import parse_stored_task
from tests.support.distributions import offer as install

SOURCE = '''
from typing import ClassVar, Literal

from pytest_webbench.checks import Getter, Issue, Metric, Probe


class MetaTag(Getter):
    """Content of a meta tag."""

    type: Literal["meta_tag"] = "meta_tag"
    name: str

    def probe(self):
        return Probe("meta_tag", {"name": self.name}, script="({name}) => name.length")

    def read(self, evidence):
        return self.answer_of_probe(evidence)


class Longer(Metric):
    """The text is longer than expected."""

    name: ClassVar[str] = "longer"
    by: int = 0

    def issues(self, expected):
        return [] if isinstance(expected, int) else [Issue("must be a length")]

    def score(self, result, expected):
        return float(len(result) >= expected + self.by)


class Renamed(Metric):
    name: ClassVar[str] = "other_name"


class Nameless(Getter):
    pass


class FinalUrl(Getter):
    type: Literal["final_url"] = "final_url"


def not_a_class():
    pass
'''
TASK = """\
id: find-it
goal: Find the page about lamps.
start_url: https://shop.example/
checks:
- name: described
  get: {type: meta_tag, name: description}
  metric: longer
  expected: 3
  options: {by: 2}
"""
GOOD = {"meta_tag": "MetaTag", "longer": "Longer"}


Offer = Callable[[dict[str, str]], None]
"""Installs a distribution that offers these checks, by the attribute of its module."""


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Offer]:
    def offer(offered: dict[str, str]) -> None:
        # A module is imported once per process, so each test needs a name of its own.
        module = f"acme_{tmp_path.name}"
        points = {name: f"{module}:{attribute}" for name, attribute in offered.items()}
        install(tmp_path, monkeypatch, {"pytest_webbench.checks": points}, **{module: SOURCE})
        installed_checks.cache_clear()

    yield offer
    monkeypatch.undo()
    installed_checks.cache_clear()


def evidence_of(content: str) -> Evidence:
    (probe,) = probes_of(parse_task(TASK, "task.yaml"))
    return Evidence(
        page=PageState(url="https://shop.example/"), reads={probe.key(): Read(value=content)}
    )


def test_task_uses_what_another_distribution_offers(offer: Offer) -> None:
    offer(GOOD)
    task = parse_task(TASK, "task.yaml")
    (result,) = judge(task, evidence_of("bright lamps")).checks
    assert (result.state, result.found) == (CheckState.HOLDS, "bright lamps")
    (result,) = judge(task, evidence_of("lamp")).checks
    assert result.state is CheckState.FAILS


def test_built_in_checks_stay_as_they_are(offer: Offer) -> None:
    offer(GOOD)
    found = installed_checks()
    assert set(found.getters) - set(BUILT_IN.getters) == {"meta_tag"}
    assert set(found.metrics) - set(BUILT_IN.metrics) == {"longer"}


def test_probe_key_changes_with_its_script(
    offer: Offer,
) -> None:
    offer(GOOD)
    (probe,) = probes_of(parse_task(TASK, "task.yaml"))
    assert probe.script is not None
    assert probe.key().startswith("meta_tag@")
    assert probe.key() != probe._replace(script=probe.script + " ").key()


def test_options_of_offered_checks_are_validated(offer: Offer) -> None:
    offer(GOOD)
    wrong = TASK.replace("name: description}", "names: description}").replace(
        "expected: 3", "expected: long"
    )
    with pytest.raises(TaskFileError) as caught:
        parse_task(wrong.replace("{by: 2}", "{bye: 2}"), "task.yaml")
    found = {problem.field: problem.what for problem in caught.value.problems}
    assert found == {
        "checks[0].get.name": "is missing",
        "checks[0].get.names": "unknown option 'names'; did you mean 'name'?",
        "checks[0].expected": "must be a length",
        "checks[0].options.bye": "unknown option 'bye'; did you mean 'by'?",
    }


def test_typo_is_compared_with_offered_names_too(offer: Offer) -> None:
    offer(GOOD)
    with pytest.raises(TaskFileError, match="did you mean 'meta_tag'") as caught:
        parse_task(TASK.replace("meta_tag", "meta_tags"), "task.yaml")
    (problem,) = caught.value.problems
    assert "meta_tag" in problem.allowed
    with pytest.raises(TaskFileError, match="did you mean 'longer'"):
        parse_task(TASK.replace("longer", "longest"), "task.yaml")


def test_schema_holds_offered_checks(offer: Offer) -> None:
    offer(GOOD)
    check: Any = task_schema()["$defs"]["Check"]
    assert "meta_tag" in check["properties"]["get"]["anyOf"][0]["enum"]
    assert (
        "longer: The text is longer than expected." in check["properties"]["metric"]["description"]
    )
    assert "longer" not in task_schema(BUILT_IN)["$defs"]["Check"]["properties"]["metric"]["enum"]


@pytest.mark.parametrize(
    ("offered", "message"),
    [
        ({"final_url": "FinalUrl"}, "has the name of a built-in check"),
        ({"renamed": "Renamed"}, "calls itself 'other_name'"),
        ({"nameless": "Nameless"}, 'must declare type: Literal["nameless"] = "nameless"'),
        ({"wrong": "not_a_class"}, "must be a subclass of Getter or of Metric"),
        ({"absent": "Absent"}, "cannot be imported"),
    ],
)
def test_unusable_check_is_refused_and_named(
    offer: Offer, offered: dict[str, str], message: str
) -> None:
    offer(offered)
    with pytest.raises(SettingsError, match="pytest_webbench.checks") as caught:
        parse_task(TASK, "task.yaml")
    assert message in str(caught.value)
    assert next(iter(offered)) in str(caught.value)


def test_stored_task_names_the_missing_distribution_of_a_check(
    offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(GOOD)
    stored = parse_task(TASK, "task.yaml").model_dump_json()
    assert parse_stored_task(stored).checks[0].metric == "longer"
    monkeypatch.undo()
    installed_checks.cache_clear()
    with pytest.raises(
        ValueError, match="install the distribution that offers this check"
    ) as caught:
        parse_stored_task(stored)
    assert "checks[0].get.type: unknown getter 'meta_tag'" in str(caught.value)
    assert "checks[0].metric: unknown metric 'longer'" in str(caught.value)
