"""Double of Wolfram|Alpha: a small engine that answers queries with pods.

Each answer is a list of pods, and what a pod says stands in the ``alt`` of its picture. What is a
matter of mathematics is worked out; figures about countries and food are drawn from the edition.
"""

from __future__ import annotations

import cmath
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pytest_webbench.world.kit import (
    Edition,
    Formula,
    RedirectResponse,
    Request,
    Response,
    Site,
    by_edition,
    curve_picture,
)

site = Site(__file__)
CONTENT = site.data("content")
TOPICS = {topic["path"]: topic for topic in CONTENT["topics"]}
CURVES = {name.lower(): name for name in CONTENT["curves"]}


PLAIN = str.maketrans({"−": "-", "–": "-", "×": "x", "’": "'", "·": "*", "“": '"', "”": '"'})


@dataclass
class Pod:
    title: str
    alt: str
    picture: str = ""
    "Address of a picture; without one, the text is shown."


Pods = list[Pod]
ANSWERS: list[Callable[[str, Request], Pods | None]] = []


def answer(
    function: Callable[[str, Request], Pods | None],
) -> Callable[[str, Request], Pods | None]:
    ANSWERS.append(function)
    return function


def number(value: float, digits: int = 6) -> str:
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"


# -- curves ------------------------------------------------------------------------------------


def _terms(name: str, axis: str) -> list[tuple[int, int, int, int]]:
    draw = random.Random(f"{name}/{axis}")
    return [
        (draw.randint(3, 60) * draw.choice((1, -1)), draw.randint(2, 9), n, draw.randint(1, 6))
        for n in range(1, 12)
    ]


def _formula(name: str, axis: str) -> str:
    parts = [f"{a}/{b * n} sin({n} t + {c}/4)" for a, b, n, c in _terms(name, axis)]
    return f"{axis}(t) = " + " + ".join(parts).replace("+ -", "- ").replace("1 t", "t")


@cache
def plot(name: str) -> str:
    def at(axis: str, t: float) -> float:
        return sum(a / (b * n) * math.sin(n * t + c / 4) for a, b, n, c in _terms(name, axis))

    return curve_picture([(at("x", t / 80), at("y", t / 80)) for t in range(504)])


@answer
def curve(query: str, _request: Request) -> Pods | None:
    found = re.search(r"\b([a-z ]+?) ?curve\b", query)
    words = found[1].split() if found else []
    names = (" ".join(words[start:]) for start in range(len(words)))
    name = next((one for one in names if f"{one} curve" in CURVES), None)
    if name is None:
        return None
    shown = CURVES[f"{name} curve"]
    asked = (
        ("parametric equations", r"\b(parametric|equations?)\b"),
        ("Cartesian equation", r"\bcartesian\b"),
        ("length", r"\b(length|perimeter)\b"),
        ("plot", r"\b(plot|draw|graph|picture)\b"),
    )
    wanted = [label for label, pattern in asked if re.search(pattern, query)]
    if "Cartesian equation" in wanted:
        wanted = ["Cartesian equation"]
    pods = [Pod("Input interpretation", " | ".join([shown, *wanted]))]
    if wanted == ["plot"]:
        return [*pods, Pod("Result", "Result", plot(name))]
    if "length" in wanted:
        pods.append(Pod("Length", f"{number(20 + len(name) * 1.37)} units"))
    if "Cartesian equation" in wanted:
        pods.append(Pod("Cartesian equation", f"{_formula(name, 'x')[7:60]} = 0 (implicit)"))
    if "parametric equations" in wanted:
        equations = f"{_formula(name, 'x')}\n{_formula(name, 'y')}"
        pods.append(Pod("Parametric equations", equations))
    if wanted in (["length"], ["Cartesian equation"]):
        return pods
    return [*pods, Pod("Plot", "Plot", plot(name))]


# -- food --------------------------------------------------------------------------------------


@by_edition
def foods(edition: Edition) -> dict[str, tuple[str, float, int]]:
    """Full name, calories in 100 g and grams of a serving, by name in queries."""
    draw = edition.draw("foods")
    return {
        row["name"].lower(): (
            row["full"],
            draw.randrange(row["least"] * 10, row["most"] * 10) / 10,
            row["serving"],
        )
        for row in CONTENT["foods"]
    }


