"""A session that also writes Playwright's trace, video and screenshot."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error

from ..errors import InfraError
from .session import Session, StepSink, first_line


class RecordedSession(Session):
    """Closes its recordings before its tabs."""

    trace: Path | None = None
    screenshot: Path | None = None
    full_page: bool = False

    def start_recording(self) -> None:
        """Begin the trace, if one is wanted."""
        if self.trace is not None:
            self.context.tracing.start(screenshots=True, snapshots=True)

    def close(self) -> None:
        with suppress(Error):
            page = self.final_page()
            if self.screenshot is not None and page is not None:
                page.screenshot(path=self.screenshot, full_page=self.full_page)
        with suppress(Error):
            if self.trace is not None:
                self.context.tracing.stop(path=self.trace)
        super().close()


def open_session(
    browser: Browser,
    context_args: dict[str, Any],
    sink: StepSink,
    *,
    step_shots: bool,
    trace: Path | None = None,
    screenshot: Path | None = None,
    full_page: bool = False,
) -> RecordedSession:
    """A fresh context in ``browser``; `InfraError` if the browser does not give one."""
    try:
        session = RecordedSession(browser, context_args, sink, step_shots=step_shots)
        session.trace, session.screenshot, session.full_page = trace, screenshot, full_page
        session.start_recording()
    except Error as error:
        raise InfraError(f"the browser did not open a tab: {first_line(error)}") from error
    return session
