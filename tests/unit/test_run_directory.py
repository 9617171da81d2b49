"""The run directory: tags, plan, attempts and episodes, also after a kill."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_webbench._files import write_atomically
from pytest_webbench.errors import SettingsError, StoreError
from pytest_webbench.evidence.episode_files import EpisodeFiles
from pytest_webbench.evidence.models import Evidence, ObservedAction, PageState
from pytest_webbench.run import EpisodeFolder, ItemKey, LedgerEntry, PlannedItem, RunDir

UNHURRIED = settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
KEY = ItemKey("mini", "open-next", "noop", 1)


def item(task: str = "open-next", **values: Any) -> PlannedItem:
    return PlannedItem.model_validate(
        {
            "suite": "mini",
            "task": task,
            "agent": "noop",
            "repeat": 1,
            "nodeid": f"{task}.yaml::{task}",
            **values,
        }
    )


def entry(key: ItemKey = KEY, outcome: str = "passed", **values: Any) -> LedgerEntry:
    return LedgerEntry.model_validate(
        {**key._asdict(), "world": "replica", "outcome": outcome, **values}
    )


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunDir.for_tag(tmp_path / "runs", "t")


def tree(folder: Path) -> set[str]:
    """Every file and folder below ``folder``, by relative path."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


# -- tags --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["t", "7", "2026-01-31_noop.v2", "a..b", "A" * 100])
def test_tag_names_a_folder_below_the_root(tmp_path: Path, tag: str) -> None:
    assert RunDir.for_tag(tmp_path, tag).path == tmp_path / tag


@pytest.mark.parametrize(
    "tag",
    [
        "",
        ".",
        "..",
        "../t",
        "t/..",
        "a/b",
        "/etc",
        "a\\b",
        ".hidden",
        "-n",
        "_t",
        "A" * 101,
        "a b",
        "tä",
        "t\x00",
        " t",
        "C:t",
        "~",
        pytest.param("t\n"),
    ],
)
def test_tag_that_could_lead_elsewhere_is_refused(tmp_path: Path, tag: str) -> None:
    with pytest.raises(SettingsError) as caught:
        RunDir.for_tag(tmp_path, tag)
    assert str(caught.value) == (
        f"run tag {tag!r}: use up to 100 letters, digits, dots, dashes and underscores, "
        "beginning with a letter or digit"
    )


def test_opening_a_run_writes_nothing(tmp_path: Path) -> None:
    run = RunDir.for_tag(tmp_path, "t")
    assert (run.exists(), run.planned(), run.attempts(), run.results(), tree(tmp_path)) == (
        False,
        [],
        [],
        {},
        set(),
    )


# -- plan --------------------------------------------------------------------------------------


def test_plan_is_read_back_by_another_process(run: RunDir) -> None:
    planned = [item("a"), item("b", site="shop.example", tags=("search", "cart"))]
    run.plan(planned, {})
    assert RunDir(run.path).planned() == planned


def test_run_exists_once_it_is_planned(run: RunDir) -> None:
    run.plan([], {})
    assert run.exists()


def test_run_file_carries_version_tag_and_facts(run: RunDir) -> None:
    run.plan([], {"options": {"seed": 7}})
    facts = json.loads((run.path / "run.json").read_text("utf-8"))
    assert re.fullmatch("[0-9a-f]{16}", facts.pop("id"))
    assert facts == {
        "version": 1,
        "tag": "t",
        "options": {"seed": 7},
        "planned": [],
        "last_session": [],
    }


@UNHURRIED
@given(st.lists(st.sets(st.sampled_from("abcdef")), max_size=4))
def test_items_planned_by_any_session_stay_planned(
    tmp_path: Path, sessions: list[set[str]]
) -> None:
    path = tmp_path / "t"
    (path / "run.json").unlink(missing_ok=True)
    for tasks in sessions:
        RunDir(path).plan(map(item, tasks), {})
    assert {one.task for one in RunDir(path).planned()} == set().union(*sessions)


