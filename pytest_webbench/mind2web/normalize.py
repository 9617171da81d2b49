"""Turns a task as the dataset has it into recorded steps."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..evidence.scrub import scrub
from .records import Box, Node, RecordedStep

_OPS: Final = ("CLICK", "TYPE", "SELECT")
_LEAK: Final = re.compile(r"""\s(?:data_pw_testid_buckeye|data-pw-testid-buckeye)[\w-]*=(?:"[^"]*"|'[^']*')""")
"""Attributes that the dataset's tools put on targets and candidates: they give the answer away."""
_RAW_TAG: Final = re.compile(r"""<[a-zA-Z][^<>]{0,20000}?\sbackend_node_id=["'](\d{1,9})["'][^<>]{0,20000}>""")
_BOX: Final = re.compile(r"""\sbounding_box_rect=["']([-+\d.,eE ]{7,200})["']""")
_CLICKABLE: Final = re.compile(r"""\sis_clickable=["']true["']""")


def steps_of(task: Mapping[str, Any], *, split: str = "") -> Iterator[RecordedStep]:
    """Every step of one task. Steps without a target or a page are given too: each metric counts them as it must."""
    actions = [_object(action) for action in _list(task.get("actions"))]
    reprs = [str(one) for one in _list(task.get("action_reprs"))]
    common = {
        "task_id": str(task.get("annotation_id") or task.get("task_id") or ""),
        "goal": scrub(str(task.get("confirmed_task") or task.get("task") or "")),
        "num_steps": len(actions),
        "split": split,
        **{key: str(task.get(key) or "") for key in ("website", "domain", "subdomain")},
    }
    for index, action in enumerate(actions):
        step = step_of(action, common, index=index, reprs=reprs)
        if step is not None:
            yield step


def step_of(action: Mapping[str, Any], common: dict[str, Any], *, index: int, reprs: list[str]) -> RecordedStep | None:
    """One action as a step; None if its operation is none of the three that count."""
    operation = _object(action.get("operation"))
    op = str(operation.get("op") or "").upper()
    if op not in _OPS:
        return None
    positives = [_object(one) for one in _list(action.get("pos_candidates"))]
    ids = tuple(dict.fromkeys(str(one["backend_node_id"]) for one in positives if one.get("backend_node_id")))
    own = reprs[index] if index < len(reprs) else ""
    raw = geometry(str(action.get("raw_html") or ""), ids)
    return RecordedStep(
        **common,
        step_index=index,
        prev_action_reprs=tuple(reprs[:index]),
        cleaned_html=masked(str(action.get("cleaned_html") or "")),
        gold_backend_node_id=_original_target(positives),
        gold_backend_node_ids=ids,
        op=op,
        original_op=str(operation.get("original_op") or op).upper(),
        value=str(operation.get("value") or ""),
        gold_repr=own,
        role=role_in(own),
        candidates=tuple(_node(_object(one)) for one in _list(action.get("neg_candidates"))),
        boxes=raw.boxes,
        hidden=raw.hidden,
        clickable=raw.clickable,
    )


def masked(html: str) -> str:
    """The page without the attributes that give the answer away."""
    return _LEAK.sub("", scrub(html)) if "buckeye" in html else scrub(html)


def role_in(representation: str) -> str:
    """``[combobox]  Type -> SELECT: Pickup`` names a combobox."""
    found = re.match(r"\[([\w-]{1,40})\]", representation)
    return found[1] if found else ""


class Geometry(NamedTuple):
    """What a raw page tells of where its nodes were. Not laid out is what has a box of -1,-1,-1,-1."""

    boxes: dict[str, Box]
    hidden: tuple[str, ...]
    clickable: tuple[str, ...]


def geometry(raw_html: str, targets: Collection[str] = ()) -> Geometry:
    """Hidden and clickable nodes of a raw page, and the boxes of the clickable ones and the targets.

    Its text is XML of a known shape: one pass over its tags is enough.
    """
    boxes: dict[str, Box] = {}
    hidden: list[str] = []
    clickable: list[str] = []
    for tag in _RAW_TAG.finditer(raw_html):
        text, node = tag.group(0, 1)
        wanted = node in targets
        if "is_clickable" in text and _CLICKABLE.search(text):
            clickable.append(node)
            wanted = True
        found = _BOX.search(text) if wanted or '="-' in text else None
        box = box_of(found[1]) if found else None
        if box is None and found is not None:
            hidden.append(node)
        elif box is not None and wanted:
            boxes[node] = box
    return Geometry(boxes, tuple(hidden), tuple(clickable))


def box_of(text: str) -> Box | None:
    """``x,y,width,height``; None if it is no such thing, or says that the node was not laid out."""
    try:
        x, y, width, height = (float(part) for part in text[:200].split(","))
    except ValueError:
        return None
    laid_out = width >= 0 and height >= 0 and all(map(math.isfinite, (x, y, width, height)))
    return (x, y, width, height) if laid_out else None


def _original_target(positives: list[dict[str, Any]]) -> str:
    """As the reference chooses: the first that is called the original target, else the first at all."""
    marked = (one for one in positives if one.get("is_original_target") and one.get("backend_node_id") is not None)
    chosen = next(marked, positives[0] if positives else {})
    return str(chosen.get("backend_node_id") or "")


def _node(candidate: dict[str, Any]) -> Node:
    attributes = _object(candidate.get("attributes"))
    says = attributes.get("is_clickable")
    return Node(
        id=str(candidate.get("backend_node_id") or attributes.get("backend_node_id") or ""),
        tag=str(candidate.get("tag") or ""),
        clickable=None if says is None else str(says).lower() == "true",
        box=box_of(str(attributes.get("bounding_box_rect") or "")),
    )


def _object(value: Any) -> dict[str, Any]:
    """An object, or a string that holds one as JSON, as the multimodal edition has it; anything else is empty."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    """A list, or anything that can be gone through, such as a column of a table."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return []
    return list(value) if isinstance(value, list | tuple) else []
