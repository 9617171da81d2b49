"""Stored results that were changed afterwards: none of them counts as passed, and all are named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.report.results import RunResults, read_results
from pytest_webbench.run import ItemKey, LedgerEntry, RunDir
from pytest_webbench.run.integrity import Agreement, Inspected, inspect
from pytest_webbench.run.merging import merge
from pytest_webbench.run.rejudge import Means, choose, rejudge_run
from pytest_webbench.run.seal import Standing, user_secret
from pytest_webbench.run.shards import Shard
from tests.support.stored_run import TASKS, evidence, make_run, store, task

FAILED = ItemKey("s", "t1", "me", 1)
"""What attacks are to turn into a pass."""
LEDGER = Path("ledger") / "main.jsonl"


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return make_run(tmp_path / "one")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Goes over to another machine: another user's secret."""

    def move() -> None:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other-state"))

    return move


def read(run: RunDir) -> RunResults:
    return read_results(RunDir(run.path))


def outcomes(run: RunDir) -> dict[str, str]:
    return {result.plan.task: result.entry.outcome for result in read(run).results}


def change_line(run: RunDir, number: int, **changes: Any) -> None:
    lines = (run.path / LEDGER).read_text().splitlines()
    lines[number] = json.dumps({**json.loads(lines[number]), **changes})
    (run.path / LEDGER).write_text("\n".join([*lines, ""]))


def add_line(run: RunDir, **changes: Any) -> None:
    text = (run.path / LEDGER).read_text()
    line = {**json.loads(text.splitlines()[1]), **changes}
    (run.path / LEDGER).write_text(f"{text}{json.dumps(line)}\n")


def fake_evidence(run: RunDir) -> None:
    (run.folder(FAILED) / "evidence.json").write_text(evidence("t1").to_json())


# -- attacks -----------------------------------------------------------------------------------


def line_alone(run: RunDir) -> None:
    change_line(run, 1, outcome="passed", detail="")


def evidence_alone(run: RunDir) -> None:
    fake_evidence(run)


def line_and_evidence(run: RunDir) -> None:
    fake_evidence(run)
    change_line(run, 1, outcome="passed", evidence_digest=evidence("t1").digest())


def line_evidence_and_no_seal(run: RunDir) -> None:
    fake_evidence(run)
    change_line(run, 1, outcome="passed", seal="", files=[])


def easier_task(run: RunDir) -> None:
    easy = task("t1").model_dump(mode="json")
    easy["checks"][0]["expected"] = "Chairs"
    (run.folder(FAILED) / "task.json").write_text(json.dumps(easy))
    change_line(run, 1, outcome="passed")


def line_removed_and_written_anew(run: RunDir) -> None:
    fake_evidence(run)
    lines = (run.path / LEDGER).read_text().splitlines(keepends=True)
    (run.path / LEDGER).write_text("".join(lines[:1] + lines[2:]))
    add_line(run, task="t1", outcome="passed", folder="episodes/me/t1", seal="")


def later_attempt(run: RunDir) -> None:
    other = run.folder(FAILED, 2)
    shutil.copytree(run.folder(FAILED), other)
    (other / "evidence.json").write_text(evidence("t1").to_json())
    place = other.relative_to(run.path).as_posix()
    add_line(run, outcome="passed", attempt=2, started="2027", folder=place)


def later_judgement(run: RunDir) -> None:
    add_line(run, outcome="passed", rejudged=1)


def folder_of_a_passed_task(run: RunDir) -> None:
    change_line(run, 1, outcome="passed", folder="episodes/me/t0")


def episode_of_another_run(run: RunDir) -> None:
    """The better of two runs, with its line: everything about it is genuine."""
    other = make_run(run.path.with_name("other"))
    shutil.rmtree(other.folder(FAILED))
    (other.path / LEDGER).write_text("")
    store(other, FAILED, "Lamps")
    shutil.rmtree(run.folder(FAILED))
    shutil.copytree(other.folder(FAILED), run.folder(FAILED))
    lines = (run.path / LEDGER).read_text().splitlines(keepends=True)
    lines[1] = (other.path / LEDGER).read_text()
    (run.path / LEDGER).write_text("".join(lines))


