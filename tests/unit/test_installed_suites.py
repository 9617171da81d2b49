"""Suites that come with the package: how they are named, listed, run and copied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pytest_webbench import _installed_suites
from pytest_webbench._installed_suites import installed_suites, located
from pytest_webbench.cli import app
from pytest_webbench.errors import SettingsError

ROOT = Path(__file__).parents[2]
SUITE_C = ROOT / "suites" / "suite_c"


def webbench(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["suites", *arguments])


def test_checkout_has_its_suites_beside_the_package() -> None:
    assert installed_suites()["suite_c"] == SUITE_C


def test_wheel_has_its_suites_within_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pytest_webbench"
    for folder in (package / "suites" / "inner", tmp_path / "suites" / "somebody_elses"):
        folder.mkdir(parents=True)
        (folder / "suite.toml").touch()
    (package / "suites" / "no_suite").mkdir()
    monkeypatch.setattr(_installed_suites, "_PACKAGE", package)
    assert installed_suites() == {"inner": package / "suites" / "inner"}


@pytest.mark.parametrize(
    ("argument", "path"),
    [
        ("suite://suite_c", str(SUITE_C)),
        ("suite://suite_c/", f"{SUITE_C}/"),
        ("suite://suite_c/tasks/x.yaml::x", f"{SUITE_C}/tasks/x.yaml::x"),
        ("suites/suite_c", "suites/suite_c"),
        ("-k", "-k"),
        ("--suite://x", "--suite://x"),
    ],
)
def test_argument_of_a_command_line_becomes_a_path(argument: str, path: str) -> None:
    assert located(argument) == path


@pytest.mark.parametrize("name", ["suit_c", "", "../suites/suite_c", "SUITE_C"])
def test_unknown_suite_is_an_error_that_lists_them(name: str) -> None:
    with pytest.raises(SettingsError, match=r"unknown suite.*there are .*suite_c"):
        located(f"suite://{name.replace('/', '%2F')}")


def test_list_tells_title_tasks_worlds_and_size() -> None:
    shown = webbench()
    assert shown.exit_code == 0, shown.output
    assert "suite://suite_c" in shown.output
    (found,) = [one for one in json.loads(webbench("--json").output) if one["name"] == "suite_c"]
    assert (found["tasks"], found["worlds"]) == (27, ["replica", "live"])
    assert 1_000_000 < found["bytes"] < 10_000_000


def test_copy_is_a_whole_suite_and_replaces_nothing(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    assert webbench("copy", "suite_c", str(mine)).exit_code == 0
    assert {path.name for path in (mine / "tasks").iterdir()} == {
        path.name for path in (SUITE_C / "tasks").iterdir()
    }
    (mine / "suite.toml").write_text("changed")
    again = webbench("copy", "suite_c", str(mine))
    assert isinstance(again.exception, SettingsError)
    assert "exists already" in str(again.exception)
    assert (mine / "suite.toml").read_text() == "changed"
    assert "did you mean 'suite_c'" in str(webbench("copy", "suitec", str(tmp_path)).exception)


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_pytest_runs_a_suite_where_it_lies(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    # A session that was begun and found nothing to run has resolved the suite and its tasks.
    result = pytester.runpytest_subprocess(
        "suite://suite_c", "-k", "no-such-task", "-p", "no:hypothesispytest", *workers
    )
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    if not workers:
        result.stdout.fnmatch_lines(["collected 27 items / 27 deselected*"])


def test_pytest_names_the_suites_if_one_is_unknown(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("suite://nowhere", "-p", "no:hypothesispytest")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: suite://nowhere: unknown suite 'nowhere'*suite_c"])
