"""How many episodes ask one endpoint at a time, over all workers of this machine."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from .directory import storing
from .gate import digest

LOOK_AGAIN_SECONDS: Final = 0.2


class Slots:
    """Lock files in ``folder``. The system frees them when a process ends, however that comes."""

    def __init__(self, folder: Path, sleep: Callable[[float], None] = time.sleep) -> None:
        self._folder, self._sleep = folder, sleep

    @contextmanager
    def take(self, name: str, count: int | None) -> Iterator[None]:
        """One of ``count`` slots, waited for if need be; without a count there is nothing to wait for."""
        if count is None:
            yield
            return
        with storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        lock = self._acquire(name, count)
        try:
            yield
        finally:
            lock.release()

    def _acquire(self, name: str, count: int) -> FileLock:
        locks = [FileLock(self._folder / f"{digest(name)}.{number}.lock") for number in range(count)]
        while True:
            for lock in locks:
                try:
                    lock.acquire(blocking=False)
                except Timeout:
                    continue
                return lock
            self._sleep(LOOK_AGAIN_SECONDS * random.uniform(0.5, 1.5))
