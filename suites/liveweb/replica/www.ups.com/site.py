"""Double of UPS: pages about shipping and rates, and the calculator of time and cost."""

from __future__ import annotations

import math
from typing import Any

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    edition_of,
    miles_between,
    number_in,
)

site = Site(__file__)
APPS = "wwwapps.ups.com"
HOME = "/us/en/home"
PLACES: dict[str, Row] = {row["zip"]: row for row in site.data("places")}
SERVICES: list[Row] = site.data("services")
SIZES = ("Extra Small", "Small", "Medium", "Large", "Extra Large")


def facts(edition: Edition) -> Row:
    """Prices of boxes by size, now and a year ago, and the largest boxes of three carriers."""
    draw = edition.draw("simple rate")
    price = draw.uniform(9, 12)
    sizes = []
    for name in SIZES:
        price += draw.uniform(1.4, 4.2)
        sizes.append(
            {
                "name": name,
                "price": f"{price:.2f}",
                "before": f"{price * draw.uniform(0.9, 0.96):.2f}",
                "counter": f"{price * draw.uniform(1.2, 1.4):.2f}",
            }
        )
    most = draw.sample(range(1150, 1990, 6), 3)
    ups, fedex, usps = (f"{value:,}" for value in sorted(most, reverse=True))
    return {
        "sizes": sizes,
        "ups": ups,
        "fedex": fedex,
        "usps": usps,
        "fuel": draw.randrange(14, 29),
    }


book = Handbook(site, facts=facts)
book.search_at("/us/en/search")
book.sitemap_at("/us/en/sitemap")
book.missing()


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse(HOME)


@site.get("/", host=APPS)
def apps(_request: Request) -> Response:
    return RedirectResponse(f"https://www.ups.com{HOME}")


# -- the calculator ----------------------------------------------------------------------------

EMPTY: Row = {
    "origCity": "",
    "origPostal": "",
    "destCity": "",
    "destPostal": "",
    "packages": "1",
    "weight": "",
    "weightUnit": "LBS",
    "length": "",
    "width": "",
    "height": "",
    "metricUnit": "IN",
}


@site.get("/ctc/request", host=APPS)
def ask(request: Request) -> Response:
    return site.render("ctc.html", request, form=EMPTY, errors=[], shipment=None, quotes=[])


@site.post("/ctc/results", host=APPS)
async def results(request: Request) -> Response:
    sent = await request.form()
    form = {**EMPTY, **{name: str(value).strip() for name, value in sent.items()}}
    errors = [*_place_errors(form, "orig", "From"), *_place_errors(form, "dest", "To")]
    errors += _parcel_errors(form)
    shipment = {} if errors else _shipment(form)
    quotes = [] if errors else _quotes(edition_of(request), shipment)
    return site.render(
        "ctc.html", request, form=form, errors=errors, shipment=shipment, quotes=quotes
    )


@site.get("/ctc/results", host=APPS)
def reopened(_request: Request) -> Response:
    return RedirectResponse("/ctc/request?loc=en_US")


def _place_errors(form: Row, end: str, label: str) -> list[str]:
    place = PLACES.get(form[f"{end}Postal"])
    if place is None:
        return [f"Ship {label}: the postal code is missing or not valid."]
    city = form[f"{end}City"].casefold()
    if city and city != place["city"].casefold():
        return [f"Ship {label}: the city does not match the postal code."]
    return []


def _parcel_errors(form: Row) -> list[str]:
    sides = [number_in(form[name]) for name in ("length", "width", "height")]
    errors = []
    if not 0 < number_in(form["weight"]) <= 150:
        errors.append("The weight must be between 1 and 150 pounds.")
    if any(sides) and not all(side > 0 for side in sides):
        errors.append("Enter length, width and height, or none of them.")
    if not 1 <= number_in(form["packages"]) <= 20:
        errors.append("The number of packages must be between 1 and 20.")
    return errors


def _shipment(form: Row) -> dict[str, Any]:
    """What was asked, with both places and plain numbers."""
    numbers = {name: number_in(form[name]) for name in ("weight", "length", "width", "height")}
    return {
        **form,
        **{name: f"{value:g}" for name, value in numbers.items()},
        "numbers": numbers,
        "count": int(number_in(form["packages"])),
        "orig": PLACES[form["origPostal"]],
        "dest": PLACES[form["destPostal"]],
    }


def _quotes(edition: Edition, shipment: Row) -> list[Row]:
    miles = miles_between(shipment["orig"], shipment["dest"])
    pounds = _billable(shipment)
    draw = edition.draw("tariff")
    quotes = []
    for number, service in enumerate(SERVICES):
        level = draw.uniform(0.88, 1.16)
        each = level * (service["base"] + service["pound"] * pounds + service["mile"] * miles)
        quotes.append({**service, "number": number, "price": f"{each * shipment['count']:,.2f}"})
    return quotes


def _billable(shipment: Row) -> int:
    """Pounds that are charged: the weight, or what the size stands for if that is more."""
    numbers = shipment["numbers"]
    metric = shipment["weightUnit"] == "KGS"
    weight = numbers["weight"] * (2.205 if metric else 1)
    inch = 2.54 if shipment["metricUnit"] == "CM" else 1
    size = numbers["length"] * numbers["width"] * numbers["height"] / inch**3
    return max(1, math.ceil(weight - 1e-9), math.ceil(size / 139))
