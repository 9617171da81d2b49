"""`webbench summary`, `compare`, `plan` and `import-results`, on runs that were imported."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

from pytest_webbench import cli
from pytest_webbench.cli.shared import run_dir
from pytest_webbench.errors import SettingsError
from tests.support.stored_run import make_run

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "liveweb_outcomes.csv"
DOCS: Final = Path(__file__).parents[2] / "docs" / "results.md"
REPEATED: Final = "task,agent,outcome\n" + "".join(
    f"t{task},{agent},{int((task * 7 + attempt * ease) % 5 < ease)}\n"
    for task in range(20)
    for agent, ease in (("x", 2), ("y", 3))
    for attempt in range(3)
)


def webbench(*arguments: str) -> Result:
    result = CliRunner(env={"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}).invoke(
        cli.app, list(arguments)
    )
    if isinstance(result.exception, Exception):
        raise result.exception
    return result


@pytest.fixture(scope="module", autouse=True)
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("work")
    (folder / "repeated.csv").write_text(REPEATED, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = webbench("import-results", str(GOLDEN), "published", "--suite", "liveweb")
        assert done.stdout == "250 items, 250 of them run, stored in runs/published\n"
        webbench("import-results", "repeated.csv", "repeated")
        yield


def test_summary_prints_the_published_table() -> None:
    text = webbench("summary", "published", "--by", "suite", "--by", "source").stdout
    for cell in (
        "47 of 122 = 38.52%",
        "20 of 120 = 16.67%",
        "28 of 73 = 38.36%",
        "2 of 25 = 8.00%",
        "30.4 to 47.4%",
    ):
        assert cell in text
    assert max(map(len, text.splitlines())) <= 80
    assert "steps" not in text  # not in the file


def test_summary_of_repeats_shows_k_attempts_and_flaky_tasks() -> None:
    text = webbench("summary", "runs/repeated").stdout
    for words in ("pass@k (95 % interval)", "all k pass", "flaky (95 % interval)"):
        assert words in text
    (row, _) = json.loads(webbench("summary", "repeated", "--json").stdout)["rows"]
    assert [at["k"] for at in row["at_k"]] == [1, 2, 3]


def test_summary_as_csv_and_markdown() -> None:
    lines = list(
        csv.DictReader(
            io.StringIO(webbench("summary", "published", "repeated", "--format", "csv").stdout)
        )
    )
    assert [(line["run"], line["agent"], line["n"]) for line in lines] == [
        ("published", "jev_1_13", "125"),
        ("published", "webjev_35b_a3b", "125"),
        ("repeated", "x", "60"),
        ("repeated", "y", "60"),
    ]
    assert (
        "| jev\\_1\\_13 | 125 | 20 | 100 |"
        in webbench("summary", "published", "--format", "markdown").stdout
    )


def test_summary_says_if_there_is_nothing_to_split_by() -> None:
    assert webbench("summary", "published", "--by", "tag").stdout.startswith(
        "nothing to show by tag"
    )


def test_compare_prints_the_finding_first() -> None:
    result = webbench("compare", "published:jev_1_13", "published:webjev_35b_a3b")
    first, *others = result.stdout.splitlines()
    assert first == (
        "published:webjev_35b_a3b solves 27 more of 120 shared tasks than published:jev_1_13: "
        "real (p < 0.001)"
    )
    assert result.exit_code == 0
    assert "95 % interval, 74 sites drawn" in "\n".join(others)
    assert not any(line.startswith("note:") for line in others)


def test_compare_takes_all_agents_of_a_single_run() -> None:
    (pair,) = json.loads(webbench("compare", "repeated", "--json").stdout)["pairs"]
    assert (pair["a"], pair["b"], pair["shared"], pair["test"]) == (
        "repeated:x",
        "repeated:y",
        20,
        "exact sign-flip",
    )
    (line,) = csv.DictReader(io.StringIO(webbench("compare", "repeated", "--format", "csv").stdout))
    assert float(line["interval_low"]) == pair["interval"]["low"]


def test_compare_notes_that_tasks_may_not_be_the_same() -> None:
    webbench("import-results", str(GOLDEN), "again", "--suite", "liveweb")
    text = webbench("compare", "published:jev_1_13", "again:jev_1_13").stdout
    assert text.startswith(
        "no difference between published:jev_1_13 and again:jev_1_13 that 120 shared tasks can show"
    )
    assert "note: 120 shared tasks have no digest on one side or both" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["compare", "published", "repeated"],
            "say which agent of a run is meant, such as published:jev_1_13",
        ),
        (["compare", "published:jev"], r"unknown agent 'jev'.*; it has jev_1_13, webjev_35b_a3b"),
        (["compare", "published:jev_1_13"], "there is nothing to compare with"),
        (["compare", "nowhere", "published:jev_1_13"], "nowhere is not a run directory"),
        (["summary", "nowhere"], "nowhere is not a run directory: it has no run.json"),
        (
            ["plan", "--gap", "0.6"],
            "a rate of 0.5 leaves no room for a gap of 0.6: give a lower --rate",
        ),
        (["import-results", str(GOLDEN), "published"], "run published exists already"),
        (
            ["import-results", str(GOLDEN), "x", "--column", "task"],
            "--column task: use FIELD=COLUMN",
        ),
    ],
)
def test_impossible_requests_are_errors_that_say_why(arguments: list[str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        webbench(*arguments)


def test_plan_shows_how_many_tasks_a_gap_takes() -> None:
    data = json.loads(webbench("plan", "--gap", "0.15", "--rate", "0.3", "--json").stdout)
    assert data["origin"] == {"rate": "given", "correlation": "assumed", "flake": "assumed"}
    tasks = [one["tasks"] for one in data["plans"]]
    assert tasks == sorted(tasks, reverse=True)
    text = webbench("plan", "--gap", "0.15", "--rate", "0.3").stdout
    assert text.startswith("a gap of 15.0 points shows, with a chance of 80%, p < 0.05, with:")
    assert f"{tasks[0]:,}" in text.splitlines()[2]


def test_plan_estimates_from_runs() -> None:
    found = json.loads(webbench("plan", "--from", "published", "--tasks", "120", "--json").stdout)
    assert found["assumed"]["discordance"] == pytest.approx(34 / 122)
    assert found["assumed"]["rate"] == pytest.approx(20 / 120)
    assert found["origin"]["flake"] == "assumed"
    assert found["plans"][0]["gap"] == pytest.approx(0.14, abs=0.005)
    repeated = json.loads(webbench("plan", "--from", "repeated:x", "--json").stdout)
    assert repeated["origin"] == {
        "rate": "from repeated:x",
        "flake": "from repeated:x",
        "correlation": "assumed",
    }
    assert "least gap" in webbench("plan", "--tasks", "27").stdout


# -- the documentation -------------------------------------------------------------------------


def test_documented_commands_print_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(GOLDEN, "per_task.csv")
    shown = re.findall(
        r"^```console\n\$ webbench ([^\n]+)\n(.*?)^```$",
        DOCS.read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    assert len(shown) >= 6
    for command, output in shown:
        assert webbench(*command.split()).stdout.rstrip() == output.rstrip(), command


def test_published_table_in_the_documentation_is_computed() -> None:
    rows = json.loads(
        webbench("summary", "published", "--by", "suite", "--by", "source", "--json").stdout
    )["rows"]
    text = DOCS.read_text(encoding="utf-8")
    for row in rows:
        rate = f"{row['passed']} of {row['passed'] + row['failed']} = {100 * row['rate']:.2f} %"
        low, high = (100 * row["interval"][end] for end in ("low", "high"))
        assert f"| {rate} | {low:.1f} to {high:.1f} % |" in text
    (pair,) = json.loads(webbench("compare", "published", "--json").stdout)["pairs"]
    assert f"p = {pair['p']:.7f}; difference" in text


def test_tag_is_not_shadowed_by_a_folder_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tagged = make_run(tmp_path / "runs" / "demo")
    (tmp_path / "demo").mkdir()
    assert webbench("summary", "demo", "--json").exit_code == 0
    assert run_dir("demo").path.resolve() == tagged.path
    make_run(tmp_path / "demo")
    assert run_dir("demo").path.resolve() == tagged.path
    assert run_dir("./demo").path.resolve() == tmp_path / "demo"
    assert run_dir(str(tmp_path / "demo")).path == tmp_path / "demo"
    make_run(tmp_path / "other")
    assert run_dir("other").path.resolve() == tmp_path / "other"
    assert run_dir("none").path == Path("runs") / "none"