@answer
def food(query: str, request: Request) -> Pods | None:
    table = foods(request)
    query = query.replace("bigmac", "big mac")
    found = [name for name in table if re.search(rf"\b{re.escape(name)}s?\b", query)]
    found = [one for one in found if not any(one != other and one in other for other in found)]
    found.sort(key=query.index)
    if not found:
        return None
    grams = [float(amount) for amount in re.findall(r"(\d+(?:\.\d+)?) ?g(?:rams?)?\b", query)]
    if len(grams) not in (0, 1, len(found)):
        return None
    each = grams if len(grams) == len(found) else grams * len(found)
    sizes = each or [float(table[name][2]) for name in found]
    rows = list(zip(found, sizes, strict=True))
    asked = "total calories" if re.search(r"calor|energy|kcal", query) else "nutrition facts"
    words = [f"{number(size)} grams of {table[name][0]}" for name, size in rows]
    pods = [Pod("Input interpretation", " | ".join([*words, asked]))]
    calories = [f"{table[name][1] * size / 100:.0f} Cal" for name, size in rows]
    if len(rows) == 1:
        pods.append(Pod("Result", f"{calories[0]} (dietary Calories)"))
    else:
        lines = [
            f"{table[name][0]} | {value}" for (name, _), value in zip(rows, calories, strict=True)
        ]
        pods.append(Pod("Result", " | total calories\n" + "\n".join(lines)))
    fat = [
        f"{table[name][0]} | total fat {size * 0.17:.0f} g | protein {size * 0.14:.0f} g"
        for name, size in rows
    ]
    return [*pods, Pod("Nutrition facts", "\n".join(fat))]


# -- countries ---------------------------------------------------------------------------------


@by_edition
def people(edition: Edition) -> dict[str, dict[int, float]]:
    """People by country and year; they grow faster here than in the world."""
    table = {}
    for row in CONTENT["countries"]:
        draw = edition.draw(row["name"])
        count, table[row["name"]] = row["people"] * draw.uniform(0.93, 1.04), {}
        for year in range(2015, 2026):
            table[row["name"]][year] = round(count)
            count *= 1 + draw.randrange(120, 195) / 10_000
    return table


@answer
def population(query: str, request: Request) -> Pods | None:
    name = next((one for one in people(request) if one.lower() in query), None)
    if name is None or not re.search(r"populat|people|inhabitants", query):
        return None
    counts = people(request)[name]
    years = sorted({int(year) for year in re.findall(r"\b20[12]\d\b", query)})
    if any(year not in counts for year in years) or len(years) > 2:
        return None
    if len(years) < 2:
        return _in_one_year(name, counts, years[0] if years else 2025, query)
    first, last = years
    ratio = counts[last] / counts[first]
    lines = [f"{year} | {counts[year] / 1e6:.2f} million people" for year in years]
    table = Pod("Population", "\n".join(lines), "")
    if not re.search(r"grow|increas|chang|rate|percent|%|rise|/", query):
        return [Pod("Input interpretation", f"{name} | population | {first} and {last}"), table]
    yearly = (ratio ** (1 / (last - first)) - 1) * 100
    return [
        Pod(
            "Input interpretation", f"{name} | population | relative change from {first} to {last}"
        ),
        Pod("Result", f"{(ratio - 1) * 100:.3f}%"),
        Pod("Average yearly growth", f"{yearly:.3f}% per year"),
        table,
    ]


def _in_one_year(name: str, counts: dict[int, float], year: int, query: str) -> Pods:
    growing = re.search(r"grow|rate|chang", query) and year > 2015
    what = "population growth" if growing else "population"
    pods = [Pod("Input interpretation", f"{name} | {what} | {year}")]
    if growing:
        yearly = (counts[year] / counts[year - 1] - 1) * 100
        return [*pods, Pod("Result", f"{yearly:.3f}% per year ({year} estimate)")]
    points = [(float(one), count / 1e5) for one, count in counts.items()]
    history = Pod("Population history", "Population history", curve_picture(points, axes=False))
    return [
        *pods,
        Pod("Result", f"{counts[year] / 1e6:.2f} million people ({year} estimate)"),
        history,
    ]


