"""Getters that read what the agent said and did."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue, field_validator

from .._json import strict_json
from ..errors import RuleError
from ..evidence.models import Ending, Evidence, ObservedAction
from . import paths
from .answers import unfenced
from .base import MISSING, Getter, Value


class Const(Getter):
    """A value written in the task file."""

    type: Literal["const"] = "const"
    value: JsonValue

    def read(self, evidence: Evidence) -> Value:
        del evidence
        return self.value


class AgentAnswer(Getter):
    """The agent's final answer, verbatim; missing if it gave none.

    With ``path``, what an answer that is JSON has there.
    """

    type: Literal["agent_answer"] = "agent_answer"
    path: str | None = Field(None, description="a path into the answer, which is JSON")

    @field_validator("path")
    @classmethod
    def _readable(cls, path: str | None) -> str | None:
        if path is not None:
            try:
                paths.parse(path)
            except RuleError as error:
                raise ValueError(str(error)) from None
        return path

    def read(self, evidence: Evidence) -> Value:
        if evidence.answer is None or not evidence.answer.strip():
            return MISSING
        if self.path is None:
            return evidence.answer
        try:
            value = strict_json(unfenced(evidence.answer.strip()), unique_keys=True)
        except ValueError:
            return MISSING
        found = paths.select(value, self.path)
        return found[0] if found else MISSING


class Refusal(Getter):
    """Why the agent has refused the task, in its own words; missing if it has not.

    Stops by a budget, by a rule of the harness or by a crash are no refusal.
    """

    type: Literal["refusal"] = "refusal"

    def read(self, evidence: Evidence) -> Value:
        return evidence.ending_detail if evidence.ending is Ending.GAVE_UP else MISSING


class Actions(Getter):
    """What the agent did, as the browser saw it.

    One line per action: ``kind role "name" = value``.
    """

    type: Literal["actions"] = "actions"
    kind: str | None = Field(None, description="only actions of this kind, e.g. `select`")

    def read(self, evidence: Evidence) -> Value:
        return [_line(action) for action in evidence.actions if self.kind in (None, action.kind)]


def _line(action: ObservedAction) -> str:
    line = f'{action.kind} {action.target.role} "{action.target.name}"'
    return line if action.value is None else f"{line} = {action.value}"


class OpenTabs(Getter):
    """Address and title of every open tab."""

    type: Literal["open_tabs"] = "open_tabs"

    def read(self, evidence: Evidence) -> Value:
        return [{"url": tab.url, "title": tab.title} for tab in evidence.tabs]


class NavHistory(Getter):
    """Addresses in the final tab's history, oldest first."""

    type: Literal["nav_history"] = "nav_history"
    up_to_current: bool = Field(False, description="leave out those from which the agent went back")

    def read(self, evidence: Evidence) -> Value:
        evidence.require_complete("history")
        return [entry.url for entry in evidence.history if not (self.up_to_current and entry.ahead)]