def test_plan_lists_each_item_once_in_order(run: RunDir) -> None:
    run.plan([item("b"), item("a", repeat=2), item("a")], {})
    run.plan([item("a"), item("c")], {})
    assert [one.key[1:4] for one in run.planned()] == [
        ("a", "noop", 1),
        ("a", "noop", 2),
        ("b", "noop", 1),
        ("c", "noop", 1),
    ]


def test_later_session_updates_the_node_id_of_an_item(run: RunDir) -> None:
    run.plan([item(nodeid="old.yaml::open-next")], {})
    run.plan([item(nodeid="new.yaml::open-next")], {})
    assert [one.nodeid for one in run.planned()] == ["new.yaml::open-next"]


def test_newest_session_lists_its_items_in_order(run: RunDir) -> None:
    run.plan([item("a"), item("d")], {})
    run.plan([item("c"), item("a", nodeid="new.yaml::a"), item("b")], {})
    assert [one.nodeid for one in run.planned_last()] == ["c.yaml::c", "new.yaml::a", "b.yaml::b"]


def test_run_without_a_plan_has_no_newest_session(run: RunDir) -> None:
    assert run.planned_last() == []


def test_same_plan_gives_the_same_bytes(run: RunDir) -> None:
    run.plan([item("b"), item("a")], {"z": 1, "a": 2})
    first = (run.path / "run.json").read_bytes()
    run.plan([item("b"), item("a")], {"a": 2, "z": 1})
    assert (run.path / "run.json").read_bytes() == first


def write_run_file(run: RunDir, text: str) -> None:
    run.path.mkdir(parents=True)
    (run.path / "run.json").write_text(text, "utf-8")


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_unknown_format_version_is_an_error_that_names_both(run: RunDir, version: object) -> None:
    write_run_file(run, json.dumps({"version": version, "planned": []}))
    with pytest.raises(StoreError) as caught:
        run.planned()
    assert (
        str(caught.value)
        == f"{run.path / 'run.json'} has format version {version!r}; this program reads 1"
    )


def test_run_of_another_format_is_not_overwritten(run: RunDir) -> None:
    write_run_file(run, '{"version": 2, "future": true}')
    with pytest.raises(StoreError):
        run.plan([item()], {})
    assert (run.path / "run.json").read_text("utf-8") == '{"version": 2, "future": true}'


@pytest.mark.parametrize(
    "text",
    [
        '{"version": 1, "planned": [',
        "",
        "\x00",
        pytest.param("[]"),
        pytest.param('{"version": 1, "planned": [{"task": "a"}]}'),
    ],
)
def test_unreadable_run_file_is_named(run: RunDir, text: str) -> None:
    write_run_file(run, text)
    with pytest.raises(StoreError, match="run.json"):
        run.planned()


# -- attempts ----------------------------------------------------------------------------------


def test_attempts_of_all_workers_are_read_oldest_first(run: RunDir) -> None:
    run.record(entry(started="2026-01-01T00:00:02"), "gw0")
    run.record(entry(started="2026-01-01T00:00:01", outcome="failed"), "gw1")
    assert [one.outcome for one in run.attempts()] == ["failed", "passed"]


def test_every_worker_writes_its_own_file(run: RunDir) -> None:
    for worker in ("gw0", "gw1", "gw0"):
        run.record(entry(), worker)
    assert tree(run.path / "ledger") == {"gw0.jsonl", "gw1.jsonl"}


def test_other_files_in_the_ledger_folder_are_not_read(run: RunDir) -> None:
    run.record(entry(), "main")
    (run.path / "ledger" / "notes.txt").write_text("by hand", "utf-8")
    assert len(run.attempts()) == 1


def test_result_is_the_last_scored_attempt_of_any_worker(run: RunDir) -> None:
    run.record(entry(outcome="unscored", started="1", attempt=1), "gw1")
    run.record(entry(outcome="failed", started="2", attempt=2), "gw0")
    run.record(entry(outcome="unscored", started="3", attempt=3), "gw1")
    assert run.results()[KEY].attempt == 2


