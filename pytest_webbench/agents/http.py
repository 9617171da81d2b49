"""Agents that are services: running already, asked over HTTP for every episode."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, JsonValue, SecretStr, field_validator

from ..errors import EndpointError, SettingsError
from ..evidence.scrub import scrub
from ..task.models import TaskBrief
from .base import Agent, AgentCrashed, Budget, Equipment
from .command.protocol import MOST_BYTES, conclude, read_reply, request_of
from .types import AgentOptions, Kit

if TYPE_CHECKING:
    import httpx
    from playwright.sync_api import Page

_CONNECT_SECONDS: Final = 10.0
_ABORT_SECONDS: Final = 3.0
_BUSY: Final = frozenset({408, 425, 429, 502, 503, 504})
"""Statuses of a service that cannot work just now; others from 500 on mean that it broke."""


class Options(AgentOptions):
    """``[agents.<name>]`` with ``type = "http"``."""

    type: Literal["http"] = "http"
    url: str = Field(description="base address of the service; episodes are posted to <url>/episodes")
    key: str | None = Field(
        None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="NAME of the environment variable with its bearer token"
    )
    options: dict[str, JsonValue] = Field(default_factory=dict, description="handed on to it as they are")

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``http:http://127.0.0.1:8000``."""
        return {"url": rest}

    def secret_names(self) -> Iterable[str]:
        """Its token."""
        return () if self.key is None else (self.key,)

    @field_validator("url")
    @classmethod
    def _usable(cls, url: str) -> str:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises where it is no number
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must begin with http:// or https:// and name a host")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError(
                "must hold no user, password, query or fragment; a token goes into an environment variable"
            )
        return url.rstrip("/")


def make(options: Options, kit: Kit) -> Agent:
    """An agent for one episode; `SettingsError` if the variable with its token is not set."""
    return HttpAgent(options, _token(options, kit))


def check(options: Options, kit: Kit) -> str:
    """Whether anything answers there; `EndpointError` if not."""
    with _client(_token(options, kit), seconds=_CONNECT_SECONDS) as client:
        status = _asked(client, "GET", options.url).status_code
    return f"{options.url} answers (HTTP status {status})"


def _token(options: Options, kit: Kit) -> SecretStr | None:
    token = kit.secret(options.key) if options.key else None
    if token is None and options.key:
        raise SettingsError(
            f"agent {kit.name!r}: its token is to be found in {options.key}, which is neither an environment variable "
            f"nor in {kit.root / '.env'}"
        )
    return token


class HttpAgent:
    """Posts the brief, and waits for the reply while the service acts in the episode's browser."""

    own_browser = True

    def __init__(self, options: Options, token: SecretStr | None) -> None:
        self._options, self._token = options, token
        self._equipment: Equipment | None = None

    def equip(self, equipment: Equipment) -> None:
        """Take journal, log and the browser's address."""
        self._equipment = equipment

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Hand the task over, observe what happens in the browser, and give the answer."""
        from ..browser.beside import finish, wait_beside

        assert self._equipment is not None, "agents are equipped before they run"
        assert self._equipment.cdp_url is not None, "an agent with own_browser is given the address of one"
        episode = uuid.uuid4().hex
        request = {"episode": episode, **request_of(brief, self._equipment.cdp_url, self._options.options)}
        try:
            found = wait_beside(page, lambda: self._post(request))
        except KeyboardInterrupt:  # our time is up, or the user's patience
            finish(lambda: self._abort(episode), 2 * _ABORT_SECONDS)
            raise
        return conclude(read_reply(found), self._equipment)

    def _post(self, request: dict[str, JsonValue]) -> object:
        import httpx

        with _client(self._token, seconds=None) as client:
            try:
                with client.stream("POST", f"{self._options.url}/episodes", json=request) as response:
                    body = _read(response)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                raise EndpointError(f"no agent service answers at {self._options.url}: {_why(error)}") from error
            except httpx.TransportError as error:
                raise AgentCrashed(f"the service broke off without a reply: {_why(error)}") from error
        self._judge_status(response.status_code, body)
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise AgentCrashed(f"the service's reply is no JSON: {_shown(body)}") from None

    def _judge_status(self, status: int, body: bytes) -> None:
        where = f"the agent service at {self._options.url} answered POST /episodes with HTTP status {status}"
        if status in _BUSY:
            raise EndpointError(f"{where}: {_shown(body)}", status=status)
        if status >= 500:
            raise AgentCrashed(f"{where}: {_shown(body)}")
        if not 200 <= status < 300:
            raise SettingsError(f"{where}: {_shown(body)}; see docs/command-agents.md for what it has to take")

    def _abort(self, episode: str) -> None:
        """Tell the service that nobody waits any longer; it may be unable to listen."""
        import httpx

        with suppress(httpx.HTTPError), _client(self._token, seconds=_ABORT_SECONDS) as client:
            client.delete(f"{self._options.url}/episodes/{episode}")


def _client(token: SecretStr | None, *, seconds: float | None) -> httpx.Client:
    import httpx

    headers = {"authorization": f"Bearer {token.get_secret_value()}"} if token is not None else {}
    timeout = httpx.Timeout(seconds, connect=_CONNECT_SECONDS)
    # Without proxies: the service has to reach a browser on this machine.
    return httpx.Client(headers=headers, timeout=timeout, follow_redirects=False, trust_env=False)


def _asked(client: httpx.Client, method: str, url: str) -> httpx.Response:
    import httpx

    try:
        return client.request(method, url)
    except httpx.HTTPError as error:
        raise EndpointError(f"no agent service answers at {url}: {_why(error)}") from error


def _read(response: httpx.Response) -> bytes:
    body = b""
    for chunk in response.iter_bytes(65536):
        body += chunk
        if len(body) > MOST_BYTES:
            raise AgentCrashed(f"the service's reply has more than {MOST_BYTES} bytes")
    return body


def _why(error: Exception) -> str:
    return scrub(str(error))[:300] or type(error).__name__


def _shown(body: bytes) -> str:
    return scrub(body[:300].decode("utf-8", "replace")).strip() or "an empty reply"
