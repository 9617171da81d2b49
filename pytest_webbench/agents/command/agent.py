"""Runs a program for an episode, and reads its reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ...browser.event_loop import wait_in_event_loop
from ...task.models import TaskBrief
from ..base import AgentContext, AgentCrashed, Budget
from .isolation import isolated
from .process import Program, how_it_ended
from .protocol import Transcript, agent_request, browser_address, conclude, parse_reply

if TYPE_CHECKING:
    from playwright.sync_api import Page


class CommandAgent:
    """Starts a program with the brief, and takes its last line of output as the reply."""

    dedicated_browser = True

    def __init__(
        self,
        command: tuple[str, ...],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        options: Mapping[str, JsonValue],
        isolate: bool = False,
    ) -> None:
        self._command = command
        self._cwd = cwd
        self._environment = environment
        self._options = options
        self._isolate = isolate
        self._context: AgentContext | None = None

    def __repr__(self) -> str:
        return f"CommandAgent({' '.join(self._command)})"

    def attach(self, context: AgentContext) -> None:
        """Keep the journal, the log and the browser's address."""
        self._context = context

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Start the program, keep the browser's events going meanwhile, and return its answer."""
        assert self._context is not None, "agents get their context before they run"
        request = agent_request(brief, browser_address(self._context), self._options)
        transcript = Transcript(self._context)
        command = self._command
        if self._isolate:
            command = isolated(command, cwd=self._cwd, hidden=self._context.hidden)
        program = Program(
            command,
            cwd=self._cwd,
            # The request last: no variable of the user's may stand in for a part of it.
            environment={**self._environment, **request_variables(request)},
            output=transcript.output,
            errors=transcript.log,
        )
        line = json.dumps(request).encode() + b"\n"
        try:
            # Playwright's events are dispatched in this thread only, so the program is waited for
            # in another one.
            code = wait_in_event_loop(page, lambda: program.talk(line))
        finally:
            # Also if the budget is used up: then an exception comes from outside.
            program.end()
        if code:
            raise AgentCrashed(f"the program {how_it_ended(code)}; see its output above")
        if transcript.reply is None:
            raise AgentCrashed(
                "the program ended without a reply: its last line must be a JSON object with "
                '"status"'
            )
        return conclude(parse_reply(transcript.reply), self._context)


def request_variables(request: Mapping[str, JsonValue]) -> dict[str, str]:
    """The request as environment variables, for programs that do not read standard input.

    ``goal`` is ``WEBBENCH_GOAL``; what is not a text is JSON. ``options`` are left out.
    """
    variables = {}
    for name, value in request.items():
        if name == "options":
            continue
        text = value if isinstance(value, str) else json.dumps(value)
        # The system refuses a NUL within the environment of a process.
        variables[f"WEBBENCH_{name.upper()}"] = text.replace("\0", "")
    return variables
