"""Loads recorded pages and looks at them with the same eyes as live agents do.

Scripts are off and nothing is on the network: a recorded page is data, not a program.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from ..browser.observation import Observation
from ..browser.observe import Observer
from ..browser.rendering import as_text
from .records import RecordedStep
from .scoring import Cover, Page

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as BrowserPage

Mode = Literal["compat", "expand", "dom"]
VIEWPORT: Final = {"width": 1280, "height": 720}
_PAGES_PER_TAB: Final = 200
"""A tab is renewed after so many: memory of pages that went by is freed with it."""
_MOST_REFS: Final = 20_000
_PROMPT_REFS: Final = 250
_PROMPT_TEXT: Final = 6000


@cache
def _script(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A recorded page as it was seen, and how its refs relate to the recording."""

    page: Page
    cover: Cover
    observation: Observation
    nodes: dict[str, tuple[str | None, str]]
    """By ref, the element's backend_node_id and its tag."""
    tag: str = ""
    """Of the first target that is in the page."""


class Reader:
    """Looks at one recorded page after the other, in one browser."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(viewport=VIEWPORT, java_script_enabled=False, offline=True)  # type: ignore[arg-type]
        self._tab: BrowserPage | None = None
        self._used = 0

    def look(self, step: RecordedStep, mode: Literal["expand", "dom"] = "dom") -> Seen:
        """What our observation makes of a step's page."""
        begin = time.perf_counter()
        tab = self._fresh_tab()
        loaded = self._load(tab, step, mode)
        observer = Observer(elements=_MOST_REFS, text=_PROMPT_TEXT)
        observer.lens(tab).call("restart")  # refs begin at e1, whatever was looked at before
        observation = observer.look(tab)
        clickable = [*step.clickable, *(node.id for node in step.candidates if node.clickable)]
        asked = {
            "golds": step.targets,
            "refs": [element.ref for element in observation.elements],
            "clickable": list(dict.fromkeys(clickable)),
        }
        told: dict[str, Any] = observer.lens(tab).ask(_script("relation.js"), asked)
        seconds = time.perf_counter() - begin
        prompt = as_text(cut(observation))
        cover = Cover.model_validate(told["cover"])
        shown = any(f"[{ref}]" in prompt for ref in cover.accepted)
        return Seen(
            page=Page(
                mode=mode,
                **loaded,
                refs=len(observation.elements),
                characters=len(prompt),
                clickable=told["clickable"],
                clickable_covered=told["reached"],
                false_refs=told["false_refs"],
                milliseconds=round(seconds * 1000, 1),
            ),
            cover=cover.model_copy(update={"in_prompt": shown}),
            observation=observation,
            nodes={ref: (node, tag) for ref, node, tag in told["nodes"]},
            tag=told["tag"],
        )

    def look_compat(self, step: RecordedStep) -> tuple[Page, Cover]:
        """The same page as the reference loads and sees it; refs and rules are the reference's."""
        begin = time.perf_counter()
        tab = self._fresh_tab()
        loaded = self._load(tab, step, "compat")
        covered, accepted, refs, tree, following = False, [], 0, [], 1
        for frame in tab.frames:
            told = json.loads(frame.evaluate(_script("compat.js"), [[step.gold_backend_node_id], following]))
            gold = told["golds"][0]
            covered = covered or (frame == tab.main_frame and gold["covered"])
            accepted += gold["accepted"]
            refs, following = refs + len(told["refs"]), told["next"]
            tree.append(told["tree"])
        seconds = time.perf_counter() - begin
        text = json.dumps(tree, ensure_ascii=False)
        kind: Literal["ancestor", "none"] = "ancestor" if covered else "none"
        page = Page(mode="compat", **loaded, refs=refs, characters=len(text), milliseconds=round(seconds * 1000, 1))
        return page, Cover(kind=kind, accepted=tuple(accepted))

    def close(self) -> None:
        """Close all tabs."""
        self._context.close()

    def _load(self, tab: BrowserPage, step: RecordedStep, mode: Mode) -> dict[str, int | None]:
        given = {
            "xml": step.cleaned_html,
            "mode": mode,
            "hidden": list(step.hidden) if mode == "dom" else [],
            "clickable": list(step.clickable) if mode == "dom" else [],
        }
        loaded: dict[str, int | None] = json.loads(tab.evaluate(_script("load.js"), given))
        return loaded

    def _fresh_tab(self) -> BrowserPage:
        if self._tab is None or self._tab.is_closed() or self._used >= _PAGES_PER_TAB:
            if self._tab is not None:
                self._tab.close()
            self._tab, self._used = self._context.new_page(), 0
        self._used += 1
        return self._tab


def cut(observation: Observation) -> Observation:
    """What of an observation a live agent would be shown: the first elements, as many as it lists."""
    from dataclasses import replace

    kept = observation.elements[:_PROMPT_REFS]
    return replace(observation, elements=kept, left_out=len(observation.elements) - len(kept))
