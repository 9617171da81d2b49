"""Double of SmartAsset: calculators of income tax, with brackets of their own, and articles."""

from __future__ import annotations

from itertools import pairwise

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    number_in,
    round_half_up,
)

site = Site(__file__)
DATA: Row = site.data("taxes")
STATES: dict[str, Row] = DATA["states"]
"""By the state's name in addresses: its label, code and rate."""
PLACES: dict[str, Row] = DATA["places"]
STATUS: dict[str, float] = DATA["status"]
"""How much wider than a single filer's the brackets of a filing status are."""


def _pages() -> dict[str, Row]:
    """The calculator of each state."""
    return {
        f"/taxes/{name}-tax-calculator": {
            "title": f"{state['label']} Income Tax Calculator",
            "under": "/taxes",
            "template": "calculator.html",
            "fields": {"place": state["place"]},
            "body": f"Federal, {state['label']} and local taxes on what your household earns.",
        }
        for name, state in STATES.items()
    }


book = Handbook(site, more=_pages())
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()


@by_edition
def year(edition: Edition) -> Row:
    """Brackets, deduction and the cap of payroll taxes of the year; they rise, as they do."""
    rise = 1.02 + edition.number * 0.017 + edition.draw("rise").uniform(0, 0.01)
    ends = [round(end * rise / 25) * 25 for end in DATA["brackets"]]
    deduction = round(DATA["deduction"] * rise / 50) * 50
    return {"ends": ends, "deduction": deduction, "cap": round(DATA["cap"] * rise / 300) * 300}


@site.get("/api/taxes", delay=0.3)
def taxes(request: Request) -> Response:
    given = request.query_params
    place = PLACES.get(given.get("ud-current-location", "").removeprefix("ZIP|"))
    income = number_in(given.get("ud-it-household-income"))
    factor = STATUS.get(given.get("ud-filing-status", ""))
    if place is None or factor is None or income <= 0:
        return JSONResponse({"error": "Check location, filing status and income."})
    facts = year(request)
    saved = number_in(given.get("ud-401k")) + number_in(given.get("ud-ira"))
    deducted = max(facts["deduction"] * factor, number_in(given.get("ud-itemized")))
    taxable = max(0.0, income - saved - deducted)
    federal, marginal = _federal(taxable, [end * factor for end in facts["ends"]])
    fica = 0.062 * min(income, facts["cap"]) + 0.0145 * income
    state = STATES[place["state"]]
    by_name = {
        "federal": (federal, marginal),
        "fica": (fica, 7.65),
        "state": (taxable * state["rate"] / 100, state["rate"]),
        "local": (taxable * place["local"] / 100, place["local"]),
    }
    total = sum(amount for amount, _ in by_name.values())
    rows = {name: _told(amount, top, income) for name, (amount, top) in by_name.items()}
    return JSONResponse(
        {**rows, "total": _told(total, 0, income), "after": _dollars(income - total)}
    )


def _federal(taxable: float, ends: list[float]) -> tuple[float, float]:
    """The tax, and the rate of its last dollar in per cent."""
    tax, marginal = 0.0, float(DATA["rates"][0])
    for (low, high), rate in zip(pairwise([*ends, float("inf")]), DATA["rates"], strict=True):
        if taxable > low:
            tax += (min(taxable, high) - low) * rate / 100
            marginal = float(rate)
    return tax, marginal


def _told(amount: float, marginal: float, income: float) -> Row:
    share = f"{amount / income:.2%}"
    return {"marginal": f"{marginal:.2f}%", "effective": share, "amount": _dollars(amount)}


def _dollars(amount: float) -> str:
    return f"${round_half_up(amount):,.0f}"


@site.get("/api/places")
def places(request: Request) -> Response:
    words = request.query_params.get("q", "").strip().lower()
    found = [
        {"label": f"{code} ({place['city']})", "fill": {"ud-current-location": f"ZIP|{code}"}}
        for code, place in PLACES.items()
        if words and (code.startswith(words) or place["city"].lower().startswith(words))
    ]
    return JSONResponse(found[:6])
