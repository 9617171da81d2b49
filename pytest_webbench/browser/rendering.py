"""Observations and actions in words."""

from __future__ import annotations

from .actions import (
    Action,
    Back,
    Blocked,
    Click,
    ClickAt,
    Done,
    Drag,
    Hover,
    Press,
    Scroll,
    SelectOption,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)  # fmt: skip
from .observation import Element, Observation

_MOST_CHOICES = 20


def as_text(observation: Observation) -> str:
    """The observation as text for a prompt: address, tabs, one element per line, then what can be read."""
    above, below = observation.scrolled
    parts = [f"URL: {observation.url}", f"Title: {observation.title}"]
    if len(observation.tabs) > 1:
        tabs = (f'{"*" if at == observation.tab else ""}{at} "{title}"' for at, title in enumerate(observation.tabs))
        parts.append(f"Tabs (* is in front): {', '.join(tabs)}")
    parts.append(f"Scrolled: {above} px above, {below} px below the viewport")
    if observation.panels:
        parts.append("Panels that scroll on their own:")
        parts += [
            f'[{panel.ref}] "{panel.name}" ({panel.above} px above, {panel.below} px below)'
            for panel in observation.panels
        ]
    parts.append("Elements:")
    parts += [_line(element) for element in observation.elements] or ["(none)"]
    if observation.left_out:
        parts.append(f"... and {observation.left_out} more; scroll to see others")
    if observation.html:
        parts += ["HTML:", observation.html]
    else:
        parts += ["Text:", observation.text or "(none)"]
    return "\n".join(parts)


def _line(element: Element) -> str:
    parts = [f'[{element.ref}] {element.role} "{element.name}"']
    if element.value is not None:
        parts.append(f'value "{element.value}"')
    parts += _states(element)
    if element.choices:
        labels = [choice.label for choice in element.choices[:_MOST_CHOICES]]
        more = len(element.choices) - len(labels)
        parts.append(f"options: {' | '.join(labels)}{f' and {more} more' if more else ''}")
    if element.hint:
        parts.append(f"({element.hint})")
    if element.context:
        parts.append(f'in "{element.context}"')
    return ", ".join(parts)


def _states(element: Element) -> list[str]:
    states = {
        "checked": element.checked, "not checked": element.checked is False, "expanded": element.expanded,
        "collapsed": element.expanded is False, "selected": element.selected, "disabled": element.disabled,
        "required": element.required, "focused": element.focused, "covered": element.covered,
        "out of view": not element.in_view and not element.covered,
    }  # fmt: skip
    return [name for name, holds in states.items() if holds]


def describe(action: Action, observation: Observation) -> str:  # noqa: PLR0911, PLR0912 - one line per kind
    """An action in words, with the element's name: ``click link "Next"``."""

    def name(ref: str | None) -> str:
        element = observation.element(ref) if ref else None
        panel = next((panel for panel in observation.panels if panel.ref == ref), None)
        if element is not None:
            return f'{element.role} "{element.name}"'
        return f'panel "{panel.name}"' if panel else str(ref)

    match action:
        case Click() | Hover():
            return f"{action.do} {name(action.ref)}"
        case ClickAt():
            return f"click at ({action.x:g}, {action.y:g})"
        case TypeText():
            return f"type {action.text!r} into {name(action.ref)}{' and press Enter' if action.submit else ''}"
        case SelectOption():
            return f"select {action.option!r} in {name(action.ref)}"
        case Press():
            return f"press {action.key}"
        case Scroll():
            return f"scroll {action.direction}{f' {name(action.ref)}' if action.ref else ''}"
        case Drag():
            return f"drag {name(action.ref)} to {name(action.to)}"
        case Upload():
            return f"upload {', '.join(action.names)} to {name(action.ref)}"
        case Back():
            return "go back"
        case SwitchTab():
            title = observation.tabs[action.index] if action.index < len(observation.tabs) else ""
            return f'switch to tab {action.index} "{title}"'
        case Wait():
            return "wait"
        case Done():
            return "done" if action.answer is None else f"done {action.answer!r}"
        case Blocked():
            return f"blocked: {action.reason}"
