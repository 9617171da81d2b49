"""Words for talking to a chat model, the same for every service."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from pydantic import JsonValue

from ...errors import BadReply, EndpointError
from ..base import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation; ``picture`` is a JPEG."""

    role: Literal["system", "user", "assistant"]
    text: str
    picture: bytes | None = field(default=None, repr=False)


class Feature(StrEnum):
    """What a request may hold and a server may refuse."""

    BOUNDS = "bounds"
    """Greatest lengths in the schema."""
    SCHEMA = "json_schema"
    """The schema of the reply."""
    JSON = "json_object"
    """That the reply is JSON."""
    TEMPERATURE = "temperature"
    SEED = "seed"
    MAX_TOKENS = "max_tokens"
    """The length of the reply under its old name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model."""

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    schema: dict[str, Any] | None = None
    """JSON Schema of the reply: a flat object."""
    name: str = "reply"
    """What the schema is called."""
    temperature: float | None = None
    seed: int | None = None
    extra: dict[str, JsonValue] = field(default_factory=dict)
    """Put into the body as it is."""


class Finish(StrEnum):
    """Why a reply ended."""

    DONE = "done"
    CUT_OFF = "cut_off"
    """It reached the greatest length."""
    REFUSED = "refused"
    """The model or its service would not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a model answered."""

    text: str
    data: JsonValue | None
    """JSON found in the text, if a schema was asked for: an object or a list of objects; None if there is none."""
    usage: Usage
    model: str = ""
    """The model as the service names it."""
    finish: Finish = Finish.DONE


class Dialect(Protocol):
    """How one kind of service is spoken to: plain functions from requests to bodies and from bodies to replies."""

    path: str
    """Below the version: ``/chat/completions``."""

    def body(self, request: Request, without: Collection[Feature]) -> dict[str, JsonValue]:
        """What is sent."""

    def read(self, body: dict[str, Any]) -> ChatReply:
        """What came back, without ``data`` unless the service sends it apart. `ValueError` if it is no reply."""


class Failure(StrEnum):
    """What was wrong with a reply that could not be used."""

    NO_JSON = "no_json"
    CUT_OFF = "cut_off"
    """It ended at its greatest length before it was complete."""
    REFUSED = "refused"
    WRONG_ACTION = "wrong_action"
    """No action, several, or one that there is not."""
    INVALID_REF = "invalid_ref"
    """No element, or one that was not seen."""
    WRONG_FIELD = "wrong_field"
    """Something else that the action needs is missing or of the wrong kind."""


class BadChatReply(BadReply):
    """A chat model's reply cannot be used. ``usage`` is what it has cost all the same."""

    def __init__(self, what: str, failure: Failure, *, usage: Usage | None = None, text: str = "") -> None:
        super().__init__(what, usage or Usage(calls=1))
        self.failure, self.text = failure, text


class PromptTooLong(EndpointError):  # noqa: N818 - says what happened
    """The model takes no prompt of this length."""
