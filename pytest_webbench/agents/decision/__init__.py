"""The decision agent: a model chooses among typed options; a fixed helper writes what has to be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from ...errors import SettingsError
from ..base import Agent, Equipment
from ..types import Kit, ModelOptions, Service

if TYPE_CHECKING:
    from .policy import DecisionPolicy

DecisionPath = Literal["/api/alpha/decisions", "/v1/systemone"]
_SUFFIXES = ("/api/alpha/decisions", "/v1/systemone", "/api/v1", "/api", "/v1")


class TextService(Service):
    """The chat model that writes field values and answers."""

    timeout: float = Field(120.0, gt=0, le=600, description="seconds for one text")


class Options(ModelOptions):
    """Keys of ``[agents.<name>]`` with ``type = "decision"``."""

    type: Literal["decision"] = "decision"
    path: DecisionPath | None = Field(None, description="route of the decisions API; by default told from the url")
    timeout: float = Field(25.0, gt=0, le=600, description="seconds for one decision")
    joint: bool = Field(
        False, description="choose operation and target together, by the product of their probabilities"
    )
    whole_page: bool = Field(False, description="offer elements out of view too, not only those in the viewport")
    timezone: str | None = Field(
        None, description="IANA zone in which relative dates of the goal are resolved; by default the browser's"
    )
    text: TextService = Field(description="the text helper: url, model, key")

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """There is no short form: the text helper has to be named, too."""
        raise SettingsError(
            f"{rest!r}: a decision agent needs a table in webbench.toml, with its text helper in `text`"
        )

    @field_validator("timezone")
    @classmethod
    def _known(cls, zone: str | None) -> str | None:
        from ..dates import time_zone

        try:
            if zone is not None:
                time_zone(zone)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return zone


def route(url: str, path: DecisionPath | None = None) -> tuple[str, DecisionPath]:
    """Base address and path of a decisions API, from whatever of its address was given."""
    given = next((suffix for suffix in _SUFFIXES if url.endswith(suffix)), "")
    base = url.removesuffix(given)
    if path is None and given == "/v1/systemone":
        path = "/v1/systemone"
    if path is None and given != "/api/alpha/decisions":
        host = urlsplit(base).hostname or ""
        path = "/v1/systemone" if host == "typesafe.ai" or host.endswith(".typesafe.ai") else None
    return base, path or "/api/alpha/decisions"


def make(options: Options, kit: Kit) -> Agent:
    """A fresh agent; it connects when its episode begins."""
    from ...browser.observe import Observer
    from ..loop import PolicyAgent, browser_tools
    from .writer import MOST_REMEMBERED

    for service in (options, options.text):
        kit.key(service)  # one that is missing is told before the episode
    observer = Observer(text=MOST_REMEMBERED, viewport_only=not options.whole_page)
    return PolicyAgent(lambda equipment: _opened(options, kit, equipment), tools=browser_tools(observer))


def check(options: Options, kit: Kit) -> str:
    """Ask both endpoints one tiny question."""
    with _opened(options, kit) as policy:
        return policy.check()


@contextmanager
def _opened(options: Options, kit: Kit, equipment: Equipment | None = None) -> Iterator[DecisionPolicy]:
    """A policy with its two endpoints open."""
    from ..chat.kind import open_service
    from ..chat.messages import Request
    from .policy import DecisionPolicy
    from .server import DecisionServer
    from .writer import Writer

    base, path = route(options.url, options.path)
    place = Service(url=base, model=options.model, key=options.key)
    settings = Request(model=options.text.model, messages=(), max_tokens=1024, temperature=0.0, seed=kit.seed)
    with (
        kit.endpoint(place, equipment, timeout=options.timeout) as endpoint,
        open_service(options.text, kit, equipment, settings, timeout=options.text.timeout) as client,
    ):
        server = DecisionServer(endpoint, path, options.model, kit.price(options))
        yield DecisionPolicy(server, Writer(client), options)
