"""A page as text, in no more characters than there is room for."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

from ...browser.observation import Observation
from ...browser.rendering import as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What a model is shown of a page.

    ``refs`` are those that occur in it: an element that was left out must not be chosen.
    """

    text: str
    refs: tuple[str, ...]
    elements_left_out: int = 0
    chars_left_out: int = 0
    """Of the page's text or HTML."""


def fit_page(seen: Observation, most: int) -> PageText:
    """The page in at most ``most`` characters.

    Elements out of view are dropped first; the page's text keeps two fifths of the room.
    """
    if seen.html:
        return _fit_html(seen, most)
    whole = as_text(seen)
    if len(whole) <= most:
        return PageText(text=whole, refs=_refs(seen))
    return _fit_elements(seen, most)


def _fit_html(seen: Observation, most: int) -> PageText:
    bare = replace(seen, elements=(), html="", left_out=0)
    head = as_text(bare).partition("Elements:\n")[0]
    html = _clipped(seen.html, most - len(head))
    return PageText(
        text=head + html,
        refs=_refs(seen, within=html),
        chars_left_out=max(0, len(seen.html) - len(html.rpartition("\n")[0])),
    )


def _fit_elements(seen: Observation, most: int) -> PageText:
    number = len(seen.elements)
    in_view_first = sorted(range(number), key=lambda at: (not seen.elements[at].in_view, at))

    def with_elements(count: int, text: str) -> Observation:
        kept = tuple(seen.elements[at] for at in sorted(in_view_first[:count]))
        return replace(seen, elements=kept, text=text, left_out=seen.left_out + number - count)

    def length(count: int) -> int:
        return len(as_text(with_elements(count, text)))

    text = _clipped(seen.text, most * 2 // 5)
    # The length grows with the number of elements, so the greatest that fits can be bisected.
    count = max(0, bisect_right(range(number + 1), most, key=length) - 1)
    rest = most - len(as_text(with_elements(count, "")))
    text = _clipped(seen.text, max(rest, len(text)))
    shown = _clipped(as_text(with_elements(count, text)), most)
    missing = 0
    if text != seen.text:
        missing = len(seen.text) - len(text.rpartition("\n")[0])
    return PageText(
        text=shown,
        refs=_refs(with_elements(count, ""), within=shown),
        elements_left_out=number - count,
        chars_left_out=missing,
    )


def _clipped(text: str, most: int) -> str:
    """``text``; if some of it is missing, its last line says so."""
    if len(text) <= most:
        return text
    room = max(0, most - 60)
    kept = text[:room]
    whole_lines = kept.rpartition("\n")[0]
    if len(whole_lines) > room // 2:
        kept = whole_lines
    return f"{kept}\n[{len(text) - len(kept)} more characters are not shown]"


def _refs(seen: Observation, within: str | None = None) -> tuple[str, ...]:
    """The refs that can be chosen; with ``within``, only those that occur there as a word."""
    refs = [element.ref for element in seen.elements if not element.disabled]
    refs += [panel.ref for panel in seen.panels]
    if within is not None:
        # Not a plain search: "e1" is part of "e12".
        words = set(re.findall(r"[A-Za-z0-9_-]+", within))
        refs = [ref for ref in refs if ref in words]
    return tuple(dict.fromkeys(refs))
