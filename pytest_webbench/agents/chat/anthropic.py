"""Anthropic's Messages API: ``/v1/messages``. JSON is had by making the model call a tool."""

from __future__ import annotations

import base64
import json
from collections.abc import Collection
from typing import Any, Final

from pydantic import JsonValue

from ..base import Usage
from .messages import ChatReply, Feature, Finish, Message, Request
from .openai import whole
from .schemas import without_bounds

VERSION: Final = "2023-06-01"
"""Value of the header ``anthropic-version``."""
_FINISH: Final = {"max_tokens": Finish.CUT_OFF, "refusal": Finish.REFUSED}


class Anthropic:
    """Speaks to Anthropic's service and to those that imitate it."""

    path = "/messages"

    def body(self, request: Request, without: Collection[Feature]) -> dict[str, JsonValue]:
        """A body for ``/v1/messages``; there is no seed."""
        body: dict[str, JsonValue] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": [_message(message) for message in request.messages if message.role != "system"],
        }
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        if system:
            body["system"] = system
        if request.temperature is not None and Feature.TEMPERATURE not in without:
            body["temperature"] = request.temperature
        if request.schema is not None and Feature.SCHEMA not in without:
            schema = without_bounds(request.schema) if Feature.BOUNDS in without else request.schema
            body["tools"] = [{"name": request.name, "description": "Give your reply.", "input_schema": schema}]
            body["tool_choice"] = {"type": "tool", "name": request.name, "disable_parallel_tool_use": True}
        return body | request.extra

    def read(self, body: dict[str, Any]) -> ChatReply:
        """A message."""
        content = body.get("content")
        if not isinstance(content, list):
            raise ValueError("it holds no content")
        blocks = [block for block in content if isinstance(block, dict)]
        inputs = [block["input"] for block in blocks if block.get("type") == "tool_use" and "input" in block]
        said = "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
        finish = _FINISH.get(str(body.get("stop_reason")), Finish.DONE)
        # A tool call that was cut off holds whatever was complete: half a value is a wrong value.
        usable = inputs and finish is Finish.DONE and isinstance(inputs[0], dict) and inputs[0]
        return ChatReply(
            text=json.dumps(inputs[0], ensure_ascii=False) if usable else said,
            data=inputs[0] if usable else None,
            usage=_usage(body),
            model=str(body.get("model") or ""),
            finish=finish,
        )


def _message(message: Message) -> dict[str, JsonValue]:
    if message.picture is None:
        return {"role": message.role, "content": message.text}
    data = base64.b64encode(message.picture).decode("ascii")
    source: dict[str, JsonValue] = {"type": "base64", "media_type": "image/jpeg", "data": data}
    return {
        "role": message.role,
        "content": [{"type": "image", "source": source}, {"type": "text", "text": message.text}],
    }


def _usage(body: dict[str, Any]) -> Usage:
    given = body.get("usage")
    usage: dict[str, Any] = given if isinstance(given, dict) else {}
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(
        calls=1,
        input_tokens=whole(usage.get("input_tokens")) + sum(whole(usage.get(name)) for name in cached),
        output_tokens=whole(usage.get("output_tokens")),
    )
