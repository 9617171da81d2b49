"""The terms for talking to a chat model, the same for every service."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from pydantic import JsonValue

from ..._usage import Usage
from ...errors import BadReply, EndpointError


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a conversation; ``picture`` is a JPEG."""

    role: Literal["system", "user", "assistant"]
    text: str
    picture: bytes | None = field(default=None, repr=False)


class Feature(StrEnum):
    """What a request may contain and a server may refuse."""

    BOUNDS = "bounds"
    """Greatest lengths in the schema."""
    SCHEMA = "json_schema"
    """The schema of the reply."""
    JSON = "json_object"
    """That the reply must be JSON."""
    TEMPERATURE = "temperature"
    SEED = "seed"
    MAX_TOKENS = "max_tokens"
    """The length of the reply under its old name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One question to a model."""

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    schema: dict[str, Any] | None = None
    """JSON Schema of the reply: a flat object."""
    name: str = "reply"
    """What the schema is called."""
    temperature: float | None = None
    seed: int | None = None
    extra: dict[str, JsonValue] = field(default_factory=dict)
    """Added to the body unchanged."""


class Finish(StrEnum):
    """Why a reply ended."""

    DONE = "done"
    CUT_OFF = "cut_off"
    """It reached the greatest length."""
    REFUSED = "refused"
    """The model or its service would not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a model has replied."""

    text: str
    data: JsonValue | None
    """If a schema was asked for: the JSON in the text, an object or a list of objects, or None if
    there is none."""
    usage: Usage
    model: str = ""
    """The model as the service names it."""
    finish: Finish = Finish.DONE


class Dialect(Protocol):
    """How one kind of service is spoken to: turns requests into bodies, and bodies into replies."""

    path: str
    """Path of the API below its version: ``/chat/completions``."""

    def body(self, request: ChatRequest, without: Collection[Feature]) -> dict[str, JsonValue]:
        """What is sent."""

    def read(self, body: dict[str, Any]) -> ChatReply:
        """The reply in ``body``; `ValueError` if it is none.

        ``data`` is None, unless the service sends it separately from the text.
        """


class Failure(StrEnum):
    """What was wrong with a reply that could not be used."""

    NO_JSON = "no_json"
    CUT_OFF = "cut_off"
    """It reached its greatest length before it was complete."""
    REFUSED = "refused"
    WRONG_ACTION = "wrong_action"
    """No action, several, or an unknown one."""
    INVALID_REF = "invalid_ref"
    """No element, or one that was not shown."""
    WRONG_FIELD = "wrong_field"
    """Something else that the action needs is missing or of the wrong type."""


class BadChatReply(BadReply):
    """A chat model's reply cannot be used. ``usage`` is what it has cost nevertheless."""

    def __init__(
        self, what: str, failure: Failure, *, usage: Usage | None = None, text: str = ""
    ) -> None:
        super().__init__(what, usage or Usage(calls=1))
        self.failure = failure
        self.text = text


class PromptTooLong(EndpointError):  # noqa: N818 - says what happened
    """The prompt does not fit into the model's context."""
