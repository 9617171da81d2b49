"""Anthropic's Messages API: ``/v1/messages``.

The API has no response format, so the model is made to call a tool whose input is the reply.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection
from typing import Any, Final

from pydantic import JsonValue

from ..._json import object_in
from ..._usage import Usage
from .messages import ChatMessage, ChatReply, ChatRequest, Feature, Finish
from .openai import token_count
from .schemas import schema_for

VERSION: Final = "2023-06-01"
"""Value of the header ``anthropic-version``."""
_FINISH: Final = {"max_tokens": Finish.CUT_OFF, "refusal": Finish.REFUSED}
_INPUT_TOKENS: Final = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
"""Tokens from and for the cache are not part of ``input_tokens``."""


class Anthropic:
    """The API of Anthropic and of services that imitate it."""

    path = "/messages"

    def body(self, request: ChatRequest, without: Collection[Feature]) -> dict[str, JsonValue]:
        """A body for ``/v1/messages``; the API knows no seed."""
        system = [message.text for message in request.messages if message.role == "system"]
        others = [message for message in request.messages if message.role != "system"]
        body: dict[str, JsonValue] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": [_message(message) for message in others],
        }
        if system:
            body["system"] = "\n\n".join(system)
        if request.temperature is not None and Feature.TEMPERATURE not in without:
            body["temperature"] = request.temperature
        schema = schema_for(request, without)
        if schema is not None:
            body |= _tool(request.name, schema)
        return body | request.extra

    def read(self, body: dict[str, Any]) -> ChatReply:
        """The reply in a message; `ValueError` if there is none."""
        content = body.get("content")
        if not isinstance(content, list):
            raise ValueError("it has no content")
        blocks = [block for block in content if isinstance(block, dict)]
        finish = _FINISH.get(str(body.get("stop_reason")), Finish.DONE)
        data = _tool_input(blocks)
        if not data or finish is not Finish.DONE:
            # A tool call that was cut off has whatever was complete: half a value is a wrong value.
            data = None
        return ChatReply(
            text=_text(blocks) if data is None else json.dumps(data, ensure_ascii=False),
            data=data,
            usage=_usage(body),
            model=str(body.get("model") or ""),
            finish=finish,
        )


def _tool(name: str, schema: dict[str, Any]) -> dict[str, JsonValue]:
    return {
        "tools": [{"name": name, "description": "Give your reply.", "input_schema": schema}],
        "tool_choice": {"type": "tool", "name": name, "disable_parallel_tool_use": True},
    }


def _tool_input(blocks: list[dict[str, Any]]) -> dict[str, JsonValue] | None:
    """The input of the first tool call; None if there is none, or it is not an object."""
    for block in blocks:
        if block.get("type") == "tool_use" and "input" in block:
            return block["input"] if isinstance(block["input"], dict) else None
    return None


def _text(blocks: list[dict[str, Any]]) -> str:
    return "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")


def _message(message: ChatMessage) -> dict[str, JsonValue]:
    if message.picture is None:
        return {"role": message.role, "content": message.text}
    data = base64.b64encode(message.picture).decode("ascii")
    source: dict[str, JsonValue] = {"type": "base64", "media_type": "image/jpeg", "data": data}
    return {
        "role": message.role,
        "content": [{"type": "image", "source": source}, {"type": "text", "text": message.text}],
    }


def _usage(body: dict[str, Any]) -> Usage:
    usage = object_in(body, "usage")
    return Usage(
        calls=1,
        input_tokens=sum(token_count(usage.get(name)) for name in _INPUT_TOKENS),
        output_tokens=token_count(usage.get("output_tokens")),
    )
