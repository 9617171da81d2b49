"""Asks a service of the decisions API."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..._usage import Usage
from ...errors import BadReply
from ..endpoint.transport import JsonService
from ..prices import Pricing
from .answers import MenuChoice, choice_in, usage_of
from .menu import Menu


class DecisionClient:
    """One model behind one route. ``price`` is used where the service names no cost itself."""

    def __init__(
        self,
        endpoint: JsonService,
        path: str,
        *,
        model: str,
        price: Pricing | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.model = model
        self._endpoint = endpoint
        self._path = path
        self._price = price
        self._clock = clock

    def ask(
        self, body: dict[str, Any], menu: Menu, *, joint: bool = False
    ) -> tuple[MenuChoice, Usage]:
        """Ask once. `BadReply`, with what it has cost, if the answer cannot be used."""
        begin = self._clock()
        reply = self._endpoint.post(self._path, body)
        usage = usage_of(reply, self._clock() - begin)
        if usage.cost is None and self._price is not None:
            usage = replace(usage, cost=self._price.of(usage))
        try:
            return choice_in(reply, menu, joint=joint), usage
        except BadReply as error:
            # A bad reply costs as much as a good one.
            raise BadReply(str(error), usage) from error
