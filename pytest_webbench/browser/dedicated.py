"""A Chromium process for one episode, for agents that are programs and connect over CDP.

The episode runs in the browser's default context. A CDP client sees this context, with the start
page open, and nothing else: no other episode, no tab of ours. We observe it through Playwright's
pipe, as we do in a shared browser.

The port listens on loopback and has no password; ``docs/command-agents.md`` says what keeps pages
out.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, BrowserType, Error

from ..errors import InfraError, SettingsError
from . import supervisor
from .context import FreshContext
from .playwright_errors import reason_of

PROFILE_PREFIX: Final = "webbench-browser-"
"""How folders of profiles begin, in the system's folder for temporary files."""
PORT_FILE: Final = "DevToolsActivePort"
"""In a profile: the port where the browser listens, and the path of its WebSocket."""
_PORT_SECONDS: Final = 10.0
_END_SECONDS: Final = 2 * supervisor.KILL_SECONDS


def dedicated_context(
    chromium: BrowserType, launch_options: dict[str, Any], context_args: dict[str, Any]
) -> FreshContext:
    """Start a browser with an empty profile; `InfraError` if it does not start."""
    # Playwright knows it for new contexts only, not for a browser's default one.
    if context_args.get("storage_state") is not None:
        raise SettingsError(
            "the context argument storage_state cannot be used with an agent that needs a browser "
            "of its own; put entries into the task's setup instead"
        )
    profile = tempfile.mkdtemp(prefix=PROFILE_PREFIX)
    guard = _Guard(profile)
    try:
        context = _launch(chromium, profile, launch_options, context_args)
        port, path = _address(Path(profile))
        return FreshContext(
            context,
            context_args,
            guard.end,
            f"http://127.0.0.1:{port}",
            f"ws://127.0.0.1:{port}{path}",
        )
    # Interruptions too: nobody else knows of this browser yet.
    except BaseException:
        guard.end()
        raise


class _Guard:
    """Ends the browser and removes its profile: when asked to, and when this process is gone."""

    def __init__(self, profile: str) -> None:
        # In a session of its own: what kills this process may kill its whole group.
        self._supervisor = subprocess.Popen(
            [sys.executable, "-I", supervisor.__file__, "browser", profile],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end(self) -> None:
        """End both; may be called again."""
        assert self._supervisor.stdin is not None, "it was opened as a pipe"
        self._supervisor.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._supervisor.wait(_END_SECONDS)


def _launch(
    chromium: BrowserType,
    profile: str,
    launch_options: dict[str, Any],
    context_args: dict[str, Any],
) -> BrowserContext:
    # The browser chooses a free port: one chosen here could be taken by the time it starts.
    args = [*launch_options.get("args", ()), "--remote-debugging-port=0"]
    if context_args.get("ignore_https_errors"):
        # A tab that the agent opens needs the certificate before our settings reach the tab.
        args.append("--ignore-certificate-errors")
    options = {**launch_options, **context_args, "args": args}
    try:
        return chromium.launch_persistent_context(profile, **options)
    except Error as error:
        raise InfraError(f"the agent's own browser did not start: {reason_of(error)}") from error


def _address(profile: Path) -> tuple[int, str]:
    """Port and path that the browser chose; it writes them down soon after its start."""
    deadline = time.monotonic() + _PORT_SECONDS
    while time.monotonic() < deadline:
        # The file may not be there yet, or half written.
        with suppress(OSError, ValueError):
            port, path = (profile / PORT_FILE).read_text(encoding="ascii").split()
            return int(port), path
        time.sleep(0.01)
    raise InfraError(
        f"the agent's own browser opened no port for CDP clients within {_PORT_SECONDS:g} s"
    )
