"""What all cheats have in common: each is an agent that wants a pass without doing the task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..agents.base import Budget, GaveUp
from ..browser.replayer import Replayer
from ..task.models import TaskBrief
from .loot import Loot, loot_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

_MILLISECONDS: Final = 300
_COPY: Final = """(() => {
  for (const field of document.querySelectorAll("input")) {
    field.setAttribute("value", field.value);
    field.toggleAttribute("checked", field.checked);
  }
  for (const area of document.querySelectorAll("textarea")) area.textContent = area.value;
  for (const option of document.querySelectorAll("option"))
    option.toggleAttribute("selected", option.selected);
  for (const script of document.querySelectorAll("script")) script.remove();
  return document.documentElement.outerHTML;
})()"""


class Cheat:
    """An agent that knows the solution."""

    attacker = "solution"
    """What it knows: the solution, or the goal only."""

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Cheat, then give the right answer."""
        del budget
        loot = loot_of(brief.task_id)
        self.cheat(page, loot)
        return loot.answer

    def cheat(self, page: Page, loot: Loot) -> None:
        """Do what is to pass for the task."""
        raise NotImplementedError


class Shortcut(Cheat):
    """A cheat that opens the final address where no page has shown it.

    Where the start page links to it, that is no cheat: any agent may follow a link.
    """

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """The same, unless there is nothing to cut short."""
        if Replayer().has_link(page, tab=0, url=loot_of(brief.task_id).url):
            raise GaveUp("the start page links to the final page")
        return super().run(brief, page, budget)


def copied(page: Page, url: str) -> str:
    """The page at ``url`` as HTML, with what its fields hold, seen where nobody watches."""
    browser = page.context.browser
    assert browser is not None, "only contexts of Android devices have none"
    hidden = browser.new_context(ignore_https_errors=True)
    try:
        other = hidden.new_page()
        other.goto(url)
        rest(other)
        return str(other.evaluate(_COPY))
    finally:
        hidden.close()


def rest(page: Page) -> None:
    """Wait until the page has loaded, and a little more."""
    page.wait_for_load_state()
    page.wait_for_timeout(_MILLISECONDS)


def click_nowhere(page: Page) -> None:
    """Real input that leads nowhere."""
    page.mouse.click(2, 2)
