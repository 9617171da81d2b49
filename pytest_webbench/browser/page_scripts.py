"""Our scripts for pages, each put together from modules of one topic.

A module is a file of ``scripts/``. It begins with a line that says what it is about and declares
constants and functions at its top level. Modules that are put together share one scope, so that a
page's document is compiled and walked by one script, with no loader in between.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent / "scripts"
OBSERVER: Final = (
    "dom",
    "text",
    "roles",
    "names",
    "interest",
    "places",
    "html",
    "walk",
    "refs",
    "elements",
    "look",
    "paths",
    "targets",
    "scrolling",
    "quiet",
    "recorded",
    "search",
    "observer",
)
"""Modules of the script that looks at pages, each after those that it uses while it is loaded."""
RECORDER: Final = ("dom", "recorded", "pointer", "recorder", "pages_seen", "recording")
"""Modules of the script that records input and which pages are shown."""


@cache
def bundle(*modules: str, result: str) -> str:
    """An expression that runs modules in a scope of their own and has the value of ``result``."""
    parts = [(_FOLDER / f"{module}.js").read_text(encoding="utf-8") for module in modules]
    return "\n".join(("(() => {", *parts, f"return {result};", "})()"))
