"""The replica world: doubles of real sites at their real addresses, from a server on loopback.

Chromium resolves every host to this server, so nothing leaves the machine. Ports other than 80 and
443 resolve to nothing, which also keeps pages and agents away from whatever else listens on
loopback.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._worlds import REPLICA
from ..errors import SettingsError
from .kit.editions import EDITION
from .kit.site import hosts_of
from .served import Answering, Served

if TYPE_CHECKING:
    from ..task import Task


class Replica(Served):
    """Serves every site found under ``folder``.

    `SettingsError` if there is none or if two claim the same host.
    """

    name = REPLICA
    has_editions = True
    scheme = "https"

    def __init__(self, folder: Path) -> None:
        self.edition = 0
        """Which `Edition` of its sites it shows from now on."""
        self._files = site_files(folder)
        super().__init__()

    def begin(self, _task: Task, seed: int) -> None:
        """Show the edition ``seed`` to this episode, and to all that repeats it."""
        self.edition = seed

    def has_host(self, host: str) -> bool:
        """Whether one of its sites answers at ``host``."""
        return host in self._files

    def answering(self, host: str) -> Answering | None:
        file = self._files.get(host)
        return None if file is None else Answering(file, {EDITION: self.edition})

    def launch_args(self) -> list[str]:
        # The first rule that matches wins, so the one for all other ports comes last.
        rules = [
            f"MAP *:80 127.0.0.1:{self.http_port}",
            f"MAP *:443 127.0.0.1:{self.https_port}",
            "MAP * ~NOTFOUND",
        ]
        return [f"--host-resolver-rules={', '.join(rules)}"]

    def context_args(self) -> dict[str, Any]:
        # The server has one certificate, of its own authority, for every host there is.
        return {"ignore_https_errors": True}


def site_files(folder: Path) -> dict[str, Path]:
    """The ``site.py`` that answers at each host, from the names in ``folder`` alone."""
    files = sorted(folder.glob("*/site.py"))
    if not files:
        raise SettingsError(
            f"{folder} holds no replica sites (expected <host>/site.py); use --webbench-world live"
        )
    found: dict[str, Path] = {}
    for file in files:
        for host in hosts_of(file.parent):
            if host in found:
                raise SettingsError(
                    f"{file}: host {host!r} is already served by {found[host].parent}"
                )
            found[host] = file
    return found
