"""What a task's checks have to ask of the final page."""

from __future__ import annotations

from ..checks import Probe
from .models import Task


def page_probes_of(task: Task) -> list[Probe]:
    """Everything that the task's checks have to ask of the final page, each question once."""
    return [probe for probe in probes_of(task) if not probe.of_world]


def world_probes_of(task: Task) -> list[Probe]:
    """Everything that they have to ask of the world that the episode was played in."""
    return [probe for probe in probes_of(task) if probe.of_world]


def probes_of(task: Task) -> list[Probe]:
    """Everything that the task's checks have to ask once the agent is done, each question once."""
    found: dict[str, Probe] = {}
    for check in task.checks:
        for getter in (check.getter, check.expected_getter):
            if getter is not None and (probe := getter.probe()) is not None:
                found[probe.key()] = probe
    return list(found.values())
