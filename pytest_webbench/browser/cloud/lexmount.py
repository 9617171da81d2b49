"""Lexmount's browser sessions, by the HTTP interface of its client (PyPI: lexmount 0.7.0)."""

from __future__ import annotations

import hashlib
import ssl
import time
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, Final

import httpx

from ..._text import sanitize
from ..._url import public_part
from ...errors import InfraError, SettingsError
from .service import Note, Secret

KEY: Final = "LEXMOUNT_API_KEY"
PROJECT: Final = "LEXMOUNT_PROJECT_ID"
BASE_URL: Final = "LEXMOUNT_BASE_URL"
_DEFAULT_BASE_URL: Final = "https://api.lexmount.com"
_REQUEST_SECONDS: Final = 30.0
_CREATE_SECONDS: Final = 120.0
_POLL_SECONDS: Final = 1.0
_MOST_WAITED_SECONDS: Final = 60.0
"""For a free place, in all; after that the episode is repeated as *infra*."""
_BUSY_SECONDS: Final = 5.0
_USERS_TO_CHANGE: Final = {
    401: "the key or the project is not accepted",
    402: "there is no credit",
    403: "access is refused",
}
_ENDED: Final = ("create_failed", "closed")


class Lexmount:
    """Starts and ends sessions.

    The key is in no error, and the CDP address goes to nobody but the caller.
    """

    SECRETS: ClassVar = (KEY,)

    def __init__(
        self,
        key: str,
        project: str,
        base_url: str = _DEFAULT_BASE_URL,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._headers = {"x-api-key": key, "x-project-id": project}
        self._secrets = (key, project)
        self._base_url = base_url.rstrip("/")
        self._sleep, self._clock = sleep, clock
        self.account = (
            f"{public_part(base_url)} {hashlib.sha256(project.encode()).hexdigest()[:12]}"
        )

    @classmethod
    def from_environment(cls, secret: Secret) -> Lexmount:
        """As the variables say; `SettingsError` names those that are missing."""
        found = {name: secret(name) for name in (KEY, PROJECT, BASE_URL)}
        values = {
            name: value.get_secret_value().strip() if value else "" for name, value in found.items()
        }
        missing = [name for name in (KEY, PROJECT) if not values[name]]
        if missing:
            raise SettingsError(
                f"--webbench-browser lexmount needs {' and '.join(missing)}, in the environment "
                "or in .env"
            )
        base_url = values[BASE_URL] or _DEFAULT_BASE_URL
        if not base_url.startswith(("http://", "https://")):
            raise SettingsError(f"{BASE_URL} is not an http or https address")
        return cls(values[KEY], values[PROJECT], base_url)

    def acquire(self, note: Note) -> str:
        """A running session's CDP address; the session is noted before it runs."""
        session = self._create()
        note(session)
        self._wait_until_active(session)
        found = self._ask("GET", "/json/version", params={"session_id": session})
        url = found.get("webSocketDebuggerUrlTransformed") or found.get("webSocketDebuggerUrl")
        if not isinstance(url, str) or not url.startswith(("ws://", "wss://")):
            raise InfraError("lexmount gives no address for its session")
        return url

    def release(self, session_id: str) -> None:
        response = self._send("DELETE", "/instance", json={"session_id": session_id})
        if response.status_code != 404:  # it has ended by itself
            self._refuse_errors(response)

    def _create(self) -> str:
        wish = {"browser_mode": "normal", "enable_captcha": False, "downloads": {"enabled": True}}
        waited = 0.0
        while (response := self._send("POST", "/instance/v2", json=wish)).status_code == 429:
            pause = _retry_after(response)
            waited += pause
            if waited > _MOST_WAITED_SECONDS:
                raise InfraError(f"lexmount has no free session: {self._said(response)}")
            self._sleep(pause)
        self._refuse_errors(response)
        session = _object(response).get("session_id")
        if not isinstance(session, str) or not session:
            raise InfraError("lexmount started a session without an id")
        return session

    def _wait_until_active(self, session: str) -> None:
        end = self._clock() + _CREATE_SECONDS
        while True:
            found = self._ask("POST", "/instance/session", json={"session_id": session})
            status = str(found.get("status", ""))
            if status == "active":
                return
            if status in _ENDED:
                why = self._clean(found.get("create_error") or "no reason given")
                raise InfraError(f"lexmount's session did not start, it is {status}: {why}")
            if self._clock() >= end:
                raise InfraError(f"lexmount's session did not start within {_CREATE_SECONDS:g} s")
            self._sleep(_POLL_SECONDS)

    def _ask(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        response = self._send(method, path, **options)
        self._refuse_errors(response)
        return _object(response)

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        url = f"{self._base_url}{path}"
        try:
            return httpx.request(
                method,
                url,
                headers=self._headers,
                timeout=_REQUEST_SECONDS,
                verify=self._trust,
                **options,
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise InfraError(
                f"lexmount at {public_part(self._base_url)} does not answer: {type(error).__name__}"
            ) from None

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Reading the list of authorities takes longer than most requests."""
        return httpx.create_ssl_context()

    def _refuse_errors(self, response: httpx.Response) -> None:
        """The error that a status stands for."""
        status = response.status_code
        if status in _USERS_TO_CHANGE:
            raise SettingsError(
                f"lexmount: {_USERS_TO_CHANGE[status]} (HTTP {status}: {self._said(response)}); "
                f"see {KEY} and {PROJECT}"
            )
        if status == 404 and response.request.url.path.endswith("/instance/v2"):
            raise SettingsError(
                f"lexmount: nothing starts sessions at {public_part(self._base_url)}; "
                f"see {BASE_URL}"
            )
        if status >= 400:
            raise InfraError(f"lexmount answers with HTTP {status}: {self._said(response)}")

    def _said(self, response: httpx.Response) -> str:
        said = _object(response, strict=False)
        return self._clean(said.get("error") or said.get("message") or "no reason given")

    def _clean(self, text: object) -> str:
        """One short line of what the service says, without our key."""
        line = " ".join(str(text).split())
        for secret in self._secrets:
            line = line.replace(secret, "[redacted]")
        return sanitize(line[:200])


def _object(response: httpx.Response, *, strict: bool = True) -> dict[str, Any]:
    try:
        found = response.json()
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    if strict:
        raise InfraError("lexmount answers with something other than a JSON object")
    return {}


def _retry_after(response: httpx.Response) -> float:
    try:
        seconds = float(response.headers.get("retry-after", ""))
    except ValueError:  # missing, or a date
        return _BUSY_SECONDS
    # "nan" and "inf" are floats, too.
    return seconds if 0 < seconds < float("inf") else _BUSY_SECONDS
