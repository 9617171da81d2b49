"""Loads recorded pages and looks at them with the same eyes as live agents do.

Scripts are off and nothing is on the network: a recorded page is data, not a program. A step is one call into the
browser: what it costs is mostly what the page costs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from ..browser.observation import Observation
from ..browser.observe import Observer, told
from ..browser.rendering import as_text
from .records import RecordedStep
from .scoring import Cover, Page

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as BrowserPage

    from ..browser.lens import Lens

Mode = Literal["compat", "expand", "dom"]
VIEWPORT: Final = {"width": 1280, "height": 720}
_PAGES_PER_TAB: Final = 200
"""A tab is renewed after so many: what has gathered in its process is freed with it."""
_GARBAGE: Final = 2_000_000
"""After so many characters of pages, those that went by are cleared away: the browser would keep 150 MB of them."""
_EMPTY_PAGE: Final = 20_000
"""What a page without content keeps, in the same measure."""
_MOST_REFS: Final = 20_000
_COMPAT_PROMPT: Final = 24_000
"""Characters after which the reference cuts what it sends to a model."""


@cache
def _script() -> str:
    """``reader.js``, handed the functions that it is made of; made once in a world, so that it is compiled once."""
    text = {
        name: (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8")
        for name in ("reader", "load", "compat", "relation")
    }
    parts = f"{{ load: {text['load']}, judge: {text['compat']}, relation: {text['relation']} }}"
    made = f"((read, parts) => (eyes, asked) => read(eyes, parts, asked))({text['reader']}, {parts})"
    return f"(eyes, asked) => (globalThis.webbenchReader ??= {made})(eyes, asked)"


@cache
def compat_script() -> str:
    """``compat.js``, for one frame."""
    return (Path(__file__).parent / "compat.js").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A recorded page as it was seen, and how its refs relate to the recording."""

    page: Page
    cover: Cover
    observation: Observation
    """As a live agent would be shown it: of a long page not every element."""
    nodes: dict[str, tuple[str | None, str]]
    """By ref, the element's backend_node_id and its tag."""
    tag: str = ""
    """Of the first target that is in the page."""


class Reader:
    """Looks at one recorded page after the other, in one browser."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(viewport=VIEWPORT, java_script_enabled=False, offline=True)  # type: ignore[arg-type]
        self._eyes = Observer()
        self._tab: BrowserPage | None = None
        self._used = self._garbage = 0

    def look(self, step: RecordedStep, mode: Literal["expand", "dom"] = "dom") -> Seen:
        """What our observation makes of a step's page."""
        return self._seen(self._ask(step, ours=self._wanted(step, mode)), mode)

    def look_compat(self, step: RecordedStep) -> tuple[Page, Cover]:
        """The same page as the reference loads and sees it; refs and rules are the reference's."""
        return self._compat(self._ask(step, compat=_golds(step)), step)

    def look_both(self, step: RecordedStep, mode: Literal["expand", "dom"] = "dom") -> tuple[Seen, Cover]:
        """What our observation makes of a page, and how the reference's covers the target."""
        answer = self._ask(step, compat=_golds(step), ours=self._wanted(step, mode))
        if answer["compat"]["frames"]:  # the page is another one by now
            return self._seen(answer, mode), self.look_compat(step)[1]
        return self._seen(answer, mode), self._compat(answer, step)[1]

    def close(self) -> None:
        """Close all tabs."""
        self._context.close()

    def _ask(
        self, step: RecordedStep, *, compat: dict[str, Any] | None = None, ours: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        page = {"xml": step.cleaned_html, "hidden": step.hidden, "clickable": step.clickable}
        lens = self._lens()
        self._garbage += len(step.cleaned_html) + _EMPTY_PAGE
        if self._garbage > _GARBAGE:
            lens.session.send("HeapProfiler.collectGarbage")
            self._garbage = 0
        answer: dict[str, Any] = lens.ask(_script(), {"page": page, "compat": compat, "ours": ours})
        return answer

    def _wanted(self, step: RecordedStep, mode: Mode) -> dict[str, Any]:
        clickable = [*step.clickable, *(node.id for node in step.candidates if node.clickable)]
        look = {"text": self._eyes.text, "html": 0, "viewportOnly": False, "next": 1, "clip": None}
        # What was not laid out is rightly not seen, though a click would be listened for.
        asked = {"golds": step.targets, "clickable": list(dict.fromkeys(clickable)), "hidden": step.hidden}
        return {"mode": mode, "look": look, "listed": self._eyes.elements, "all": _MOST_REFS, "asked": asked}

    def _seen(self, answer: dict[str, Any], mode: Literal["expand", "dom"]) -> Seen:
        ours = answer["ours"]
        relation = ours["told"]
        observation = told(ours["seen"], elements=self._eyes.elements, text=self._eyes.text)
        cover = Cover.model_validate(relation["cover"])
        listed = {element.ref for element in observation.elements}
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
        return Seen(
            page=page,
            cover=cover.model_copy(update={"in_prompt": not listed.isdisjoint(cover.accepted)}),
            observation=observation,
            nodes={ref: (node, tag) for ref, node, tag in relation["nodes"]},
            tag=relation["tag"],
        )

    def _compat(self, answer: dict[str, Any], step: RecordedStep) -> tuple[Page, Cover]:
        main = answer["compat"]
        seen, gold = main["seen"], main["seen"]["golds"][0]
        frames = self._frames(step, seen["next"]) if main["frames"] else []
        accepted = [*gold["accepted"], *(ref for frame in frames for ref in frame["golds"][0]["accepted"])]
        prompt: dict[str, Any] = {"url": "about:blank", "tree": seen["tree"]}
        if frames:
            prompt["frames"] = [{"url": "about:blank", "tree": frame["tree"]} for frame in frames]
        text = json.dumps(prompt, ensure_ascii=False)
        kind: Literal["exact", "ancestor", "none"] = (
            "exact" if gold["exact"] else "ancestor" if gold["covered"] else "none"
        )
        in_prompt = any(f'"ref": "{ref}"' in text[:_COMPAT_PROMPT] for ref in accepted)
        page = Page(
            mode="compat",
            **main["loaded"],
            refs=sum(len(one["refs"]) for one in (seen, *frames)),
            characters=min(len(text), _COMPAT_PROMPT),
            milliseconds=round(main["milliseconds"], 1),
        )
        return page, Cover(kind=kind, accepted=tuple(accepted), in_prompt=in_prompt)

    def _frames(self, step: RecordedStep, following: int) -> list[dict[str, Any]]:
        """What the reference sees in the frames of the page that is loaded."""
        found: list[dict[str, Any]] = []
        assert self._tab is not None, "a page is loaded"
        for frame in self._tab.frames[1:]:
            found.append(json.loads(frame.evaluate(compat_script(), [[step.gold_backend_node_id], following])))
            following = found[-1]["next"]
        return found

    def _lens(self) -> Lens:
        """The main frame of a tab that has not seen too much."""
        if self._tab is None or self._tab.is_closed() or self._used >= _PAGES_PER_TAB:
            if self._tab is not None:
                self._tab.close()
            self._tab, self._used = self._context.new_page(), 0
        self._used += 1
        return self._eyes.lens(self._tab)


def _golds(step: RecordedStep) -> dict[str, Any]:
    return {"golds": [step.gold_backend_node_id]}
