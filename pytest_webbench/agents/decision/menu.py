"""What a decision model may choose from on one page, and what each choice does. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from ...browser.actions import Action, Back, Blocked, Click, Done, Press, Scroll, SelectOption, SwitchTab, Wait
from ...browser.observation import Choice, Element, Observation

MOST_TARGETS: Final = 250
"""Ways to use an element, over all elements; each option of a list is one."""
MOST_PANELS: Final = 20
_NEVER_SHOWN: Final = ("password", "file", "hidden")
_DO: Final = {
    "CLICK": "click one of the elements",
    "TYPE_TEXT": "replace the content of a text field; what is typed is decided afterwards",
    "SELECT": "choose one option of a list",
    "SCROLL_DOWN": "show what is further down the page",
    "SCROLL_UP": "show what is further up the page",
    "WAIT": "let the page go on for a moment",
    "PRESS_ENTER": "press Enter in the focused text field",
    "PRESS_ESCAPE": "press Escape in the focused text field",
    "GO_BACK": "go back to the page before this one",
    "DONE": "the task is done: everything it asks for is reached or shown",
    "BLOCKED": "nothing that is offered can bring the task any further",
}
TARGETED: Final = ("CLICK", "TYPE_TEXT", "SELECT")


@dataclass(frozen=True, slots=True)
class Target:
    """An element, with one of its options where one is to be chosen."""

    index: str
    element: Element
    choice: Choice | None = None

    def label(self) -> str:
        """``[3] link "Next"`` or ``[4:2] combobox "Size": Large``."""
        name = f'[{self.index}] {self.element.role} "{self.element.name}"'
        return f"{name}: {self.choice.label}" if self.choice else name

    def described(self) -> dict[str, JsonValue]:
        """How the option is put to the model."""
        element = self.element
        label = f"{element.name}: {self.choice.label}" if self.choice else element.name
        facts: dict[str, JsonValue] = {"element": f"[{self.index}] {label}", "current_value": element.value or ""}
        if element.role:
            facts["role"] = element.role
        return facts | _states(element)


@dataclass(frozen=True, slots=True)
class Menu:
    """All that can be chosen on a page."""

    elements: tuple[tuple[str, Element], ...]
    """Those that are put to the model, each with its index."""
    operations: dict[str, str]
    """By name, what each does."""
    targets: dict[str, dict[str, Target]]
    """By operation and index; only operations that have any."""
    plain: dict[str, Action] = field(default_factory=dict)
    """The actions of operations without a target."""

    def action(self, operation: str, index: str = "") -> Action | None:
        """What a choice does; None for TYPE_TEXT, whose text is still missing."""
        if operation not in TARGETED:
            return self.plain[operation]
        target = self.targets[operation][index]
        if operation == "CLICK":
            return Click(ref=target.element.ref)
        if target.choice is not None:
            return SelectOption(ref=target.element.ref, option=target.choice.value or target.choice.label)
        return None


def menu_of(seen: Observation, *, whole_page: bool = False, no_text: Collection[str] = ()) -> Menu:
    """The menu of a page; fields whose refs are in ``no_text`` are not offered for typing."""
    targets: dict[str, dict[str, Target]] = {operation: {} for operation in TARGETED}
    elements: list[tuple[str, Element]] = []
    room = MOST_TARGETS
    for element in seen.elements:
        if element.disabled or element.kind in _NEVER_SHOWN or not (whole_page or element.in_view):
            continue
        index = str(len(elements) + 1)
        found = _targets(index, element, may_type=element.ref not in no_text)[:room]
        if not found:
            continue
        room -= len(found)
        elements.append((index, element))
        for operation, target in found:
            targets[operation][target.index] = target
        if not room:
            break
    targets = {operation: options for operation, options in targets.items() if options}
    plain, panels = _plain(seen), _panels(seen, len(elements))
    names = [*targets, *plain]
    names = sorted(names, key=list(_DO).index)
    ends = names.index("DONE")
    operations = {name: _DO[name] for name in names[:ends]}
    operations |= {name: text for name, (text, _) in panels.items()}
    operations |= {name: _DO[name] for name in names[ends:]}
    return Menu(tuple(elements), operations, targets, plain | {name: action for name, (_, action) in panels.items()})


def _targets(index: str, element: Element, *, may_type: bool) -> list[tuple[str, Target]]:
    found = []
    if "click" in element.operations:
        found.append(("CLICK", Target(index, element)))
    if "type" in element.operations and may_type:
        found.append(("TYPE_TEXT", Target(index, element)))
    if "select" in element.operations:
        found += [
            ("SELECT", Target(f"{index}:{number}", element, choice))
            for number, choice in enumerate(element.choices, 1)
            if not choice.selected
        ]
    return found


def _plain(seen: Observation) -> dict[str, Action]:
    actions: dict[str, Action] = {
        "SCROLL_DOWN": Scroll(direction="down"),
        "SCROLL_UP": Scroll(direction="up"),
        "WAIT": Wait(),
    }
    if any(element.focused and "type" in element.operations for element in seen.elements):
        actions |= {"PRESS_ENTER": Press(key="Enter"), "PRESS_ESCAPE": Press(key="Escape")}
    if seen.can_go_back:
        actions["GO_BACK"] = Back()
    elif seen.tab > 0:
        actions["GO_BACK"] = SwitchTab(index=seen.tab - 1)
    return actions | {"DONE": Done(), "BLOCKED": Blocked()}


def _panels(seen: Observation, elements: int) -> dict[str, tuple[str, Action]]:
    """Scrolling of single panels, named ``E17`` and so on after the last element."""
    found: list[tuple[str, Action]] = []
    for panel in seen.panels[:MOST_PANELS]:
        name = panel.name or "a panel"
        if panel.below > 0:
            found.append((f"scroll down within: {name}", Scroll(direction="down", ref=panel.ref)))
        if panel.above > 0:
            found.append((f"scroll up within: {name}", Scroll(direction="up", ref=panel.ref)))
    return {f"E{number}": one for number, one in enumerate(found, elements + 1)}


def _states(element: Element) -> dict[str, JsonValue]:
    states = {"checked": element.checked, "selected": element.selected, "expanded": element.expanded}
    return {name: state for name, state in states.items() if state is not None}


def record(index: str, element: Element, targets: dict[str, dict[str, Target]]) -> dict[str, JsonValue]:
    """An element as the state describes it."""
    facts: dict[str, JsonValue] = {
        "role": element.role,
        "index": index,
        "label": element.name,
        "operations": [
            operation
            for operation, options in targets.items()
            if any(target.element is element for target in options.values())
        ],
    }
    options = [target for target in targets.get("SELECT", {}).values() if target.element is element]
    if element.value is not None:
        facts["value"] = element.value
    facts |= _states(element)
    if options:
        facts["options"] = [
            {"index": one.index, "label": one.choice.label, "value": one.choice.value} for one in options if one.choice
        ]
    if element.context:
        facts["context"] = element.context[:140]
    if element.hint or element.kind:
        facts["input_constraints"] = {"type": element.kind, "hint": element.hint}
    if element.box is not None:
        x, y, width, height = element.box
        facts["position"] = {"x": round(x + width / 2), "y": round(y + height / 2)}
    return facts
