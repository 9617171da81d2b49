"""Reports: what pytest shows of an item, the summary in the terminal, JUnit."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from ..errors import TaskFailed, WebbenchError
from ..evidence.scrub import scrub
from ..run import RunDir
from ..run.sessions import BrowserSessions
from .options import given, redactor, run_tag, settings

RUN_KEY: Final = pytest.StashKey[RunDir]()


def tidy_report(report: pytest.TestReport, call: pytest.CallInfo[None], redact: Callable[[str], str]) -> None:
    """Shows our own errors as text instead of a stack, and makes every string fit for files and the wire."""
    error = call.excinfo.value if call.excinfo is not None else None
    if isinstance(error, WebbenchError | TaskFailed):
        report.longrepr = redact(scrub(str(error)))
    elif report.failed:
        text = str(report.longrepr)  # with all locals, if pytest was called with -l
        if redact(text) != text:
            report.longrepr = redact(text)
    report.sections = [(scrub(title), redact(scrub(text))) for title, text in report.sections]


def current_run(config: pytest.Config) -> RunDir:
    """The run of this session."""
    if RUN_KEY not in config.stash:
        chosen = settings(config)
        config.stash[RUN_KEY] = RunDir.for_tag(chosen.runs_dir, run_tag(config), redactor(config))
    return config.stash[RUN_KEY]


def write_junit(config: pytest.Config) -> None:
    """``junit.xml`` of the run; and pytest's own ``--junitxml`` file, corrected."""
    run = current_run(config)
    from ..report import junit

    base = Path(os.path.relpath(run.path, config.invocation_params.dir)).as_posix()
    attempts, results = run.attempts(), run.results()
    run.write_report("junit.xml", junit.document(junit.cases_of(run.planned(), attempts, results, base)))
    path = getattr(config.option, "xmlpath", None)
    if path and Path(path).is_file():
        file, items = Path(path), run.planned_last()
        cases = junit.cases_of(items, attempts, results, base)
        file.write_text(junit.merge(file.read_text(encoding="utf-8"), items, cases), encoding="utf-8")


def write_summary(reporter: Any, config: pytest.Config) -> None:
    """The score with its doubt, per suite and agent."""
    run = current_run(config)
    from ..report.summary import all_results, summarize
    from ..report.validation import validation_lines

    entries = all_results(run.planned(), run.results())
    reporter.section("webbench", sep="=", bold=True)
    for line in validation_lines(entries) if settings(config).validate else summarize(entries):
        reporter.write_line(line)
    if settings(config).rescore:
        from .rescore import flips

        for line in flips(reporter):
            reporter.write_line(f"flipped: {line}")
    left = sum(note.run == run.path.name for note in BrowserSessions(run.path.parent).all())
    if left:
        reporter.write_line(f"browser sessions still noted: {left}; to give them back: webbench browser reap")
    reporter.write_line(f"run stored in {os.path.relpath(run.path, config.invocation_params.dir)}")
    if given(config, "report"):
        reporter.write_line(_write_html(run, config))


def _write_html(run: RunDir, config: pytest.Config) -> str:
    """Where the report is, or why there is none: the session's result does not hang on it."""
    from ..report.html import write_report

    try:
        return f"report: {os.path.relpath(write_report(run), config.invocation_params.dir)}"
    except WebbenchError as error:
        return f"no report: {error}"
