"""The ``webbench`` command: what it prints, what it starts, and how it fails."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from pytest_webbench import cli
from pytest_webbench.browser import find, install
from pytest_webbench.errors import BrowserNotFound, SettingsError
from pytest_webbench.task.schema import evidence_schema, suite_schema, task_schema
from tests.support.commands import all_commands

COMMANDS = [list(words) for words, _ in all_commands()]


def webbench(*arguments: str) -> Result:
    """Output of the command, in a terminal that is wide enough for any line."""
    return CliRunner(env={"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"}).invoke(
        cli.app, list(arguments)
    )


def lines(result: Result) -> list[str]:
    return result.stdout.splitlines()


# -- help --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command) or "webbench")
def test_every_command_has_help(command: list[str]) -> None:
    result = webbench(*command, "--help")
    assert (result.exit_code, " ".join(["webbench", *command]) in result.stdout) == (0, True)


@pytest.mark.parametrize("command", COMMANDS[1:], ids=" ".join)
def test_help_lists_every_command_with_what_it_does(command: list[str]) -> None:
    shown = webbench(*command[:-1], "--help").stdout
    assert re.search(rf"^\W*{command[-1]} +[A-Z]\w+", shown, re.MULTILINE), shown


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_list_of_commands_agrees_with_each_commands_help(name: str) -> None:
    command = typer.main.get_command(cli.app).commands[name]  # type: ignore[attr-defined]
    help_text = command.load().help
    assert help_text.partition("\n")[0] == cli.COMMANDS[name].summary


@pytest.mark.parametrize(
    "command", [["browser"], ["browser", "install"], ["schema"], ["validate"]], ids=" ".join
)
def test_command_exists(command: list[str]) -> None:
    assert command in COMMANDS


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (["browser", "install"], ["--if-missing"]),
        (["schema"], ["--check", "folder"]),
        (["validate"], ["--workers", "-n", "--world", "live", "replica", "--repeats", "suite"]),
    ],
    ids=["install", "schema", "validate"],
)
def test_help_names_every_option(command: list[str], options: list[str]) -> None:
    shown = webbench(*command, "--help").stdout.lower()
    assert [option for option in options if option not in shown] == []


def test_command_without_arguments_shows_its_help() -> None:
    assert "Usage: webbench" in webbench().output


def test_unknown_command_is_a_usage_error() -> None:
    assert webbench("bogus").exit_code == 2


# -- schema ------------------------------------------------------------------------------------


def test_schemas_are_written_to_the_folder(tmp_path: Path) -> None:
    result = webbench("schema", str(tmp_path / "new" / "docs"))
    folder = tmp_path / "new" / "docs"
    assert lines(result) == [
        f"wrote {folder / name}.schema.json" for name in ("task", "suite", "evidence")
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [("task", task_schema()), ("suite", suite_schema()), ("evidence", evidence_schema())],
)
def test_written_schema_is_that_of_the_models(
    tmp_path: Path, name: str, content: dict[str, Any]
) -> None:
    webbench("schema", str(tmp_path))
    assert json.loads((tmp_path / f"{name}.schema.json").read_text("utf-8")) == content


def test_check_accepts_what_was_just_written(tmp_path: Path) -> None:
    webbench("schema", str(tmp_path))
    result = webbench("schema", str(tmp_path), "--check")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize("name", ["task.schema.json", "suite.schema.json", "evidence.schema.json"])
@pytest.mark.parametrize("state", ["changed", "missing"])
def test_check_names_the_outdated_file_and_the_remedy(
    tmp_path: Path, name: str, state: str
) -> None:
    webbench("schema", str(tmp_path))
    path = tmp_path / name
    path.unlink() if state == "missing" else path.write_text("{}\n", "utf-8")
    result = webbench("schema", str(tmp_path), "--check")
    assert (result.exit_code, result.stderr) == (
        1,
        f"{path} is out of date: run  webbench schema {tmp_path}\n",
    )


def test_schema_check_writes_nothing(tmp_path: Path) -> None:
    webbench("schema", str(tmp_path / "docs"), "--check")
    assert list(tmp_path.iterdir()) == []


# -- browser -----------------------------------------------------------------------------------


class Machine:
    """A machine on which only what a test puts there can be found."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bundled = folder / "chromium-1200" / "chrome-linux" / "chrome"
        self.bin.mkdir()

    def add(self, path: Path) -> str:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\necho 'Chromium 142.0.1 built on nothing'\n", "utf-8")
        path.chmod(0o755)
        return str(path)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    monkeypatch.setenv("PATH", os.fspath(machine.bin))
    monkeypatch.setattr(find, "_BEHIND_WRAPPER", {})
    monkeypatch.setattr(install, "bundled_chromium", lambda: str(machine.bundled))
    return machine


