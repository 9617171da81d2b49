"""Asks a chat model, whatever the service.

Servers differ in which parameters they take. Whatever one refuses is left out, and that is
remembered for the rest of the episode.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import JsonValue

from ..._text import sanitize, sanitize_deep
from ...errors import EndpointError, SettingsError
from ..endpoint.transport import JsonService
from ..prices import Pricing
from .anthropic import Anthropic
from .json_repair import find_json
from .messages import ChatMessage, ChatReply, ChatRequest, Dialect, Feature, PromptTooLong
from .openai import OpenAI

Api: TypeAlias = Literal["openai", "anthropic"]
_SCHEMA_WORDS: Final = (
    "response_format",
    "json_schema",
    "schema",
    "grammar",
    "structured",
    "tool_choice",
    "tools",
)
# The order counts: if a refusal could mean several features, the first that was sent is left out.
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


class ChatClient:
    """One model of one service. ``price`` is used where the service names no cost itself.

    ``settings`` has what is the same for all requests. ``without`` collects what the service has
    refused so far.
    """

    def __init__(
        self,
        endpoint: JsonService,
        model: str,
        *,
        api: Api = "openai",
        settings: ChatRequest | None = None,
        price: Pricing | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._price = price
        self._dialect: Dialect = Anthropic() if api == "anthropic" else OpenAI()
        self._path = path_at(endpoint.url, self._dialect.path)
        self._settings = settings or ChatRequest(
            model=model, messages=(), max_tokens=1024, temperature=0.0
        )
        self.model = model
        self.without: set[Feature] = set()

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: dict[str, Any] | None = None,
        name: str = "reply",
        max_tokens: int | None = None,
    ) -> ChatReply:
        """The model's reply to ``messages``.

        With ``schema``, the reply's ``data`` is the JSON found in it, which need not follow the
        schema. `EndpointError` if there is no reply, `PromptTooLong` if the messages do not fit
        into the model's context.
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
        return replace(reply, usage=usage, text=sanitize(reply.text), data=sanitize_deep(data))

    def _post(self, request: ChatRequest) -> Any:
        """Ask; after a refusal that names something optional, ask again without that."""
        while True:
            body = self._dialect.body(request, self.without)
            try:
                return self._endpoint.post(self._path, body)
            except (EndpointError, SettingsError) as error:
                refused = self._refused(error, request)
                if refused is None:
                    raise
                self.without.add(refused)

    def _refused(
        self, error: EndpointError | SettingsError, request: ChatRequest
    ) -> Feature | None:
        """What was sent and is named in a refusal; `PromptTooLong` if it is the prompt."""
        # Words such as "unsupported model parameter" make the endpoint blame the settings.
        status = error.status if isinstance(error, EndpointError) else 400
        if status not in _REFUSALS:
            return None
        words = str(error).casefold()
        if any(phrase in words for phrase in _TOO_LONG):
            raise PromptTooLong(str(error), status=status) from error
        sent = self._dialect.body(request, self.without)
        for feature, names in _NAMED_AS.items():
            if feature in self.without or not any(name in words for name in names):
                continue
            without: Collection[Feature] = {*self.without, feature}
            # Only what was sent can have been refused, whatever else the message names.
            if self._dialect.body(request, without) != sent:
                return feature
        return None

    def _read(self, body: Any) -> ChatReply:
        # OpenRouter reports a provider's trouble like this, with HTTP status 200.
        if isinstance(body, dict) and isinstance(body.get("error"), dict | str):
            raise EndpointError(
                f"{self.model}: the service answered with an error: {_message_of(body['error'])}"
            )
        try:
            if not isinstance(body, dict):
                raise ValueError("it is not a JSON object")
            return self._dialect.read(body)
        except ValueError as error:
            raise EndpointError(
                f"{self.model}: this is not a reply of {self._dialect.path}: {error}"
            ) from error


def _message_of(error: JsonValue) -> str:
    message = error.get("message", error) if isinstance(error, dict) else error
    return str(message)[:300]


def api_of(url: str) -> Api:
    """Which API is spoken at an address: Anthropic's at its own hosts, OpenAI's at all others."""
    host = urlsplit(url).hostname or ""
    return "anthropic" if host == "anthropic.com" or host.endswith(".anthropic.com") else "openai"


def path_at(url: str, path: str) -> str:
    """What to append to a base address to reach ``path``.

    Users write the address with or without the version, or copy the whole of it.
    """
    base = urlsplit(url).path.rstrip("/")
    if base.endswith(path):
        return ""
    return path if re.search(r"/v\d+[a-z]*(/|$)", base) else f"/v1{path}"
