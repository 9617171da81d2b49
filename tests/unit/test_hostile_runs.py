"""Run directories from strangers: nothing outside is read or written, nothing hangs or fills up."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.stored_run import FILE_SIZE, make_runs

pytestmark = pytest.mark.slow  # all attacks are made and read by all commands before the first test

SECRET: Final = "outside-secret-4711"
EPISODE: Final = "episodes/me/t0"
WRITTEN: Final = {"locks", "report-with-one", "report-with-one.partial"}
"""What commands may write into the run that was not attacked."""
ATTACKED: Final = ("one", "s1")
"""Both are attacked: all commands read the one, a merge the other."""

Attack = Callable[[Path, Path], None]
"""What a stranger did to a run; the second folder is outside of all runs."""


def link(place: str, target: str = "") -> Attack:
    """Something outside in place of a file or folder of the run."""

    def attack(run: Path, outside: Path) -> None:
        replaced(run / place).symlink_to(target or outside / Path(place).name)

    return attack


def replaced(path: Path) -> Path:
    if path.is_dir():
        path.rename(path.with_name("moved"))
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def pipe(place: str) -> Attack:
    return lambda run, _outside: os.mkfifo(replaced(run / place))


def huge(place: str) -> Attack:
    def attack(run: Path, _outside: Path) -> None:
        with replaced(run / place).open("wb") as file:
            file.truncate(50 * FILE_SIZE)

    return attack


def line(**changes: Any) -> Attack:
    """Other values in the first line of the ledger; a text beginning with ``=`` is raw JSON."""

    def attack(run: Path, _outside: Path) -> None:
        path = run / "ledger" / "main.jsonl"
        first, *others = path.read_text().splitlines()
        path.write_text("\n".join([_changed(first, changes), *others, ""]))

    return attack


def member(place: str, **changes: Any) -> Attack:
    """Other values in a JSON file."""

    def attack(run: Path, _outside: Path) -> None:
        path = run / place
        if path.exists():
            path.write_text(_changed(path.read_text(), changes))

    return attack


def _changed(text: str, changes: dict[str, Any]) -> str:
    data = json.loads(text)
    raw = {}
    for name, value in changes.items():
        data[name] = value
        if isinstance(value, str) and value.startswith("="):
            raw[json.dumps(value)] = value[1:]
    text = json.dumps(data)
    for shown, value in raw.items():
        text = text.replace(shown, value)
    return text


DEEP: Final = "=" + "[" * 100_000 + "]" * 100_000
ATTACKS: Final[dict[str, Attack]] = {
    "link_ledger_file": link("ledger/main.jsonl"),
    "link_ledger": link("ledger"),
    "link_run_json": link("run.json"),
    "link_episodes": link("episodes"),
    "link_agent": link("episodes/me"),
    "link_episode": link(EPISODE),
    "link_evidence": link(f"{EPISODE}/evidence.json"),
    "link_verdict": link(f"{EPISODE}/verdict.json"),
    "link_archive": link(f"{EPISODE}/final.mhtml"),
    "link_shots": link(f"{EPISODE}/shots"),
    "link_lock": link("locks/session.lock"),
    "link_locks": link("locks"),
    "link_report": link("report"),
    "link_new_report": link("report.partial"),
    "link_old_report": link("report.old"),
    "link_junit": link("junit.xml"),
    "link_notes": link("notes.jsonl"),
    "link_root": link(EPISODE, "/"),
    "link_loop": link(EPISODE, "t0"),
    "link_zero": link(f"{EPISODE}/agent.jsonl", "/dev/zero"),
    "link_zero_ledger": link("ledger/zero.jsonl", "/dev/zero"),
    "pipe_evidence": pipe(f"{EPISODE}/evidence.json"),
    "pipe_archive": pipe(f"{EPISODE}/final.mhtml"),
    "pipe_ledger": pipe("ledger/main.jsonl"),
    "pipe_run_json": pipe("run.json"),
    "pipe_lock": pipe("locks/session.lock"),
    "pipe_notes": pipe("notes.jsonl"),
    "pipe_other": pipe(f"{EPISODE}/trace.zip"),
    "huge_evidence": huge(f"{EPISODE}/evidence.json"),
    "huge_ledger": huge("ledger/main.jsonl"),
    "huge_run_json": huge("run.json"),
    "huge_other": huge(f"{EPISODE}/trace.zip"),
    "folder_other_run": line(folder="../two/episodes/me/t0"),
    "folder_absolute": line(folder="/etc"),
    "folder_parent": line(folder="episodes/../.."),
    "folder_zero_byte": line(folder="episodes/\0"),
    "folder_long": line(folder="episodes/" + "x" * 5_000),
    "agent_absolute": line(agent="/etc", folder=""),
    "task_outside": line(task="../../../two/episodes/me/t0", folder=""),
    "cost_huge": line(cost=1.7e308),
    "cost_infinite": line(cost="=1e999"),
    "cost_nan": line(cost="=NaN"),
    "cost_text": line(cost="0.1"),
    "cost_400_digits": line(cost="=1" + "0" * 400),
    "tokens_negative": line(input_tokens=-5),
    "tokens_text": line(output_tokens="7"),
    "steps_5000_digits": line(steps="=1" + "0" * 5_000),
    "seconds_deep": line(seconds=DEEP),
    "reason_unknown": line(outcome="unscored", reason="whatever"),
    "started_nothing": line(started=""),
    "surrogate": line(detail="=" + json.dumps("\ud800")),
    "plan_deep": member("run.json", planned=DEEP),
    "plan_nested": member("run.json", environment="=" + "[" * 400 + "]" * 400),
    "plan_numbers": member("run.json", planned=[1, 2]),
    "plan_last_session": member("run.json", last_session=[["s", "t9", "me", 1], [1]]),
    "plan_shard": member("run.json", shard=7),
    "plan_options": member("run.json", options=[]),
    "plan_conditions": member("run.json", conditions={"agents": {"me": 3}}),
    "plan_surrogate": member("run.json", environment={"a": "=" + json.dumps("\ud800")}),
    "evidence_deep": member(f"{EPISODE}/evidence.json", reads=DEEP),
    "evidence_nan": member(f"{EPISODE}/evidence.json", actions=[{"number": "=NaN"}]),
    "task_deep": member(f"{EPISODE}/task.json", checks=DEEP),
    "verdict_list": member(f"{EPISODE}/verdict.json", checks={}),
}


def digests(folder: Path) -> dict[str, str]:
    """All files but those that commands write into a run."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not WRITTEN & set(path.parts)
    }