def test_attempts_include_those_of_earlier_sessions(run: RunDir) -> None:
    run.record(entry(detail="before"), "main")
    assert [one.detail for one in RunDir(run.path).attempts_at(KEY)] == ["before"]


def test_attempts_include_those_recorded_since(run: RunDir) -> None:
    before = len(run.attempts_at(KEY))
    run.record(entry(), "main")
    assert (before, len(run.attempts_at(KEY))) == (0, 1)


def test_attempts_recorded_before_the_first_read_count_once(run: RunDir) -> None:
    run.record(entry(), "main")
    assert len(run.attempts_at(KEY)) == 1


def test_attempts_at_an_item_exclude_other_items(run: RunDir) -> None:
    run.record(entry(KEY._replace(task="another")), "main")
    assert run.attempts_at(KEY) == []


def test_attempts_include_those_of_other_workers(run: RunDir) -> None:
    before = len(run.attempts_at(KEY))
    RunDir(run.path).record(entry(), "gw1")
    assert (before, len(run.attempts_at(KEY)), len(run.attempts_at(KEY))) == (0, 1, 1)


def test_truncated_line_counts_once_completed(run: RunDir) -> None:
    run.record(entry(), "gw1")
    file = run.path / "ledger" / "gw1.jsonl"
    whole, seen = file.read_bytes(), RunDir(run.path)
    counts = []
    for length in (len(whole) - 30, len(whole) - 1, len(whole), len(whole)):
        file.write_bytes(whole[:length])
        counts.append(len(seen.attempts_at(KEY)))
    assert counts == [0, 1, 1, 1]


def test_ledger_is_read_incrementally(run: RunDir) -> None:
    run.record(entry(), "main")
    run.attempts_at(KEY)
    file = run.path / "ledger" / "main.jsonl"
    file.write_bytes(b"#" * file.stat().st_size)
    run.record(entry(attempt=2), "main")
    assert [one.attempt for one in run.attempts_at(KEY)] == [1, 2]


# -- attempts that were judged again -----------------------------------------------------------

FIRST = entry(outcome="failed", started="1", detail="as judged at first")
AGAIN = entry(outcome="passed", started="1", rejudged=1, detail="as judged again")


def test_many_entries_are_recorded_at_once(run: RunDir) -> None:
    entries = [entry(started="1"), entry(KEY._replace(task="another"), started="2")]
    run.record_all(entries, "judge")
    assert (run.attempts(), tree(run.path / "ledger")) == (entries, {"judge.jsonl"})


def test_rejudged_attempt_counts_once(run: RunDir) -> None:
    run.record(FIRST, "gw0")
    run.record(AGAIN, "judge")
    assert run.attempts() == [AGAIN]


def test_result_is_the_last_judgement(run: RunDir) -> None:
    run.record(FIRST, "gw0")
    run.record(AGAIN, "judge")
    assert run.results() == {KEY: AGAIN}


def test_new_judgement_shows_at_once(run: RunDir) -> None:
    run.record(FIRST, "gw0")
    run.attempts_at(KEY)
    run.record(AGAIN, "judge")
    assert run.attempts_at(KEY) == [AGAIN]


def test_attempts_survive_repeated_rejudging(run: RunDir) -> None:
    run.record(FIRST, "gw0")
    run.attempts_at(KEY)
    run.record(AGAIN, "judge")
    third = AGAIN.model_copy(update={"rejudged": 2})
    run.record(third, "judge")
    assert run.attempts_at(KEY) == [third]


# -- episodes ----------------------------------------------------------------------------------

EVIDENCE = Evidence(task="open-next", page=PageState(url="https://mini.test/"))


def action(number: int, value: str = "", **values: Any) -> ObservedAction:
    return ObservedAction(number=number, kind="type", value=value, **values)


WHOLE = {
    "shots",
    "shots/001.jpg",
    "shots.jsonl",
    "steps.jsonl",
    "agent.log",
    "task.json",
    "evidence.json",
    "verdict.json",
}


