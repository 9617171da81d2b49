"""What pytest shows of a single item."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Final

import pytest

from .._text import harmless
from ..errors import AgentNotMadeError, TaskFailed, UsageError, WebbenchError

_IS_USAGE_ERROR: Final = "webbench_usage_error"
_HARNESS: Final = ("_pytest", "pluggy", "pytest_webbench")
"""Packages whose frames say nothing to the author of a fixture."""


def stopped_by_usage_error(reports: Iterable[Any]) -> bool:
    """Whether the session ended because the user has to correct something first."""
    return any(vars(report).get(_IS_USAGE_ERROR) for report in reports)


def tidy_report(
    report: pytest.TestReport, call: pytest.CallInfo[None], redact: Callable[[str], str]
) -> None:
    """Show our own errors as text instead of a stack, without secrets.

    Every string is made fit for strict XML and for the wire between xdist's processes.
    """
    error = None if call.excinfo is None else call.excinfo.value
    if isinstance(error, WebbenchError | TaskFailed):
        report.longrepr = harmless(redact(_told(error)))
        # Kept on the way from a worker, as all attributes are.
        vars(report)[_IS_USAGE_ERROR] = isinstance(error, UsageError)
    elif report.failed:
        # A foreign error keeps its stack, unless that shows a secret: with -l it holds all locals.
        text = str(report.longrepr)
        if harmless(redact(text)) != text:
            report.longrepr = harmless(redact(text))
    report.sections = [(harmless(title), harmless(redact(text))) for title, text in report.sections]


def _told(error: WebbenchError | TaskFailed) -> str:
    cause = error.__cause__
    if not isinstance(error, AgentNotMadeError) or cause is None:
        return str(error)
    stack = traceback.format_exception(type(cause), cause, _own_part(cause.__traceback__))
    return f"{error}\n\n{''.join(stack)}".rstrip()


def _own_part(stack: TracebackType | None) -> TracebackType | None:
    """A stack from the first frame on that is the user's."""
    frame = stack
    while frame is not None:
        package = str(frame.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        if package not in _HARNESS:
            return frame
        frame = frame.tb_next
    return stack
