"""What the harness sends to an agent that is a program or a service, and what that replies.

All of it is JSON; see ``docs/command-agents.md``. A change that old agents would not understand
needs another `VERSION`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core import ErrorDetails

from ..._json import parse_object
from ..._text import clip, sanitize
from ..._usage import MOST, Usage
from ...task.models import TaskBrief
from ..base import AgentContext, AgentCrashed, GaveUp

VERSION: Final = 1
MOST_BYTES: Final = 2_000_000
"""Of one line, or of one reply."""
MOST_LOGGED: Final = 1_000_000
"""Characters of a program's output that are kept."""
MOST_NOTES: Final = 10_000
_LONGEST_REASON: Final = 2000

# Bounded: a program's word goes into sums, and JSON's integers have no limit.
Count = Annotated[int, Field(ge=0, le=MOST)]


class SpentUsage(BaseModel):
    """What the agent's models have cost."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    calls: Count = 0
    input_tokens: Count = 0
    output_tokens: Count = 0
    cost: float | None = Field(None, ge=0, le=MOST, allow_inf_nan=False, description="US dollars")


class AgentReply(BaseModel):
    """How the agent's part ended."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Literal["done", "blocked", "infra"]
    answer: JsonValue = None
    reason: str = ""
    usage: SpentUsage = SpentUsage()


def agent_request(
    brief: TaskBrief, cdp_url: str, options: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """All that the agent gets to know: nothing of checks, solution or the run's folder."""
    return {"version": VERSION, **asdict(brief), "cdp_url": cdp_url, "options": dict(options)}


def browser_address(context: AgentContext) -> str:
    """The address of the episode's browser for CDP clients."""
    assert context.cdp_url is not None, "an agent with a dedicated browser gets its address"
    return context.cdp_url


def parse_reply(found: object) -> AgentReply:
    """The reply in ``found``; `AgentCrashed` says what is wrong with it."""
    try:
        return AgentReply.model_validate(found)
    except ValidationError as error:
        wrong = "; ".join(_problem(details) for details in error.errors()[:5])
        raise AgentCrashed(
            f"the agent's reply does not follow docs/command-agents.md: {wrong}"
        ) from None


def _problem(details: ErrorDetails) -> str:
    where = ".".join(map(str, details["loc"])) or "it"
    return f"{where}: {details['msg']} (found {clip(repr(details['input']), 100)})"


def conclude(reply: AgentReply, context: AgentContext) -> str | None:
    """Book what was spent. Returns the answer, or raises the exception for another ending."""
    if "usage" in reply.model_fields_set:
        context.journal.spend(Usage(**reply.usage.model_dump()))
    reason = clip(sanitize(reply.reason), _LONGEST_REASON) or "no reason given"
    if reply.status == "blocked":
        raise GaveUp(reason)
    if reply.status == "infra":
        # Whether there was trouble is not the agent's to say: the evidence decides.
        raise GaveUp(f"the agent reports trouble: {reason}")
    if reply.answer is None or isinstance(reply.answer, str):
        return reply.answer
    return json.dumps(reply.answer, ensure_ascii=False)


class Transcript:
    """Sorts what a program writes, line by line, into its reply, notes for the journal, and log."""

    def __init__(self, context: AgentContext) -> None:
        self.reply: object = None
        """The last line that looks like a reply."""
        self._context = context
        self._logged = 0
        self._notes = 0
        # Standard output and standard error are read by two threads, and both may log.
        self._lock = threading.Lock()

    def output(self, line: bytes) -> None:
        """Take a line of standard output."""
        found = _object(line)
        if "status" in found:  # a later one replaces it: the last line counts
            self.reply = found
        elif found.keys() == {"note"} and self._notes < MOST_NOTES:
            self._notes += 1
            self._context.journal.note("agent", note=found["note"])
        else:
            self.log(line)

    def log(self, line: bytes) -> None:
        """Take a line for the log: one of standard error, or one that means nothing to us."""
        text = line.decode("utf-8", "replace").rstrip()
        with self._lock:
            if self._logged > MOST_LOGGED:
                return  # the line that says so was written already
            self._logged += len(text) + 1
            if self._logged > MOST_LOGGED:
                text = f"[output beyond {MOST_LOGGED} characters is left out]"
            self._context.log(text)


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object on a line; an empty one if the line is anything else."""
    if not line.lstrip().startswith(b"{"):
        return {}
    return parse_object(line) or {}
