"""Which steps the options mean: the suite's own, a file's, or the hub's, fetched once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.errors import SettingsError
from pytest_webbench.mind2web.loading import OnProgress, load_steps
from pytest_webbench.mind2web.plugin.options import OPTIONS
from pytest_webbench.mind2web.records import RecordedStep, to_line
from pytest_webbench.mind2web.selection import REVISION, Selection
from pytest_webbench.mind2web.store import write_steps
from tests.support import fake_hub
from tests.support.fake_hub import archive, running, task

MEMBERS = {
    f"test_website/test_website_{n}.json": [task(10 * n + k) for k in range(4)] for n in range(2)
}


@pytest.fixture
def bundled(tmp_path: Path) -> Path:
    path = tmp_path / "suite" / "steps.jsonl.gz"
    page = {"cleaned_html": "<p/>", "op": "CLICK"}
    given = [
        {"task_id": f"b{n // 2}", "step_index": n % 2, "website": f"s{n // 4}", **page}
        for n in range(12)
    ]
    write_steps(path, iter([RecordedStep.model_validate(one) for one in given]))
    return path


Choose = Callable[..., list[str]]


@pytest.fixture
def choose(tmp_path: Path, bundled: Path) -> Choose:
    def made(
        source: Any = "bundled", on_progress: OnProgress | None = None, **facts: Any
    ) -> list[str]:
        selection = Selection(source=source, cache=tmp_path / "cache", **facts)
        steps = load_steps(selection, bundled, on_progress=on_progress)
        assert [steps.read(entry).name for entry in steps.entries] == [
            entry.name for entry in steps.entries
        ]
        return [entry.name for entry in steps.entries]

    return made


@pytest.fixture
def server() -> Iterator[fake_hub.Hub]:
    hub = fake_hub.Hub()
    hub.files = {f"/datasets/osunlp/Mind2Web/resolve/{REVISION}/test.zip": b""}
    packed = {name: json.dumps(tasks).encode() for name, tasks in MEMBERS.items()}
    hub.files = dict.fromkeys(hub.files, archive(packed))
    with running(hub):
        yield hub


def test_bundled_steps_are_unpacked_once(choose: Choose, tmp_path: Path) -> None:
    assert choose() == choose() == [f"b{n // 2}-{n % 2}" for n in range(12)]
    assert len(list((tmp_path / "cache").glob("*.jsonl"))) == 1


def test_limits_apply_to_tasks_then_sample_then_steps(choose: Choose) -> None:
    assert choose(limit_tasks=2) == ["b0-0", "b0-1", "b1-0", "b1-1"]
    assert choose(limit=3) == ["b0-0", "b0-1", "b1-0"]
    drawn = choose(sample=3, seed=4)
    assert (len(drawn), drawn) == (6, choose(sample=3, seed=4))
    assert choose(sample=3, seed=4, limit=1) == drawn[:1]
    assert set(choose(limit_tasks=2, sample=1)) < {"b0-0", "b0-1", "b1-0", "b1-1"}


def test_jsonl_file_is_read_in_place(choose: Choose, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(to_line(RecordedStep(task_id="m", cleaned_html="<p/>")))
    assert choose("file", path=path) == ["m-0"]
    assert not (tmp_path / "cache").exists()


def test_other_files_are_cached_until_they_change(choose: Choose, tmp_path: Path) -> None:
    path = tmp_path / "test.zip"
    path.write_bytes(archive({name: json.dumps(tasks).encode() for name, tasks in MEMBERS.items()}))
    assert choose("file", path=path, split="test_website", shard=1)[:2] == ["t10-0", "t10-1"]
    assert len(choose("file", path=path, split="test_website")) == 16
    tasks = tmp_path / "tasks.json"
    tasks.write_text(json.dumps([task(1)]))
    assert choose("file", path=tasks) == ["t1-0", "t1-1"]
    tasks.write_text(json.dumps([task(2), task(3)]))
    assert choose("file", path=tasks) == ["t2-0", "t2-1", "t3-0", "t3-1"]


def test_download_happens_once(choose: Choose, server: fake_hub.Hub, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    known = {
        "hub": server.url,
        "split": "test_website",
        "on_progress": lambda tasks, size: progress.append((tasks, size)),
    }
    first = choose("hf", **known)
    assert len(first) == 16
    assert [tasks for tasks, _ in progress] == list(range(1, 9))
    assert progress[-1][1] > 0
    before = len(server.asked)
    assert choose("hf", **known) == first
    assert choose("hf", sample=2, **known)[0] in first
    assert len(server.asked) == before
    assert choose("hf", shard=1, **known) == first[8:]
    assert len(server.asked) > before


def test_only_the_tasks_needed_are_downloaded(choose: Choose, server: fake_hub.Hub) -> None:
    assert choose("hf", hub=server.url, split="test_website", limit_tasks=2) == [
        "t0-0",
        "t0-1",
        "t1-0",
        "t1-1",
    ]
    assert not any(REVISION not in path for path, _, _ in server.asked)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"source": "file"}, "--m2w-path"),
        ({"source": "file", "path": Path("nowhere.json")}, "does not exist"),
        ({"source": "hf", "split": "dev"}, "use one of train"),
        ({"source": "hf", "split": "test_website", "shard": 2}, "0 to 1, not 2"),
    ],
)
def test_unreadable_selection_is_explained(
    choose: Choose, facts: dict[str, object], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        choose(**facts)


def test_file_without_steps_is_an_error(choose: Choose, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(SettingsError, match=r"no steps in .*empty\.jsonl"):
        choose("file", path=tmp_path / "empty.jsonl")


def test_every_option_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mind2web.md").read_text(encoding="utf-8")
    assert [option.name for option in OPTIONS.options if f"--m2w-{option.name}" not in page] == []
