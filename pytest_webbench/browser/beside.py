"""Work that waits for the browser while the agent's own calls go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import greenlet


def beside(work: Callable[[], None]) -> None:
    """Does work that waits for the browser while the next call of the main program waits, as event handlers do."""
    asyncio.get_running_loop().call_soon(lambda: greenlet.greenlet(work).switch())
