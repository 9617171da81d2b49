"""What the harness hands to the agent of one episode, and how far it trusts the agent's word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..agents import Agent
from ..agents.base import AgentContext, Backoff, Journal, NeedsContext


class ContextProvider:
    """Gives one episode's agent its journal, its backoff and, if it wants one, a CDP address.

    ``trusted`` says whether the agent's code belongs to this package, by how it was made. Only then
    does the harness believe that an endpoint was in trouble, and extend the time budget by the
    seconds spent waiting for it: a user's class could claim both to its advantage. ``hidden`` are
    folders that isolated programs do not see.
    """

    def __init__(
        self,
        journal: Journal,
        backoff: Backoff,
        *,
        trusted: bool,
        hidden: tuple[Path, ...] = (),
    ) -> None:
        self._journal, self._backoff, self._hidden = journal, backoff, hidden
        self.trusted = trusted
        self.extra_seconds = 0.0
        """Seconds by which the time budget was extended so far."""

    def attach(
        self,
        agent: Agent,
        *,
        cdp_url: str | None,
        extend: Callable[[float], None],
        log: Callable[[str], None],
    ) -> None:
        """Hand the context to ``agent`` if it asks for one.

        ``extend`` takes the seconds by which the agent's time budget grows, ``log`` a line for
        ``agent.log``.
        """
        if not isinstance(agent, NeedsContext):
            return

        def waited(seconds: float) -> None:
            if self.trusted and seconds > 0:
                self.extra_seconds += seconds
                extend(seconds)

        agent.attach(AgentContext(self._journal, self._backoff, cdp_url, waited, log, self._hidden))
