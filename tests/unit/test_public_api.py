"""What users rely on: public names, the error tree, no cost while unused."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Final

import pytest

import pytest_webbench
from pytest_webbench import errors

ROOT: Final = Path(__file__).parents[2]


def run_python(code: str) -> list[str]:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.split()


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", pytest_webbench.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(pytest_webbench, name) is not None


def test_star_import_gives_the_public_names() -> None:
    names = run_python(
        "before = set(dir()); from pytest_webbench import *; print(*set(dir()) - before - "
        "{'before'})"
    )
    assert sorted(names) == sorted(name for name in pytest_webbench.__all__)


def test_public_names_are_sorted_and_named_once() -> None:
    assert sorted(set(pytest_webbench.__all__)) == list(pytest_webbench.__all__)


@pytest.mark.parametrize("name", ["agent", "Task", "errors_", "__wrapped__"])
def test_other_names_are_an_attribute_error(name: str) -> None:
    with pytest.raises(
        AttributeError, match=f"^module 'pytest_webbench' has no attribute {name!r}$"
    ):
        getattr(pytest_webbench, name)


def test_version_is_that_of_the_distribution() -> None:
    assert pytest_webbench.__version__ == version("pytest-webbench")


def test_installed_entry_points_are_those_of_pyproject() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = wanted["entry-points"] | {"console_scripts": wanted["scripts"]}
    found = {
        group: {
            entry.name: entry.value
            for entry in entry_points(group=group)
            if entry.dist is not None and entry.dist.name == "pytest-webbench"
        }
        for group in groups
    }
    assert found == groups, "run `pip install --editable .` again"


def test_pytest_finds_the_plugin_by_its_entry_point() -> None:
    found = [entry.value for entry in entry_points(group="pytest11") if entry.name == "webbench"]
    assert found == ["pytest_webbench.plugin"]


# -- costs -------------------------------------------------------------------------------------

DEAR = (
    "pydantic",
    "playwright",
    "yaml",
    "starlette",
    "uvicorn",
    "jinja2",
    "typer",
    "httpx",
    "jsonschema",
    "trustme",
)


@pytest.mark.parametrize(
    "module", ["pytest_webbench", "pytest_webbench.plugin", "pytest_webbench.plugin.fixtures"]
)
def test_unused_plugin_imports_nothing_heavy(module: str) -> None:
    loaded = run_python(
        f"import sys, {module}; print(*(name for name in {DEAR!r} if name in sys.modules))"
    )
    assert loaded == []


def test_import_starts_no_thread() -> None:
    assert run_python(
        "import pytest_webbench.plugin, threading; print(threading.active_count())"
    ) == ["1"]


# -- errors ------------------------------------------------------------------------------------


def drawn_tree() -> dict[str, str]:
    """Each error and its parent, as drawn at the top of the module."""
    branches: list[tuple[int, str]] = []
    parents: dict[str, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"^([│├└─ ]*)([A-Z][A-Za-z]+(?:Error|Found|Reply))\b", line)
        if found is None or found[2] == "TaskFailed":
            continue
        depth = len(found[1])
        branches = [(at, name) for at, name in branches if at < depth]
        parents[found[2]] = branches[-1][1] if branches else "Exception"
        branches.append((depth, found[2]))
    return parents


def test_error_tree_is_the_one_in_the_docstring() -> None:
    classes = [
        one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, Exception)
    ]
    real = {
        one.__name__: one.__bases__[0].__name__ for one in classes if one is not errors.TaskFailed
    }
    assert drawn_tree() == real


def test_failed_verdict_is_not_a_webbench_error() -> None:
    assert errors.TaskFailed.__bases__ == (AssertionError,)


def test_every_unscored_reason_has_an_error() -> None:
    kinds = errors.UnscoredError.__subclasses__()
    assert {kind.reason: kind for kind in kinds} == errors.UNSCORED_ERRORS


@pytest.mark.parametrize("reason", ["infra", "blocked", "verifier_error", "needs_judge"])
def test_error_carries_its_reason(reason: str) -> None:
    assert errors.UNSCORED_ERRORS[reason]("why").reason == reason


def test_problem_gives_place_value_and_allowed_values() -> None:
    problem = errors.Problem(
        line=3,
        field="checks[0].metric",
        what="unknown metric",
        found="'same'",
        allowed="url_matches",
    )
    assert (
        str(problem)
        == "line 3, checks[0].metric: unknown metric; found 'same'; allowed: url_matches"
    )


def test_problem_of_a_whole_file_names_no_line() -> None:
    assert str(errors.Problem(line=0, field="", what="is empty")) == "file: is empty"


def test_file_error_lists_problems_from_top_to_bottom() -> None:
    second, first = (errors.Problem(line=line, field="id", what="is wrong") for line in (9, 2))
    assert str(errors.TaskFileError("a.yaml", [second, first])) == (
        "a.yaml: 2 problems\n  line 2, id: is wrong\n  line 9, id: is wrong"
    )


def test_file_error_with_one_problem_uses_the_singular() -> None:
    error = errors.TaskFileError("a.yaml", [errors.Problem(line=1, field="", what="is wrong")])
    assert str(error).startswith("a.yaml: 1 problem\n")
