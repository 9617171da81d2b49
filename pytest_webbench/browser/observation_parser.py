"""From what the observer's script says to an `Observation`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from .observation import Choice, Element, Observation, Panel

FRAME: Final = "\ufeff"
"""Around the number of a frame in text or HTML; taken out of all texts of pages."""


def parse_observation(seen: dict[str, Any], *, elements: int, text: int) -> Observation:
    """One look of the observer's script, without what only the browser knows: tabs and history.

    At most ``elements`` elements and ``text`` characters of text.
    """
    return Observation(
        url=seen["url"],
        title=seen["title"],
        text="\n".join(seen["lines"])[:text],
        elements=tuple(_element(fields) for fields in seen["elements"][:elements]),
        panels=tuple(Panel(**fields) for fields in seen["panels"]),
        scrolled=tuple(seen["scrolled"]),
        viewport=tuple(seen["viewport"]),
        left_out=seen["leftOut"] + max(0, len(seen["elements"]) - elements),
        html=seen["html"],
    )


def _element(fields: dict[str, Any]) -> Element:
    choices = tuple(Choice(**choice) for choice in fields.get("choices", ()))
    lists = {
        "operations": tuple(fields["operations"]),
        "box": tuple(fields["box"]),
        "choices": choices,
    }
    return Element(**(fields | lists))


def insert_frames(seen: dict[str, Any], inner: Sequence[dict[str, Any] | None]) -> None:
    """Put what frames show in the place of their numbers; None for a frame that shows nothing."""
    elements: list[dict[str, Any]] = []
    for fields in seen["elements"]:
        if not isinstance(fields.get("frame"), int):
            elements.append(fields)
            continue
        shown = inner[fields["frame"]]
        if shown is not None:
            elements += shown["elements"]
            seen["leftOut"] += shown["leftOut"]
            seen["panels"] += shown["panels"]
    seen["elements"] = elements
    seen["lines"] = _with_lines_of_frames(seen["lines"], inner)
    for number, shown in enumerate(inner):
        html = shown["html"] if shown else ""
        seen["html"] = seen["html"].replace(f"{FRAME}{number}{FRAME}", html)


def _with_lines_of_frames(
    lines: Sequence[str], inner: Sequence[dict[str, Any] | None]
) -> list[str]:
    found: list[str] = []
    for line in lines:
        if not line.startswith(FRAME):
            found.append(line)
        elif shown := inner[int(line.strip(FRAME))]:
            found += shown["lines"]
    return found


_FACTS: Final = attrgetter(
    "role",
    "name",
    "tag",
    "value",
    "kind",
    "checked",
    "expanded",
    "selected",
    "disabled",
    "required",
    "focused",
    "href",
    "in_view",
    "covered",
    "frame",
)


def fingerprint(observation: Observation) -> str:
    """Digest of what is seen, positions left out."""
    choices = [
        (choice.value, choice.label, choice.selected)
        for element in observation.elements
        for choice in element.choices
    ]
    facts = [_FACTS(element) for element in observation.elements]
    seen = repr((observation.url, observation.title, observation.text, facts, choices))
    return hashlib.blake2b(seen.encode("ascii", "backslashreplace"), digest_size=16).hexdigest()
