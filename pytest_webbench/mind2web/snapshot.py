"""Turns a browser's DOM snapshot into a page as the dataset has them: XML with one id per node.

Ids are given anew in document order, so that the same page always gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from .._text import sanitize
from .records import Box

MARK: Final = "data-webbench-target"
"""Attribute that marks the target in the page while it is recorded; it is in no recording."""
_LEFT_OUT: Final = frozenset(
    {"script", "style", "noscript", "template", "head", "link", "meta", "title", "base"}
)
_KEPT: Final = frozenset(
    {
        "alt",
        "aria_description",
        "aria_label",
        "aria_role",
        "input_checked",
        "input_value",
        "label",
        "name",
        "option_selected",
        "placeholder",
        "role",
        "text_value",
        "title",
        "type",
        "value",
    }
)
"""The attributes that the dataset keeps."""
_WRAPPERS: Final = frozenset(
    {"div", "span", "section", "article", "p", "b", "i", "em", "strong", "small", "font"}
)
_ELEMENT, _TEXT, _DOCUMENT, _FRAGMENT = 1, 3, 9, 11
"""The DOM's node types; a shadow root is a fragment."""


@dataclass(slots=True)
class _Item:
    """A node of the recorded page."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    box: Box | None = None
    clickable: bool = False
    target: bool = False
    children: list[_Item] = field(default_factory=list)
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A page as it is recorded; ids name its nodes."""

    xml: str
    targets: tuple[str, ...]
    boxes: dict[str, Box]
    """Of targets and of what can be clicked: others are not needed and would be half of a file."""
    hidden: tuple[str, ...]
    clickable: tuple[str, ...]


def snapshot_of(captured: Mapping[str, Any]) -> Snapshot:
    """The page in the answer to CDP's ``DOMSnapshot.captureSnapshot``."""
    root = _Documents(captured).tree(0)
    _unwrap_below(root)
    items = list(_walk(root))
    for number, item in enumerate(items, start=1):
        item.id = str(number)
    boxes: dict[str, Box] = {}
    for item in items:
        if item.box is not None and (item.target or _counts_as_clickable(item)):
            boxes[item.id] = item.box
    return Snapshot(
        xml="".join(_spelled(root)),
        targets=tuple(item.id for item in items if item.target),
        boxes=boxes,
        # A closed <select> lays out none of its options, which can be chosen nevertheless.
        hidden=tuple(item.id for item in items if item.box is None and item.tag != "option"),
        clickable=tuple(item.id for item in items if _counts_as_clickable(item)),
    )


def _counts_as_clickable(item: _Item) -> bool:
    return item.clickable and item.tag != "text"


# -- From the snapshot's arrays to trees -----------------------------------------------------------


