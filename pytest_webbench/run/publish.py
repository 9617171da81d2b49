"""Folders of files that are made from a run, such as its report: whole or not there at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .directory import storing, write_atomically


class Publication:
    """Takes the files of a new folder and puts it in the place of the old one when it is complete."""

    def __init__(self, final: Path) -> None:
        self.final = final
        self._partial = final.with_name(f"{final.name}.partial")
        self._made: set[Path] = set()
        shutil.rmtree(self._partial, ignore_errors=True)

    def write(self, name: str, text: str) -> None:
        """A file of the folder; ``name`` may lead into folders below it."""
        path = self._partial / name
        with storing(self.final):
            if path.parent not in self._made:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(path.parent)
            path.write_text(text, encoding="utf-8", errors="replace")

    def commit(self) -> Path:
        """Put the new folder in its place; the old one is gone then."""
        old = self.final.with_name(f"{self.final.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        with storing(self.final):
            if self.final.exists():
                os.replace(self.final, old)
            os.replace(self._partial, self.final)
        shutil.rmtree(old, ignore_errors=True)
        return self.final


def rewrite(folder: Path, name: str, text: str) -> None:
    """Replace one file of a published folder in one step."""
    write_atomically(folder / name, text, flush=False)
