"""Reports: what pytest shows of an item, the summary in the terminal, JUnit."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from ..errors import TaskFailed, WebbenchError
from ..evidence.scrub import scrub
from ..run import RunDir
from ..run.sessions import BrowserSessions
from .options import given, redactor, run_tag, settings

if TYPE_CHECKING:
    from ..report.gate import Gate

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


def finish(session: pytest.Session) -> None:
    """Write what others read of the run, and end with a code that tells agents' failures from infrastructure."""
    config = session.config
    try:
        write_junit(config)
        _write_ctrf(config)
        _write_job_summary(config)
        session.exitstatus = _exit_code(session)
    except WebbenchError as error:
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(f"webbench: {error}", red=True)
        session.exitstatus = session.exitstatus or pytest.ExitCode.INTERNAL_ERROR


def _write_ctrf(config: pytest.Config) -> None:
    path = given(config, "ctrf")
    if not path:
        return
    from .. import __version__
    from ..evidence.models import canonical_json
    from ..report.ctrf import document
    from ..report.items import items_of
    from ..run.directory import storing, write_atomically

    file = config.invocation_params.dir / path
    with storing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, canonical_json(document(items_of(current_run(config)), __version__)) + "\n")


def _write_job_summary(config: pytest.Config) -> None:
    """GitHub Actions shows what is appended to the file that this variable names."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path or settings(config).validate:
        return
    from ..report.github import job_summary
    from ..report.items import items_of
    from ..run.directory import storing

    text = job_summary(items_of(current_run(config)), _gates(config))
    with storing(Path(path)), Path(path).open("a", encoding="utf-8", errors="replace") as file:
        file.write(text)


def _gates(config: pytest.Config) -> list[Gate]:
    least = settings(config).min_rate
    if least is None:
        return []
    from ..report.gate import gates_of
    from ..report.summary import all_results

    run = current_run(config)
    return gates_of(all_results(run.planned(), run.results()), least)


def _exit_code(session: pytest.Session) -> int:
    from ..report.gate import exit_code
    from ..report.summary import all_results

    config, code, run = session.config, int(session.exitstatus), current_run(session.config)
    planned = run.planned_last()
    if not planned:
        # A shard in which no task fell has nothing to do, which is no failure.
        return 0 if given(config, "shard") and code == pytest.ExitCode.NO_TESTS_COLLECTED else code
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or settings(config).rescore:
        return code
    ours = {item.nodeid for item in planned}
    told = {
        what: {report.nodeid for report in reporter.stats.get(what, ())}
        for what in ("passed", "failed", "error", "skipped")
    }
    if not any(nodeids & ours for nodeids in told.values()):
        return code  # the run is an earlier session's, whose tag stands in the ini file
    bad = told["failed"] | told["error"]
    return exit_code(code, all_results(planned, run.results()), _gates(config), others_failed=bool(bad - ours))


def write_summary(reporter: Any, config: pytest.Config) -> None:
    """The score with its doubt, per suite and agent."""
    run = current_run(config)
    from ..report.summary import all_results, summarize
    from ..report.validation import validation_lines

    entries = all_results(run.planned(), run.results())
    reporter.section("webbench", sep="=", bold=True)
    for line in validation_lines(entries) if settings(config).validate else summarize(entries):
        reporter.write_line(line)
    if any(entry.world.startswith("recorded-") for entry in entries):
        from .recorded.account import account_lines

        for line in account_lines(config):
            reporter.write_line(line)
    for gate in _gates(config):
        reporter.write_line(f"rate {gate.standing}: {gate}")
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
