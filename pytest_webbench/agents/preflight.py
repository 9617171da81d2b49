"""Asks the endpoints of agents one tiny question each, before a session spends hours on a wrong key."""

from __future__ import annotations

import time
from typing import NamedTuple

from ..errors import BadReply, InfraError, UsageError
from .config import Configuration, agent_label, services_of
from .load import require_agent
from .types import AgentOptions, load_kind

NOTHING_TO_ASK = "nothing to ask"


class Checked(NamedTuple):
    """What came of it. ``problem`` is empty if all is well."""

    agent: str
    seconds: float
    said: str
    problem: str


def check_agent(spec: str, configuration: Configuration) -> Checked:
    """Asks the agent called ``spec``; what is wrong is in the result."""
    begin, said, problem = time.monotonic(), "", ""
    try:
        require_agent(spec, configuration)
        options = configuration.options(spec)
        said = NOTHING_TO_ASK if options is None else _ask(spec, options, configuration)
    except (UsageError, InfraError, BadReply) as error:
        problem = str(error)
    return Checked(agent_label(spec), time.monotonic() - begin, said, problem)


def _ask(spec: str, options: AgentOptions, configuration: Configuration) -> str:
    kit = configuration.kit(agent_label(spec), patient=False)
    for service in services_of(options):
        kit.key(service)
    check = getattr(load_kind(options.type), "check", None)
    return str(check(options, kit)) if check is not None else NOTHING_TO_ASK
