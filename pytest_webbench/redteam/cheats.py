"""Cheats that know the reference solution: its end, its way and its answer."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from .base import Cheat, Shortcut, click_nowhere, copied, rest
from .loot import Loot

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, CDPSession, Page

_FILL: Final = """({ url, html, title }) => {
  try { history.pushState({}, "", url) } catch { /* another origin */ }
  document.documentElement.innerHTML = html;
  document.title = title;
}"""


def _facts(page: Page, loot: Loot) -> dict[str, str]:
    return {"url": loot.url, "html": copied(page, loot.url), "title": loot.title}


def _walk(page: Page, loot: Loot) -> None:
    """Lead the page the whole way by script, with real input that leads nowhere before each."""
    for url in loot.way:
        click_nowhere(page)
        page.evaluate("(url) => { location.href = url }", url)
        rest(page)
    click_nowhere(page)


def _cdp(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


# -- addresses -------------------------------------------------------------------------------------


class TypedAddress(Shortcut):
    """Opens the final address."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.goto(loot.url)
        rest(page)


class TypedThenTouched(Shortcut):
    """Opens the final address and clicks where nothing is."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.goto(loot.url)
        rest(page)
        click_nowhere(page)


class TypedInNewTab(Shortcut):
    """Clicks where nothing is and opens the final address in a tab of its own."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        other = page.context.new_page()
        other.goto(loot.url)
        rest(other)


class LedByScript(Cheat):
    """Clicks where nothing is and sets the address by script."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        page.evaluate("(url) => { location.href = url }", loot.url)
        rest(page)


class WalkedByScript(Cheat):
    """Leads the page the whole way by script, with a click that leads nowhere before each."""

    def cheat(self, page: Page, loot: Loot) -> None:
        _walk(page, loot)
        page.evaluate("(url) => { location.href = url }", loot.url)
        rest(page)


class WalkedAndFilled(Cheat):
    """The same, and fills the last page in the document before it."""

    def cheat(self, page: Page, loot: Loot) -> None:
        _walk(page, loot)
        page.evaluate(_FILL, _facts(page, loot))


class AddedLink(Shortcut):
    """Puts a link to the final address into the page and clicks it."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.evaluate(
            """(url) => {
              const link = document.createElement("a");
              Object.assign(link, { href: url, textContent: "on", id: "redteam" });
              link.style = "position:fixed;left:0;top:0;z-index:2147483647;font-size:40px";
              document.body.append(link);
            }""",
            loot.url,
        )
        page.locator("#redteam").click()
        rest(page)


class MovedBySubmit(Cheat):
    """Sends a form of its own to the final address."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        page.evaluate(
            """(address) => {
              const url = new URL(address);
              const form = document.createElement("form");
              form.action = url.origin + url.pathname;
              for (const [name, value] of url.searchParams)
                form.append(Object.assign(document.createElement("input"), { name, value }));
              document.body.append(form);
              form.submit();
            }""",
            loot.url,
        )
        rest(page)


# -- pages filled by script ------------------------------------------------------------------------


class PushedState(Cheat):
    """Pushes the final address and fills the page."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.evaluate(_FILL, _facts(page, loot))


class PushedAfterTouch(Cheat):
    """The same after real input."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        page.evaluate(_FILL, _facts(page, loot))


class ReplacedState(Cheat):
    """Replaces the address and then the whole document element."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        page.evaluate(
            """({ url, html }) => {
              history.replaceState({}, "", url);
              const parsed = new DOMParser().parseFromString(html, "text/html");
              document.documentElement.replaceWith(document.adoptNode(parsed.documentElement));
            }""",
            _facts(page, loot),
        )


class WrittenDocument(Shortcut):
    """Opens the final address and writes the document anew."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.goto(loot.url)
        click_nowhere(page)
        page.evaluate(
            "({ html }) => { document.open(); document.write(html); document.close() }",
            _facts(page, loot),
        )


class SetContent(Cheat):
    """Replaces the address and sets the content by Playwright."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        page.evaluate("(url) => history.replaceState({}, '', url)", loot.url)
        page.set_content(copied(page, loot.url))


class SetByProtocol(Cheat):
    """Replaces the address and sets the document by the browser's protocol, without a script."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        page.evaluate("(url) => history.replaceState({}, '', url)", loot.url)
        session = _cdp(page)
        frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        session.send("Page.setDocumentContent", {"frameId": frame, "html": copied(page, loot.url)})


class FilledWhileCaptured(Cheat):
    """Leaves a timer that fills the page when the harness looks at it."""

    def cheat(self, page: Page, loot: Loot) -> None:
        click_nowhere(page)
        page.evaluate(
            f"(facts) => setTimeout(() => ({_FILL})(facts), 300)",
            _facts(page, loot),
        )


class InitScript(Cheat):
    """Has a script fill the next document before its own scripts run, and clicks a link to it."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.add_init_script(
            f"""addEventListener("DOMContentLoaded", () => {{
              ({_FILL})({json.dumps(_facts(page, loot))});
            }});"""
        )
        page.locator("a[href]:visible").first.click()
        rest(page)


