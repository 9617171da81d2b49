"""Loads recorded pages and reads them with the observer that live agents use.

Scripts are off and there is no network: a recorded page is data, not a program. Each step is one
call into the browser, so that what it costs is mostly what its page costs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from ..browser.observation import Observation
from ..browser.observation_parser import parse_observation
from ..browser.observer import Observer
from ..browser.rendering import as_text
from .records import RecordedStep
from .scoring import Coverage, Page

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as BrowserPage

    from ..browser.observed_frame import ObservedFrame

OwnMode: TypeAlias = Literal["expand", "dom"]
"""The modes in which our observer reads pages; ``compat`` reads them as the reference does."""

VIEWPORT: Final = {"width": 1280, "height": 720}
_PAGES_PER_TAB: Final = 200
"""Then the tab is replaced: closing it frees what has piled up in its process."""
_GARBAGE: Final = 2_000_000
"""Characters of pages after which garbage is collected: the browser would keep 150 MB of them."""
_EMPTY_PAGE: Final = 20_000
"""What a page without content leaves behind, as characters."""
_MOST_REFS: Final = 20_000
_COMPAT_PROMPT: Final = 24_000
"""Characters at which the reference cuts what it sends to a model."""

_SCRIPTS: Final = Path(__file__).parent / "scripts"
_PARTS: Final = ("load", "build", "expand", "losses", "compat", "relation", "markup")


@cache
def _script(name: str) -> str:
    return (_SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


@cache
def _reader_script() -> str:
    """``reader.js`` with its parts: a function of the observer and of what is asked.

    It is stored in the isolated world, so that the browser compiles it once per tab and not once
    per page.
    """
    parts = ", ".join(f"{name}: {_script(name)}" for name in _PARTS)
    reader = (
        "((read, parts) => (observer, asked) => read(observer, parts, asked))"
        f"({_script('reader')}, {{ {parts} }})"
    )
    return f"(observer, asked) => (globalThis.webbenchReader ??= {reader})(observer, asked)"


def compat_script() -> str:
    """The reference's snapshot of one frame, a JavaScript function that ``compat.js`` describes."""
    return _script("compat")


class Node(NamedTuple):
    """A recorded node as its page has it; texts are cut."""

    tag: str
    text: str
    attributes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """A page as HTML that a report can show, see ``markup.js``; "" if it is too large."""

    html: str = ""
    nodes: dict[str, Node] = field(default_factory=dict)
    """By backend_node_id, those that can be marked: targets, and what could be chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A recorded page as the observer saw it, and how its refs relate to the recording."""

    page: Page
    cover: Coverage
    observation: Observation
    """What a live agent would be shown: of a long page not every element."""
    nodes: dict[str, tuple[str | None, str]]
    """By ref, the element's backend_node_id (None: the page's own) and its tag."""
    tag: str = ""
    """The tag of the first target that is in the page; "" if there is none."""
    markup: Markup = Markup()


