"""Notices files that appear while a run goes on and would change how tasks are run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

NAMES: Final = (
    ".env",
    "conftest.py",
    "webbench.toml",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
)


class ConfigurationFiles:
    """Those in some folders and above them, as they are when this is made."""

    def __init__(self, folders: Iterable[Path]) -> None:
        found: dict[Path, None] = {}
        for folder in folders:
            absolute = Path(os.path.abspath(folder))
            found.update(dict.fromkeys((absolute, *absolute.parents)))
        self._folders = tuple(found)
        self._before = frozenset(self._present())

    def _present(self) -> list[Path]:
        paths = [folder / name for folder in self._folders for name in NAMES]
        return [path for path in paths if os.path.lexists(path)]

    def refusal(self) -> str:
        """Why the run cannot go on; empty if nothing has appeared."""
        new = [path for path in self._present() if path not in self._before]
        if not new:
            return ""
        return (
            f"webbench: {' and '.join(map(str, new))} appeared while the run went on, and would "
            "change how tasks are run. Remove it and start again: the same tag goes on with the "
            "next task"
        )


class ConfigurationWatch:
    """A plugin that ends a session in which such a file appears."""

    def __init__(self, session: pytest.Session, folders: Iterable[Path]) -> None:
        self._session, self._files = session, ConfigurationFiles(folders)

    def pytest_runtest_logfinish(self) -> None:
        """Look after each item."""
        refusal = self._files.refusal()
        if refusal:
            self._session.shouldstop = refusal
