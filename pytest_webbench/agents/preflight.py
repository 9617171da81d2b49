"""Asks agents' endpoints one tiny question each, before a session spends hours on a wrong key."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from ..errors import BadReply, InfraError, UsageError
from .config import Configuration, agent_label, services_of
from .load import require_makeable
from .options import AgentOptions

NOTHING_TO_ASK: Final = "nothing to ask"


class AgentCheck(NamedTuple):
    """What came of asking an agent's endpoints."""

    agent: str
    seconds: float
    said: str
    """What answered; empty if there is a problem."""
    problem: str
    """What is wrong; empty if nothing is."""


def check_agent(spec: str, configuration: Configuration) -> AgentCheck:
    """Make the agent ``spec`` and ask its endpoints. What is wrong is returned, not raised."""
    begin = time.monotonic()
    said = problem = ""
    try:
        require_makeable(spec, configuration)
        options = configuration.options(spec)
        said = _ask(spec, options, configuration)
    # Anything else is a defect of the agent type and should show its traceback.
    except (UsageError, InfraError, BadReply) as error:
        problem = str(error)
    return AgentCheck(agent_label(spec), time.monotonic() - begin, said, problem)


def _ask(spec: str, options: AgentOptions | None, configuration: Configuration) -> str:
    if options is None:
        return NOTHING_TO_ASK
    build = configuration.build_context(agent_label(spec), patient=False)
    for service in services_of(options):
        build.key(service)  # missing keys are reported for agents without a check of their own, too
    check = configuration.agent_type(options.type).check
    if check is None:
        return NOTHING_TO_ASK
    return check(options, build)
