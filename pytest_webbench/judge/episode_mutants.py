"""Episodes made from a reference solution: wrong ones that must fail, right ones that must pass.

Nothing is played here. Steps that depend on what a page offers are `PageStep`s, which are turned
into real ones when the page is open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal, NamedTuple, TypeAlias

from ..checks.metrics.route import CameFrom
from ..evidence.models import Evidence, HowOpened, ObservedAction, PageSeen
from ..task import Check, ScriptStep, Task
from ..task.mutants import RIGHT, Family
from ..task.script import (
    Back,
    Click,
    CloseTab,
    Done,
    Goto,
    Press,
    Read,
    Scroll,
    Select,
    SetChecked,
    SwitchTab,
    Type,
)
from .page_mutations import expectation

Ask = Literal[
    "neighbour", "other-option", "first-option", "other-box", "submit", "enter", "look-around"
]
_FROM_THERE: Final = re.compile(r"\bfrom (?:that|there|the|this|these|those)\b", re.IGNORECASE)
"""How a goal asks for a way; without such words a typed address is as good."""
_NEWEST: Final = SwitchTab(do="tab", index=-1)


@dataclass(frozen=True, slots=True)
class PageStep:
    """A step that the open page decides: ``ask`` says what is wanted, ``step`` of which element."""

    ask: Ask
    step: ScriptStep | None = None


MutantStep: TypeAlias = ScriptStep | PageStep
Steps: TypeAlias = tuple[MutantStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeMutant:
    """An episode whose verdict is known beforehand. ``label`` is unique within its task."""

    family: Family
    label: str
    title: str
    steps: Steps

    @property
    def must_pass(self) -> bool:
        """Whether it is a right episode in an unusual way."""
        return self.family in RIGHT


Made: TypeAlias = Iterator[tuple[str, Steps]]
"""A title and the steps of each mutant of one family."""


def derive(task: Task, reference: Evidence) -> list[EpisodeMutant]:
    """All episodes made from the solution of ``task``; ``reference`` is its passing evidence."""
    plan = _Plan(task, reference)
    found = []
    for family, make in _FAMILIES.items():
        for number, (title, steps) in enumerate(make(plan), start=1):
            label = f"{family}-{number}"
            found.append(EpisodeMutant(family=family, label=label, title=title, steps=steps))
    return found


class _Item(NamedTuple):
    """A page that must be opened by a click: index of the step that does it, and the page."""

    step: int
    page: PageSeen


class _Plan:
    """A solution, and the pages that it led to."""

    def __init__(self, task: Task, reference: Evidence) -> None:
        self.task = task
        self.steps: Steps = tuple(task.solution)
        self.reference = reference
        self.pages = {page.number: page for page in reference.pages_seen}
        self.final = next((page for page in reference.pages_seen if page.final), None)
        self.items = self._items()

    @property
    def asks_for_way(self) -> bool:
        """Whether the goal asks for a click in a list, not only for a page at the end."""
        return bool(self._routes() or _FROM_THERE.search(self.task.goal))

    def _routes(self) -> list[Check]:
        """The checks that want a click; to some, a typed address is as good."""
        return [
            check
            for check in self.task.checks
            if isinstance(check.rule, CameFrom) and HowOpened.TYPED not in check.rule.how
        ]

    def _items(self) -> list[_Item]:
        """The clicks that the task asks for, in the order of the solution."""
        routes = self._routes()
        pages = {_opened_from_list(check, self.reference) for check in routes}
        if self.final is not None and not any(check.options.get("page") for check in routes):
            pages.add(self.final.number)
        found = {}
        for page in self.pages.values():
            step = self._click_that_opened(page)
            if page.number in pages and step is not None:
                found[step] = page
        return [_Item(step, page) for step, page in sorted(found.items())]

    def _click_that_opened(self, page: PageSeen) -> int | None:
        """Index of the step whose click led to a page; None if no click did."""
        opener = self.pages.get(page.opened_from or 0)
        if opener is None or page.how is not HowOpened.CLICK:
            return None
        way = ("click", opener.url, _without_place(page.url))
        for action in reversed(self.reference.actions):
            if (action.kind, action.url, _without_place(action.url_after)) == way:
                steps = [at for at, step in enumerate(self.steps) if _is_click_on(step, action)]
                return steps[-1] if steps else None
        return None

    def before_item(self) -> int:
        """Where an episode stands before it opens the judged page."""
        if self.items:
            return self.items[0].step
        return len(self.steps) - bool(self.steps and isinstance(self.steps[-1], Done))

    def replaced(self, at: int, *steps: MutantStep) -> Steps:
        """The solution with other steps in place of one."""
        return (*self.steps[:at], *steps, *self.steps[at + 1 :])

    def inserted(self, at: int, *steps: MutantStep) -> Steps:
        """The solution with more steps before one."""
        return (*self.steps[:at], *steps, *self.steps[at:])

    def sending(self, at: int) -> Steps:
        """The step that sends what step ``at`` has set: a button or a key soon after it, if any."""
        for step in self.steps[at + 1 : self.before_item()]:
            if isinstance(step, Press) or (isinstance(step, Click) and step.role == "button"):
                return (step,)
        return ()

    def addresses(self) -> list[str]:
        """Addresses after the start page, each once, in the order in which they were seen."""
        return list(dict.fromkeys(page.url for page in self.reference.pages_seen[1:]))


def _opened_from_list(check: Check, reference: Evidence) -> int | None:
    """The number of the page that a check wants opened by a click."""
    assert isinstance(check.rule, CameFrom), "only this metric looks at the way"
    return check.rule.item(check.getter.read(reference), expectation(check, reference))


def _without_place(url: str) -> str:
    """An address without its fragment, which scripts change once a page is open."""
    return url.partition("#")[0]


def _is_click_on(step: MutantStep, action: ObservedAction) -> bool:
    """Whether a step is the click that was observed."""
    if not isinstance(step, Click) or step.role != action.target.role:
        return False
    return step.name.casefold() in action.target.name.casefold()


# -- wrong episodes ------------------------------------------------------------------------------


def _left_out(plan: _Plan) -> Made:
    for at, step in enumerate(plan.steps):
        if not isinstance(step, Done | Read):
            yield f"without step {at + 1}, {_title(step)}", plan.replaced(at)


def _filter_undone(plan: _Plan) -> Made:
    end = plan.before_item()
    for at, step in enumerate(plan.steps[:end]):
        undo: MutantStep
        if isinstance(step, SetChecked) and step.role != "radio":
            undo = step.model_copy(update={"on": not step.on})
        elif isinstance(step, Select):
            undo = PageStep("first-option", step)
        else:
            continue
        yield f"{_title(step)}, undone before the end", plan.inserted(end, undo, *plan.sending(at))


def _other_filter(plan: _Plan) -> Made:
    for at, step in enumerate(plan.steps[: plan.before_item()]):
        if isinstance(step, Select):
            yield (
                f"another choice than {_title(step)}",
                plan.replaced(at, PageStep("other-option", step)),
            )
        elif isinstance(step, SetChecked) and step.on:
            yield f"another box than {_title(step)}", plan.replaced(at, PageStep("other-box", step))


def _second_value(plan: _Plan) -> Made:
    for at, step in enumerate(plan.steps[: plan.before_item()]):
        if isinstance(step, SetChecked) and step.on and step.role != "radio":
            yield (
                f"a second box besides {_title(step)}",
                plan.inserted(at, PageStep("other-box", step)),
            )


def _neighbour(plan: _Plan) -> Made:
    for at, _ in plan.items:
        step = plan.steps[at]
        assert isinstance(step, Click), "the item is opened by a click"
        yield (
            f"the neighbour instead of {_title(step)}",
            plan.replaced(at, PageStep("neighbour", step)),
        )


def _item_first(plan: _Plan) -> Made:
    if not plan.asks_for_way:
        return
    for at, page in plan.items:
        item, start = Goto(do="goto", url=page.url), Goto(do="goto", url=plan.task.start_url)
        before, after = plan.steps[:at], plan.steps[at + 1 :]
        yield f"{page.url} first, list last", (item, start, *before, *after)
        yield (
            f"{page.url} first, then the list, then the same address",
            (item, start, *before, item, *after),
        )


def _item_typed(plan: _Plan) -> Made:
    if plan.asks_for_way:
        for at, page in plan.items:
            item = Goto(do="goto", url=page.url)
            yield f"list in front, {page.url} typed", plan.replaced(at, item)


def _route_typed(plan: _Plan) -> Made:
    if not plan.items or not plan.asks_for_way:
        return
    at, page = plan.items[-1]
    addresses = plan.addresses()
    others = [url for url in addresses if url != page.url]
    orders = {
        "all addresses typed, in order": addresses,
        "all addresses typed, backwards": [*reversed(others), page.url],
        "all addresses typed, the item's first": [page.url, *others],
    }
    for title, urls in orders.items():
        if len(others) > 1 or urls is addresses:
            steps = (Goto(do="goto", url=url) for url in urls)
            yield title, (*steps, *plan.steps[at + 1 :])


def _answer_only(plan: _Plan) -> Made:
    if len(plan.steps) > 1 and isinstance(plan.steps[-1], Done):
        # In the solution's own step, what it has read on the way may be left open.
        answer = plan.reference.answer or plan.steps[-1].answer
        yield "the answer without the way", (Done(do="done", answer=answer),)


# -- right episodes ------------------------------------------------------------------------------


def _new_tab(plan: _Plan) -> Made:
    for at, step in enumerate(plan.steps):
        if _is_link(step):
            yield f"{_title(step)} in a new tab", plan.replaced(at, _behind(step), _NEWEST)


def _tab_closed(plan: _Plan) -> Made:
    links = [at for at, step in enumerate(plan.steps) if _is_link(step)]
    for at in links[-1:]:
        step = plan.steps[at]
        yield (
            f"{_title(step)} in a new tab, the old one closed",
            plan.replaced(at, _behind(step), CloseTab(do="close")),
        )


def _filters_swapped(plan: _Plan) -> Made:
    kinds = (Select, SetChecked, Type)
    for at in range(plan.before_item() - 1):
        first, second = plan.steps[at], plan.steps[at + 1]
        if isinstance(first, kinds) and isinstance(second, kinds):
            steps = (*plan.steps[:at], second, first, *plan.steps[at + 2 :])
            yield f"{_title(second)} before {_title(first)}", steps


def _looked_around(plan: _Plan) -> Made:
    if len(plan.steps) > 1:
        yield "another page first, and back", (PageStep("look-around"), *plan.steps)


def _opened_twice(plan: _Plan) -> Made:
    for at, page in plan.items:
        if not page.new_tab:
            step = plan.steps[at]
            yield (
                f"{_title(step)}, back, and once more",
                plan.inserted(at, step, Back(do="back")),
            )


def _enter_or_button(plan: _Plan) -> Made:
    for at, step in enumerate(plan.steps):
        if at and isinstance(step, Press) and step.key == "Enter":
            yield (
                f"the button instead of Enter at step {at + 1}",
                plan.replaced(at, PageStep("submit")),
            )
        elif isinstance(step, Click) and step.role == "button":
            yield f"Enter instead of {_title(step)}", plan.replaced(at, PageStep("enter", step))


def _scrolled(plan: _Plan) -> Made:
    at = plan.before_item()
    if at:
        yield "scrolled to the end before the last click", plan.inserted(at, Scroll(do="scroll"))


def _is_link(step: MutantStep) -> bool:
    return isinstance(step, Click) and step.role == "link" and step.frame is None


def _behind(step: MutantStep) -> Click:
    assert isinstance(step, Click), "only links are opened in new tabs"
    return step.model_copy(update={"new_tab": True})


def _title(step: MutantStep) -> str:
    """A step in few words."""
    for attribute in ("option", "name", "key", "url"):
        if text := getattr(step, attribute, None):
            return f"{getattr(step, 'do', '')} {text!r}"
    return str(getattr(step, "do", ""))


_FAMILIES: Final[dict[Family, Callable[[_Plan], Made]]] = {
    "left-out": _left_out,
    "filter-undone": _filter_undone,
    "other-filter": _other_filter,
    "second-value": _second_value,
    "neighbour": _neighbour,
    "item-first": _item_first,
    "item-typed": _item_typed,
    "route-typed": _route_typed,
    "answer-only": _answer_only,
    "new-tab": _new_tab,
    "filters-swapped": _filters_swapped,
    "looked-around": _looked_around,
    "opened-twice": _opened_twice,
    "enter-or-button": _enter_or_button,
    "scrolled": _scrolled,
    "tab-closed": _tab_closed,
}


def steps_as_data(steps: Sequence[MutantStep]) -> list[object]:
    """Steps as plain data, for a digest."""
    return list(chain.from_iterable(_as_data(step) for step in steps))


def _as_data(step: MutantStep) -> Iterator[object]:
    if isinstance(step, PageStep):
        yield step.ask
        if step.step is not None:
            yield step.step.model_dump(mode="json")
    else:
        yield step.model_dump(mode="json")
