"""Pages and agents open the web, what pages made themselves, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, Playwright

from pytest_webbench.browser.context import FreshContext
from pytest_webbench.browser.local import LocalBrowser
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Captured
from pytest_webbench.world.base import Live
from tests.support.fake_http import Answer, Asked, serving
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser

SECRET = "the answer is 42"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Address of a file with an answer."""
    path = tmp_path / "task.json"
    path.write_text(SECRET, encoding="utf-8")
    return path.as_uri()


def opened(page: Page, url: str) -> str:
    """What a tab shows, at once, after somebody typed ``url`` there."""
    with suppress(Error):
        page.goto(url)
    for _attempt in range(3):
        with suppress(Error):  # the error page may replace the document meanwhile
            return str(page.evaluate("document.documentElement.textContent"))
    return ""


def test_files_are_never_shown_and_each_try_is_recorded(
    session: Session, capture: Callable[..., Captured], file: str
) -> None:
    page, folder = session.page, file.rpartition("/")[0] + "/"
    capital = file.replace("file:", "FILE:")
    for url in (file, capital, folder, f"view-source:{file}", f"filesystem:{file}"):
        assert SECRET not in opened(page, url)
        assert "task.json" not in opened(page, url)
    assert SECRET not in opened(session.context.new_page(), file), "in a new tab"
    stranger = session.context.browser.new_context().new_page()  # type: ignore[union-attr]
    assert SECRET not in opened(stranger, file), "in a context that the agent made"
    stranger.context.close()
    page.goto(HOME)
    protocol = session.context.new_cdp_session(page)
    own = protocol.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    with session.context.expect_page() as tab:
        protocol.send("Target.createTarget", {"url": file, "browserContextId": own})
    assert SECRET not in opened(tab.value, "about:blank")
    evidence = capture().evidence
    assert evidence.refused == (file, folder, f"filesystem:{file}")


def test_pages_cannot_reach_files_either(session: Session, file: str) -> None:
    session.page.goto(HOME)
    tried = session.page.evaluate(
        """async (file) => {
          const frame = document.createElement("iframe");
          frame.src = file;
          const link = Object.assign(document.createElement("a"), { href: file, download: "x" });
          document.body.append(frame, link);
          link.click();
          open(file);
          open("view-source:" + file);
          const fetched = await fetch(file).then((answer) => answer.text(), String);
          return [fetched, document.body.textContent];
        }""",
        file,
    )
    assert SECRET not in json.dumps(tried)
    assert [page.url for page in session.tabs if page.url.startswith("file:")] == []


def test_pages_of_the_browser_lead_to_a_blank_page(
    session: Session, capture: Callable[..., Captured]
) -> None:
    own = [
        "chrome://blob-internals/",
        "chrome://version/",
        f"view-source:{HOME}",
        "about:version",
    ]
    for url in own:
        page = session.context.new_page()
        page.goto(HOME)
        opened(page, url)
        page.wait_for_url(re.compile("^(about:blank|chrome-error:.*)$"))
        page.close()
    tools = "devtools://devtools/bundled/inspector.html"
    opened(session.page, tools)
    assert session.page.url == HOME, "a headless shell has no tools"
    assert set(capture().evidence.refused) == {*own, tools}


def test_what_pages_make_themselves_may_be_opened(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page
    page.goto("data:text/html,<p>data</p>")
    assert page.inner_text("p") == "data"
    page.goto(HOME)
    with session.context.expect_page() as tab:
        page.evaluate("open(URL.createObjectURL(new Blob(['<p>blob</p>'], {type: 'text/html'})))")
    assert tab.value.inner_text("p") == "blob"
    page.set_content("<iframe srcdoc='<p>frame</p>'></iframe><a href='mailto:a@b.test'>write</a>")
    assert page.frame_locator("iframe").locator("p").inner_text() == "frame"
    page.click("a")
    page.evaluate("open('about:blank')")
    assert capture().evidence.refused == ()


@pytest.fixture
def beside(playwright: Playwright) -> Iterator[FreshContext]:
    """Another worker's browser, with an open debugging port."""
    fresh = LocalBrowser(playwright, {}).dedicated(Live(), {})
    yield fresh
    fresh.context.close()
    fresh.kill_browser()


def test_debugging_ports_are_out_of_reach(beside: FreshContext, playwright: Playwright) -> None:
    own = LocalBrowser(playwright, {}).dedicated(Live(), {})
    assert own.cdp_url is not None
    ports = [str(fresh.cdp_url).rpartition(":")[2] for fresh in (own, beside)]

    def answer(asked: Asked) -> Answer:
        if asked.path.startswith("/to/"):
            headers = {"Location": f"http://127.0.0.1:{asked.path[4:]}/json/list"}
            return Answer(status=302, headers=headers)
        return Answer(body="<p>a page</p>", headers={"Content-Type": "text/html"})

    with serving(answer) as service:
        session = Session(own, Notes(), step_shots=False)
        session.open(service.url, timeout=20)
        session.begin()
        for port in ports:
            for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1"):
                shown = opened(session.page, f"http://{host}:{port}/json/version")
                assert "webSocketDebuggerUrl" not in shown, host
            shown = opened(session.page, f"{service.url}/to/{port}")
            assert "webSocketDebuggerUrl" not in shown, "a redirect"
        assert opened(session.page, service.url) == "a page", (
            "other ports of loopback are as before"
        )
        tried = session.boundary.tried
        session.close()
    for port in ports:
        assert f"http://127.0.0.1:{port}/json/version" in tried
        assert f"http://127.0.0.1:{port}/json/list" in tried
