"""Sites of a replica made of a few lines, for what is examined about them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

MADE: Final = '''from pytest_webbench.world.kit import Request, Response, Site, edition_of

site = Site(__file__)
PAGES = {count}


def page(title: str, body: str) -> Response:
    text = f"<!doctype html><title>{{title}}</title><h1>{{title}}</h1><main>{{body}}</main>"
    return Response(text, media_type="text/html")


@site.get("/")
def home(request: Request) -> Response:
    links = "".join(f"<a href=/lamp/{{n}}>Lamp {{n}}</a> " for n in range(1, PAGES))
    return page("Lamps", links + """{home}""")


@site.get("/lamp/{{n:int}}")
def lamp(request: Request) -> Response:
    return page(f"Lamp {{request.path_params['n']}}", "<a href=/>Lamps</a>")

{more}
'''


def make_site(replica: Path, host: str, *, count: int = 25, home: str = "", more: str = "") -> None:
    """The site ``host``: a list of ``count`` - 1 pages, whose ``home`` page says more."""
    folder = replica / host
    folder.mkdir(parents=True)
    (folder / "site.py").write_text(MADE.format(count=count, home=home, more=more))
