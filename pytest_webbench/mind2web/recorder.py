"""Records steps: plays scripts of a suite in its own world and notes each page with its right target.

What comes out is free of anybody else's rights, can be made of any site that a suite has, and is in no training set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..browser.played import played
from ..browser.script import describe
from ..errors import InfraError, StepError
from ..task import Step, Task
from ..task.models import Click, Done, Select, SetChecked, Type
from .records import RecordedStep
from .snapshot import MARK, Snapshot, snapshot_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OPS: Final[dict[type[Any], str]] = {Click: "CLICK", SetChecked: "CLICK", Type: "TYPE", Select: "SELECT"}


class Script(NamedTuple):
    """One way through a task: its solution, or a counterexample, which is a sequence of real steps all the same."""

    name: str
    goal: str
    steps: Sequence[Step]
    task: Task


def scripts_of(task: Task) -> list[Script]:
    """The solution and all counterexamples of a task that have a step to record, in this order.

    A counterexample aims at something else than the task does; its goal is therefore what it does, in words.
    """
    found = [Script(task.id, task.goal, task.solution, task)]
    for number, example in enumerate(task.counterexamples, start=1):
        acts = "; ".join(describe(step) for step in example.steps if not isinstance(step, Done))
        found.append(Script(f"{task.id}.c{number}", f"Do this, one after the other: {acts}.", example.steps, task))
    return [script for script in found if any(type(step) in OPS for step in script.steps)]


def by_site(tasks: Iterable[Task]) -> dict[str, list[Script]]:
    """The scripts of each site's tasks, solutions before counterexamples."""
    sites: dict[str, list[Script]] = {}
    for task in tasks:
        sites.setdefault(task.site, []).extend(scripts_of(task))
    return {site: sorted(scripts, key=lambda one: one.name != one.task.id) for site, scripts in sites.items()}


class Recorder:
    """Plays scripts in one browser. ``split`` is noted with every step."""

    def __init__(self, browser: Browser, context_args: dict[str, Any], *, split: str) -> None:
        self._browser, self._context_args, self._split = browser, context_args, split

    def record(self, script: Script) -> Iterator[RecordedStep]:
        """The steps of a script, as it is played; `StepError` or `InfraError` if it cannot be played to its end."""
        with played(self._browser, self._context_args, script.task.start_url) as scene:
            common = {
                "task_id": script.name,
                "goal": script.goal,
                "num_steps": sum(type(step) in OPS for step in script.steps),
                "split": self._split,
                "website": script.task.site,
                "domain": next(iter(script.task.tags), ""),
            }
            reprs: list[str] = []
            for step in script.steps:
                if isinstance(step, Click | Type | Select | SetChecked):
                    yield _recorded(snapshot_of(scene.snapshot(step, MARK)), step, common, reprs)
                    reprs.append(representation(step))
                scene.perform(step)

    def record_all(
        self,
        sites: dict[str, list[Script]],
        *,
        most: int | None = None,
        failed: Callable[[str, str], None] = lambda _name, _why: None,
        played: Callable[[], None] = lambda: None,
    ) -> Iterator[RecordedStep]:
        """Steps site by site, each page with the same right target once, ``most`` of a site; a script that cannot be
        played to its end is told to ``failed`` and none of its steps are given."""
        for scripts in sites.values():
            seen: set[tuple[str, tuple[str, ...], str, str]] = set()
            for script in scripts:
                if most is None or len(seen) < most:
                    try:
                        steps = list(self.record(script))
                    except (StepError, InfraError) as error:
                        failed(script.name, str(error))
                        steps = []
                    yield from _fresh(steps, seen, most)
                played()


def _fresh(
    steps: Iterable[RecordedStep], seen: set[tuple[str, tuple[str, ...], str, str]], most: int | None
) -> Iterator[RecordedStep]:
    """Those that are in no way like any that was seen, as long as there is room."""
    for step in steps:
        key = (step.cleaned_html, step.targets, step.op, step.value)
        if key not in seen and (most is None or len(seen) < most):
            seen.add(key)
            yield step


def representation(step: Click | Type | Select | SetChecked) -> str:
    """A step as the dataset puts it: ``[combobox]  Type -> SELECT: Pickup``."""
    value = value_of(step)
    return f"[{step.role}]  {step.name} -> {OPS[type(step)]}{f': {value}' if value else ''}"


def value_of(step: Click | Type | Select | SetChecked) -> str:
    """What a step types or chooses."""
    if isinstance(step, Type):
        return step.text
    return step.option if isinstance(step, Select) else ""


def _recorded(
    shot: Snapshot, step: Click | Type | Select | SetChecked, common: dict[str, Any], reprs: list[str]
) -> RecordedStep:
    shown = representation(step)
    if len(shot.targets) != 1:
        places = len(shot.targets)
        raise InfraError(f"{common['task_id']}: {shown}: the target is in {places} places of the recorded page")
    return RecordedStep(
        **common,
        step_index=len(reprs),
        prev_action_reprs=tuple(reprs),
        cleaned_html=shot.xml,
        gold_backend_node_id=shot.targets[0],
        gold_backend_node_ids=shot.targets,
        op=OPS[type(step)],
        original_op=OPS[type(step)],
        value=value_of(step),
        gold_repr=shown,
        role=step.role,
        boxes=shot.boxes,
        hidden=shot.hidden,
        clickable=shot.clickable,
    )
