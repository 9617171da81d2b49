"""Archived final pages as HTML that can be shown in a frame: their looks, and nothing that acts.

Four fences, each of which is enough: nh3 keeps only harmless elements and attributes; the page's
own policy forbids scripts and every request; the report shows it in a sandboxed frame; and the
report's policy keeps that frame at home.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from email import message_from_bytes
from email.message import Message
from functools import cache
from html import escape
from typing import Final, NamedTuple

import nh3

_MOST_BYTES: Final = 8_000_000
_MOST_IMAGE_BYTES: Final = 300_000
_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})
_POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "form-action 'none'; base-uri 'none'"
)
_TAGS: Final = nh3.ALLOWED_TAGS | {
    "address",
    "button",
    "dialog",
    "fieldset",
    "form",
    "input",
    "label",
    "legend",
    "main",
    "meter",
    "optgroup",
    "option",
    "output",
    "picture",
    "progress",
    "section",
    "select",
    "slot",
    "textarea",
}
_ATTRIBUTES: Final = frozenset(
    {
        "alt",
        "checked",
        "class",
        "colspan",
        "cols",
        "dir",
        "disabled",
        "for",
        "height",
        "hidden",
        "id",
        "label",
        "lang",
        "max",
        "min",
        "open",
        "placeholder",
        "role",
        "rows",
        "rowspan",
        "selected",
        "size",
        "style",
        "title",
        "type",
        "value",
        "width",
    }
)


_PLAIN_ID: Final = re.compile(r"[\w.-]{1,100}", re.ASCII)
_RECORDED_LOOKS: Final = """
body { font: 14px/1.5 system-ui, sans-serif; margin: 16px; color: #1c2027; background: #fff }
table { border-collapse: collapse }
:where(:target:focus-visible) { outline: none }
:is(a, b, button, input, label, select, span) + :is(a, b, button, input, label, select, span) {
  margin-left: 4px
}
span:empty { display: inline-block }
td, th { padding: 2px 8px; text-align: left; vertical-align: top }
"""
"""Recordings have no style sheets."""
_MARK: Final = (
    "outline-offset: 2px; scroll-margin: 120px; min-width: 12px; min-height: 12px; "
    "border-radius: 2px; "
)
_MARKS: Final = {
    "accepted": f"outline: 2px dotted #17703c; {_MARK}",
    "target": f"outline: 3px solid #17703c; background-color: #d9f2e2; {_MARK}",
    # Another property than the target's, for one element can be both.
    "chosen": f"box-shadow: 0 0 0 5px #fff, 0 0 0 8px #2453b8; {_MARK}",
}


class _ArchivedPage(NamedTuple):
    """The parts of an archive that are of use."""

    html: str
    sheets: list[str]
    images: dict[str, Message]


def safe_page(content: bytes | None) -> str | None:
    """A page's archive (MHTML) as harmless HTML.

    None if there is none, or if it is broken or larger than 8 MB.
    """
    if content is None or len(content) > _MOST_BYTES:
        return None
    archive = _archive(message_from_bytes(content))
    if archive is None:
        return None
    cleaner = _with_images(archive.images) if archive.images else _without_images()
    head = _head("Archived page", _sheet(archive.sheets))
    body = cleaner.clean(archive.html)
    return f"{head}<body{_body_class(archive.html)}>{body}\n"


def _head(title: str, styles: str) -> str:
    return (
        '<!DOCTYPE html><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title><style>{styles}</style>"
    )


def safe_recording(content: bytes | None, marks: Iterable[tuple[str, str]]) -> str | None:
    """A recorded page (the HTML of its body) as harmless HTML, with marks.

    ``marks`` are kinds of marks, each with the id of its node. None if there is no page, or one
    larger than 8 MB.
    """
    if not content or len(content) > _MOST_BYTES:
        return None
    styles = _RECORDED_LOOKS
    for kind, node in marks:
        if _PLAIN_ID.fullmatch(node):
            styles += f'[id="node-{node}"] {{ {_MARKS[kind]} }}\n'
    body = _without_images().clean(content.decode("utf-8", "replace"))
    return f"{_head('Recorded page', styles)}<body>{body}\n"


def _archive(message: Message) -> _ArchivedPage | None:
    """None if the archive holds no page."""
    pages: list[Message] = []
    sheets: list[Message] = []
    images: dict[str, Message] = {}
    for part in message.walk():
        kind = part.get_content_type()
        if kind == "text/html":
            pages.append(part)
        elif kind == "text/css":
            sheets.append(part)
        elif kind in _IMAGES:
            images |= dict.fromkeys(_addresses(part), part)
    if not pages:
        return None
    html = _text(pages[0])
    used = [_text(sheet) for sheet in sheets if _is_named(sheet, html)]
    return _ArchivedPage(html, used, images)


def _with_images(images: Mapping[str, Message]) -> nh3.Cleaner:
    """Pictures that the archive holds become part of the page; all others go."""

    def source(tag: str, attribute: str, value: str) -> str | None:
        if (tag, attribute) == ("img", "src"):
            return _data_address(images.get(value))
        return value

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
    # A style element ends at the first ``</style`` in it, whatever that is part of: escape all that
    # could begin a tag.
    return re.sub(r"<(?=[/!A-Za-z])", r"\\3c ", "\n".join(sheets))


def _body_class(html: str) -> str:
    """The ``class`` of the body, which a fragment does not have: styles may hang on it."""
    body = re.search(r"<body\b[^>]{0,2000}?\sclass=\"([^\"]{0,1000})\"", html)
    if body is None:
        return ""
    return f' class="{escape(body[1])}"'


def _is_named(part: Message, html: str) -> bool:
    return any(escape(address) in html or address in html for address in _addresses(part))


def _addresses(part: Message) -> list[str]:
    """What the page calls a part of its archive."""
    addresses = []
    location = str(part.get("Content-Location", "")).strip()
    if location:
        addresses.append(location)
    identifier = str(part.get("Content-ID", "")).strip("<> ")
    if identifier:
        addresses.append(f"cid:{identifier}")
    return addresses


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _data_address(part: Message | None) -> str | None:
    if part is None:
        return None
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes) or len(content) > _MOST_IMAGE_BYTES:
        return None
    return f"data:{part.get_content_type()};base64,{base64.b64encode(content).decode('ascii')}"
