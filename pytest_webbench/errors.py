"""Every error that pytest-webbench raises on purpose.

WebbenchError
├── UsageError            the user can fix it; shown without a traceback
│   ├── TaskFileError     a task file, suite.toml or webbench.toml, all its problems at once
│   ├── SettingsError     an option, a configuration value
│   │   └── AgentNotMadeError  the user's fixture or class raised
│   └── BrowserNotFound   no Chromium on this machine
├── StepError             one action could not be done; the agent may continue
├── BadReply              a model's answer cannot be used
├── StoreError            a run directory that cannot be read or written
├── GetterError           the evidence does not hold what a check reads
│   └── CanaryError       the page lacks what the right page has
├── RuleError             a check is malformed
└── UnscoredError         the outcome cannot be known; ``reason`` says why
    ├── InfraError        machine, network or browser; retried
    │   └── EndpointError a model's endpoint does not answer, or refuses
    ├── BlockedError      the site turned the browser away
    ├── DriftedError      the site is no longer what the task was written for
    ├── VerifierError     a check is broken
    └── NeedsJudgeError   no check can decide this; a person or a model has to

TaskFailed (AssertionError) stands apart: it is a verdict, not an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ._usage import Usage


class WebbenchError(Exception):
    """Base of all errors of this package."""


class UsageError(WebbenchError):
    """Something the user wrote or chose is wrong; the message says what to do."""


class SettingsError(UsageError):
    """An option or configuration value cannot be used."""


class AgentNotMadeError(SettingsError):
    """The user's fixture or the agent's class raised; the cause is shown with its traceback."""


class BrowserNotFound(UsageError):  # noqa: N818 - says what happened
    """No usable Chromium was found; the message lists where we looked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong in a file."""

    line: int
    """Counted from 1; 0 where the file as a whole is meant."""
    field: str
    """A path such as ``checks[2].metric``; empty where no field is meant."""
    what: str
    found: str = ""
    allowed: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else "file"
        if self.field:
            where += f", {self.field}"
        parts = [f"{where}: {self.what}"]
        if self.found:
            parts.append(f"found {self.found}")
        if self.allowed:
            parts.append(f"allowed: {self.allowed}")
        return "; ".join(parts)


class TaskFileError(UsageError):
    """A task file, ``suite.toml`` or ``webbench.toml`` cannot be used.

    ``problems`` is everything that is wrong with it, in the order of its lines.
    """

    def __init__(self, path: str, problems: list[Problem]) -> None:
        self.path = path
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.field)))
        lines = "\n".join(f"  {problem}" for problem in self.problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        super().__init__(f"{path}: {count}\n{lines}")


class StepError(WebbenchError):
    """An action could not be done (element missing, covered, disabled ...)."""


class BadReply(WebbenchError):  # noqa: N818 - says what happened
    """A model's answer cannot be used; the message says what is wrong with it."""

    def __init__(self, text: str, usage: Usage | None = None) -> None:
        super().__init__(text)
        self.usage = usage
        """What the reply has cost, useless as it is."""


class StoreError(WebbenchError):
    """A run directory or a file in it cannot be read or written."""


class GetterError(WebbenchError):
    """The evidence does not hold what a check wants to read.

    ``missing``: a page that could be read lacks what it is known to have.
    """

    def __init__(self, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


class CanaryError(GetterError):
    """The page lacks what the right page has.

    On another page that is the agent's failure; on the right one the check has rotted.
    """


class RuleError(WebbenchError):
    """A check's rule is malformed."""


class UnscoredError(WebbenchError):
    """The outcome of an episode cannot be known."""

    reason = "infra"


class InfraError(UnscoredError):
    """The machine, the network or the browser failed, not the agent."""


class EndpointError(InfraError):
    """A model's endpoint cannot be reached, is overloaded, or refuses.

    That says nothing of the model's decisions. ``status`` is the HTTP status of its reply, 0 if
    there was none.
    """

    def __init__(self, message: str, *, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class BlockedError(UnscoredError):
    """The site turned the browser away (bot wall, rate limit)."""

    reason = "blocked"


class DriftedError(UnscoredError):
    """The site is no longer what the task was written for."""

    reason = "drifted"


class VerifierError(UnscoredError):
    """A check is broken, so that the verdict would mean nothing."""

    reason = "verifier_error"


class NeedsJudgeError(UnscoredError):
    """No check can decide whether the answer is right; a person or a model has to."""

    reason = "needs_judge"


UNSCORED_ERRORS: Final[Mapping[str, type[UnscoredError]]] = {
    error.reason: error
    for error in (InfraError, BlockedError, DriftedError, VerifierError, NeedsJudgeError)
}


class TaskFailed(AssertionError):  # noqa: N818 - a verdict, not an error
    """The agent did not do the task; the message lists the checks."""
