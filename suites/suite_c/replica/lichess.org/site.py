"""Replica of Lichess.

The board editor, whose address follows the position, and the analysis board.
"""

from __future__ import annotations

from pytest_webbench.world.kit import RedirectResponse, Request, Response, Site

site = Site(__file__)
positions = site.data("positions")


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request)


@site.get("/editor")
@site.get("/editor/{fen:path}")
def editor(request: Request) -> Response:
    return site.render("editor.html", request, positions=positions)


@site.get("/analysis")
@site.get("/analysis/{fen:path}")
def analysis(request: Request) -> Response:
    return site.render("analysis.html", request)


@site.get("/games/search")
def search(request: Request) -> Response:
    """Visitors who have not signed in are sent to sign up."""
    return RedirectResponse("/signup", 303)


@site.get("/signup")
def sign_up(request: Request) -> Response:
    return site.render("signup.html", request)


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
