"""The pages of an episode, remembered for its final answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...browser.observation import Observation

MOST_REMEMBERED: Final = 24_000
"""Characters of a page that are kept."""


@dataclass(frozen=True, slots=True)
class RememberedPage:
    """What is kept of a page."""

    url: str
    title: str
    text: str

    def as_text(self) -> str:
        """The page with its title and address."""
        return f"=== {self.title} <{self.url}>\n{self.text}"


class PageMemory:
    """The newest pages of an episode.

    ``pages`` is the greatest number of them, ``page_chars`` the greatest length of each, and
    ``most_chars`` the greatest length of `as_text`, in characters.
    """

    def __init__(
        self,
        *,
        pages: int = 160,
        page_chars: int = MOST_REMEMBERED,
        most_chars: int = 180_000,
    ) -> None:
        self.most_chars = most_chars
        self._most_pages = pages
        self._page_chars = page_chars
        self._pages: list[RememberedPage] = []

    def add(self, seen: Observation) -> None:
        """Remember a page; one that is known already becomes the newest."""
        page = RememberedPage(seen.url, seen.title, seen.text[: self._page_chars])
        if page in self._pages:
            self._pages.remove(page)
        self._pages = [*self._pages, page][-self._most_pages :]

    def titles(self) -> list[str]:
        """Titles of the pages before the newest one, each once, oldest first."""
        return list(dict.fromkeys(page.title for page in self._pages[:-1]))

    def as_text(self, chars: int | None = None) -> str:
        """As many of the newest pages as fit into ``chars`` characters, oldest first."""
        room = self.most_chars if chars is None else chars
        kept: list[str] = []
        for page in reversed(self._pages):
            text = page.as_text()[:room]
            room -= len(text)
            kept.append(text)
            if room <= 0:
                break
        return "\n".join(reversed(kept))
