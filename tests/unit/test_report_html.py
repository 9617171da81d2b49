"""The HTML report as files: what is in them, and what is not let in."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from pytest_webbench.cli import app
from pytest_webbench.errors import StoreError, UsageError
from pytest_webbench.evidence.models import Evidence, PageState
from pytest_webbench.report.html import write_report
from pytest_webbench.report.html.build import notes_data
from pytest_webbench.report.html.encode import script_of
from pytest_webbench.report.html.pages import safe_page, safe_recording
from pytest_webbench.report.html.reading import readings
from pytest_webbench.report.html.serve import report_app
from pytest_webbench.report.html.shell import index_html
from pytest_webbench.report.junit import of_run
from pytest_webbench.run import RunDir
from pytest_webbench.run.annotations import Note, add_note, read_notes
from pytest_webbench.run.publish import Publication
from pytest_webbench.task import Task
from tests.support.recorded_run import STEP_PAGE, make_recorded_run, step
from tests.support.report_run import HOSTILE, PAGE, make_run, serving

TOKEN = "t" * 32
ASSETS = Path(write_report.__code__.co_filename).parent / "assets"


def data_of(script: str) -> Any:
    """What a script file hands to the report."""
    name, literal = re.fullmatch(
        r"webbench\((\"[^\"]*\"), (\".*\")\);\n", script, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    assert json.loads(name)
    return json.loads(json.loads(literal))


def read(index: Path, name: str) -> Any:
    return data_of((index.parent / "data" / f"{name}.js").read_text(encoding="utf-8"))


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return make_run(tmp_path / "runs" / "one")


@settings(max_examples=50)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_embedded_data_is_unchanged_and_cannot_close_its_script(value: Any) -> None:
    script = script_of("x", value)
    assert data_of(script) == value
    assert not re.search("[<>&\u2028\u2029]", script)
    assert "\n" not in script[:-1]


def test_report_holds_every_item_and_its_numbers(run: RunDir) -> None:
    index = write_report(run)
    items, overview = read(index, "items"), read(index, "overview")
    assert items["count"] == 6
    assert [task["id"] for task in items["tasks"]] == ["task-0", "task-1", "task-2"]
    assert items["tasks"][0]["goal"].startswith("Find lamp 0.")
    assert [items["columns"]["outcome"][number] for number in range(6)] == [0, 1, 1, 2, 2, 0]
    assert items["words"]["why"] == ["", "the lamp is open"]
    assert {(row["agent"], row["passed"], row["failed"]) for row in overview["rows"]} == {
        ("alpha", 1, 1),
        ("beta", 1, 1),
    }
    assert overview["bases"] == [".."]
    assert [pair["shared"] for pair in overview["pairs"]] == [1]


def test_details_of_a_task_are_in_one_file(run: RunDir) -> None:
    index = write_report(run)
    chunk = read(index, "0")
    assert [episode["item"] for episode in chunk["episodes"]] == [0, 1]
    one = chunk["episodes"][0]
    assert one["answer"] == HOSTILE.replace("\u2028", "\u2028")
    assert [step["box"] for step in one["steps"]] == [[100, 50, 200, 40]] * 2
    assert one["journal"][0]["candidates"][1] == ["other", 0.25]
    assert one["attempts"][0]["outcome"] == "passed"
    assert (index.parent / "pages" / "0.html").is_file()


def test_value_read_by_a_check_is_shown_by_member() -> None:
    check = {"name": "form", "get": "storage", "metric": "json_object_match"}
    checks = [
        {**check, "expected": {"size": "L", "colour": "red", "gone": None}},
        {**check, "name": "text", "get": "page_title", "metric": "literal_match", "expected": "x"},
    ]
    facts = {
        "id": "t",
        "goal": "Fill in the form.",
        "start_url": "https://a.test/",
        "checks": checks,
    }
    one = Task.model_validate(facts)
    evidence = Evidence(
        page=PageState(url="https://a.test/", title="m" * 900),
        local_storage={"size": "L", "colour": "blue"},
    )
    found = dict(readings(one, evidence))
    assert found["form"]["members"] == [
        ("size", "L", "L", True),
        ("colour", "red", "blue", False),
        ("gone", "null", "(nothing)", True),
    ]
    assert found["text"]["found"] == "m" * 900


def test_same_run_gives_the_same_report(run: RunDir) -> None:
    first = files(write_report(run).parent)
    assert files(write_report(run).parent) == first
    assert not list(run.path.glob("report.*"))


def test_comparison_links_to_the_other_run(run: RunDir, tmp_path: Path) -> None:
    other = make_run(
        tmp_path / "else where" / "two",
        outcomes=("failed", "failed", "passed"),
        agents=("alpha", "gamma"),
    )
    index = write_report(run, other)
    assert index.parent == run.path / "report-with-two"
    overview = read(index, "overview")
    assert overview["bases"] == ["..", "../../../else%20where/two"]
    assert [(pair["a"], pair["b"]) for pair in overview["pairs"]] == [("one:alpha", "two:alpha")]
    assert overview["pairs"][0]["flips"] == [["shop", "task-0", [1, 1], [0, 1]]]
    assert read(index, "items")["count"] == 12


def test_runs_of_the_same_name_are_distinguished(run: RunDir, tmp_path: Path) -> None:
    other = make_run(tmp_path / "elsewhere" / "one", agents=("alpha",))
    overview = read(write_report(run, other), "overview")
    assert [(row["run"], row["agent"], row["n"]) for row in overview["rows"]] == [
        ("elsewhere/one", "alpha", 3),
        ("runs/one", "alpha", 3),
        ("runs/one", "beta", 3),
    ]
    with pytest.raises(UsageError, match="cannot be told apart"):
        write_report(run, run)


def test_unreadable_files_are_reported(run: RunDir) -> None:
    folder = run.path / "episodes" / "alpha" / "task-0"
    (folder / "evidence.json").write_text("{")
    (folder / "verdict.json").write_bytes(b"\xff")
    (folder / "final.mhtml").write_bytes(b"")
    shutil.rmtree(run.path / "episodes" / "beta" / "task-0")
    one, gone = read(write_report(run), "0")["episodes"]
    assert [problem.partition(" ")[0] for problem in one["problems"]] == [
        "verdict.json",
        "evidence.json",
    ]
    assert (one["verdict"], one["archived"], one["steps"]) == (None, False, [])
    assert (gone["verdict"], gone["steps"], gone["attempts"][0]["outcome"]) == (None, [], "failed")


def test_planned_item_without_attempts_is_in_the_report(tmp_path: Path) -> None:
    run = make_run(tmp_path / "one", agents=("alpha",))
    shutil.rmtree(run.path / "ledger")
    shutil.rmtree(run.path / "episodes")
    items = read(write_report(RunDir(run.path)), "items")
    assert (items["count"], items["columns"]["outcome"], items["words"]["reason"]) == (
        3,
        2,
        ["not_run"],
    )


def test_archived_page_keeps_its_style_but_no_script() -> None:
    page = safe_page(PAGE.encode())
    assert page is not None
    assert "<h1>Archived shop</h1>" in page
    assert '<body class="shop">' in page
    assert "color: rgb(1, 2, 3)" in page
    assert re.findall(r'<img[^>]*src="data:image/png;base64,[^"]*"[^>]*>', page)
    assert not re.search(
        r"<script|onload=|onerror=|<iframe|<base|http-equiv=\"refresh|href=|action=|</style>.*</style>",
        page,
    )
    assert "default-src 'none'" in page.partition("<style>")[0]
    assert re.findall("evil.test[^)]*", page.partition("</style>")[2]) == []


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"\x00\xff",
        b"MIME-Version: 1.0\n\nplain",
        b"Content-Type: multipart/related\n\n--x",
    ],
)
def test_broken_archive_gives_no_page(content: bytes | None) -> None:
    assert safe_page(content) is None


def test_title_is_escaped_and_only_report_scripts_may_run() -> None:
    page = index_html("%STYLE% <script>", "")
    assert "<title>%STYLE% &lt;script&gt; · webbench</title>" in page
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[0].replace(
        "&#x27;", "'"
    )
    assert re.search(r"script-src 'sha256-[^ ']+' 'strict-dynamic';", policy)
    assert "unsafe" not in policy
    assert "connect-src 'none'" in policy
    assert page.count("</script>") == 1


def test_unfinished_report_leaves_the_old_one(tmp_path: Path) -> None:
    whole = Publication(tmp_path / "report")
    whole.write("a/b.txt", "old")
    whole.commit()
    Publication(tmp_path / "report").write("a/b.txt", "new")
    assert (tmp_path / "report" / "a" / "b.txt").read_text() == "old"
    again = Publication(tmp_path / "report")
    again.write("c.txt", "third")
    again.commit()
    assert files(tmp_path) == {"report/c.txt": b"third"}


def test_unwritable_report_is_an_error_with_its_path(run: RunDir) -> None:
    (run.path / "report.partial").write_text("in the way")
    with pytest.raises(StoreError, match=r"report.* cannot be written"):
        write_report(run)


def note(number: int, **changes: Any) -> Note:
    facts = {
        "id": f"{number:016x}",
        "suite": "shop",
        "task": "task-0",
        "agent": "alpha",
        "text": f"note {number}",
    }
    return Note.model_validate({**facts, **changes})


def test_annotations_are_ordered_and_can_be_withdrawn(tmp_path: Path) -> None:
    assert read_notes(tmp_path) == []
    for one in (
        note(1),
        note(2, kind="dispute", outcome="passed"),
        note(3, kind="withdrawal", withdraws=f"{1:016x}"),
    ):
        add_note(tmp_path, one)
    assert [one.text for one in read_notes(tmp_path)] == ["note 2"]
    path = tmp_path / "notes.jsonl"
    assert path.read_text().count("\n") == 3
    path.write_text(path.read_text() + '{"id": "cut')
    add_note(tmp_path, note(4))
    assert [one.text for one in read_notes(tmp_path)] == ["note 2", "note 4"]
    path.write_text('{"version": 2}\n')
    with pytest.raises(StoreError, match="line 1: not a note"):
        read_notes(tmp_path)


def test_report_command_refuses_a_folder_without_a_run(run: RunDir, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(run.path)])
    assert (done.exit_code, done.stdout.strip()) == (
        0,
        f"wrote {run.path / 'report' / 'index.html'}",
    )
    assert "is not a run directory: it has no run.json" in str(
        CliRunner().invoke(app, ["report", str(tmp_path)]).exception
    )


# -- the server --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, RunDir]]:
    run = make_run(tmp_path_factory.mktemp("runs") / "one", agents=("alpha",))
    with (
        serving(report_app(write_report(run), [run], TOKEN)) as address,
        httpx.Client(base_url=address) as client,
    ):
        yield client, run


@pytest.fixture
def client(run: RunDir) -> Iterator[httpx.Client]:
    with (
        serving(report_app(write_report(run), [run], TOKEN)) as address,
        httpx.Client(base_url=address) as client,
    ):
        yield client


NOTE = {
    "run": 0,
    "suite": "shop",
    "task": "task-0",
    "agent": "alpha",
    "repeat": 1,
    "kind": "dispute",
    "text": "no <b>",
}


def test_server_stores_annotations_and_updates_the_report(
    client: httpx.Client, run: RunDir
) -> None:
    assert f'data-token="{TOKEN}"' in client.get("/", follow_redirects=True).text
    answer = client.post(
        "/notes", json={**NOTE, "outcome": "passed"}, headers={"X-Webbench-Token": TOKEN}
    )
    assert [one["text"] for one in answer.json()] == ["no <b>"]
    assert notes_data([run]) == answer.json()
    assert data_of(client.get("/report/data/notes.js").text) == answer.json()
    assert TOKEN not in (run.path / "report" / "index.html").read_text()


@pytest.mark.parametrize(
    ("changes", "headers", "status"),
    [
        ({}, {}, 403),
        ({}, {"X-Webbench-Token": "x"}, 403),
        ({}, {"X-Webbench-Token": TOKEN, "Host": "evil.test"}, 400),
        ({}, {"X-Webbench-Token": TOKEN, "Content-Type": "text/plain"}, 415),
        ({"text": "x" * 70_000}, {"X-Webbench-Token": TOKEN}, 413),
        ({"text": " "}, {"X-Webbench-Token": TOKEN}, 400),
        ({"run": 1}, {"X-Webbench-Token": TOKEN}, 400),
        ({"run": -1}, {"X-Webbench-Token": TOKEN}, 400),
        ({"kind": "praise"}, {"X-Webbench-Token": TOKEN}, 400),
        ({"more": 1}, {"X-Webbench-Token": TOKEN}, 400),
    ],
)
def test_server_refuses_bad_requests(
    refusing: tuple[httpx.Client, RunDir], changes: Any, headers: Any, status: int
) -> None:
    client, run = refusing
    body = json.dumps({**NOTE, **changes})
    answer = client.post(
        "/notes", content=body, headers={"Content-Type": "application/json", **headers}
    )
    assert answer.status_code == status
    assert not (run.path / "notes.jsonl").exists()


def test_server_serves_report_and_episodes_only(client: httpx.Client, run: RunDir) -> None:
    (run.path / "report" / "out").symlink_to(run.path / "run.json")
    episode = "/runs/0/episodes/alpha/task-0"
    assert client.get("/report/data/items.js").status_code == 200
    archive = client.get(f"{episode}/final.mhtml")
    assert archive.headers["content-disposition"].startswith("attachment")
    assert archive.headers["content-security-policy"].startswith("sandbox")
    elsewhere = (
        "/report/out",
        "/report/../run.json",
        "/report/%2e%2e/run.json",
        "/report/",
        "/runs/0/run.json",
    )
    deeper = (
        f"{episode}/../../../run.json",
        "/runs/0/..%2f..%2frun.json",
        "/runs/1/episodes/alpha/task-0/task.json",
    )
    for path in (*elsewhere, *deeper):
        assert client.get(path).status_code == 404, path
    assert client.get("/report/index.html", headers={"Host": "evil.test"}).status_code == 400


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.js")), ids=lambda path: path.name)
def test_report_scripts_never_build_markup_from_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc", text
    )
    assert text.count("\n") <= 400, "split it"


def test_recorded_page_keeps_only_its_marks_and_its_text() -> None:
    page = safe_recording(STEP_PAGE.encode(), [("target", "4"), ("chosen", 'x"] { } * { x')])
    assert page is not None
    assert '[id="node-4"] { outline' in page
    assert '<a id="node-4">Contact</a>' in page
    assert "* { x" not in page
    body = page.partition("<body>")[2]
    for gone in ("evil.test", "onclick", "onerror", "<script", "<iframe", "<meta", "<base"):
        assert gone not in body


@pytest.mark.parametrize("content", [None, b"", b"x" * 8_000_001], ids=["none", "empty", "large"])
def test_recorded_page_can_be_missing(content: bytes | None) -> None:
    assert safe_recording(content, []) is None


def test_coverage_is_counted_by_role_and_tasks_are_not_steps(tmp_path: Path) -> None:
    none, lost = {"kind": "none"}, {"targets": [], "elements": [], "why": "lost"}
    steps = [
        step("a", 0, "link"),
        step("a", 1, "link", cover=none, why="not covered"),
        step("a", 2, "button"),
        step("b", 0, "link"),
        step("b", 1, "button", **lost),
    ]
    index = write_report(make_recorded_run(tmp_path / "r", steps))
    overview = read(index, "overview")
    (group,) = overview["roles"]
    found = [
        (row["role"], row["steps"], row["tasks"], row["covered"]["count"], row["covered"]["n"])
        for row in group["rows"]
    ]
    assert found == [("", 5, 2, 3, 4), ("link", 3, 2, 2, 3), ("button", 2, 2, 1, 1)]
    assert {row["accepted"] for row in group["rows"]} == {None}
    (row,) = overview["rows"]
    assert (row["tasks"], row["n"], row["steps"]) == (2, 5, None)
    assert overview["histograms"][0]["steps"] is None
    assert (index.parent / "pages" / "0.html").is_file()


def test_choice_is_accepted_only_where_the_target_is_covered(tmp_path: Path) -> None:
    chosen = {"ref": "e1", "op": "CLICK"}
    steps = [
        step("a", 0, "link", prediction=chosen),
        step("a", 1, "link", prediction={"ref": "e2"}, why="wrong"),
        step("a", 2, "link", prediction=chosen, cover={"kind": "none", "accepted": ["e1"]}),
        step("b", 0, "link", prediction={}, why="no JSON"),
    ]
    run = make_recorded_run(tmp_path / "r", steps, agent="model")
    (group,) = read(write_report(run), "overview")["roles"]
    every = group["rows"][0]
    assert (every["covered"]["count"], every["accepted"]["count"], every["accepted"]["n"]) == (
        3,
        1,
        4,
    )
    junit = of_run(run, "")
    assert 'name="webbench.part_of" value="a"' in junit
    assert "webbench.steps" not in junit


def test_recorded_steps_are_compared_as_steps_of_their_tasks(tmp_path: Path) -> None:
    steps = [step(task, number, "link") for task in "abcdefgh" for number in range(4)]
    wrong = [{**one, "why": "wrong"} for one in steps]
    runs = [
        make_recorded_run(tmp_path / "one", steps, agent="m"),
        make_recorded_run(tmp_path / "two", wrong, agent="m"),
    ]
    (pair,) = read(write_report(*runs), "overview")["pairs"]
    assert "32 more of 32 shared recorded steps" in pair["sentence"]
    assert (pair["unit"], pair["drawn_by"], pair["groups"]) == ("recorded step", "task", 8)