def attempt_steps(name: str) -> list[Callable[[EpisodeFolder], object]]:
    """What one attempt writes, in order; every file holds ``name``."""
    evidence = EVIDENCE.model_copy(update={"answer": name})
    return [
        lambda folder: folder.write("task.json", f'"{name}"'),
        lambda folder: folder.step(action(1, name)),
        lambda folder: folder.shot(1, name.encode()),
        lambda folder: folder.log(name),
        lambda folder: folder.write_evidence(evidence),
        lambda folder: folder.write("verdict.json", f'"{name}"'),
    ]


def whole_attempt(run: RunDir, name: str, attempt: int = 1) -> Path:
    folder = run.begin_episode(KEY, attempt=attempt)
    for step in attempt_steps(name):
        step(folder)
    return folder.commit()


def names_in(folder: Path) -> set[str]:
    """Which attempt the files of an episode folder are from."""
    return {
        path.read_text("utf-8").strip('"\n')
        for path in (folder / "task.json", folder / "verdict.json")
    }


def test_committed_attempt_is_in_the_folder_of_its_item(run: RunDir) -> None:
    assert whole_attempt(run, "only") == run.path / "episodes" / "noop" / "open-next"


def test_committed_attempt_leaves_no_partial_folder(run: RunDir) -> None:
    whole_attempt(run, "only")
    assert tree(run.path / "episodes" / "noop") == {
        "open-next",
        *(f"open-next/{name}" for name in WHOLE),
    }


def test_later_attempts_get_new_folders_and_keep_the_first(run: RunDir) -> None:
    for attempt, name in enumerate(("first", "second", "third"), start=1):
        folder = whole_attempt(run, name, run.next_attempt(KEY))
        run.record(entry(attempt=attempt, folder=folder.relative_to(run.path).as_posix()), "main")
    found = {path.name: names_in(path) for path in (run.path / "episodes" / "noop").iterdir()}
    assert found == {
        "open-next": {"first"},
        "open-next.attempt2": {"second"},
        "open-next.attempt3": {"third"},
    }
    assert [names_in(run.folder_of(one)) for one in run.attempts()] == [
        {"first"},
        {"second"},
        {"third"},
    ]


def test_counting_attempt_is_read_from_its_folder(run: RunDir) -> None:
    for attempt, outcome in enumerate(("failed", "unscored"), start=1):
        folder = whole_attempt(run, outcome, attempt)
        place = folder.relative_to(run.path).as_posix()
        run.record(entry(attempt=attempt, outcome=outcome, started=str(attempt), folder=place), "m")
    evidence = run.counted_episode(KEY).evidence()
    assert evidence is not None
    assert evidence.answer == "failed"


def test_item_that_was_never_run_has_an_empty_episode(run: RunDir) -> None:
    episode = run.counted_episode(KEY)
    assert (episode.evidence(), episode.names, episode.problems) == (None, frozenset(), [])


def test_attempt_numbers_are_never_reused(run: RunDir) -> None:
    run.record(entry(attempt=3), "main")
    assert (run.next_attempt(KEY), run.next_attempt(KEY._replace(task="other"))) == (4, 1)


def test_next_attempt_replaces_a_folder_without_a_ledger_line(run: RunDir) -> None:
    whole_attempt(run, "killed before it was put on record")
    assert names_in(whole_attempt(RunDir(run.path), "next", run.next_attempt(KEY))) == {"next"}


def test_attempt_with_an_unwritten_file_is_not_committed(run: RunDir) -> None:
    folder = run.begin_episode(KEY)
    (folder.path / "steps.jsonl").mkdir()
    for _ in range(2):
        with pytest.raises(StoreError, match="steps.jsonl"):
            folder.step(action(1))
    folder.write("verdict.json", "{}")
    with pytest.raises(StoreError, match="steps.jsonl"):
        folder.commit()


