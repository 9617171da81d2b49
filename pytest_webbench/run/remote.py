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

from ..errors import SettingsError, StoreError
from .directory import RunDir, storing

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:::|://).+")
_SMALL: Final = re.compile(r"(?:run\.json|notes\.jsonl|ledger/[^/]+\.jsonl)")
_UNWANTED: Final = re.compile(r"(?:report(?:-with-[^/]+)?|locks)/.*|episodes/[^/]+/[^/]+\.partial/.*|\..*")


def is_url(name: str) -> bool:
    """Whether this names a run by an address such as ``s3://bucket/runs/demo``."""
    return _URL.fullmatch(name) is not None


def open_run(url: str, *, episodes: bool = False) -> RunDir:
    """A copy of the run at ``url`` that lasts as long as this process; with its ``episodes`` only if asked for.

    A run that does not exist if there is none. `SettingsError` if nothing here can read such addresses; `StoreError`
    if reading fails.
    """
    folder = Path(tempfile.mkdtemp(prefix="webbench-run-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    run = RunDir(folder / tag_of(url))
    _fetch(url, run.path, episodes=episodes)
    return run


def keep_run(url: str, runs: Path) -> RunDir:
    """A whole copy of the run at ``url`` below ``runs``, to be kept; `SettingsError` if that tag is taken."""
    run = RunDir.for_tag(runs, tag_of(url))
    if run.path.exists():
        raise SettingsError(f"{shown(url)} would be copied to {run.path}, which exists: name that, or delete it first")
    partial = run.path.with_name(f"{run.path.name}.partial")
    with storing(run.path):
        shutil.rmtree(partial, ignore_errors=True)
        _fetch(url, partial, episodes=True)
        if partial.exists():
            partial.rename(run.path)
    return run


def matching(url: str) -> list[str]:
    """Addresses of the folders that ``url`` with ``*`` in it stands for."""
    system, pattern = _connect(url)
    try:
        return [str(system.unstrip_protocol(path)) for path in sorted(system.glob(pattern))]
    except Exception as error:
        raise StoreError(f"{shown(url)} cannot be read: {type(error).__name__}: {error}") from error


def tag_of(url: str) -> str:
    """Last part of the address."""
    return PurePosixPath(url.rstrip("/")).name


def shown(url: str) -> str:
    """An address without user name and password."""
    return re.sub(r"//[^/@]*@", "//", url)


def _fetch(url: str, target: Path, *, episodes: bool) -> None:
    system, root = _connect(url)
    try:
        wanted = [name for path in system.find(root) if _wanted(name := _below(root, path), episodes=episodes)]
        if "run.json" not in wanted:
            return
        for name in wanted:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
        system.get([f"{root}/{name}" for name in wanted], [str(target / name) for name in wanted])
    except FileNotFoundError:
        return
    except Exception as error:  # every service has errors of its own
        raise StoreError(f"{shown(url)} cannot be read: {type(error).__name__}: {error}") from error


def _connect(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise SettingsError(f"{shown(url)}: to read runs elsewhere, pip install 'pytest-webbench[fsspec]'") from error
    try:
        system, root = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise SettingsError(f"{shown(url)} cannot be opened: {error}") from error
    except Exception as error:
        raise StoreError(f"{shown(url)} cannot be opened: {type(error).__name__}: {error}") from error
    return system, root.rstrip("/")


def _below(root: str, path: str) -> str:
    return path.removeprefix(root).lstrip("/") if path.startswith(root) else path.lstrip("/")


def _wanted(name: str, *, episodes: bool) -> bool:
    """Names come from elsewhere: none may lead out of the folder."""
    parts = name.split("/")
    if not name or ".." in parts or "" in parts or "\\" in name or "\0" in name:
        return False
    return _SMALL.fullmatch(name) is not None or (episodes and _UNWANTED.fullmatch(name) is None)
