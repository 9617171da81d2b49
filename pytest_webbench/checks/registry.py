"""All getters and metrics by name: the built-in ones and those of other distributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from .. import _entry_points
from ..errors import SettingsError
from . import agent, events, local, page, route, rows, site, suite_c
from .base import Getter, Metric
from .metrics import answer, changes, compare, expression, objects, text, url
from .metrics import route as route_metrics

_GETTERS: Final[tuple[type[Getter], ...]] = (
    agent.Actions,
    agent.AgentAnswer,
    agent.Const,
    agent.NavHistory,
    agent.Refusal,
    agent.OpenTabs,
    events.ConsoleErrors,
    events.Dialogs,
    events.Downloads,
    events.NetworkRequests,
    local.ServerLog,
    local.StateChanges,
    local.StateQuery,
    page.ControlState,
    page.DomCount,
    page.DomExtract,
    page.FinalUrl,
    page.PageText,
    page.PageTitle,
    page.UrlParse,
    page.UrlPathParse,
    page.VisibleText,
    route.PagesSeen,
    rows.DomRows,
    site.ApiState,
    site.AxtreeQuery,
    site.Clipboard,
    site.Cookie,
    site.PageHealth,
    site.Storage,
    suite_c.SuiteCView,
)

_METRICS: Final[tuple[type[Metric], ...]] = (
    answer.AnswerMatch,
    changes.ChangesMatch,
    compare.CountInRange,
    compare.NumericClose,
    compare.SetMatch,
    expression.Expression,
    objects.JsonObjectMatch,
    route_metrics.CameFrom,
    text.AnyItemMatches,
    text.ExactMatch,
    text.IncludeExclude,
    text.LiteralMatch,
    url.TabsMatch,
    url.UrlMatches,
    url.UrlPatternMatch,
)


@dataclass(frozen=True, slots=True)
class Registry:
    """Getter and metric classes by name."""

    getters: Mapping[str, type[Getter]]
    metrics: Mapping[str, type[Metric]]

    def with_offered(self, offered: Mapping[str, Any]) -> Registry:
        """This registry and what entry points offer, by their names.

        `SettingsError` for what is neither a getter nor a metric class, is called otherwise than
        its entry point, or has the name of a check that exists.
        """
        getters, metrics = dict(self.getters), dict(self.metrics)
        for name, found in offered.items():
            _refuse_unusable(name, found)
            if name in self.getters or name in self.metrics:
                raise _refusal(name, found, "has the name of a built-in check: choose another")
            if issubclass(found, Getter):
                getters[name] = found
            else:
                metrics[name] = found
        return Registry(MappingProxyType(getters), MappingProxyType(metrics))


BUILT_IN: Final = Registry(
    MappingProxyType({getter.model_fields["type"].default: getter for getter in _GETTERS}),
    MappingProxyType({metric.name: metric for metric in _METRICS}),
)
"""The checks of this package."""


@cache
def installed_checks() -> Registry:
    """The built-in checks and those of the entry-point group ``pytest_webbench.checks``.

    Looked for once, when the first task file is read. `SettingsError` if one of them is unusable.
    """
    return BUILT_IN.with_offered(_entry_points.load_all(_entry_points.CHECKS))


def _refuse_unusable(name: str, found: Any) -> None:
    if not isinstance(found, type) or not issubclass(found, Getter | Metric):
        raise _refusal(name, found, "must be a subclass of Getter or of Metric")
    own_name = _name_of(found)
    if own_name is None:
        wanted = f'type: Literal["{name}"] = "{name}"'
        if issubclass(found, Metric):
            wanted = f'name: ClassVar[str] = "{name}"'
        raise _refusal(name, found, f"must declare {wanted}")
    if own_name != name:
        raise _refusal(name, found, f"calls itself {own_name!r}: give both the same name")


def _name_of(check: type[Getter] | type[Metric]) -> object:
    if issubclass(check, Metric):
        return getattr(check, "name", None)
    field = check.model_fields.get("type")
    if field is None or not isinstance(field.default, str):
        return None
    return field.default


def _refusal(name: str, found: Any, what: str) -> SettingsError:
    shown = found
    if isinstance(found, type):
        shown = f"{found.__module__}.{found.__qualname__}"
    group = _entry_points.CHECKS
    owners = " and ".join(_entry_points.owners(group, name))
    return SettingsError(f"{owners} offers {name!r} in {group}, but {shown} {what}")
