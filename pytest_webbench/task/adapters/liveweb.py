"""WebJev's live-web evaluation: one JSON file per task; its checks are close to the native ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeGuard

from pydantic import AfterValidator, Field

from ...errors import Problem
from ..fields import Model, mark_name
from ..problems import Location, wrong_id
from .convert import Draft, Reading, convert, suite_of
from .text import parse

_EMPTY_MEANS_ALL = {"url_parse": "parse_keys", "storage": "keys"}


def _names_a_getter(value: Any) -> Any:
    if isinstance(value, dict) and "type" in value and not isinstance(value["type"], str):
        raise ValueError(
            "type must be a getter's name; "
            'write a literal object as {"type": "const", "value": ...}'
        )
    return value


def _has_its_canary(value: Any) -> Any:
    if not isinstance(value, dict) or value.get("type") not in ("dom_extract", "control_state"):
        return value
    if value.get("must_exist") is None:
        raise ValueError(
            f"{value['type']} needs must_exist: "
            "the fields whose absence means that the check has rotted"
        )
    return value


ValueConfig = Annotated[Any, AfterValidator(_names_a_getter), AfterValidator(_has_its_canary)]
"""A literal, or an object ``{type: getter, option: ...}``."""


class SourceInfo(Model):
    """Where a task comes from; nothing of it is judged by."""

    benchmark: Annotated[str, Field(min_length=1)]
    task_id: str
    original_task_name: str = ""
    original_website: str = ""
    source_row_zero_based: int | None = None
    intent_modified: bool = False
    intent_modified_reason: str = ""


class CheckInfo(Model):
    """One check."""

    name: str = ""
    metric: str
    result: ValueConfig = None
    expected: ValueConfig
    options: dict[str, Any] | None = None
    requires: str | list[str] | None = None
    weight: float = 1.0


class Evaluator(Model):
    """How a task is judged."""

    spec_version: Literal["1"] = "1"
    conj: Literal["and", "or", "weighted"] = "and"
    checks: list[CheckInfo]


class TaskInfo(Model):
    """One task file."""

    task_id: str
    task_name: str
    website: str
    source: SourceInfo
    evaluator: Evaluator


def read(path: Path, text: str) -> Reading:
    """The task of a liveweb file."""
    problems: list[Problem] = []
    document = parse(text)
    task = convert(document, TaskInfo, _draft, problems)
    if isinstance(document.data, dict):
        problems += wrong_id("task_id", document.data, document.lines, path.stem)
    tasks = (task,) if task is not None and not problems else ()
    return Reading(suite_of(path, "Live-web tasks"), tasks, tuple(problems))


def _draft(data: dict[str, Any]) -> Draft:
    evaluator = data.get("evaluator")
    if not isinstance(evaluator, dict):
        evaluator = {}
    checks = evaluator.get("checks", [])
    origins: dict[Location, Location] = {
        ("id",): ("task_id",),
        ("goal",): ("task_name",),
        ("start_url",): ("website",),
        ("source", "id"): ("source", "task_id"),
        ("tags",): ("source", "benchmark"),
        ("conj",): ("evaluator", "conj"),
        ("checks",): ("evaluator", "checks"),
    }
    if isinstance(checks, list):
        checks = [_check(check, index, origins) for index, check in enumerate(checks)]
    native = {
        "id": data.get("task_id"),
        "goal": data.get("task_name"),
        "start_url": data.get("website"),
        **_provenance(data.get("source")),
        "checks": checks,
        "conj": evaluator.get("conj", "and"),
        "answer": "text" if _asks_for_an_answer(checks) else "none",
    }
    return Draft(native, origins)


def _provenance(source: Any) -> dict[str, Any]:
    if not isinstance(source, dict):
        return {}
    notes = {
        "original task": source.get("original_task_name"),
        "original site": source.get("original_website"),
        "row": source.get("source_row_zero_based"),
        "intent modified": source.get("intent_modified_reason") or source.get("intent_modified"),
    }
    given = [f"{what}: {value}" for what, value in notes.items() if _says_something(value)]
    benchmark = str(source.get("benchmark"))
    return {
        "tags": [mark_name(benchmark)],
        "source": {
            "benchmark": benchmark,
            "id": str(source.get("task_id")),
            "note": "; ".join(given),
        },
    }


def _says_something(value: Any) -> bool:
    return value is not None and value is not False and value != ""


def _asks_for_an_answer(checks: Any) -> bool:
    for check in checks:
        if isinstance(check, dict):
            for spec in (check.get("get"), check.get("expected")):
                if isinstance(spec, dict) and spec.get("type") == "agent_answer":
                    return True
    return False


def _check(check: Any, index: int, origins: dict[Location, Location]) -> Any:
    """A check in native terms; without a name it is called by its metric."""
    if not isinstance(check, dict):
        return check
    result, expected, requires = check.get("result"), check.get("expected"), check.get("requires")
    here: Location = ("checks", index)
    there: Location = ("evaluator", "checks", index)
    origins[(*here, "get")] = (*there, "result")
    native = {
        "name": str(check.get("name") or check.get("metric")),
        "get": _getter(result) if _is_getter(result) else {"type": "const", "value": result},
        "metric": check.get("metric"),
        "options": {key: value for key, value in _items(check.get("options")) if value is not None},
        "requires": [requires] if isinstance(requires, str) else requires or [],
        "weight": check.get("weight", 1.0),
    }
    if "expected" not in check:
        return native
    if not _is_getter(expected):
        return {**native, "expected": expected}
    if expected["type"] == "const" and not _is_getter(expected.get("value", expected)):
        # As the literal that it is, it is checked when the file is read, not when it is judged by.
        origins[(*here, "expected")] = (*there, "expected", "value")
        return {**native, "expected": expected["value"]}
    return {**native, "expected": _getter(expected)}


def _is_getter(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _getter(spec: dict[str, Any]) -> dict[str, Any]:
    """A getter with its options in native terms.

    ``null`` means absent, as does an empty list of keys; an index may be written in quotes.
    """
    if spec["type"] == "const":
        return spec
    options = {key: value for key, value in spec.items() if value is not None}
    keys = _EMPTY_MEANS_ALL.get(spec["type"])
    if keys and options.get(keys) == []:
        del options[keys]
    index = options.get("index")
    if isinstance(index, str) and index.lstrip("-").isdecimal():
        options["index"] = int(index)
    return options
