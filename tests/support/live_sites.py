"""Sites of the live world on loopback, under names of their own, and a suite with tasks on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.support.fake_http import Answer, Asked, Service

SUITE: Final = """name = "sites"
title = "Tasks on sites that change"
licence = "Apache-2.0"
worlds = ["live", "replica"]

[limits]
seconds = 20
"""
TASK: Final = """id: {name}
goal: Follow the link to the details and stay there.
start_url: {url}
checks:
- name: the details are open
  get: final_url
  metric: url_matches
  expected: {address}details
- name: they show a price
  get: {{type: dom_extract, selectors: {{price: "#price"}}, must_exist: [price]}}
  metric: json_object_match
  expected: {{price: "12"}}
  requires: [the details are open]
solution:
- {{do: click, role: link, name: Details}}
"""
HOME: Final = (
    "<!doctype html><title>Shop</title><p>Welcome to the shop.</p><a href=/details>Details</a>"
)
DETAILS: Final = "<!doctype html><title>Details</title><p>The price:</p><p id=price>12</p>"
CHANGED: Final = "<!doctype html><title>Details</title><p>The price:</p><p class=cost>12</p>"
WALL: Final = (
    "<!doctype html><title>Just a moment...</title><p>Checking your browser before accessing the "
    "site. Ray ID: 12ab"
)


def html(text: str, status: int = 200) -> Answer:
    """A page."""
    return Answer(body=text, status=status, headers={"Content-Type": "text/html; charset=utf-8"})


class LiveSites:
    """Any number of sites at one port, told apart by their names: ``shop.localhost``.

    ``pages`` holds, by name and path, what is not as usual.
    """

    def __init__(self) -> None:
        self.pages: dict[tuple[str, str], Answer] = {}
        self.service = Service(self._answer)
        self.port = urlsplit(self.service.url).port

    def _answer(self, asked: Asked) -> Answer:
        site = asked.headers["host"].partition(".")[0]
        path = asked.path.partition("?")[0]
        usual = {"/": html(HOME), "/details": html(DETAILS)}
        return self.pages.get((site, path)) or usual.get(path) or html("", 404)

    def address(self, site: str) -> str:
        """The address of a site's start page."""
        return f"http://{site}.localhost:{self.port}/"

    def visits(self, site: str) -> int:
        """How often its start page was opened."""
        asked = [one for one in self.service.asked if one.path == "/"]
        return sum(one.headers["host"].startswith(f"{site}.") for one in asked)


def serving_sites() -> Iterator[LiveSites]:
    """For a fixture: sites that are closed at its end."""
    sites = LiveSites()
    yield sites
    sites.service.close()


def write_suite(folder: Path, tasks: dict[str, str], live: str = "") -> Path:
    """A suite with one task per name in ``tasks``, which begins at the address there."""
    (folder / "tasks").mkdir(parents=True)
    (folder / "suite.toml").write_text(SUITE + live)
    for name, address in tasks.items():
        text = TASK.format(name=name, url=address, address=address)
        (folder / "tasks" / f"{name}.yaml").write_text(text)
    return folder
