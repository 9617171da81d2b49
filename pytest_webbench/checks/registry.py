"""All getters and metrics, by the name that task files use."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from . import agent, events, page, site, suite_c
from .base import Getter, Metric
from .metrics import answer, compare, expression, objects, text, url

_GETTERS: tuple[type[Getter], ...] = (
    agent.Actions,
    agent.AgentAnswer,
    agent.Const,
    agent.NavHistory,
    agent.OpenTabs,
    events.ConsoleErrors,
    events.Dialogs,
    events.Downloads,
    events.NetworkRequests,
    page.ControlState,
    page.DomCount,
    page.DomExtract,
    page.FinalUrl,
    page.PageText,
    page.PageTitle,
    page.UrlParse,
    page.UrlPathParse,
    page.VisibleText,
    site.ApiState,
    site.AxtreeQuery,
    site.Clipboard,
    site.PageHealth,
    site.Storage,
    suite_c.SuiteCView,
)

_METRICS: tuple[type[Metric], ...] = (
    answer.AnswerMatch,
    compare.CountInRange,
    compare.NumericClose,
    compare.SetMatch,
    expression.Expression,
    objects.JsonObjectMatch,
    text.AnyItemMatches,
    text.ExactMatch,
    text.IncludeExclude,
    text.LiteralMatch,
    url.TabsMatch,
    url.UrlMatches,
    url.UrlPatternMatch,
)

GETTERS: Final = MappingProxyType({getter.model_fields["type"].default: getter for getter in _GETTERS})
METRICS: Final = MappingProxyType({metric.name: metric for metric in _METRICS})
