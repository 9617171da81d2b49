"""Where each tab has been. The browser lists only the last 50 entries of a tab's history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

MOST_LISTED: Final = 50
"""Entries that Chromium keeps; of a longer history it forgets the oldest."""
_MOST_PASSED: Final = 5_000


class Passed(NamedTuple):
    """An address that a tab showed."""

    url: str
    typed: bool = False
    """Opened by address, not by a page."""


class TabHistory:
    """Notes every address of every tab, in order, as the browser's events tell of it."""

    def __init__(self) -> None:
        self._passed: defaultdict[Any, list[Passed]] = defaultdict(list)

    def shows(self, tab: Any, url: str, *, typed: bool = False) -> None:
        """A tab shows another address."""
        if len(self._passed[tab]) < _MOST_PASSED:
            self._passed[tab].append(Passed(url, typed))

    def frame_moves(self, tab: Any) -> None:
        """A frame within a tab shows another address: the tab's own may be listed once more."""
        if self._passed[tab]:
            self.shows(tab, self._passed[tab][-1].url)

    def forgotten(self, tab: Any, listed: Sequence[str]) -> list[Passed] | None:
        """What was there before the addresses that the browser still lists.

        None if that is not known: not all of them were noted.
        """
        if len(listed) < MOST_LISTED:
            return []
        passed = self._passed[tab]
        place = len(passed)
        for url in reversed(listed):
            place -= 1
            while place >= 0 and passed[place].url != url:
                place -= 1  # a visit by going back, or an address that was replaced
        return passed[:place] if place >= 0 else None
