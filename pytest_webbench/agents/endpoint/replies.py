"""What a service's refusal means, and who can do something about it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, NamedTuple

from ..._json import strict_json
from ..._text import clip, sanitize
from ...errors import EndpointError, SettingsError

LONGEST_MESSAGE: Final = 500
"""Characters of a service's own message that are shown."""
# Services agree on neither status nor wording: DeepSeek sends 402 for an empty account, OpenAI 429
# with "insufficient_quota", Anthropic 400 with "credit balance is too low".
_NO_CREDIT: Final = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|exceeded your current quota"
    r"|credit balance|billing_not_active|payment required|out of credits?|arrearage"
)
_NO_MODEL: Final = re.compile(
    r"model[_ ]not[_ ]found|(?:unknown|invalid|no such|unsupported) model|not a valid model"
    r"|model\b.{0,200}?"
    r"(?:not found|does not exist|doesn't exist|not exist|is not available|not supported)"
    r"|not_found_error.{0,40}model:"
)
_BAD_KEY: Final = re.compile(
    r"(?:invalid|incorrect|missing|no|wrong)[_ ](?:api[_ -]?key|x-api-key|authentication)"
)
_MODERATION: Final = ("moderation", "flagged", "content_policy", "content policy", "safety")
_PASSING: Final = frozenset({408, 409, 425, 429})


class HttpReply(NamedTuple):
    """What a service has replied."""

    status: int
    body: str
    pause: float | None
    """Seconds for which it asks to be left alone; None if it does not say."""

    @property
    def ok(self) -> bool:
        """Whether this is what was asked for."""
        return 200 <= self.status < 300

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later."""
        if _NO_CREDIT.search(self.start):
            return False  # OpenAI sends 429 for this, but waiting does not fill an account
        return may_pass(self.status)

    @property
    def start(self) -> str:
        """The beginning of the body in lower case, to be searched for known words."""
        return self.body[:4000].casefold()


def may_pass(status: int) -> bool:
    """Whether the same request may succeed later, by the status of a refusal alone."""
    return status in _PASSING or (status >= 500 and status != 501)


def message_in(body: str, clean: Callable[[str], str] = str) -> str:
    """The service's own message, as far as the body of an error has one.

    ``clean`` removes secrets from it.
    """
    try:
        data: Any = strict_json(body)
    except ValueError:
        # Proxies answer with a page of HTML.
        data = re.sub(r"<[^<>]{0,500}>", " ", body[:20_000])
    for name in ("error", "message", "detail"):
        if isinstance(data, dict) and data.get(name):
            data = _with_code(data[name]) if name == "error" else data[name]
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return clip(clean(" ".join(sanitize(text).split())), LONGEST_MESSAGE)


def _with_code(error: Any) -> Any:
    """OpenAI's, Anthropic's and OpenRouter's errors are objects with a message and a code."""
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return error
    code = error.get("code") or error.get("type")
    return f"{error['message']} ({code})" if isinstance(code, str | int) else error["message"]


def error_of(
    reply: HttpReply, who: str, url: str, *, keyed: bool, clean: Callable[[str], str]
) -> EndpointError | SettingsError:
    """The error that a refusal stands for: `SettingsError` where only the user can fix it.

    ``keyed`` says whether a key was sent; ``clean`` removes it from what the service says.
    """
    message = message_in(reply.body, clean)
    quoted = f"the service says: {message}" if message else "the service gives no reason"
    wrong = _wrong_settings(reply, keyed=keyed)
    if wrong is not None:
        return SettingsError(f"{who}: {wrong} (HTTP {reply.status} from {url}); {quoted}")
    if 300 <= reply.status < 400:
        # Following it could hand the key to another host.
        return SettingsError(
            f"{who}: {url} redirects elsewhere (HTTP {reply.status}); "
            "set `url` to the address that it redirects to"
        )
    return EndpointError(f"{who}: HTTP {reply.status} from {url}; {quoted}", status=reply.status)


def _wrong_settings(reply: HttpReply, *, keyed: bool) -> str | None:
    """What the user has to fix, if anything."""
    status = reply.status
    if status == 402 or (status in (400, 403, 429) and _NO_CREDIT.search(reply.start)):
        return "the account has no credit left; top it up or use another key"
    if refusal := _key_refusal(reply):
        return refusal if keyed else "a key is required; name its variable as `key`"
    if status in (400, 404, 422) and _NO_MODEL.search(reply.start):
        return "the model is unknown there; check `model`"
    # OpenRouter replies this when no provider is free at the moment.
    if status == 404 and "no endpoints found" not in reply.start:
        return "nothing is found at this address; check `url`, and `model`"
    if status == 405:
        return "it does not take such requests; check `url` and `type`"
    return None


def _key_refusal(reply: HttpReply) -> str | None:
    """What is wrong with the key, if that is the reason."""
    if reply.status == 401 or (reply.status in (400, 403) and _BAD_KEY.search(reply.start)):
        return "the key is refused; check its variable"
    # A 403 can also mean that the content was turned down, not the caller.
    if reply.status == 403 and not any(word in reply.start for word in _MODERATION):
        return "access is denied; check what the key may do"
    return None


def pause_of(
    header: str | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> float | None:
    """Seconds that a ``Retry-After`` header asks for; None if it says nothing usable.

    HTTP allows a number of seconds or a date there.
    """
    text = (header or "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now()).total_seconds())
