"""O Jornal Económico: news by section and by topic, in Portuguese."""

from datetime import timedelta

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    edition_of,
    slugify,
)

PLAIN = str.maketrans("áàâãçéêíóôõú", "aaaaceeiooou")
FIRST_NUMBER = 1021065
PER_PAGE = 6

site = Site(__file__)
DATA = site.data("news")


@by_edition
def news(edition: Edition) -> Catalogue:
    """All articles, the newest first; figures, days and so the order are the edition's own."""
    draw = edition.draw("news")
    given = [(section, one) for section, many in DATA["news"].items() for one in many]
    moment = edition.now
    rows: list[Row] = []
    for place, (section, one) in enumerate(draw.sample(given, len(given))):
        moment -= timedelta(minutes=draw.randrange(90, 1500))
        title = one["title"].format(n=draw.randrange(11, 98))
        topics = {slug_of(name): name for name in one["topics"]}
        rows.append(
            {
                "title": title,
                "section": section,
                "topics": list(topics),
                "names": topics,
                "text": one["text"],
                "moment": moment,
                "closed": place % 4 == 1,
                "path": f"/noticias/{slug_of(title)}-{FIRST_NUMBER - 3 * place}/",
            }
        )
    return Catalogue(rows)


def slug_of(title: str) -> str:
    return slugify(title.casefold().translate(PLAIN))


def show(request: Request, template: str, *, status: int = 200, **values: object) -> Response:
    """A page; what is read most stands beside it, which are not the newest articles."""
    most = news(request).rows[::-9][:5]
    common = {"sections": DATA["sections"], "most": most, "now": edition_of(request).now}
    return site.render(template, request, status=status, **common, **values)


def listed(request: Request, rows: Catalogue, title: str, kind: str) -> Response:
    page = rows.page(request.query_params.get("pagina"), PER_PAGE)
    return show(request, "list.html", page=page, title=title, kind=kind)


@site.get("/")
def home(request: Request) -> Response:
    by_section = {key: news(request).where(section=key).rows[:4] for key in DATA["sections"]}
    return show(request, "home.html", newest=news(request).rows[:3], by_section=by_section)


@site.get("/categoria/{section}/")
def section(request: Request) -> Response:
    key = request.path_params["section"]
    if key not in DATA["sections"]:
        return missing(request)
    return listed(request, news(request).where(section=key), DATA["sections"][key], "Secção")


@site.get("/topicos/")
def topics(request: Request) -> Response:
    names = {slug: name for row in news(request) for slug, name in row["names"].items()}
    return show(request, "topics.html", names=sorted(names.items()))


@site.get("/topicos/{topic}/")
def topic(request: Request) -> Response:
    key = request.path_params["topic"]
    rows = news(request).where(topics=key)
    if not len(rows):
        return missing(request)
    return listed(request, rows, rows.rows[0]["names"][key], "Tópico")


@site.get("/noticias/{name}/")
def article(request: Request) -> Response:
    row = news(request).one(path=f"/noticias/{request.path_params['name']}/")
    return show(request, "article.html", article=row) if row else missing(request)


@site.get("/pesquisa/")
def search(request: Request) -> Response:
    """The best match first, and not the newest."""
    words = request.query_params.get("q", "")
    found = news(request).search(words, "text", "title") if words.strip() else Catalogue()
    return listed(request, found, f"Pesquisa: {words}", "Resultados")


@site.not_found
def missing(request: Request) -> Response:
    return show(request, "missing.html", status=404)
