"""Asks a server of the decisions API."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from ...errors import BadReply
from ..base import Usage
from ..types import Price
from .answers import Picked, pick, usage_of
from .menu import Menu


class Posts(Protocol):
    """A service that takes JSON and gives JSON; see `agents.endpoint.transport`."""

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The reply's JSON. `EndpointError` if there is none."""


class DecisionServer:
    """One model behind one route."""

    def __init__(
        self,
        endpoint: Posts,
        path: str,
        model: str,
        price: Price | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint, self._path, self.model, self._price, self._clock = endpoint, path, model, price, clock

    def ask(self, body: dict[str, Any], menu: Menu, *, joint: bool = False) -> tuple[Picked, Usage]:
        """One question, once. `BadReply` if the answer cannot be used, with what it has cost."""
        begin = self._clock()
        reply = self._endpoint.post(self._path, body)
        usage = usage_of(reply, self._clock() - begin)
        if usage.cost is None and self._price is not None:
            usage = replace(usage, cost=self._price.of(usage))
        try:
            return pick(menu, reply, joint=joint), usage
        except BadReply as error:
            raise BadReply(str(error), usage) from error
