"""Double of MTA's site: maps by borough, projects, and documents as PDF files."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Request, Response, Row, Site, pdf

site = Site(__file__)
stations: dict[str, list[str]] = site.data("stations")
DOCUMENTS = {
    10326: "Draft Scoping Document",
    10331: "Draft Environmental Impact Statement",
    10336: "Final Environmental Impact Statement, Appendix A: Scoping",
    10341: "Final Environmental Impact Statement",
    10346: "Final Environmental Impact Statement, Appendix B: Traffic",
    10351: "Statement of Findings",
    25681: "Penn Station Access: Final Environmental Assessment",
    110751: "Central Business District Tolling: Final Environmental Assessment",
}
STATUS = ("Construction has begun.", "Contracts are being prepared.", "The lot has been cleared.")


def facts(edition: Edition) -> Row:
    """Which stations have a map, under which number, and how far the depot is."""
    draw = edition.draw("maps")
    numbers = iter(draw.sample(range(2000, 9000), 60))
    chosen = {
        borough: [(name, next(numbers)) for name in sorted(draw.sample(names, len(names) - 1))]
        for borough, names in stations.items()
    }
    return {"stations": chosen, "depot": draw.choice(STATUS)}


book = Handbook(site, facts=facts)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()


@site.get("/document/{number:int}")
def document(request: Request) -> Response:
    number = request.path_params["number"]
    if number in DOCUMENTS:
        subject = "Jamaica Bus Depot" if number < 20_000 else "MTA Construction"
        return pdf(["MTA New York City Transit", subject, DOCUMENTS[number]], name=f"{number}.pdf")
    for maps in book.facts(request)["stations"].values():
        for name, given in maps:
            if given == number:
                return pdf(["Neighborhood Map", name], name=f"{number}.pdf")
    return book.render("handbook-missing.html", request, status=404)
