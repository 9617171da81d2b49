"""Other benchmarks' task files are collected where they lie; no other JSON file is touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pytest_webbench._suite_files import Format
from pytest_webbench.cli import app
from pytest_webbench.task.adapters import read_foreign
from pytest_webbench.task.folder import read_folder
from tests.support.mini_suite import STRICT

pytestmark = pytest.mark.slow

Collect = Callable[..., pytest.RunResult]

SUITE_C = [
    {
        "name": name,
        "start_url": "https://shop.example/",
        "goal": f"Open the {name} of the shop.",
        "check_python": f"lambda u, t, x, a: {name!r} in u",
    }
    for name in ("lamps", "chairs")
]
WEBVOYAGER = [
    {
        "web_name": "Shop News",
        "id": f"Shop News--{n}",
        "ques": f"What is lamp {n}?",
        "web": "https://shop.example/",
    }
    for n in range(2)
]


def liveweb(name: str, **fields: Any) -> dict[str, Any]:
    check = {
        "name": "there",
        "metric": "url_matches",
        "result": {"type": "final_url"},
        "expected": "https://shop.example/x",
    }
    return {
        "task_id": name,
        "task_name": "Open the page called x.",
        "website": "https://shop.example/",
        "source": {"benchmark": "WebGym", "task_id": name},
        "evaluator": {"conj": "and", "checks": [check]},
        **fields,
    }


@pytest.fixture
def files(pytester: pytest.Pytester) -> Path:
    """One folder per format."""
    folder = pytester.path
    tasks = folder / "liveweb" / "tasks"
    tasks.mkdir(parents=True)
    for name in ("vts-001-open-x", "vts-002-open-x-again"):
        (tasks / f"{name}.json").write_text(json.dumps(liveweb(name), indent=1))
    for file, rows in (("c/tasks.jsonl", SUITE_C), ("v/WebVoyager_data.jsonl", WEBVOYAGER)):
        (folder / file).parent.mkdir()
        (folder / file).write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    return folder


@pytest.fixture
def collect(pytester: pytest.Pytester) -> Collect:
    def run(*arguments: str) -> pytest.RunResult:
        options = ("--collect-only", "-q", "--webbench-agent", "noop", "--strict-markers")
        return pytester.runpytest_subprocess(*arguments, *STRICT, *options, timeout=300)

    return run


def collected(result: pytest.RunResult) -> list[str]:
    return [
        line
        for line in result.outlines
        if "::" in line and not line.startswith(("ERROR", "FAILED"))
    ]


LIVEWEB_ITEMS = [
    f"liveweb/tasks/{name}.json::{name}" for name in ("vts-001-open-x", "vts-002-open-x-again")
]
C_ITEMS = [f"c/tasks.jsonl::{name}" for name in ("lamps", "chairs")]
V_ITEMS = [f"v/WebVoyager_data.jsonl::shop-news--{n}" for n in range(2)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("liveweb/tasks",), LIVEWEB_ITEMS),
        (("liveweb/tasks/vts-001-open-x.json",), LIVEWEB_ITEMS[:1]),
        (("liveweb/tasks", "-m", "webgym and liveweb and shop_example"), LIVEWEB_ITEMS),
        (("c/tasks.jsonl",), C_ITEMS),
        (("c",), C_ITEMS),
        (("c/tasks.jsonl::chairs",), C_ITEMS[1:]),
        (("c/tasks.jsonl", "-k", "lamps"), C_ITEMS[:1]),
        (("v/WebVoyager_data.jsonl", "-m", "shop_news"), V_ITEMS),
        (("v", "c", "liveweb/tasks"), [*V_ITEMS, *C_ITEMS, *LIVEWEB_ITEMS]),
        (
            ("v", "--webbench-repeats", "2", "-k", "news--0"),
            [f"{V_ITEMS[0]}[r{n}]" for n in (1, 2)],
        ),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, tuple) else "",
)
def test_foreign_file_or_folder_gives_one_item_per_task(
    collect: Collect, files: Path, arguments: tuple[str, ...], expected: list[str]
) -> None:
    assert collected(collect(*arguments)) == expected


@pytest.mark.parametrize("arguments", [(), ("liveweb",), (".",)], ids=str)
def test_unnamed_foreign_files_are_ignored(
    collect: Collect, files: Path, arguments: tuple[str, ...]
) -> None:
    assert collect(*arguments).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_other_json_files_are_ignored(collect: Collect, files: Path) -> None:
    for name, text in (
        ("package.json", '{"name": "web"}'),
        ("rows.jsonl", '{"id": 1}\n{'),
        ("broken.json", "{"),
    ):
        (files / "c" / name).write_text(text)
    assert collected(collect("c")) == C_ITEMS


@pytest.mark.parametrize("path", ["mini", "mini/tasks", "mini/notes", "mini/notes/tasks.jsonl"])
def test_foreign_files_inside_a_suite_are_ignored(
    collect: Collect, files: Path, mini: Path, path: str
) -> None:
    (mini / "notes").mkdir()
    for place in (
        mini / "tasks.jsonl",
        mini / "tasks" / "tasks.jsonl",
        mini / "notes" / "tasks.jsonl",
    ):
        place.write_text((files / "c" / "tasks.jsonl").read_text())
    assert not [item for item in collected(collect(path)) if "jsonl" in item]


def test_inspecting_other_json_imports_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_heavy():
            assert not {"pydantic", "yaml", "regex"} & set(sys.modules)
        """
    )
    (pytester.path / "data.json").write_text('{"task_id": 1}')
    result = pytester.runpytest_subprocess("-p", "no:anyio", "-p", "no:hypothesispytest", ".")
    result.assert_outcomes(passed=1)