@pytest.mark.parametrize("steps", range(len(attempt_steps("")) + 1))
def test_killed_first_attempt_leaves_no_folder(run: RunDir, steps: int) -> None:
    folder = run.begin_episode(KEY)
    for step in attempt_steps("killed")[:steps]:
        step(folder)
    assert not RunDir(run.path).folder(KEY).exists()


@pytest.mark.parametrize("steps", range(len(attempt_steps("")) + 1))
def test_killed_later_attempt_keeps_the_earlier_one(run: RunDir, steps: int) -> None:
    whole_attempt(run, "earlier")
    folder = run.begin_episode(KEY, attempt=2)
    for step in attempt_steps("killed")[:steps]:
        step(folder)
    assert names_in(RunDir(run.path).folder(KEY)) == {"earlier"}


@pytest.mark.parametrize("steps", range(len(attempt_steps("")) + 1))
def test_nothing_of_a_killed_attempt_is_in_the_next(run: RunDir, steps: int) -> None:
    folder = run.begin_episode(KEY)
    for step in attempt_steps("killed")[:steps]:
        step(folder)
    folder.write("killed.txt", "")
    final = whole_attempt(RunDir(run.path), "next")
    assert (tree(final), [step.value for step in EpisodeFiles(final).steps()]) == (WHOLE, ["next"])


def test_evidence_is_readable_after_writing(run: RunDir) -> None:
    told = EVIDENCE.model_copy(update={"answer": "half \ud83d of it"})
    assert run.begin_episode(KEY).write_evidence(told).answer == "half ? of it"


def test_evidence_read_back_is_that_of_the_file(run: RunDir) -> None:
    folder = run.begin_episode(KEY)
    read_back = folder.write_evidence(EVIDENCE)
    assert read_back.to_json() == (folder.path / "evidence.json").read_text("utf-8")


def test_log_keeps_one_line_per_entry_and_no_control_characters(run: RunDir) -> None:
    folder = run.begin_episode(KEY)
    folder.log("bell \x07 half \ud83d\n\n")
    folder.log("second")
    assert (folder.path / "agent.log").read_text("utf-8") == "bell \ufffd half \ufffd\nsecond\n"


def test_screenshots_sort_by_name_as_by_number(run: RunDir) -> None:
    folder = run.begin_episode(KEY)
    for number in (10, 9):
        folder.shot(number, b"")
    assert sorted(tree(folder.path / "shots")) == ["009.jpg", "010.jpg"]


def test_bytes_are_written_as_they_are(run: RunDir) -> None:
    folder = run.begin_episode(KEY)
    folder.write("final.jpg", b"\xff\xd8\r\n")
    assert (folder.path / "final.jpg").read_bytes() == b"\xff\xd8\r\n"


def test_unstoppable_agent_is_logged_first(run: RunDir) -> None:
    logged: list[str] = []
    folder = run.begin_episode(
        KEY,
        on_unstoppable=lambda: logged.append((folder.path / "agent.log").read_text("utf-8")),
    )
    folder.unstoppable()
    assert logged == ["the agent's code went on after its time and could not be interrupted\n"]


# -- reports -----------------------------------------------------------------------------------


def test_report_is_replaced_atomically(run: RunDir) -> None:
    run.write_report("junit.xml", "a long first version")
    path = run.write_report("junit.xml", "second")
    assert (path.read_text("utf-8"), tree(run.path)) == ("second", {"junit.xml"})


def test_file_with_any_characters_is_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", "half \ud83d")
    assert (tmp_path / "file").read_text("utf-8") == "half ?"


# -- folders that cannot be written ------------------------------------------------------------

