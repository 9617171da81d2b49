"""The metric that evaluates an expression."""

from __future__ import annotations

from typing import ClassVar

from ...errors import RuleError
from .. import expression
from ..base import Issue, Metric, Value


class Expression(Metric):
    """A ``lambda u, t, x, a: ...`` over final URL, title, visible text and actions holds.

    It is interpreted, never executed as Python.
    """

    name: ClassVar[str] = "expression"

    def issues(self, expected: Value) -> list[Issue]:
        if not isinstance(expected, str):
            return [Issue("must be an expression: lambda u, t, x, a: ...")]
        refusals = expression.program(expected).refusals
        return [Issue(refusal.what, allowed=refusal.allowed) for refusal in refusals]

    def score(self, result: Value, expected: Value) -> float:
        if issues := self.issues(expected):
            raise RuleError(f"expected: {issues[0].what}")
        if not isinstance(result, dict) or set(result) != set(expression.NAMES):
            raise RuleError("an expression is evaluated over what suite_c_view reads")
        return float(expression.evaluate(expression.program(expected), result))
