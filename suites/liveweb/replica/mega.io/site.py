"""Double of mega.io: plans with price estimators, and pages about the products."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Calculator,
    Edition,
    Handbook,
    Request,
    Response,
    Row,
    Site,
    by_edition,
)

site = Site(__file__)
book = Handbook(site)
book.sitemap_at("/sitemap")
book.missing()
PLANS = site.data("plans")
LANGUAGES = ("en", "de")


@by_edition
def prices(edition: Edition) -> Row:
    """Prices in euros: of each plan by month, of a business user, and of a further terabyte."""
    draw = edition.draw("prices")
    plans = {plan["name"]: round(plan["usual"] * draw.uniform(0.8, 1.3), 2) for plan in PLANS}
    user, flexi = draw.randrange(8, 20), draw.randrange(12, 24)
    more = draw.randrange(18, 33) / 10
    business = f"users * {user} + (max(3, storage) - 3 + max(3, transfer) - 3) * {more}"
    single = f"{flexi} + (max(3, storage) - 3 + max(3, transfer) - 3) * {more}"
    return {
        "amounts": plans,
        "user": user,
        "more": more,
        "flexi": flexi,
        "business": Calculator({"users": 3, "storage": 3, "transfer": 3}, {"total": business}),
        "single": Calculator({"storage": 3, "transfer": 3}, {"total": single}),
    }


@site.get("/pricing")
@site.get("/{language}/pricing")
def pricing(request: Request) -> Response:
    if request.path_params.get("language", "en") not in LANGUAGES:
        return book.render("handbook-missing.html", request, status=404)
    return book.render("pricing.html", request, plans=PLANS, **prices(request))
