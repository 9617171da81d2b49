"""The script that reads a page, the same for a page that is open and for its archived copy."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ..browser.page_scripts import bundle
from ..checks import Probe


def questions(probes: Iterable[Probe]) -> str:
    """What ``collect`` is to answer, as JSON."""
    return json.dumps([{"name": probe.name, "arguments": probe.arguments} for probe in probes])


@cache
def script() -> str:
    """An expression whose value has the function ``collect`` and others (see ``probes.js``)."""
    source = (Path(__file__).parent / "probes.js").read_text(encoding="utf-8")
    return bundle("dom", result=f"({source.strip().removesuffix(';')})")
