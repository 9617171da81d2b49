"""Archived pages opened without a network: what can be read from them and what cannot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

from pytest_webbench.browser.cdp_session import CdpSession
from pytest_webbench.capture.archive import ArchivedPages
from pytest_webbench.checks import Probe

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>Lamps</title><h1>Lamps</h1><ul><li>one<li>two</ul><input value=old><div id=host></div>
<script>host.attachShadow({mode: "open"}).innerHTML = "<b class=deep>in a shadow</b>"
document.querySelector("ul").append(document.createElement("li"))</script>"""
FRAMED = f"{PAGE}<iframe srcdoc='<li class=inner>three'></iframe>"


def extract(selector: str, **more: object) -> Probe:
    return Probe("domExtract", {"selectors": {"it": selector}, "attr": None, "all": False, **more})


COUNT = Probe("domCount", {"selector": "li"})
TEXT = Probe("visibleText", {"selector": "ul"})


@pytest.fixture(scope="module")
def pages(playwright: Playwright) -> Iterator[ArchivedPages]:
    opened = ArchivedPages(playwright)
    yield opened
    opened.close()


def archive(browser: Browser, html: str, folder: Path) -> Path:
    context = browser.new_context()
    page = context.new_page()
    page.set_content(html)
    path = folder / "final.mhtml"
    path.write_text(CdpSession(page).archive(), newline="")
    context.close()
    return path


def test_elements_texts_counts_and_shadow_roots_are_read(
    pages: ArchivedPages, mini_browser: Browser, tmp_path: Path
) -> None:
    path = archive(mini_browser, PAGE, tmp_path)
    probes = [extract("h1"), extract(".deep"), extract(".none"), COUNT, TEXT]
    values = [read.value for read in pages.read(path, probes).values()]
    assert values == [{"it": "Lamps"}, {"it": "in a shadow"}, {"it": None}, 3, "one two"]
    assert all(read.archived for read in pages.read(path, probes).values())


def test_archive_is_read_outside_frames_only(
    pages: ArchivedPages, mini_browser: Browser, tmp_path: Path
) -> None:
    path = archive(mini_browser, FRAMED, tmp_path)
    probes = [extract("h1"), extract(".inner"), extract("li", all=True), COUNT, TEXT]
    assert list(pages.read(path, probes)) == [extract("h1").key()]


def test_control_state_is_not_read_from_archives(
    pages: ArchivedPages, mini_browser: Browser, tmp_path: Path
) -> None:
    path = archive(mini_browser, PAGE, tmp_path)
    probes = [Probe("controlState", {"selectors": {"it": "input"}}), extract("input", attr="value")]
    assert pages.read(path, probes) == {}


@pytest.mark.parametrize("content", [b"", b"no archive at all", None])
def test_truncated_archive_gives_no_reads(
    pages: ArchivedPages, mini_browser: Browser, tmp_path: Path, content: bytes | None
) -> None:
    path = archive(mini_browser, PAGE, tmp_path)
    path.write_bytes(path.read_bytes()[:300] if content is None else content)
    assert pages.read(path, [extract("h1"), COUNT]) == {}


def test_missing_archive_gives_no_reads(pages: ArchivedPages, tmp_path: Path) -> None:
    assert pages.read(tmp_path / "final.mhtml", [COUNT]) == {}
