"""Playwright's own recordings (trace, video, screenshot), kept in the folder of their episode."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..browser.recording import OpenContext, RecordedSession, RecordingFiles, open_session
from .episode_folder import EpisodeFolder

KINDS: Final = ("tracing", "video", "screenshot")
"""pytest-playwright's options of these names choose when to record."""
_FILES: Final = {"tracing": "trace.zip", "video": "video", "screenshot": "page.png"}
_FOR_FAILURES: Final = ("retain-on-failure", "only-on-failure")


@dataclass(frozen=True, slots=True)
class Recordings:
    """What is recorded besides our own evidence.

    ``modes`` holds for each of `KINDS` "off", "on", or a mode that keeps files of failures only.
    """

    modes: Mapping[str, str]
    full_page: bool = False

    def open_session(
        self,
        open_context: OpenContext,
        context_args: Mapping[str, Any],
        folder: EpisodeFolder,
        *,
        step_shots: bool,
    ) -> RecordedSession:
        """A session that records into ``folder``; ``step_shots`` adds a picture per action."""
        # pytest-playwright sets it to a temporary folder, which does not outlive the session.
        arguments = {key: value for key, value in context_args.items() if key != "record_video_dir"}
        video = self._file("video", folder.path)
        if video is not None:
            arguments["record_video_dir"] = str(video)
        return open_session(
            open_context,
            arguments,
            folder,
            step_shots=step_shots,
            files=RecordingFiles(
                trace=self._file("tracing", folder.path),
                screenshot=self._file("screenshot", folder.path),
                full_page=self.full_page,
            ),
        )

    def discard_if_passed(self, folder: Path, *, passed: bool) -> None:
        """Remove what the user wants for failures only."""
        if not passed:
            return
        for kind, name in _FILES.items():
            if self.modes.get(kind) in _FOR_FAILURES:
                _remove(folder / name)

    def _file(self, kind: str, folder: Path) -> Path | None:
        if self.modes.get(kind, "off") == "off":
            return None
        return folder / _FILES[kind]


def _remove(path: Path) -> None:
    with suppress(FileNotFoundError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
