"""Seeing and using a page as this package's own agents do; see ``docs/observation.md``."""

from .browser.actions import (
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
from .browser.executor import ActionExecutor
from .browser.observation import Choice, Element, Observation, Panel
from .browser.observer import Observer
from .browser.rendering import as_text, describe

__all__ = [
    "Action",
    "ActionExecutor",
    "Back",
    "Blocked",
    "Choice",
    "Click",
    "ClickAt",
    "Done",
    "Drag",
    "Element",
    "Hover",
    "Observation",
    "Observer",
    "Panel",
    "Press",
    "Scroll",
    "SelectOption",
    "SwitchTab",
    "TypeText",
    "Upload",
    "Wait",
    "as_text",
    "describe",
]
