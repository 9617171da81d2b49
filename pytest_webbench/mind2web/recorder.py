"""Records steps: plays a suite's scripts in its own world and keeps each page with its target.

Such steps are free of third parties' rights, can be made of any site that a suite has, and are in
no training set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..browser.script import describe
from ..browser.script_player import played
from ..errors import InfraError, StepError
from ..task import ScriptStep, Task
from ..task.script import Click, Done, Select, SetChecked, Type
from .records import RecordedStep
from .snapshot import MARK, Snapshot, snapshot_of
from .values import Operation

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Recordable: TypeAlias = Click | Type | Select | SetChecked
"""The steps of a script that the dataset has an operation for."""
OPS: Final[dict[type[Any], str]] = {
    Click: "CLICK",
    SetChecked: "CLICK",
    Type: "TYPE",
    Select: "SELECT",
}


class Script(NamedTuple):
    """One way through a task: its solution or a counterexample."""

    name: str
    goal: str
    steps: Sequence[ScriptStep]
    task: Task

    @property
    def length(self) -> int:
        """How many of its steps can be recorded."""
        return sum(type(step) in OPS for step in self.steps)


def scripts_of(task: Task) -> list[Script]:
    """The solution and the counterexamples of a task, in this order, that have a step to record.

    A counterexample does not aim at the task's goal. What it does, in words, is its goal.
    """
    scripts = [Script(task.id, task.goal, task.solution, task)]
    for number, example in enumerate(task.counterexamples, start=1):
        acts = "; ".join(describe(step) for step in example.steps if not isinstance(step, Done))
        goal = f"Do this, one after the other: {acts}."
        scripts.append(Script(f"{task.id}.c{number}", goal, example.steps, task))
    return [script for script in scripts if script.length]


def by_site(tasks: Iterable[Task]) -> dict[str, list[Script]]:
    """The scripts of each site's tasks, solutions before counterexamples."""
    sites: dict[str, list[Script]] = {}
    for task in tasks:
        sites.setdefault(task.site, []).extend(scripts_of(task))
    for scripts in sites.values():
        scripts.sort(key=lambda script: script.name != script.task.id)
    return sites


class Recorder:
    """Plays scripts in one browser; ``split`` is stored with every step."""

    def __init__(self, browser: Browser, context_args: dict[str, Any], *, split: str) -> None:
        self._browser, self._context_args, self._split = browser, context_args, split

    def record(self, script: Script) -> Iterator[RecordedStep]:
        """The steps of a script while it is played.

        `StepError` or `InfraError` if it cannot be played to its end, and `InfraError` if a
        target is not exactly once in the page's snapshot.
        """
        common = {
            "task_id": script.name,
            "goal": script.goal,
            "num_steps": script.length,
            "split": self._split,
            "website": script.task.site,
            "domain": next(iter(script.task.tags), ""),
        }
        reprs: list[str] = []
        with played(self._browser, self._context_args, script.task.start_url) as scene:
            for step in script.steps:
                if isinstance(step, Recordable):
                    yield _recorded(snapshot_of(scene.snapshot(step, MARK)), step, common, reprs)
                    reprs.append(representation(step))
                scene.perform(step)

    def record_all(
        self,
        sites: dict[str, list[Script]],
        *,
        most: int | None = None,
        on_failure: Callable[[str, str], None],
        on_script: Callable[[], None] = lambda: None,
    ) -> Iterator[RecordedStep]:
        """Steps site by site, without repetitions, at most ``most`` of each site.

        None of the steps of a script that cannot be played to its end are used; ``on_failure`` gets
        its name and the reason. ``on_script`` is called after each script.
        """
        for scripts in sites.values():
            fresh = _Fresh(most)
            for script in scripts:
                if not fresh.full:
                    yield from fresh.of(self._whole(script, on_failure))
                on_script()

    def _whole(self, script: Script, on_failure: Callable[[str, str], None]) -> list[RecordedStep]:
        try:
            return list(self.record(script))
        except (StepError, InfraError) as error:
            on_failure(script.name, str(error))
            return []


class _Fresh:
    """Lets steps pass that differ from all before in page, target or operation, up to ``most``."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._seen: set[tuple[str, tuple[str, ...], Operation]] = set()

    @property
    def full(self) -> bool:
        return self._most is not None and len(self._seen) >= self._most

    def of(self, steps: Iterable[RecordedStep]) -> Iterator[RecordedStep]:
        for step in steps:
            key = (step.cleaned_html, step.targets, step.operation)
            if key not in self._seen and not self.full:
                self._seen.add(key)
                yield step


def representation(step: Recordable) -> str:
    """A step in the dataset's words: ``[combobox]  Type -> SELECT: Pickup``."""
    op, value = operation_of(step)
    text = f"[{step.role}]  {step.name} -> {op}"
    return f"{text}: {value}" if value else text


def operation_of(step: Recordable) -> Operation:
    """A step's operation, with the text that it types or chooses."""
    op = OPS[type(step)]
    if isinstance(step, Type):
        return Operation(op, step.text)
    if isinstance(step, Select):
        return Operation(op, step.option)
    return Operation(op)


def _recorded(
    snapshot: Snapshot, step: Recordable, common: dict[str, Any], reprs: list[str]
) -> RecordedStep:
    gold_repr = representation(step)
    if len(snapshot.targets) != 1:
        raise InfraError(
            f"{common['task_id']}: {gold_repr}: the target is in {len(snapshot.targets)} places of "
            "the recorded page"
        )
    op, value = operation_of(step)
    return RecordedStep(
        **common,
        step_index=len(reprs),
        prev_action_reprs=tuple(reprs),
        cleaned_html=snapshot.xml,
        gold_backend_node_id=snapshot.targets[0],
        gold_backend_node_ids=snapshot.targets,
        op=op,
        original_op=op,
        value=value,
        gold_repr=gold_repr,
        role=step.role,
        boxes=snapshot.boxes,
        hidden=snapshot.hidden,
        clickable=snapshot.clickable,
    )
