"""Turns a browser's DOM snapshot into a page as the dataset has them: XML with one id per node.

Ids are given anew in document order, so that the same page always gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from ..evidence.scrub import scrub
from .records import Box

MARK: Final = "data-webbench-target"
"""Attribute that marks the target in the page while it is recorded; it is in no recording."""
_LEFT_OUT: Final = frozenset({"script", "style", "noscript", "template", "head", "link", "meta", "title", "base"})
_KEPT: Final = frozenset({
    "alt", "aria_description", "aria_label", "aria_role", "input_checked", "input_value", "label", "name",
    "option_selected", "placeholder", "role", "text_value", "title", "type", "value",
})  # fmt: skip
_WRAPPERS: Final = frozenset({"div", "span", "section", "article", "p", "b", "i", "em", "strong", "small", "font"})
_ELEMENT, _TEXT = 1, 3


@dataclass(slots=True)
class _Item:
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
    """A page as it is recorded."""

    xml: str
    targets: tuple[str, ...]
    boxes: dict[str, Box]
    """Of targets and of what can be clicked: nobody asks for others, and they would be half of the file."""
    hidden: tuple[str, ...]
    clickable: tuple[str, ...]


def snapshot_of(told: dict[str, Any]) -> Snapshot:
    """The page in the answer to CDP's ``DOMSnapshot.captureSnapshot``."""
    root = _Documents(told).tree(0)
    for item in _walk(root):
        item.children = [one for child in item.children for one in _unwrapped(child)]
    items = list(_walk(root))
    for number, item in enumerate(items, start=1):
        item.id = str(number)
    return Snapshot(
        xml="".join(_spelled(root)),
        targets=tuple(item.id for item in items if item.target),
        boxes={
            item.id: item.box
            for item in items
            if item.box is not None and (item.target or (item.clickable and item.tag != "text"))
        },
        hidden=tuple(item.id for item in items if item.box is None and item.tag != "option"),
        clickable=tuple(item.id for item in items if item.clickable and item.tag != "text"),
    )


class _Documents:
    """The snapshot's parallel arrays, read as trees."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._strings: list[str] = told["strings"]
        self._documents: list[dict[str, Any]] = told["documents"]

    def tree(self, number: int) -> _Item:
        """The root element of a document."""
        document = self._documents[number]
        nodes = document["nodes"]
        boxes = {index: _box(bounds) for index, bounds in _pairs(document["layout"], "nodeIndex", "bounds")}
        clickable = set(nodes.get("isClickable", {}).get("index", ()))
        below = dict(_pairs(nodes.get("contentDocumentIndex", {}), "index", "value"))
        extra = self._states(nodes)
        items: dict[int, _Item] = {}
        root = None
        for index, parent in enumerate(nodes["parentIndex"]):
            item = self._item(nodes, index)
            above = self._above(nodes, parent, items)
            if item is None or (above is None and root is not None):
                continue  # what is left out takes all below it with it
            item.attributes |= extra.get(index, {})
            item.box, item.clickable = boxes.get(index), index in clickable
            if index in below:
                item.children.append(self.tree(below[index]))
            items[index] = item
            if above is not None:
                above.children.append(item)
            else:
                root = item
        assert root is not None, "a document has an element"
        return root

    def _item(self, nodes: dict[str, Any], index: int) -> _Item | None:
        kind, name = nodes["nodeType"][index], self._string(nodes["nodeName"][index]).lower()
        if kind == _TEXT:
            text = re.sub(r"\s+", " ", scrub(self._string(nodes["nodeValue"][index]))).strip()
            return _Item("text", text=text) if text else None
        if kind != _ELEMENT or name in _LEFT_OUT or name.startswith("::"):
            return None
        given = nodes["attributes"][index]
        pairs = [(self._string(given[at]), self._string(given[at + 1])) for at in range(0, len(given), 2)]
        attributes = {re.sub(r"\W", "_", key): scrub(value) for key, value in pairs if key != MARK}
        kind = attributes.get("type", "").lower()
        if name == "input" and kind == "hidden":
            return None  # nobody sees it, and it may hold a session's secret
        if name == "input" and kind == "password":
            attributes.pop("value", None)
        return _Item(re.sub(r"[^a-z0-9-]", "_", name), attributes, target=any(key == MARK for key, _ in pairs))

    def _above(self, nodes: dict[str, Any], parent: int, items: dict[int, _Item]) -> _Item | None:
        """The item above; a document or a shadow root, which is none, hands its children to what is above it."""
        while parent >= 0 and parent not in items:
            if nodes["nodeType"][parent] not in (9, 11):
                return None
            parent = nodes["parentIndex"][parent]
        return items.get(parent)

    def _states(self, nodes: dict[str, Any]) -> dict[int, dict[str, str]]:
        """What users see of form fields, which no attribute tells."""
        states: dict[int, dict[str, str]] = {}
        for name, key in (("inputValue", "input_value"), ("textValue", "text_value")):
            for index, value in _pairs(nodes.get(name, {}), "index", "value"):
                states.setdefault(index, {})[key] = scrub(self._string(value))
        for name, key in (("inputChecked", "input_checked"), ("optionSelected", "option_selected")):
            for index in nodes.get(name, {}).get("index", ()):
                states.setdefault(index, {})[key] = "true"
        return states

    def _string(self, index: int) -> str:
        return self._strings[index] if index >= 0 else ""


def _pairs(table: dict[str, Any], first: str, second: str) -> Iterator[tuple[int, Any]]:
    return zip(table.get(first, ()), table.get(second, ()), strict=True)


def _box(bounds: list[float]) -> Box:
    x, y, width, height = (round(number, 1) for number in bounds)
    return (x, y, width, height)


def _walk(item: _Item) -> Iterator[_Item]:
    yield item
    for child in item.children:
        yield from _walk(child)


def _unwrapped(item: _Item) -> list[_Item]:
    """The item, or what is in it if it only wraps: no attribute that counts, and one child at most."""
    while (
        item.tag in _WRAPPERS and not item.target and not item.clickable and len(item.children) <= 1 and not _kept(item)
    ):
        if not item.children:
            return []
        item = item.children[0]
    return [item]


def _kept(item: _Item) -> dict[str, str]:
    """The attributes that the dataset keeps."""
    return {
        name: value
        for name, value in item.attributes.items()
        if name in _KEPT
        and value.strip()
        and not (name == "role" and value in ("presentation", "none", "link"))
        and not (name.endswith("_value") and item.attributes.get("type", "").lower() == "password")
    }


def _spelled(item: _Item) -> Iterator[str]:
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in _kept(item).items())
    head = f'<{item.tag} backend_node_id="{item.id}"{attributes}'
    if not item.children and not item.text:
        yield f"{head}/>"
        return
    yield f"{head}>{escape(item.text)}"
    for child in item.children:
        yield from _spelled(child)
    yield f"</{item.tag}>"
