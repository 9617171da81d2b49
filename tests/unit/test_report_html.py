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
from pytest_webbench.report.html.pages import safe_page
from pytest_webbench.report.html.reading import readings
from pytest_webbench.report.html.serve import report_app
from pytest_webbench.report.html.shell import index_html
from pytest_webbench.run import RunDir
from pytest_webbench.run.notes import Note, add_note, read_notes
from pytest_webbench.run.publish import Publication
from pytest_webbench.task import Task
from tests.report_run import HOSTILE, PAGE, make_run, serving

TOKEN = "t" * 32
ASSETS = Path(write_report.__code__.co_filename).parent / "assets"


def data_of(script: str) -> Any:
    """What a script file hands to the report."""
    name, literal = re.fullmatch(r"webbench\((\"[^\"]*\"), (\".*\")\);\n", script, re.DOTALL).groups()  # type: ignore[union-attr]
    assert json.loads(name)
    return json.loads(json.loads(literal))


def read(index: Path, name: str) -> Any:
    return data_of((index.parent / "data" / f"{name}.js").read_text(encoding="utf-8"))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return make_run(tmp_path / "runs" / "one")


@settings(max_examples=50)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_data_comes_through_a_script_unchanged_and_cannot_end_it(value: Any) -> None:
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


def test_details_of_a_task_lie_in_one_file(run: RunDir) -> None:
    index = write_report(run)
    chunk = read(index, "0")
    assert [episode["item"] for episode in chunk["episodes"]] == [0, 1]
    one = chunk["episodes"][0]
    assert one["answer"] == HOSTILE.replace("\u2028", "\u2028")
    assert [step["box"] for step in one["steps"]] == [[100, 50, 200, 40]] * 2
    assert one["journal"][0]["candidates"][1] == ["other", 0.25]
    assert one["attempts"][0]["outcome"] == "passed"
    assert (index.parent / "pages" / "0.html").is_file()


def test_value_that_a_check_read_is_shown_in_full_and_member_by_member() -> None:
    check = {"name": "form", "get": "storage", "metric": "json_object_match"}
    checks = [
        {**check, "expected": {"size": "L", "colour": "red", "gone": None}},
        {**check, "name": "text", "get": "page_title", "metric": "literal_match", "expected": "x"},
    ]
    facts = {"id": "t", "goal": "Fill in the form.", "start_url": "https://a.test/", "checks": checks}
    one = Task.model_validate(facts)
    evidence = Evidence(
        page=PageState(url="https://a.test/", title="m" * 900), local_storage={"size": "L", "colour": "blue"}
    )
    found = dict(readings(one, evidence))
    assert found["form"]["members"] == [
        ("size", "L", "L", True), ("colour", "red", "blue", False), ("gone", "null", "(nothing)", True),
    ]  # fmt: skip
    assert found["text"]["found"] == "m" * 900


def test_same_run_gives_the_same_report(run: RunDir) -> None:
    first = files(write_report(run).parent)
    assert files(write_report(run).parent) == first
    assert not list(run.path.glob("report.*"))


def test_comparison_lies_beside_the_report_and_finds_the_other_run(run: RunDir, tmp_path: Path) -> None:
    other = make_run(
        tmp_path / "else where" / "two", outcomes=("failed", "failed", "passed"), agents=("alpha", "gamma")
    )
    index = write_report(run, other)
    assert index.parent == run.path / "report-with-two"
    overview = read(index, "overview")
    assert overview["bases"] == ["..", "../../../else%20where/two"]
    assert [(pair["a"], pair["b"]) for pair in overview["pairs"]] == [("one:alpha", "two:alpha")]
    assert overview["pairs"][0]["flips"] == [["shop", "task-0", [1, 1], [0, 1]]]
    assert read(index, "items")["count"] == 12


def test_runs_of_one_name_are_told_apart_and_a_run_is_not_compared_with_itself(run: RunDir, tmp_path: Path) -> None:
    other = make_run(tmp_path / "elsewhere" / "one", agents=("alpha",))
    overview = read(write_report(run, other), "overview")
    assert [(row["run"], row["agent"], row["n"]) for row in overview["rows"]] == [
        ("elsewhere/one", "alpha", 3), ("runs/one", "alpha", 3), ("runs/one", "beta", 3),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="cannot be told apart"):
        write_report(run, run)


def test_what_cannot_be_read_is_said(run: RunDir) -> None:
    folder = run.path / "episodes" / "alpha" / "task-0"
    (folder / "evidence.json").write_text("{")
    (folder / "verdict.json").write_bytes(b"\xff")
    (folder / "final.mhtml").write_bytes(b"")
    shutil.rmtree(run.path / "episodes" / "beta" / "task-0")
    one, gone = read(write_report(run), "0")["episodes"]
    assert [problem.partition(" ")[0] for problem in one["problems"]] == ["verdict.json", "evidence.json"]
    assert (one["verdict"], one["archived"], one["steps"]) == (None, False, [])
    assert (gone["verdict"], gone["steps"], gone["attempts"][0]["outcome"]) == (None, [], "failed")


def test_item_that_was_never_run_is_in_the_report(tmp_path: Path) -> None:
    run = make_run(tmp_path / "one", agents=("alpha",))
    shutil.rmtree(run.path / "ledger")
    shutil.rmtree(run.path / "episodes")
    items = read(write_report(RunDir(run.path)), "items")
    assert (items["count"], items["columns"]["outcome"], items["words"]["reason"]) == (3, 2, ["not_run"])