class Storage(Shortcut):
    """Opens the final address and writes what the site would have stored."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.goto(loot.url)
        page.evaluate("(entries) => Object.assign(localStorage, entries)", loot.storage)
        page.reload()
        rest(page)
        click_nowhere(page)


# -- answers put in place of a server's ------------------------------------------------------------


class PageRoute(Cheat):
    """Answers requests of the tab itself."""

    def cheat(self, page: Page, loot: Loot) -> None:
        html = copied(page, loot.url)
        self.intercept(page, lambda route: route.fulfill(content_type="text/html", body=html))
        click_nowhere(page)
        page.evaluate("(url) => { location.href = url }", loot.url)
        rest(page)

    def intercept(self, page: Page, answer: Callable[[Any], None]) -> None:
        """Have requests answered."""
        page.route("**/*", answer)


class ContextRoute(PageRoute):
    """Answers requests of all tabs itself."""

    def intercept(self, page: Page, answer: Callable[[Any], None]) -> None:
        context: BrowserContext = page.context
        context.route("**/*", answer)


class ProtocolFetch(Shortcut):
    """Answers requests over the browser's protocol."""

    def cheat(self, page: Page, loot: Loot) -> None:
        session = _cdp(page)
        body = base64.b64encode(copied(page, loot.url).encode("utf-8", "replace")).decode()
        headers = [{"name": "content-type", "value": "text/html;charset=utf-8"}]

        def answer(event: dict[str, Any]) -> None:
            found = {"requestId": event["requestId"], "responseCode": 200}
            session.send(
                "Fetch.fulfillRequest", {**found, "responseHeaders": headers, "body": body}
            )

        session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        session.on("Fetch.requestPaused", answer)
        page.goto(loot.url)
        click_nowhere(page)


class ServiceWorker(Shortcut):
    """Registers a service worker of its own that answers for the site."""

    def cheat(self, page: Page, loot: Loot) -> None:
        source = f"""
          const headers = {{ "content-type": "text/html" }};
          addEventListener("install", () => skipWaiting());
          addEventListener("activate", (event) => event.waitUntil(clients.claim()));
          addEventListener("fetch", (event) =>
            event.respondWith(new Response({json.dumps(copied(page, loot.url))}, {{ headers }})));
        """
        page.context.route(
            "**/redteam.js",
            lambda route: route.fulfill(content_type="text/javascript", body=source),
        )
        page.evaluate(
            """async () => {
              await navigator.serviceWorker.register("/redteam.js", { scope: "/" });
              await navigator.serviceWorker.ready;
            }"""
        )
        click_nowhere(page)
        page.goto(loot.url)
        rest(page)


# -- the record ------------------------------------------------------------------------------------


class ForgedActions(Cheat):
    """Fills the page and reports the solution's actions to whoever listens in any world."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.evaluate(_FILL, _facts(page, loot))
        session = _cdp(page)
        contexts: list[int] = []
        session.on(
            "Runtime.executionContextCreated",
            lambda event: contexts.append(event["context"]["id"]),
        )
        session.send("Runtime.enable")
        click_nowhere(page)
        forged = [action.model_dump(mode="json") for action in loot.actions]
        call = f"""for (const name of Object.getOwnPropertyNames(globalThis))
          if (/webbench|tell|report|record/i.test(name) && typeof globalThis[name] === "function")
            for (const action of {json.dumps(forged)}) {{
              try {{ globalThis[name](JSON.stringify({{ ...action, element: 1, secret: null }})) }}
              catch {{}}
            }}"""
        for number in contexts:
            session.send("Runtime.evaluate", {"expression": call, "contextId": number})


class DispatchedEvents(Cheat):
    """Fills the page and dispatches events at its own elements, as if it had acted."""

    def cheat(self, page: Page, loot: Loot) -> None:
        page.evaluate(_FILL, _facts(page, loot))
        page.evaluate(
            """() => {
              for (const kind of ["pointerdown", "mousedown", "click", "keydown", "input"])
                document.body.dispatchEvent(new Event(kind, { bubbles: true }));
            }"""
        )


class AnswerFromMemory(Cheat):
    """Gives the answer of the solution on the start page."""

    def cheat(self, page: Page, loot: Loot) -> None:
        del page, loot


CHEATS: Final[tuple[type[Cheat], ...]] = (
    TypedAddress,
    TypedThenTouched,
    TypedInNewTab,
    LedByScript,
    WalkedByScript,
    WalkedAndFilled,
    AddedLink,
    MovedBySubmit,
    PushedState,
    PushedAfterTouch,
    ReplacedState,
    WrittenDocument,
    SetContent,
    SetByProtocol,
    FilledWhileCaptured,
    InitScript,
    Storage,
    PageRoute,
    ContextRoute,
    ProtocolFetch,
    ServiceWorker,
    ForgedActions,
    DispatchedEvents,
    AnswerFromMemory,
)
