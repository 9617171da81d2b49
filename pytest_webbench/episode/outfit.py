"""What the harness hands to the agent of one episode, and how far the agent's word is trusted."""

from __future__ import annotations

from collections.abc import Callable

from ..agents import Agent
from ..agents.base import Equipment, Equipped, Gate, Journal


class Outfit:
    """Serves one episode.

    ``ours`` says whether the agent's code belongs to this package, by how it was made: only then is it believed that an
    endpoint was in trouble, and is the time that it waited for one given back. A class of the user's cannot claim that.
    """

    def __init__(self, journal: Journal, gate: Gate, *, ours: bool) -> None:
        self._journal, self._gate, self.ours = journal, gate, ours
        self.waited = 0.0
        """Seconds that were given back."""

    def put_on(
        self, agent: Agent, cdp_url: str | None, extend: Callable[[float], None], log: Callable[[str], None]
    ) -> None:
        """Equip the agent, if it wants that. ``extend`` makes its time longer by so many seconds."""

        def waited(seconds: float) -> None:
            if self.ours and seconds > 0:
                self.waited += seconds
                extend(seconds)

        if isinstance(agent, Equipped):
            agent.equip(Equipment(self._journal, self._gate, cdp_url, waited, log))
