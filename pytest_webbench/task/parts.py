"""Builds a check's getter and metric from a task file, and collects everything that is wrong on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from ..checks import GETTERS, METRICS, Flaw, Getter, Metric
from ..checks.naming import unknown

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a check is made of. If there are ``flaws``, the rest is a stand-in and must not be used."""

    getter: Getter
    metric: Metric
    expected: Getter | None
    flaws: list[Flaw]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Parts:
        """The parts of one check, read from plain data that may be wrong in any way."""
        flaws: list[Flaw] = []
        getter = make_getter(data["get"], ("get",), flaws) if "get" in data else None
        metric = _make_metric(data, flaws)
        wanted = data.get("expected")
        live = None
        if isinstance(wanted, dict) and isinstance(wanted.get("type"), str):
            live = make_getter(wanted, ("expected",), flaws)
        elif metric is not None and "expected" in data:
            flaws.extend(flaw._replace(at=("expected", *flaw.at)) for flaw in metric.flaws(wanted))
        stand_in = GETTERS["agent_answer"](), METRICS["literal_match"]()
        return cls(getter or stand_in[0], metric or stand_in[1], live, flaws)


def make_getter(spec: Any, at: tuple[str | int, ...], flaws: list[Flaw]) -> Getter | None:
    """The getter that a name or an object ``{type: name, option: ...}`` calls for."""
    if not isinstance(spec, str | dict):
        flaws.append(Flaw("must be a getter's name or an object {type: name, option: ...}", at))
        return None
    options = {"type": spec} if isinstance(spec, str) else dict(spec)
    if "type" not in options:
        flaws.append(Flaw("type is missing", (*at, "type"), ", ".join(sorted(GETTERS))))
        return None
    name = options["type"]
    if not isinstance(name, str) or name not in GETTERS:
        where = at if isinstance(spec, str) else (*at, "type")
        flaws.append(Flaw(unknown("getter", name, GETTERS), where, ", ".join(sorted(GETTERS))))
        return None
    return _make(GETTERS[name], options, at, flaws)


def _make_metric(data: dict[str, Any], flaws: list[Flaw]) -> Metric | None:
    name = data.get("metric")
    if not isinstance(name, str):
        return None
    if name not in METRICS:
        flaws.append(Flaw(unknown("metric", name, METRICS), ("metric",), ", ".join(sorted(METRICS))))
        return None
    options = data.get("options", {})
    metric = _make(METRICS[name], options, ("options",), flaws) if isinstance(options, dict) else None
    # With its options wrong, the metric can still say what is wrong with the expectation.
    return metric or METRICS[name]()


def _make(model: type[ModelT], options: dict[str, Any], at: tuple[str | int, ...], flaws: list[Flaw]) -> ModelT | None:
    try:
        return model.model_validate(options)
    except ValidationError as error:
        known = sorted(model.model_fields)
        for details in error.errors():
            where = (*at, *details["loc"])
            if details["type"] == "extra_forbidden":
                what = unknown("option", details["loc"][-1], known)
                flaws.append(Flaw(what, where, ", ".join(known) or "none"))
            elif details["type"] == "missing":
                flaws.append(Flaw("is missing", where))
            else:
                flaws.append(Flaw(details["msg"], where))
        return None


def together(model: type[BaseModel], data: Any, handler: Callable[[Any], ModelT], flaws: list[Flaw]) -> ModelT:
    """What ``handler`` makes of ``data``; one error with all its complaints and all ``flaws`` if there are any."""
    errors: list[InitErrorDetails] = []
    made = None
    try:
        made = handler(data)
    except ValidationError as error:
        ours = {flaw.at[0] for flaw in flaws if flaw.at}
        for details in error.errors():
            # `get` is a union, of which pydantic would report each member; our own words say it once.
            if details["loc"][:1] == ("get",) and "get" in ours:
                continue
            context = {"text": details["msg"], **_context(details)}
            custom = PydanticCustomError(details["type"], "{text}", context)
            errors.append(InitErrorDetails(type=custom, loc=details["loc"], input=details["input"]))
    for flaw in flaws:
        custom = PydanticCustomError("flaw", "{text}", {"text": flaw.what, "allowed": flaw.allowed})
        errors.append(InitErrorDetails(type=custom, loc=flaw.at, input=_at(data, flaw.at)))
    if errors:
        raise ValidationError.from_exception_data(model.__name__, errors)
    assert made is not None, "either there is a model or there are errors"
    return made


def _context(details: Any) -> dict[str, Any]:
    context = dict(details.get("ctx", {}))
    return {key: value for key, value in context.items() if isinstance(value, str | int | float) and key != "text"}


def _at(data: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data