class PageReader:
    """Reads recorded pages one after the other, in one browser."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(
            viewport=VIEWPORT,  # type: ignore[arg-type]  # a Final dict is not seen as a TypedDict
            java_script_enabled=False,
            offline=True,
        )
        self._observer = Observer()
        self._tab: BrowserPage | None = None
        self._used = 0
        self._garbage = 0
        self.markup = Markup()
        """The page that was loaded last."""

    def read(self, step: RecordedStep, mode: OwnMode = "dom") -> PageView:
        """What our observer makes of a step's page."""
        return self._view(self._ask(step, ours=self._request(step, mode)), mode)

    def read_compat(self, step: RecordedStep) -> tuple[Page, Coverage]:
        """The same page as the reference loads and sees it; refs and rules are the reference's."""
        return self._compat(self._ask(step, compat=_golds(step)), step)

    def read_both(self, step: RecordedStep, mode: OwnMode = "dom") -> tuple[PageView, Coverage]:
        """What our observer makes of a page, and how the reference's snapshot covers the target."""
        answer = self._ask(step, compat=_golds(step), ours=self._request(step, mode))
        view = self._view(answer, mode)
        if answer["compat"]["frames"]:
            # The reference looks into frames, and by now our own load has replaced them.
            return view, self.read_compat(step)[1]
        return view, self._compat(answer, step)[1]

    def close(self) -> None:
        """Close all tabs."""
        self._context.close()

    def _ask(
        self,
        step: RecordedStep,
        *,
        compat: dict[str, Any] | None = None,
        ours: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        frame = self._frame()
        self._collect_garbage(frame, len(step.cleaned_html) + _EMPTY_PAGE)
        page = {"xml": step.cleaned_html, "hidden": step.hidden, "clickable": step.clickable}
        asked = {"page": page, "compat": compat, "ours": ours}
        answer: dict[str, Any] = frame.ask(_reader_script(), asked)
        self.markup = _markup(answer["markup"])
        return answer

    def _frame(self) -> ObservedFrame:
        """The main frame of a tab that has not loaded too many pages."""
        tab = self._tab
        if tab is None or tab.is_closed() or self._used >= _PAGES_PER_TAB:
            if tab is not None:
                tab.close()
            self._tab = tab = self._context.new_page()
            self._used = 0
        self._used += 1
        return self._observer.frame(tab)

    def _collect_garbage(self, frame: ObservedFrame, characters: int) -> None:
        self._garbage += characters
        if self._garbage > _GARBAGE:
            frame.world.session.send("HeapProfiler.collectGarbage")
            self._garbage = 0

    def _request(self, step: RecordedStep, mode: OwnMode) -> dict[str, Any]:
        clickable = [*step.clickable, *(node.id for node in step.candidates if node.clickable)]
        return {
            "mode": mode,
            "look": {
                "text": self._observer.text,
                "html": 0,
                "viewportOnly": False,
                "next": 1,
                "clip": None,
            },
            "listed": self._observer.elements,
            "all": _MOST_REFS,
            "asked": {
                "golds": step.targets,
                "clickable": list(dict.fromkeys(clickable)),
                # What was not laid out is rightly not seen, though it may listen for clicks.
                "hidden": step.hidden,
            },
        }

    def _view(self, answer: dict[str, Any], mode: OwnMode) -> PageView:
        ours = answer["ours"]
        relation = ours["relation"]
        observation = parse_observation(
            ours["seen"], elements=self._observer.elements, text=self._observer.text
        )
        listed = {element.ref for element in observation.elements}
        cover = Coverage.model_validate(relation["cover"])
        page = Page(
            mode=mode,
            **ours["loaded"],
            refs=ours["refs"],
            characters=len(as_text(observation)),
            clickable=relation["clickable"],
            clickable_covered=relation["reached"],
            false_refs=relation["false_refs"],
            milliseconds=round(ours["milliseconds"], 1),
        )
        return PageView(
            page=page,
            cover=cover.model_copy(update={"in_prompt": not listed.isdisjoint(cover.accepted)}),
            observation=observation,
            nodes={ref: (node, tag) for ref, node, tag in relation["nodes"]},
            markup=self.markup,
            tag=relation["tag"],
        )

    def _compat(self, answer: dict[str, Any], step: RecordedStep) -> tuple[Page, Coverage]:
        main = answer["compat"]
        frames = self._frames(step, main["seen"]["next"]) if main["frames"] else []
        snapshots = [main["seen"], *frames]
        text = _compat_prompt(snapshots)
        page = Page(
            mode="compat",
            **main["loaded"],
            refs=sum(len(snapshot["refs"]) for snapshot in snapshots),
            characters=min(len(text), _COMPAT_PROMPT),
            milliseconds=round(main["milliseconds"], 1),
        )
        # As in the reference, the main frame alone decides whether the target is covered.
        kind = _compat_kind(main["seen"]["golds"][0])
        if kind == "none":
            return page, Coverage()
        accepted: list[str] = []
        for snapshot in snapshots:
            accepted += snapshot["golds"][0]["accepted"]
        in_prompt = any(f'"ref": "{ref}"' in text[:_COMPAT_PROMPT] for ref in accepted)
        return page, Coverage(kind=kind, accepted=tuple(accepted), in_prompt=in_prompt)

    def _frames(self, step: RecordedStep, first: int) -> list[dict[str, Any]]:
        """The reference's snapshots of the frames of the page that is loaded."""
        assert self._tab is not None, "a page is loaded"
        snapshots: list[dict[str, Any]] = []
        for frame in self._tab.frames[1:]:
            answer = frame.evaluate(compat_script(), [[step.gold_backend_node_id], first])
            snapshots.append(json.loads(answer))
            first = snapshots[-1]["next"]
        return snapshots


def _markup(answer: dict[str, Any]) -> Markup:
    nodes: dict[str, Node] = {}
    for node, facts in answer["nodes"].items():
        attributes = tuple((name, value) for name, value in facts["attributes"])
        nodes[node] = Node(facts["tag"], facts["text"], attributes)
    return Markup(html=answer["html"], nodes=nodes)


def _golds(step: RecordedStep) -> dict[str, Any]:
    return {"golds": [step.gold_backend_node_id]}


def _compat_kind(gold: dict[str, Any]) -> Literal["exact", "ancestor", "none"]:
    if gold["exact"]:
        return "exact"
    return "ancestor" if gold["covered"] else "none"


def _compat_prompt(snapshots: list[dict[str, Any]]) -> str:
    """What the reference would send to a model."""
    main, *frames = ({"url": "about:blank", "tree": one["tree"]} for one in snapshots)
    prompt: dict[str, Any] = {**main, "frames": frames} if frames else main
    return json.dumps(prompt, ensure_ascii=False)