def outside_of(run: Path, folder: Path) -> Path:
    """What a link can lead to: files that would pass for the run's own, with a secret in them."""
    shutil.copytree(run, folder)
    for path in (*(folder / EPISODE).iterdir(), folder / "run.json", folder / "kept"):
        if not path.is_dir():
            (folder / path.name).write_text(SECRET)
    for name in ("report", "report.partial", "report.old", "shots", "t0", "me"):
        (folder / name).mkdir()
        (folder / name / "kept").write_text(SECRET)
    return folder


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What an attack came to: what commands printed, and what changed where nothing may."""

    printed: dict[str, str]
    changed: bool
    leaked: list[str]


@pytest.fixture(scope="module")
def aftermaths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Aftermath]:
    """By attack. One process runs all commands, within limits of memory, time and file size."""
    root = tmp_path_factory.mktemp("hostile")
    make_runs(root / "model")
    outside = outside_of(root / "model" / "one", root / "outside")
    for name, attack in ATTACKS.items():
        shutil.copytree(root / "model", root / name)
        for run in ATTACKED:
            attack(root / name / run, outside)
    before = digests(outside), digests(root / "model" / "two")
    script = [sys.executable, "-m", "tests.support.stored_run"]
    done = subprocess.run(
        [*script, *(str(root / name) for name in ATTACKS)],
        capture_output=True,
        check=False,
        text=True,
        timeout=600,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    found = {}
    for shown in done.stdout.splitlines():
        ((path, printed),) = json.loads(shown).items()
        changed = (digests(outside), digests(Path(path) / "two")) != before
        found[Path(path).name] = Aftermath(printed, changed, list(leaks(Path(path), printed)))
    return found


def leaks(folder: Path, printed: dict[str, str]) -> Iterator[str]:
    """Where the secret has got to that no run holds."""
    if SECRET in str(printed):
        yield "output"
    for made in (folder / "out", folder / "one" / "report", folder / "two"):
        for path in made.rglob("*"):
            if path.is_file() and not path.is_symlink() and SECRET in path.read_text("latin-1"):
                yield str(path)


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_hostile_run_is_no_more_than_damaged(aftermaths: dict[str, Aftermath], name: str) -> None:
    found = aftermaths[name]
    for command, printed in found.printed.items():
        assert "Traceback" not in printed, f"{command}: {printed[-2_000:]}"
    assert (found.changed, found.leaked) == (False, [])


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_hostile_run_does_not_hide_others(aftermaths: dict[str, Aftermath], name: str) -> None:
    printed = aftermaths[name].printed
    summary = printed["summary /one /two --json"]
    shown = json.loads(summary[summary.index("{\n") :])
    assert "two" in {row["run"] for row in shown["rows"]}
    assert "two" in printed["runs "]
