"""Agents with ``async def run``: awaited in a thread and an event loop of their own.

Playwright's synchronous API keeps an event loop in the main thread, so the agent gets another
connection to the same browser, by its CDP address.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from ..browser.async_page import async_page
from ..browser.event_loop import finish, wait_in_event_loop
from ..errors import SettingsError
from ..task.models import TaskBrief
from .base import Agent, AgentContext, AgentCrashed, Budget, NeedsContext
from .command.protocol import browser_address

if TYPE_CHECKING:
    from playwright.sync_api import Page

_STOP_SECONDS: Final = 60.0
"""How long an agent out of budget is waited for. The watchdog has ended the process by then."""
_CTRL_C_SECONDS: Final = 1.0


def harness_side(agent: object, name: str) -> Agent:
    """The agent as the harness calls it: an asynchronous one is awaited.

    `SettingsError` if it has no ``run``, or one that gives the answer piece by piece.
    """
    if not isinstance(agent, Agent):
        raise SettingsError(f"agent {name!r} has no method run(brief, page, budget)")
    layers = list(_layers(agent.run))
    if any(inspect.iscoroutinefunction(layer) for layer in layers):
        return AsyncAgent(agent)
    # A decorator may have put the pieces of a generator together, but not so its outermost layer.
    called = next(layer for layer in layers if inspect.isroutine(layer))
    if inspect.isgeneratorfunction(called) or inspect.isasyncgenfunction(called):
        raise SettingsError(
            f"the method run of agent {name!r} is a generator (it has a yield): return the answer, "
            "from `def run(brief, page, budget)` or `async def run(brief, page, budget)`"
        )
    return agent


def _layers(run: Any) -> Iterator[Any]:
    """``run`` and what is behind it: behind decorators, partial calls and callable objects."""
    while True:
        yield run
        if isinstance(run, functools.partial):
            run = run.func
        elif hasattr(run, "__wrapped__"):
            run = run.__wrapped__
        elif inspect.isroutine(run):
            return
        else:
            run = type(run).__call__


class AsyncAgent:
    """Gives an asynchronous agent a page of `playwright.async_api`, and waits for its answer."""

    dedicated_browser = True

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._context: AgentContext | None = None

    def __repr__(self) -> str:
        return f"AsyncAgent({self._agent!r})"

    def attach(self, context: AgentContext) -> None:
        """Keep the browser's address, and hand the context on to an agent that wants it."""
        self._context = context
        if isinstance(self._agent, NeedsContext):
            self._agent.attach(context)

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Await the agent's ``run`` while the browser is observed in this thread."""
        assert self._context is not None, "agents get their context before they run"
        work = _Stoppable(self._agent, browser_address(self._context))
        try:
            answer: str | None = wait_in_event_loop(page, lambda: work.run(brief, budget))
        except KeyboardInterrupt as error:  # the budget is used up, or the user pressed Ctrl-C
            work.stop(_CTRL_C_SECONDS if type(error) is KeyboardInterrupt else _STOP_SECONDS)
            raise
        return answer


class _Stoppable:
    """One call of an agent's ``run``, made in one thread and stopped from another one."""

    def __init__(self, agent: Agent, cdp_url: str) -> None:
        self._agent, self._cdp_url = agent, cdp_url
        self._task: asyncio.Task[Any] | None = None
        self._ended = threading.Event()

    def run(self, brief: TaskBrief, budget: Budget) -> Any:
        """What the agent returns; to be called in a thread without an event loop."""
        try:
            return asyncio.run(self._await_agent(brief, budget))
        except asyncio.CancelledError:
            # Nobody waits for it if we have cancelled it. An agent that does so itself has crashed,
            # and a future of another loop would take this class for its own cancellation.
            raise AgentCrashed("run was cancelled") from None
        finally:
            self._ended.set()

    async def _await_agent(self, brief: TaskBrief, budget: Budget) -> Any:
        self._task = asyncio.current_task()
        async with async_page(self._cdp_url) as page:
            # Another page than the protocol's: that is what asynchronous agents expect.
            run: Callable[..., Any] = self._agent.run
            answer = run(brief, page, budget)
            # A decorator may have awaited it.
            return await answer if inspect.isawaitable(answer) else answer

    def stop(self, seconds: float) -> None:
        """Cancel the call, and wait up to ``seconds`` until it has ended."""
        if self._task is not None:
            with suppress(RuntimeError):  # the loop is closed: it has ended meanwhile
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)
        finish(self._wait, seconds)

    def _wait(self) -> None:
        self._ended.wait()