# -- chemistry ---------------------------------------------------------------------------------

MASSES = {
    "H": 1.008,
    "C": 12.011,
    "N": 14.007,
    "O": 15.999,
    "Na": 22.99,
    "P": 30.974,
    "S": 32.06,
    "Cl": 35.45,
}
ELEMENTS = {
    "H": "hydrogen",
    "C": "carbon",
    "N": "nitrogen",
    "O": "oxygen",
    "Na": "sodium",
    "P": "phosphorus",
    "S": "sulfur",
    "Cl": "chlorine",
}
GRAMS = {
    "kg": 1000.0,
    "kilograms": 1000.0,
    "g": 1.0,
    "grams": 1.0,
    "mg": 0.001,
    "lb": 453.59237,
    "pounds": 453.59237,
}


@answer
def compound(query: str, _request: Request) -> Pods | None:
    query = query.replace("sulphur", "sulfur")
    known = [
        one
        for one in CONTENT["compounds"]
        if re.search(rf"\b({one['name']}|{one['formula'].lower()})\b", query)
    ]
    if not known:
        return None
    name, atoms = known[0]["name"], known[0]["atoms"]
    molar = sum(MASSES[symbol] * count for symbol, count in atoms.items())
    amount = re.search(r"(\d+(?:\.\d+)?) ?(kg|kilograms|g|grams|mg|lb|pounds)\b", query)
    grams = float(amount[1]) * GRAMS[amount[2]] if amount else 0.0
    shown = f"{amount[1]} {amount[2]} of {name}" if amount else name
    composed = [
        f"{ELEMENTS[symbol]} | {count} | {100 * MASSES[symbol] * count / molar:.2f}% | "
        f"{100 * count / sum(atoms.values()):.2f}%"
        for symbol, count in atoms.items()
    ]
    table = Pod(
        "Elemental composition",
        "element | atom count | mass percent | atomic percent\n" + "\n".join(composed),
    )
    wants_parts = re.search(r"percent|composition|element|%|mass fraction|hydrogen|oxygen", query)
    wants_moles = re.search(r"\bmol(es?)?\b|amount", query)
    if amount and (wants_moles or not wants_parts):
        moles = Pod("Amount of substance", f"{number(grams / molar, 4)} mol (moles)")
        mass = Pod(
            "Unit conversions", f"{number(grams)} grams\n{number(grams / 453.59237, 4)} pounds"
        )
        more = [table] if wants_parts else []
        return [Pod("Input interpretation", shown), moles, mass, *more]
    formula = Pod("Formula", known[0]["formula"])
    molar_mass = Pod("Molar mass", f"{molar:.3f} g/mol (grams per mole)")
    return [Pod("Input interpretation", shown), formula, molar_mass, table]


# -- mathematics -------------------------------------------------------------------------------


@answer
def differential_equation(query: str, _request: Request) -> Pods | None:
    text = re.sub(r"\s|\*|\(t\)|\(x\)", "", query).replace("''", '"').replace("′", "'")
    found = re.search(r'y"(?:([+-]\d*)y\')?(?:([+-]\d*)y)?=0', text)
    if not found:
        return None
    variable = "x" if "(x)" in query else "t"
    a, b = (_coefficient(one) for one in found.groups())
    equation = f"y''({variable}) {_signed(a)} y'({variable}) {_signed(b)} y({variable}) = 0"
    start = re.search(r"y\(?0\)?=(-?\d+).*?y'\(?0\)?=(-?\d+)", text)
    pods = [
        Pod("Input", equation + (f", y(0) = {start[1]}, y'(0) = {start[2]}" if start else "")),
        Pod("ODE classification", "second-order linear ordinary differential equation"),
    ]
    if re.search(r"classif|\btype\b|kind of", query):
        return pods
    if "(0)" in text:
        plot_points = [(t / 20, math.exp(-a * t / 40) * math.cos(t / 8)) for t in range(80)]
        return [
            *pods,
            Pod("Plot of the solution", "Plots of the solution", curve_picture(plot_points)),
        ]
    solution = f"y({variable}) = {_solution(a, b, variable)}"
    return [*pods, Pod("Differential equation solution", solution)]


