"""One HTTP service that takes JSON and gives JSON: asked again while it is overloaded, its key kept out of sight."""

from __future__ import annotations

import ipaddress
import json
import random
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr

from ...errors import EndpointError, SettingsError
from ..base import Gate
from .gate import LocalGate
from .replies import Reply, error_of, pause_of, strict_json

LARGEST_REPLY: Final = 20_000_000
"""Bytes, uncompressed."""
CONNECT_SECONDS: Final = 5.0
FIRST_PAUSE: Final = 1.0
"""Seconds before the second try, unless the service names a pause; doubled after each try."""
LONGEST_PAUSE: Final = 120.0
"""A service that asks for more is given up."""
MOST_WAITING: Final = 600.0
"""Seconds that one endpoint object waits in all."""
MASK: Final = "***"


class Endpoint:
    """One HTTP service. To be closed, or used as a context manager.

    ``url`` is the base of all paths. ``timeout`` is for one try, in seconds. A pause that the service asks for is kept
    to by all who share ``gate``. ``waited`` is told of each pause before it begins, and of the time that a try took
    which came to nothing. ``name`` is what messages call the agent.
    """

    def __init__(  # noqa: PLR0913 - all but the first have a default
        self,
        url: str,
        *,
        key: str | SecretStr | None = None,
        key_header: str = "authorization",
        headers: Mapping[str, str] | None = None,
        timeout: float = 60.0,
        gate: Gate | None = None,
        tries: int = 3,
        waited: Callable[[float], None] = lambda _seconds: None,
        name: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self.seconds = 0.0
        """How long the last try took that was answered."""
        self._key = SecretStr(key) if isinstance(key, str) else key
        if self._key is not None and not self._key.get_secret_value().strip().isprintable():
            raise SettingsError(f"agent {name!r}: its key holds characters that no key has, such as line breaks")
        self._key_header, self._timeout, self._tries = key_header, timeout, tries
        self._gate, self._waited, self._sleep = gate or LocalGate(), waited, sleep
        self._patience = MOST_WAITING
        self._who = f"agent {name!r}" if name else "endpoint"
        self._client = httpx.Client(
            headers={"accept": "application/json", "user-agent": "pytest-webbench", **(headers or {})},
            timeout=httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            trust_env=not _on_this_machine(self.url),  # a proxy does not reach our loopback address
        )

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The reply to ``body`` at ``path``, as plain data.

        `EndpointError` if there is none after several tries, `SettingsError` for what only the user can mend: a wrong
        key, no credit, an unknown model. Both hold the service's own message, without the key.
        """
        return self._ask("POST", path, body)

    def get(self, path: str) -> Any:
        """The same without a body."""
        return self._ask("GET", path, None)

    def close(self) -> None:
        """Closes connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        address = f"{self.url}/{path.lstrip('/')}" if path else self.url
        for number in range(1, self._tries + 1):
            self._keep_pause()
            begin = time.monotonic()
            try:
                return self._try(method, address, body)
            except _Passing as trouble:
                self._waited(time.monotonic() - begin)
                if number == self._tries:
                    raise EndpointError(
                        f"{trouble.error} (tried {number} times)", status=trouble.error.status
                    ) from None
                self._close_gate(trouble, number)
        raise AssertionError("there is at least one try")

    def _try(self, method: str, address: str, body: dict[str, Any] | None) -> Any:
        begin = time.monotonic()
        try:
            reply = self._exchange(method, address, body)
        except httpx.RequestError as error:
            raise _Passing(EndpointError(f"{self._who}: {trouble_of(error, address, self._timeout)}")) from None
        self.seconds = time.monotonic() - begin
        if not reply.ok:
            found = error_of(reply, self._who, address, self._key is not None, self._masked)
            if reply.may_pass and isinstance(found, EndpointError):
                raise _Passing(found, reply.pause)
            raise found
        try:
            return strict_json(reply.body)
        except ValueError as error:
            raise _Passing(
                EndpointError(f"{self._who}: {address} answered, but {_no_json(reply.body, error)}")
            ) from None

    def _exchange(self, method: str, address: str, body: dict[str, Any] | None) -> Reply:
        """One request and its reply, within the time and the size that are allowed."""
        deadline = time.monotonic() + self._timeout
        headers, content = self._secret_headers(), None
        if body is not None:
            headers[b"content-type"] = b"application/json"
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        with self._client.stream(method, address, content=content, headers=headers) as response:
            received = bytearray()
            for part in response.iter_bytes():
                received += part
                if len(received) > LARGEST_REPLY:
                    raise EndpointError(f"{self._who}: the reply of {address} has more than {LARGEST_REPLY} bytes")
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the whole reply took too long")
            # Services like to quote the key that they refuse.
            text = self._masked(received.decode("utf-8", "replace"))
            return Reply(response.status_code, text, pause_of(response.headers.get("retry-after")))

    def _secret_headers(self) -> dict[bytes, bytes]:
        if self._key is None:
            return {}
        value = self._key.get_secret_value().strip()
        text = f"Bearer {value}" if self._key_header == "authorization" else value
        return {self._key_header.encode(): text.encode()}

    def _keep_pause(self) -> None:
        """Waits while the gate is closed; others may close it again meanwhile."""
        while (seconds := self._gate.pause(self.url)) > 0:
            if seconds > self._patience:
                raise EndpointError(f"{self._who}: {self.url} has kept us waiting for {MOST_WAITING:g} s; given up")
            # Not all at the same moment when the gate opens.
            seconds *= 1 + random.random() / 10
            self._patience -= seconds
            self._waited(seconds)
            self._sleep(seconds)

    def _close_gate(self, trouble: _Passing, number: int) -> None:
        seconds = trouble.pause
        if seconds is None:
            seconds = FIRST_PAUSE * 2 ** (number - 1) * random.uniform(0.75, 1.25)
        if seconds > LONGEST_PAUSE:
            self._gate.close(self.url, LONGEST_PAUSE)
            what = f"{trouble.error}; it wants to be left alone for {seconds:g} s"
            raise EndpointError(what, status=trouble.error.status)
        self._gate.close(self.url, seconds)

    def _masked(self, text: str) -> str:
        """``text`` without the key."""
        value = self._key.get_secret_value().strip() if self._key is not None else ""
        return text.replace(value, MASK) if value else text


class _Passing(Exception):  # noqa: N818 - trouble that may pass, never seen outside
    def __init__(self, error: EndpointError, pause: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.pause = error, pause


def trouble_of(error: httpx.RequestError, address: str, timeout: float) -> str:
    """What happened to a connection, in words."""
    host = urlsplit(address).netloc
    said = str(error)
    low = said.casefold()
    if isinstance(error, httpx.ConnectTimeout):
        return f"{host} does not answer: no connection within {min(timeout, CONNECT_SECONDS):g} s"
    if isinstance(error, httpx.TimeoutException):
        return f"{address} gave no answer within {timeout:g} s"
    if isinstance(error, httpx.ConnectError):
        if "certificate" in low or "ssl" in low or "tls" in low:
            return f"{host} cannot be trusted or speaks no TLS: {said}"
        if any(word in low for word in ("name or service", "getaddrinfo", "nodename", "name resolution", "no address")):
            return f"the host name of {host} is unknown (DNS): {said}"
        return f"{host} cannot be reached: {said}"
    return f"{address} broke the connection off: {said or type(error).__name__}"


def _no_json(body: str, error: ValueError) -> str:
    start = " ".join(body[:80].split())
    if not start:
        return "with nothing"
    return (
        f"not with JSON ({error}); it begins with {start!r}" if start[0] not in "{[" else f"with broken JSON: {error}"
    )


def _on_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
