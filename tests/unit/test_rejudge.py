"""Stored episodes judged again: what flips, why, and what is written."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.checks import Probe
from pytest_webbench.errors import SettingsError
from pytest_webbench.evidence.models import Evidence, PageState, Read
from pytest_webbench.judge import judge
from pytest_webbench.judge.rejudge import changed_for_agent, is_archived, reasons, unasked
from pytest_webbench.report.changes import change_data, change_lines
from pytest_webbench.run import ItemKey, LedgerEntry, RunDir
from pytest_webbench.run.ledger import as_last_judged, latest
from pytest_webbench.run.rejudge import Means, Rejudged, choose, rejudge_run
from pytest_webbench.task import Task

COUNT = {
    "name": "two lamps",
    "get": {"type": "dom_count", "selector": "li"},
    "metric": "count_in_range",
    "expected": 2,
}
LAMPS = {"name": "lamps", "get": "page_title", "metric": "exact_match", "expected": "Lamps"}
CHAIRS = {**LAMPS, "expected": "Chairs"}
PAGE = PageState(url="https://shop.example/lamps", title="Lamps", text="All lamps")
PROBE = Probe("domCount", {"selector": "li"})


def task(*checks: dict[str, Any], name: str = "t", **fields: Any) -> Task:
    return Task.model_validate(
        {
            "id": name,
            "goal": "Find the page about lamps.",
            "start_url": "https://shop.example/",
            "checks": list(checks) or [LAMPS],
            **fields,
        }
    )


def store(run: RunDir, *tasks: Task, agent: str = "me", attempt: int = 1, **facts: Any) -> None:
    """Episodes as a session leaves them behind."""
    for one in tasks:
        evidence = Evidence(task=one.id, page=PAGE)
        verdict = judge(one, evidence)
        key = ItemKey("s", one.id, agent, 1)
        folder = run.begin_episode(key)
        folder.write("task.json", one.model_dump_json(indent=1) + "\n")
        folder.write("verdict.json", verdict.to_json())
        folder.write_evidence(evidence)
        folder.commit()
        entry = LedgerEntry(
            suite="s",
            task=one.id,
            agent=agent,
            world="live",
            outcome=verdict.outcome.value,
            reason=verdict.reason,
            attempt=attempt,
            started=f"2026-01-0{attempt}",
            folder=f"episodes/{agent}/{one.id}",
            task_digest=verdict.task_digest,
            evidence_digest=verdict.evidence_digest,
            judge_version=verdict.judge_version,
        )
        run.record(entry.model_copy(update=facts), "main")


class Archive:
    """Answers like an archived page; opened at most once."""

    def __init__(self, **answers: Read) -> None:
        self.answers, self.opened, self.asked = answers, 0, 0

    @contextmanager
    def open(self) -> Any:
        self.opened += 1
        yield self

    def read(self, path: Path, probes: Sequence[Probe]) -> dict[str, Read]:
        assert path.name == "final.mhtml"
        self.asked += 1
        return {
            probe.key(): self.answers[probe.name] for probe in probes if probe.name in self.answers
        }


def again(
    run: RunDir, *current: Task, only: Sequence[str] = (), archive: Archive | None = None
) -> list[Rejudged]:
    work = choose(
        run, only=only, suite="s" if current else None, tasks={one.id: one for one in current}
    )
    return rejudge_run(run, work, Means("run", 1, (archive or Archive()).open, lambda _count: None))


def bytes_of(run: RunDir) -> dict[str, str]:
    return {
        str(path.relative_to(run.path)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in run.path.rglob("*")
        if path.is_file() and path.name != "session.lock"
    }


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    made = RunDir(tmp_path / "run")
    made.plan([], {})
    return made


def evidence_path(run: RunDir, name: str = "t") -> Path:
    return run.folder(ItemKey("s", name, "me", 1)) / "evidence.json"


# -- nothing changed ---------------------------------------------------------------------------


def test_unchanged_run_stays_byte_identical(run: RunDir) -> None:
    store(run, task(), task(CHAIRS, name="u"))
    before = bytes_of(run)
    assert [result.changed for result in again(run)] == [False, False]
    assert bytes_of(run) == before


def test_second_rejudging_changes_nothing(run: RunDir) -> None:
    store(run, task(), task(name="u"))
    assert [result.flipped for result in again(run, task(CHAIRS))] == [True, False]
    after = bytes_of(run)
    again(run, task(CHAIRS))
    again(run)
    assert bytes_of(run) == after


# -- flips -------------------------------------------------------------------------------------


def test_flip_names_the_check_that_changed(run: RunDir) -> None:
    store(run, task())
    results = again(run, task(CHAIRS))
    assert change_lines(results) == [
        "t (me): passed -> failed",
        "    check 'lamps' was changed",
        "1 attempts: 1 flipped, 0 changed with the same outcome, 0 unchanged, 0 not judged again",
    ]
    (flip,) = change_data(results)["flips"]
    assert (flip["task"], flip["before"], flip["after"]) == ("t", "passed", "failed")


def test_verdict_file_matches_its_digests(run: RunDir) -> None:
    store(run, task())
    again(run, task(CHAIRS))
    folder = evidence_path(run).parent
    stored = Task.model_validate_json((folder / "task.json").read_bytes())
    evidence = Evidence.model_validate_json((folder / "evidence.json").read_bytes())
    assert judge(stored, evidence).to_json() == (folder / "verdict.json").read_text()


def test_lost_verdict_is_recreated(run: RunDir) -> None:
    store(run, task())
    path = evidence_path(run).with_name("verdict.json")
    before = path.read_bytes()
    path.unlink()
    (result,) = again(run)
    assert (result.flipped, result.reasons, path.read_bytes()) == (
        False,
        ("it had no verdict",),
        before,
    )


def test_broken_verdict_file_is_made_again(run: RunDir) -> None:
    store(run, task())
    path = evidence_path(run).with_name("verdict.json")
    before = path.read_bytes()
    path.write_text("{")
    (result,) = again(run)
    assert (result.flipped, path.read_bytes()) == (False, before)
    assert "verdict.json cannot be read" in result.reasons[0]


def test_rejudging_recovers_from_a_kill_before_the_ledger_line(run: RunDir) -> None:
    store(run, task())
    again(run, task(CHAIRS))
    (run.path / "ledger" / "judge.jsonl").unlink()
    (result,) = again(RunDir(run.path))
    assert (result.before, result.after) == ("passed", "failed")
    assert result.reasons == ("the ledger had another outcome than verdict.json",)


@pytest.mark.parametrize(
    ("current", "reason"),
    [
        (task(LAMPS, COUNT), "check 'two lamps' is new"),
        (task({**LAMPS, "name": "title"}), "check 'title' is new; check 'lamps' was removed"),
        (task(conj="or"), "conj: and -> or"),
        (task(), "verdict.json was not what this judge writes"),
    ],
)
def test_reason_of_a_change_is_given(current: Task, reason: str) -> None:
    evidence = Evidence(page=PAGE)
    before = judge(task(), evidence).model_copy(update={"detail": "as it was"})
    assert "; ".join(reasons(task(), current, before, judge(current, evidence))) == reason


def test_new_judge_version_and_evidence_are_reasons() -> None:
    verdict = judge(task(), Evidence(page=PAGE))
    before = verdict.model_copy(
        update={"judge_version": verdict.judge_version - 1, "evidence_digest": "other"}
    )
    assert reasons(task(), task(), before, verdict) == (
        f"judge version {verdict.judge_version - 1} -> {verdict.judge_version}",
        "the evidence is not the same",
    )


# -- what may not be judged again --------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"goal": "Find the page about chairs."}, ["goal"]),
        ({"start_url": "https://shop.example/x", "answer": "text"}, ["start_url", "answer"]),
        ({"setup": {"clear_storage": True}}, ["setup"]),
        ({"tags": ["new"], "limits": {"actions": 3}, "conj": "or"}, []),
    ],
)
def test_only_the_brief_makes_it_another_task(changes: dict[str, Any], fields: list[str]) -> None:
    assert changed_for_agent(task(), task(**changes)) == fields


def test_episode_of_another_task_is_skipped_with_a_reason(run: RunDir) -> None:
    store(run, task())
    before = bytes_of(run)
    (result,) = again(run, task(CHAIRS, goal="Find the page about chairs."))
    assert result.problem == "the agent had another task (goal changed): run it again"
    assert bytes_of(run) == before


def test_attempt_without_evidence_is_skipped(run: RunDir) -> None:
    store(run, task())
    evidence_path(run).unlink()
    assert change_lines(again(run))[0] == (
        "t (me): left passed: there is no evidence of it, only its line in the ledger"
    )


def test_unreadable_evidence_is_skipped(run: RunDir) -> None:
    store(run, task())
    evidence_path(run).write_text('{"version": 99}')
    (result,) = again(run)
    assert "cannot be read" in result.problem


def test_unknown_task_and_unknown_run_are_usage_errors(run: RunDir, tmp_path: Path) -> None:
    store(run, task())
    with pytest.raises(SettingsError, match="unknown task 'tt'; did you mean 't'"):
        choose(run, only=["tt"], suite=None, tasks={})
    with pytest.raises(SettingsError, match=r"no run\.json"):
        choose(RunDir(tmp_path / "nothing"), only=[], suite=None, tasks={})


def test_only_the_tasks_named_are_judged(run: RunDir) -> None:
    store(run, task(), task(name="u"))
    assert [result.entry.task for result in again(run, only=["u"])] == ["u"]


# -- ledger ------------------------------------------------------------------------------------


def test_rejudging_adds_no_attempt(run: RunDir) -> None:
    store(run, task())
    again(run, task(CHAIRS))
    again(run, task())
    assert [(one.outcome, one.rejudged) for one in RunDir(run.path).attempts()] == [("passed", 2)]


def test_newest_judgement_counts_in_any_order() -> None:
    first = LedgerEntry(suite="s", task="t", agent="a", world="live", outcome="passed", started="1")
    second = first.model_copy(update={"outcome": "failed", "rejudged": 1})
    third = first.model_copy(update={"outcome": "unscored", "rejudged": 2})
    for lines in ([first, second, third], [third, first, second], [second, third, first]):
        assert as_last_judged(lines) == [third]
        assert latest(lines)[first.key] == third
    assert as_last_judged([second]) == [second]  # the first line was cut off by a kill


def test_earlier_scored_attempt_is_judged_in_its_folder(run: RunDir) -> None:
    store(run, task())
    blank = Evidence(task="t", page=PAGE.model_copy(update={"title": "Just a moment"}))
    key = ItemKey("s", "t", "me", 1)
    folder = run.begin_episode(key, attempt=2)
    folder.write("task.json", task().model_dump_json())
    folder.write_evidence(blank)
    folder.commit()
    later = run.attempts()[0].model_copy(
        update={
            "attempt": 2,
            "started": "2026-01-02",
            "outcome": "unscored",
            "reason": "infra",
            "evidence_digest": "",
            "folder": "episodes/me/t.attempt2",
        }
    )
    run.record(later, "main")
    (result,) = again(run, task(CHAIRS))
    assert (result.stored.episode.path.name, result.before, result.after) == (
        "t",
        "passed",
        "failed",
    )


# -- new selectors -----------------------------------------------------------------------------


def test_new_selector_is_read_from_the_archive_and_stored(run: RunDir) -> None:
    store(run, task())
    evidence_path(run).with_name("final.mhtml").write_text("archive")
    archive = Archive(domCount=Read(value=2, archived=True))
    (result,) = again(run, task(LAMPS, COUNT), archive=archive)
    assert (result.after, archive.opened, archive.asked) == ("passed", 1, 1)
    assert json.loads(evidence_path(run).read_bytes())["reads"][PROBE.key()]["archived"] is True
    again(run, task(LAMPS, COUNT), archive=archive)
    assert archive.opened == 1


@pytest.mark.parametrize("archived", [True, False])
def test_check_is_broken_without_an_archive_read(run: RunDir, archived: bool) -> None:
    store(run, task())
    if archived:
        evidence_path(run).with_name("final.mhtml").write_text("archive")
    (result,) = again(run, task(LAMPS, COUNT))
    assert result.after == "unscored (verifier_error)"


def test_no_browser_is_started_without_new_probes(run: RunDir) -> None:
    store(run, task())
    evidence_path(run).with_name("final.mhtml").write_text("archive")
    archive = Archive()
    again(run, archive=archive)
    assert archive.opened == 0


def test_unresponsive_page_is_not_probed() -> None:
    hung = Evidence(page=PAGE.model_copy(update={"responsive": False}))
    assert unasked(task(COUNT), hung) == unasked(task(COUNT), Evidence()) == []
    assert unasked(task(COUNT), Evidence(page=PAGE)) == [PROBE]
    assert unasked(task(COUNT), Evidence(page=PAGE, reads={PROBE.key(): Read(value=2)})) == []


@pytest.mark.parametrize(
    ("selector", "kept"),
    [
        ("li", True),
        ("li:nth-child(2) > a:not(.x)", True),
        ("a[href*=':checked']", True),
        (r"a\:b", True),
        ("input:checked", False),
        ("li:not(:focus)", False),
        ("a:hover", False),
        ("option:disabled", False),
    ],
)
def test_archives_lose_user_input(selector: str, kept: bool) -> None:
    assert is_archived(Probe("domCount", {"selector": selector})) is kept


def test_archives_lose_the_values_of_controls_and_frames() -> None:
    fields = {"selectors": {"a": "input"}}
    assert not is_archived(Probe("controlState", fields))
    assert not is_archived(Probe("domExtract", {**fields, "attr": "value", "all": False}))
    assert not is_archived(Probe("domCount", {"selector": "li", "frame": "#inner"}))
    assert is_archived(Probe("domExtract", {**fields, "attr": "href", "all": False}))


# -- determinism -------------------------------------------------------------------------------

JUDGE_EVERYTHING = """
import hashlib, sys
from tests.unit.test_golden_counterexamples import all_cases, base, judge, task, varied
found = hashlib.sha256()
for param in all_cases():
    name, case = param.values
    found.update(judge(task(name), varied(base(name), case)).to_json().encode())
print(found.hexdigest())
"""


def test_same_evidence_gives_the_same_bytes_in_any_process() -> None:
    digests = set()
    for seed, locale, utf8 in (
        ("0", "C", "0"),
        ("1", "C.UTF-8", "1"),
        ("4294967295", "tr_TR.UTF-8", "0"),
    ):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "LC_ALL": locale,
            "PYTHONUTF8": utf8,
            "TZ": "Asia/Tokyo",
        }
        command = [sys.executable, "-c", JUDGE_EVERYTHING]
        root = Path(__file__).parents[2]
        result = subprocess.run(
            command, env=environment, cwd=root, capture_output=True, text=True, check=True
        )
        digests.add(result.stdout)
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


def test_parallel_rejudging_keeps_the_order(run: RunDir) -> None:
    names = [f"t{number:03d}" for number in range(450)]
    store(run, *(task(name=name) for name in names))
    tasks = {name: task(CHAIRS, name=name) for name in names}
    work = choose(run, only=[], suite="s", tasks=tasks)
    counts: list[int] = []
    results = rejudge_run(run, work, Means("run", 2, Archive().open, counts.append))
    assert [result.entry.task for result in results] == names
    assert all(result.flipped for result in results)
    assert sum(counts) == len(names)
