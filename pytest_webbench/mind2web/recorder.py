"""Records steps: plays scripts of a suite in its own world and notes each page with its right target.

What comes out is free of anybody else's rights, can be made of any site that a suite has, and is in no training set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..browser.script import element_of, perform
from ..errors import InfraError
from ..task import Step, Task
from ..task.models import Click, Select, SetChecked, Type
from .records import RecordedStep
from .snapshot import MARK, Snapshot, snapshot_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OPS: Final[dict[type[Any], str]] = {Click: "CLICK", SetChecked: "CLICK", Type: "TYPE", Select: "SELECT"}
_MARKING: Final = f"""(element, on) => {{
  if (on) element.setAttribute({MARK!r}, ""); else element.removeAttribute({MARK!r});
}}"""
_SECONDS: Final = 10.0


class Script(NamedTuple):
    """One way through a task: its solution, or a counterexample, which is a sequence of real steps all the same."""

    name: str
    goal: str
    steps: Sequence[Step]


def scripts_of(task: Task) -> list[Script]:
    """The solution and all counterexamples of a task. What each aims at is told by what it does."""
    named = [Script(task.id, task.goal, task.solution)]
    for number, example in enumerate(task.counterexamples, start=1):
        named.append(Script(f"{task.id}.c{number}", example.name, example.steps))
    return [script for script in named if any(type(step) in OPS for step in script.steps)]


def record(
    script: Script, task: Task, browser: Browser, context_args: dict[str, Any], *, split: str
) -> Iterator[RecordedStep]:
    """The recorded steps of a script, as it is played; `StepError` if it cannot be played to its end."""
    context = browser.new_context(**context_args)
    try:
        context.new_page().goto(task.start_url)
        common = {
            "task_id": script.name,
            "goal": script.goal,
            "num_steps": sum(type(step) in OPS for step in script.steps),
            "split": split,
            "website": task.site,
            "domain": next(iter(task.tags), ""),
        }
        reprs: list[str] = []
        for step in script.steps:
            page = context.pages[-1]
            if type(step) in OPS:
                yield _recorded(_snapshot(page, step), step, common, reprs)
                reprs.append(representation(step))
            perform(page, step)
    finally:
        context.close()


def representation(step: Any) -> str:
    """A step as the dataset puts it: ``[combobox]  Type -> SELECT: Pickup``."""
    value = value_of(step)
    return f"[{step.role}]  {step.name} -> {OPS[type(step)]}{f': {value}' if value else ''}"


def value_of(step: Any) -> str:
    """What a step types or chooses."""
    if isinstance(step, Type):
        return step.text
    return step.option if isinstance(step, Select) else ""


def _recorded(shot: Snapshot, step: Any, common: dict[str, Any], reprs: list[str]) -> RecordedStep:
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
        candidates=shot.candidates,
        boxes=shot.boxes,
        hidden=shot.hidden,
        clickable=shot.clickable,
    )


def _snapshot(page: Page, step: Any) -> Snapshot:
    target = element_of(page, step)
    target.wait_for(state="visible", timeout=_SECONDS * 1000)
    target.evaluate(_MARKING, True)
    try:
        session = page.context.new_cdp_session(page)
        told = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
        session.detach()
    finally:
        target.evaluate(_MARKING, False)
    return snapshot_of(told)


def without_repeats(steps: Iterator[RecordedStep]) -> Iterator[RecordedStep]:
    """Each page with the same right target once, however many scripts come through it."""
    seen: set[tuple[str, tuple[str, ...], str, str]] = set()
    for step in steps:
        key = (step.cleaned_html, step.targets, step.op, step.value)
        if key not in seen:
            seen.add(key)
            yield step
