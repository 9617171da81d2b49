"""Gives orders to the process that watches this one, see `overseer`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

from . import overseer

Will = Mapping[str, Any]
"""What the overseer runs if it has to end this process, see `overseer.execute`."""


class Oversight:
    """The end of a pipe that an overseer reads."""

    def __init__(self, pipe: int, process: subprocess.Popen[bytes] | None = None) -> None:
        self._pipe, self._process = pipe, process

    @classmethod
    def start(cls) -> Self:
        """Start an overseer for this process; it ends with it."""
        reading, writing = os.pipe()
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", overseer.__file__, str(os.getpid())],
                stdin=reading,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            os.close(reading)
        return cls(writing, process)

    def watch(self, *, interrupt: float, end: float, will: Will) -> None:
        """From now on interrupt and end this process at these moments of `time.monotonic`."""
        self._order({"interrupt": interrupt, "end": end, "will": will})

    def rest(self) -> None:
        """Nothing is to be watched any more."""
        self._order({})

    def close(self) -> None:
        """End an overseer that was started for this process."""
        if self._process is not None:
            os.close(self._pipe)
            self._process.wait()

    def _order(self, order: Mapping[str, Any]) -> None:
        # A lost overseer is no reason to stop: it is needed only if everything else fails.
        with suppress(OSError):
            os.write(self._pipe, json.dumps(order).encode() + b"\n")
