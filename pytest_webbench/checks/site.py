"""Getters that ask more than the final page's document: its server, storage, cookies, health ..."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, JsonValue

from .._url import origin_of
from ..errors import CanaryError
from ..evidence.models import Evidence, PageState, is_refusal
from .base import MISSING, Getter, Probe, Value, as_list
from .events import Pattern
from .normal import found

_BLOCKED: Final = ("bot_wall", "http_", "custom:")
"""How the signals begin that tell of a page that turned the browser away."""


def _origin(text: str) -> str:
    origin = origin_of(text)
    if origin is None or len(text.rstrip("/").split("/")) != 3:
        raise ValueError("must be an origin, such as https://shop.example")
    return origin


class ApiState(Getter):
    """What a server says, asked from the final page: with its cookies, and under its rules."""

    type: Literal["api_state"] = "api_state"
    url: Annotated[str, Field(min_length=1, description="absolute, or relative to the final page")]
    method: str = "GET"
    headers: dict[str, str] = Field({}, description="sent with the request")
    body: JsonValue = Field(None, description="text is sent as it is, anything else as JSON")
    credentials: Literal["omit", "same-origin", "include"] = "include"
    ok_status: int | list[int] = Field(
        [], description="accepted statuses; 200 to 299 if none is given"
    )
    expect_json: bool = Field(True, description="false: the answer is text")

    def probe(self) -> Probe:
        arguments: dict[str, Any] = self.model_dump(mode="json", exclude={"type"})
        if self.body is not None and not isinstance(self.body, str):
            arguments["body"] = json.dumps(self.body, sort_keys=True, ensure_ascii=False)
        arguments["ok_status"] = as_list(self.ok_status)
        return Probe("apiState", arguments)

    def read(self, evidence: Evidence) -> Value:
        read = evidence.reads.get(self.probe().key())
        if read is not None and read.error is not None:
            # From a page of another site the server can never be asked: the agent ended elsewhere.
            raise CanaryError(f"the server could not be asked: {read.error}")
        return self.answer_of_probe(evidence)


class AxtreeQuery(Getter):
    """Nodes of the accessibility tree: role, name, value."""

    type: Literal["axtree_query"] = "axtree_query"
    role: str | list[str] = Field([], description="only these roles")
    name_pattern: Pattern | None = Field(None, description="only nodes whose name contains a match")

    def probe(self) -> Probe | None:
        return Probe("accessible", {"role": as_list(self.role)})

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
    origin: Annotated[str, AfterValidator(_origin)] | None = Field(
        None, description="e.g. https://shop.example"
    )
    keys: list[str] | None = Field(None, description="only these keys; absent ones are missing")
    json_values: bool = Field(False, description="values that are JSON are read as such")

    def probe(self) -> Probe | None:
        if self.origin is None or self.kind == "session":
            return None
        return Probe("storage", {"origin": self.origin})

    def read(self, evidence: Evidence) -> Value:
        store = self._store(evidence)
        values = {key: self._value(value) for key, value in store.items()}
        if self.keys is None:
            return values
        return {key: values.get(key, MISSING) for key in self.keys}

    def _store(self, evidence: Evidence) -> dict[str, str]:
        page = evidence.final_page()
        if self.origin in (None, origin_of(page.url)):
            if self.kind == "local":
                return evidence.local_storage
            return evidence.session_storage
        if self.kind == "session":
            raise CanaryError(
                f"the final page is not of {self.origin}; "
                "its session storage can be read by its own pages only"
            )
        answer = self.answer_of_probe(evidence)
        return answer if isinstance(answer, dict) else {}

    def _value(self, text: str) -> Value:
        if self.json_values:
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                pass  # it is text
        return text


class Cookie(Getter):
    """Whether the browser holds a cookie, and whether its value is the one asked about.

    The value itself is never stored: evidence keeps the name and the outcome of the comparison,
    made while the page was still open. So a check whose name, text or patterns change needs a new
    episode.
    """

    type: Literal["cookie"] = "cookie"
    name: Annotated[str, Field(min_length=1, description="the cookie's name, to the letter")]
    equals: str | None = Field(None, description="the whole value, percent-decoded, to the letter")
    matches: Pattern | list[Pattern] | None = Field(
        None, description="found in the percent-decoded value, in any case; of several, each"
    )
    origin: Annotated[str, AfterValidator(_origin)] | None = Field(
        None, description="whose cookies, e.g. https://shop.example; else the final page's"
    )

    def probe(self) -> Probe | None:
        arguments = self.model_dump(mode="json", exclude={"type"}, exclude_none=True)
        if self.matches is not None:
            arguments["matches"] = as_list(self.matches)
        return Probe("cookie", arguments)

    def read(self, evidence: Evidence) -> Value:
        return self.answer_of_probe(evidence)


class PageHealth(Getter):
    """Whether the final page can carry a verdict.

    An object of ok, signals, blocked, empty, http_status and chars.
    """

    type: Literal["page_health"] = "page_health"
    min_chars: int = Field(1, description="a page with less text is empty")
    patterns: list[Pattern] = Field([], description="further texts that tell of a wall")
    http_status: int | None = Field(None, description="instead of the one recorded")

    def read(self, evidence: Evidence) -> Value:
        text = evidence.page.text if evidence.page else ""
        status = self._status(evidence.page)
        signals = list(self._signals(evidence, status))
        return {
            "ok": not signals,
            "signals": signals,
            "blocked": any(signal.startswith(_BLOCKED) for signal in signals),
            "empty": "empty" in signals,
            "http_status": status,
            "chars": len(text),
        }

    def _status(self, page: PageState | None) -> int | None:
        if self.http_status is not None or page is None:
            return self.http_status
        return page.status

    def _signals(self, evidence: Evidence, status: int | None) -> Iterator[str]:
        page, health = evidence.page, evidence.health
        if page is None:
            yield "no_page"
        elif health.state not in ("ok", "empty", "http_error"):
            yield health.state
        if is_refusal(status):
            yield f"http_{status}"
        text = "" if page is None else page.text
        if len(text.strip()) < self.min_chars:
            yield "empty"
        if page is not None:
            shown = f"{page.title}\n{page.text}"
            for pattern in self.patterns:
                if found(pattern, shown):
                    yield f"custom:{pattern}"
