"""Archived final pages as HTML that can be shown in a frame: what they looked like, without anything that acts.

Four fences, each of which is enough: nh3 keeps nothing but harmless elements and attributes; the page's own policy
forbids scripts and every request; the report shows it in a sandboxed frame; and its policy keeps that frame at home.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from email import message_from_bytes
from email.message import Message
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import nh3

_MOST_BYTES: Final = 8_000_000
_MOST_IMAGE_BYTES: Final = 300_000
_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_TAGS: Final = nh3.ALLOWED_TAGS | {
    "address", "button", "dialog", "fieldset", "form", "input", "label", "legend", "main", "meter", "optgroup",
    "option", "output", "picture", "progress", "section", "select", "slot", "textarea",
}  # fmt: skip
_ATTRIBUTES: Final = frozenset({
    "alt", "checked", "class", "colspan", "cols", "dir", "disabled", "for", "height", "hidden", "id", "label", "lang",
    "max", "min", "open", "placeholder", "role", "rows", "rowspan", "selected", "size", "style", "title", "type",
    "value", "width",
})  # fmt: skip


def safe_page(archive: Path) -> str | None:
    """A page's archive (MHTML) as harmless HTML; None if there is none, or it is too large or broken."""
    try:
        if archive.stat().st_size > _MOST_BYTES:
            return None
        message = message_from_bytes(archive.read_bytes())
    except OSError:
        return None
    parts = [part for part in message.walk() if not part.is_multipart()]
    root = next((part for part in parts if part.get_content_type() == "text/html"), None)
    if root is None:
        return None
    html = _text(root)
    sheets = [_text(part) for part in parts if part.get_content_type() == "text/css" and _is_named(part, html)]
    images = {address: part for part in parts if part.get_content_type() in _IMAGES for address in _addresses(part)}
    body = (_with_images(images) if images else _without_images()).clean(html)
    return (
        f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>Archived page</title><style>{_sheet(sheets)}</style><body{_body_class(html)}>{body}\n"
    )


def _with_images(images: Mapping[str, Message]) -> nh3.Cleaner:
    """Pictures that the archive holds become part of the page; all others go."""

    def source(tag: str, attribute: str, value: str) -> str | None:
        return _data_address(images.get(value)) if (tag, attribute) == ("img", "src") else value

    return _cleaner({"*": set(_ATTRIBUTES), "img": {"src"}}, source)


@cache
def _without_images() -> nh3.Cleaner:
    return _cleaner({"*": set(_ATTRIBUTES)}, None)


def _cleaner(
    attributes: dict[str, set[str]], attribute_filter: Callable[[str, str, str], str | None] | None
) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(_TAGS),
        clean_content_tags={"script", "style", "title", "iframe", "noscript", "svg", "math"},
        attributes=attributes,
        attribute_filter=attribute_filter,
        generic_attribute_prefixes={"aria-", "data-"},
        url_schemes={"http", "https", "cid", "data"},
        link_rel=None,
    )


def _sheet(sheets: list[str]) -> str:
    """Styles as the content of one element that they cannot end."""
    return re.sub(r"<(?=[/!A-Za-z])", r"\\3c ", "\n".join(sheets))


def _body_class(html: str) -> str:
    """The ``class`` of the body, which a fragment does not have: styles may hang on it."""
    body = re.search(r"<body\b[^>]{0,2000}?\sclass=\"([^\"]{0,1000})\"", html)
    return f' class="{escape(body[1])}"' if body else ""


def _is_named(part: Message, html: str) -> bool:
    return any(escape(address) in html or address in html for address in _addresses(part))


def _addresses(part: Message) -> list[str]:
    own = str(part.get("Content-ID", "")).strip("<> ")
    return [address for address in (str(part.get("Content-Location", "")).strip(), own and f"cid:{own}") if address]


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _data_address(part: Message | None) -> str | None:
    content = part.get_payload(decode=True) if part is not None else None
    if part is None or not isinstance(content, bytes) or len(content) > _MOST_IMAGE_BYTES:
        return None
    return f"data:{part.get_content_type()};base64,{base64.b64encode(content).decode('ascii')}"
