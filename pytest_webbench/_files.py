"""Files: read within one folder only, and written so that a reader never sees half of one."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

from .errors import StoreError

LARGEST: Final = 32_000_000
"""Bytes of a file that is read as a whole."""
LARGEST_COPIED: Final = 1_000_000_000
"""Bytes of a file that is copied, such as a trace or a video."""
_CHUNK: Final = 1_000_000


def within(root: Path, name: str) -> Path:
    """The path of a file or folder in the folder ``root``, which need not exist.

    A run directory may be a stranger's: `StoreError` if ``name`` leads out of it, or if it or a
    folder on the way to it is a link. ``root`` itself may be a link.
    """
    parts = PurePosixPath(name).parts
    if not parts or parts[0] == "/" or ".." in parts or "\0" in name:
        raise StoreError(f"{name!r} is no place in {root}: nothing outside is read or written")
    path = root.joinpath(*parts)
    try:
        followed = os.path.realpath(path)
        plain = os.path.join(os.path.realpath(root), *parts)
    except (OSError, ValueError) as error:
        raise StoreError(f"{name!r} is no name of a file in {root}: {error}") from error
    if followed != plain:
        raise StoreError(f"{path} is a link or in a linked folder; no link is followed")
    return path


@contextmanager
def open_within(root: Path, name: str, *, largest: int = LARGEST) -> Iterator[BinaryIO | None]:
    """A file in ``root``, open to be read; None if it is missing.

    `StoreError` as for `within`, if it is no regular file, or if it has more than ``largest``
    bytes. A pipe or a device is not waited for.
    """
    try:
        handle = open_regular(within(root, name), os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        yield None
        return
    except OSError as error:
        raise StoreError(f"{root / name} cannot be read: {error}") from error
    with os.fdopen(handle, "rb") as file:
        size = os.fstat(handle).st_size
        if size > largest:
            raise StoreError(f"{root / name} is not read: {size:,} bytes of at most {largest:,}")
        yield file


def open_regular(path: Path, flags: int) -> int:
    """A handle of a regular file, opened with ``flags``; a pipe or a device is not waited for.

    `OSError` if it cannot be opened or is a link, `StoreError` if it is anything else.
    """
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise StoreError(f"{path} cannot be read: it is no regular file")


def read_within(root: Path, name: str, *, largest: int = LARGEST) -> bytes | None:
    """The bytes of a file in ``root``; None if it is missing. `StoreError` as for `open_within`."""
    with open_within(root, name, largest=largest) as file:
        if file is None:
            return None
        try:
            return file.read(largest)
        except OSError as error:
            raise StoreError(f"{root / name} cannot be read: {error}") from error


def append_within(root: Path, name: str, lines: str) -> None:
    """Add lines to a file of lines in ``root``; they are on disk when this returns.

    `StoreError` as for `open_within`, or if it cannot be written.
    """
    path = within(root, name)
    # Append mode: what another process adds meanwhile is not overwritten.
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    with storing(path), os.fdopen(open_regular(path, flags), "rb+") as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            # A killed process may have left half a line: end it, or the next one would join it.
            file.seek(size - 1)
            if file.read(1) != b"\n":
                lines = "\n" + lines
        file.write(lines.encode("utf-8", "replace"))
        file.flush()
        os.fsync(file.fileno())


def remove(path: Path) -> None:
    """Remove a folder with all that is in it, or a link itself; nothing if neither is there.

    `StoreError` if that is impossible.
    """
    with storing(path):
        if path.is_symlink():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)


def names_within(root: Path, name: str = "") -> Iterator[str]:
    """The places of all that is in ``root``, or in its folder ``name``, and is no folder; in order.

    Links are named, not followed. `StoreError` if a folder cannot be read.
    """
    waiting = [name]
    while waiting:
        folder = waiting.pop()
        path = within(root, folder) if folder else root
        try:
            found = sorted(os.scandir(path), key=lambda entry: entry.name, reverse=True)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {error}") from error
        for entry in found:
            place = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(place)
            else:
                yield place


def copy_within(source: Path, target: Path, name: str) -> None:
    """Copy a file in ``source`` to the same place in ``target``; holes in it stay holes.

    `StoreError` as for `open_within`, or if it cannot be written.
    """
    with open_within(source, name, largest=LARGEST_COPIED) as original:
        if original is None:
            raise StoreError(f"{source / name} is missing")
        path = within(target, name)
        with storing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as copy:
                while chunk := original.read(_CHUNK):
                    if chunk.count(0) == len(chunk):
                        copy.seek(len(chunk), os.SEEK_CUR)
                    else:
                        copy.write(chunk)
                copy.truncate()


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Raises a `StoreError` about ``path`` for every `OSError` in the block."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error


def write_atomically(path: Path, content: str | bytes, *, flush: bool = True) -> None:
    """Write a file so that a reader sees either the old or the new content.

    A link of this name is replaced, not followed. ``flush`` waits until the content is on disk;
    files that can be made again do not need that. `StoreError` if the file cannot be written.
    """
    # In the same folder, because a rename cannot cross file systems; with the process id, because
    # several processes may write this file.
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.unlink(missing_ok=True)
        data = content.encode("utf-8", "replace") if isinstance(content, str) else content
        with temporary.open("xb") as file:
            file.write(data)
            if flush:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with storing(path):
            temporary.unlink(missing_ok=True)
        raise StoreError(f"{path} cannot be written: {error}") from error
