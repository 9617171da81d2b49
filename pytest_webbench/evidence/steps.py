"""Reads the steps of an episode as they were recorded."""

from __future__ import annotations

from pathlib import Path

from .models import ObservedAction


def read_steps(folder: Path) -> list[ObservedAction]:
    """The steps of an episode, each with the last that was known of it; works on a killed attempt too."""
    path = folder / "steps.jsonl"
    steps: dict[int, ObservedAction] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []:
        try:
            action = ObservedAction.model_validate_json(line)
        except ValueError:
            continue  # a kill can cut the last line off
        steps[action.number] = action
    return list(steps.values())
