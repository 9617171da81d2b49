"""Starts a program where it sees neither the run directory nor the suite, and no other process.

By `unshare` of util-linux, within a user namespace of its own, so that no rights are needed. An
empty folder is mounted over each hidden one. A second namespace within the first takes the program
the right to unmount it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from ...errors import SettingsError

_NAMESPACES: Final = (
    "--user",
    "--map-root-user",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
)
_SCRIPT: Final = """
count=$1; user=$2; group=$3; shift 3
while [ "$count" -gt 0 ]; do
    mount -t tmpfs -o ro,size=4k,mode=0555 hidden "$1" || exit 126
    shift; count=$((count - 1))
done
exec unshare --user --mount --map-user="$user" --map-group="$group" -- "$@"
"""
_SECONDS: Final = 10.0


def isolated(command: Sequence[str], *, cwd: Path, hidden: Sequence[Path]) -> tuple[str, ...]:
    """The command that starts ``command`` without a view of ``hidden``.

    `SettingsError` if it needs what is to be hidden.
    """
    folders = [folder.resolve() for folder in hidden if folder.is_dir()]
    needed = (cwd, Path(command[0]))
    for folder in folders:
        for path in needed:
            if path.resolve().is_relative_to(folder):
                raise SettingsError(
                    f"isolate = true hides {folder} from the program, but {path} is in it: "
                    "keep the agent's program and its cwd outside of suites and runs"
                )
    start = ["unshare", *_NAMESPACES, "--", "sh", "-c", _SCRIPT, "sh"]
    ids = [str(os.getuid()), str(os.getgid())]
    return (*start, str(len(folders)), *ids, *map(str, folders), *command)


@cache
def why_impossible() -> str:
    """Why programs cannot be isolated on this machine; empty if they can."""
    if sys.platform != "linux":
        return "it needs Linux"
    if shutil.which("unshare") is None:
        return "there is no program unshare (of util-linux)"
    trial = isolated(["true"], cwd=Path("/"), hidden=())
    try:
        done = subprocess.run(trial, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"unshare failed: {error}"
    return f"unshare failed: {done.stderr.strip()}" if done.returncode else ""
