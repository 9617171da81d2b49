"""JSON Schema of the native files, for editors and for programs that write tasks."""

from __future__ import annotations

from typing import Any

from ..checks import Getter, Metric, Registry, installed_checks
from ..evidence.models import Evidence
from .models import Suite, Task
from .script import READABLE

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def task_schema(checks: Registry | None = None) -> dict[str, Any]:
    """Schema of a task file, with the options of all ``checks``: by default the installed ones."""
    checks = checks or installed_checks()
    schema = Task.model_json_schema()
    check = schema["$defs"]["Check"]["properties"]
    check["get"] = {
        "description": check["get"]["description"],
        "anyOf": [
            {"enum": sorted(checks.getters)},
            *(_getter_schema(getter, schema["$defs"]) for getter in checks.getters.values()),
        ],
    }
    read = schema["$defs"]["Read"]["properties"]["get"]
    readable = [checks.getters[name] for name in READABLE if name in checks.getters]
    schema["$defs"]["Read"]["properties"]["get"] = {
        "description": read["description"],
        "anyOf": [
            {"enum": list(READABLE)},
            *(_getter_schema(getter, schema["$defs"]) for getter in readable),
        ],
    }
    metrics = sorted(checks.metrics.items())
    schema["$defs"]["Check"]["allOf"] = [_if_metric(name, metric) for name, metric in metrics]
    check["metric"]["enum"] = sorted(checks.metrics)
    check["metric"]["description"] = " ".join(
        f"{name}: {_summary(metric)}" for name, metric in metrics
    )
    return _published("task", schema)


def _getter_schema(getter: type[Getter], definitions: dict[str, Any]) -> dict[str, Any]:
    """Schema of a getter; what it refers to is added to the ``definitions`` of the whole."""
    schema = getter.model_json_schema()
    definitions.update(schema.pop("$defs", {}))
    schema["required"] = sorted({"type", *schema.get("required", [])})
    return schema


def _if_metric(name: str, metric: type[Metric]) -> dict[str, Any]:
    schema = metric.model_json_schema()
    assert "$defs" not in schema, "options are plain values"
    # The options alone, without what describes the metric itself.
    options = {key: schema[key] for key in schema if key not in ("title", "description")}
    return {
        "if": {"properties": {"metric": {"const": name}}},
        "then": {"properties": {"options": options}},
    }


def _summary(metric: type[Metric]) -> str:
    lines = (metric.__doc__ or "").strip().splitlines()
    return lines[0] if lines else ""


def suite_schema() -> dict[str, Any]:
    """Schema of a ``suite.toml``."""
    return _published("suite", Suite.model_json_schema())


def evidence_schema() -> dict[str, Any]:
    """Schema of an ``evidence.json``."""
    return _published("evidence", Evidence.model_json_schema())


def _published(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": _DIALECT, "$id": f"pytest-webbench/{name}.schema.json", **schema}
