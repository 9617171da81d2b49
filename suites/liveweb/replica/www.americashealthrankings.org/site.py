"""Double of America's Health Rankings: measures by state, over the years, and compared."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Edition,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    line,
    matches_words,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
MEASURES: dict[str, Row] = {
    key: {"key": key, **dict(zip(("label", "unit", "usual", "says"), given, strict=True))}
    for key, given in CONTENT["measures"].items()
}
STATES: dict[str, str] = {**CONTENT["states"], "ALL": "United States"}
WIDTH, HEIGHT = 640, 240


@by_edition
def values(edition: Edition) -> dict[str, dict[str, list[float]]]:
    """By measure and state: a value for each of the last ten years, oldest first."""
    found: dict[str, dict[str, list[float]]] = {}
    for key, measure in MEASURES.items():
        for code in STATES:
            draw = edition.draw(f"{key} {code}")
            level = measure["usual"] * draw.uniform(0.6, 1.5)
            row = [round(level * draw.uniform(0.88, 1.12), 1) for _ in range(10)]
            found.setdefault(key, {})[code] = row
    return found


def _page(template: str, request: Request, *, status: int = 200, **more: object) -> Response:
    common = {"measures": MEASURES, "states": STATES, "reports": CONTENT["reports"]}
    return site.render(template, request, status=status, **common, **more)


@site.get("/")
def home(request: Request) -> Response:
    return _page("home.html", request)


@site.get("/explore/measures")
def measures(request: Request) -> Response:
    words = request.query_params.get("q", "")
    found = [one for one in MEASURES.values() if matches_words(words, [one["label"], one["says"]])]
    return _page("measures.html", request, found=found if words else list(MEASURES.values()))


@site.get("/explore/measures/{key}")
@site.get("/explore/measures/{key}/{state}")
@site.get("/explore/measures/{key}/{state}/compare/{other}")
def measure(request: Request) -> Response:
    given = request.path_params
    key, chosen = given["key"], [given.get("state", "ALL"), given.get("other", "")]
    if key not in MEASURES or any(code and code not in STATES for code in chosen):
        return missing(request)
    table = values(request)[key]
    codes = list(dict.fromkeys([*[code for code in chosen if code], "ALL"]))
    top = max(max(table[code]) for code in codes) * 1.1
    lines = [
        (code, line(table[code], width=WIDTH, height=HEIGHT, top=top), table[code][-1])
        for code in codes
    ]
    ranked = sorted(CONTENT["states"], key=lambda code: (table[code][-1], code))
    return _page(
        "measure.html",
        request,
        measure=MEASURES[key],
        state=chosen[0],
        other=chosen[1],
        lines=lines,
        rows=[(place, code, table[code][-1]) for place, code in enumerate(ranked, 1)],
    )


@site.get("/explore/states")
def states(request: Request) -> Response:
    return _page("states.html", request)


@site.get("/explore/states/{state}")
def state(request: Request) -> Response:
    code = request.path_params["state"]
    if code not in STATES:
        return missing(request)
    rows = [(one, values(request)[key][code][-1]) for key, one in MEASURES.items()]
    return _page("state.html", request, code=code, rows=rows)


@site.get("/learn/reports/{slug}")
def report(request: Request) -> Response:
    found = CONTENT["reports"].get(request.path_params["slug"])
    return _page("report.html", request, report=found) if found else missing(request)


@site.get("/suggest")
def suggest(request: Request) -> Response:
    words = request.query_params.get("q", "")
    found = [
        {"label": one["label"], "href": f"/explore/measures/{one['key']}"}
        for one in MEASURES.values()
        if matches_words(words, [one["label"]])
    ]
    places = [
        {"label": name, "href": f"/explore/states/{code}"}
        for code, name in STATES.items()
        if matches_words(words, [name])
    ]
    return JSONResponse([*found, *places][:8])


def missing(request: Request) -> Response:
    return _page("missing.html", request, status=404)


site.not_found(missing)