def test_all_problems_of_a_file_are_one_collection_error(collect: Collect, files: Path) -> None:
    rows = [
        SUITE_C[0],
        SUITE_C[0],
        {**SUITE_C[1], "check_python": "lambda u, t, x, a: open(u)"},
        {"name": "empty"},
    ]
    (files / "c" / "tasks.jsonl").write_text(
        "\n".join(json.dumps(row) for row in rows) + '\n{"name": '
    )
    result = collect("c")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        [
            "*tasks.jsonl: 6 problems",
            "*line 2, name: 'lamps' appears twice, first on line 1",
            "*line 3, check_python: line 1 column 20: a call of 'open' is not allowed; *",
            "*line 4, check_python: is missing",
            "*line 4, goal: is missing",
            "*line 4, start_url: is missing",
            "*line 5: broken JSON at column *",
        ]
    )
    assert "Traceback" not in result.stdout.str()


HOSTILE = [
    "__import__('os').system('touch owned')",
    "().__class__.__base__.__subclasses__()",
    "u.__init__.__globals__['os']",
    "9**9**9**9",
    "(" * 400 + "u" + ")" * 400,
    "exec('open(\\'owned\\', \\'w\\')')",
    "[].__class__",
    "(lambda: open('owned', 'w'))()",
    "re.search('(x+x+)+y', x)",
]


def test_hostile_expressions_are_never_executed(collect: Collect, files: Path) -> None:
    rows = [
        {**SUITE_C[0], "name": f"t{n}", "check_python": f"lambda u, t, x, a: {body}"}
        for n, body in enumerate(HOSTILE)
    ]
    (files / "c" / "tasks.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = collect("c")
    result.stdout.fnmatch_lines(
        [f"*line {number}, check_python: *" for number in range(1, len(HOSTILE) + 1)]
    )
    assert collected(result) == []
    assert not (files / "owned").exists()


def test_foreign_suites_run_in_the_live_world_only(collect: Collect, files: Path) -> None:
    result = collect("c", "--webbench-world", "replica")
    result.stdout.fnmatch_lines(["*suite c has no replica world; it runs in: live*"])


def test_loadgroup_is_refused_for_foreign_files_too(pytester: pytest.Pytester, files: Path) -> None:
    chosen = ("--webbench-agent", "noop", "-n", "1", "--dist", "loadgroup")
    result = pytester.runpytest_subprocess("c/tasks.jsonl", *chosen)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*loadgroup hangs when a worker dies*"])


# -- webbench import ---------------------------------------------------------------------------


def convert(*arguments: str | Path) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, ["import", *map(str, arguments)])


@pytest.mark.parametrize(
    ("foreign", "kind"),
    [("c/tasks.jsonl", Format.SUITE_C), ("v/WebVoyager_data.jsonl", Format.WEBVOYAGER)],
    ids=str,
)
def test_imported_file_holds_the_same_tasks(files: Path, foreign: str, kind: Format) -> None:
    result = convert(files / foreign, files / "native")
    assert (result.exit_code, result.stdout) == (0, f"wrote 2 tasks to {files / 'native'}\n")
    reading = read_foreign(files / foreign, kind)
    native = read_folder(files / "native")
    assert native.suite == reading.suite
    assert {task.id: task.digest() for task in native.tasks.values()} == {
        task.id: task.digest() for task in reading.tasks
    }


def test_imported_folder_gives_the_same_items(collect: Collect, files: Path) -> None:
    assert convert(files / "liveweb" / "tasks", files / "native").exit_code == 0
    items = collected(collect("native"))
    assert [item.partition("::")[2] for item in items] == [
        item.partition("::")[2] for item in LIVEWEB_ITEMS
    ]
    marks = collected(collect("native", "-m", "webgym and liveweb and shop_example"))
    assert marks == items


def test_import_overwrites_only_with_force(files: Path) -> None:
    native = files / "native"
    assert convert(files / "c", native).exit_code == 0
    (native / "tasks" / "lamps.yaml").write_text("mine")
    refused = convert(files / "c", native)
    assert isinstance(refused.exception, Exception)
    assert "exists; choose another folder, or overwrite it with --force" in str(refused.exception)
    assert (native / "tasks" / "lamps.yaml").read_text() == "mine"
    assert convert(files / "c", native, "--force").exit_code == 0
    assert read_folder(native).tasks["lamps"].goal == "Open the lamps of the shop."


def test_unconvertible_tasks_are_listed_and_the_rest_written(files: Path) -> None:
    tasks = files / "liveweb" / "tasks"
    (tasks / "vts-003.json").write_text(json.dumps(liveweb("vts-003", website="nowhere", extra=1)))
    result = convert(tasks, files / "native")
    assert result.exit_code == 1
    assert (
        f"not converted: {tasks / 'vts-003.json'}: line 1, website: must be an http:// or https://"
        in result.stderr
    )
    assert (
        f"not converted: {tasks / 'vts-003.json'}: line 1, extra: unknown key 'extra'"
        in result.stderr
    )
    assert sorted(read_folder(files / "native").tasks) == ["vts-001-open-x", "vts-002-open-x-again"]


def test_duplicate_ids_across_files_are_reported(files: Path) -> None:
    (files / "c" / "more.jsonl").write_text(
        json.dumps({**SUITE_C[0], "goal": "Another goal altogether."})
    )
    result = convert(files / "c", files / "native")
    assert result.exit_code == 1
    assert "task lamps: another file has a task of this id" in result.stderr


def test_import_of_a_folder_without_foreign_files_is_an_error(files: Path, tmp_path: Path) -> None:
    result = convert(files, tmp_path / "native")
    assert "holds no task file in a format that is known here" in str(result.exception)
    assert not (tmp_path / "native").exists()
