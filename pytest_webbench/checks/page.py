"""Getters that read the final page: address, title, texts, elements, storage."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import SplitResult, parse_qs, urlsplit

from pydantic import Field

from ..errors import GetterError
from ..evidence.models import Evidence
from .base import MISSING, Getter, Probe, Value

Selectors = Annotated[dict[str, str], Field(min_length=1, description="a name of your choice: a CSS selector")]


def _final_url(evidence: Evidence) -> SplitResult:
    url = evidence.final_page().url
    try:
        return urlsplit(url)
    except ValueError as error:
        raise GetterError(f"the final address {url!r} cannot be parsed: {error}") from error


class FinalUrl(Getter):
    """The address of the page the agent ended on."""

    type: Literal["final_url"] = "final_url"

    def read(self, evidence: Evidence) -> Value:
        return evidence.final_page().url


class UrlParse(Getter):
    """The final URL's query parameters, decoded as forms are."""

    type: Literal["url_parse"] = "url_parse"
    parse_keys: list[str] | None = Field(None, description="only these parameters; absent ones are missing")
    multi: bool = Field(False, description="every value of a repeated parameter, as a list")
    part: Literal["query", "fragment"] = Field("query", description="where the parameters stand")

    def read(self, evidence: Evidence) -> Value:
        parts = _final_url(evidence)
        text = parts.query if self.part == "query" else parts.fragment.partition("?")[2] or parts.fragment
        found = parse_qs(text, keep_blank_values=True)
        values: dict[str, Any] = {key: values if self.multi else values[0] for key, values in found.items()}
        return values if self.parse_keys is None else {key: values.get(key, MISSING) for key in self.parse_keys}


class UrlPathParse(Getter):
    """The final URL's path, cut into its non-empty parts, or one of them."""

    type: Literal["url_path_parse"] = "url_path_parse"
    index: int | None = Field(None, description="only this part, counted from 0; negative counts from the end")
    split_by: Annotated[str, Field(min_length=1)] = "/"

    def read(self, evidence: Evidence) -> Value:
        parts = [part for part in _final_url(evidence).path.split(self.split_by) if part]
        if self.index is None:
            return parts
        return parts[self.index] if -len(parts) <= self.index < len(parts) else MISSING


class PageTitle(Getter):
    """The final page's title."""

    type: Literal["page_title"] = "page_title"

    def read(self, evidence: Evidence) -> Value:
        return evidence.final_page().title


class PageText(Getter):
    """All text of the final page, as ``innerText`` gives it after the page was scrolled through."""

    type: Literal["page_text"] = "page_text"

    def read(self, evidence: Evidence) -> Value:
        return evidence.final_page().text


class VisibleText(Getter):
    """The text that is really shown, of the page or of the first element that a selector finds."""

    type: Literal["visible_text"] = "visible_text"
    selector: str | None = Field(None, description="CSS selector of the root; the whole page without")

    def probe(self) -> Probe | None:
        return None if self.selector is None else Probe("visibleText", {"selector": self.selector})

    def read(self, evidence: Evidence) -> Value:
        return evidence.final_page().visible_text if self.selector is None else self.answer_of_probe(evidence)


class _Fields(Getter):
    """Base of the getters that read several named elements, with a canary list."""

    selectors: Selectors
    must_exist: list[str] = Field([], description="names whose absence means that the check has rotted (canary)")

    def read(self, evidence: Evidence) -> Value:
        answer = self.answer_of_probe(evidence)
        if not isinstance(answer, dict):
            raise GetterError("the page's answer holds no fields")
        for name in self.must_exist:
            if answer.get(name) in (None, "", []):
                raise GetterError(f"canary {name!r} ({self.selectors.get(name)}) is not on the page")
        return {name: MISSING if answer.get(name) is None else answer[name] for name in self.selectors}


class DomExtract(_Fields):
    """Texts or attributes of elements."""

    type: Literal["dom_extract"] = "dom_extract"
    attr: str | None = Field(None, description="this attribute instead of the text; `value` is the live form value")
    all: bool = Field(False, description="every match, as a list")

    def probe(self) -> Probe | None:
        return Probe("domExtract", {"selectors": self.selectors, "attr": self.attr, "all": self.all})


class ControlState(_Fields):
    """State of form controls: tag, value, checked, selected, text, disabled, aria."""

    type: Literal["control_state"] = "control_state"

    def probe(self) -> Probe | None:
        return Probe("controlState", {"selectors": self.selectors})


class DomCount(Getter):
    """How many elements a selector finds."""

    type: Literal["dom_count"] = "dom_count"
    selector: str
    must_exist: bool = Field(False, description="no match at all means that the check has rotted (canary)")

    def probe(self) -> Probe | None:
        return Probe("domCount", {"selector": self.selector})

    def read(self, evidence: Evidence) -> Value:
        count = self.answer_of_probe(evidence)
        if self.must_exist and not count:
            raise GetterError(f"canary {self.selector!r} is not on the page")
        return count


class Storage(Getter):
    """The final page's local or session storage."""

    type: Literal["storage"] = "storage"
    kind: Literal["local", "session"] = "local"
    keys: list[str] | None = Field(None, description="only these keys; absent ones are missing")

    def read(self, evidence: Evidence) -> Value:
        evidence.final_page()
        store = evidence.local_storage if self.kind == "local" else evidence.session_storage
        return dict(store) if self.keys is None else {key: store.get(key, MISSING) for key in self.keys}
