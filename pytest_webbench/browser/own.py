"""A Chromium process for one episode, for agents that are programs of their own and connect over CDP.

The episode runs in the browser's default context. A CDP client sees this context, with the start page open, and nothing
else: no other episode, no tab of ours. We observe it through Playwright's pipe, as we do in a shared browser.

The port listens on loopback and has no password. What keeps pages out, see ``docs/command-agents.md``.
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
from . import keeper
from .session import FreshContext, first_line

_PORT_SECONDS: Final = 10.0
_END_SECONDS: Final = 2 * keeper.KILL_SECONDS


def own_context(chromium: BrowserType, launch_options: dict[str, Any], context_args: dict[str, Any]) -> FreshContext:
    """Start a browser with an empty profile; `InfraError` if it does not start."""
    if context_args.get("storage_state") is not None:
        raise SettingsError(
            "the context argument storage_state cannot be used with an agent that has a browser of its own; "
            "put entries into the task's setup instead"
        )
    profile = tempfile.mkdtemp(prefix="webbench-browser-")
    guard = _Guard(profile)
    try:
        context = _launch(chromium, profile, launch_options, context_args)
        port, path = _address(Path(profile))
        return FreshContext(context, guard.end, f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}{path}")
    except BaseException:
        guard.end()
        raise


class _Guard:
    """Ends the browser and removes its profile: when asked to, and when this process is gone."""

    def __init__(self, profile: str) -> None:
        # In a session of its own: what kills this process may kill its whole group.
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", keeper.__file__, "browser", profile],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def end(self) -> None:
        """Safe to be called again."""
        assert self._keeper.stdin is not None, "it was opened as a pipe"
        self._keeper.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._keeper.wait(_END_SECONDS)


def _launch(
    chromium: BrowserType, profile: str, launch_options: dict[str, Any], context_args: dict[str, Any]
) -> BrowserContext:
    args = [*launch_options.get("args", ()), "--remote-debugging-port=0"]
    if context_args.get("ignore_https_errors"):
        # A tab that the other client opens has to accept the certificate before our settings reach it.
        args.append("--ignore-certificate-errors")
    options = {**launch_options, **context_args, "args": args}
    try:
        return chromium.launch_persistent_context(profile, **options)
    except Error as error:
        raise InfraError(f"the agent's own browser did not start: {first_line(error)}") from error


def _address(profile: Path) -> tuple[int, str]:
    """Port and path that the browser chose; it writes them down soon after its start."""
    deadline = time.monotonic() + _PORT_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError, ValueError):
            port, path = (profile / "DevToolsActivePort").read_text(encoding="ascii").split()
            return int(port), path
        time.sleep(0.01)
    raise InfraError(f"the agent's own browser opened no port for CDP clients within {_PORT_SECONDS:g} s")