ATTACKS = (
    line_alone,
    evidence_alone,
    line_and_evidence,
    line_evidence_and_no_seal,
    easier_task,
    line_removed_and_written_anew,
    later_attempt,
    later_judgement,
    folder_of_a_passed_task,
    episode_of_another_run,
)
attacks = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)


@attacks
def test_no_attack_wins_a_pass_and_each_is_named(run: RunDir, attack: Any) -> None:
    attack(run)
    found = read(run)
    assert outcomes(run)["t1"] != "passed"
    assert (found.integrity.episodes, found.integrity.agreeing) == (TASKS, TASKS - 1)
    (problem,) = found.integrity.problems
    assert problem.startswith("s/t1 by me: ")
    assert str(found.integrity).startswith(
        "integrity: 3 of 4 episodes agree with their evidence; 1"
    )


@attacks
def test_resume_does_not_believe_what_was_changed(run: RunDir, attack: Any) -> None:
    attack(run)
    changed = RunDir(run.path)
    for entry in changed.attempts_at(FAILED):
        assert inspect(changed, entry).entry.outcome != "passed"


@attacks
def test_judging_again_does_not_make_good_what_was_changed(run: RunDir, attack: Any) -> None:
    attack(run)
    judge_again(run)
    assert outcomes(run)["t1"] != "passed"
    assert read(run).integrity.problems


def judge_again(run: RunDir, **tasks: Any) -> None:
    fresh = RunDir(run.path)
    work = choose(fresh, only=[], suite=None, tasks=tasks)
    rejudge_run(fresh, work, Means("run", 1, no_browser, lambda _count: None))


def no_browser() -> Any:
    raise AssertionError("nothing asks the archive")


@pytest.mark.parametrize("attack", [line_alone, later_judgement, folder_of_a_passed_task])
def test_on_another_machine_evidence_decides(
    run: RunDir, elsewhere: Callable[[], None], attack: Any
) -> None:
    elsewhere()
    attack(run)
    found = read(run)
    assert outcomes(run)["t1"] == "failed"
    assert found.integrity.problems
    assert str(found.integrity).endswith("; the seals of 4 cannot be checked here")


def test_flags_that_were_changed_on_another_machine_are_those_of_the_evidence(
    run: RunDir, elsewhere: Callable[[], None]
) -> None:
    elsewhere()
    change_line(run, 0, flags=[{"kind": "not delivered", "detail": "x"}])
    found = read(run)
    assert found.integrity.problems == (
        "s/t0 by me: recorded as passed, flagged (not delivered), its evidence says passed",
    )
    assert found.results[0].entry.flags == ()


def test_two_lines_about_one_attempt_count_once(run: RunDir) -> None:
    text = (run.path / LEDGER).read_text()
    (run.path / LEDGER).write_text(text + text.splitlines(keepends=True)[0])
    found = read(run)
    assert outcomes(run) == {"t0": "passed", "t1": "failed", "t2": "failed", "t3": "failed"}
    assert found.integrity.problems == ("s/t0 by me: attempt 1 is on record more than once",)


@pytest.mark.parametrize("name", ["verdict.json", "steps.jsonl", "agent.jsonl", "final.mhtml"])
def test_any_changed_file_is_named(run: RunDir, name: str) -> None:
    with (run.folder(FAILED) / name).open("a") as file:
        file.write("\n")
    (problem,) = read(run).integrity.problems
    assert problem == f"s/t1 by me: changed after the episode: {name}"
    assert outcomes(run)["t1"] == "failed"


# -- what is honest ----------------------------------------------------------------------------


