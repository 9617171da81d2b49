"""Makes any text fit for files, reports and the wire: one place for all strings that come from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

# Lone surrogates, the C0 and C1 controls that XML 1.0 forbids or that terminals obey, and non-characters.
_UNFIT: Final = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_REPLACEMENT: Final = "\ufffd"


def scrub(text: str) -> str:
    """``text`` with every character that a strict XML parser or a UTF-8 encoder refuses replaced by U+FFFD."""
    return _UNFIT.sub(_REPLACEMENT, text)


def scrub_deep(value: Any) -> Any:
    """The same for all strings within JSON-like data, keys included."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Mapping):
        return {scrub(str(key)): scrub_deep(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [scrub_deep(one) for one in value]
    return value
