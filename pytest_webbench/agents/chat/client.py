"""Asks a chat model, whatever the service; leaves out what the service refuses and remembers that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, Protocol, TypeAlias
from urllib.parse import urlsplit

from pydantic import JsonValue

from ...errors import EndpointError, SettingsError
from ...evidence.scrub import scrub, scrub_deep
from ..types import Price
from .anthropic import Anthropic
from .json_text import find_json
from .messages import ChatReply, Dialect, Feature, Message, PromptTooLong, Request
from .openai import OpenAI

Api: TypeAlias = Literal["openai", "anthropic"]
_SCHEMA_WORDS: Final = ("response_format", "json_schema", "schema", "grammar", "structured", "tool_choice", "tools")
# In this order: of several that a refusal could mean, the first that was sent is left out.
_NAMED_AS: Final[dict[Feature, tuple[str, ...]]] = {
    Feature.BOUNDS: ("maxlength", *_SCHEMA_WORDS),
    Feature.SCHEMA: _SCHEMA_WORDS,
    Feature.JSON: ("response_format", "json_object"),
    Feature.TEMPERATURE: ("temperature",),
    Feature.SEED: ("seed",),
    Feature.MAX_TOKENS: ("max_tokens",),
}
_TOO_LONG: Final = (
    "context length",
    "context_length",
    "context size",
    "context window",
    "exceed_context",
    "prompt is too long",
)
_REFUSALS: Final = (400, 404, 413, 415, 422, 501)


class Posts(Protocol):
    """A service that takes JSON and gives JSON; see `agents.endpoint.transport`."""

    url: str
    seconds: float
    """How long the last try took that was answered."""

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The reply's JSON. `EndpointError` with ``status`` if it is an error."""


class ChatClient:
    """One model of one service. ``price`` is used where the service names no cost itself.

    ``without`` holds what the service has refused so far, and what it is not worth sending.
    """

    def __init__(
        self,
        endpoint: Posts,
        model: str,
        *,
        api: Api = "openai",
        settings: Request | None = None,
        price: Price | None = None,
    ) -> None:
        self._endpoint, self._price = endpoint, price
        self._dialect: Dialect = Anthropic() if api == "anthropic" else OpenAI()
        self._path = path_at(endpoint.url, self._dialect.path)
        self._settings = settings or Request(model=model, messages=(), max_tokens=1024, temperature=0.0)
        self.model = model
        self.without: set[Feature] = set()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, Any] | None = None,
        name: str = "reply",
        max_tokens: int | None = None,
    ) -> ChatReply:
        """The model's reply; with ``schema``, ``data`` is the JSON found in it, which need not follow the schema.

        `EndpointError` if there is none, `PromptTooLong` if the messages are too much for the model.
        """
        request = replace(
            self._settings,
            model=self.model,
            messages=tuple(messages),
            schema=schema,
            name=name,
            max_tokens=max_tokens or self._settings.max_tokens,
        )
        reply = self._read(self._post(request))
        usage = replace(reply.usage, seconds=self._endpoint.seconds)
        if usage.cost is None and self._price is not None:
            usage = replace(usage, cost=self._price.of(usage))
        data = reply.data
        if data is None and schema is not None:
            data = find_json(reply.text)
        return replace(reply, usage=usage, text=scrub(reply.text), data=scrub_deep(data))

    def _post(self, request: Request) -> Any:
        """Ask; after a refusal that names something optional, again without that."""
        while True:
            try:
                return self._endpoint.post(self._path, self._dialect.body(request, self.without))
            except (EndpointError, SettingsError) as error:
                status = error.status if isinstance(error, EndpointError) else 400
                if status not in _REFUSALS:
                    raise
                words = str(error).casefold()
                if any(phrase in words for phrase in _TOO_LONG):
                    raise PromptTooLong(str(error), status=status) from error
                refused = next(self._refused(request, words), None)
                if refused is None:
                    raise
                self.without.add(refused)

    def _refused(self, request: Request, words: str) -> Iterator[Feature]:
        """What was sent and is named in a refusal."""
        sent = self._dialect.body(request, self.without)
        for feature, names in _NAMED_AS.items():
            named = feature not in self.without and any(name in words for name in names)
            if named and self._dialect.body(request, {*self.without, feature}) != sent:
                yield feature

    def _read(self, body: Any) -> ChatReply:
        if isinstance(body, dict) and isinstance(body.get("error"), dict | str):
            raise EndpointError(f"{self.model}: the service answered with an error: {_short(body['error'])}")
        try:
            if not isinstance(body, dict):
                raise ValueError("it is no JSON object")
            return self._dialect.read(body)
        except ValueError as error:
            raise EndpointError(f"{self.model}: the reply is none of {self._dialect.path}: {error}") from error


def _short(error: JsonValue) -> str:
    said = error.get("message", error) if isinstance(error, dict) else error
    return str(said)[:300]


def api_of(url: str) -> Api:
    """Which API is spoken at an address: Anthropic's own host speaks its own, all others OpenAI's."""
    host = urlsplit(url).hostname or ""
    return "anthropic" if host == "anthropic.com" or host.endswith(".anthropic.com") else "openai"


def path_at(url: str, path: str) -> str:
    """``path`` below a base address, which may or may not hold the version already, or name the whole path."""
    base = urlsplit(url).path.rstrip("/")
    if base.endswith(path):
        return ""
    return path if re.search(r"/v\d+[a-z]*(/|$)", base) else f"/v1{path}"
