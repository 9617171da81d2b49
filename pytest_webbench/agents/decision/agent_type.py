"""The type ``decision``: its options, and how an agent is made from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from ...browser.observer import Observer
from ...errors import SettingsError
from ..base import Agent, AgentContext
from ..chat.agent_type import open_service
from ..chat.messages import ChatRequest
from ..dates import time_zone
from ..endpoint import open_endpoint
from ..loop import PolicyAgent, browser_tools
from ..options import ModelOptions, Service
from ..registry import AgentType, BuildContext
from .client import DecisionClient
from .page_memory import MOST_REMEMBERED
from .policy import DecisionPolicy, QuestionStyle
from .text_helper import TextHelper

DecisionPath = Literal["/api/alpha/decisions", "/v1/systemone"]
_DEFAULT_PATH: Final = "/api/alpha/decisions"
_TYPESAFE_PATH: Final = "/v1/systemone"
_SUFFIXES: Final = (_DEFAULT_PATH, _TYPESAFE_PATH, "/api/v1", "/api", "/v1")
"""What users copy along with a base address."""


class TextService(Service):
    """The chat model that writes field values and answers."""

    timeout: float = Field(120.0, gt=0, le=600, description="seconds for one text")


class DecisionOptions(ModelOptions):
    """Keys of ``[agents.<name>]`` with ``type = "decision"``."""

    type: Literal["decision"] = "decision"
    path: DecisionPath | None = Field(
        None, description="route of the decisions API; by default derived from the url"
    )
    timeout: float = Field(25.0, gt=0, le=600, description="seconds for one decision")
    joint: bool = Field(
        False,
        description="choose operation and target together, by the product of their probabilities",
    )
    whole_page: bool = Field(
        False, description="offer elements out of view too, not only those in the viewport"
    )
    timezone: str | None = Field(
        None,
        description="IANA zone in which relative dates of the goal are resolved; "
        "by default the browser's",
    )
    text: TextService = Field(description="the text helper: url, model, key")

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """There is no short form: the text helper must be configured, too."""
        raise SettingsError(
            f"{rest!r}: a decision agent needs a table in webbench.toml, "
            "with its text helper in `text`"
        )

    @field_validator("timezone")
    @classmethod
    def _check_timezone(cls, zone: str | None) -> str | None:
        if zone is None:
            return None
        try:
            time_zone(zone)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return zone

    def style(self) -> QuestionStyle:
        """How the model is asked."""
        return QuestionStyle(joint=self.joint, whole_page=self.whole_page, timezone=self.timezone)


def route(url: str, path: DecisionPath | None = None) -> tuple[str, DecisionPath]:
    """Base address and path of a decisions API, from whatever of its address was given."""
    given = next((suffix for suffix in _SUFFIXES if url.endswith(suffix)), "")
    base = url.removesuffix(given)
    if path is not None:
        return base, path
    if given == _DEFAULT_PATH:
        return base, _DEFAULT_PATH
    host = urlsplit(base).hostname or ""
    if given == _TYPESAFE_PATH or host == "typesafe.ai" or host.endswith(".typesafe.ai"):
        return base, _TYPESAFE_PATH
    return base, _DEFAULT_PATH


def make(options: DecisionOptions, build: BuildContext) -> Agent:
    """A fresh agent, which connects in its episode; `SettingsError` if a key is missing."""
    for service in (options, options.text):
        build.key(service)  # a missing key is reported before the episode
    observer = Observer(text=MOST_REMEMBERED, viewport_only=not options.whole_page)
    return PolicyAgent(
        lambda context: open_policy(options, build, context), tools=browser_tools(observer)
    )


def check(options: DecisionOptions, build: BuildContext) -> str:
    """Ask both endpoints one tiny question."""
    with open_policy(options, build) as policy:
        return policy.check()


AGENT_TYPE: Final = AgentType(
    summary="a decision model answers typed questions about the page",
    options=DecisionOptions,
    make=make,
    check=check,
)


@contextmanager
def open_policy(
    options: DecisionOptions, build: BuildContext, context: AgentContext | None = None
) -> Iterator[DecisionPolicy]:
    """A policy with connections to both its endpoints, closed when the block is left."""
    base, path = route(options.url, options.path)
    decisions = Service(url=base, model=options.model, key=options.key, replies=options.replies)
    settings = ChatRequest(
        model=options.text.model, messages=(), max_tokens=1024, temperature=0.0, seed=build.seed
    )
    text_timeout = options.text.timeout
    with (
        open_endpoint(decisions, build, context, timeout=options.timeout) as endpoint,
        open_service(
            options.text, build, context, settings=settings, timeout=text_timeout
        ) as text_model,
    ):
        client = DecisionClient(endpoint, path, model=options.model, price=build.price(options))
        yield DecisionPolicy(client, TextHelper(text_model), options.style())
