"""Small things done to JSON Schemas."""

from __future__ import annotations

from typing import Any


def without_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without greatest lengths, which some services refuse. Flat objects only."""
    fields = {
        name: {key: value for key, value in field.items() if key != "maxLength"}
        for name, field in schema.get("properties", {}).items()
    }
    return schema | {"properties": fields}
