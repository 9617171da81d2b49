"""An agent type with an option: it clicks links whose names occur in the goal."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from pytest_webbench.agents import (
    Agent,
    AgentOptions,
    AgentType,
    Budget,
    BuildContext,
    GaveUp,
    TaskBrief,
)


class FirstLinkOptions(AgentOptions):
    """Keys of ``[agents.<name>]`` with ``type = "first-link"``."""

    type: Literal["first-link"] = "first-link"
    clicks: int = Field(1, ge=1, description="how many links are clicked, one after the other")

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``first-link:3`` on the command line."""
        return {"clicks": int(rest)} if rest else {}


class FirstLink:
    """Clicks the first link whose name occurs in the goal, ``clicks`` times."""

    def __init__(self, clicks: int) -> None:
        self._clicks = clicks

    def run(self, brief: TaskBrief, page: Any, budget: Budget) -> str | None:
        for _ in range(min(self._clicks, budget.actions_left)):
            self._click_one(page, brief.goal.lower())
        return page.title() if brief.wants_answer else None

    def _click_one(self, page: Any, goal: str) -> None:
        for link in page.get_by_role("link").all():
            name = link.inner_text().strip().lower()
            if name and name in goal:
                link.click()
                return
        raise GaveUp(f"no link on {page.url} is named in the goal")


def make(options: FirstLinkOptions, build: BuildContext) -> Agent:
    """A fresh agent for one episode."""
    del build
    return FirstLink(options.clicks)


AGENT_TYPE = AgentType(
    summary="clicks links that the goal names",
    options=FirstLinkOptions,
    make=make,
    bare=True,
    trusted=False,
)
