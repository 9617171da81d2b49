"""Task and Suite: what a task file and a ``suite.toml`` mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    JsonValue,
    ModelWrapValidatorHandler,
    PrivateAttr,
    model_validator,
)
from pydantic_core import PydanticCustomError

from .._suggest import unknown
from .._url import host_of, is_on_site, is_web_address
from .._worlds import BUILT_IN, LIVE, REPLICA, world_names
from ..checks import Getter, Issue, Metric
from ..checks.answer_schema import misfit, schema_issues
from .fields import Host, Model, Tag, TaskId, Url
from .identity import digest_of_task
from .mutants import Mutants
from .params import Name, Param, issues_of_params, known_params
from .parts import Parts, together
from .placeholders import placeholder_issues
from .provenance import Source
from .script import ScriptStep

DEFAULT_ACTIONS: Final = 60
DEFAULT_SECONDS: Final = 900.0


Operation = Literal["read", "extremum", "count", "compute", "compare", "verify", "spatial"]


class Limits(Model):
    """What an agent may use up.

    Absent values fall back to the suite, then to 60 actions and 900 seconds.
    """

    actions: int | None = Field(None, ge=1, le=10_000, description="observed actions")
    seconds: float | None = Field(None, gt=0, le=86_400, description="wall time of the agent")


class Setup(Model):
    """What is done before the agent starts."""

    clear_storage: bool = Field(
        False, description="start without cookies and storage (a fresh context has none)"
    )
    local_storage: dict[str, str] = Field(
        {}, description="localStorage entries of the start page's origin"
    )


class Counterexample(Model):
    """An end state that looks right and must not pass."""

    name: Annotated[str, Field(min_length=3)]
    steps: list[ScriptStep] = Field([])


class Check(Model):
    """One condition: a getter reads a value, a metric compares it with what is expected."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    get: str | dict[str, Any] = Field(
        description="a getter's name, or an object {type: name, option: ...}"
    )
    metric: str
    expected: JsonValue = Field(
        description="a literal; an object {type: ...} naming a getter is read from evidence"
    )
    options: dict[str, Any] = Field({})
    requires: list[str] = Field(
        [], description="names of earlier checks without which this one means nothing"
    )
    weight: float = Field(1.0, gt=0)
    skills: list[Tag] = Field(
        [], description="what an agent has to be able to do so that this holds"
    )
    operation: Operation | None = Field(
        None, description="what it has to do in its head, where that is a part of it"
    )

    _getter: Getter = PrivateAttr()
    _metric: Metric = PrivateAttr()
    _expected_getter: Getter | None = PrivateAttr(None)

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, data: Any, handler: ModelWrapValidatorHandler[Check]) -> Check:
        """Field errors and what is wrong with getter, metric and expectation come out together."""
        if not isinstance(data, dict):
            return handler(data)
        parts = Parts.of(data)
        check = together(cls, data, handler, parts.issues)
        check._getter = parts.getter
        check._metric = parts.metric
        check._expected_getter = parts.expected
        return check

    @property
    def getter(self) -> Getter:
        """Reads the value that is judged."""
        return self._getter

    @property
    def expected_getter(self) -> Getter | None:
        """Reads the expected value, where that comes from evidence too."""
        return self._expected_getter

    @property
    def rule(self) -> Metric:
        """The metric with its options."""
        return self._metric


