"""Which steps the options mean: the suite's own, a file's, or the hub's, fetched once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webbench.errors import SettingsError
from pytest_webbench.mind2web.choice import REVISION, Choice
from pytest_webbench.mind2web.records import RecordedStep, to_line
from pytest_webbench.mind2web.sources.hub import SHARDS
from pytest_webbench.mind2web.store import write_steps
from pytest_webbench.plugin.recorded.options import OPTIONS, SPLITS
from tests import hub as double
from tests.hub import archive, running, task

MEMBERS = {f"test_website/test_website_{n}.json": [task(10 * n + k) for k in range(4)] for n in range(2)}


@pytest.fixture
def bundled(tmp_path: Path) -> Path:
    path = tmp_path / "suite" / "steps.jsonl.gz"
    page = {"cleaned_html": "<p/>", "op": "CLICK"}
    given = [{"task_id": f"b{n // 2}", "step_index": n % 2, "website": f"s{n // 4}", **page} for n in range(12)]
    write_steps(path, iter([RecordedStep.model_validate(one) for one in given]))
    return path


@pytest.fixture
def choose(tmp_path: Path, bundled: Path):  # type: ignore[no-untyped-def]
    def made(source: str = "bundled", **facts: object) -> list[str]:
        chosen = Choice(source=source, bundled=bundled, cache=tmp_path / "cache", **facts)  # type: ignore[arg-type]
        steps = chosen.steps()
        assert [steps.read(entry).name for entry in steps.entries] == [entry.name for entry in steps.entries]
        return [entry.name for entry in steps.entries]

    return made


@pytest.fixture
def server() -> Iterator[double.Hub]:
    hub = double.Hub()
    hub.files = {f"/datasets/osunlp/Mind2Web/resolve/{REVISION}/test.zip": b""}
    packed = {name: json.dumps(tasks).encode() for name, tasks in MEMBERS.items()}
    hub.files = dict.fromkeys(hub.files, archive(packed))
    with running(hub):
        yield hub


def test_the_bundled_steps_are_unpacked_once(choose, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert choose() == choose() == [f"b{n // 2}-{n % 2}" for n in range(12)]
    assert len(list((tmp_path / "cache").glob("*.jsonl"))) == 1


def test_limits_are_applied_in_this_order_tasks_sample_steps(choose) -> None:  # type: ignore[no-untyped-def]
    assert choose(limit_tasks=2) == ["b0-0", "b0-1", "b1-0", "b1-1"]
    assert choose(limit=3) == ["b0-0", "b0-1", "b1-0"]
    drawn = choose(sample=3, seed=4)
    assert (len(drawn), drawn) == (6, choose(sample=3, seed=4))
    assert choose(sample=3, seed=4, limit=1) == drawn[:1]
    assert set(choose(limit_tasks=2, sample=1)) < {"b0-0", "b0-1", "b1-0", "b1-1"}


def test_a_jsonl_file_is_read_where_it_lies(choose, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "mine.jsonl"
    path.write_text(to_line(RecordedStep(task_id="m", cleaned_html="<p/>")))
    assert choose("file", path=path) == ["m-0"]
    assert not (tmp_path / "cache").exists()


def test_other_files_are_kept_until_they_change(choose, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "test.zip"
    path.write_bytes(archive({name: json.dumps(tasks).encode() for name, tasks in MEMBERS.items()}))
    assert choose("file", path=path, split="test_website", shard=1)[:2] == ["t10-0", "t10-1"]
    assert len(choose("file", path=path, split="test_website")) == 16
    tasks = tmp_path / "tasks.json"
    tasks.write_text(json.dumps([task(1)]))
    assert choose("file", path=tasks) == ["t1-0", "t1-1"]
    tasks.write_text(json.dumps([task(2), task(3)]))
    assert choose("file", path=tasks) == ["t2-0", "t2-1", "t3-0", "t3-1"]


def test_the_hub_is_asked_once(choose, server: double.Hub, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    told: list[tuple[int, int]] = []
    known = {"hub": server.url, "split": "test_website", "tell": lambda tasks, size: told.append((tasks, size))}
    first = choose("hf", **known)
    assert len(first) == 16
    assert [tasks for tasks, _ in told] == list(range(1, 9))
    assert told[-1][1] > 0
    before = len(server.asked)
    assert choose("hf", **known) == first
    assert choose("hf", sample=2, **known)[0] in first
    assert len(server.asked) == before
    assert choose("hf", shard=1, **known) == first[8:]
    assert len(server.asked) > before


def test_only_the_first_tasks_are_downloaded_if_no_more_are_wanted(choose, server: double.Hub) -> None:  # type: ignore[no-untyped-def]
    assert choose("hf", hub=server.url, split="test_website", limit_tasks=2) == ["t0-0", "t0-1", "t1-0", "t1-1"]
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
def test_what_cannot_be_had_is_said(choose, facts: dict[str, object], message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SettingsError, match=message):
        choose(**facts)


def test_a_file_without_steps_is_an_error(choose, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(SettingsError, match=r"no steps in .*empty\.jsonl"):
        choose("file", path=tmp_path / "empty.jsonl")


def test_options_and_sources_agree() -> None:
    defaults = {option.name: option for option in OPTIONS.options}
    assert defaults["revision"].default == REVISION
    assert tuple(SHARDS) == SPLITS == tuple(defaults["split"].choices or ())


def test_every_option_is_in_its_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mind2web.md").read_text(encoding="utf-8")
    assert [option.name for option in OPTIONS.options if f"--m2w-{option.name}" not in page] == []
