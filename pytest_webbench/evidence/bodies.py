"""What a request sent, as data: the fields of a form, a JSON value, or text."""

from __future__ import annotations

import json
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

MOST_BYTES: Final = 20_000


class Body(NamedTuple):
    """At most one of both is there."""

    form: dict[str, list[str]] | None = None
    body: Any = None


def read_body(content_type: str, data: bytes | None) -> Body:
    """What was sent; of a body that is too long or no text only its size is told."""
    kind = content_type.partition(";")[0].strip().lower()
    if not data:
        return Body()
    if kind == "multipart/form-data" and len(data) <= MOST_BYTES:
        return Body(form=_multipart(content_type, data))
    try:
        text = data.decode() if len(data) <= MOST_BYTES else None
    except UnicodeDecodeError:
        text = None
    return Body(body=_size(data)) if text is None else _read_text(kind, text)


def _read_text(kind: str, text: str) -> Body:
    if kind == "application/x-www-form-urlencoded":
        return Body(form=parse_qs(text, keep_blank_values=True))
    if kind == "application/json" or kind.endswith("+json") or text[:1] in ("{", "["):
        try:
            return Body(body=json.loads(text))
        except (ValueError, RecursionError):
            pass  # it only looked like JSON
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
        file = part.get_filename()
        value = f"(file {file}, {_size(sent)[1:]}" if file is not None else sent.decode("utf-8", "replace")
        form.setdefault(str(name), []).append(value)
    return form


def _size(data: bytes) -> str:
    return f"({len(data)} bytes)"
