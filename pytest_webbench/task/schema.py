"""JSON Schema of the native files, for editors and for programs that write tasks."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from ..checks import GETTERS, METRICS
from ..evidence.models import Evidence
from .models import Suite, Task

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def task_schema() -> dict[str, Any]:
    """Schema of a task file, getters and metrics with their options included."""
    schema = Task.model_json_schema()
    check = schema["$defs"]["Check"]["properties"]
    getters = [getter.model_json_schema() for getter in GETTERS.values()]
    for getter in getters:
        getter["required"] = sorted({"type", *getter.get("required", [])})
    check["get"] = {
        "description": check["get"]["description"],
        "anyOf": [{"enum": sorted(GETTERS)}, *getters],
    }
    schema["$defs"]["Check"]["allOf"] = [
        {
            "if": {"properties": {"metric": {"const": name}}},
            "then": {"properties": {"options": _inline(metric.model_json_schema())}},
        }
        for name, metric in sorted(METRICS.items())
    ]
    check["metric"]["enum"] = sorted(METRICS)
    check["metric"]["description"] = " ".join(
        f"{name}: {(metric.__doc__ or '').strip().splitlines()[0]}" for name, metric in sorted(METRICS.items())
    )
    return {"$schema": _DIALECT, "$id": "pytest-webbench/task.schema.json", **schema}


def _inline(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` of a metric's options, without what describes the metric itself."""
    assert "$defs" not in schema, "options are plain values"
    return {key: value for key, value in schema.items() if key not in ("title", "description")}


def suite_schema() -> dict[str, Any]:
    """Schema of a ``suite.toml``."""
    return {"$schema": _DIALECT, "$id": "pytest-webbench/suite.schema.json", **Suite.model_json_schema()}


def evidence_schema() -> dict[str, Any]:
    """Schema of an ``evidence.json``."""
    return {"$schema": _DIALECT, "$id": "pytest-webbench/evidence.schema.json", **Evidence.model_json_schema()}


def allowed_keys(model: type[BaseModel], path: tuple[str | int, ...], owner: Any) -> list[str]:
    """Keys that the object at ``path`` may have, read from the model's own schema."""
    root = model.model_json_schema()
    here: dict[str, Any] = root
    for part in path:
        here = _resolve(here, root, owner=None)
        here = here.get("items", {}) if isinstance(part, int) else here.get("properties", {}).get(part, {})
    return sorted(_resolve(here, root, owner=owner).get("properties", {}))


def _resolve(schema: dict[str, Any], root: dict[str, Any], owner: Any) -> dict[str, Any]:
    """Follows references, and a discriminated union by what ``owner`` holds."""
    if "oneOf" in schema and isinstance(owner, dict):
        mapping = schema.get("discriminator", {}).get("mapping", {})
        chosen = mapping.get(owner.get(schema["discriminator"]["propertyName"]))
        schema = {"$ref": chosen} if chosen else schema
    for option in schema.get("anyOf", []):
        if "$ref" in option:
            schema = option
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema
