"""One HTTP service that takes JSON and returns JSON.

It is asked again while it is overloaded, and its key stays out of sight.
"""

from __future__ import annotations

import ipaddress
import json
import random
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final, Protocol, Self
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr

from ..._json import strict_json
from ...errors import EndpointError, SettingsError
from ..base import Backoff
from ..detached import LocalBackoff
from .replies import HttpReply, error_of, pause_of
from .trouble import CONNECT_SECONDS, connection_trouble, json_trouble

LARGEST_REPLY: Final = 20_000_000
"""Bytes, uncompressed."""
FIRST_PAUSE: Final = 1.0
"""Seconds before the second try, unless the service names a pause; doubled after each try."""
LONGEST_PAUSE: Final = 120.0
"""Seconds. A service that asks for a longer pause is given up."""
MOST_WAITING: Final = 600.0
"""Seconds that one endpoint object waits in all."""
MASK: Final = "***"


class JsonService(Protocol):
    """A service that takes JSON and returns JSON, such as `Endpoint`."""

    url: str
    seconds: float
    """How long the last try took that was answered."""

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON of the reply. `EndpointError`, with ``status``, if there is none."""


class Endpoint:
    """One HTTP service. To be closed, or used as a context manager.

    ``url`` is the base of all paths. ``timeout`` is for one try, in seconds. A pause that the
    service asks for is kept by all who share ``backoff``. ``on_wait`` is called with the length of
    each pause before it begins, and with the time that a failed try has taken. ``name`` is what
    messages call the agent.
    """

    def __init__(  # noqa: PLR0913 - all but the first have a default and are keyword-only
        self,
        url: str,
        *,
        key: str | SecretStr | None = None,
        key_header: str = "authorization",
        headers: Mapping[str, str] | None = None,
        timeout: float = 60.0,
        backoff: Backoff | None = None,
        tries: int = 3,
        on_wait: Callable[[float], None] = lambda _seconds: None,
        name: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self.seconds = 0.0
        """How long the last try took that was answered."""
        self._who = f"agent {name!r}" if name else "endpoint"
        self._key = _usable_key(key, self._who)
        self._key_header = key_header
        self._timeout = timeout
        self._tries = tries
        self._backoff = backoff or LocalBackoff()
        self._on_wait = on_wait
        self._sleep = sleep
        self._patience = MOST_WAITING
        self._client = httpx.Client(
            headers={
                "accept": "application/json",
                "user-agent": "pytest-webbench",
                **(headers or {}),
            },
            timeout=httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            # A proxy from the environment cannot reach the loopback address of this machine.
            trust_env=not _on_this_machine(self.url),
        )

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON that the service replies to ``body`` at ``path``.

        `EndpointError` if there is none after several tries, `SettingsError` for what only the user
        can fix: a wrong key, no credit, an unknown model. Both quote the service's own message,
        without the key.
        """
        return self._ask("POST", path, body)

    def get(self, path: str) -> Any:
        """The JSON at ``path``; errors as in `post`."""
        return self._ask("GET", path, None)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        address = f"{self.url}/{path.lstrip('/')}" if path else self.url
        for number in range(1, self._tries + 1):
            self._wait_for_backoff()
            begin = time.monotonic()
            try:
                return self._try(method, address, body)
            except _PassingError as passing:
                self._on_wait(time.monotonic() - begin)
                if number == self._tries:
                    raise EndpointError(
                        f"{passing.error} (tried {number} times)", status=passing.error.status
                    ) from None
                self._start_backoff(passing, number)
        raise AssertionError("there is at least one try")

    def _try(self, method: str, address: str, body: dict[str, Any] | None) -> Any:
        begin = time.monotonic()
        try:
            reply = self._exchange(method, address, body)
        except httpx.RequestError as error:
            what = connection_trouble(error, address, self._timeout)
            raise _PassingError(EndpointError(f"{self._who}: {what}")) from None
        self.seconds = time.monotonic() - begin
        if not reply.ok:
            raise self._refusal(reply, address)
        try:
            # A huge number is valid JSON: the model's mistake, not trouble of its service.
            return strict_json(reply.body, huge_numbers=True)
        except ValueError as error:
            # A truncated or interleaved body: an overloaded server may do better next time.
            what = f"{address} answered, but {json_trouble(reply.body, error)}"
            raise _PassingError(EndpointError(f"{self._who}: {what}")) from None

    def _refusal(self, reply: HttpReply, address: str) -> Exception:
        error = error_of(reply, self._who, address, keyed=self._key is not None, clean=self._masked)
        if reply.may_pass and isinstance(error, EndpointError):
            return _PassingError(error, reply.pause)
        return error

    def _exchange(self, method: str, address: str, body: dict[str, Any] | None) -> HttpReply:
        """One request and its reply, within the time and the size that are allowed."""
        headers = self._secret_headers()
        content = None
        if body is not None:
            headers[b"content-type"] = b"application/json"
            text = json.dumps(body, ensure_ascii=False, allow_nan=False)
            # Pages hold lone surrogates, which UTF-8 cannot encode.
            content = text.encode("utf-8", "replace")
        deadline = time.monotonic() + self._timeout
        with self._client.stream(method, address, content=content, headers=headers) as response:
            received = self._receive(response, address, deadline)
            # Services like to quote the key that they refuse.
            text = self._masked(received.decode("utf-8", "replace"))
            pause = pause_of(response.headers.get("retry-after"))
            return HttpReply(response.status_code, text, pause)

    def _receive(self, response: httpx.Response, address: str, deadline: float) -> bytearray:
        received = bytearray()
        for part in response.iter_bytes():
            received += part
            if len(received) > LARGEST_REPLY:
                raise EndpointError(
                    f"{self._who}: the reply of {address} has more than {LARGEST_REPLY} bytes"
                )
            # httpx limits the time between two parts only: a trickle of bytes would never end.
            if time.monotonic() > deadline:
                raise httpx.ReadTimeout("the whole reply took too long")
        return received

    def _secret_headers(self) -> dict[bytes, bytes]:
        """The key goes into each request, never into the client, whose repr shows its headers."""
        if self._key is None:
            return {}
        value = self._key.get_secret_value().strip()
        if self._key_header == "authorization":
            value = f"Bearer {value}"
        return {self._key_header.encode(): value.encode()}

    def _wait_for_backoff(self) -> None:
        """Sleep while a pause is on. Others may prolong it meanwhile, so look again afterwards."""
        while (seconds := self._backoff.pause(self.url)) > 0:
            if seconds > self._patience:
                raise EndpointError(
                    f"{self._who}: {self.url} has kept us waiting for {MOST_WAITING:g} s; given up"
                )
            # Workers that share the backoff must not all ask at the moment when it ends.
            seconds *= 1 + random.random() / 10
            self._patience -= seconds
            self._on_wait(seconds)
            self._sleep(seconds)

    def _start_backoff(self, passing: _PassingError, number: int) -> None:
        seconds = passing.pause
        if seconds is None:
            seconds = FIRST_PAUSE * 2 ** (number - 1) * random.uniform(0.75, 1.25)
        self._backoff.start(self.url, min(seconds, LONGEST_PAUSE))
        if seconds > LONGEST_PAUSE:
            what = f"{passing.error}; it wants to be left alone for {seconds:g} s"
            raise EndpointError(what, status=passing.error.status)

    def _masked(self, text: str) -> str:
        """``text`` without the key."""
        value = self._key.get_secret_value().strip() if self._key is not None else ""
        return text.replace(value, MASK) if value else text


class _PassingError(Exception):
    """Trouble that may pass; never leaves this module."""

    def __init__(self, error: EndpointError, pause: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.pause = pause


def _usable_key(key: str | SecretStr | None, who: str) -> SecretStr | None:
    secret = SecretStr(key) if isinstance(key, str) else key
    # httpx would quote a key with a line break in its error about an illegal header value.
    if secret is not None and not secret.get_secret_value().strip().isprintable():
        raise SettingsError(
            f"{who}: its key contains characters that no key has, such as line breaks"
        )
    return secret


def _on_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