def test_browser_shows_its_choice_and_all_places_searched(machine: Machine) -> None:
    chromium, chrome = (
        machine.add(machine.bin / "chromium"),
        machine.add(machine.bin / "google-chrome"),
    )
    assert lines(webbench("browser")) == [
        f"using    {chromium}",
        "because  chromium on PATH",
        "version  Chromium 142.0.1 built on nothing",
        "places searched, best first:",
        "  missing  Playwright's own headless shell",
        "  missing  Playwright's own chromium",
        "  missing  chromium-headless-shell on PATH",
        f"  found    chromium on PATH: {chromium}",
        "  missing  chromium-browser on PATH",
        f"  found    google-chrome on PATH: {chrome}",
        "  missing  google-chrome-stable on PATH",
    ]


@pytest.mark.usefixtures("machine")
def test_browser_fails_if_there_is_none() -> None:
    assert isinstance(webbench("browser").exception, BrowserNotFound)


def test_install_shows_what_is_used_now(machine: Machine) -> None:
    path = machine.add(machine.bundled)
    result = webbench("browser", "install", "--if-missing")
    assert lines(result) == [f"using {path} (Playwright's own chromium)"]


def test_install_does_not_describe_the_browser_twice(machine: Machine) -> None:
    machine.add(machine.bundled)
    assert "because" not in webbench("browser", "install", "--if-missing").stdout


# -- validate ----------------------------------------------------------------------------------


class Started:
    """Takes note of the command that would be run, and says that it came out with ``code``."""

    def __init__(self, code: int) -> None:
        self.code = code
        self.command: list[str] = []

    def __call__(self, command: Sequence[str], *, check: bool) -> subprocess.CompletedProcess[str]:
        assert not check
        self.command = list(command)
        return subprocess.CompletedProcess(self.command, self.code)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    started = Started(0)
    monkeypatch.setattr(subprocess, "run", started)
    return started


def test_validate_runs_pytest_on_the_suite(tmp_path: Path, started: Started) -> None:
    webbench("validate", str(tmp_path), "-n", "1")
    assert started.command == [
        sys.executable,
        "-m",
        "pytest",
        str(tmp_path),
        "--webbench-validate",
        "3",
        "--tb=short",
    ]


@pytest.mark.parametrize(
    ("given", "handed_on"),
    [
        (["-n", "4"], ["-n", "4"]),
        (["-n", "1", "--repeats", "5"], ["--webbench-validate", "5"]),
        (["-n", "1", "--world", "live"], ["--webbench-world", "live"]),
        (["-n", "1", "--world", "live"], ["--webbench-validate", "1"]),
        (["-n", "1", "--world", "live", "--repeats", "2"], ["--webbench-validate", "2"]),
        (["-n", "1", "--sample", "10"], ["--webbench-sample", "10"]),
        (["-n", "1", "--world", "live", "--quarantine"], ["--webbench-quarantine"]),
        (["-n", "1", "-k", "wp-cache"], ["-k", "wp-cache"]),
        (["-n", "1", "--webbench-run", "proof", "-x"], ["--webbench-run", "proof", "-x"]),
    ],
)
def test_validate_passes_options_on(
    tmp_path: Path, started: Started, given: list[str], handed_on: list[str]
) -> None:
    webbench("validate", str(tmp_path), *given)
    command = started.command
    assert any(
        command[place : place + len(handed_on)] == handed_on for place in range(len(command))
    )


def test_suite_that_is_live_by_default_is_played_once(tmp_path: Path, started: Started) -> None:
    (tmp_path / "suite.toml").write_text('name = "s"\ntitle = "S"\nlicence = "x"\n')
    webbench("validate", str(tmp_path), "-n", "1", "--quarantine")
    assert started.command[4:6] == ["--webbench-validate", "1"]


@pytest.mark.parametrize("count", ["0", "-1", "ten"])
def test_validate_refuses_samples_that_make_no_sense(
    tmp_path: Path, started: Started, count: str
) -> None:
    result = webbench("validate", str(tmp_path), "--sample", count)
    assert result.exit_code == 2
    assert "Invalid value for '--sample'" in result.output
    assert not started.command


@pytest.mark.parametrize("world", [[], ["--world", "replica"]], ids=["default", "replica"])
def test_only_the_live_world_has_a_quarantine(
    tmp_path: Path, started: Started, world: list[str]
) -> None:
    result = webbench("validate", str(tmp_path), "--quarantine", *world)
    assert isinstance(result.exception, SettingsError)
    assert not started.command


@pytest.mark.parametrize("code", [0, 1, 5])
def test_validate_exits_with_pytests_exit_code(tmp_path: Path, started: Started, code: int) -> None:
    started.code = code
    assert webbench("validate", str(tmp_path)).exit_code == code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no/such/suite"], "does not exist"),
        ([".", "--world", "mars"], "mars"),
        ([".", "--workers", "0"], "--workers"),
        ([".", "--repeats", "0"], "--repeats"),
        ([], "missing argument"),
    ],
)
def test_validate_refuses_bad_arguments_without_starting_pytest(
    started: Started, arguments: list[str], said: str
) -> None:
    result = webbench("validate", *arguments)
    assert (result.exit_code, said in result.output.lower(), started.command) == (2, True, [])


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("machine")
def test_errors_of_this_package_are_shown_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["webbench", "browser"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.startswith("error: no Chromium was found. Looked at:\n")