def test_archived_page_keeps_its_looks_and_nothing_that_acts(tmp_path: Path) -> None:
    (tmp_path / "final.mhtml").write_text(PAGE)
    page = safe_page(tmp_path / "final.mhtml")
    assert page is not None
    assert "<h1>Archived shop</h1>" in page
    assert '<body class="shop">' in page
    assert "color: rgb(1, 2, 3)" in page
    assert re.findall(r'<img[^>]*src="data:image/png;base64,[^"]*"[^>]*>', page)
    assert not re.search(
        r"<script|onload=|onerror=|<iframe|<base|http-equiv=\"refresh|href=|action=|</style>.*</style>", page
    )
    assert "default-src 'none'" in page.partition("<style>")[0]
    assert re.findall("evil.test[^)]*", page.partition("</style>")[2]) == []


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff", b"MIME-Version: 1.0\n\nplain", b"Content-Type: multipart/related\n\n--x"]
)
def test_broken_archive_is_no_page(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "final.mhtml").write_bytes(content)
    assert safe_page(tmp_path / "final.mhtml") is None
    assert safe_page(tmp_path / "missing.mhtml") is None


def test_title_is_text_and_only_our_scripts_are_let_in() -> None:
    page = index_html("%STYLE% <script>", "")
    assert "<title>%STYLE% &lt;script&gt; · webbench</title>" in page
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[0].replace("&#x27;", "'")
    assert re.search(r"script-src 'sha256-[^ ']+' 'strict-dynamic';", policy)
    assert "unsafe" not in policy
    assert "connect-src 'none'" in policy
    assert page.count("</script>") == 1


def test_report_that_was_not_finished_leaves_the_old_one(tmp_path: Path) -> None:
    whole = Publication(tmp_path / "report")
    whole.write("a/b.txt", "old")
    whole.commit()
    Publication(tmp_path / "report").write("a/b.txt", "new")
    assert (tmp_path / "report" / "a" / "b.txt").read_text() == "old"
    again = Publication(tmp_path / "report")
    again.write("c.txt", "third")
    again.commit()
    assert files(tmp_path) == {"report/c.txt": b"third"}


def test_report_that_cannot_be_written_is_an_error_with_its_path(run: RunDir) -> None:
    (run.path / "report.partial").write_text("in the way")
    with pytest.raises(StoreError, match=r"report.* cannot be written"):
        write_report(run)


def note(number: int, **changes: Any) -> Note:
    facts = {"id": f"{number:016x}", "suite": "shop", "task": "task-0", "agent": "alpha", "text": f"note {number}"}
    return Note.model_validate({**facts, **changes})


def test_notes_are_kept_in_order_and_taken_back_by_another_line(tmp_path: Path) -> None:
    assert read_notes(tmp_path) == []
    for one in (note(1), note(2, kind="dispute", outcome="passed"), note(3, kind="withdrawal", withdraws=f"{1:016x}")):
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


def test_command_writes_the_report_and_refuses_what_is_no_run(run: RunDir, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(run.path)])
    assert (done.exit_code, done.stdout.strip()) == (0, f"wrote {run.path / 'report' / 'index.html'}")
    assert "is no run: it has no run.json" in str(CliRunner().invoke(app, ["report", str(tmp_path)]).exception)


# -- the server --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, RunDir]]:
    run = make_run(tmp_path_factory.mktemp("runs") / "one", agents=("alpha",))
    with serving(report_app(write_report(run), [run], TOKEN)) as address, httpx.Client(base_url=address) as client:
        yield client, run


@pytest.fixture
def client(run: RunDir) -> Iterator[httpx.Client]:
    with serving(report_app(write_report(run), [run], TOKEN)) as address, httpx.Client(base_url=address) as client:
        yield client


NOTE = {"run": 0, "suite": "shop", "task": "task-0", "agent": "alpha", "repeat": 1, "kind": "dispute", "text": "no <b>"}


def test_server_takes_notes_and_brings_the_report_up_to_date(client: httpx.Client, run: RunDir) -> None:
    assert f'data-token="{TOKEN}"' in client.get("/", follow_redirects=True).text
    answer = client.post("/notes", json={**NOTE, "outcome": "passed"}, headers={"X-Webbench-Token": TOKEN})
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
def test_server_refuses(refusing: tuple[httpx.Client, RunDir], changes: Any, headers: Any, status: int) -> None:
    client, run = refusing
    body = json.dumps({**NOTE, **changes})
    answer = client.post("/notes", content=body, headers={"Content-Type": "application/json", **headers})
    assert answer.status_code == status
    assert not (run.path / "notes.jsonl").exists()


def test_server_hands_out_the_report_and_episodes_and_nothing_else(client: httpx.Client, run: RunDir) -> None:
    (run.path / "report" / "out").symlink_to(run.path / "run.json")
    episode = "/runs/0/episodes/alpha/task-0"
    assert client.get("/report/data/items.js").status_code == 200
    archive = client.get(f"{episode}/final.mhtml")
    assert archive.headers["content-disposition"].startswith("attachment")
    assert archive.headers["content-security-policy"].startswith("sandbox")
    elsewhere = ("/report/out", "/report/../run.json", "/report/%2e%2e/run.json", "/report/", "/runs/0/run.json")
    deeper = (f"{episode}/../../../run.json", "/runs/0/..%2f..%2frun.json", "/runs/1/episodes/alpha/task-0/task.json")
    for path in (*elsewhere, *deeper):
        assert client.get(path).status_code == 404, path
    assert client.get("/report/index.html", headers={"Host": "evil.test"}).status_code == 400


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.js")), ids=lambda path: path.name)
def test_program_makes_no_markup_from_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc", text)
    assert text.count("\n") <= 400, "split it"
