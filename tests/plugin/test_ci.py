"""Sessions in CI: shards and merge, exit codes, output files, run locks, full disks."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry, RunDir
from pytest_webbench.run.lock import RunLock
from pytest_webbench.run.merging import merge
from tests.support.mini_suite import RunMini

Results = Callable[[], dict[str, LedgerEntry]]

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_shards_merge_to_the_whole_run(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    arguments = ("--webbench-agent", "noop", "-k", "say or open", "--tb", "no")
    parts = [RunDir(pytester.path / "runs" / f"s{index}") for index in (1, 2, 3)]
    codes = [
        run_mini(*arguments, "--webbench-shard", f"{index}/3", *workers, tag=f"s{index}").ret
        for index, workers in ((1, ()), (2, ("-n", "2")), (3, ()))
    ]
    sizes = [len(part.planned()) for part in parts]
    assert sum(sizes) == 2
    assert codes == [int(size > 0) for size in sizes], "a shard without items passes"
    merge(RunDir(pytester.path / "runs" / "all"), parts)
    results = RunDir(pytester.path / "runs" / "all").results()
    assert {(key.task, entry.outcome) for key, entry in results.items()} == {
        ("open-next", "failed"),
        ("say-number", "failed"),
    }


def test_infrastructure_errors_have_their_exit_code(
    run_mini: RunMini, mini: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "summary.md"))
    (mini / "failures").write_text("99")
    arguments = (
        "--webbench-agent",
        "scripted",
        "--webbench-infra-retries",
        "0",
        "--webbench-ctrf",
        "out/ctrf.json",
    )
    assert run_mini(*arguments).ret == 10
    gated = run_mini(*arguments, "--webbench-min-rate", "0.3")
    assert gated.ret == 10
    gated.stdout.fnmatch_lines(
        ["rate unknown: mini, agent scripted: the rate's interval begins at 34.2%*"]
    )
    (mini / "failures").unlink()
    assert run_mini(*arguments, "--webbench-min-rate", "0.4").ret == 0
    below = run_mini(*arguments, "--webbench-min-rate", "0.5")
    assert below.ret == 11
    below.stdout.fnmatch_lines(
        ["rate below: *43.9%, below the 50.0% that --webbench-min-rate asks for"]
    )
    told = json.loads((pytester.path / "out" / "ctrf.json").read_text("utf-8"))
    assert told["results"]["summary"]["passed"] == 3
    assert (pytester.path / "summary.md").read_text("utf-8").count(
        "### pytest-webbench: run t"
    ) == 4


def test_threshold_forgives_task_failures_but_not_test_failures(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    arguments = ("--webbench-agent", "noop", "--webbench-min-rate", "0", "--tb", "no")
    result = run_mini(*arguments)
    result.assert_outcomes(failed=3)
    assert result.ret == 0
    assert run_mini("--webbench-agent", "noop").ret == 1
    pytester.makepyfile(test_other="def test_other():\n    assert False\n")
    assert run_mini(*arguments, "test_other.py").ret == 1
    pytester.makepyfile(test_other="def test_other():\n    pass\n")
    assert run_mini("--webbench-agent", "noop", path="test_other.py").ret == 0, (
        "the tag alone means nothing"
    )


def test_other_conditions_and_concurrent_sessions_are_refused(
    run_mini: RunMini, results: Results, pytester: pytest.Pytester, mini: Path
) -> None:
    run_mini("--webbench-agent", "scripted", "-k", "say").assert_outcomes(passed=1)
    before = results()
    for workers in ((), ("-n", "2")):
        refused = run_mini("--webbench-agent", "scripted", "--webbench-max-actions", "5", *workers)
        assert refused.ret == 4
        refused.stderr.fnmatch_lines(
            [
                "*run t holds results that were made under other conditions:",
                "  agent scripted, --webbench-max-actions: was not set, is 5",
                "restore them to resume the run, or choose a new tag with --webbench-run",
            ]
        )
    lock = RunLock(pytester.path / "runs" / "t", "another", os.getpid())
    lock.acquire()
    for workers in ((), ("-n", "2")):
        refused = run_mini("--webbench-agent", "scripted", *workers)
        assert refused.ret == 4
        refused.stderr.fnmatch_lines(
            [f"*run t is in use by another session (process {os.getpid()} on *"]
        )
    lock.release()
    suite = mini / "suite.toml"
    suite.write_text(suite.read_text().replace("actions = 10", "actions = 9"))
    refused = run_mini("--webbench-agent", "scripted", "-n", "1")
    assert refused.ret == 4
    refused.stderr.fnmatch_lines(["*suite mini, max_actions: was 10, is 9"])
    assert results() == before


@pytest.mark.slow
def test_parallel_session_locks_its_run_to_the_end(
    run_mini: RunMini, agents: Callable[[str], None], pytester: pytest.Pytester
) -> None:
    agents(
        """
        import os, pathlib
        from pytest_webbench.run.lock import RunLock

        class Looks:
            def run(self, brief, page, budget):
                told = RunLock(pathlib.Path("runs/t"), "stranger", 0).holder()
                pathlib.Path(f"held-{brief.task_id}").write_text(str(told["pid"] == os.getppid()))
        """
    )
    run_mini("--webbench-agent", "agents:Looks", "-n", "2")
    assert {path.read_text() for path in pytester.path.glob("held-*")} == {"True"}
    assert RunLock(pytester.path / "runs" / "t", "stranger", 0).holder() is None


@pytest.fixture
def small_disk(pytester: pytest.Pytester) -> Iterator[Path]:
    """A disk that holds one episode, and hardly a second."""
    folder = pytester.path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=120k", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_full_disk_stops_the_session_and_loses_nothing(run_mini: RunMini, small_disk: Path) -> None:
    arguments = ("--webbench-agent", "scripted", "--webbench-runs-dir", str(small_disk))
    full = run_mini(*arguments)
    full.assert_outcomes(passed=1, errors=1)
    full.stdout.fnmatch_lines(
        ["*/disk/t/episodes/scripted/*.partial/* cannot be written: *No space left on device"]
    )
    assert [entry.outcome for entry in RunDir(small_disk / "t").attempts()] == ["passed"]
    subprocess.run(["mount", "-o", "remount,size=9M", str(small_disk)], check=True)
    run_mini(*arguments).assert_outcomes(passed=3)
    assert [entry.attempt for entry in RunDir(small_disk / "t").attempts()] == [1, 1, 1]


def test_read_only_disk_is_reported_before_the_run(run_mini: RunMini, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    refused = run_mini("--webbench-agent", "scripted", "--webbench-runs-dir", str(small_disk))
    assert refused.ret == 4
    refused.stderr.fnmatch_lines(
        ["*disk/t cannot be written: *Read-only file system*--webbench-runs-dir"]
    )
