"""``webbench init`` and ``webbench new``: what they write, and what they leave alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from pytest_webbench.cli import app
from pytest_webbench.errors import SettingsError
from pytest_webbench.task.native import read_suite, read_task
from pytest_webbench.world.loading import load_site


def webbench(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as ``webbench init`` makes it, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    assert webbench("init", "mine").exit_code == 0
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path / "mine"


def test_folder_holds_a_suite_an_agent_and_a_workflow(folder: Path) -> None:
    suite = folder / "suites" / "first"
    assert read_suite(suite / "suite.toml").name == "first"
    task = read_task(suite / "tasks" / "cheapest-lamp-reviews.yaml")
    assert len(task.counterexamples) == 3
    assert load_site(suite / "replica" / "lamps.example" / "site.py").hosts[0] == "lamps.example"
    workflow = yaml.safe_load((folder / ".github" / "workflows" / "webbench.yml").read_text())
    assert "score" in workflow["jobs"]
    assert len((folder / "my_agent.py").read_text().splitlines()) <= 15
    assert "runs/" in (folder / ".gitignore").read_text()
    assert not list(folder.rglob("*.txt"))


def test_nothing_that_exists_is_overwritten(folder: Path) -> None:
    (folder / "my_agent.py").write_text("mine")
    again = webbench("init")
    assert isinstance(again.exception, SettingsError)
    assert "my_agent.py" in str(again.exception)
    assert "nothing was written" in str(again.exception)
    assert (folder / "my_agent.py").read_text() == "mine"


def test_folder_with_other_files_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text("mine")
    assert webbench("init").exit_code == 0
    assert (tmp_path / "README.md").read_text() == "mine"


def test_new_task_is_valid_and_known_to_editors(folder: Path) -> None:
    made = webbench("new", "task", "suites/first", "tall-lamps", "--url", "https://lamps.example")
    assert made.exit_code == 0, made.output
    file = folder / "suites" / "first" / "tasks" / "tall-lamps.yaml"
    assert read_task(file).start_url == "https://lamps.example/"
    line = file.read_text().splitlines()[0]
    schema = line.removeprefix("# yaml-language-server: $schema=")
    assert (file.parent / schema).resolve() == folder / "task.schema.json"


def test_new_site_answers(folder: Path) -> None:
    assert webbench("new", "site", "suites/first", "books.example").exit_code == 0
    site = load_site(folder / "suites" / "first" / "replica" / "books.example" / "site.py")
    assert site.hosts == ("books.example", "www.books.example")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("task", "suites/first", "Tall Lamps"), "id: String should match pattern"),
        (("task", "suites/first", "x", "--url", "lamps.example"), "start_url"),
        (("task", "suites/first", "cheapest-lamp-reviews"), "exists already"),
        (("task", "suites/none", "x"), "is no suite"),
        (("site", "suites/first", "https://books.example"), "is no host"),
        (("site", "suites/first", "../books.example"), "is no host"),
        (("site", "suites/first", "Books.example"), "is no host"),
        (("site", "suites/first", "lamps.example"), "exists already"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    folder: Path, arguments: tuple[str, ...], why: str
) -> None:
    before = sorted(folder.rglob("*"))
    refused = webbench("new", *arguments)
    assert why in str(refused.exception)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.browser
@pytest.mark.slow
def test_new_folder_runs_and_validates_at_once(pytester: pytest.Pytester) -> None:
    assert webbench("init", str(pytester.path)).exit_code == 0
    pytester.runpytest_subprocess("-p", "no:hypothesispytest").assert_outcomes(passed=1)
    program = Path(sys.executable).with_name("webbench")
    validated = pytester.run(program, "validate", "suites/first", "-p", "no:hypothesispytest")
    validated.stdout.fnmatch_lines(["1 of 1 tasks are sound"])
