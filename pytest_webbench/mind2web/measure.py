"""Measures one recorded step: what is seen of its page, and what a policy chooses there, if any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from ..agents.loop import PolicyReply, decide_once
from ..agents.policy import PastAction, Policy, Turn
from ..browser.actions import Action, Click, SelectOption, TypeText, Wait
from ..browser.observation import Observation
from ..task.models import TaskBrief
from .marks import marked
from .page_reader import PageReader, PageView
from .records import RecordedStep
from .scoring import (
    Coverage,
    ErrorKind,
    Page,
    Prediction,
    StepResult,
    glass_scores,
    miss_of,
    official_scores,
)
from .selection import Mode
from .values import same_value

_SECONDS: Final = 60.0
"""The time budget that a policy is given for a step."""
_DETAIL: Final = 500
"""Characters that are kept of why a reply was refused."""
_UNUSABLE: Final = {"no_json": ErrorKind.NO_JSON, "invalid_ref": ErrorKind.INVALID_REF}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A step's result, and the policy's reply if one was asked."""

    result: StepResult
    html: str
    """The page for a report, see `Markup`."""
    reply: PolicyReply | None = None


def measure(
    step: RecordedStep,
    reader: PageReader,
    *,
    mode: Mode = "dom",
    policy: Policy | None = None,
) -> Measured:
    """Read the step's page, ask the policy if there is one, and score both.

    In the mode ``compat`` no policy can be asked. `EndpointError` if the policy's endpoint fails.
    """
    if mode == "compat":
        assert policy is None, "the reference's view only counts, no policy is asked about it"
        page, cover = reader.read_compat(step)
        result = _result(step, page, cover, cover.covered)
        return Measured(result=marked(step, result, reader.markup), html=reader.markup.html)
    view, compat = reader.read_both(step, mode)
    result = _result(step, view.page, view.cover, compat.covered, tag=view.tag)
    reply = None
    if policy is not None:
        reply = decide_once(policy, turn_of(step, view.observation))
        result = _scored(result, step, view, _prediction(step, view, reply))
    result = marked(step, result, view.markup, view)
    return Measured(result=result, html=view.markup.html, reply=reply)


def turn_of(step: RecordedStep, observation: Observation) -> Turn:
    """What a policy gets to see of a step: the goal, the page and what was done before.

    The history is always the recorded one, whatever the policy chose at earlier steps.
    """
    brief = TaskBrief(
        task_id=step.name,
        goal=step.goal,
        start_url=observation.url,
        wants_answer=False,
        max_actions=max(1, step.num_steps),
        max_seconds=_SECONDS,
        locale="en-US",
        timezone="UTC",
    )
    history = [PastAction(action=Wait(), label=one, changed=True) for one in step.prev_action_reprs]
    return Turn(
        brief=brief,
        observation=observation,
        history=tuple(history),
        actions_left=max(1, step.num_steps - step.step_index),
        seconds_left=_SECONDS,
    )


class _Choice(NamedTuple):
    """An action in the dataset's terms."""

    ref: str
    op: str
    value: str


def _prediction(step: RecordedStep, view: PageView, reply: PolicyReply) -> Prediction:
    if reply.decision is None:
        detail = reply.rejected[-1][:_DETAIL] if reply.rejected else ""
        return Prediction(miss=_unusable(reply), detail=detail)
    action = reply.decision.action
    choice = _choice(view, action)
    if choice is None:
        return Prediction(
            op=action.do.upper(), miss=ErrorKind.WRONG_OP, detail="no operation of the dataset"
        )
    node, tag = view.nodes.get(choice.ref, (None, ""))
    prediction = Prediction(ref=choice.ref, op=choice.op, value=choice.value, node=node)
    right = choice.ref in view.cover.accepted
    miss = miss_of(step, prediction, right=right, tag=view.tag, chosen_tag=tag)
    return prediction.model_copy(update={"miss": miss})


def _choice(view: PageView, action: Action) -> _Choice | None:
    """None if the action is none of the dataset's three operations."""
    match action:
        case Click(ref=ref):
            return _Choice(ref, "CLICK", "")
        case TypeText(ref=ref, text=text):
            return _Choice(ref, "TYPE", text)
        case SelectOption(ref=ref, option=option):
            return _Choice(ref, "SELECT", _option_label(view, ref, option))
        case _:
            return None


def _unusable(reply: PolicyReply) -> ErrorKind:
    """Why the last reply could not be used."""
    failure = reply.failures[-1] if reply.failures else ""
    # A decision server's client gives no class, only this text.
    if not failure and reply.rejected and reply.rejected[-1].endswith("was not offered"):
        return ErrorKind.INVALID_REF
    return _UNUSABLE.get(failure, ErrorKind.BAD_REPLY)


def _option_label(view: PageView, ref: str, option: str) -> str:
    """The text that an option shows, which recordings name; a policy may choose by its value."""
    element = view.observation.element(ref)
    for choice in element.choices if element else ():
        if choice.value == option and choice.label:
            return choice.label
    return option


def _scored(
    result: StepResult, step: RecordedStep, view: PageView, prediction: Prediction
) -> StepResult:
    right = prediction.ref in view.cover.accepted
    update: dict[str, object] = {
        "prediction": prediction,
        "glass": glass_scores(step, prediction, covered=bool(result.compat), right=right),
        "official": official_scores(step, prediction, covered=view.cover.covered),
    }
    if step.op != "CLICK" and prediction.op:
        update["strict_value"] = prediction.value == step.value
        update["same_value"] = same_value(prediction.value, step.value)
    return result.model_copy(update=update)


def _result(
    step: RecordedStep, page: Page, cover: Coverage, compat: bool, *, tag: str = ""
) -> StepResult:
    return StepResult(
        task_id=step.task_id,
        step_index=step.step_index,
        num_steps=step.num_steps,
        split=step.split,
        website=step.website,
        domain=step.domain,
        op=step.op,
        original_op=step.original_op or step.op,
        value=step.value,
        role=step.role or tag,
        tag=tag,
        targets=step.targets,
        page=page,
        cover=cover,
        compat=compat,
        glass=glass_scores(step, None, covered=compat, right=False),
        official=official_scores(step, None, covered=cover.covered),
    )
