"""Wrong pages and storage made from right ones: stale, empty, with other values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..checks import MISSING, Getter
from ..checks.site import Storage
from ..errors import GetterError
from ..evidence.models import Evidence, Read
from ..task import Check, Task
from .address_mutations import Change, other_values, rewritten


def stale_pages(passing: Evidence, start: Evidence) -> Iterator[Change]:
    """The start page's content at the final address, as a whole and by parts."""
    if passing.page is None or start.page is None:
        return
    shown = {
        "title": start.page.title,
        "text": start.page.text,
        "visible_text": start.page.visible_text,
    }
    stale = passing.page.model_copy(update=shown)
    what = "content of the start page at the final address"
    yield Change("stale-page", what, {"page": stale, "reads": start.reads})
    for name, value in shown.items():
        page = passing.page.model_copy(update={name: value})
        yield Change("stale-page", f"{name} of the start page", {"page": page})
    yield Change("stale-page", "elements of the start page", {"reads": start.reads})
    url = start.page.url
    moved = rewritten({passing.page.url}, passing, lambda _url: url)
    yield Change("stale-page", "address of the start page", moved)


def empty_pages(passing: Evidence) -> Iterator[Change]:
    """The final page without one of its texts."""
    if passing.page is None:
        return
    for name in ("title", "text", "visible_text"):
        page = passing.page.model_copy(update={name: ""})
        yield Change("empty-page", f"no {name}", {"page": page})


def page_values(task: Task, passing: Evidence) -> Iterator[Change]:
    """Every value that a check reads from an element, replaced by another or missing."""
    for check, getter in _getters(task):
        probe = getter.probe()
        read = None if probe is None else passing.reads.get(probe.key())
        if probe is None or read is None or read.error is not None:
            continue
        for what, value in _altered(read.value, _paths(check, passing)):
            reads = {**passing.reads, probe.key(): Read(value=value, missing=value is None)}
            yield Change("page-values", what, {"reads": reads})


def expectation(check: Check, evidence: Evidence) -> Any:
    """What a check expects: as the task has it, or as the page gave it; None if it gave nothing."""
    if check.expected_getter is None:
        return check.expected
    try:
        value = check.expected_getter.read(evidence)
    except GetterError:
        return None
    return None if value is MISSING else value


def _getters(task: Task) -> Iterator[tuple[Check, Getter]]:
    for check in task.checks:
        yield check, check.getter
        if check.expected_getter is not None:
            yield check, check.expected_getter


def stored_values(task: Task, passing: Evidence) -> Iterator[Change]:
    """Every storage entry that a check reads, replaced by another or missing."""
    for check in task.checks:
        if isinstance(check.getter, Storage):
            yield from _altered_storage(check, check.getter, passing)


def _altered_storage(check: Check, getter: Storage, passing: Evidence) -> Iterator[Change]:
    field = f"{getter.kind}_storage"
    store: dict[str, str] = getattr(passing, field)
    named = {path[0] for path in _paths(check, passing)}
    for key in sorted(set(store) & named) or sorted(store):
        others = dict(store)
        del others[key]
        yield Change("storage", f"no {key}", {field: others})
        for other in other_values(store[key]):
            yield Change("storage", f"{key} = {other}", {field: {**store, key: other}})


def _paths(check: Check, evidence: Evidence) -> list[list[str]]:
    expected = expectation(check, evidence)
    if not isinstance(expected, dict):
        return []
    return [path.split(".") for path in expected]


def _altered(value: Any, paths: list[list[str]]) -> Iterator[tuple[str, Any]]:
    """Wrong values for one that was read, with what is wrong about each.

    Of an object only the members at ``paths`` are changed, or all of them if it has none there.
    """
    if not isinstance(value, dict):
        for other in _replacements(value):
            yield f"{json.dumps(other)} for {json.dumps(value)}", other
        return
    for name, *inner in [path for path in paths if path[0] in value] or [[name] for name in value]:
        held = value[name]
        if inner and isinstance(held, dict) and inner[0] in held:
            for other in _replacements(held[inner[0]]):
                changed = {**value, name: {**held, inner[0]: other}}
                yield f"{name}.{inner[0]} = {json.dumps(other)}", changed
        else:
            for other in _replacements(held):
                yield f"{name} = {json.dumps(other)}", {**value, name: other}
        yield f"no {name}", {**value, name: None}


def _replacements(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1]
    if isinstance(value, str) and value:
        return [*other_values(value), ""]
    if isinstance(value, list) and value:
        # A list of objects (rows, nodes) has no text among them.
        other = [] if isinstance(value[-1], dict) else [[*value[:-1], "other"]]
        return [value[:-1], *other, []]
    return ["other"]
