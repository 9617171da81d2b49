"""Whether the judged page was reached the way that the task asks for."""

from __future__ import annotations

from typing import Any, ClassVar, Final, NamedTuple
from urllib.parse import urlsplit

from pydantic import Field

from ...errors import RuleError
from ...evidence.models import HowOpened
from ..address import AddressPattern, address_issues
from ..base import Issue, Metric, Value, as_list
from ..route import How

_BY_HAND: Final[list[How]] = ["click", "input"]
_AGAIN: Final = (HowOpened.BACK_FORWARD, HowOpened.RELOAD)


class CameFrom(Metric):
    """The judged page was opened, by a click, from a page that matches.

    ``expected`` is an address pattern, or a list of them any of which will do. What counts is the
    page on which the click was made, in whatever tab: the last list before the item, and not one
    that was left again. Going back and reloading lead to a page that was opened before, so they
    keep the way by which it was opened then. Going to another place in a page, as with
    ``#reviews``, does not open another page.

    With `page`, another page than the final one is judged: the last that matches and was opened
    from elsewhere, so not from a page that matches, too, or from one in `via`. With `parent`, the
    address of that page is also one level above that of the final page.
    """

    name: ClassVar[str] = "came_from"
    how: list[How] = Field(_BY_HAND, min_length=1, description="ways that count as a click")
    via: list[Any] = Field(
        [], description="address patterns of pages that may lie in between, such as a redirect"
    )
    page: Any = Field(
        None, description="address pattern, or a list, of the page to judge instead of the final"
    )
    parent: bool = Field(
        False, description="`page` counts only one level above the final page's address"
    )

    def issues(self, expected: Value) -> list[Issue]:
        wanted = as_list(expected)
        if not wanted:
            return [Issue("must be an address pattern or a list of them")]
        found = []
        for index, pattern in enumerate(wanted):
            at = (index,) if isinstance(expected, list) else ()
            found += address_issues(pattern, at)
        for name, patterns in {"via": self.via, "page": self._own}.items():
            for pattern in patterns:
                said = address_issues(pattern)
                found += [Issue(f"option {name}: {issue.what}") for issue in said]
        return found

    @property
    def _own(self) -> list[Any]:
        return [] if self.page is None else as_list(self.page)

    def score(self, result: Value, expected: Value) -> float:
        return float(self.item(result, expected) is not None)

    def item(self, result: Value, expected: Value) -> int | None:
        """The number of the page that was opened from the list; None if none was."""
        if issues := self.issues(expected):
            raise RuleError(f"expected {issues[0].what}")
        pages = _pages(result)
        judged = self._judged(pages)
        if judged is None:
            return None
        return self._first_from(_patterns(as_list(expected)), judged, pages)

    def _judged(self, pages: dict[int, _Page]) -> _Page | None:
        final = next((page for page in pages.values() if page.final), None)
        if self.page is None or final is None:
            return final
        own = _patterns(self._own)
        inside = own + _patterns(self.via)
        judged = None
        for page in pages.values():
            opener = pages.get(page.opener or 0)
            from_inside = opener is not None and _matches(opener.url, inside)
            level = not self.parent or _is_parent(page.url, final.url)
            if page.how not in _AGAIN and not from_inside and level and _matches(page.url, own):
                judged = page
        return judged

    def _first_from(
        self, wanted: list[AddressPattern], judged: _Page, pages: dict[int, _Page]
    ) -> int | None:
        via = _patterns(self.via)
        page = judged
        for _ in pages:
            page = _as_first_opened(page, pages)
            opener = pages.get(page.opener or 0)
            if opener is None:
                return None
            clicked = page.how in self.how
            if clicked and _matches(opener.url, wanted):
                return page.number
            passed = clicked or page.how is HowOpened.SCRIPT
            if not _is_part(page.url, opener.url) and not (passed and _matches(opener.url, via)):
                return None
            page = opener
        return None


class _Page(NamedTuple):
    number: int
    tab: int
    url: str
    how: HowOpened
    opener: int | None
    final: bool


def _pages(result: Value) -> dict[int, _Page]:
    """What the getter `pages_seen` gives, by number; empty if it is something else."""
    try:
        return {
            one["number"]: _Page(
                number=one["number"],
                tab=one.get("tab", 0),
                url=one["url"],
                how=HowOpened(one["how"]),
                opener=one.get("from"),
                final=one.get("final", False),
            )
            for one in result
        }
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}


def _as_first_opened(page: _Page, pages: dict[int, _Page]) -> _Page:
    """The same page before somebody came back to it or loaded it again."""
    if page.how not in _AGAIN:
        return page
    for number in sorted(pages, reverse=True):
        earlier = pages[number]
        known = earlier.how not in _AGAIN
        if number < page.number and known and (earlier.tab, earlier.url) == (page.tab, page.url):
            return earlier
    return page


def _is_part(url: str, other: str) -> bool:
    """Whether both are places in one page; what begins with ``/`` or ``!`` is a page by itself."""
    page, _, place = url.partition("#")
    same_page, _, another = other.partition("#")
    return (
        page == same_page
        and not place.startswith(("/", "!"))
        and not another.startswith(("/", "!"))
    )


def _is_parent(url: str, other: str) -> bool:
    """Whether ``other`` is one level below ``url``, whatever their parameters."""
    above, below = urlsplit(url), urlsplit(other)
    parent = below.path.rstrip("/").rpartition("/")[0]
    return above.netloc == below.netloc and above.path.rstrip("/") == parent


def _patterns(expected: list[Any]) -> list[AddressPattern]:
    return [
        AddressPattern.model_validate({"path": one} if isinstance(one, str) else one)
        for one in expected
    ]


def _matches(url: str, patterns: list[AddressPattern]) -> bool:
    return any(pattern.holds(url) for pattern in patterns)