class _Documents:
    """The snapshot's parallel arrays, read as trees.

    Strings are indices into one list of strings; a node's place in ``nodes`` is its index, and
    parents come before their children.
    """

    def __init__(self, captured: Mapping[str, Any]) -> None:
        self._strings: list[str] = captured["strings"]
        self._documents: list[dict[str, Any]] = captured["documents"]

    def tree(self, number: int) -> _Item:
        """The root element of a document, with the documents of its frames in their places."""
        document = self._documents[number]
        nodes = document["nodes"]
        boxes = dict(_pairs(document["layout"], "nodeIndex", "bounds"))
        clickable = set(nodes.get("isClickable", {}).get("index", ()))
        frames = dict(_pairs(nodes.get("contentDocumentIndex", {}), "index", "value"))
        states = self._states(nodes)
        items: dict[int, _Item] = {}
        root: _Item | None = None
        for index, parent in enumerate(nodes["parentIndex"]):
            item = self._item(nodes, index)
            above = _above(nodes, parent, items)
            if item is None or (above is None and root is not None):
                continue  # what is left out takes all below it with it
            item.attributes |= states.get(index, {})
            item.box = _box(boxes[index]) if index in boxes else None
            item.clickable = index in clickable
            if index in frames:
                item.children.append(self.tree(frames[index]))
            items[index] = item
            if above is None:
                root = item
            else:
                above.children.append(item)
        assert root is not None, "a document has an element"
        return root

    def _item(self, nodes: Mapping[str, Any], index: int) -> _Item | None:
        """None for a node that is left out."""
        kind = nodes["nodeType"][index]
        if kind == _TEXT:
            text = " ".join(sanitize(self._string(nodes["nodeValue"][index])).split())
            return _Item("text", text=text) if text else None
        name = self._string(nodes["nodeName"][index]).lower()
        # Pseudo-elements such as ::before are nodes of a snapshot, but not of a page.
        if kind != _ELEMENT or name in _LEFT_OUT or name.startswith("::"):
            return None
        return self._element(name, nodes["attributes"][index])

    def _element(self, name: str, given: list[int]) -> _Item | None:
        attributes: dict[str, str] = {}
        target = False
        for key, value in zip(given[::2], given[1::2], strict=True):
            attribute = self._string(key)
            if attribute == MARK:
                target = True
            else:
                # As the dataset writes names: `aria_label` for `aria-label`.
                attributes[re.sub(r"\W", "_", attribute)] = sanitize(self._string(value))
        kind = attributes.get("type", "").lower()
        if name == "input" and kind == "hidden":
            return None  # invisible, and it may hold a session's secret
        if name == "input" and kind == "password":
            attributes.pop("value", None)
        return _Item(re.sub(r"[^a-z0-9-]", "_", name), attributes, target=target)

    def _states(self, nodes: Mapping[str, Any]) -> dict[int, dict[str, str]]:
        """What users see in form fields, which no attribute holds; by the node's index."""
        states: dict[int, dict[str, str]] = {}
        for name, key in (("inputValue", "input_value"), ("textValue", "text_value")):
            for index, value in _pairs(nodes.get(name, {}), "index", "value"):
                states.setdefault(index, {})[key] = sanitize(self._string(value))
        for name, key in (("inputChecked", "input_checked"), ("optionSelected", "option_selected")):
            for index in nodes.get(name, {}).get("index", ()):
                states.setdefault(index, {})[key] = "true"
        return states

    def _string(self, index: int) -> str:
        return self._strings[index] if index >= 0 else ""


def _above(nodes: Mapping[str, Any], parent: int, items: Mapping[int, _Item]) -> _Item | None:
    """The item above a node: documents and shadow roots hand their children to what is above."""
    while parent >= 0 and parent not in items:
        if nodes["nodeType"][parent] not in (_DOCUMENT, _FRAGMENT):
            return None
        parent = nodes["parentIndex"][parent]
    return items.get(parent)


def _pairs(table: Mapping[str, Any], first: str, second: str) -> Iterator[tuple[int, Any]]:
    return zip(table.get(first, ()), table.get(second, ()), strict=True)


def _box(bounds: list[float]) -> Box:
    x, y, width, height = (round(number, 1) for number in bounds)
    return (x, y, width, height)


# -- From trees to the dataset's XML ---------------------------------------------------------------


def _walk(item: _Item) -> Iterator[_Item]:
    yield item
    for child in item.children:
        yield from _walk(child)


def _unwrap_below(root: _Item) -> None:
    """Take out all wrappers, from the top down."""
    for item in _walk(root):
        children = (_unwrapped(child) for child in item.children)
        item.children = [child for child in children if child is not None]


def _unwrapped(item: _Item) -> _Item | None:
    """The item, or what a wrapper holds; None for an empty wrapper."""
    while _is_wrapper(item):
        if not item.children:
            return None
        item = item.children[0]
    return item


def _is_wrapper(item: _Item) -> bool:
    if item.tag not in _WRAPPERS or item.target or item.clickable:
        return False
    return len(item.children) <= 1 and not _kept(item)


def _kept(item: _Item) -> dict[str, str]:
    """The attributes that the dataset keeps."""
    password = item.attributes.get("type", "").lower() == "password"
    kept: dict[str, str] = {}
    for name, value in item.attributes.items():
        if name not in _KEPT or not value.strip():
            continue
        if name == "role" and value in ("presentation", "none", "link"):
            continue
        if name.endswith("_value") and password:
            continue
        kept[name] = value
    return kept


def _spelled(item: _Item) -> Iterator[str]:
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in _kept(item).items())
    start = f'<{item.tag} backend_node_id="{item.id}"{attributes}'
    if not item.children and not item.text:
        yield f"{start}/>"
        return
    yield f"{start}>{escape(item.text)}"
    for child in item.children:
        yield from _spelled(child)
    yield f"</{item.tag}>"
