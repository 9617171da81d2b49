"""Reads archived pages (``final.mhtml``) in a browser without network, with the same script."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from .._text import sanitize_deep
from ..browser.cdp_session import CdpSession
from ..browser.find import find_browser
from ..checks import Probe
from ..errors import InfraError
from ..evidence.models import Read
from ..judge.rejudge import is_archived
from .probe_script import questions, script

# An archive must not fetch anything: its answers would be those of today's web.
_NO_NETWORK: Final = ["--host-resolver-rules=MAP * ~NOTFOUND"]
_SECONDS: Final = 20.0
_UNREADABLE: Final = "multipart/related"
_MOST_CHARACTERS: Final = 500_000


class ArchivedPages:
    """Opens archives; the browser is started for the first of them."""

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._browser: Browser | None = None

    def read(self, path: Path, probes: Sequence[Probe]) -> dict[str, Read]:
        """Answers by probe key, as far as the archive can be trusted to hold them.

        `InfraError` without a browser.
        """
        asked = [probe for probe in probes if is_archived(probe)]
        if not asked or not path.is_file():
            return {}
        context = self._started().new_context(offline=True)
        try:
            page = context.new_page()
            page.goto(path.absolute().as_uri(), timeout=_SECONDS * 1000)
            cdp = CdpSession(page)
            if cdp.world.evaluate("document.contentType") == _UNREADABLE:
                return {}  # it is cut off or no archive at all, and shows as an empty page
            framed = cdp.world.evaluate("document.querySelector('iframe, frame, object') !== null")
            state = json.loads(
                cdp.world.evaluate(f"{script()}.collect({questions(asked)}, {_MOST_CHARACTERS})")
            )
        except Error:
            return {}  # an archive that cannot be opened answers nothing, as if there was none
        finally:
            with suppress(Error):
                context.close()
        reads: dict[str, Read] = {}
        for probe, answer in zip(asked, sanitize_deep(state["reads"]), strict=True):
            if not framed or _found_outside_frames(probe, answer):
                reads[probe.key()] = Read(**answer, archived=True)
        return reads

    def close(self) -> None:
        """End the browser, if one was started."""
        if self._browser is not None:
            with suppress(Error):
                self._browser.close()
            self._browser = None

    def _started(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            program = find_browser(bundled=self._playwright.chromium.executable_path).path
            try:
                self._browser = self._playwright.chromium.launch(
                    executable_path=program, args=_NO_NETWORK
                )
            except Error as error:
                raise InfraError(f"the browser did not start: {error.message}") from error
        return self._browser


@contextmanager
def archived_pages() -> Iterator[ArchivedPages]:
    """Archived pages and a Playwright to open them with."""
    with sync_playwright() as playwright:
        pages = ArchivedPages(playwright)
        yield pages
        pages.close()


def _found_outside_frames(probe: Probe, answer: dict[str, Any]) -> bool:
    """Whether frames, which are closed in an archive, can add nothing.

    That is so of single elements that were all found.
    """
    if probe.name != "domExtract" or probe.arguments["all"]:
        return False
    value = answer.get("value")
    return isinstance(value, dict) and all(one is not None for one in value.values())
