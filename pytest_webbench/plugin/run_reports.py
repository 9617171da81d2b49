"""What is written and printed about a run when its session ends."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from .._files import storing, write_atomically
from .._json import canonical_json
from .._version import __version__
from .._worlds import LIVE
from ..errors import WebbenchError
from ..report import junit
from ..report.ctrf import document
from ..report.github import job_summary
from ..report.html import write_report
from ..report.live_validation import live_validation_lines
from ..report.quarantine import update_quarantine
from ..report.results import RunResults, TaskKey, read_results, worlds_of
from ..report.summary import summarize
from ..report.threshold import Threshold, exit_code, thresholds_of
from ..report.validation import frozen_tasks, validation_lines
from ..run import RunDir
from ..run.cloud_leases import CloudLeases
from ..run.held_out import stored_overlap
from .invocation import Invocation
from .item_reports import stopped_by_usage_error


class RunReports:
    """Files and texts made from the ledger of ``run``."""

    def __init__(self, run: RunDir, invocation: Invocation) -> None:
        self._run, self._invocation = run, invocation
        self._settings = invocation.settings

    # -- files -----------------------------------------------------------------------------------

    def write(self, junit_path: Path | None) -> None:
        """All files that the user asked for; `StoreError` if one cannot be written.

        ``junit_path`` is pytest's own JUnit file, if it wrote one.
        """
        self._write_junit(junit_path)
        self._write_ctrf()
        self._write_job_summary()

    def _write_junit(self, path: Path | None) -> None:
        """``junit.xml`` of the run; and pytest's own file, corrected from the ledger."""
        run = self._run
        base = Path(self._invocation.shown(run.path)).as_posix()
        results = self._results
        run.write_report("junit.xml", junit.document(junit.cases_of(results.results, base)))
        if path is None or not path.is_file():
            return
        text = path.read_text(encoding="utf-8")
        prefix = self._invocation.config.getoption("junitprefix", None) or ""
        text = junit.merge(text, results.of(run.planned_last()), base, prefix=prefix)
        with storing(path):
            path.write_text(text, encoding="utf-8")

    def _write_ctrf(self) -> None:
        if not self._settings.ctrf:
            return
        file = self._invocation.folder / self._settings.ctrf
        with storing(file):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, canonical_json(document(self._results, __version__)) + "\n")

    def _write_job_summary(self) -> None:
        """GitHub Actions shows what is appended to the file that this variable names."""
        path = os.environ.get("GITHUB_STEP_SUMMARY")
        if not path or self._settings.plays_proofs:
            return
        text = job_summary(self._results, self._thresholds())
        with (
            storing(Path(path)),
            Path(path).open("a", encoding="utf-8", errors="replace") as file,
        ):
            file.write(text)

    # -- the session's end -----------------------------------------------------------------------

    def exit_code(self, code: int, reported: Mapping[str, Sequence[Any]] | None) -> int:
        """What the session ends with instead of pytest's ``code``.

        ``reported`` holds the reports of all items, of ours and of others, by outcome. It is None
        where pytest has no terminal reporter.
        """
        planned = self._run.planned_last()
        if not planned:
            # A shard that no item falls into has nothing to do, which is not a failure.
            empty_shard = self._settings.shard and code == pytest.ExitCode.NO_TESTS_COLLECTED
            return 0 if empty_shard else code
        if reported is None or self._settings.rescore:
            return code
        if stopped_by_usage_error(reported.get("error", ())):
            return pytest.ExitCode.USAGE_ERROR
        ours = {item.nodeid for item in planned}
        bad = _node_ids(reported, "failed", "error")
        if ours.isdisjoint(bad | _node_ids(reported, "passed", "skipped")):
            return code  # the run is an earlier session's, whose tag is in the ini file
        code = exit_code(
            code,
            self._results.of(planned),
            self._thresholds(),
            others_failed=not bad <= ours,
        )
        # Found by what several episodes say together, so that none of them has failed.
        return 1 if code == 0 and self._frozen else code

    def lines(self, flips: list[str]) -> Iterator[str]:
        """The summary for the terminal; ``flips`` tells of outcomes that a rescore has changed."""
        run, settings = self._run, self._settings
        results = self._results.results
        if settings.validate and LIVE in worlds_of(results):
            yield from live_validation_lines(results)
            yield from self._quarantine_lines()
        elif settings.validate:
            yield from validation_lines(
                results, lambda entry: run.stored_episode(entry).verdict(), self._frozen
            )
        else:
            yield from summarize(results)
        if told := stored_overlap(self._results.facts):
            yield told
        yield from self._results.integrity.lines()
        for threshold in self._thresholds():
            yield f"rate {threshold.standing}: {threshold}"
        for flip in flips:
            yield f"flipped: {flip}"
        leases = sum(lease.run == run.path.name for lease in CloudLeases(run.path.parent).all())
        if leases:
            yield (
                f"browser sessions still noted: {leases}; to give them back: webbench browser reap"
            )
        yield from self._isolation_lines()
        yield f"run stored in {self._invocation.shown(run.path)}"
        if settings.report:
            yield self._html_line()

    @cached_property
    def _frozen(self) -> dict[TaskKey, str]:
        """Tasks that a validation finds to hold a value which their site changes, and why."""
        return frozen_tasks(self._results.results, self._run) if self._settings.validate else {}

    def _quarantine_lines(self) -> Iterator[str]:
        """What has gone into quarantine and what has come out, if that was asked for."""
        if not self._settings.quarantine:
            return
        try:
            root = self._invocation.config.rootpath
            yield from update_quarantine(self._results.results, root)
        except WebbenchError as error:
            yield f"no quarantine: {error}"

    def _isolation_lines(self) -> Iterator[str]:
        """Which programs saw neither suite nor results; Python agents are never isolated."""
        for label, options in self._run.facts().get("agents", {}).items():
            if "command" in options:
                yield f"{label} isolated: {'yes' if options.get('isolate') else 'no'}"

    def _html_line(self) -> str:
        """Where the report is, or why there is none: that does not change the session's result."""
        try:
            return f"report: {self._invocation.shown(write_report(self._run))}"
        except WebbenchError as error:
            return f"no report: {error}"

    def _thresholds(self) -> list[Threshold]:
        least = self._settings.min_rate
        if least is None:
            return []
        return thresholds_of(self._results.results, least)

    @cached_property
    def _results(self) -> RunResults:
        """Read at the end of the session, when nothing is added any more."""
        return read_results(self._run)


def _node_ids(reported: Mapping[str, Sequence[Any]], *outcomes: str) -> set[str]:
    return {report.nodeid for outcome in outcomes for report in reported.get(outcome, ())}
