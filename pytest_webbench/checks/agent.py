"""Getters that read what the agent said and did."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from ..evidence.models import Evidence
from .base import MISSING, Getter, Value


class Const(Getter):
    """A value written in the task file."""

    type: Literal["const"] = "const"
    value: JsonValue

    def read(self, evidence: Evidence) -> Value:
        del evidence
        return self.value


class AgentAnswer(Getter):
    """The agent's final answer, verbatim; missing if it gave none."""

    type: Literal["agent_answer"] = "agent_answer"

    def read(self, evidence: Evidence) -> Value:
        return MISSING if evidence.answer is None or not evidence.answer.strip() else evidence.answer


class Actions(Getter):
    """What the agent did, as the browser saw it: one line per action, ``kind role "name" = value``."""

    type: Literal["actions"] = "actions"
    kind: str | None = Field(None, description="only actions of this kind, e.g. `select`")

    def read(self, evidence: Evidence) -> Value:
        chosen = [action for action in evidence.actions if self.kind in (None, action.kind)]
        return [
            f'{action.kind} {action.target.role} "{action.target.name}"'
            + (f" = {action.value}" if action.value is not None else "")
            for action in chosen
        ]


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
        return [entry.url for entry in evidence.history if not (self.up_to_current and entry.ahead)]
