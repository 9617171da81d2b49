"""Addresses of a site's own pages."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request


def with_params(request: Request, **changes: Any) -> str:
    """This page's path and query with some query parameters changed: for links to another page.

    None removes a parameter, a list repeats it. On ``/list?q=emma&page=2``,
    ``with_params(request, page=3)`` is ``/list?q=emma&page=3``.
    """
    given = request.query_params.multi_items()
    pairs = [(key, value) for key, value in given if key not in changes]
    for key, value in changes.items():
        if value is None:
            continue
        values = value if isinstance(value, list) else [value]
        pairs += [(key, str(one)) for one in values]
    return f"{request.url.path}?{urlencode(pairs)}" if pairs else request.url.path


def slugify(text: str) -> str:
    """A title as it stands in a URL.

    >>> slugify("Redis Object Cache")
    'redis-object-cache'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")
