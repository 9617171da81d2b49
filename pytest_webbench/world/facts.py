"""What a world knows of an episode once that is over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from ..checks import Probe
from ..evidence.models import LocalFacts, Read


class Facts(NamedTuple):
    """State and log of a world that keeps them, and answers to `Probe`s of the world by key."""

    local: LocalFacts | None = None
    reads: Mapping[str, Read] = MappingProxyType({})


class Stay(Protocol):
    """One episode in a world."""

    def end(self, probes: Iterable[Probe] = ()) -> Facts:
        """What is known of it, asked once; nothing the second time."""


class NoState:
    """A stay in a world that keeps nothing."""

    def end(self, probes: Iterable[Probe] = ()) -> Facts:
        """Nothing is known."""
        del probes
        return Facts()
