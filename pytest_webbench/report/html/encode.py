"""Data as script files: a page opened from disk may load scripts, but not read other files.

Texts of pages and agents are in it. They stay inside one JSON string, which the report hands to
``JSON.parse``: nothing in it can end a script, and no member name has a meaning.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that make a text look like another; the report writes them out."""
_ESCAPES: Final = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def script_of(name: str, data: Any) -> str:
    """A script file that hands ``data`` to the report under ``name``."""
    return f"webbench({as_literal(name)}, {as_literal(compact(data))});\n"


def compact(data: Any) -> str:
    """JSON without spaces; `ValueError` for a number that JSON does not have."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _BIDI.sub(lambda mark: f"\\\\u{ord(mark[0]):04x}", text)


def as_literal(text: str) -> str:
    """``text`` as a JavaScript string that may stand in a script, even in one inside of HTML."""
    literal = json.dumps(text, ensure_ascii=False)
    for character, escape in _ESCAPES.items():
        literal = literal.replace(character, escape)
    return literal


def clipped(text: str, most: int) -> str:
    """The beginning of a text that may be too long for a report, and how much was left out."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text) - most:,} more characters)"


def shown(value: Any, most: int = 2_000) -> str:
    """A value as text: strings as they are, all others as JSON."""
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return clipped(value, most)
