"""Double of Coolmath4Kids: tools to practise arithmetic by quizzes, and pages about numbers."""

from __future__ import annotations

from pytest_webbench.world.kit import Handbook, JSONResponse, Request, Response, Site, edition_of

site = Site(__file__)
book = Handbook(site)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()

TOOL = "/sites/default/files/practice-tool"
TOOLS = {
    "add": ("Addition", "+"),
    "subtract": ("Subtraction", "−"),
    "multiply": ("Multiplication", "×"),
}
RANGES = {
    "0-2": (0, 2),
    "3-5": (3, 5),
    "6-8": (6, 8),
    "9-10": (9, 10),
    "11-12": (11, 12),
    "0-12": (0, 12),
}
COUNTS = (5, 10, 15, 20, 25)
TIMES = ("2", "5", "10", "20", "unlimited")


@site.get(f"{TOOL}/{{name}}.html")
def tool(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in TOOLS:
        return book.render("handbook-missing.html", request, status=404)
    label, sign = TOOLS[name]
    choices = {"ranges": list(RANGES), "counts": COUNTS, "times": TIMES}
    return site.render("tool.html", request, name=name, label=label, sign=sign, **choices)


@site.get(f"{TOOL}/{{name}}/questions")
def questions(request: Request) -> Response:
    """As many questions as are wanted, each two numbers, the first of the range."""
    given = request.query_params
    low, high = RANGES.get(given.get("range", ""), (0, 12))
    count = given.get("questions", "")
    wanted = int(count) if count in map(str, COUNTS) else 10
    draw = edition_of(request).draw(f"{request.path_params['name']} {low} {high} {wanted}")
    pairs = [(draw.randint(low, high), draw.randint(2, 12)) for _ in range(wanted)]
    return JSONResponse(pairs)
