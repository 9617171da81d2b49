"""A browser service: starts a Chromium with a debugging port for each episode.

A cloud service does the same over HTTP: start a session, note its id, return its CDP address.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile

from pytest_webbench.browsers import Note
from pytest_webbench.errors import InfraError, SettingsError

_PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")


class DebugChrome:
    """One process per session; the session's id is the number of the process."""

    def __init__(self) -> None:
        found = [path for name in _PROGRAMS if (path := shutil.which(name))]
        if not found:
            raise SettingsError(f"none of {', '.join(_PROGRAMS)} is on PATH: install one of them")
        self._program = found[0]
        self._sessions: dict[str, tuple[subprocess.Popen[str], str]] = {}

    def acquire(self, note: Note) -> str:
        """Start a browser and return its CDP address."""
        profile = tempfile.mkdtemp(prefix="debug-chrome-")
        command = [self._program, "--headless", "--no-sandbox", "--remote-debugging-port=0"]
        process = subprocess.Popen(
            [*command, f"--user-data-dir={profile}"],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # the program may be a shell script: its browser ends with it
        )
        self._sessions[str(process.pid)] = (process, profile)
        note(str(process.pid))
        assert process.stderr is not None, "it was opened as a pipe"
        for line in process.stderr:
            if found := re.search(r"DevTools listening on ws://([\d.:]+)/", line):
                return f"http://{found[1]}"
        raise InfraError(f"{self._program} ended before it listened")

    def release(self, session_id: str) -> None:
        """End a browser. One that is gone already is no error."""
        process, profile = self._sessions.pop(session_id, (None, ""))
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            shutil.rmtree(profile, ignore_errors=True)
