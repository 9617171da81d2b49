"""Double of Chase's retirement calculators, with the articles of chase.com that lead to them."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Calculator,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Site,
)

site = Site(__file__)
APP = "/web/library/uswmdreui/retirement-calculators-iframes/2.0.6"
FORMS = site.data("calculators")
articles = Handbook(site, "articles", host="www.chase.com")
articles.search_at("/digital/search", "hits.html")
articles.missing("missing.html")


def _calculator(form: dict[str, object]) -> Calculator:
    fields: dict[str, float] = {}
    for slider in form["sliders"]:
        fields |= {thumb["name"]: thumb["value"] for thumb in slider["thumbs"]}
    return Calculator(fields, form["formulas"])


CALCULATORS = {form["id"]: _calculator(form) for form in FORMS}


@site.get(f"{APP}/index.html", host="static.chasecdn.com")
def app(request: Request) -> Response:
    return site.render("app.html", request, forms=FORMS, calculators=CALCULATORS, home=APP)


@site.get("/", host="static.chasecdn.com")
def start(_request: Request) -> Response:
    return RedirectResponse(f"{APP}/index.html")
