"""``index.html``: styles and program of the report in one file, with a policy that lets nothing else run.

Only scripts whose hash stands in the policy run, and those that they load; so no text of a page, an agent or a note can
become one, whatever happens to it.
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
    "dom.js", "store.js", "charts.js", "overview.js", "matrix.js", "player.js", "checks.js", "journal.js", "episode.js",
    "notes.js", "compare.js", "main.js",
)  # fmt: skip


def index_html(title: str, token: str = "") -> str:
    """The page. ``token`` goes with every change sent to the server; empty: there is no server, so no forms."""
    style, program = _asset("report.css"), "\n".join(("'use strict';(() => {", *map(_asset, _SCRIPTS), "})();"))
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(program)}' 'strict-dynamic'",
            f"style-src '{_hash(style)}'",
            "img-src 'self' file:",
            "frame-src 'self' file:",
            "connect-src 'self'" if token else "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    fields = {
        "POLICY": escape(policy),
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
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
