"""What a tab's history was before the entries that the browser still lists."""

from __future__ import annotations

import pytest

from pytest_webbench.browser.tab_history import MOST_LISTED, TabHistory

LISTED = [f"/{number}" for number in range(MOST_LISTED)]


@pytest.mark.parametrize(
    ("passed", "listed", "forgotten"),
    [
        (["/a", "/b"], ["/a", "/b"], []),
        (LISTED, LISTED, []),
        (["/a", *LISTED], LISTED, ["/a"]),
        (["/a", "/b", "/49", *LISTED, "/48", "/47"], LISTED, ["/a", "/b", "/49"]),
        (["/a", *LISTED[:20], "/replaced", *LISTED[20:]], LISTED, ["/a"]),
        (LISTED[1:], LISTED, None),
        ([], LISTED, None),
    ],
)
def test_forgotten_entries_are_those_noted_before_the_listed_ones(
    passed: list[str], listed: list[str], forgotten: list[str] | None
) -> None:
    history = TabHistory()
    for url in passed:
        history.shows("tab", url)
    found = history.forgotten("tab", listed)
    assert (None if found is None else [one.url for one in found]) == forgotten


def test_frame_that_moves_lists_the_address_of_its_tab_again() -> None:
    history = TabHistory()
    history.shows("tab", "/a", typed=True)
    history.shows("tab", "/b")
    for _ in range(MOST_LISTED - 1):
        history.frame_moves("tab")
    assert history.forgotten("tab", ["/b"] * MOST_LISTED) == [("/a", True)]
