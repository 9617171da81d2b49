"""What a service's refusal means, and whose task it is to mend it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, NamedTuple

from ...errors import EndpointError, SettingsError
from ...evidence.scrub import scrub

LONGEST_SAYING: Final = 500
"""Characters of a service's own message that are shown."""
_NO_CREDIT: Final = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|exceeded your current quota|credit balance|billing_not_active"
    r"|payment required|out of credits?|arrearage"
)
_NO_MODEL: Final = re.compile(
    r"model[_ ]not[_ ]found|(?:unknown|invalid|no such|unsupported) model|not a valid model"
    r"|model\b.{0,200}?(?:not found|does not exist|doesn't exist|not exist|is not available|not supported)"
    r"|not_found_error.{0,40}model:"
)
_BAD_KEY: Final = re.compile(r"(?:invalid|incorrect|missing|no|wrong)[_ ](?:api[_ -]?key|x-api-key|authentication)")
_PASSING: Final = frozenset({408, 409, 425, 429})


class Reply(NamedTuple):
    """What a service answered."""

    status: int
    body: str
    pause: float | None
    """Seconds that it asks to be left alone, if it says so."""

    @property
    def ok(self) -> bool:
        """Whether this is what was asked for."""
        return 200 <= self.status < 300

    @property
    def may_pass(self) -> bool:
        """Whether the same question may be answered later."""
        return (
            (self.status in _PASSING or self.status >= 500) and self.status != 501 and not _NO_CREDIT.search(self.low)
        )

    @property
    def low(self) -> str:
        """The beginning of the body, as it is searched for telltale words."""
        return self.body[:4000].casefold()


def strict_json(text: str) -> Any:
    """``text`` as JSON; ValueError if it is none. NaN and infinity are none."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def saying(body: str, clean: Callable[[str], str] = str) -> str:
    """The service's own message, as far as one can be found in an error's body. ``clean`` takes secrets out."""
    try:
        data: Any = strict_json(body)
    except ValueError:
        data = re.sub(r"<[^<>]{0,500}>", " ", body[:20_000])
    for name in ("error", "message", "detail"):
        if isinstance(data, dict) and data.get(name):
            data = _with_code(data[name]) if name == "error" else data[name]
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    text = clean(" ".join(scrub(text).split()))
    return text if len(text) <= LONGEST_SAYING else text[: LONGEST_SAYING - 1] + "…"


def _with_code(error: Any) -> Any:
    """OpenAI's, Anthropic's and OpenRouter's errors are objects with a message and a code."""
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return error
    code = error.get("code") or error.get("type")
    return f"{error['message']} ({code})" if isinstance(code, str | int) else error["message"]


def error_of(
    reply: Reply, who: str, url: str, keyed: bool, clean: Callable[[str], str]
) -> EndpointError | SettingsError:
    """The error that a refusal stands for: `SettingsError` where nobody but the user can mend it.

    ``keyed`` says whether a key was sent; ``clean`` takes it out of what the service says.
    """
    words = saying(reply.body, clean)
    said = f"the service says: {words}" if words else "the service says nothing more"
    wrong = _wrong_settings(reply, keyed)
    if wrong is not None:
        return SettingsError(f"{who}: {wrong} (HTTP {reply.status} from {url}); {said}")
    if 300 <= reply.status < 400:
        return SettingsError(f"{who}: {url} sends us elsewhere (HTTP {reply.status}); set the address that it means")
    return EndpointError(f"{who}: HTTP {reply.status} from {url}; {said}", status=reply.status)


def _wrong_settings(reply: Reply, keyed: bool) -> str | None:
    """What the user has to mend, if anything."""
    status, low = reply.status, reply.low
    if status == 402 or (status in (400, 403, 429) and _NO_CREDIT.search(low)):
        return "the account has no credit left; top it up or use another key"
    if status == 401 or (status in (400, 403) and _BAD_KEY.search(low)):
        return "the key is refused; check its variable" if keyed else "a key is wanted; name its variable as `key`"
    if status in (400, 404, 422) and _NO_MODEL.search(low):
        return "the model is unknown there; check `model`"
    if status == 403 and not _moderated(low):
        return "access is denied; check what the key may do" if keyed else "a key is wanted; name its variable as `key`"
    if status == 404 and "no endpoints found" not in low:
        return "nothing is found at this address; check `url`, and `model`"
    return "it does not take such requests; check `url` and `type`" if status == 405 else None


def _moderated(low: str) -> bool:
    """Whether it was the content that was turned down, not the caller."""
    return any(word in low for word in ("moderation", "flagged", "content_policy", "content policy", "safety"))


def pause_of(header: str | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> float | None:
    """Seconds that a ``Retry-After`` header asks for: it holds seconds or a date. None if it says nothing usable."""
    text = (header or "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now()).total_seconds())
