"""What a report marks on a step's page: the target, what stands for it, and what was chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..browser.observation import Observation
from .page_reader import Markup, Node, PageView
from .records import RecordedStep
from .scoring import ErrorKind, MarkedElement, MarkKind, Prediction, StepResult

_MOST_ACCEPTED: Final = 12
_UNKNOWN: Final = Node("", "", ())
_MISSES: Final = {
    ErrorKind.NO_JSON: "the reply holds no JSON",
    ErrorKind.INVALID_REF: "the reply names an element that is not on the page",
    ErrorKind.BAD_REPLY: "the reply cannot be used",
    ErrorKind.WRONG_TAG: "an element of another tag was chosen",
    ErrorKind.WRONG_INSTANCE: "another element of the same tag was chosen",
    ErrorKind.WRONG_OP: "the right element, but another operation",
    ErrorKind.WRONG_VALUE: "the right element and operation, but another value",
}


def marked(
    step: RecordedStep, result: StepResult, markup: Markup, view: PageView | None = None
) -> StepResult:
    """``result`` with the elements that a report marks, and with why it is not right.

    Without a ``view`` of ours, as in the mode ``compat``, nothing is known of refs.
    """
    elements = list(_targets(step, result, markup, view))
    if view is not None:
        elements += _others(result, markup, view)
    update = {"elements": tuple(elements), "why": why_not(step, result, markup.nodes)}
    return result.model_copy(update=update)


def _targets(
    step: RecordedStep, result: StepResult, markup: Markup, view: PageView | None
) -> Iterator[MarkedElement]:
    refs: dict[str | None, str] = {}
    if view is not None:
        refs = {node: ref for ref, (node, _) in view.nodes.items()}
    for number, node in enumerate(step.targets):
        seen = view.observation if view else None
        element = _element("target", node, refs.get(node, ""), markup, seen)
        # What the recording calls the target is about the first one.
        role = element.role or (result.role if number == 0 else "")
        yield element.model_copy(update={"role": role})


def _others(result: StepResult, markup: Markup, view: PageView) -> Iterator[MarkedElement]:
    """What stands for a target without being one, and what was chosen."""
    for ref in result.cover.accepted[:_MOST_ACCEPTED]:
        node = view.nodes[ref][0]
        if node not in result.targets:
            yield _element("accepted", node, ref, markup, view.observation)
    chosen = result.prediction
    if chosen is not None and chosen.ref:
        yield _element("chosen", chosen.node, chosen.ref, markup, view.observation)


def _element(
    kind: MarkKind, node: str | None, ref: str, markup: Markup, seen: Observation | None
) -> MarkedElement:
    known = markup.nodes.get(node or "", _UNKNOWN)
    element = seen.element(ref) if seen and ref else None
    return MarkedElement(
        kind=kind,
        node=node or "",
        ref=ref,
        role=element.role if element else "",
        name=element.name if element else known.text,
        tag=known.tag,
        attributes=known.attributes,
    )


def why_not(step: RecordedStep, result: StepResult, nodes: Mapping[str, Node]) -> str:
    """Why the step did not succeed, in a sentence without its point; "" if it did."""
    if not step.targets:
        return "the recording has lost its target"
    if result.prediction is not None:
        return _why_not_chosen(result, result.prediction)
    if result.cover.covered:
        return ""
    if nodes.keys().isdisjoint(step.targets):
        return "not covered: the target is not in the page that was loaded"
    if set(step.hidden).issuperset(step.targets):
        return "not covered: the target was not laid out in the recorded page"
    return not_covered(result)


def not_covered(result: StepResult) -> str:
    """That no element stands for the target."""
    return (
        f"not covered: none of the {result.page.refs} elements seen is the target or stands for it"
    )


def _why_not_chosen(result: StepResult, chosen: Prediction) -> str:
    if result.official.step:
        return ""
    if chosen.miss is not None:
        parts = [_MISSES[chosen.miss]]
        if not result.cover.covered:
            parts.insert(0, not_covered(result))
        return "; ".join([*parts, chosen.detail] if chosen.detail else parts)
    if not result.official.element:
        return "what was chosen stands for the target, but is not it: glass.* accepts that"
    return "the value is not exactly the recorded one"
