"""Measures one recorded step: what is seen of its page and, with a policy, what that chooses."""

from __future__ import annotations

from dataclasses import dataclass

from ..agents.loop import Asked, decide_once
from ..agents.policy import Past, Policy, Turn
from ..browser.actions import Click, SelectOption, TypeText, Wait
from ..browser.observation import Observation
from ..task.models import TaskBrief
from .look import Mode, Reader, Seen
from .records import RecordedStep
from .scoring import (
    Cover,
    Miss,
    Page,
    Prediction,
    StepResult,
    glass_scores,
    miss_of,
    official_scores,
)
from .values import same_value

_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A step's result, and what the policy said."""

    result: StepResult
    asked: Asked | None = None


def measure(
    step: RecordedStep,
    reader: Reader,
    *,
    mode: Mode = "dom",
    policy: Policy | None = None,
) -> Measured:
    """Look at the step's page, ask the policy if there is one (not in ``compat``), and score both.

    `EndpointError` goes through.
    """
    if mode == "compat":
        assert policy is None, "the reference's view is for counting, no policy is asked about it"
        page, cover = reader.look_compat(step)
        return Measured(result=_result(step, page, cover, cover.covered))
    seen, compat = reader.look_both(step, mode)
    if policy is None:
        return Measured(result=_result(step, seen.page, seen.cover, compat.covered, tag=seen.tag))
    asked = decide_once(policy, turn_of(step, seen.observation))
    prediction = _prediction(step, seen, asked)
    return Measured(result=_scored(step, seen, compat.covered, prediction), asked=asked)


def turn_of(step: RecordedStep, observation: Observation) -> Turn:
    """What a policy is told: the goal, the page, and what had really been done before, whatever it chose there."""
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
    history = tuple(Past(action=Wait(), label=one, changed=True) for one in step.prev_action_reprs)
    left = max(1, step.num_steps - step.step_index)
    return Turn(brief=brief, observation=observation, history=history, actions_left=left, seconds_left=_SECONDS)


def _prediction(step: RecordedStep, seen: Seen, asked: Asked) -> Prediction:
    if asked.decision is None:
        return Prediction(miss=_unusable(asked), detail=asked.refused[-1][:500] if asked.refused else "")
    match asked.decision.action:
        case Click(ref=ref):
            op, value = "CLICK", ""
        case TypeText(ref=ref, text=text):
            op, value = "TYPE", text
        case SelectOption(ref=ref, option=option):
            op, value = "SELECT", _label(seen, ref, option)
        case other:
            return Prediction(op=other.do.upper(), miss=Miss.WRONG_OP, detail="no operation of the dataset")
    node, tag = seen.nodes.get(ref, (None, ""))
    prediction = Prediction(ref=ref, op=op, value=value, node=node)
    right = ref in seen.cover.accepted
    return prediction.model_copy(update={"miss": miss_of(step, prediction, right=right, tag=seen.tag, chosen_tag=tag)})


def _unusable(asked: Asked) -> Miss:
    """Why the last reply could not be used; policies that tell no classes have their replies read by a server."""
    known = {"no_json": Miss.NO_JSON, "invalid_ref": Miss.INVALID_REF}
    failure = asked.failures[-1] if asked.failures else ""
    if not failure and asked.refused and asked.refused[-1].endswith("was not offered"):
        return Miss.INVALID_REF
    return known.get(failure, Miss.BAD_REPLY)


def _label(seen: Seen, ref: str, option: str) -> str:
    """The visible text of an option, which the recordings name, for whoever chose it by its value."""
    element = seen.observation.element(ref)
    choices = element.choices if element else ()
    return next((choice.label for choice in choices if choice.value == option and choice.label), option)


def _scored(step: RecordedStep, seen: Seen, compat: bool, prediction: Prediction) -> StepResult:
    right = prediction.ref in seen.cover.accepted
    base = _result(step, seen.page, seen.cover, compat, tag=seen.tag)
    has_value = step.op != "CLICK" and bool(prediction.op)
    return base.model_copy(
        update={
            "prediction": prediction,
            "glass": glass_scores(step, compat, prediction, right=right),
            "official": official_scores(step, seen.cover.covered, prediction),
            "strict_value": prediction.value == step.value if has_value else None,
            "same_value": same_value(prediction.value, step.value) if has_value else None,
        }
    )


def _result(step: RecordedStep, page: Page, cover: Cover, compat: bool, *, tag: str = "") -> StepResult:
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
        glass=glass_scores(step, compat, None, right=False),
        official=official_scores(step, cover.covered, None),
    )