def _coefficient(text: str | None) -> int:
    if text is None:
        return 0
    return int(text) if text not in ("+", "-") else int(text + "1")


def _signed(value: int) -> str:
    return f"{'-' if value < 0 else '+'} {abs(value)}"


def _power(rate: float, variable: str) -> str:
    factor = {1: "", -1: "-"}.get(rate, f"{number(rate)} ")
    return f"e^({factor}{variable})" if factor else f"e^{variable}"


def _solution(a: int, b: int, t: str) -> str:
    root = cmath.sqrt(a * a - 4 * b)
    rate, turn = -a / 2, abs(root.imag) / 2
    if turn:
        lead = f"{_power(rate, t)} " if rate else ""
        angle = f"{number(turn)} {t}" if turn != 1 else t
        return f"c_1 {lead}sin({angle}) + c_2 {lead}cos({angle})"
    if not root:
        return f"c_1 {_power(rate, t)} + c_2 {t} {_power(rate, t)}"
    return f"c_1 {_power(rate - root.real / 2, t)} + c_2 {_power(rate + root.real / 2, t)}"


@answer
def series(query: str, _request: Request) -> Pods | None:
    found = re.search(r"1 ?/ ?\(? ?n ?\^ ?(\d) ?(?:([+-]) ?(\d+))? ?\)?", query)
    if not found or not re.search(r"sum|series|converg|infin", query):
        return None
    power, shift = int(found[1]), int((found[2] or "+") + (found[3] or "0"))
    start = int(next(iter(re.findall(r"n ?(?:=|from) ?(\d+)", query)), 1))
    if shift < 0 and start + shift <= 0:
        return None
    term = f"1/(n^{power} {_signed(shift)})" if shift else f"1/n^{power}"
    pods = [Pod("Infinite sum" if power > 1 else "Input", f"sum_(n={start})^∞ {term}")]
    if power < 2:
        return [
            *pods,
            Pod("Convergence tests", "By the harmonic series test, the series diverges."),
        ]
    total = _sum(power, shift, start)
    pods[0].alt += f" ≈ {total:.10f}"
    return [*pods, Pod("Convergence tests", "By the comparison test, the series converges.")]


@cache
def _sum(power: int, shift: int, start: int) -> float:
    last = 20_000
    # What comes after the last term, by the integral from the middle between two terms.
    rest = (last + 0.5) ** (1 - power) / (power - 1)
    return math.fsum(1 / (n**power + shift) for n in range(start, last + 1)) + rest


@answer
def hilbert(query: str, _request: Request) -> Pods | None:
    size = re.search(r"\b(\d+)", query)
    if "hilbert" not in query or not size or not 1 < int(size[1]) < 11:
        return None
    n = int(size[1])
    if not re.search(r"\bdet", query):
        rows = [" | ".join(f"1/{i + j + 1}" for j in range(n)) for i in range(n)]
        return [
            Pod("Input interpretation", f"{n}×{n} Hilbert matrix"),
            Pod("Result", "\n".join(rows)),
        ]
    value = _determinant([[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)])
    mantissa, exponent = f"{float(value):.10e}".split("e")
    return [
        Pod("Input interpretation", f"{n}×{n} Hilbert matrix | determinant"),
        Pod("Result", str(value)),
        Pod("Decimal approximation", f"{mantissa} × 10^{int(exponent)}"),
    ]


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    value = Fraction(1)
    for step in range(len(rows)):
        value *= rows[step][step]
        for row in rows[step + 1 :]:
            factor = row[step] / rows[step][step]
            row[:] = [x - factor * y for x, y in zip(row, rows[step], strict=True)]
    return value


