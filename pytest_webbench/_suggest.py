"""Messages about names that do not exist, with the nearest one that does."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """``unknown metric 'url_match'; did you mean 'url_matches'?``"""
    near = difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.5)
    return f"unknown {kind} {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
