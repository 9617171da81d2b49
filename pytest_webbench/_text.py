"""Texts made fit for files, reports and the wire, and cut to a length that can be shown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

# Lone surrogates, the C0 and C1 controls that XML 1.0 forbids or that terminals obey, and
# non-characters.
_UNFIT: Final = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_REPLACEMENT: Final = "\ufffd"


def sanitize(text: str) -> str:
    """``text`` with U+FFFD for every character that an XML parser or a UTF-8 encoder refuses."""
    return _UNFIT.sub(_REPLACEMENT, text)


def sanitize_deep(value: Any) -> Any:
    """The same for all strings within JSON-like data, keys included."""
    if isinstance(value, str):
        return sanitize(value)
    if isinstance(value, Mapping):
        return {sanitize(str(key)): sanitize_deep(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [sanitize_deep(one) for one in value]
    return value


# Left-to-right marks and embeddings, overrides and isolates: they make a text look like another.
_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Everything but "\n" that ends a line somewhere.
_BREAKS: Final = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
# What CI servers obey: GitHub ``::error::`` at the start of a line, and ``##[error]``; Azure
# ``##vso[``, TeamCity ``##teamcity[``.
_COMMAND: Final = re.compile(r"^(?=\s*::)", re.MULTILINE)
_MARKED_COMMAND: Final = re.compile(r"##(?=[a-z]*\[)", re.IGNORECASE)
BREAK: Final = " \u23ce "
"""Stands for a line break where none may be."""


def harmless(text: str) -> str:
    """``text`` as it may be printed, whoever wrote it.

    Terminals and CI servers find nothing in it that they obey, and it looks like what it is: only
    a line feed breaks a line, and marks that turn the direction of writing are written out.
    """
    text = sanitize(_BREAKS.sub(BREAK, text))
    text = _BIDI.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)
    return _COMMAND.sub("| ", _MARKED_COMMAND.sub("# #", text))


def one_line(text: str) -> str:
    """The same on one line, without empty ones."""
    lines = [line.strip() for line in _BREAKS.sub("\n", text).split("\n")]
    return harmless(BREAK.join(filter(None, lines)))


def clip(text: str, most: int) -> str:
    """``text`` in at most ``most`` characters, the last of which is an ellipsis if it was cut."""
    return text if len(text) <= most else text[: most - 1] + "…"


def clip_middle(text: str, most: int) -> str:
    """``text``; of a longer one, its beginning and its end with a note between them."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"


def listed(lines: Sequence[str], most: int) -> list[str]:
    """``lines``; of more than ``most`` the first, and a last line that counts the others."""
    if len(lines) <= most + 1:
        return list(lines)
    return [*lines[:most], f"... and {len(lines) - most} more"]


def first_line(text: str) -> str:
    """The first line of ``text`` without its end; "" of an empty text."""
    return next(iter(text.splitlines()), "")
