"""What others may rely on: public names, the tree of errors, and that an unused plugin costs nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points, version

import pytest

import pytest_webbench
from pytest_webbench import errors


def run_python(code: str) -> list[str]:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.split()


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", pytest_webbench.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(pytest_webbench, name) is not None


def test_public_names_are_all_that_a_star_import_gives() -> None:
    names = run_python("before = set(dir()); from pytest_webbench import *; print(*set(dir()) - before - {'before'})")
    assert sorted(names) == sorted(name for name in pytest_webbench.__all__)


def test_public_names_are_sorted_and_named_once() -> None:
    assert sorted(set(pytest_webbench.__all__)) == list(pytest_webbench.__all__)


@pytest.mark.parametrize("name", ["agent", "Task", "errors_", "__wrapped__"])
def test_other_names_are_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^module 'pytest_webbench' has no attribute {name!r}$"):
        getattr(pytest_webbench, name)


def test_version_is_that_of_the_distribution() -> None:
    assert pytest_webbench.__version__ == version("pytest-webbench")


def test_pytest_finds_the_plugin_by_its_entry_point() -> None:
    found = [entry.value for entry in entry_points(group="pytest11") if entry.name == "webbench"]
    assert found == ["pytest_webbench.plugin"]


# -- costs -------------------------------------------------------------------------------------------------------------

DEAR = ("pydantic", "playwright", "yaml", "starlette", "uvicorn", "jinja2", "typer", "httpx", "jsonschema", "trustme")


@pytest.mark.parametrize("module", ["pytest_webbench", "pytest_webbench.plugin", "pytest_webbench.plugin.fixtures"])
def test_import_of_an_unused_plugin_loads_nothing_dear(module: str) -> None:
    loaded = run_python(f"import sys, {module}; print(*(name for name in {DEAR!r} if name in sys.modules))")
    assert loaded == []


def test_import_starts_no_thread() -> None:
    assert run_python("import pytest_webbench.plugin, threading; print(threading.active_count())") == ["1"]


# -- errors ------------------------------------------------------------------------------------------------------------


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


def test_tree_of_errors_is_the_one_that_is_drawn() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, Exception)]
    real = {one.__name__: one.__bases__[0].__name__ for one in classes if one is not errors.TaskFailed}
    assert drawn_tree() == real


def test_verdict_is_not_one_of_our_errors() -> None:
    assert errors.TaskFailed.__bases__ == (AssertionError,)


def test_every_reason_for_being_unscored_has_its_error() -> None:
    kinds = errors.UnscoredError.__subclasses__()
    assert {kind.reason: kind for kind in kinds} == errors.UNSCORED_ERRORS


@pytest.mark.parametrize("reason", ["infra", "blocked", "drifted", "verifier_error"])
def test_reason_is_what_its_error_says(reason: str) -> None:
    assert errors.UNSCORED_ERRORS[reason]("why").reason == reason


def test_problem_says_where_what_found_and_allowed() -> None:
    problem = errors.Problem(
        line=3, field="checks[0].metric", what="unknown metric", found="'same'", allowed="url_matches"
    )
    assert str(problem) == "line 3, checks[0].metric: unknown metric; found 'same'; allowed: url_matches"


def test_problem_of_a_whole_file_names_no_line() -> None:
    assert str(errors.Problem(line=0, field="", what="is empty")) == "file: is empty"


def test_file_error_lists_problems_from_top_to_bottom() -> None:
    second, first = (errors.Problem(line=line, field="id", what="is wrong") for line in (9, 2))
    assert str(errors.TaskFileError("a.yaml", [second, first])) == (
        "a.yaml: 2 problems\n  line 2, id: is wrong\n  line 9, id: is wrong"
    )


def test_file_error_counts_a_single_problem_as_one() -> None:
    error = errors.TaskFileError("a.yaml", [errors.Problem(line=1, field="", what="is wrong")])
    assert str(error).startswith("a.yaml: 1 problem\n")
