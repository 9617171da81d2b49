"""Double of the IRS's pages of forms: current ones, and those of prior years, as PDF files."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    pdf,
)

site = Site(__file__)
forms: list[Row] = site.data("forms")
book = Handbook(site)
book.search_at("/site-index-search", parameter="search")
book.sitemap_at("/sitemap")
book.missing()


@by_edition
def prior(edition: Edition) -> Catalogue:
    """Forms and instructions of prior years, in the order of this edition."""
    last = edition.now.year - 1
    rows = []
    for form in forms:
        key = form["number"].lower().replace("-", "")
        for year in range(last - 9, last + 1):
            name = {"title": form["title"], "year": year}
            rows.append({"name": f"Form {form['number']}", "file": f"f{key}--{year}.pdf", **name})
            if form["number"] in ("1040", "8863", "8889"):
                title = f"Instructions for Form {form['number']}"
                name = {"title": title, "year": year, "file": f"i{key}--{year}.pdf"}
                rows.append({"name": f"Instruction {form['number']}", **name})
    draw = edition.draw("order")
    return Catalogue(draw.sample(rows, len(rows))).sort("year", descending=draw.random() < 0.5)


@site.get("/prior-year-forms-and-instructions")
def prior_years(request: Request) -> Response:
    find = request.query_params.get("find", "")
    found = prior(request).search(find, "name", "title") if find.strip() else prior(request)
    number = request.query_params.get("page", "0")
    shown = found.page(int(number) + 1 if number.isdecimal() and len(number) < 5 else 1, 25)
    return book.render("prior.html", request, rows=shown, find=find)


@site.get("/pub/irs-prior/{file}")
def prior_file(request: Request) -> Response:
    row = prior(request).one(file=request.path_params["file"])
    if row is None:
        return book.render("handbook-missing.html", request, status=404)
    return pdf([row["name"], row["title"], f"Tax year {row['year']}"], name=row["file"])


@site.get("/pub/irs-pdf/{file}")
def current_file(request: Request) -> Response:
    for form in forms:
        if request.path_params["file"] == f"f{form['number'].lower().replace('-', '')}.pdf":
            lines = [f"Form {form['number']}", form["title"], "Current revision"]
            return pdf(lines, name=request.path_params["file"])
    return book.render("handbook-missing.html", request, status=404)
