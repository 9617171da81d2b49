"""Results of other programs become runs; a published table comes out again to the last digit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_webbench.errors import SettingsError
from pytest_webbench.report.compare import compare
from pytest_webbench.report.groups import By, summarize_groups
from pytest_webbench.report.results import read_results
from pytest_webbench.report.sides import sides_of, to_compare
from pytest_webbench.run import RunDir
from pytest_webbench.run.importing import Import, import_results

# Outcomes of two models on 125 tasks of the live web, as lexmount/WebJev publishes them
# (evaluation/liveweb): which
# task, on which site, from which benchmark; S passed, F failed, I infrastructure, J judge error.
PUBLISHED: Final = Path(__file__).parents[1] / "golden" / "liveweb_outcomes.csv"
WANTED: Final = Import(suite="liveweb", world="live")


def imported(tmp_path: Path, text: str, name: str = "results.csv", **wanted: Any) -> RunDir:
    file, run = tmp_path / name, RunDir(tmp_path / "runs" / "old")
    file.write_text(text, encoding="utf-8")
    import_results(file, run, Import(**{"suite": "s", "world": "live", **wanted}), {})
    return run


def told(run: RunDir) -> list[tuple[str, str, int, str, str]]:
    found = read_results(run).results
    return [(one.plan.task, one.plan.agent, one.plan.repeat, *one.outcome) for one in found]


# -- the published table -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    run = RunDir(tmp_path_factory.mktemp("runs") / "published")
    assert import_results(PUBLISHED, run, WANTED, {"environment": {}}) == (250, 250)
    return run


@pytest.mark.parametrize(
    ("by", "group", "webjev", "jev"),
    [
        (By.SUITE, "liveweb", (47, 122, "38.52%"), (20, 120, "16.67%")),
        (By.SOURCE, "Online-Mind2Web", (28, 73, "38.36%"), (12, 71, "16.90%")),
        (By.SOURCE, "WebGym", (8, 25, "32.00%"), (2, 25, "8.00%")),
        (By.SOURCE, "WebVoyager", (11, 24, "45.83%"), (6, 24, "25.00%")),
    ],
)
def test_published_rates_are_reproduced(
    published: RunDir, by: By, group: str, webjev: tuple[int, int, str], jev: tuple[int, int, str]
) -> None:
    rows = {
        (row.group, row.agent): row for row in summarize_groups(read_results(published).results, by)
    }
    for agent, expected in (("webjev_35b_a3b", webjev), ("jev_1_13", jev)):
        row = rows[group, agent]
        assert row.rate is not None
        assert (row.passed, row.passed + row.failed, f"{row.rate:.2%}") == expected


def test_published_comparisons_are_reproduced(published: RunDir) -> None:
    (pair,) = compare(to_compare([sides_of(read_results(published))]))
    assert (pair.a, pair.b) == ("published:jev_1_13", "published:webjev_35b_a3b")
    assert (pair.shared, pair.only_b, pair.only_a, pair.both, pair.neither) == (120, 30, 3, 17, 70)
    assert pair.p == pytest.approx(1.401e-6, rel=1e-3)
    assert (pair.drawn_by, pair.groups) == ("site", 74)


def test_unscored_items_are_imported_with_their_reason(published: RunDir) -> None:
    jev, webjev = summarize_groups(read_results(published).results)
    assert (jev.unscored, webjev.unscored) == (
        {"infra": 3, "verifier_error": 2},
        {"infra": 2, "verifier_error": 1},
    )


# -- formats -----------------------------------------------------------------------------------


def test_one_line_per_episode(tmp_path: Path) -> None:
    run = imported(
        tmp_path,
        "task_id,model,outcome,steps,elapsed_s,cost,website,benchmark,tags\n"
        "one,m,passed,3,12.5,0.02,x.test,WebVoyager,form;search\n"
        "two,m,FALSE,,,,,,\n"
        "three,m,,,,,,,\n",
    )
    assert told(run) == [
        ("one", "m", 1, "passed", ""),
        ("three", "m", 1, "unscored", "not_run"),
        ("two", "m", 1, "failed", ""),
    ]
    plan, entry = run.planned()[0], next(iter(run.results().values()))
    assert (plan.site, plan.source, plan.tags) == ("x.test", "WebVoyager", ("form", "search"))
    assert (entry.steps, entry.seconds, entry.cost, entry.world) == (3, 12.5, 0.02, "live")


def test_json_lines_with_other_names(tmp_path: Path) -> None:
    lines = [{"name": "a/b c", "ok": True, "n": 1}, {"name": "a/b c", "ok": False, "n": 2}]
    run = imported(
        tmp_path,
        "\n\n".join(map(json.dumps, lines)),
        "log.jsonl",
        agent="my agent",
        columns={"task": "name", "outcome": "ok", "repeat": "n"},
    )
    assert told(run) == [
        ("a-b-c", "my-agent", 1, "passed", ""),
        ("a-b-c", "my-agent", 2, "failed", ""),
    ]


def test_second_line_of_a_task_is_a_repeat(tmp_path: Path) -> None:
    run = imported(tmp_path, "task,outcome\nt,1\nt,0\nt,S\n", agent="a")
    assert [(repeat, outcome) for _, _, repeat, outcome, _ in told(run)] == [
        (1, "passed"),
        (2, "failed"),
        (3, "passed"),
    ]


def test_run_notes_its_origin(tmp_path: Path) -> None:
    facts = imported(tmp_path, "task,outcome\nt,1\n", agent="a").facts()
    assert facts["imported"]["file"] == "results.csv"
    assert facts["imported"]["format"] == "csv"
    assert len(facts["imported"]["sha256"]) == 64


@pytest.mark.parametrize(
    ("said", "outcome", "reason"),
    [
        ("S", "passed", ""),
        ("pass", "passed", ""),
        ("True", "passed", ""),
        ("1.0", "passed", ""),
        ("F", "failed", ""),
        ("no", "failed", ""),
        ("I", "unscored", "infra"),
        ("error", "unscored", "infra"),
        ("J", "unscored", "verifier_error"),
        ("blocked", "unscored", "blocked"),
        ("U", "unscored", "not_run"),
        ("unscored", "unscored", "drifted"),
    ],
)
def test_outcome_words_are_mapped(tmp_path: Path, said: str, outcome: str, reason: str) -> None:
    run = imported(tmp_path, f"task,outcome,reason\nt,{said},drifted\n", agent="a")
    assert told(run) == [("t", "a", 1, outcome, reason)]


# -- what cannot be used -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted", "message"),
    [
        ("", {}, "it holds no results"),
        (
            "task\nt\n",
            {},
            "no column holds the outcome; name it with --column outcome=NAME; found: task",
        ),
        (
            "name,outcome\nt,1\n",
            {},
            "no column holds the task; name it with --column task=NAME; found: name, outcome",
        ),
        ("task,outcome\n", {}, "it holds no results"),
        ("task,outcome\nt,1\n", {}, r"line 2, agent: no name; allowed: 1 to 150 characters"),
        (
            "task,outcome\nt,maybe\n",
            {"agent": "a"},
            "line 2, outcome: unknown outcome; found 'maybe'; allowed: p",
        ),
        ("task,outcome\nt,0.5\n", {"agent": "a"}, r"unknown outcome; found '0.5'"),
        (
            "task,outcome,steps\nt,1,nan\n",
            {"agent": "a"},
            "line 2, steps: not a count; found 'n",
        ),
        ("task,outcome,steps\nt,1,-1\n", {"agent": "a"}, "found '-1'; allowed: 0 or more"),
        (
            "task,outcome,repeat\nt,1,1\nt,1,1\n",
            {"agent": "a"},
            "line 3, repeat: repeat 1 of task t by a cannot be",
        ),
        (
            "task,outcome\na b,1\na/b,1\n",
            {"agent": "a"},
            "line 3, task: becomes 'a-b', as 'a b' does",
        ),
        ("task,outcome\n../..,1\n", {"agent": "a"}, "line 2, task: no name"),
        ("task,outcome\nt,1,2\n", {"agent": "a"}, "line 2 has more cells than the head line"),
        (
            "task,outcome\nt,1\n",
            {"columns": {"tsk": "task"}},
            "unknown field 'tsk'; did you mean 'task'?",
        ),
        (
            "task,outcome\nt,1\n",
            {"columns": {"task": "tsk"}},
            "unknown column 'tsk'; did you mean 'task'?",
        ),
        ("task,a_outcome,b_outcome\nt,S,X\n", {}, "line 2, outcome: unknown outcome; found 'X'"),
    ],
)
def test_unusable_file_is_refused_and_leaves_nothing_behind(
    tmp_path: Path, text: str, wanted: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingsError, match=message.replace("?", r"\?")):
        imported(tmp_path, text, **wanted)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("line", ["{", "[1]", '{"a":' * 50_000], ids=["cut", "list", "deep"])
def test_lines_that_are_not_objects_are_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError, match="line 2"):
        imported(tmp_path, '{"task": "t", "outcome": 1}\n' + line, "x.jsonl", agent="a")


def test_many_problems_are_summarised(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="and 5 more$"):
        imported(tmp_path, "task,outcome\n" + "t,maybe\n" * 25, agent="a")


def test_existing_run_is_not_overwritten(tmp_path: Path) -> None:
    run = imported(tmp_path, "task,outcome\nt,1\n", agent="a")
    with pytest.raises(SettingsError, match="run old exists already: choose another tag"):
        imported(tmp_path, "task,outcome\nt,0\n", agent="a")
    assert told(run) == [("t", "a", 1, "passed", "")]


def test_binary_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"x\.csv cannot be read as UTF-8 text"):
        import_results(file, RunDir(tmp_path / "r"), WANTED, {})


cells = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ["task", "outcome", "S", "a_outcome", "1e999"]
)
tables = st.lists(st.lists(cells, max_size=4).map(",".join), max_size=5).map("\n".join)
values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2)
)
objects = st.dictionaries(
    st.sampled_from(["task", "outcome", "steps", "repeat", "cost", "tags", "agent"]), values
)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.one_of(
        tables.map(lambda text: (text, "csv")),
        st.lists(objects).map(lambda rows: ("\n".join(map(json.dumps, rows)), "jsonl")),
    )
)
def test_any_file_becomes_a_run_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, file: tuple[str, str]
) -> None:
    text, suffix = file
    folder = tmp_path_factory.mktemp("import")
    try:
        run = imported(folder, text, f"x.{suffix}", agent="a")
    except SettingsError as error:
        str(error).encode()
    else:
        assert summarize_groups(read_results(run).results)


def test_many_attempts_at_one_task_are_imported_in_time(tmp_path: Path) -> None:
    run = imported(tmp_path, "task,outcome\n" + "t,1\n" * 5_000, agent="a")
    assert len(run.planned()) == 5_000