class Task(Model):
    """One task."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["checks"], "properties": {"checks": {"minItems": 1}}},
                {"required": ["needs_judge"], "properties": {"needs_judge": {"const": True}}},
            ],
            "if": {"required": ["answer"], "properties": {"answer": {"const": "json"}}},
            "then": {
                "required": ["answer_schema"],
                "properties": {"answer_schema": {"type": "object"}},
            },
            "else": {"properties": {"answer_schema": {"type": "null"}}},
        }
    )

    id: TaskId
    goal: Annotated[str, Field(min_length=10)]
    start_url: Url
    hosts: list[Host] = Field(
        [], description="further hosts that getters may read `at`, besides the start page's"
    )
    sites: list[Host] = Field(
        [], description="further sites of a local world that the task is about, by name: [mail]"
    )
    login: dict[Host, Literal["out"]] = Field(
        {}, description="sites of a local world on which nobody is signed in at first"
    )
    feasible: bool = Field(
        True, description="false: this cannot or must not be done, and to refuse is right"
    )
    params: dict[Name, Param] = Field(
        {},
        description=(
            "drawn anew for every seed of a local world, and put in place of `{{name.column}}` in "
            "goal, checks and steps"
        ),
    )
    tags: list[Tag] = Field([])
    source: Source | None = None
    setup: Setup = Setup()
    limits: Limits = Limits()
    checks: list[Check] = Field([], description="at least one, unless the task needs a judge")
    conj: Literal["and", "or", "weighted"] = "and"
    answer: Literal["none", "text", "json"] = Field(
        "none", description="whether the agent has to answer, in words or as JSON"
    )
    answer_schema: dict[str, JsonValue] | None = Field(
        None, description="with `answer: json`, the JSON Schema (2020-12) of the answer"
    )
    needs_judge: bool = Field(
        False,
        description=(
            "no check can decide this: whatever the checks, if any, do not fail is left to a judge"
        ),
    )
    reference: str = Field("", description="for whoever judges: an answer that is right")
    solution: list[ScriptStep] = Field(
        [], description="reference solution, played by the `scripted` agent"
    )
    counterexamples: list[Counterexample] = Field([])
    remembered: list[Annotated[str, Field(min_length=1)]] = Field(
        [],
        description="answers that are true on the real site or were once; a validation gives them",
    )
    mutants: Mutants | None = Field(
        None,
        description="what a rule cannot decide about episodes that are made from the solution",
    )

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, data: Any, handler: ModelWrapValidatorHandler[Task]) -> Task:
        issues = [*_issues_of_checks(data), *_issues_of_answer(data), *_issues_of_scripts(data)]
        issues += _issues_of_places(data)
        issues += issues_of_params(data) if isinstance(data, dict) else ()
        return together(cls, data, handler, issues)

    @property
    def site(self) -> str:
        """Host of the start page, without ``www.``."""
        return host_of(self.start_url)

    def digest(self) -> str:
        """Names exactly this task; stored verdicts carry it."""
        return digest_of_task(self.model_dump(mode="json"))


def _issues_of_checks(data: Any) -> Iterator[Issue]:
    """What is wrong with the checks as a whole."""
    if not isinstance(data, dict):
        return
    checks = data.get("checks", [])
    if checks == [] and data.get("needs_judge") is not True:
        what = "must hold at least one check" if "checks" in data else "is missing"
        yield Issue(what, ("checks",))
    if isinstance(checks, list):
        yield from _issues_of_names(checks)


def _issues_of_answer(data: Any) -> Iterator[Issue]:
    """What is wrong with the schema of the answer, and with the solution's answer by it."""
    if not isinstance(data, dict):
        return
    if data.get("remembered") and data.get("answer", "none") == "none":
        yield Issue("is only for tasks that want an answer", ("remembered",))
    schema = data.get("answer_schema")
    if data.get("answer") != "json":
        if schema is not None:
            yield Issue("is only for `answer: json`", ("answer_schema",))
        return
    if schema is None:
        yield Issue("is missing: `answer: json` needs it", ("answer_schema",))
        return
    issues = schema_issues(schema)
    yield from (issue.within("answer_schema") for issue in issues)
    if not issues:
        yield from _issues_of_solution(data.get("solution"), schema)


def _issues_of_solution(solution: Any, schema: dict[str, Any]) -> Iterator[Issue]:
    for index, step in enumerate(solution if isinstance(solution, list) else ()):
        answer = step.get("answer") if isinstance(step, dict) else None
        # What a step has read is filled in when the solution is played.
        if isinstance(answer, str) and "{{" not in answer and (why := misfit(answer, schema)):
            yield Issue(f"does not fit answer_schema: {why}", ("solution", index, "answer"))


