"""Data as script files: a page opened from disk may load scripts, but not read other files.

Texts of pages and agents are in it. They stay inside one JSON string, which the report hands to ``JSON.parse``: nothing
in it can end a script, and no member name has a meaning.
"""

from __future__ import annotations

import json
from typing import Any, Final

_ESCAPES: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def script_of(name: str, data: Any) -> str:
    """A script file that hands ``data`` to the report under ``name``."""
    return f"webbench({as_literal(name)}, {as_literal(compact(data))});\n"


def compact(data: Any) -> str:
    """JSON without spaces; a number that JSON does not have is refused with a ``ValueError``."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def as_literal(text: str) -> str:
    """``text`` as a JavaScript string that may stand in a script, even in one inside of HTML."""
    literal = json.dumps(text, ensure_ascii=False)
    for character, escape in _ESCAPES.items():
        literal = literal.replace(character, escape)
    return literal


def clipped(text: str, most: int) -> str:
    """The beginning of a text that may be far too long for a report, and how much was left out."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} more characters)"
