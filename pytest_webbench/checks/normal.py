"""Texts, numbers and patterns in comparable form."""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

from ..errors import RuleError
from .base import MISSING, Value

PATTERN_SECONDS: Final = 1.0
"""How long one pattern may search one text; longer is a broken check, not a miss."""

_FOLD: Final = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "\u200b": "", "\ufeff": "", "\u00ad": "",
    }
)  # fmt: skip

_SPACE: Final = regex.compile(r"\s+")
_NUMBER: Final = regex.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[+-]?\.\d+")


def text(value: Value, *, case_sensitive: bool = False) -> str:
    """``value`` as comparable text: NFKC, quotes and dashes folded, white space collapsed, case folded."""
    string = "" if value is MISSING or value is None else value if isinstance(value, str) else str(value)
    string = unicodedata.normalize("NFKC", string).translate(_FOLD)
    string = _SPACE.sub(" ", string).strip()
    return string if case_sensitive else string.casefold()


def number(value: Value) -> float | None:
    """``value`` as a number, if all of it is one (``1,234.5`` is, ``1,2345`` and ``12 kg`` are not)."""
    if isinstance(value, bool) or value is MISSING or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    string = text(value)
    return float(string.replace(",", "")) if isinstance(value, str) and _NUMBER.fullmatch(string) else None


def numbers_in(string: str) -> list[float]:
    """Every number that stands in a text, left to right."""
    return [float(match.group().replace(",", "")) for match in _NUMBER.finditer(text(string))]


def found(pattern: str, string: str, *, case_sensitive: bool = False) -> bool:
    """Whether ``pattern`` is found in ``string``; `RuleError` if it is malformed or takes too long."""
    flags = 0 if case_sensitive else regex.IGNORECASE
    try:
        return regex.search(pattern, string, flags, timeout=PATTERN_SECONDS) is not None
    except regex.error as error:
        raise RuleError(f"bad pattern {pattern!r}: {error}") from error
    except TimeoutError as error:
        raise RuleError(f"pattern {pattern!r} searched for more than {PATTERN_SECONDS:g} s") from error
