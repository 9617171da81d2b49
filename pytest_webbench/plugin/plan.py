"""What ``run.json`` says of a session: options, agents, and the conditions of its results."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from typing import Any

import pytest

from .._version import __version__
from ..run.conditions import KEY as CONDITIONS
from ..run.held_out import KEY as HELD_OUT
from ..run.held_out import Overlap
from ..task import Suite
from .agents import SessionAgents
from .settings import Settings


def run_facts(
    settings: Settings,
    agents: SessionAgents,
    suites: Iterable[Suite],
    overlap: Overlap | None = None,
) -> dict[str, Any]:
    """Everything in ``run.json`` besides the planned items."""
    held_out = {} if overlap is None else {HELD_OUT: overlap.facts()}
    return {
        **held_out,
        "environment": {
            "pytest_webbench": __version__,
            "pytest": pytest.__version__,
            "python": platform.python_version(),
            "platform": sys.platform,
        },
        "options": {
            "agents": list(map(agents.redactor.text, agents.specs)),
            "world": settings.world,
            "repeats": settings.repeats,
            "seeds": settings.seeds,
            "seed": settings.seed,
            "max_actions": settings.max_actions,
            "max_seconds": settings.max_seconds,
            "infra_retries": settings.infra_retries,
            "flagged": settings.flagged,
            "test_passes": settings.test_passes,
        },
        "agents": agents.options_for_run_json(),
        CONDITIONS: {
            "agents": {} if settings.plays_proofs else agents.conditions(),
            "suites": {suite.name: _suite_conditions(settings, suite) for suite in suites},
        },
    }


def _suite_conditions(settings: Settings, suite: Suite) -> dict[str, Any]:
    """What results depend on besides their tasks; a limit only where no option replaces it."""
    return {
        "max_actions": None if settings.max_actions else suite.limits.actions,
        "max_seconds": None if settings.max_seconds else suite.limits.seconds,
        "locale": suite.locale,
        "timezone": suite.timezone,
    }
