"""One episode in the local world: its state, its clock, who is signed in, and what was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..._json import canonical_json
from ...checks import Probe
from ...errors import RuleError
from ...evidence.models import LocalFacts, Read, ServedRequest
from ..facts import Facts
from ..kit.editions import Edition
from .database import Template
from .state import State

if TYPE_CHECKING:
    from .site import Asked

ME: Final = 1
"""Of all people in a world, the one whom the agent works for."""
STEP: Final = timedelta(minutes=1)
"""So much later it is after each request that may change something; time stands still otherwise."""

AnswerT = TypeVar("AnswerT")


def known_to_all(edition: Edition) -> dict[str, Any]:
    """What SQL of tasks may name in every world: ``:me`` and ``:today``."""
    return {"me": ME, "today": edition.now.date().isoformat()}


class Stay:
    """Sites as they are for one episode. Requests are answered one at a time.

    It is read in this process only: nothing that a page or an agent can open leads here.
    """

    def __init__(
        self,
        template: Template,
        edition: Edition,
        *,
        signed_out: Collection[str] = (),
        on_end: Callable[[], object] = lambda: None,
    ) -> None:
        self._lock = threading.Lock()
        self.edition = edition
        self._on_end = on_end
        self._log: list[ServedRequest] = []
        self._signed_out = frozenset(signed_out)
        self._signed_in: dict[str, int | None] = {}
        self._notices: dict[str, list[str]] = {}
        self._has_ended = False
        self.state = State(template)
        self.now: datetime = edition.now
        """By this world's own clock."""

    # -- for sites ---------------------------------------------------------------------------------

    def user(self, site: str) -> int | None:
        """Who is signed in to a site."""
        return self._signed_in.get(site, None if site in self._signed_out else ME)

    def sign_in(self, site: str, user: int | None) -> None:
        """Let somebody be signed in to a site, or nobody."""
        self._signed_in[site] = user

    def notice(self, site: str, text: str) -> None:
        """Something to tell on the next page of a site."""
        self._notices.setdefault(site, []).append(text)

    def notices(self, site: str) -> list[str]:
        """What is to be told, each once."""
        return self._notices.pop(site, [])

    def serve(self, asked: Asked, answer: Callable[[], AnswerT]) -> AnswerT:
        """What ``answer`` says to a request, which is noted; nothing is changed if it raises."""
        with self._lock:
            number = len(self._log) + 1
            status = 500
            changed: tuple[str, ...] = ()
            if asked.may_change:
                self.now += STEP
            try:
                with self.state.transaction(number):
                    answered = answer()
                    changed = self.state.touched_by(number)
                    if changed and not asked.may_change:
                        raise RuntimeError(
                            f"a page has changed {', '.join(changed)}: let an action do that, or "
                            "name what does not count in VOLATILE"
                        )
                status = getattr(answered, "status_code", 200)
            finally:
                self._log.append(asked.noted(number, status, changed))
            return answered

    # -- for the harness ---------------------------------------------------------------------------

    def facts(self, probes: Iterable[Probe] = ()) -> Facts:
        """What has become of it so far, and what checks ask of the database."""
        with self._lock:
            local = LocalFacts(changes=tuple(self.state.changes()), log=tuple(self._log))
            return Facts(local, {probe.key(): self._answer(probe.arguments) for probe in probes})

    def _answer(self, asked: Mapping[str, Any]) -> Read:
        try:
            rows = self.state.select(
                asked["sql"],
                known_to_all(self.edition),
                Random(0),
                at_start=asked["at"] == "start",
            )
            canonical_json(rows)
        except (RuleError, TypeError, ValueError) as error:
            return Read(error=str(error))
        return Read(value=rows)

    def end(self, probes: Iterable[Probe] = ()) -> Facts:
        """The facts, and no more of it; nothing if it has ended before."""
        if self._has_ended:
            return Facts()
        facts = self.facts(probes)
        self._has_ended = True
        self._on_end()
        with self._lock:
            self.state.close()
        return facts
