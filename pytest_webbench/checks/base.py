"""What a getter and a metric are.

A new one is one class: in a topic module and in a list of ``registry.py``, or in a distribution of
your own, offered in the entry-point group ``pytest_webbench.checks``.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from .._json import digest
from ..errors import GetterError
from ..evidence.models import Evidence


class Missing:
    """The type of `MISSING`: a valid question whose answer is "nothing there"."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "<MISSING>"


MISSING: Final = Missing()

Value: TypeAlias = Any
"""A JSON value or `MISSING`."""


def as_list(value: Value) -> list[Value]:
    """A list as it is, anything else as a list of one: many expectations may be either."""
    return value if isinstance(value, list) else [value]


class Probe(NamedTuple):
    """A question to the final page, asked while it is open.

    Without a ``script`` it is answered by the function ``name`` of ``capture/probes.js``. A getter
    of another distribution brings its own ``script``: a JavaScript function, as source text, that
    is called with ``arguments`` in an isolated world of the page's main frame. It may be ``async``;
    what it returns has to be JSON, and ``null`` means that nothing is there.

    With ``at``, it is asked of the page at this address instead, which the harness opens for it.
    With ``of_world`` it is no question to a page, but to the world.
    """

    name: str
    arguments: dict[str, Any]
    script: str | None = None
    at: str | None = None
    of_world: bool = False

    def key(self) -> str:
        """The name under which the answer is stored in ``evidence.reads``.

        It names the script as well: what an older script has read does not answer a newer one.
        """
        arguments = json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)
        place = "" if self.at is None else f" at {self.at}"
        if self.script is None:
            return f"{self.name} {arguments}{place}"
        return f"{self.name}@{digest(self.script)[:8]} {arguments}{place}"


class Issue(NamedTuple):
    """One thing wrong with what a task file expects, or with a getter's options."""

    what: str
    at: tuple[str | int, ...] = ()
    """Keys and indexes that lead from ``expected``, or from the options, to the culprit."""
    allowed: str = ""

    def within(self, *path: str | int) -> Issue:
        """The same issue, seen from the object that holds ``path``."""
        return self._replace(at=(*path, *self.at))


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def must_be(wanted: str) -> WrapValidator:
    """One complaint about a union, of which pydantic would report each member."""

    def validate(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError as error:
            raise PydanticCustomError("issue", "{text}", {"text": f"must be {wanted}"}) from error

    return WrapValidator(validate)


class Getter(_Spec):
    """Reads one value from evidence.

    Subclasses declare ``type: Literal["its_name"] = "its_name"``, the name that task files use, and
    their options as further fields.
    """

    def issues(self) -> list[Issue]:
        """What is wrong with the options together, found when the task file is read.

        `Issue.at` leads there from the getter's own object.
        """
        return []

    def probe(self) -> Probe | None:
        """What has to be asked of the page while it is open, if anything."""
        return None

    @abstractmethod
    def read(self, evidence: Evidence) -> Value:
        """The value; `MISSING` if nothing is there; `GetterError` if the evidence cannot tell."""

    def answer_of_probe(self, evidence: Evidence) -> Value:
        """What the page answered to this getter's probe.

        `GetterError` if it was not asked or could not answer.
        """
        probe = self.probe()
        assert probe is not None, "only getters with a probe call this"
        read = evidence.reads.get(probe.key())
        if read is None:
            evidence.final_page()
            raise GetterError(
                "this was not asked of the page; was the check changed after the episode?"
            )
        if read.error is not None:
            raise GetterError(read.error)
        return MISSING if read.missing else read.value


class Metric(_Spec):
    """Compares a value with what the task expects.

    Subclasses declare ``name``, the name that task files use, and their options as fields.
    """

    name: ClassVar[str]

    def issues(self, expected: Value) -> list[Issue]:
        """Everything wrong with ``expected``, found when the task file is read."""
        del expected
        return []

    @abstractmethod
    def score(self, result: Value, expected: Value) -> float:
        """From 0 (nothing holds) to 1 (holds); `RuleError` if ``expected`` makes no sense."""
