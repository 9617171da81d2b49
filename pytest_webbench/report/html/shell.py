"""``index.html``: styles and program of the report in one file; its policy lets nothing else run.

Only scripts whose hash is in the policy run, and those that they load; so no text of a page, an
agent or a note can become one, whatever happens to it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

_SCRIPTS: Final = (
    "dom.js",
    "format.js",
    "store.js",
    "plots.js",
    "rates.js",
    "histogram.js",
    "timeline.js",
    "charts.js",
    "overview.js",
    "subsets.js",
    "selection.js",
    "tasks.js",
    "grid.js",
    "steps.js",
    "player.js",
    "difference.js",
    "checks.js",
    "journal.js",
    "evidence.js",
    "recorded.js",
    "episode.js",
    "notes.js",
    "compare.js",
    "alignment.js",
    "diff.js",
    "router.js",
    "keys.js",
    "theme.js",
    "main.js",
)
"""In this order: all become one program."""


def index_html(title: str, token: str = "") -> str:
    """The page.

    ``token`` goes with every change sent to the server. Without one there is no server, and the
    page has no forms.
    """
    style = _asset("report.css")
    program = "\n".join(("'use strict';(() => {", *map(_asset, _SCRIPTS), "})();"))
    directives = (
        "default-src 'none'",
        # The program loads its data as scripts, which only it may do.
        f"script-src '{_hash(program)}' 'strict-dynamic'",
        f"style-src '{_hash(style)}'",
        # A page opened from disk has no origin, so 'self' is not enough.
        "img-src 'self' file:",
        "frame-src 'self' file:",
        "connect-src 'self'" if token else "connect-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    fields = {
        "POLICY": escape("; ".join(directives)),
        "TITLE": escape(title),
        "TOKEN": escape(token),
        "STYLE": style,
        "PROGRAM": program,
    }
    return re.sub(r"%([A-Z]+)%", lambda found: fields[found[1]], _asset("index.html"))


@cache
def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    hashed = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(hashed).decode('ascii')}"
