"""Names the state of the site that a task is played on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .._json import digest


@cache
def site_digest(suite: Path, site: str) -> str:
    """Digest of the folder of the double of ``site``; of all doubles if none has its name.

    A suite without doubles has one digest for all its sites.
    """
    replica = suite / "replica"
    folders = [replica / site, replica / f"www.{site}"]
    folder = next((one for one in folders if one.is_dir()), replica)
    files = {}
    for path in sorted(folder.rglob("*")):
        # Python writes these when the double is loaded.
        if path.is_file() and "__pycache__" not in path.parts:
            files[path.relative_to(folder).as_posix()] = digest(path.read_bytes().hex())
    return digest(files)
