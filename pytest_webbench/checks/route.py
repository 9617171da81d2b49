"""The getter of pages that were in front: over all tabs, with how each was opened."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from ..evidence.models import Evidence, PageSeen
from .base import Getter, Value
from .events import Pattern
from .normal import found

How = Literal["start", "click", "input", "typed", "script", "back_forward", "reload"]
"""A way in which a page was opened; the values of `HowOpened`, as task files write them."""


class PagesSeen(Getter):
    """Pages that were in front in any tab, oldest first."""

    model_config = ConfigDict(serialize_by_alias=True)

    type: Literal["pages_seen"] = "pages_seen"
    url_pattern: Pattern | None = Field(None, description="only addresses in which this is found")
    how: list[How] | None = Field(None, description="only pages opened in one of these ways")
    opened_from: Pattern | None = Field(
        None, alias="from", description="only pages opened from an address in which this is found"
    )
    with_text: bool = Field(False, description="also what each page showed")

    def read(self, evidence: Evidence) -> Value:
        evidence.require_complete("pages_seen")
        by_number = {page.number: page for page in evidence.pages_seen}
        pages = []
        for page in evidence.pages_seen:
            opener = by_number.get(page.opened_from or 0)
            if self._wants(page, opener):
                pages.append(self._described(page, opener))
        return pages

    def _wants(self, page: PageSeen, opener: PageSeen | None) -> bool:
        if self.how is not None and page.how not in self.how:
            return False
        if self.url_pattern is not None and not found(self.url_pattern, page.url):
            return False
        if self.opened_from is None:
            return True
        return opener is not None and found(self.opened_from, opener.url)

    def _described(self, page: PageSeen, opener: PageSeen | None) -> dict[str, Any]:
        described: dict[str, Any] = {
            "number": page.number,
            "tab": page.tab,
            "url": page.url,
            "title": page.title,
            "how": page.how.value,
            "from": None if opener is None else opener.number,
            "final": page.final,
        }
        if page.download is not None:
            described["download"] = page.download
        if self.with_text:
            described["text"] = "\n".join(text for text in (page.text, page.text_left) if text)
        return described
