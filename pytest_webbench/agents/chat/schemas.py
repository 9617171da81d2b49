"""What some services do not take of a JSON Schema."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .messages import ChatRequest, Feature


def schema_for(request: ChatRequest, without: Collection[Feature]) -> dict[str, Any] | None:
    """The schema to send; None if there is none, or the service refuses schemas."""
    if request.schema is None or Feature.SCHEMA in without:
        return None
    if Feature.BOUNDS in without:
        return without_bounds(request.schema)
    return request.schema


def without_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """A flat object's schema without greatest lengths, which some services refuse."""
    fields = {}
    for name, field in schema.get("properties", {}).items():
        fields[name] = {key: value for key, value in field.items() if key != "maxLength"}
    return schema | {"properties": fields}
