"""The page in words, in no more characters than there is room for."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

from ...browser.observation import Observation
from ...browser.rendering import as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is told of a page. ``refs`` are those that occur in it: what was left out is not to be chosen."""

    text: str
    refs: tuple[str, ...]
    elements_left_out: int = 0
    chars_left_out: int = 0
    """Of the page's text or HTML."""


def page_in_words(seen: Observation, most: int) -> Words:
    """At most ``most`` characters. Elements out of view go first; the text keeps two fifths of the room."""
    if seen.html:
        return _html(seen, most)
    if len(whole := as_text(seen)) <= most:
        return Words(text=whole, refs=_refs(seen))
    return _fitted(seen, most)


def _html(seen: Observation, most: int) -> Words:
    head = as_text(replace(seen, elements=(), html="", left_out=0)).partition("Elements:\n")[0]
    html = _clipped(seen.html, most - len(head))
    return Words(
        text=head + html,
        refs=_refs(seen, within=html),
        chars_left_out=max(0, len(seen.html) - len(html.rpartition("\n")[0])),
    )


def _fitted(seen: Observation, most: int) -> Words:
    number = len(seen.elements)
    by_use = sorted(range(number), key=lambda at: (not seen.elements[at].in_view, at))

    def with_elements(count: int, text: str) -> Observation:
        kept = tuple(seen.elements[at] for at in sorted(by_use[:count]))
        return replace(seen, elements=kept, text=text, left_out=seen.left_out + number - count)

    text = _clipped(seen.text, most * 2 // 5)
    count = max(
        0, bisect_right(range(number + 1), most, key=lambda count: len(as_text(with_elements(count, text)))) - 1
    )
    rest = most - len(as_text(with_elements(count, "")))
    text = _clipped(seen.text, max(rest, len(text)))
    told = _clipped(as_text(with_elements(count, text)), most)
    return Words(
        text=told,
        refs=_refs(with_elements(count, ""), within=told),
        elements_left_out=number - count,
        chars_left_out=0 if text == seen.text else len(seen.text) - len(text.rpartition("\n")[0]),
    )


def _clipped(text: str, most: int) -> str:
    """``text``, with a line at its end that says so if some of it is missing."""
    if len(text) <= most:
        return text
    room = max(0, most - 60)
    kept = text[:room]
    whole = kept.rpartition("\n")[0]
    kept = whole if len(whole) > room // 2 else kept
    return f"{kept}\n[{len(text) - len(kept)} more characters are not shown]"


def _refs(seen: Observation, within: str | None = None) -> tuple[str, ...]:
    known = [element.ref for element in seen.elements if not element.disabled]
    known += [panel.ref for panel in seen.panels]
    words = None if within is None else set(re.findall(r"[A-Za-z0-9_-]+", within))
    return tuple(dict.fromkeys(ref for ref in known if words is None or ref in words))
