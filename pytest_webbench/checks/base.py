"""What a getter and a metric are.

A new one is one class in a topic module and one line in ``registry.py``; nothing else needs editing.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict

from ..errors import GetterError
from ..evidence.models import Evidence


class Missing:
    """The type of `MISSING`: a valid question whose answer is "nothing there" (an absent URL parameter, say)."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "<MISSING>"


MISSING: Final = Missing()

Value: TypeAlias = Any
"""A JSON value or `MISSING`."""


class Probe(NamedTuple):
    """A question to the final page, answered by the function ``name`` of ``evidence/probes.js``."""

    name: str
    arguments: dict[str, Any]

    def key(self) -> str:
        """The name under which the answer is stored in ``evidence.reads``."""
        return f"{self.name} {json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)}"


class Flaw(NamedTuple):
    """One thing wrong with what a task file expects; ``at`` leads from ``expected`` to the culprit."""

    what: str
    at: tuple[str | int, ...] = ()
    allowed: str = ""


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Getter(_Spec):
    """Reads one value from evidence. Subclasses declare ``type: Literal["its_name"]`` and their options as fields."""

    def probe(self) -> Probe | None:
        """What has to be asked of the page while it is open, if anything."""
        return None

    @abstractmethod
    def read(self, evidence: Evidence) -> Value:
        """The value; `MISSING` if nothing is there; `GetterError` if the evidence cannot tell."""

    def answer_of_probe(self, evidence: Evidence) -> Value:
        """What the page answered to this getter's probe."""
        probe = self.probe()
        assert probe is not None, "only getters with a probe call this"
        read = evidence.reads.get(probe.key())
        if read is None:
            evidence.final_page()
            raise GetterError("this was not asked of the page; was the check changed after the episode?")
        if read.error is not None:
            raise GetterError(read.error)
        return MISSING if read.missing else read.value


class Metric(_Spec):
    """Compares a value with what the task expects. Options are fields; ``name`` is how task files call it."""

    name: ClassVar[str]

    def flaws(self, expected: Value) -> list[Flaw]:
        """Everything wrong with ``expected``, found when the task file is read."""
        del expected
        return []

    @abstractmethod
    def score(self, result: Value, expected: Value) -> float:
        """From 0 (nothing holds) to 1 (holds); `RuleError` if ``expected`` makes no sense."""
