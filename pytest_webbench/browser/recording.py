"""A session that also writes Playwright's trace, video and screenshot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Error

from ..errors import InfraError, SettingsError
from .action_log import ActionSink
from .context import FreshContext
from .playwright_errors import reason_of
from .session import Session

OpenContext = Callable[[dict[str, Any]], FreshContext]
"""Makes a context from its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingFiles:
    """Where recordings go; None for what is not wanted."""

    trace: Path | None = None
    screenshot: Path | None = None
    full_page: bool = False


class RecordedSession(Session):
    """Closes its recordings before its tabs."""

    files: RecordingFiles

    def start_recording(self) -> None:
        """Begin the trace, if one is wanted."""
        if self.files.trace is not None:
            self.context.tracing.start(screenshots=True, snapshots=True)

    def close(self) -> None:
        with suppress(Error):
            page = self.final_page()
            if self.files.screenshot is not None and page is not None:
                page.screenshot(path=self.files.screenshot, full_page=self.files.full_page)
        with suppress(Error):
            if self.files.trace is not None:
                self.context.tracing.stop(path=self.files.trace)
        super().close()


def open_session(
    open_context: OpenContext,
    context_args: dict[str, Any],
    sink: ActionSink,
    *,
    step_shots: bool,
    files: RecordingFiles,
) -> RecordedSession:
    """A session in a fresh context; `InfraError` if the browser does not give one."""
    fresh = None
    try:
        fresh = open_context(context_args)
        session = RecordedSession(fresh, sink, step_shots=step_shots)
        session.files = files
        session.start_recording()
    except (Error, InfraError) as error:
        if fresh is not None:
            fresh.kill_browser()
        if isinstance(error, InfraError):
            raise
        if "ffmpeg" in error.message:
            raise SettingsError(
                "--video needs Playwright's own ffmpeg: python -m playwright install ffmpeg"
            ) from error
        raise InfraError(f"the browser did not open a tab: {reason_of(error)}") from error
    return session
