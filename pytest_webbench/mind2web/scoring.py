"""Scores of one step, by the reference's definitions and by the dataset's own."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, TypeAlias

from pydantic import Field

from ..evidence.models import Record
from .records import RecordedStep
from .selection import Mode
from .values import Operation, glass_value_f1, official_f1, same_value

_ENOUGH_F1: Final = 0.5


class ErrorKind(StrEnum):
    """Why a prediction is wrong: the first of these that holds."""

    NO_JSON = "no_json"
    INVALID_REF = "invalid_ref"
    BAD_REPLY = "bad_reply"
    """Unusable in another way: refused, cut off, no such action, a missing field."""
    WRONG_TAG = "wrong_tag"
    WRONG_INSTANCE = "wrong_instance"
    WRONG_OP = "wrong_op"
    WRONG_VALUE = "wrong_value"


class Coverage(Record):
    """Whether what is seen of a page offers a right target, and at what price."""

    kind: Literal["exact", "label", "ancestor", "descendant", "none"] = "none"
    accepted: tuple[str, ...] = Field((), description="refs that count as the right element")
    distance: int = Field(0, description="generations from the target up to the ref that covers it")
    shared_by: int = Field(0, description="recorded nodes that the same ref stands for")
    in_prompt: bool = Field(False, description="whether a model is sent an accepted ref")

    @property
    def covered(self) -> bool:
        """Whether there is an accepted ref at all."""
        return self.kind != "none"


class Page(Record):
    """What reading a recorded page cost and lost."""

    mode: Mode
    nodes: int | None = Field(
        None, description="recorded nodes with an id; null: the recording is malformed"
    )
    lost: int | None = Field(None, description="of these, not in the page that was measured")
    misplaced: int | None = Field(None, description="of these, under another parent than recorded")
    refs: int = Field(0, description="elements that could be chosen")
    characters: int = Field(0, description="length of the text that a model is sent")
    clickable: int = Field(
        0, description="nodes that the recording holds clickable, laid out and in the page"
    )
    clickable_covered: int = 0
    false_refs: int | None = Field(
        None, description="refs on nodes that are not clickable; null: the recording does not say"
    )
    milliseconds: float = Field(
        0.0, description="in the browser, from the recording's text to what is seen"
    )


class Prediction(Record):
    """What a model chose."""

    ref: str = ""
    op: str = ""
    value: str = ""
    node: str | None = Field(
        None, description="backend_node_id of the element chosen; null: not a recorded node"
    )
    miss: ErrorKind | None = None
    detail: str = ""

    @property
    def operation(self) -> Operation:
        """The operation with its value."""
        return Operation(self.op, self.value)


class Scores(Record):
    """One family's scores of a step; null if it does not count the step or no model was asked."""

    covered: bool | None = None
    element: bool | None = None
    operation: float | None = Field(None, description="operation F1")
    step: bool | None = None


MarkKind: TypeAlias = Literal["target", "accepted", "chosen"]


class MarkedElement(Record):
    """An element that a report marks on a step's page."""

    kind: MarkKind
    node: str = Field("", description="backend_node_id; empty: not a recorded node")
    ref: str = Field("", description="empty: it was not among the elements seen")
    role: str = ""
    name: str = ""
    tag: str = ""
    attributes: tuple[tuple[str, str], ...] = ()


class StepResult(Record):
    """All that was measured of one step; ``result.json`` in its episode's folder."""

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
    cover: Coverage
    compat: bool | None = Field(
        None, description="whether the reference covers the target; null: not measured"
    )
    prediction: Prediction | None = None
    glass: Scores = Scores()
    official: Scores = Scores()
    strict_value: bool | None = Field(None, description="value equal to the letter")
    same_value: bool | None = Field(
        None, description="value equal but for case, spaces and punctuation"
    )
    elements: tuple[MarkedElement, ...] = Field((), description="targets, and what was chosen")
    why: str = Field("", description="why the step did not succeed")


def glass_scores(
    step: RecordedStep, prediction: Prediction | None, *, covered: bool, right: bool
) -> Scores:
    """The reference's scores; ``right`` says whether it takes the chosen element for the target.

    Steps without a target or a page are dropped. An F1 of 0.5 of the value is enough.
    """
    if not step.gold_backend_node_id or not step.cleaned_html:
        return Scores()
    if prediction is None:
        return Scores(covered=covered)
    f1 = glass_value_f1(prediction.operation, step.operation)
    done = right and prediction.op == step.op and f1 >= _ENOUGH_F1
    return Scores(covered=covered, element=right, operation=f1, step=done)


def official_scores(step: RecordedStep, prediction: Prediction | None, *, covered: bool) -> Scores:
    """The dataset's own scores: every target is right, and nothing but a target.

    A step whose target was lost counts as wrong in everything.
    """
    if prediction is None:
        return Scores(covered=covered and bool(step.targets))
    if not step.targets:
        return Scores(covered=False, element=False, operation=0.0, step=False)
    element = prediction.node is not None and prediction.node in step.targets
    f1 = official_f1(prediction.operation, step.operation)
    return Scores(covered=covered, element=element, operation=f1, step=element and f1 == 1.0)


def miss_of(
    step: RecordedStep, prediction: Prediction, *, right: bool, tag: str, chosen_tag: str
) -> ErrorKind | None:
    """Why a prediction is wrong, None if it is right.

    ``tag`` is the target's, ``chosen_tag`` that of the element chosen.
    """
    if not right:
        return ErrorKind.WRONG_INSTANCE if tag and tag == chosen_tag else ErrorKind.WRONG_TAG
    if prediction.op != step.op:
        return ErrorKind.WRONG_OP
    if step.op != "CLICK" and not same_value(prediction.value, step.value):
        return ErrorKind.WRONG_VALUE
    return None
