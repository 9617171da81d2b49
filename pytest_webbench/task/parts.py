"""Builds a check's getter and metric from a task file, and collects everything wrong on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from .._suggest import unknown
from ..checks import BUILT_IN, Getter, Issue, Metric, installed_checks
from .placeholders import has_placeholder

ModelT = TypeVar("ModelT", bound=BaseModel)
Location = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """What a check is made of; if there are ``issues``, the rest is a stand-in not to be used."""

    getter: Getter
    metric: Metric
    expected: Getter | None
    issues: list[Issue]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Parts:
        """The parts of one check, read from plain data that may be wrong in any way."""
        issues: list[Issue] = []
        getter = make_getter(data["get"], ("get",), issues) if "get" in data else None
        metric = _make_metric(data, issues)
        wanted = data.get("expected")
        live = None
        if isinstance(wanted, dict) and isinstance(wanted.get("type"), str):
            live = make_getter(wanted, ("expected",), issues)
        elif metric is not None and "expected" in data and not has_placeholder(wanted):
            issues += [issue.within("expected") for issue in metric.issues(wanted)]
        return cls(
            getter or BUILT_IN.getters["agent_answer"](),
            metric or BUILT_IN.metrics["literal_match"](),
            live,
            issues,
        )


def make_getter(spec: Any, at: Location, issues: list[Issue]) -> Getter | None:
    """The getter that a name or an object ``{type: name, option: ...}`` calls for.

    None, with what is wrong added to ``issues``, if there is none.
    """
    getters = installed_checks().getters
    if not isinstance(spec, str | dict):
        issues.append(Issue("must be a getter's name or an object {type: name, option: ...}", at))
        return None
    options = {"type": spec} if isinstance(spec, str) else dict(spec)
    if "type" not in options:
        issues.append(Issue("type is missing", (*at, "type"), ", ".join(sorted(getters))))
        return None
    name = options["type"]
    if not isinstance(name, str) or name not in getters:
        where = at if isinstance(spec, str) else (*at, "type")
        issues.append(_unknown_check("getter", name, getters, where))
        return None
    getter = _make(getters[name], options, at, issues)
    if getter is not None:
        issues += [issue.within(*at) for issue in getter.issues()]
    return getter


def _make_metric(data: dict[str, Any], issues: list[Issue]) -> Metric | None:
    metrics = installed_checks().metrics
    name = data.get("metric")
    if not isinstance(name, str):
        return None
    if name not in metrics:
        issues.append(_unknown_check("metric", name, metrics, ("metric",)))
        return None
    options = data.get("options", {})
    metric = None
    if isinstance(options, dict):
        metric = _make(metrics[name], options, ("options",), issues)
    # With its options wrong, the metric can still say what is wrong with the expectation.
    return metric or _by_default(metrics[name])


def _by_default(metric: type[Metric]) -> Metric | None:
    try:
        return metric()
    except ValidationError:
        return None  # it has an option without a default


def _unknown_check(kind: str, name: object, known: Mapping[str, Any], at: Location) -> Issue:
    return Issue(unknown(kind, name, known), at, ", ".join(sorted(known)))


def _make(
    model: type[ModelT], options: dict[str, Any], at: Location, issues: list[Issue]
) -> ModelT | None:
    try:
        return model.model_validate(options)
    except ValidationError as error:
        known = sorted(model.model_fields)
        issues += [_option_issue(details, known, at) for details in error.errors()]
        return None


def _option_issue(details: ErrorDetails, known: list[str], at: Location) -> Issue:
    where = (*at, *details["loc"])
    if details["type"] == "extra_forbidden":
        what = unknown("option", details["loc"][-1], known)
        return Issue(what, where, ", ".join(known) or "none")
    if details["type"] == "missing":
        return Issue("is missing", where)
    return Issue(details["msg"], where)


def together(
    model: type[BaseModel], data: Any, handler: Callable[[Any], ModelT], issues: Iterable[Issue]
) -> ModelT:
    """What ``handler`` makes of ``data``.

    One `ValidationError` with all its complaints and all ``issues``, if there are any of either.
    """
    ours = list(issues)
    errors: list[InitErrorDetails] = []
    made = None
    try:
        made = handler(data)
    except ValidationError as error:
        # `get` is a union, of which pydantic would report each member; our own words say it once.
        covered = {"get"} & {issue.at[0] for issue in ours if issue.at}
        for details in error.errors():
            if not covered.intersection(details["loc"][:1]):
                errors.append(_passed_on(details))
    errors += [_error_of(issue, data) for issue in ours]
    if errors:
        raise ValidationError.from_exception_data(model.__name__, errors)
    assert made is not None, "either there is a model or there are errors"
    return made


def _passed_on(details: ErrorDetails) -> InitErrorDetails:
    """One of pydantic's own errors, with its message made up already."""
    context: dict[str, Any] = {"text": details["msg"]}
    for key, value in details.get("ctx", {}).items():
        if isinstance(value, str | int | float) and key != "text":
            context[key] = value
    custom = PydanticCustomError(details["type"], "{text}", context)
    return InitErrorDetails(type=custom, loc=details["loc"], input=details["input"])


def _error_of(issue: Issue, data: Any) -> InitErrorDetails:
    context = {"text": issue.what, "allowed": issue.allowed}
    custom = PydanticCustomError("issue", "{text}", context)
    return InitErrorDetails(type=custom, loc=issue.at, input=_at(data, issue.at))


def _at(data: Any, path: Location) -> Any:
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data
