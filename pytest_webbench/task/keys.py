"""Which keys an object in a file may have, for messages about those it may not."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


def allowed_keys(model: type[BaseModel], path: tuple[str | int, ...], owner: Any) -> list[str]:
    """Keys that the object at ``path`` may have, read from the model's own schema."""
    root = model.model_json_schema()
    here: dict[str, Any] = root
    for part in path:
        here = _resolve(here, root, owner=None)
        if isinstance(part, int):
            here = here.get("items", {})
        else:
            here = here.get("properties", {}).get(part, {})
    return sorted(_resolve(here, root, owner=owner).get("properties", {}))


def _resolve(schema: dict[str, Any], root: dict[str, Any], owner: Any) -> dict[str, Any]:
    """Follows references, and a discriminated union by what ``owner`` holds."""
    if "oneOf" in schema and isinstance(owner, dict):
        mapping = schema.get("discriminator", {}).get("mapping", {})
        chosen = mapping.get(owner.get(schema["discriminator"]["propertyName"]))
        if chosen:
            schema = {"$ref": chosen}
    for option in schema.get("anyOf", []):
        if "$ref" in option:
            schema = option
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema
