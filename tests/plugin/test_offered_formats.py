"""File formats of other distributions: collected, run and reported like built-in ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_webbench.run import RunDir
from tests.support.distributions import offer

pytestmark = pytest.mark.slow

FORMATS = "pytest_webbench.formats"

TASKS = """
from pytest_webbench.plugin.formats import TaskFormat


class Errands(TaskFormat):
    def recognises(self, path, *, named):
        return path.suffix == ".errands"

    def read(self, path):
        from pytest_webbench.errors import SettingsError
        from pytest_webbench.plugin.reading import FileContents
        from pytest_webbench.task import Suite, Task

        suite = Suite.model_validate({"name": "errands", "title": "Errands", "licence": "MIT"})
        goals = path.read_text().splitlines()
        if not goals:
            raise SettingsError(f"{path} is empty")
        check = {"get": "final_url", "metric": "url_matches", "expected": "https://a.test/"}
        tasks = tuple(
            Task.model_validate(
                {
                    "id": f"errand-{number}",
                    "goal": goal,
                    "start_url": "https://a.test/",
                    "checks": [{"name": "there", **check}],
                }
            )
            for number, goal in enumerate(goals, start=1)
        )
        return FileContents(suite, path.parent, tasks)


FORMAT = Errands()
"""

SUMS = """
class Sums:
    def recognises(self, path, *, named):
        return path.name == "sums.txt"

    def items(self, path, collection):
        import acme_items

        return acme_items.items(path, collection)


FORMAT = Sums()
"""

ITEMS = """
from dataclasses import dataclass

from pytest_webbench.errors import InfraError
from pytest_webbench.judge import Outcome
from pytest_webbench.judge.explanation import Finding
from pytest_webbench.run import ItemKey
from pytest_webbench.run.attempt import AttemptResult
from pytest_webbench.run.work_item import PlanFacts
from pytest_webbench.task import Suite

SUITE = Suite.model_validate({"name": "sums", "title": "Sums", "licence": "MIT"})


@dataclass(frozen=True)
class Sum:
    text: str
    number: int
    agent: str = "fixture"
    repeat: int = 1
    suite: Suite = SUITE
    world: str = "paper"
    judge_version: int = 3
    proof: None = None
    task: None = None
    asks_agent: bool = False
    retries_in_place: bool = True
    labels: tuple = ("arithmetic",)
    plan_facts: PlanFacts = PlanFacts("paper", (), "")

    @property
    def key(self):
        return ItemKey("sums", f"sum-{self.number}", "calculator", 1)

    def digest(self):
        return self.text

    def run(self, attempt, services):
        folder = attempt.begin('{"sum": "%s"}' % self.text)
        if self.text == "broken":
            raise InfraError("the pencil broke")
        left, right = self.text.split("=")
        found = Finding(Outcome.FAILED, text=f"{self.text} is wrong")
        if eval(left) == int(right):
            found = Finding(Outcome.PASSED)
        attempt.finish(AttemptResult(finding=found, task_digest=self.text, judge_version=3))
        return found


def items(path, collection):
    return [Sum(line, number) for number, line in enumerate(path.read_text().splitlines(), 1)]
"""


def install(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, target: str, **modules: str
) -> None:
    """Make the distribution acme, with one format, importable in the sessions of this test."""
    folder = pytester.path / "site"
    offer(folder, monkeypatch, {FORMATS: {"acme": target}}, **modules)
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    )


def write(pytester: pytest.Pytester, name: str, text: str) -> Path:
    path = pytester.mkdir("suite") / name
    path.write_text(text)
    return path


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("suite", "--webbench-run", "r", *arguments, timeout=300)


def test_tasks_of_an_offered_format_are_collected(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(pytester, monkeypatch, "acme_errands:FORMAT", acme_errands=TASKS)
    write(pytester, "town.errands", "Buy milk at the shop.\nPost the letter in town.\n")
    done = run(pytester, "--collect-only", "-q", "-m", "errands and a_test")
    done.stdout.fnmatch_lines(["*town.errands::errand-1", "*town.errands::errand-2"])


def test_bad_file_of_an_offered_format_is_a_collection_error(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(pytester, monkeypatch, "acme_errands:FORMAT", acme_errands=TASKS)
    write(pytester, "town.errands", "")
    done = run(pytester)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*town.errands is empty"])
    assert "Traceback" not in done.stdout.str()


def test_items_of_an_offered_format_run_themselves(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(pytester, monkeypatch, "acme_sums:FORMAT", acme_sums=SUMS, acme_items=ITEMS)
    file = write(pytester, "sums.txt", "1+1=2\n1+1=3\nbroken\n")
    done = run(pytester, "--junitxml", "report.xml")
    done.assert_outcomes(passed=1, failed=1, errors=1)
    done.stdout.fnmatch_lines(
        ["*1+1=3 is wrong*", "*sums (paper world), agent calculator: 1 of 2*"]
    )
    stored = RunDir(pytester.path / "runs" / "r")
    assert [entry.outcome for _, entry in sorted(stored.results().items())] == [
        "passed",
        "failed",
        "unscored",
    ]
    assert len(stored.attempts()) == 5, "the broken one is tried three times, in place"
    file.write_text("1+1=2\n1+1=2\nbroken\n")
    run(pytester).assert_outcomes(passed=2, errors=1)
    assert len(stored.attempts()) == 9, "only what changed or is unscored runs again"


@pytest.mark.parametrize("workers", ["0", "2"])
def test_broken_format_is_named_with_its_distribution(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    install(pytester, monkeypatch, "acme_sums:FORMAT", acme_sums="import no_such_module")
    write(pytester, "sums.txt", "1+1=2\n")
    done = run(pytester, "-n", workers)
    assert done.ret != 0
    text = done.stdout.str() + done.stderr.str()
    assert "acme offers 'acme' in pytest_webbench.formats, but acme_sums:FORMAT cannot" in text
    assert "Traceback" not in text
    assert "usage_errors" not in text
    assert "No module named 'no_such_module'" in text


def test_python_tests_run_despite_a_broken_format(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(pytester, monkeypatch, "acme_sums:FORMAT", acme_sums="import no_such_module")
    (pytester.path / "notes.txt").write_text("beside the test")
    pytester.makepyfile(test_other="def test_other():\n    pass\n")
    pytester.runpytest_subprocess("test_other.py").assert_outcomes(passed=1)
