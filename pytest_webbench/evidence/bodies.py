"""What a request sent, as data: the fields of a form, a JSON value, or text."""

from __future__ import annotations

import json
from contextlib import suppress
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Final, NamedTuple

from .._url import form_values

MOST_BYTES: Final = 20_000
"""Of a longer body only the size is kept."""


class Body(NamedTuple):
    """A form's fields or another body; at most one of the two is there."""

    form: dict[str, list[str]] | None = None
    body: Any = None


def read_body(content_type: str, data: bytes | None) -> Body:
    """What was sent; of a body that is too long, or not a text, only the size in bytes."""
    kind = content_type.partition(";")[0].strip().lower()
    if not data:
        return Body()
    if kind == "multipart/form-data" and len(data) <= MOST_BYTES:
        return Body(form=_multipart(content_type, data))
    if len(data) > MOST_BYTES:
        return Body(body=_size(data))
    try:
        return _read_text(kind, data.decode())
    except UnicodeDecodeError:
        return Body(body=_size(data))


def _read_text(kind: str, text: str) -> Body:
    if kind == "application/x-www-form-urlencoded":
        return Body(form=form_values(text, blanks=True))
    if kind == "application/json" or kind.endswith("+json") or text[:1] in ("{", "["):
        # What only looks like JSON is kept as text.
        with suppress(ValueError, RecursionError):
            return Body(body=json.loads(text))
    return Body(body=text)


def _multipart(content_type: str, data: bytes) -> dict[str, list[str]]:
    message = BytesParser(EmailMessage, policy=HTTP).parsebytes(
        b"content-type: " + content_type.encode("ascii", "replace") + b"\r\n\r\n" + data
    )
    form: dict[str, list[str]] = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        sent = content if isinstance(content, bytes) else b""
        value = sent.decode("utf-8", "replace")
        if (file := part.get_filename()) is not None:
            value = f"(file {file}, {len(sent)} bytes)"
        form.setdefault(str(name), []).append(value)
    return form


def _size(data: bytes) -> str:
    return f"({len(data)} bytes)"
