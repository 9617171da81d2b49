"""Getters that read the final page: address, title, texts, elements."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import SplitResult, parse_qs, urlsplit

from pydantic import Field

from ..errors import CanaryError, GetterError
from ..evidence.models import Evidence
from .base import MISSING, Getter, Probe, Value

Selectors = Annotated[dict[str, str], Field(min_length=1, description="a name of your choice: a CSS selector")]
Frame = Annotated[str, Field(min_length=1)]
MOST_CHARACTERS = 200_000


def _in_frame(arguments: dict[str, Any], frame: str | None) -> dict[str, Any]:
    """``frame`` is an argument only where it is given, so the keys of other probes do not depend on it."""
    return arguments if frame is None else {**arguments, "frame": frame}


def _cut(text: Value, most: int) -> Value:
    return text[:most] if most > 0 and isinstance(text, str) else text


class FinalUrl(Getter):
    """The address of the page the agent ended on."""

    type: Literal["final_url"] = "final_url"

    def read(self, evidence: Evidence) -> Value:
        return evidence.final_page().url


class _OfUrl(Getter):
    """Base of the getters that take an address apart."""

    url: str | None = Field(None, description="this address instead of the final one")

    def parts(self, evidence: Evidence) -> SplitResult:
        """The address in parts."""
        url = evidence.final_page().url if self.url is None else self.url
        try:
            return urlsplit(url)
        except ValueError as error:
            raise GetterError(f"the address {url!r} cannot be parsed: {error}") from error


class UrlParse(_OfUrl):
    """The final URL's query parameters, decoded as forms are."""

    type: Literal["url_parse"] = "url_parse"
    parse_keys: list[str] | None = Field(None, description="only these parameters; absent ones are missing")
    multi: bool = Field(False, description="every value of a repeated parameter, as a list")
    part: Literal["query", "fragment"] = Field("query", description="where the parameters stand")

    def read(self, evidence: Evidence) -> Value:
        parts = self.parts(evidence)
        text = parts.query if self.part == "query" else parts.fragment.partition("?")[2] or parts.fragment
        found = parse_qs(text, keep_blank_values=True)
        values: dict[str, Any] = {key: values if self.multi else values[0] for key, values in found.items()}
        return values if self.parse_keys is None else {key: values.get(key, MISSING) for key in self.parse_keys}


class UrlPathParse(_OfUrl):
    """The final URL's path, cut into its non-empty parts, or one of them."""

    type: Literal["url_path_parse"] = "url_path_parse"
    index: int | None = Field(None, description="only this part, counted from 0; negative counts from the end")
    split_by: Annotated[str, Field(min_length=1)] = "/"

    def read(self, evidence: Evidence) -> Value:
        parts = [part for part in self.parts(evidence).path.split(self.split_by) if part]
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
    max_chars: int = Field(MOST_CHARACTERS, description="only so many characters; 0: all")

    def read(self, evidence: Evidence) -> Value:
        return _cut(evidence.final_page().text, self.max_chars)


class VisibleText(Getter):
    """The text that is really shown, of the page or of the first element that a selector finds."""

    type: Literal["visible_text"] = "visible_text"
    selector: str | None = Field(None, description="CSS selector of the root; the whole page without")
    frame: Frame | None = Field(None, description="only in this frame: its CSS selector or name")
    max_chars: int = Field(MOST_CHARACTERS, description="only so many characters; 0: all")

    def probe(self) -> Probe | None:
        if self.selector is None and self.frame is None:
            return None
        return Probe("visibleText", _in_frame({"selector": self.selector}, self.frame))

    def read(self, evidence: Evidence) -> Value:
        whole = self.probe() is None
        return _cut(evidence.final_page().visible_text if whole else self.answer_of_probe(evidence), self.max_chars)


class _Fields(Getter):
    """Base of the getters that read several named elements, with a canary list."""

    selectors: Selectors
    frame: Frame | None = Field(None, description="only in this frame: its CSS selector or name")
    must_exist: list[str] = Field([], description="names whose absence means that the check has rotted (canary)")

    def read(self, evidence: Evidence) -> Value:
        answer = self.answer_of_probe(evidence)
        if not isinstance(answer, dict):
            raise GetterError("the page's answer holds no fields")
        for name in self.must_exist:
            if answer.get(name) in (None, "", []):
                raise CanaryError(f"canary {name!r} ({self.selectors.get(name)}) is not on the page")
        return {name: MISSING if answer.get(name) is None else answer[name] for name in self.selectors}


class DomExtract(_Fields):
    """Texts or attributes of elements."""

    type: Literal["dom_extract"] = "dom_extract"
    attr: str | None = Field(None, description="this attribute instead of the text; `value` is the live form value")
    all: bool = Field(False, description="every match, as a list")

    def probe(self) -> Probe | None:
        arguments = {"selectors": self.selectors, "attr": self.attr, "all": self.all}
        return Probe("domExtract", _in_frame(arguments, self.frame))


class ControlState(_Fields):
    """State of form controls: tag, value, checked, selected, text, disabled, aria."""

    type: Literal["control_state"] = "control_state"

    def probe(self) -> Probe | None:
        return Probe("controlState", _in_frame({"selectors": self.selectors}, self.frame))


class DomCount(Getter):
    """How many elements a selector finds."""

    type: Literal["dom_count"] = "dom_count"
    selector: str
    frame: Frame | None = Field(None, description="only in this frame: its CSS selector or name")
    must_exist: bool = Field(False, description="no match at all means that the check has rotted (canary)")

    def probe(self) -> Probe | None:
        return Probe("domCount", _in_frame({"selector": self.selector}, self.frame))

    def read(self, evidence: Evidence) -> Value:
        count = self.answer_of_probe(evidence)
        if self.must_exist and not count:
            raise CanaryError(f"canary {self.selector!r} is not on the page")
        return count
