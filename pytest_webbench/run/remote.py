"""Run directories elsewhere, by address: what is needed of them is copied here first.

Needs the extra ``pytest-webbench[fsspec]``, and for most services a package of theirs.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from pathlib import Path, PurePosixPath
from typing import Any, Final

from .._files import LARGEST_COPIED, copy_within, names_within, storing
from ..errors import SettingsError, StoreError
from .directory import RunDir

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:::|://).+")
_SMALL: Final = re.compile(r"(?:run\.json|notes\.jsonl|ledger/[^/]+\.jsonl)")
_UNWANTED: Final = re.compile(
    r"(?:report(?:-with-[^/]+)?|locks)/.*|episodes/[^/]+/[^/]+\.partial/.*|\..*"
)
"""Reports and locks, which are made anew here; and what a killed process left."""


def is_url(name: str) -> bool:
    """Whether this names a run by an address such as ``s3://bucket/runs/demo``."""
    return _URL.fullmatch(name) is not None


def open_run(url: str, *, episodes: bool = False) -> RunDir:
    """A copy of the run at ``url`` that lasts as long as this process.

    Its ``episodes`` are copied only if asked for. If there is no run, one that does not exist is
    returned. `SettingsError` if nothing here can read such addresses, `StoreError` if reading
    fails.
    """
    folder = Path(tempfile.mkdtemp(prefix="webbench-run-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    run = RunDir(folder / tag_of(url))
    _fetch(url, run.path, episodes=episodes)
    return run


def keep_run(url: str, runs: Path) -> RunDir:
    """A whole copy of the run at ``url`` below ``runs``, to be kept.

    `SettingsError` if that tag is taken; other errors as for `open_run`.
    """
    run = RunDir.for_tag(runs, tag_of(url))
    if run.path.exists():
        raise SettingsError(
            f"{shown(url)} would be copied to {run.path}, which exists: "
            "name that, or delete it first"
        )
    # Renamed when it is complete: half a copy would look like a run.
    partial = run.path.with_name(f"{run.path.name}.partial")
    with storing(run.path):
        shutil.rmtree(partial, ignore_errors=True)
        _fetch(url, partial, episodes=True)
        if partial.exists():
            partial.rename(run.path)
    return run


def matching(url: str) -> list[str]:
    """Addresses of the folders that match ``url``, which has ``*`` in it; errors as `open_run`."""
    system, pattern = _connect(url)
    try:
        return [str(system.unstrip_protocol(path)) for path in sorted(system.glob(pattern))]
    except Exception as error:  # every service has errors of its own
        raise _unreadable(url, "read", error) from error


def tag_of(url: str) -> str:
    """Last part of the address."""
    return PurePosixPath(url.rstrip("/")).name


def shown(url: str) -> str:
    """An address without user name and password."""
    return re.sub(r"//[^/@]*@", "//", url)


def _fetch(url: str, target: Path, *, episodes: bool) -> None:
    system, root = _connect(url)
    if "file" in system.protocol:
        _copy(Path(root), target, episodes=episodes)
        return
    try:
        names = [
            _below(root, path)
            for path, facts in system.find(root, detail=True).items()
            if facts.get("type") == "file" and (facts.get("size") or 0) <= LARGEST_COPIED
        ]
        wanted = [name for name in names if _is_wanted(name, episodes=episodes)]
        if "run.json" not in wanted:
            return
        for name in wanted:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
        # In one call, so that services which can fetch many files at once do so.
        system.get([f"{root}/{name}" for name in wanted], [str(target / name) for name in wanted])
    except FileNotFoundError:
        return
    except Exception as error:  # every service has errors of its own
        raise _unreadable(url, "read", error) from error


def _copy(root: Path, target: Path, *, episodes: bool) -> None:
    """The same for a folder of this machine, which may hold links, pipes and devices."""
    wanted = [name for name in names_within(root) if _is_wanted(name, episodes=episodes)]
    if "run.json" in wanted:
        for name in wanted:
            copy_within(root, target, name)


def _connect(url: str) -> tuple[Any, str]:
    try:
        import fsspec  # an extra, which few have installed
    except ImportError as error:
        raise SettingsError(
            f"{shown(url)}: to read runs elsewhere, pip install 'pytest-webbench[fsspec]'"
        ) from error
    try:
        system, root = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise SettingsError(f"{shown(url)} cannot be opened: {error}") from error
    except Exception as error:  # every service has errors of its own
        raise _unreadable(url, "opened", error) from error
    return system, root.rstrip("/")


def _unreadable(url: str, what: str, error: Exception) -> StoreError:
    return StoreError(f"{shown(url)} cannot be {what}: {type(error).__name__}: {error}")


def _below(root: str, path: str) -> str:
    return path.removeprefix(root).lstrip("/")


def _is_wanted(name: str, *, episodes: bool) -> bool:
    parts = name.split("/")
    # Names come from elsewhere: none may lead out of the folder.
    if not name or ".." in parts or "" in parts or "\\" in name or "\0" in name:
        return False
    if _SMALL.fullmatch(name):
        return True
    return episodes and _UNWANTED.fullmatch(name) is None
