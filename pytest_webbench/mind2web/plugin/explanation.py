"""Why a recorded step did not succeed, as shown in the terminal and in reports."""

from __future__ import annotations

from ..marks import not_covered
from ..records import RecordedStep
from ..scoring import StepResult


def explanation(step: RecordedStep, result: StepResult, where: str) -> str:
    """Why a step did not succeed, in words; ``where`` is the folder of the attempt."""
    action = step.op
    if step.value:
        action += f" {step.value!r}"
    target = step.gold_repr or step.role or "the target"
    nodes = ", ".join(step.targets) or "none"
    lines = [f"{step.name}: {step.goal}", f"  wanted: {action} on {target} (nodes {nodes})"]
    if not step.targets:
        lines.append(
            "  the recording has lost its target: "
            "counted as wrong, as the dataset's own scoring does"
        )
    elif not result.cover.covered:
        lines.append(f"  {not_covered(result)}")
    lines += _chosen_lines(result)
    return "\n".join([*lines, f"  {where}"])


def _chosen_lines(result: StepResult) -> list[str]:
    chosen = result.prediction
    if chosen is None:
        return []
    where = f"{chosen.ref or 'nothing'} (node {chosen.node or 'none'})"
    why = (chosen.miss or "not exactly the value").replace("_", " ")
    lines = [f"  chosen: {chosen.op} {chosen.value!r} on {where}; {why}"]
    if chosen.detail:
        lines.append(f"  {chosen.detail}")
    return lines
