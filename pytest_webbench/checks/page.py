"""Getters that read the final page: address, title, texts, elements."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, Final, Literal
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, Field

from .._url import form_values, is_web_address
from ..errors import CanaryError, GetterError
from ..evidence.models import Evidence
from .base import MISSING, Getter, Probe, Value

Selectors = Annotated[
    dict[str, str], Field(min_length=1, description="a name of your choice: a CSS selector")
]
Frame = Annotated[str, Field(min_length=1)]


def _fixed_address(url: str) -> str:
    if "{{" in url:
        raise ValueError("must be a fixed address, without {{...}}: no step is played there")
    if not is_web_address(url):
        raise ValueError("must be an http:// or https:// address")
    return url


At = Annotated[
    Annotated[str, AfterValidator(_fixed_address)] | None,
    Field(description="the page at this address, opened when the agent has stopped"),
]
"""Where a getter reads instead of in the final page."""


def canary_error(what: str, at: str | None) -> GetterError:
    """What a missing canary means.

    In the final page it may be the agent's fault, elsewhere it never is.
    """
    if at is None:
        return CanaryError(f"{what} is not on the page", missing=True)
    return GetterError(f"{what} is not on the page at {at}", missing=True)


MOST_CHARACTERS: Final = 200_000


def in_frame(arguments: dict[str, Any], frame: str | None) -> dict[str, Any]:
    """A probe's arguments with the frame that it is limited to."""
    # Evidence stores answers by their probe's arguments. Evidence from before frames could be
    # named has no `frame` among them, so it is left out where there is none.
    return arguments if frame is None else {**arguments, "frame": frame}


def _cut(text: Value, most: int) -> Value:
    if most > 0 and isinstance(text, str):
        return text[:most]
    return text


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
        url = self.url
        if url is None:
            url = evidence.final_page().url
        try:
            return urlsplit(url)
        except ValueError as error:
            raise GetterError(f"the address {url!r} cannot be parsed: {error}") from error


class UrlParse(_OfUrl):
    """The final URL's query parameters, decoded as forms are."""

    type: Literal["url_parse"] = "url_parse"
    parse_keys: list[str] | None = Field(
        None, description="only these parameters; absent ones are missing"
    )
    multi: bool = Field(False, description="every value of a repeated parameter, as a list")
    part: Literal["query", "fragment"] = Field("query", description="where the parameters stand")

    def read(self, evidence: Evidence) -> Value:
        values: dict[str, Value] = {}
        for key, found in form_values(self._text(evidence), blanks=True).items():
            values[key] = found if self.multi else found[0]
        if self.parse_keys is None:
            return values
        return {key: values.get(key, MISSING) for key in self.parse_keys}

    def _text(self, evidence: Evidence) -> str:
        parts = self.parts(evidence)
        if self.part == "query":
            return parts.query
        # Pages that keep their state in the fragment write `#/lamps?page=2` or just `#page=2`.
        return parts.fragment.partition("?")[2] or parts.fragment


class UrlPathParse(_OfUrl):
    """The final URL's path, cut into its non-empty parts, or one of them."""

    type: Literal["url_path_parse"] = "url_path_parse"
    index: int | None = Field(
        None, description="only this part, counted from 0; negative counts from the end"
    )
    split_by: Annotated[str, Field(min_length=1)] = "/"

    def read(self, evidence: Evidence) -> Value:
        parts = [part for part in self.parts(evidence).path.split(self.split_by) if part]
        if self.index is None:
            return parts
        if -len(parts) <= self.index < len(parts):
            return parts[self.index]
        return MISSING


class PageTitle(Getter):
    """The final page's title."""

    type: Literal["page_title"] = "page_title"

    def read(self, evidence: Evidence) -> Value:
        return evidence.final_page().title


class PageText(Getter):
    """All text of the final page, as ``innerText`` gives it after the page was scrolled through."""

    type: Literal["page_text"] = "page_text"
    max_chars: int = Field(MOST_CHARACTERS, description="at most this many characters; 0: all")
    at: At = None

    def probe(self) -> Probe | None:
        return None if self.at is None else Probe("pageText", {}, at=self.at)

    def read(self, evidence: Evidence) -> Value:
        if self.at is None:
            return _cut(evidence.final_page().text, self.max_chars)
        return _cut(self.answer_of_probe(evidence), self.max_chars)


class VisibleText(Getter):
    """The text that is really shown, of the page or of the first element that a selector finds."""

    type: Literal["visible_text"] = "visible_text"
    selector: str | None = Field(
        None, description="CSS selector of the root; the whole page without"
    )
    frame: Frame | None = Field(None, description="only in this frame: its CSS selector or name")
    max_chars: int = Field(MOST_CHARACTERS, description="at most this many characters; 0: all")

    def probe(self) -> Probe | None:
        if self.selector is None and self.frame is None:
            return None
        return Probe("visibleText", in_frame({"selector": self.selector}, self.frame))

    def read(self, evidence: Evidence) -> Value:
        if self.probe() is None:
            text: Value = evidence.final_page().visible_text
        else:
            text = self.answer_of_probe(evidence)
        return _cut(text, self.max_chars)


class _Fields(Getter):
    """Base of the getters that read several named elements, with a canary list."""

    @abstractmethod
    def probe(self) -> Probe:
        """The question for all of them."""

    selectors: Selectors
    frame: Frame | None = Field(None, description="only in this frame: its CSS selector or name")
    must_exist: list[str] = Field(
        [], description="names whose absence means that the check has rotted (canary)"
    )

    def read(self, evidence: Evidence) -> Value:
        answer = self.answer_of_probe(evidence)
        if not isinstance(answer, dict):
            raise GetterError("the page's answer holds no fields")
        for name in self.must_exist:
            if answer.get(name) in (None, "", []):
                what = f"canary {name!r} ({self.selectors.get(name)})"
                raise canary_error(what, self.probe().at)
        values: dict[str, Value] = dict.fromkeys(self.selectors, MISSING)
        for name in self.selectors:
            if answer.get(name) is not None:
                values[name] = answer[name]
        return values


class DomExtract(_Fields):
    """Texts or attributes of elements."""

    type: Literal["dom_extract"] = "dom_extract"
    attr: str | None = Field(
        None, description="this attribute instead of the text; `value` is the live form value"
    )
    all: bool = Field(False, description="every match, as a list")
    at: At = None

    def probe(self) -> Probe:
        arguments = {"selectors": self.selectors, "attr": self.attr, "all": self.all}
        return Probe("domExtract", in_frame(arguments, self.frame), at=self.at)


class ControlState(_Fields):
    """State of form controls: tag, value, checked, selected, text, disabled, aria."""

    type: Literal["control_state"] = "control_state"

    def probe(self) -> Probe:
        return Probe("controlState", in_frame({"selectors": self.selectors}, self.frame))


class DomCount(Getter):
    """How many elements a selector finds."""

    type: Literal["dom_count"] = "dom_count"
    selector: str
    frame: Frame | None = Field(None, description="only in this frame: its CSS selector or name")
    must_exist: bool = Field(
        False, description="no match at all means that the check has rotted (canary)"
    )

    at: At = None

    def probe(self) -> Probe:
        return Probe("domCount", in_frame({"selector": self.selector}, self.frame), at=self.at)

    def read(self, evidence: Evidence) -> Value:
        count = self.answer_of_probe(evidence)
        if self.must_exist and not count:
            raise canary_error(f"canary {self.selector!r}", self.at)
        return count
