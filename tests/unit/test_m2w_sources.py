"""Sources of recorded steps: local files of all kinds, and the hub with its failures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from pytest_webbench.errors import InfraError, SettingsError
from pytest_webbench.mind2web.records import RecordedStep, to_line
from pytest_webbench.mind2web.selection import SHARDS
from pytest_webbench.mind2web.sources import remote
from pytest_webbench.mind2web.sources.hub import Hub, Shard, shards_of
from pytest_webbench.mind2web.sources.local import steps_in
from tests.support import fake_hub
from tests.support.fake_hub import ROOT, archive, running, task

MEMBER = "test_website/test_website_1.json"
OTHER = "test_task/test_task_0.json"


@pytest.fixture
def server() -> Iterator[fake_hub.Hub]:
    hub = fake_hub.Hub()
    hub.add_tasks("data/train/train_0.json", [task(number, size=400) for number in range(30)])
    hub.add_archive({OTHER: [task(90)], MEMBER: [task(number) for number in range(30)]})
    with running(hub):
        yield hub


@pytest.fixture
def reader(server: fake_hub.Hub, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(remote, "_FIRST_PAUSE", 0.0)
    made = Hub(base=server.url, revision="main")
    yield made
    made.close()


def ids(found: Iterator[dict[str, object]]) -> list[object]:
    return [one["annotation_id"] for one in found]


def test_train_shard_is_read_only_as_far_as_needed(server: fake_hub.Hub, reader: Hub) -> None:
    whole = len(server.files[f"{ROOT}/data/train/train_0.json"])
    tasks = reader.tasks(Shard("train", 0))
    assert ids(islice(tasks, 2)) == ["t0", "t1"]
    tasks.close()  # type: ignore[attr-defined]
    assert reader.received < whole / 3


def test_archive_member_is_read_by_ranges(server: fake_hub.Hub, reader: Hub) -> None:
    assert ids(reader.tasks(Shard("test_website", 1))) == [f"t{number}" for number in range(30)]
    assert all(asked for _, asked, _ in server.asked)


def test_archive_directory_is_read_once(server: fake_hub.Hub, reader: Hub) -> None:
    list(reader.tasks(Shard("test_website", 1)))
    before = len(server.asked)
    assert ids(reader.tasks(Shard("test_task", 0))) == ["t90"]
    assert len(server.asked) == before + 1


@pytest.mark.parametrize("shard", [Shard("train", 0), Shard("test_website", 1)], ids=str)
def test_broken_download_resumes_where_it_broke(
    server: fake_hub.Hub, reader: Hub, shard: Shard
) -> None:
    server.break_after, server.breaks = 300, 3
    assert len(ids(reader.tasks(shard))) == 30
    assert server.breaks == 0


def test_server_that_keeps_failing_is_given_up(server: fake_hub.Hub, reader: Hub) -> None:
    server.break_after, server.breaks = 0, 1000
    with pytest.raises(InfraError, match="received 0 bytes"):
        list(reader.tasks(Shard("train", 0)))


@pytest.mark.parametrize("status", [500, 503, 429])
def test_server_error_is_retried_and_then_given_up(
    server: fake_hub.Hub, reader: Hub, status: int
) -> None:
    server.status = status
    with pytest.raises(InfraError, match=f"HTTP {status}"):
        list(reader.tasks(Shard("train", 0)))
    assert len(server.asked) == remote.TRIES


@pytest.mark.parametrize(
    ("status", "message"), [(403, "HF_TOKEN"), (401, "HF_TOKEN"), (404, "check split")]
)
def test_error_that_the_user_can_fix_is_not_retried(
    server: fake_hub.Hub, reader: Hub, status: int, message: str
) -> None:
    server.status = status
    with pytest.raises(SettingsError, match=message):
        list(reader.tasks(Shard("train", 0)))
    assert len(server.asked) == 1


def test_server_without_ranges_is_an_error_with_advice(server: fake_hub.Hub, reader: Hub) -> None:
    server.ranges = False
    with pytest.raises(InfraError, match="--m2w-path"):
        list(reader.tasks(Shard("test_task", 0)))


def test_file_that_changes_during_the_download_is_an_error(
    server: fake_hub.Hub, reader: Hub
) -> None:
    server.change_etag = True
    with pytest.raises(InfraError, match="changed while it was read"):
        list(reader.tasks(Shard("test_task", 0)))


def test_token_is_not_sent_to_the_target_of_a_redirect(
    server: fake_hub.Hub,
) -> None:
    with running(fake_hub.Hub(redirect_to=server.url)) as front:
        reader = Hub(
            base=front.url.replace("127.0.0.1", "localhost"), revision="main", token="hf_secret"
        )
        assert ids(reader.tasks(Shard("test_task", 0))) == ["t90"]
        reader.close()
    assert {token for _, _, token in front.asked} == {"Bearer hf_secret"}
    assert {token for _, _, token in server.asked} == {None}


def test_token_is_sent(server: fake_hub.Hub) -> None:
    server.token = "hf_secret"
    reader = Hub(base=server.url, revision="main", token="hf_secret")
    assert ids(reader.tasks(Shard("test_task", 0))) == ["t90"]
    reader.close()


@pytest.mark.parametrize(
    "content", [b"", b"<html>", b'{"a": 1}', b"[1]", b'[{"a": 1}', b'["no json"]']
)
def test_file_that_is_not_an_array_of_tasks_is_an_error(
    server: fake_hub.Hub, reader: Hub, content: bytes
) -> None:
    server.files[f"{ROOT}/data/train/train_0.json"] = content
    if content == b'{"a": 1}':
        assert list(reader.tasks(Shard("train", 0))) == []
        return
    with pytest.raises(InfraError, match="train_0"):
        list(reader.tasks(Shard("train", 0)))


def test_tasks_may_be_strings_that_hold_json(server: fake_hub.Hub, reader: Hub) -> None:
    server.files[f"{ROOT}/data/train/train_0.json"] = json.dumps([json.dumps(task(5))]).encode()
    assert ids(reader.tasks(Shard("train", 0))) == ["t5"]


def test_damaged_archive_is_an_error(server: fake_hub.Hub, reader: Hub) -> None:
    packed = bytearray(server.files[f"{ROOT}/test.zip"])
    packed[60:200] = bytes(140)
    server.files[f"{ROOT}/test.zip"] = bytes(packed)
    with pytest.raises(InfraError):
        list(reader.tasks(Shard("test_task", 0)))
    server.files[f"{ROOT}/test.zip"] = b"not a zip file at all" * 10
    again = Hub(base=server.url, revision="main")
    with pytest.raises(InfraError, match="table of contents"):
        list(again.tasks(Shard("test_task", 0)))
    again.close()


def test_unreachable_server_is_an_error_that_names_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote, "_FIRST_PAUSE", 0.0)
    reader = Hub(base="http://127.0.0.1:9", revision="main")
    with pytest.raises(InfraError, match=r"127\.0\.0\.1:9/.*ConnectError"):
        list(reader.tasks(Shard("train", 0)))
    reader.close()


def test_splits_and_shards_are_checked() -> None:
    assert [len(shards_of(split)) for split in SHARDS] == [11, 3, 2, 10]
    assert shards_of("train", 10) == [Shard("train", 10)]
    with pytest.raises(SettingsError, match="0 to 1, not 2"):
        shards_of("test_website", 2)
    with pytest.raises(SettingsError, match="test_domain"):
        shards_of("dev")


# -- files -------------------------------------------------------------------------------------


def write(folder: Path, name: str) -> Path:
    path = folder / name
    tasks = [task(1), task(2, steps=3)]
    match path.suffix:
        case ".jsonl":
            path.write_text(
                "\n".join(to_line(step) for step in steps_in(write(folder, "t.json"), [])) + "\n\n"
            )
        case ".json":
            path.write_text(json.dumps(tasks), encoding="utf-8")
        case ".zip":
            path.write_bytes(archive({OTHER: json.dumps(tasks).encode()}))
        case ".parquet":
            write_table(path, tasks)
    return path


def write_table(path: Path, tasks: list[dict[str, object]]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = []
    for one in tasks:
        actions: list[dict[str, object]] = one["actions"]  # type: ignore[assignment]
        for index, action in enumerate(actions):
            whole = {key: value for key, value in one.items() if key != "actions"}
            packed = {
                "operation": json.dumps(action["operation"]),
                "pos_candidates": [json.dumps(candidate) for candidate in action["pos_candidates"]],  # type: ignore[attr-defined]
                "neg_candidates": ["{}"],
                "raw_html": action["raw_html"],
                "cleaned_html": action["cleaned_html"],
            }
            rows.append(
                {**whole, **packed, "target_action_index": str(index), "screenshot": b"\xff"}
            )
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)


@pytest.mark.parametrize("name", ["s.jsonl", "tasks.json", "test.zip", "rows.parquet"])
def test_every_kind_of_file_gives_the_same_steps(tmp_path: Path, name: str) -> None:
    steps = list(steps_in(write(tmp_path, name), [Shard("test_task", 0)]))
    assert [step.name for step in steps] == ["t1-0", "t1-1", "t2-0", "t2-1", "t2-2"]
    assert {(step.targets, step.op, step.original_op, step.website) for step in steps} == {
        (("8",), "CLICK", "HOVER", "shop")
    }
    assert "Ünïted" in steps[0].cleaned_html
    assert [len(step.prev_action_reprs) for step in steps] == [0, 1, 0, 1, 2]


def test_folder_is_read_file_by_file(tmp_path: Path) -> None:
    write(tmp_path, "a.json")
    (tmp_path / "notes.txt").write_text("no data")
    assert len(list(steps_in(tmp_path, []))) == 5


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "use a file that ends in"),
        ("missing.jsonl", None, "does not exist"),
        ("a.jsonl", b'{"task_id": 5}', r"line 1: not a recorded step: task_id"),
        ("a.jsonl", b"\n{]", r"line 2"),
        ("a.json", b"no", "is not JSON"),
        ("a.zip", b"no", "table of contents"),
    ],
)
def test_file_that_cannot_be_used_is_an_error_that_names_it(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises((SettingsError, InfraError), match=message):
        list(steps_in(tmp_path / name, [Shard("test_task", 0)]))


def test_reference_files_are_readable_and_ours_start_alike() -> None:
    step = RecordedStep.model_validate_json(
        '{"task_id": null, "op": "TYPE", "value": null, "gold_backend_node_id": "4", "unknown": 1}'
    )
    assert (step.task_id, step.value, step.targets) == ("", "", ("4",))
    assert list(json.loads(to_line(step)))[:10] == [
        "task_id",
        "goal",
        "step_index",
        "num_steps",
        "prev_action_reprs",
        "cleaned_html",
        "gold_backend_node_id",
        "op",
        "value",
        "gold_repr",
    ]
