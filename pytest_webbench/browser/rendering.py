"""Observations and actions in words."""

from __future__ import annotations

from collections.abc import Sequence

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
)
from .observation import Choice, Element, Observation

_MOST_CHOICES = 20


def as_text(observation: Observation) -> str:
    """The observation as text for a prompt: address, tabs, one element per line, then the text."""
    above, below = observation.scrolled
    parts = [f"URL: {observation.url}", f"Title: {observation.title}"]
    if len(observation.tabs) > 1:
        parts.append(f"Tabs (* is in front): {', '.join(_tabs(observation))}")
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


def _tabs(observation: Observation) -> list[str]:
    tabs = [f'{at} "{title}"' for at, title in enumerate(observation.tabs)]
    tabs[observation.tab] = f"*{tabs[observation.tab]}"
    return tabs


def _line(element: Element) -> str:
    parts = [f'[{element.ref}] {element.role} "{element.name}"']
    if element.value is not None:
        parts.append(f'value "{element.value}"')
    parts += _states(element)
    if element.choices:
        parts.append(_options(element.choices))
    if element.hint:
        parts.append(f"({element.hint})")
    if element.context:
        parts.append(f'in "{element.context}"')
    return ", ".join(parts)


def _options(choices: Sequence[Choice]) -> str:
    shown = " | ".join(choice.label for choice in choices[:_MOST_CHOICES])
    more = len(choices) - _MOST_CHOICES
    return f"options: {shown} and {more} more" if more > 0 else f"options: {shown}"


def _states(element: Element) -> list[str]:
    states = {
        "checked": element.checked,
        "not checked": element.checked is False,
        "expanded": element.expanded,
        "collapsed": element.expanded is False,
        "selected": element.selected,
        "disabled": element.disabled,
        "required": element.required,
        "focused": element.focused,
        "covered": element.covered,
        "out of view": not element.in_view and not element.covered,
    }
    return [name for name, holds in states.items() if holds]


def describe(action: Action, observation: Observation) -> str:  # noqa: PLR0911 - one per kind
    """An action in words, with the element's name: ``click link "Next"``."""
    match action:
        case SwitchTab():
            return f'switch to tab {action.index} "{_title(observation, action.index)}"'
        case Back():
            return "go back"
        case Wait():
            return "wait"
        case Done():
            return "done" if action.answer is None else f"done {action.answer!r}"
        case Blocked():
            return f"blocked: {action.reason}"
        case ClickAt():
            return f"click at ({action.x:g}, {action.y:g})"
        case Press():
            return f"press {action.key}"
        case _:
            return _describe_use(action, observation)


def _describe_use(
    action: Click | TypeText | SelectOption | Scroll | Hover | Drag | Upload,
    observation: Observation,
) -> str:
    """An action on an element or panel in words."""
    name = _name(observation, action.ref)
    match action:
        case Click() | Hover():
            return f"{action.do} {name}"
        case TypeText():
            words = f"type {action.text!r} into {name}"
            return f"{words} and press Enter" if action.submit else words
        case SelectOption():
            return f"select {action.option!r} in {name}"
        case Scroll():
            return f"scroll {action.direction} {name}".rstrip()
        case Drag():
            return f"drag {name} to {_name(observation, action.to)}"
        case Upload():
            return f"upload {', '.join(action.names)} to {name}"


def _name(observation: Observation, ref: str | None) -> str:
    if not ref:
        return ""
    element = observation.element(ref)
    if element is not None:
        return f'{element.role} "{element.name}"'
    for panel in observation.panels:
        if panel.ref == ref:
            return f'panel "{panel.name}"'
    return ref


def _title(observation: Observation, index: int) -> str:
    return observation.tabs[index] if index < len(observation.tabs) else ""
