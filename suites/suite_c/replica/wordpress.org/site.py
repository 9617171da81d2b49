"""Replica of the WordPress plugin directory.

Search, business-model filter, pages of results, plugin pages.
"""

from __future__ import annotations

from urllib.parse import quote

from pytest_webbench.world.kit import Catalogue, RedirectResponse, Request, Response, Row, Site

site = Site(__file__)
plugins = Catalogue(site.data("plugins"))
PER_PAGE = 8
MODELS = {"community": "Community", "commercial": "Commercial"}


@site.get("/")
def front(request: Request) -> Response:
    return RedirectResponse("/plugins/", 302)


@site.get("/plugins/")
def home(request: Request) -> Response:
    query = request.query_params.get("s", "").strip()
    if query:
        return RedirectResponse(f"/plugins/search/{quote(query)}/", 302)
    popular = plugins.sort("installs", descending=True).rows[:6]
    favourites = [row for row in plugins if row["featured"]]
    return site.render("home.html", request, popular=popular, featured=favourites)


@site.get("/plugins/search/{query}/page/{number}/")
@site.get("/plugins/search/{query}/")
def search(request: Request) -> Response:
    query = request.path_params["query"].replace("+", " ")
    # WordPress looks a term up by its slug, which it brings into small letters first.
    model = request.query_params.get("plugin_business_model", "").lower()
    found = plugins.search(query.replace('"', " "), "name", "tags", "summary").where(
        model=model if model in MODELS else None
    )
    page = found.page(request.path_params.get("number"), PER_PAGE)
    return site.render("search.html", request, query=query, model=model, models=MODELS, page=page)


@site.get("/plugins/tags/{tag}/")
def tag(request: Request) -> Response:
    page = plugins.where(tags=request.path_params["tag"]).page(1, 50)
    return site.render(
        "search.html", request, query=request.path_params["tag"], model=None, models={}, page=page
    )


@site.get("/plugins/{slug}/")
def plugin(request: Request) -> Response:
    row = plugins.one(slug=request.path_params["slug"])
    if row is None:
        return site.render("missing.html", request, status=404)
    return site.render("plugin.html", request, plugin=row, similar=_similar(row))


def _similar(row: Row) -> list[Row]:
    return [
        other for other in plugins if other is not row and set(other["tags"]) & set(row["tags"])
    ][:4]


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