WRITERS = {
    "plan": lambda run: run.plan([item()], {}),
    "ledger": lambda run: run.record(entry(), "main"),
    "episode": lambda run: run.begin_episode(KEY),
    "report": lambda run: run.write_report("junit.xml", ""),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_file_in_place_of_the_folder_is_an_error_with_advice(run: RunDir, writer: str) -> None:
    run.path.parent.write_text("a file, not a folder", "utf-8")
    with pytest.raises(
        StoreError, match="cannot be created: .*; choose another with --webbench-runs-dir$"
    ):
        WRITERS[writer](run)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
@pytest.mark.parametrize("writer", WRITERS)
def test_read_only_folder_is_an_error_with_advice(run: RunDir, writer: str) -> None:
    run.path.parent.mkdir()
    run.path.parent.chmod(0o555)
    try:
        with pytest.raises(StoreError, match="--webbench-runs-dir"):
            WRITERS[writer](run)
    finally:
        run.path.parent.chmod(0o755)


@pytest.fixture
def run_file_in_the_way(run: RunDir) -> RunDir:
    """A run whose report cannot be written, because a folder lies there."""
    (run.path / "junit.xml").mkdir(parents=True)
    return run


def test_file_that_cannot_be_replaced_is_a_store_error(run_file_in_the_way: RunDir) -> None:
    with pytest.raises(StoreError, match="junit.xml cannot be written: "):
        run_file_in_the_way.write_report("junit.xml", "")


def test_file_that_cannot_be_replaced_leaves_nothing_behind(run_file_in_the_way: RunDir) -> None:
    with pytest.raises(StoreError):
        run_file_in_the_way.write_report("junit.xml", "")
    assert tree(run_file_in_the_way.path) == {"junit.xml"}


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: folder.write("shots", ""),
        lambda folder: folder.shot(1, b""),
        lambda folder: folder.step(action(1)),
        lambda folder: folder.log("text"),
        lambda folder: folder.commit(),
    ],
    ids=["write", "shot", "step", "log", "commit"],
)
def test_episode_file_that_cannot_be_written_is_a_store_error(
    run: RunDir, write: Callable[[EpisodeFolder], object]
) -> None:
    folder = run.begin_episode(KEY)
    for path in [*sorted(folder.path.rglob("*"), reverse=True), folder.path]:
        path.rmdir()
    with pytest.raises(StoreError):
        write(folder)


# -- steps -------------------------------------------------------------------------------------


def steps_in(folder: Path) -> list[ObservedAction]:
    return EpisodeFiles(folder).steps()


def steps_written(run: RunDir, *actions: ObservedAction) -> Path:
    folder = run.begin_episode(KEY)
    for one in actions:
        folder.step(one)
    return folder.path


def test_steps_are_read_back_in_order(run: RunDir) -> None:
    actions = [action(number, f"word {number}") for number in (1, 2, 3)]
    assert steps_in(steps_written(run, *actions)) == actions


def test_last_line_about_a_step_counts(run: RunDir) -> None:
    folder = steps_written(
        run, action(1), action(2), action(1, "late", url_after="https://mini.test/next")
    )
    assert steps_in(folder) == [action(1, "late", url_after="https://mini.test/next"), action(2)]


def test_episode_without_steps_has_none(run: RunDir) -> None:
    assert steps_in(steps_written(run)) == []


def steps_cut_anywhere(run: RunDir, value: str) -> list[int]:
    """How many steps are read from a file that is cut at each byte of its second line, but for the
    line break.
    """
    path = steps_written(run, action(1), action(2, value)) / "steps.jsonl"
    data = path.read_bytes()
    found = []
    for length in range(data.index(b"\n") + 1, len(data) - 1):
        path.write_bytes(data[:length])
        found.append(len(steps_in(path.parent)))
    return found


def test_truncated_step_is_left_out(run: RunDir) -> None:
    assert set(steps_cut_anywhere(run, "word")) == {1}


def test_step_truncated_inside_a_character_is_left_out(run: RunDir) -> None:
    assert set(steps_cut_anywhere(run, "wörd")) == {1}


@pytest.mark.parametrize(
    "value",
    [
        "two\nlines",
        "tab\t",
        "null \x00",
        "é\U0001f600",
        *(pytest.param(f"a{char}b") for char in "\u2028\u2029"),
    ],
)
def test_step_with_any_typed_text_is_kept(run: RunDir, value: str) -> None:
    assert steps_in(steps_written(run, action(1, value))) == [action(1, value)]
