"""A visitor of a double of a site, without a server or a browser."""

from __future__ import annotations

from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from pytest_webbench.world.kit import Site
from pytest_webbench.world.kit.editions import EDITION


def visitor(site: Site, host: str, *, edition: int = 0) -> TestClient:
    """One visitor, who keeps cookies. Works beside Playwright's loop: the site runs in a thread."""
    app = _in_edition(site, edition)
    return TestClient(app, base_url=f"https://{host}", follow_redirects=False)


def _in_edition(site: Site, edition: int) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await site.app({**scope, EDITION: edition}, receive, send)

    return app
