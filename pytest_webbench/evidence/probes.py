"""The script that reads a page, the same for a page that is open and for its archived copy."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def script() -> str:
    """An expression whose value has the functions ``read`` and ``collect`` (see ``probes.js``)."""
    return (Path(__file__).parent / "probes.js").read_text(encoding="utf-8").strip().removesuffix(";")
