"""Getters that ask more than the final page's document: server, storage, accessibility tree, clipboard, health."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue

from ..errors import CanaryError
from ..evidence.models import Evidence
from .base import MISSING, Getter, Probe, Value
from .events import Pattern
from .normal import found
from .origins import origin_of


def _origin(text: str) -> str:
    origin = origin_of(text)
    if origin is None or len(text.rstrip("/").split("/")) != 3:
        raise ValueError("must be an origin, such as https://shop.example")
    return origin


class ApiState(Getter):
    """What a server says, asked from the final page as the page itself would ask: with its cookies, by its rules."""

    type: Literal["api_state"] = "api_state"
    url: Annotated[str, Field(min_length=1, description="absolute, or relative to the final page")]
    method: str = "GET"
    headers: dict[str, str] = Field({}, description="sent with the request")
    body: JsonValue = Field(None, description="text is sent as it is, anything else as JSON")
    credentials: Literal["omit", "same-origin", "include"] = "include"
    ok_status: int | list[int] = Field([], description="accepted statuses; 200 to 299 if none is given")
    expect_json: bool = Field(True, description="false: the answer is text")

    def probe(self) -> Probe | None:
        arguments: dict[str, Any] = self.model_dump(mode="json", exclude={"type"})
        if self.body is not None and not isinstance(self.body, str):
            arguments["body"] = json.dumps(self.body, sort_keys=True, ensure_ascii=False)
        arguments["ok_status"] = [self.ok_status] if isinstance(self.ok_status, int) else self.ok_status
        return Probe("apiState", arguments)

    def read(self, evidence: Evidence) -> Value:
        probe = self.probe()
        read = evidence.reads.get(probe.key()) if probe else None
        if read is not None and read.error is not None:
            raise CanaryError(f"the server could not be asked: {read.error}")  # from another site, it never can
        return self.answer_of_probe(evidence)


class AxtreeQuery(Getter):
    """Nodes of the accessibility tree: role, name, value."""

    type: Literal["axtree_query"] = "axtree_query"
    role: str | list[str] = Field([], description="only these roles")
    name_pattern: Pattern | None = Field(None, description="only nodes whose name contains a match")

    def probe(self) -> Probe | None:
        return Probe("accessible", {"role": [self.role] if isinstance(self.role, str) else self.role})

    def read(self, evidence: Evidence) -> Value:
        nodes = self.answer_of_probe(evidence)
        if self.name_pattern is None or not isinstance(nodes, list):
            return nodes
        return [node for node in nodes if found(self.name_pattern, node["name"])]


class Clipboard(Getter):
    """The text in the clipboard."""

    type: Literal["clipboard"] = "clipboard"

    def probe(self) -> Probe | None:
        return Probe("clipboard", {})

    def read(self, evidence: Evidence) -> Value:
        return self.answer_of_probe(evidence)


class Storage(Getter):
    """Local or session storage: of the final page, or of a given origin and of no other."""

    type: Literal["storage"] = "storage"
    kind: Literal["local", "session"] = "local"
    origin: Annotated[str, AfterValidator(_origin)] | None = Field(None, description="e.g. https://shop.example")
    keys: list[str] | None = Field(None, description="only these keys; absent ones are missing")
    json_values: bool = Field(False, description="values that are JSON are read as such")

    def probe(self) -> Probe | None:
        if self.origin is None or self.kind == "session":
            return None
        return Probe("storage", {"origin": self.origin})

    def read(self, evidence: Evidence) -> Value:
        store = self._store(evidence)
        values = {key: self._value(value) for key, value in store.items()}
        return values if self.keys is None else {key: values.get(key, MISSING) for key in self.keys}

    def _store(self, evidence: Evidence) -> dict[str, str]:
        page = evidence.final_page()
        if self.origin in (None, origin_of(page.url)):
            return evidence.local_storage if self.kind == "local" else evidence.session_storage
        if self.kind == "session":
            raise CanaryError(f"the final page is not of {self.origin}, whose session storage no other page can read")
        answer = self.answer_of_probe(evidence)
        return answer if isinstance(answer, dict) else {}

    def _value(self, text: str) -> Value:
        if self.json_values:
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                pass  # it is text
        return text


class PageHealth(Getter):
    """Whether the final page can carry a verdict: ok, signals, blocked, empty, http_status, chars."""

    type: Literal["page_health"] = "page_health"
    min_chars: int = Field(1, description="a page with less text is empty")
    patterns: list[Pattern] = Field([], description="further texts that tell of a wall")
    http_status: int | None = Field(None, description="instead of the one recorded")

    def read(self, evidence: Evidence) -> Value:
        page, health = evidence.page, evidence.health
        text = page.text if page else ""
        status = self.http_status if self.http_status is not None else page.status if page else None
        signals = [
            *(["no_page"] if page is None else [] if health.state in ("ok", "empty", "http_error") else [health.state]),
            *([f"http_{status}"] if status is not None and (status in (403, 429) or status >= 500) else []),
            *(["empty"] if len(text.strip()) < self.min_chars else []),
            *(f"custom:{one}" for one in self.patterns if page and found(one, f"{page.title}\n{text}")),
        ]
        return {
            "ok": not signals,
            "signals": signals,
            "blocked": any(signal.startswith(("bot_wall", "http_", "custom:")) for signal in signals),
            "empty": "empty" in signals,
            "http_status": status,
            "chars": len(text),
        }
