"""Turns a task, as the dataset has it, into recorded steps."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from .._text import sanitize
from .records import Box, Node, RecordedStep

_OPS: Final = ("CLICK", "TYPE", "SELECT")
_LEAK: Final = re.compile(
    r"""\s(?:data_pw_testid_buckeye|data-pw-testid-buckeye)[\w-]*=(?:"[^"]*"|'[^']*')"""
)
"""Attributes that the dataset's tools put on targets and candidates: they give the answer away."""
_RAW_TAG: Final = re.compile(
    r"""<[a-zA-Z][^<>]{0,20000}?\sbackend_node_id=["'](\d{1,9})["'][^<>]{0,20000}>"""
)
_BOX: Final = re.compile(r"""\sbounding_box_rect=["']([-+\d.,eE ]{7,200})["']""")
_CLICKABLE: Final = re.compile(r"""\sis_clickable=["']true["']""")


def steps_of(task: Mapping[str, Any], *, split: str = "") -> Iterator[RecordedStep]:
    """Every step of one task that has one of the three operations.

    Steps without a target or a page are included: each family of scores counts them its own way.
    """
    actions = [_object(action) for action in _list(task.get("actions"))]
    reprs = [str(one) for one in _list(task.get("action_reprs"))]
    common = {
        "task_id": _text(task, "annotation_id") or _text(task, "task_id"),
        "goal": sanitize(_text(task, "confirmed_task") or _text(task, "task")),
        "num_steps": len(actions),
        "split": split,
        "website": _text(task, "website"),
        "domain": _text(task, "domain"),
        "subdomain": _text(task, "subdomain"),
    }
    for index, action in enumerate(actions):
        step = step_of(action, common, index=index, reprs=reprs)
        if step is not None:
            yield step


def step_of(
    action: Mapping[str, Any], common: Mapping[str, Any], *, index: int, reprs: Sequence[str]
) -> RecordedStep | None:
    """One action as a step; None if it has none of the three operations.

    ``common`` are the fields that the task's steps share, ``reprs`` all its actions in words.
    """
    operation = _object(action.get("operation"))
    op = _text(operation, "op").upper()
    if op not in _OPS:
        return None
    targets = [_object(one) for one in _list(action.get("pos_candidates"))]
    ids = _ids(targets)
    raw = geometry(_text(action, "raw_html"), ids)
    gold_repr = reprs[index] if index < len(reprs) else ""
    return RecordedStep(
        **common,
        step_index=index,
        prev_action_reprs=tuple(reprs[:index]),
        cleaned_html=masked(_text(action, "cleaned_html")),
        gold_backend_node_id=_original_target(targets),
        gold_backend_node_ids=ids,
        op=op,
        original_op=str(operation.get("original_op") or op).upper(),
        value=_text(operation, "value"),
        gold_repr=gold_repr,
        role=role_in(gold_repr),
        candidates=tuple(_node(_object(one)) for one in _list(action.get("neg_candidates"))),
        boxes=raw.boxes,
        hidden=raw.hidden,
        clickable=raw.clickable,
    )


def masked(html: str) -> str:
    """The page without the attributes that give the answer away."""
    clean = sanitize(html)
    # Most pages have none, and looking for the word is far cheaper than the pattern.
    return _LEAK.sub("", clean) if "buckeye" in html else clean


def role_in(representation: str) -> str:
    """The role in ``[combobox]  Type -> SELECT: Pickup``; "" if there is none."""
    found = re.match(r"\[([\w-]{1,40})\]", representation)
    return found[1] if found else ""


class Geometry(NamedTuple):
    """What a raw page says of the layout of its nodes, by backend_node_id."""

    boxes: dict[str, Box]
    hidden: tuple[str, ...]
    """Nodes that were not laid out: their box is -1,-1,-1,-1."""
    clickable: tuple[str, ...]


def geometry(raw_html: str, targets: Collection[str] = ()) -> Geometry:
    """Hidden and clickable nodes of a raw page, and the boxes of clickable ones and of targets."""
    boxes: dict[str, Box] = {}
    hidden: list[str] = []
    clickable: list[str] = []
    # Raw pages are XML of one shape, and megabytes long: one pass over the tags replaces a parser.
    for tag in _RAW_TAG.finditer(raw_html):
        text, node = tag.group(0, 1)
        wanted = node in targets
        if "is_clickable" in text and _CLICKABLE.search(text):
            clickable.append(node)
            wanted = True
        if not wanted and '="-' not in text:
            continue  # nobody asks for its box, and that of a hidden node begins with a minus
        found = _BOX.search(text)
        box = box_of(found[1]) if found else None
        if found and box is None:
            hidden.append(node)
        elif box is not None and wanted:
            boxes[node] = box
    return Geometry(boxes, tuple(hidden), tuple(clickable))


def box_of(text: str) -> Box | None:
    """The box in ``x,y,width,height``; None if it is not one, or if the node was not laid out."""
    try:
        x, y, width, height = (float(part) for part in text[:200].split(","))
    except ValueError:
        return None
    if width < 0 or height < 0 or not all(map(math.isfinite, (x, y, width, height))):
        return None
    return (x, y, width, height)


def _ids(targets: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    ids = [str(one["backend_node_id"]) for one in targets if one.get("backend_node_id")]
    return tuple(dict.fromkeys(ids))


def _original_target(targets: Sequence[Mapping[str, Any]]) -> str:
    """As the reference chooses: the first that is marked as the original target, else the first."""
    for one in targets:
        if one.get("is_original_target") and one.get("backend_node_id") is not None:
            return _text(one, "backend_node_id")
    return _text(targets[0], "backend_node_id") if targets else ""


def _node(candidate: Mapping[str, Any]) -> Node:
    attributes = _object(candidate.get("attributes"))
    clickable = attributes.get("is_clickable")
    return Node(
        id=_text(candidate, "backend_node_id") or _text(attributes, "backend_node_id"),
        tag=_text(candidate, "tag"),
        clickable=None if clickable is None else str(clickable).lower() == "true",
        box=box_of(_text(attributes, "bounding_box_rect")),
    )


def _text(values: Mapping[str, Any], key: str) -> str:
    return str(values.get(key) or "")


def _object(value: Any) -> dict[str, Any]:
    """An object, or a string that holds one as JSON, as the multimodal edition has it; else {}."""
    decoded = _decoded(value)
    if isinstance(decoded, dict):
        return decoded
    return {}


def _list(value: Any) -> list[Any]:
    """A list, a tuple (a column of a table), or a string that holds one as JSON; else []."""
    decoded = _decoded(value)
    if isinstance(decoded, list | tuple):
        return list(decoded)
    return []


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return None
