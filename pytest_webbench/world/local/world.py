"""The local world: a server of sites that exist only here, new for every episode."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..._worlds import LOCAL
from ...errors import SettingsError
from ..kit.editions import EDITION, Edition
from ..served import Answering, Served
from .database import template_of
from .site import STAY
from .stay import Stay

if TYPE_CHECKING:
    from ...task import Task

DOMAIN: Final = "localhost"


class Local(Served):
    """Serves the sites under ``folder``, each at ``http://<its folder's name>.localhost/``.

    There pages and agents see the newest stay. Each stay that has not ended is also at
    ``http://<site>.<key>.localhost/``, with a key that nobody can guess. `SettingsError` if there
    is no site.
    """

    name = LOCAL
    has_editions = True
    scheme = "http"
    unknown_page = "web"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = site_files(folder)
        self._stays: dict[str, Stay] = {}
        super().__init__()

    def begin(self, task: Task, seed: int) -> Stay:
        """A world that is as new, with the rows of ``seed``."""
        return self.open_stay(seed, signed_out=[*task.login])

    def open_stay(self, seed: int, *, signed_out: Collection[str] = ()) -> Stay:
        """The same, for any number of stays at once."""
        key = secrets.token_hex(8)
        stay = Stay(
            template_of(self._folder, seed),
            Edition(seed),
            signed_out=signed_out,
            on_end=lambda: self._stays.pop(key, None),
        )
        self._stays[key] = stay
        return stay

    def key_of(self, stay: Stay) -> str:
        """What stands between site and ``localhost`` in the addresses of a stay."""
        return next(key for key, one in self._stays.items() if one is stay)

    def answering(self, host: str) -> Answering | None:
        site, _, key = host.removesuffix(f".{DOMAIN}").partition(".")
        file = self._files.get(site)
        stays = self._stays
        stay = stays.get(key) if key else next(reversed(stays.values()), None)
        if file is None or stay is None or not host.endswith(f".{DOMAIN}"):
            return None
        return Answering(file, {STAY: stay, EDITION: stay.edition.number})

    def launch_args(self) -> list[str]:
        # Addresses have no port, so that what is recorded is the same every time. Nothing but the
        # server can be reached: not its port by number either.
        rules = f"MAP *:80 127.0.0.1:{self.http_port}, MAP * ~NOTFOUND"
        return [f"--host-resolver-rules={rules}"]

    def context_args(self) -> dict[str, Any]:
        return {}


def site_files(folder: Path) -> dict[str, Path]:
    """The ``site.py`` of each site, by name."""
    files = {file.parent.name: file for file in sorted(folder.glob("*/site.py"))}
    if not files:
        raise SettingsError(f"{folder} holds no sites (expected <name>/site.py)")
    return files