@answer
def image_size(query: str, _request: Request) -> Pods | None:
    inch = r"(\d+(?:\.\d+)?) ?(?:\"|in\b|inch(?:es)?)?"
    sides = re.search(rf"{inch} ?(?:x|by) ?{inch}", query)
    density = re.search(r"(\d+) ?(?:ppi|dpi|pixels per inch)", query)
    if not sides or not density:
        return None
    width, height = (float(side) * int(density[1]) for side in sides.groups())
    bytes_each, kind = next(
        (
            pair
            for word, pair in {"gr[ae]y": (1, "grayscale"), "cmyk": (4, "CMYK color")}.items()
            if re.search(word, query)
        ),
        (3, "true color"),
    )
    pods = [
        Pod(
            "Input interpretation",
            f"{kind} image | {sides[1]} inches × {sides[2]} inches | {density[1]} ppi",
        ),
        Pod("Image size", f"{width:.0f} × {height:.0f} pixels"),
    ]
    if not re.search(r"size|memory|storage|byte|raw|uncompressed", query):
        return pods
    size = width * height * bytes_each
    values = f"{size / 1e6:.5g} MB (megabytes)\n{size / 2**20:.5g} MiB (mebibytes)\n"
    values += f"{size * 8 / 1e9:.4g} Gb (gigabits)"
    return [*pods, Pod("Raw memory size", values)]


@answer
def expression(query: str, _request: Request) -> Pods | None:
    text = re.sub(r"^(evaluate|compute|calculate|what is|simplify)\b", "", query).strip()
    plain = re.sub(r"(?<=[\d)i])\s*(?=[(i])", "*", text.replace("^", "**").replace(" ", ""))
    if not re.fullmatch(r"[\d.+\-*/()i]{1,80}", plain) or re.search(
        r"\*\*\(?-?\d{3}|\*\*.*\*\*.*\*\*", plain
    ):
        return None
    try:
        value = complex(Formula(plain)(i=1j))
    except (ValueError, ArithmeticError, TypeError):
        return None
    pods = [Pod("Input", _spaced(text))]
    if not value.imag:
        return [*pods, Pod("Result", number(value.real, 10))]
    sign = "-" if value.imag < 0 else "+"
    radius, angle = cmath.polar(value)
    return [
        *pods,
        Pod("Result", f"{number(value.real, 8)} {sign} {number(abs(value.imag), 8)} i"),
        Pod(
            "Polar coordinates",
            f"r = {number(radius)} (radius), θ = {number(math.degrees(angle))}° (angle)",
        ),
    ]


def _spaced(text: str) -> str:
    text = re.sub(r"(?<=\d)\s*\*?\s*i\b", " i", re.sub(r"\s+", "", text))
    return re.sub(r"(?<=[\w)])([+-])", r" \1 ", text)


# -- pages -------------------------------------------------------------------------------------


@site.get("/")
def home(request: Request) -> Response:
    return _page("home.html", request)


@site.get("/input")
def result(request: Request) -> Response:
    given = request.query_params.get("i", "").strip()
    if not given:
        return RedirectResponse("/")
    query = re.sub(r"\s+", " ", given.lower().translate(PLAIN)).strip(" ?.")
    pods = next(filter(None, (find(query, request) for find in ANSWERS)), [])
    return _page("result.html", request, query=given, pods=pods, title=given)


@site.get("/input/")
def old_address(request: Request) -> Response:
    return RedirectResponse(f"/input?{request.url.query}")


@site.get("/examples")
def examples(request: Request) -> Response:
    return _page("examples.html", request, title="Examples by Topic")


@site.get("/examples/{path:path}")
def topic(request: Request) -> Response:
    path = request.path_params["path"].strip("/")
    if path not in TOPICS:
        return _page("missing.html", request, status=404, title="Page not found")
    below = [one for one in TOPICS.values() if one["path"].startswith(f"{path}/")]
    found = TOPICS[path]
    return _page("topic.html", request, topic=found, below=below, title=found["title"])


@site.get("/tour")
def tour(request: Request) -> Response:
    return _page("tour.html", request, title="Tour")


@site.not_found
def missing(request: Request) -> Response:
    return _page("missing.html", request, status=404, title="Page not found")


def _page(template: str, request: Request, *, status: int = 200, **values: object) -> Response:
    queries = [query for topic in TOPICS.values() for query in topic.get("queries", [])]
    given = {"query": "", "title": "", "queries": queries, "topics": TOPICS, **values}
    return site.render(template, request, status=status, **given)
