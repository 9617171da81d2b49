"""What one step is worth, by the reference's definitions and by the dataset's own, side by side."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

from pydantic import Field

from ..evidence.models import Record
from .records import RecordedStep
from .values import glass_value_f1, official_f1, same_value

_ENOUGH_F1: Final = 0.5


class Miss(StrEnum):
    """Why a prediction is not right; the first that holds."""

    NO_JSON = "no_json"
    INVALID_REF = "invalid_ref"
    BAD_REPLY = "bad_reply"
    """Unusable in another way: refused, cut off, no such action, a field that is missing."""
    WRONG_TAG = "wrong_tag"
    WRONG_INSTANCE = "wrong_instance"
    WRONG_OP = "wrong_op"
    WRONG_VALUE = "wrong_value"


class Cover(Record):
    """Whether a page, as it was seen, offers a right target to act on, and at what price."""

    kind: Literal["exact", "label", "ancestor", "descendant", "none"] = "none"
    accepted: tuple[str, ...] = Field((), description="refs that count as the right element")
    distance: int = Field(0, description="generations between the target and the ref that stands for it")
    shared_by: int = Field(0, description="recorded nodes that the same ref stands for")
    in_prompt: bool = Field(False, description="whether an accepted ref is in the text that a model is sent")

    @property
    def covered(self) -> bool:
        """Whether there is an accepted ref at all."""
        return self.kind != "none"


class Page(Record):
    """What looking at a recorded page has cost and lost."""

    mode: Literal["compat", "expand", "dom"]
    nodes: int | None = Field(None, description="recorded nodes with an id; null: the recording is malformed")
    lost: int | None = Field(None, description="of these, not in the page that was measured")
    misplaced: int | None = Field(None, description="of these, under another parent than recorded")
    refs: int = Field(0, description="elements that could be chosen")
    characters: int = Field(0, description="length of the text that a model is sent")
    clickable: int = Field(0, description="nodes that the recording holds clickable, laid out and in the page")
    clickable_covered: int = 0
    false_refs: int | None = Field(None, description="refs on nodes that are not clickable; null: nobody knows")
    milliseconds: float = Field(0.0, description="in the browser, from the step's text to what is seen")


class Prediction(Record):
    """What a model chose."""

    ref: str = ""
    op: str = ""
    value: str = ""
    node: str | None = Field(None, description="backend_node_id of the element chosen; null: none of the page's")
    miss: Miss | None = None
    detail: str = ""


class Scores(Record):
    """One family's figures for one step; null where this family does not count the step, or nothing was asked."""

    covered: bool | None = None
    element: bool | None = None
    operation: float | None = Field(None, description="operation F1")
    step: bool | None = None


class StepResult(Record):
    """Everything that is known of one step after it was measured; ``result.json`` of its episode."""

    version: Literal[1] = 1
    task_id: str
    step_index: int
    num_steps: int = 0
    split: str = ""
    website: str = ""
    domain: str = ""
    op: str = ""
    original_op: str = ""
    value: str = ""
    role: str = ""
    tag: str = ""
    targets: tuple[str, ...] = ()
    page: Page
    cover: Cover
    compat: bool | None = Field(None, description="whether the reference would call it covered; null: not measured")
    prediction: Prediction | None = None
    glass: Scores = Scores()
    official: Scores = Scores()
    strict_value: bool | None = Field(None, description="value equal to the letter")
    same_value: bool | None = Field(None, description="value equal but for case, spaces and punctuation")


def glass_scores(step: RecordedStep, covered: bool, prediction: Prediction | None, *, right: bool) -> Scores:
    """The reference's: steps without a target or a page are dropped; F1 of the value of 0.5 is enough."""
    if not step.gold_backend_node_id or not step.cleaned_html:
        return Scores()
    if prediction is None:
        return Scores(covered=covered)
    f1 = glass_value_f1(prediction.op, prediction.value, step.op, step.value)
    done = right and prediction.op == step.op and f1 >= _ENOUGH_F1
    return Scores(covered=covered, element=right, operation=f1, step=done)


def official_scores(step: RecordedStep, covered: bool, prediction: Prediction | None) -> Scores:
    """The dataset's own: any target counts and nothing but a target; a step without one is worth 0 in everything."""
    if prediction is None:
        return Scores(covered=covered and bool(step.targets))
    if not step.targets:
        return Scores(covered=False, element=False, operation=0.0, step=False)
    element = prediction.node is not None and prediction.node in step.targets
    f1 = official_f1(prediction.op, prediction.value, step.op, step.value)
    return Scores(covered=covered, element=element, operation=f1, step=element and f1 == 1.0)


def miss_of(step: RecordedStep, prediction: Prediction, *, right: bool, tag: str, chosen_tag: str) -> Miss | None:
    """Why a prediction that could be read is wrong; None if it is right."""
    if not right:
        return Miss.WRONG_INSTANCE if tag and tag == chosen_tag else Miss.WRONG_TAG
    if prediction.op != step.op:
        return Miss.WRONG_OP
    if step.op != "CLICK" and not same_value(prediction.value, step.value):
        return Miss.WRONG_VALUE
    return None