def _issues_of_places(data: Any) -> Iterator[Issue]:
    """Addresses that getters read ``at`` but that are of no host of the task."""
    if not isinstance(data, dict):
        return
    hosts = data.get("hosts")
    allowed = [host_of(str(data.get("start_url")))]
    allowed += [host for host in hosts if isinstance(host, str)] if isinstance(hosts, list) else []
    checks = data.get("checks")
    for index, check in enumerate(checks if isinstance(checks, list) else ()):
        for key in ("get", "expected"):
            getter = check.get(key) if isinstance(check, dict) else None
            url = getter.get("at") if isinstance(getter, dict) else None
            if not isinstance(url, str) or not is_web_address(url):
                continue
            host = host_of(url)
            if not any(is_on_site(host, one.removeprefix("www.")) for one in allowed):
                what = f"{unknown('host', host, allowed)}; list it under `hosts`"
                yield Issue(what, ("checks", index, key, "at"), ", ".join(allowed))


def _issues_of_scripts(data: Any) -> Iterator[Issue]:
    """Placeholders in solution and counterexamples that no earlier step reads."""
    if not isinstance(data, dict):
        return
    params = known_params(data)
    for issue in placeholder_issues(data.get("solution"), params):
        yield issue.within("solution")
    examples = data.get("counterexamples")
    for index, example in enumerate(examples if isinstance(examples, list) else ()):
        if isinstance(example, dict):
            for issue in placeholder_issues(example.get("steps"), params):
                yield issue.within("counterexamples", index, "steps")


def _issues_of_names(checks: list[Any]) -> Iterator[Issue]:
    """Names that two checks have, and ``requires`` that do not lead to an earlier check."""
    names = [_name_of(check) for check in checks]
    for index, name in enumerate(names):
        earlier = [one for one in names[:index] if one is not None]
        if name in earlier:
            yield Issue(f"check {name!r} exists twice", ("checks", index, "name"))
        for place, required in enumerate(_required_by(checks[index])):
            if isinstance(required, str) and required not in earlier:
                if required == name:
                    what = f"{required!r} is this check itself"
                elif required in names:
                    what = f"{required!r} is a later check"
                else:
                    what = unknown("check", required, earlier)
                allowed = f"earlier checks: {', '.join(earlier) or 'none'}"
                yield Issue(what, ("checks", index, "requires", place), allowed)


def _name_of(check: Any) -> str | None:
    name = check.get("name") if isinstance(check, dict) else getattr(check, "name", None)
    return name if isinstance(name, str) else None


def _required_by(check: Any) -> list[Any]:
    required = check.get("requires", []) if isinstance(check, dict) else []
    return required if isinstance(required, list) else []


def _known_world(name: str) -> str:
    known = world_names()
    if name in known:
        return name
    context = {"text": unknown("world", name, known), "allowed": ", ".join(known)}
    raise PydanticCustomError("world", "{text}", context)


World = Annotated[str, AfterValidator(_known_world), Field(examples=list(BUILT_IN))]
"""A world's name: built in, or offered by an installed distribution."""


class Live(Model):
    """How the live world is spared: limits for all workers of a machine together."""

    parallel: int = Field(
        2, ge=1, le=1000, description="episodes at once, in browsers of this machine or a lent one"
    )
    parallel_cloud: int = Field(
        10, ge=1, le=1000, description="episodes at once, in browsers of a cloud service"
    )
    per_site: int = Field(1, ge=1, le=1000, description="episodes at once on one site")
    pause: float = Field(5.0, ge=0, le=300, description="seconds between two episodes on one site")
    blocked_retries: int = Field(
        2, ge=0, le=10, description="how often an episode is repeated that a site has blocked"
    )


class Suite(Model):
    """A folder with ``suite.toml`` and task files."""

    name: TaskId
    title: str
    description: str = ""
    licence: str
    worlds: Annotated[list[World], Field(min_length=1)] = Field(
        [LIVE], description="where this suite can run; the first is the default"
    )
    limits: Limits = Limits()
    live: Live | None = Field(
        None, description="how live sites are spared; without it there are no such limits"
    )
    locale: str = "en-US"
    timezone: str = "UTC"

    @property
    def proof_world(self) -> World:
        """Where tasks are proven unless told otherwise: no site is bothered if it has a double."""
        return REPLICA if REPLICA in self.worlds else self.worlds[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBrief:
    """All that an agent gets to know about its task."""

    task_id: str
    goal: str
    start_url: str
    wants_answer: bool
    max_actions: int
    max_seconds: float
    locale: str
    timezone: str
    answer_schema: dict[str, JsonValue] | None = None
    """The JSON Schema that the answer has to fit; None if any words will do."""
