"""Folders of files that are made from a run, such as its report: whole or not there at all."""

from __future__ import annotations

import os
from pathlib import Path

from .._files import remove, storing, write_atomically


class Publication:
    """Takes the files of a new folder, which replaces the old one when it is complete.

    `StoreError` if a file cannot be written.
    """

    def __init__(self, final: Path) -> None:
        self.final = final
        self._partial = final.with_name(f"{final.name}.partial")
        self._made: set[Path] = set()
        # A killed process may have left one.
        remove(self._partial)

    def write(self, name: str, text: str) -> None:
        """A file of the folder; ``name`` may lead into folders below it."""
        path = self._partial / name
        with storing(self.final):
            if path.parent not in self._made:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(path.parent)
            path.write_text(text, encoding="utf-8", errors="replace")

    def commit(self) -> Path:
        """Replace the old folder with the new one."""
        old = self.final.with_name(f"{self.final.name}.old")
        remove(old)
        with storing(self.final):
            if os.path.lexists(self.final):
                # A folder cannot replace one that has files in it, so move the old one away first.
                os.replace(self.final, old)
            os.replace(self._partial, self.final)
        remove(old)
        return self.final


def rewrite(folder: Path, name: str, text: str) -> None:
    """Replace one file of a published folder in one step."""
    write_atomically(folder / name, text, flush=False)
