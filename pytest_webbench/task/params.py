"""Parameters: what a task draws anew for every seed, and puts in place of ``{{name.column}}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field, JsonValue, model_validator

from .._json import canonical_json
from ..checks import Issue, Value
from .fields import Model
from .placeholders import Known, issues_in, put_in

if TYPE_CHECKING:
    from .models import Task

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
GIVEN: Final = ("me", "today")
"""Names that every local world fills: the number of the person that the agent works for, a date."""
_TYPED: Final = ("expected", "get")
"""Parts of a check where a placeholder alone stands for the value itself, such as a number."""


class Param(Model):
    """One thing that is drawn: a row of the seed's database, or one of several values."""

    sql: str | None = Field(
        None,
        description=(
            "a SELECT, of which the first row is taken; it may use `:me`, `:today`, and what was "
            "drawn before as `:name_column`; `random()` draws by the seed"
        ),
    )
    unique: list[str] = Field(
        [], description="with `sql`: no draw if the first two rows agree in all of these columns"
    )
    one_of: list[JsonValue] = Field([], description="values of which one is taken")

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Param:
        if (self.sql is None) == (not self.one_of):
            raise ValueError("must have either sql or one_of")
        if self.unique and self.sql is None:
            raise ValueError("unique goes with sql")
        return self


def issues_of_params(data: Mapping[str, Any]) -> Iterator[Issue]:
    """Placeholders in goal and checks that no parameter fills; ``data`` is a task's."""
    params = known_params(data)
    for key in ("goal", "start_url"):
        if "params" in data:
            yield from (issue.within(key) for issue in issues_in(data.get(key), params))
    checks = data.get("checks")
    for index, check in enumerate(checks if isinstance(checks, list) and params else ()):
        yield from (issue.within("checks", index) for issue in issues_in(check, params))


def known_params(data: Mapping[str, Any]) -> Known:
    """The names that the parameters of a task fill; which columns SQL gives is not known yet."""
    params = data.get("params")
    if not isinstance(params, Mapping) or not params:
        return {}
    known: Known = dict.fromkeys(GIVEN, ())
    for name, param in params.items():
        has_columns = isinstance(param, Mapping) and "sql" in param
        known[str(name)] = None if has_columns else ()
    return known


def filled_task(task: Task, values: Mapping[str, Value]) -> Task:
    """``task`` for one seed: every placeholder that ``values`` has is filled, none is left over."""
    data = task.model_dump(mode="json", exclude={"params"})
    for key, value in data.items():
        if key != "checks":
            data[key] = _filled(value, values, typed=False)
    data["checks"] = [
        {key: _filled(one, values, typed=key in _TYPED) for key, one in check.items()}
        for check in data["checks"]
    ]
    # Through JSON, which is how stored tasks are read: every rule is applied to what was filled in.
    return type(task).model_validate_json(canonical_json(data))


def _filled(value: Any, values: Mapping[str, Value], *, typed: bool) -> Any:
    if isinstance(value, str):
        return put_in(value, values, typed=typed)
    if isinstance(value, list):
        return [_filled(one, values, typed=typed) for one in value]
    if isinstance(value, dict):
        return {key: _filled(one, values, typed=typed) for key, one in value.items()}
    return value
