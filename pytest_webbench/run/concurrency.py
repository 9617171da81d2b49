"""How many episodes use one thing at a time, such as an endpoint, over all workers."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .._files import storing
from .._locks import LockFile
from .backoff import file_name_of
from .waiting_line import WaitingLine

LOOK_AGAIN_SECONDS: Final = 0.2


class ConcurrencyLimit:
    """A lock file in ``folder`` for each episode that may use a thing at the same time.

    Who came first is served first.
    """

    def __init__(self, folder: Path, sleep: Callable[[float], None] = time.sleep) -> None:
        self._folder, self._sleep = folder, sleep

    @contextmanager
    def take(self, thing: str, count: int | None) -> Iterator[None]:
        """Hold one of ``count`` slots of ``thing``, waiting until one is free.

        Without a ``count`` there is no limit. `StoreError` if the folder cannot be written.
        """
        if count is None:
            yield
            return
        with storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        lock = self._acquire(thing, count)
        try:
            yield
        finally:
            lock.release()

    def _acquire(self, thing: str, count: int) -> LockFile:
        name = file_name_of(thing)
        locks = [LockFile(self._folder / f"{name}.{slot}.lock") for slot in range(count)]
        with WaitingLine(self._folder, name).join() as is_first:
            while True:
                lock = self._free_one(locks) if is_first() else None
                if lock is not None:
                    return lock
                # Workers that began to wait together would otherwise ask in step for ever.
                self._sleep(LOOK_AGAIN_SECONDS * random.uniform(0.5, 1.5))

    def _free_one(self, locks: Iterable[LockFile]) -> LockFile | None:
        with storing(self._folder):
            for lock in locks:
                if lock.try_acquire():
                    return lock
        return None
