"""The type ``http``: an agent service that is running already and is asked for every episode."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal

import httpx
from pydantic import Field, JsonValue, SecretStr, field_validator

from .._json import strict_json
from .._text import sanitize
from ..browser.event_loop import finish, wait_in_event_loop
from ..errors import EndpointError, SettingsError
from ..task.models import TaskBrief
from .base import Agent, AgentContext, AgentCrashed, Budget
from .command.protocol import MOST_BYTES, agent_request, browser_address, conclude, parse_reply
from .options import VARIABLE_NAME, AgentOptions, base_address
from .registry import AgentType, BuildContext

if TYPE_CHECKING:
    from playwright.sync_api import Page

_CONNECT_SECONDS: Final = 10.0
_ABORT_SECONDS: Final = 3.0
_SHOWN: Final = 300
"""Characters of a reply or an error that messages quote."""
_BUSY: Final = frozenset({408, 425, 429, 502, 503, 504})
"""Statuses of a service that cannot work just now; others from 500 on mean that it broke."""


class HttpOptions(AgentOptions):
    """``[agents.<name>]`` with ``type = "http"``."""

    type: Literal["http"] = "http"
    url: str = Field(
        description="base address of the service; episodes are posted to <url>/episodes"
    )
    key: str | None = Field(
        None,
        pattern=VARIABLE_NAME,
        description="NAME of the environment variable that holds its bearer token",
    )
    options: dict[str, JsonValue] = Field(
        default_factory=dict, description="passed on to the service unchanged"
    )

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``http:http://127.0.0.1:8000``."""
        return {"url": rest}

    def secret_names(self) -> Iterable[str]:
        """The variable with the token."""
        return () if self.key is None else (self.key,)

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        return base_address(url)


def make(options: HttpOptions, build: BuildContext) -> Agent:
    """A fresh agent; `SettingsError` if the variable with the token is not set."""
    return HttpAgent(options, _token(options, build))


def check(options: HttpOptions, build: BuildContext) -> str:
    """Whether anything answers at the address; `EndpointError` if not."""
    with _client(_token(options, build), seconds=_CONNECT_SECONDS) as client:
        try:
            status = client.get(options.url).status_code
        except httpx.HTTPError as error:
            raise _no_service(options.url, error) from error
    return f"{options.url} answers (HTTP status {status})"


AGENT_TYPE: Final = AgentType(
    summary="a running agent service, given a browser's CDP address",
    options=HttpOptions,
    make=make,
    check=check,
)


def _token(options: HttpOptions, build: BuildContext) -> SecretStr | None:
    if options.key is None:
        return None
    return build.require_secret(options.key, option="key")


class HttpAgent:
    """Posts the brief, and waits for the reply while the service acts in the episode's browser."""

    dedicated_browser = True

    def __init__(self, options: HttpOptions, token: SecretStr | None) -> None:
        self._options = options
        self._token = token
        self._context: AgentContext | None = None

    def attach(self, context: AgentContext) -> None:
        """Keep the journal and the browser's address."""
        self._context = context

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Hand the task over, keep the browser's events going meanwhile, and return the answer."""
        assert self._context is not None, "agents get their context before they run"
        cdp_url = browser_address(self._context)
        episode = uuid.uuid4().hex
        request = {"episode": episode, **agent_request(brief, cdp_url, self._options.options)}
        try:
            # Playwright's events are dispatched in this thread only, so the request waits in
            # another one.
            found = wait_in_event_loop(page, lambda: self._post(request))
        except KeyboardInterrupt:  # the budget is used up, or the user has pressed Ctrl+C
            finish(lambda: self._abort(episode), 2 * _ABORT_SECONDS)
            raise
        return conclude(parse_reply(found), self._context)

    def _post(self, request: dict[str, JsonValue]) -> object:
        address = f"{self._options.url}/episodes"
        # No limit here: the service may use the whole episode, which the watchdog ends.
        with _client(self._token, seconds=None) as client:
            try:
                with client.stream("POST", address, json=request) as response:
                    body = _read(response)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                raise _no_service(self._options.url, error) from error
            except httpx.TransportError as error:
                raise AgentCrashed(
                    f"the service closed the connection without a reply: {_reason(error)}"
                ) from error
        self._check_status(response.status_code, body)
        try:
            return strict_json(body.decode("utf-8"))
        except ValueError:
            raise AgentCrashed(f"the service's reply is not JSON: {_shown(body)}") from None

    def _check_status(self, status: int, body: bytes) -> None:
        what = (
            f"the agent service at {self._options.url} answered POST /episodes with "
            f"HTTP status {status}: {_shown(body)}"
        )
        if status in _BUSY:
            raise EndpointError(what, status=status)
        if status >= 500:
            raise AgentCrashed(what)
        if not 200 <= status < 300:
            raise SettingsError(f"{what}; see docs/command-agents.md for what it has to accept")

    def _abort(self, episode: str) -> None:
        """Tell the service that nobody waits any longer; it may be unable to listen."""
        with suppress(httpx.HTTPError), _client(self._token, seconds=_ABORT_SECONDS) as client:
            client.delete(f"{self._options.url}/episodes/{episode}")


def _client(token: SecretStr | None, *, seconds: float | None) -> httpx.Client:
    headers = {}
    if token is not None:
        headers["authorization"] = f"Bearer {token.get_secret_value()}"
    return httpx.Client(
        headers=headers,
        timeout=httpx.Timeout(seconds, connect=_CONNECT_SECONDS),
        follow_redirects=False,  # the token must go nowhere else
        trust_env=False,  # no proxies: the service has to reach a browser on this machine anyway
    )


def _read(response: httpx.Response) -> bytes:
    body = bytearray()
    for chunk in response.iter_bytes(65536):
        body += chunk
        if len(body) > MOST_BYTES:
            raise AgentCrashed(f"the service's reply has more than {MOST_BYTES} bytes")
    return bytes(body)


def _no_service(url: str, error: Exception) -> EndpointError:
    return EndpointError(f"no agent service answers at {url}: {_reason(error)}")


def _reason(error: Exception) -> str:
    return sanitize(str(error))[:_SHOWN] or type(error).__name__


def _shown(body: bytes) -> str:
    text = body[:_SHOWN].decode("utf-8", "replace")
    return sanitize(text).strip() or "an empty reply"
