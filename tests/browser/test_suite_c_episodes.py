"""Wrong and right episodes of Suite C, written by hand: each is judged as its file says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from pytest_webbench.task import Counterexample

ROOT: Final = Path(__file__).parents[2]
SUITE: Final = ROOT / "suites" / "suite_c"
FILES: Final = sorted((ROOT / "tests" / "suite_c_episodes").glob("*.yaml"))

pytestmark = pytest.mark.browser


class Loader(yaml.SafeLoader):
    """Reads ``on`` as a text, as task files are read."""

    yaml_implicit_resolvers: dict[str, Any] = {  # noqa: RUF012
        first: [one for one in resolvers if one[0] != "tag:yaml.org,2002:bool"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)


def episodes(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(path)
    return found


def test_every_task_has_wrong_and_right_episodes() -> None:
    tasks = {path.stem for path in (SUITE / "tasks").glob("*.yaml")}
    assert {path.stem for path in FILES} == tasks
    for path in FILES:
        assert {one["must"] for one in episodes(path)} == {"fail", "pass"}, path.stem


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_episodes_are_steps_with_a_reason(path: Path) -> None:
    for one in episodes(path):
        assert one["why"], one["name"]
        assert Counterexample(name=one["name"], steps=one["steps"]).steps


@pytest.mark.episodes
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_episodes_are_judged_as_written(pytester: pytest.Pytester, path: Path) -> None:
    names = _write_suite(pytester.path / "suite", path)
    result = pytester.runpytest_subprocess(
        "suite", "--rootdir", str(pytester.path), "--webbench-validate", "1"
    )
    result.stdout.fnmatch_lines([f"{len(names)} of {len(names)} tasks are sound"])


def _write_suite(folder: Path, path: Path) -> list[str]:
    """A suite in which wrong episodes are counterexamples, and each right one solves a task."""
    (folder / "tasks").mkdir(parents=True)
    (folder / "suite.toml").write_bytes((SUITE / "suite.toml").read_bytes())
    (folder / "replica").symlink_to(SUITE / "replica")
    task = read(SUITE / "tasks" / path.name)
    wrong = [
        {"name": one["name"], "steps": one["steps"]}
        for one in episodes(path)
        if one["must"] == "fail"
    ]
    tasks = {path.stem: {**task, "counterexamples": wrong}}
    right = [one for one in episodes(path) if one["must"] == "pass"]
    for number, one in enumerate(right, start=1):
        name = f"{path.stem}.right-{number}"
        tasks[name] = {**task, "id": name, "solution": one["steps"], "counterexamples": []}
    for name, data in tasks.items():
        (folder / "tasks" / f"{name}.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    return list(tasks)
