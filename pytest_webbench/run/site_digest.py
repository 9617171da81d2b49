"""Names the state of the site that a task is played on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .._json import digest
from .._worlds import LOCAL, REPLICA, SITES


@cache
def site_digest(suite: Path, site: str) -> str:
    """Digest of the folder of the double of ``site``; of all doubles if none has its name.

    Sites of a local world share a database, so they have one digest together, and so do the sites
    of a suite without doubles.
    """
    replica = suite / SITES[REPLICA]
    folders = [replica / site, replica / f"www.{site}", suite / SITES[LOCAL]]
    folder = next((one for one in folders if one.is_dir()), replica)
    files = {}
    for path in sorted(folder.rglob("*")):
        # Python writes these when the double is loaded.
        if path.is_file() and "__pycache__" not in path.parts:
            files[path.relative_to(folder).as_posix()] = digest(path.read_bytes().hex())
    return digest(files)
