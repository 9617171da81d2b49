"""What the harness tells an agent that is a program or a service of its own, and what that answers. All of it is JSON.

See ``docs/command-agents.md``; a change that old agents would not understand needs another `VERSION`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from ...errors import InfraError
from ...evidence.scrub import scrub
from ...task.models import TaskBrief
from ..base import AgentCrashed, Equipment, GaveUp, Usage

VERSION: Final = 1
MOST_BYTES: Final = 2_000_000
"""Of one line, or one reply: longer ones are no reply."""
MOST_LOGGED: Final = 1_000_000
MOST_NOTES: Final = 10_000
_LONGEST_REASON: Final = 2000

Count = Annotated[int, Field(ge=0, le=10**12)]


class Spent(BaseModel):
    """What the agent's models have cost."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    calls: Count = 0
    input_tokens: Count = 0
    output_tokens: Count = 0
    cost: float | None = Field(None, ge=0, allow_inf_nan=False, description="US dollars")


class Reply(BaseModel):
    """How the agent's part ended."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Literal["done", "blocked", "infra"]
    answer: JsonValue = None
    reason: str = ""
    usage: Spent = Spent()


def request_of(brief: TaskBrief, cdp_url: str, options: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """All that the agent is told: nothing of checks, solution or the run's folder."""
    return {"version": VERSION, **asdict(brief), "cdp_url": cdp_url, "options": dict(options)}


def read_reply(found: object) -> Reply:
    """The reply; `AgentCrashed` says what is wrong with it."""
    try:
        return Reply.model_validate(found)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']} (found {_clip(repr(one['input']), 100)})"
            for one in error.errors()[:5]
        )
        raise AgentCrashed(f"the agent's reply is not as agreed, see docs/command-agents.md: {wrong}") from None


def conclude(reply: Reply, equipment: Equipment) -> str | None:
    """Book what was spent; the answer, or the exception that stands for another end."""
    spent = reply.usage
    if reply.model_fields_set & {"usage"}:
        equipment.journal.spend(Usage(**spent.model_dump()))
    reason = _clip(scrub(reply.reason), _LONGEST_REASON)
    if reply.status == "blocked":
        raise GaveUp(reason or "no reason given")
    if reply.status == "infra":
        raise InfraError(f"reported by the agent: {reason or 'no reason given'}")
    if reply.answer is None or isinstance(reply.answer, str):
        return reply.answer
    return json.dumps(reply.answer, ensure_ascii=False)


class Transcript:
    """Takes what a program writes, line by line: its reply, notes for the journal, and all else for the log."""

    def __init__(self, equipment: Equipment) -> None:
        self.reply: object = None
        """The last line that looks like a reply."""
        self._equipment = equipment
        self._logged = self._notes = 0
        self._lock = threading.Lock()

    def output(self, line: bytes) -> None:
        """A line of standard output."""
        found = _object(line)
        if "status" in found:
            self.reply = found
        elif found.keys() == {"note"} and self._notes < MOST_NOTES:
            self._notes += 1
            self._equipment.journal.note("agent", note=found["note"])
        else:
            self.log(line)

    def log(self, line: bytes) -> None:
        """A line of standard error, or another that is not meant for us."""
        text = line.decode("utf-8", "replace").rstrip()
        with self._lock:
            if self._logged > MOST_LOGGED:
                return
            self._logged += len(text) + 1
            if self._logged > MOST_LOGGED:
                text = f"[what the agent wrote beyond {MOST_LOGGED} characters is left out]"
            self._equipment.log(text)


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object that a line is; an empty one if it is anything else."""
    if not line.lstrip().startswith(b"{"):
        return {}
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _clip(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
