"""What a decision model may choose from on one page, and what each choice does. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from ...browser.actions import (
    Action,
    Back,
    Blocked,
    Click,
    Done,
    Press,
    Scroll,
    SelectOption,
    SwitchTab,
    Wait,
)
from ...browser.observation import Choice, Element, Observation

MOST_TARGETS: Final = 250
"""Ways to use an element, over all elements; each option of a list is one."""
MOST_PANELS: Final = 20
_LONGEST_CONTEXT: Final = 140
_NEVER_OFFERED: Final = ("password", "file", "hidden")
_OPERATIONS: Final = {
    "CLICK": "click one of the elements",
    "TYPE_TEXT": "replace the content of a text field; what is typed is decided afterwards",
    "SELECT": "choose one option of a list",
    "SCROLL_DOWN": "show what is further down the page",
    "SCROLL_UP": "show what is further up the page",
    "WAIT": "let the page go on for a moment",
    "PRESS_ENTER": "press Enter in the focused text field",
    "PRESS_ESCAPE": "press Escape in the focused text field",
    "GO_BACK": "go back to the page before this one",
}
_ENDINGS: Final = {
    "DONE": "the task is done: everything it asks for is reached or shown",
    "BLOCKED": "nothing that is offered can bring the task any further",
}
TARGETED: Final = ("CLICK", "TYPE_TEXT", "SELECT")
"""Operations that need a target."""


@dataclass(frozen=True, slots=True)
class MenuTarget:
    """An element, with one of its options where one is to be chosen."""

    index: str
    element: Element
    choice: Choice | None = None

    def label(self) -> str:
        """``[3] link "Next"`` or ``[4:2] combobox "Size": Large``."""
        name = f'[{self.index}] {self.element.role} "{self.element.name}"'
        return f"{name}: {self.choice.label}" if self.choice else name

    def described(self) -> dict[str, JsonValue]:
        """How the option is presented to the model."""
        element = self.element
        label = f"{element.name}: {self.choice.label}" if self.choice else element.name
        facts: dict[str, JsonValue] = {
            "element": f"[{self.index}] {label}",
            "current_value": element.value or "",
        }
        if element.role:
            facts["role"] = element.role
        return facts | _states(element)


Targets = dict[str, dict[str, MenuTarget]]
"""By operation and index."""


@dataclass(frozen=True, slots=True)
class Menu:
    """All that can be chosen on a page."""

    elements: tuple[tuple[str, Element], ...]
    """Those that the model is shown, each with its index."""
    operations: dict[str, str]
    """By name, what each does."""
    targets: Targets
    """Only operations that have any."""
    plain: dict[str, Action] = field(default_factory=dict)
    """The actions of operations without a target."""

    def action(self, operation: str, index: str = "") -> Action | None:
        """What a choice does; None for TYPE_TEXT, whose text is still missing."""
        if operation not in TARGETED:
            return self.plain[operation]
        target = self.targets[operation][index]
        ref = target.element.ref
        if operation == "CLICK":
            return Click(ref=ref)
        if target.choice is None:
            return None
        return SelectOption(ref=ref, option=target.choice.value or target.choice.label)


def menu_of(seen: Observation, *, whole_page: bool = False, no_text: Collection[str] = ()) -> Menu:
    """The menu of a page; fields whose refs are in ``no_text`` are not offered for typing."""
    elements, targets = _elements_and_targets(seen, whole_page=whole_page, no_text=no_text)
    plain = _plain_actions(seen)
    panels = _panel_actions(seen, first=len(elements) + 1)
    operations = {
        name: text for name, text in _OPERATIONS.items() if name in targets or name in plain
    }
    # Panels come after the page's own operations, and the two endings last of all.
    for name, (text, action) in panels.items():
        operations[name] = text
        plain[name] = action
    return Menu(tuple(elements), operations | _ENDINGS, targets, plain)


def _elements_and_targets(
    seen: Observation, *, whole_page: bool, no_text: Collection[str]
) -> tuple[list[tuple[str, Element]], Targets]:
    targets: Targets = {operation: {} for operation in TARGETED}
    elements: list[tuple[str, Element]] = []
    room = MOST_TARGETS
    for element in seen.elements:
        if not _is_offered(element, whole_page=whole_page):
            continue
        # Elements that cannot be used get no number, so indices have no gaps.
        index = str(len(elements) + 1)
        found = _targets(index, element, may_type=element.ref not in no_text)[:room]
        if not found:
            continue
        elements.append((index, element))
        for operation, target in found:
            targets[operation][target.index] = target
        room -= len(found)
        if not room:
            break
    return elements, {operation: options for operation, options in targets.items() if options}


def _is_offered(element: Element, *, whole_page: bool) -> bool:
    if element.disabled or element.kind in _NEVER_OFFERED:
        return False
    return whole_page or element.in_view


def _targets(index: str, element: Element, *, may_type: bool) -> list[tuple[str, MenuTarget]]:
    found = []
    if "click" in element.operations:
        found.append(("CLICK", MenuTarget(index, element)))
    if "type" in element.operations and may_type:
        found.append(("TYPE_TEXT", MenuTarget(index, element)))
    if "select" in element.operations:
        for number, choice in enumerate(element.choices, 1):
            if not choice.selected:
                found.append(("SELECT", MenuTarget(f"{index}:{number}", element, choice)))
    return found


def _plain_actions(seen: Observation) -> dict[str, Action]:
    actions: dict[str, Action] = {
        "SCROLL_DOWN": Scroll(direction="down"),
        "SCROLL_UP": Scroll(direction="up"),
        "WAIT": Wait(),
        "DONE": Done(),
        "BLOCKED": Blocked(),
    }
    if any(element.focused and "type" in element.operations for element in seen.elements):
        actions |= {"PRESS_ENTER": Press(key="Enter"), "PRESS_ESCAPE": Press(key="Escape")}
    if seen.can_go_back:
        actions["GO_BACK"] = Back()
    elif seen.tab > 0:
        # A new tab has no history; the page before it is in the tab that opened it.
        actions["GO_BACK"] = SwitchTab(index=seen.tab - 1)
    return actions


def _panel_actions(seen: Observation, *, first: int) -> dict[str, tuple[str, Action]]:
    """Scrolling of single panels, named ``E17`` and so on after the last element."""
    found: list[tuple[str, Action]] = []
    for panel in seen.panels[:MOST_PANELS]:
        name = panel.name or "a panel"
        if panel.below > 0:
            found.append((f"scroll down within: {name}", Scroll(direction="down", ref=panel.ref)))
        if panel.above > 0:
            found.append((f"scroll up within: {name}", Scroll(direction="up", ref=panel.ref)))
    return {f"E{number}": one for number, one in enumerate(found, first)}


def _states(element: Element) -> dict[str, JsonValue]:
    states = {
        "checked": element.checked,
        "selected": element.selected,
        "expanded": element.expanded,
    }
    return {name: state for name, state in states.items() if state is not None}


def element_state(index: str, element: Element, targets: Targets) -> dict[str, JsonValue]:
    """An element as the request describes it."""
    operations: list[JsonValue] = [
        operation
        for operation, options in targets.items()
        if any(target.element is element for target in options.values())
    ]
    state: dict[str, JsonValue] = {
        "role": element.role,
        "index": index,
        "label": element.name,
        "operations": operations,
    }
    if element.value is not None:
        state["value"] = element.value
    state |= _states(element)
    options = _options(element, targets.get("SELECT", {}))
    if options:
        state["options"] = options
    if element.context:
        state["context"] = element.context[:_LONGEST_CONTEXT]
    if element.hint or element.kind:
        state["input_constraints"] = {"type": element.kind, "hint": element.hint}
    if element.box is not None:
        x, y, width, height = element.box
        state["position"] = {"x": round(x + width / 2), "y": round(y + height / 2)}
    return state


def _options(element: Element, targets: dict[str, MenuTarget]) -> list[JsonValue]:
    options: list[JsonValue] = []
    for target in targets.values():
        choice = target.choice
        if target.element is element and choice is not None:
            options.append({"index": target.index, "label": choice.label, "value": choice.value})
    return options
