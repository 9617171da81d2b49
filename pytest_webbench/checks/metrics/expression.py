"""The metric that evaluates an expression."""

from __future__ import annotations

from typing import ClassVar

from ...errors import RuleError
from .. import expression
from ..base import Flaw, Metric, Value


class Expression(Metric):
    """A ``lambda u, t, x, a: ...`` over final URL, title, visible text and actions holds; read, never executed."""

    name: ClassVar[str] = "expression"

    def flaws(self, expected: Value) -> list[Flaw]:
        if not isinstance(expected, str):
            return [Flaw("must be an expression: lambda u, t, x, a: ...")]
        return [Flaw(refusal.what, (), refusal.allowed) for refusal in expression.program(expected).refusals]

    def score(self, result: Value, expected: Value) -> float:
        if flaws := self.flaws(expected):
            raise RuleError(f"expected: {flaws[0].what}")
        if not isinstance(result, dict) or set(result) != set(expression.NAMES):
            raise RuleError("an expression is evaluated over what suite_c_view reads")
        return float(expression.evaluate(expression.program(expected), result))
