"""pytest-playwright's recording options (--tracing, --video, --screenshot), with their files in the episode folder."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..browser.recording import OpenContext, RecordedSession, RecordingFiles, open_session
from ..browser.steps import StepSink

_FILES = {"tracing": "trace.zip", "video": "video", "screenshot": "page.png"}


@dataclass(frozen=True, slots=True)
class Recording:
    """What is recorded of one episode, and where it goes."""

    folder: Path
    tracing: bool
    video: bool
    screenshot: bool
    full_page: bool

    @classmethod
    def from_options(cls, config: pytest.Config, folder: Path) -> Recording:
        """As the user chose on the command line."""
        on = {name: config.getoption(f"--{name}", "off") != "off" for name in _FILES}
        return cls(
            folder, on["tracing"], on["video"], on["screenshot"], config.getoption("--full-page-screenshot", False)
        )

    def open_session(
        self, open_context: OpenContext, context_args: dict[str, Any], sink: StepSink, *, step_shots: bool
    ) -> RecordedSession:
        """A session that records."""
        arguments = {key: value for key, value in context_args.items() if key != "record_video_dir"}
        if self.video:
            arguments["record_video_dir"] = str(self.folder / _FILES["video"])
        return open_session(
            open_context,
            arguments,
            sink,
            step_shots=step_shots,
            files=RecordingFiles(
                trace=self.folder / _FILES["tracing"] if self.tracing else None,
                screenshot=self.folder / _FILES["screenshot"] if self.screenshot else None,
                full_page=self.full_page,
            ),
        )

    @staticmethod
    def discard_if_passed(config: pytest.Config, folder: Path, *, passed: bool) -> None:
        """Removes what the user wanted for failures only."""
        for name, file in _FILES.items():
            if passed and config.getoption(f"--{name}", "off") in ("retain-on-failure", "only-on-failure"):
                path = folder / file
                with suppress(FileNotFoundError):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
