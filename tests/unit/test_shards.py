"""Shards and their merge: every planned item exactly once, under equal conditions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.errors import SettingsError
from pytest_webbench.run import ItemKey, LedgerEntry, PlannedItem, RunDir
from pytest_webbench.run.annotations import Note, add_note, read_notes
from pytest_webbench.run.merging import merge
from pytest_webbench.run.shards import Shard, shard_of

KEYS = st.builds(
    ItemKey, st.text(max_size=5), st.text(max_size=20), st.text(max_size=5), st.integers(1, 99)
)


def test_edition_0_is_in_the_shard_that_it_always_was_in() -> None:
    assert shard_of(ItemKey("s", "task", "noop", 1), 1_000) == 515
    others = {shard_of(ItemKey("s", "task", "noop", 1, seed), 1_000) for seed in range(5)}
    assert len(others) == 5


@given(KEYS, st.integers(1, 50))
def test_every_item_is_in_exactly_one_shard(key: ItemKey, count: int) -> None:
    assert [index for index in range(1, count + 1) if Shard(index, count).holds(key)] == [
        shard_of(key, count)
    ]


def test_shard_division_is_stable() -> None:
    keys = [ItemKey("suite_c", f"task-{number}", "noop", 1) for number in range(12)]
    assert [shard_of(key, 4) for key in keys] == PINNED


PINNED = [2, 1, 3, 1, 4, 4, 3, 2, 3, 3, 3, 3]


def test_shards_are_about_equal_in_size() -> None:
    found = Counter(shard_of(ItemKey("s", f"t{number}", "a", 1), 4) for number in range(4_000))
    assert all(900 < count < 1_100 for count in found.values())


@pytest.mark.parametrize(
    "text", ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1/10001", " 1/2", "1/2\n"]
)
def test_invalid_shard_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="use i/N with i from 1 to N"):
        Shard.parse(text)


# -- merge -------------------------------------------------------------------------------------

TASKS = [f"task-{number}" for number in range(9)]
Change = Callable[[dict[str, Any]], None]


def item(task: str, agent: str = "a") -> PlannedItem:
    return PlannedItem(suite="s", task=task, agent=agent, repeat=1, nodeid=f"{task}.yaml::{task}")


def entry(task: str, **values: Any) -> LedgerEntry:
    return LedgerEntry.model_validate(
        {
            "suite": "s",
            "task": task,
            "agent": "a",
            "world": "live",
            "outcome": "passed",
            "worker": "gw0",
            "started": "2026-01-01T00:00:00+00:00",
            "task_digest": f"digest of {task}",
            "judge_version": 1,
            "folder": f"episodes/a/{task}",
            **values,
        }
    )


def shard(
    root: Path, index: int, count: int, tasks: list[str] = TASKS, seed: int = 0, **values: Any
) -> RunDir:
    """What a session with --webbench-shard leaves behind."""
    run, whole = RunDir(root / f"{index}"), [item(task) for task in tasks]
    part = Shard(index, count)
    mine = [one for one in whole if part.holds(one.key)]
    facts = {"environment": {"python": "3.11"}, "conditions": {"agents": {"a": {"seed": seed}}}}
    run.plan(mine, facts, shard=part, whole=[one.key for one in whole])
    for one in mine:
        folder = run.begin_episode(one.key)
        folder.write("verdict.json", f'"{one.task}"')
        folder.commit()
        run.record(entry(one.task, **values), "main")
    return run


def three(root: Path) -> list[RunDir]:
    return [shard(root, index, 3) for index in (1, 2, 3)]


def refusal(out: Path, shards: list[RunDir]) -> str:
    with pytest.raises(SettingsError) as caught:
        merge(RunDir(out), shards)
    assert not out.exists(), "nothing may be written"
    assert not out.with_name(f"{out.name}.partial").exists()
    return str(caught.value)


def test_merged_run_holds_every_item_once_with_its_episode(tmp_path: Path) -> None:
    shards = three(tmp_path)
    add_note(shards[1].path, Note(id="0" * 16, suite="s", task=TASKS[0], agent="a", text="look"))
    done = merge(RunDir(tmp_path / "all"), list(reversed(shards)))
    run = RunDir(tmp_path / "all")
    assert (done.items, done.shards, done.notes) == (9, 3, ())
    assert sorted(one.task for one in run.planned()) == TASKS
    assert sorted(key.task for key in run.results()) == TASKS
    assert {(run.folder_of(one) / "verdict.json").read_text() for one in run.attempts()} == {
        f'"{one}"' for one in TASKS
    }
    assert {one.worker for one in run.attempts()} == {"s1.gw0", "s2.gw0", "s3.gw0"}
    assert [note.text for note in read_notes(run.path)] == ["look"]
    facts = run.facts()
    assert (facts["tag"], facts["merged"], "shard" in facts) == ("all", ["1", "2", "3"], False)


def test_empty_shard_is_valid(tmp_path: Path) -> None:
    shards = [shard(tmp_path, index, 3, ["task-0"]) for index in (1, 2, 3)]
    assert merge(RunDir(tmp_path / "all"), shards).items == 1


def test_missing_and_duplicate_shards_are_named(tmp_path: Path) -> None:
    one, two, _ = three(tmp_path)
    again = shard(tmp_path / "again", 2, 3)
    told = refusal(tmp_path / "all", [one, two, again])
    assert f"shard 2/3 is there 2 times: {two.path}, {again.path}" in told
    assert "shard 3/3 is missing" in told


def test_shards_of_different_divisions_are_refused(tmp_path: Path) -> None:
    assert "is of another division than" in refusal(
        tmp_path / "all", [shard(tmp_path, 1, 2), shard(tmp_path, 2, 3)]
    )


def test_planned_item_without_an_attempt_is_named(tmp_path: Path) -> None:
    shards = three(tmp_path)
    lost = next(one for one in shards if one.planned())
    (lost.path / "ledger" / "main.jsonl").unlink()
    for one in lost.planned():
        assert f"s/{one.task} by a was not run: continue shard" in refusal(tmp_path / "all", shards)


def test_item_unknown_to_other_shards_is_named(tmp_path: Path) -> None:
    shards = [shard(tmp_path, index, 3, TASKS if index == 1 else TASKS[:-1]) for index in (1, 2, 3)]
    told = refusal(tmp_path / "all", shards)
    assert (
        f"s/task-8 by a was not in the plan that shard 2/3 ({shards[1].path}) was made from" in told
    )


def test_duplicate_item_is_named(tmp_path: Path) -> None:
    shards = three(tmp_path)
    facts = json.loads((shards[0].path / "run.json").read_text())
    stranger = shards[1].planned()[0]
    facts["planned"].append(stranger.model_dump(mode="json"))
    (shards[0].path / "run.json").write_text(json.dumps(facts))
    assert f"s/{stranger.task} by a is there 2 times: shard 1/3" in refusal(
        tmp_path / "all", shards
    )


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"seed": 1}, "agent a, seed: shard 1/3"),
        ({"judge_version": 2}, "all results: not the same judge version: 1 in shard 1/3"),
        ({"world": "replica"}, "suite s: not the same world: live in shard 1/3"),
    ],
    ids=["conditions", "judge", "world"],
)
def test_shards_made_under_different_conditions_are_refused(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    shards = [shard(tmp_path, 1, 3), shard(tmp_path, 2, 3), shard(tmp_path, 3, 3, **changed)]
    assert told in refusal(tmp_path / "all", shards)


def test_different_environment_is_noted_but_merged(tmp_path: Path) -> None:
    shards = three(tmp_path)
    path = shards[2].path / "run.json"
    path.write_text(path.read_text().replace("3.11", "3.12"))
    (note,) = merge(RunDir(tmp_path / "all"), shards).notes
    assert note.startswith("environment of shard 3/3")
    assert note.endswith('python: was "3.11", is "3.12"')


def test_run_without_a_shard_cannot_be_merged(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "t")
    run.plan([item("task-0")], {})
    assert "is not a shard: it was run without --webbench-shard" in refusal(tmp_path / "all", [run])


def test_merge_does_not_overwrite_a_run(tmp_path: Path) -> None:
    shards = three(tmp_path)
    with pytest.raises(SettingsError, match="exists: name another run"):
        merge(shards[0], shards)


def test_shard_resumes_as_the_same_shard_only(tmp_path: Path) -> None:
    run = shard(tmp_path, 1, 3)
    for other in (Shard(2, 3), Shard(1, 4), None):
        with pytest.raises(SettingsError, match=r"is shard 1/3"):
            run.plan([], {}, shard=other)
    whole = RunDir(tmp_path / "whole")
    whole.plan([item("task-0")], {})
    with pytest.raises(
        SettingsError, match="is not a shard, but --webbench-shard is 1/3: choose another tag"
    ):
        whole.plan([], {}, shard=Shard(1, 3))


# -- conditions --------------------------------------------------------------------------------


def conditions(**agent: Any) -> dict[str, Any]:
    return {"conditions": {"agents": {"a": agent}, "suites": {"s": {"max_actions": 10}}}}


def begun(tmp_path: Path, **values: Any) -> RunDir:
    run = RunDir(tmp_path / "t")
    run.plan([item("task-0")], conditions(seed=0, options={"model": "small"}))
    run.record(entry("task-0", **values), "main")
    return run


def test_run_does_not_resume_under_other_conditions(tmp_path: Path) -> None:
    run = begun(tmp_path)
    before = (run.path / "run.json").read_bytes()
    with pytest.raises(SettingsError) as caught:
        run.plan(
            [item("task-1")], conditions(seed=None, options={"model": "large", "temperature": 0})
        )
    assert str(caught.value) == (
        "run t holds results that were made under other conditions:\n"
        '  agent a, options, model: was "small", is "large"\n'
        "  agent a, options, temperature: was not set, is 0\n"
        "  agent a, seed: was 0, is not set\n"
        "restore them to resume the run, or choose a new tag with --webbench-run"
    )
    assert (run.path / "run.json").read_bytes() == before


def test_agents_may_be_added_on_resume(tmp_path: Path) -> None:
    run = begun(tmp_path)
    run.plan([item("task-0", "b")], {"conditions": {"agents": {"b": {"seed": 5}}, "suites": {}}})
    assert set(run.facts()["conditions"]["agents"]) == {"a", "b"}
    with pytest.raises(SettingsError, match="agent a, seed: was 0, is 1"):
        run.plan([item("task-0")], conditions(seed=1, options={"model": "small"}))


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ({"outcome": "unscored", "reason": "infra"}, False),
        ({"outcome": "unscored", "reason": "needs_judge"}, True),
        ({"outcome": "failed"}, True),
    ],
    ids=["infra", "needs_judge", "failed"],
)
def test_conditions_may_change_until_something_is_scored(
    tmp_path: Path, values: dict[str, Any], kept: bool
) -> None:
    run = begun(tmp_path, **values)
    if kept:
        with pytest.raises(SettingsError, match="other conditions"):
            run.plan([item("task-0")], conditions(seed=1))
    else:
        run.plan([item("task-0")], conditions(seed=1))
        assert run.facts()["conditions"]["agents"]["a"] == {"seed": 1}


def test_suites_sharing_a_task_id_cannot_share_a_run(
    tmp_path: Path,
) -> None:
    run = begun(tmp_path)
    with pytest.raises(SettingsError, match="exists in the suites 's' and 'other'"):
        run.plan([item("task-0").model_copy(update={"suite": "other"})], {})