def assert_agrees(run: RunDir, expected: int = TASKS) -> None:
    found = read(run).integrity
    assert (str(found), found.problems) == (
        f"integrity: {expected} of {expected} episodes agree with their evidence",
        (),
    )


def test_untouched_run_agrees(run: RunDir) -> None:
    assert_agrees(run)
    assert outcomes(run) == {"t0": "passed", "t1": "failed", "t2": "failed", "t3": "failed"}


def test_run_judged_again_agrees(run: RunDir) -> None:
    easy = task("t1").model_dump(mode="json")
    easy["checks"][0]["expected"] = "Chairs"
    judge_again(run, t1=type(task("t1")).model_validate(easy))
    assert outcomes(run)["t1"] == "passed"
    assert_agrees(run)


def test_moved_run_agrees(run: RunDir) -> None:
    run.path.rename(run.path.with_name("moved"))
    assert_agrees(RunDir(run.path.with_name("moved")))


def test_merged_shards_agree(tmp_path: Path) -> None:
    shards = [make_run(tmp_path / str(index), Shard(index, 2)) for index in (1, 2)]
    whole = RunDir(tmp_path / "whole")
    assert merge(whole, shards).integrity.agreeing == TASKS
    assert_agrees(whole)


def test_shard_of_another_machine_is_judged_by_its_evidence(
    tmp_path: Path, elsewhere: Callable[[], None]
) -> None:
    first = make_run(tmp_path / "1", Shard(1, 2))
    elsewhere()
    second = make_run(tmp_path / "2", Shard(2, 2))
    whole = RunDir(tmp_path / "whole")
    found = merge(whole, [RunDir(first.path), second]).integrity
    assert (found.agreeing, found.unchecked, found.problems) == (TASKS, len(first.attempts()), ())
    assert read(whole).integrity.agreeing == TASKS


def test_pictures_and_logs_may_be_deleted(run: RunDir) -> None:
    for name in ("shots", "final.mhtml", "agent.jsonl"):
        path = run.folder(FAILED) / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert_agrees(run)


def test_deleted_evidence_keeps_the_score_and_is_counted_apart(run: RunDir) -> None:
    shutil.rmtree(run.path / "episodes")
    assert outcomes(run)["t0"] == "passed"
    assert str(read(run).integrity) == (
        "integrity: 0 of 4 episodes agree with their evidence; 4 have none here"
    )


def test_run_without_a_key_is_judged_by_its_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert user_secret() is None
    run = make_run(tmp_path / "one")
    assert {entry.seal for entry in run.attempts()} == {""}
    found = read(run).integrity
    assert (found.agreeing, found.unchecked) == (TASKS, TASKS)
    line_alone(run)
    assert outcomes(run)["t1"] == "failed"


def test_results_of_an_earlier_judge_are_counted_apart(run: RunDir) -> None:
    change_line(run, 1, judge_version=1, seal="", files=[])
    for number in (0, 2, 3):
        change_line(run, number, seal="", files=[])
    assert read(run).integrity.counts == {Agreement.AGREES: 3, Agreement.OTHER_JUDGE: 1}


def test_results_without_evidence_are_counted_apart(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "imported")
    entry = LedgerEntry(suite="s", task="t", agent="a", world="w", outcome="passed")
    run.record(entry, "main")
    assert inspect(run, entry) == Inspected(entry, Agreement.NO_EVIDENCE)


# -- the secret --------------------------------------------------------------------------------


def test_secret_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    first = user_secret(state)
    assert first is not None
    assert user_secret(state) == first
    path = tmp_path / "state" / "pytest-webbench" / "key"
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [one.name for one in path.parent.iterdir()] == ["key"]


def test_seal_does_not_depend_on_the_worker(run: RunDir) -> None:
    entry = run.attempts()[0]
    assert run.standing(entry.model_copy(update={"worker": "s1.main"})) is Standing.INTACT
    assert run.standing(entry.model_copy(update={"steps": 7})) is Standing.BROKEN
