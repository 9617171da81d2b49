"""What an agent sees of a page: one immutable snapshot, the same for every kind of agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operation = Literal["click", "type", "select", "upload"]
"""What can be done with an element beyond looking at it."""
Mode = Literal["axtree", "html", "visual"]
"""What the page is shown as: a list of elements and text, simplified HTML, or a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One option of a list to choose from."""

    value: str
    label: str
    selected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element that can be acted on.

    ``ref`` names it in all observations until its document goes away.
    """

    ref: str
    role: str
    name: str
    tag: str
    operations: tuple[Operation, ...]
    value: str | None = None
    """Content of a field, label of what is chosen; None where there is no such thing.

    Passwords are never shown.
    """
    kind: str = ""
    """``type`` of an input."""
    checked: bool | None = None
    """None where it cannot be ticked, or is neither on nor off."""
    expanded: bool | None = None
    selected: bool | None = None
    disabled: bool = False
    required: bool = False
    focused: bool = False
    choices: tuple[Choice, ...] = ()
    href: str | None = None
    """Where a link leads, absolute."""
    context: str = ""
    """Nearest heading, legend, row or list item, where that tells it from others of its name.

    Up to 140 characters.
    """
    hint: str = ""
    """Placeholder, pattern, least and greatest value of a field, in words."""
    box: tuple[float, float, float, float] | None = None
    """x, y, width, height in CSS pixels of the viewport; None if it has no box."""
    in_view: bool = True
    """Whether its centre lies in the viewport and nothing covers it."""
    covered: bool = False
    """Whether its centre would be in view, did nothing lie over it."""
    frame: str = ""
    """Address of the frame that holds it; empty for the page itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Something other than the page that scrolls on its own."""

    ref: str
    name: str
    above: int
    """CSS pixels that are scrolled out of sight above."""
    below: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One look at the tab in front."""

    url: str
    title: str
    text: str
    """Text that can be seen, in document order, one line per block."""
    elements: tuple[Element, ...]
    """In document order, through open shadow roots and frames."""
    panels: tuple[Panel, ...] = ()
    scrolled: tuple[int, int] = (0, 0)
    """CSS pixels of the page out of sight above and below."""
    viewport: tuple[int, int] = (0, 0)
    """Width and height in CSS pixels."""
    tabs: tuple[str, ...] = ()
    """Titles of all tabs, in order of opening; ``tab`` is the index of this one."""
    tab: int = 0
    can_go_back: bool = False
    left_out: int = 0
    """Elements beyond the limit."""
    html: str = ""
    """Simplified HTML with refs; mode ``html`` only."""
    picture: bytes | None = None
    """JPEG of the viewport, with numbered marks if asked for; mode ``visual`` only."""
    fingerprint: str = ""
    """Hex digest of what is seen: the same if, and only if, address, text, elements and their
    states are the same."""

    def element(self, ref: str) -> Element | None:
        """The element with this ref, if it was seen."""
        return next((element for element in self.elements if element.ref == ref), None)
