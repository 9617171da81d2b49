"""The documentation agrees with the code: links, options, commands, fields, numbers."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    Health,
    ObservedAction,
    PageState,
    Read,
    Record,
    TouchedElement,
)
from pytest_webbench.judge import CheckResult, CheckState, Verdict
from pytest_webbench.plugin.options import OPTIONS
from pytest_webbench.plugin.optionset import Option
from pytest_webbench.report.summary import headline, summarize
from pytest_webbench.run import LedgerEntry, PlannedItem
from pytest_webbench.stats import Tally
from pytest_webbench.task import TaskBrief
from tests.support.commands import all_commands
from tests.support.results import results_of
from tests.test_architecture import LAYERS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "pytest_webbench"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]


def read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> Iterator[str]:
    yield from re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def rows(text: str) -> Iterator[list[str]]:
    """Cells of all table rows, head rows and rulers left out."""
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if (
            line.startswith("|")
            and not line.startswith("|---")
            and not following.startswith("|---")
        ):
            yield [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def words(text: str) -> set[str]:
    """Everything that stands in backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_relative_links_resolve(path: Path) -> None:
    text = re.sub(
        r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            assert (path.parent / target.partition("#")[0]).exists(), (
                f"{path.name}: {target} does not exist"
            )


def anchor(heading: str) -> str:
    """The fragment that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_to_headings_resolve(path: Path) -> None:
    for file, fragment in re.findall(
        r"\]\(([\w./-]*)#([^)\s]+)\)", path.read_text(encoding="utf-8")
    ):
        page = path.parent / file if file else path
        headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert fragment in map(anchor, headings), f"{path.name}: {file}#{fragment} does not exist"


def test_index_lists_every_page_once() -> None:
    linked = re.findall(r"^- \[[^\]]+\]\((\S+\.md)\): .+$", read("index.md"), re.MULTILINE)
    assert len(linked) == len(set(linked))
    assert set(linked) >= {page.name for page in DOCS.glob("*.md")} - {"index.md"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_are_well_formed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for source in blocks(text, "python"):
        compile(source, path.name, "exec")
    for source in blocks(text, "toml"):
        tomllib.loads(source)


def documented_options() -> dict[str, list[str]]:
    table = [
        (re.match(r"`--webbench-([a-z-]+)", cells[0]), cells) for cells in rows(read("options.md"))
    ]
    return {found[1]: cells for found, cells in table if found}


def test_documented_options_are_those_of_the_code() -> None:
    assert list(documented_options()) == [option.name for option in OPTIONS.options]


@pytest.mark.parametrize("option", OPTIONS.options, ids=lambda option: option.name)
def test_option_is_documented_with_its_default_and_help(option: Option) -> None:
    shown, ini, default, _ = documented_options()[option.name]
    value = "|".join(option.choices) if option.choices else option.metavar or ""
    assert shown == f"`--webbench-{option.name} {value}".rstrip() + "`"
    assert ini == f"`webbench_{option.name.replace('-', '_')}`"
    if option.default is not None:
        assert default == f"`{option.default}`"


def test_ini_values_in_examples_exist() -> None:
    known = {f"webbench_{option.name.replace('-', '_')}" for option in OPTIONS.options}
    for source in blocks(read("options.md"), "toml"):
        used = {
            name
            for name in tomllib.loads(source)["tool"]["pytest"]["ini_options"]
            if name.startswith("webbench_")
        }
        assert used <= known


def test_every_command_and_its_options_are_documented() -> None:
    documented = {}
    for cells in rows(read("options.md")):
        if found := re.match(r"`(webbench [a-z0-9 -]+[a-z0-9])", cells[0]):
            documented[found[1]] = " ".join(cells)
    real = {" ".join(["webbench", *words]): command for words, command in all_commands() if words}
    assert set(documented) == set(real)
    for name, command in real.items():
        for parameter in command.params:
            for flag in parameter.opts if parameter.param_type_name == "option" else []:
                assert f"`{flag}`" in documented[name].replace("/", "`/`").replace("``", "`"), (
                    f"{name} {flag}"
                )


def test_files_named_in_how_it_works_exist() -> None:
    shaped = {
        word for word in words(read("how-it-works.md")) if re.search(r"\w/\w+\.\w+$|\w/$", word)
    }
    named = shaped - {"tasks/<id>.yaml"}
    assert len(named) > 15
    assert [
        name for name in named if not (PACKAGE / name).exists() and not (ROOT / name).exists()
    ] == []


def test_layers_in_how_it_works_are_those_of_the_code() -> None:
    documented = [words(cells[0]) for cells in rows(read("how-it-works.md"))]
    assert documented == [set(layer) for layer in reversed(LAYERS)]


@pytest.mark.parametrize(
    "model",
    [
        LedgerEntry,
        PlannedItem,
        ObservedAction,
        TouchedElement,
        Evidence,
        PageState,
        Read,
        Health,
        Verdict,
        CheckResult,
    ],
)
def test_every_recorded_field_is_documented(model: type[Record]) -> None:
    assert set(model.model_fields) - words(read("run-directory.md")) == set()


def test_states_in_run_directory_are_those_of_the_code() -> None:
    named = words(read("run-directory.md"))
    assert {state.value for state in CheckState} <= named
    assert set(get_args(Health.model_fields["state"].annotation)) <= named


def test_agents_page_names_what_an_agent_is_given_and_how_it_ends() -> None:
    text = read("agents.md")
    first_cells = [cells[0].strip("`") for cells in rows(text)]
    assert {ending.value for ending in Ending} <= set(first_cells)
    assert {field.name for field in fields(TaskBrief)} <= words(text)


def test_kinds_of_actions_are_those_that_are_observed() -> None:
    table = read("agents.md").partition("## What counts as an action")[2].partition("\n## ")[0]
    documented = {word for cells in rows(table) for word in words(cells[0])}
    recorder = (PACKAGE / "browser" / "scripts" / "recorder.js").read_text(encoding="utf-8")
    assert documented == set(re.findall(r'report\(\s*event,\s*"(\w+)"', recorder)) | {"navigate"}


def test_example_agent_is_short() -> None:
    source = next(
        block for block in blocks(read("agents.md"), "python") if "class ClickFirstMatch" in block
    )
    assert len([line for line in source.splitlines() if not line.startswith("#")]) <= 15


def entries(**counts: int) -> list[LedgerEntry]:
    """Ledger lines: so many passed, failed, and unscored by reason."""
    found = []
    for name, count in counts.items():
        outcome, reason = (name, "") if name in ("passed", "failed") else ("unscored", name)
        found += [
            LedgerEntry.model_validate(
                {
                    "suite": "suite_c",
                    "task": f"{name}-{number}",
                    "agent": "MyAgent",
                    "world": "replica",
                    "outcome": outcome,
                    "reason": reason,
                }
            )
            for number in range(count)
        ]
    return found


def test_worked_example_of_statistics_is_right() -> None:
    text = read("statistics.md")
    (shown,) = blocks(text, "")
    results = results_of(entries(passed=20, failed=5, infra=1, blocked=1))
    assert shown.splitlines() == summarize(results)
    assert f"`{headline(Tally(unscored=Counter(infra=2)))}`" in text


def test_table_of_intervals_is_right() -> None:
    checked = 0
    for cells in rows(read("statistics.md")):
        if found := re.fullmatch(r"(\d+) of (\d+)", cells[0]):
            tally = Tally(int(found[1]), int(found[2]) - int(found[1]))
            assert tally.rate is not None
            low, high = tally.interval
            assert cells[1:] == [f"{tally.rate:.1%}", f"{low:.1%} to {high:.1%}"]
            checked += 1
    assert checked == 5


def test_intervals_in_the_docs_overlap_as_stated() -> None:
    assert Tally(20, 5).interval.high > Tally(22, 3).interval.low
