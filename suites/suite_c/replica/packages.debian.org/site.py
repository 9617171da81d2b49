"""Replica of Debian's package pages.

Search by name, description or source, package, source and file list pages.
"""

from __future__ import annotations

from typing import Any

from starlette.convertors import StringConvertor, register_url_convertor

from pytest_webbench.world.kit import Catalogue, RedirectResponse, Request, Response, Row, Site

site = Site(__file__)
SUITES = {"bookworm": "oldstable", "trixie": "stable", "forky": "testing", "sid": "unstable"}
ALIASES = {alias: suite for suite, alias in SUITES.items()}
ARCHITECTURES = {
    "amd64": "x86_64",
    "arm64": "aarch64",
    "armel": "arm",
    "armhf": "arm",
    "i386": "i386",
    "mips64el": "mips64el",
    "mipsel": "mipsel",
    "ppc64el": "powerpc64le",
    "riscv64": "riscv64",
    "s390x": "s390x",
}
OLD_ONLY = ("armel", "mips64el", "mipsel")
WHERE = {
    "names": "names",
    "all": "names or descriptions",
    "sourcenames": "source package names",
    "contents": "contents",
}


class _Suite(StringConvertor):
    regex = "|".join(SUITES)


class _Alias(StringConvertor):
    regex = "|".join(ALIASES)


register_url_convertor("debian_suite", _Suite())
register_url_convertor("debian_alias", _Alias())

sources = Catalogue(site.data("packages"))


def _binary(row: Row, source: Row) -> Row:
    paths = [
        f"/usr/share/doc/{row['name']}/{file}" for file in ("changelog.Debian.gz", "copyright")
    ]
    shared = {key: source[key] for key in ("source", "section", "maintainer", "versions")}
    return {"recommends": [], **row, **shared, "files": sorted(row.get("files", []) + paths)}


packages = Catalogue(
    [_binary(row, source) for source in sources for row in source["binaries"]]
).sort("name")


def architectures(package: Row, suite: str) -> list[str]:
    """Where a package can be installed in a suite."""
    if package["arch"] == "all":
        return ["all"]
    return [
        arch
        for arch in ARCHITECTURES
        if arch not in (("riscv64",) if suite == "bookworm" else OLD_ONLY)
    ]


def downloads(package: Row, suite: str) -> list[Row]:
    """The rows of the download table."""
    names = architectures(package, suite)
    sizes = [package["size"] * (100 + 3 * (index % 4)) / 100 for index in range(len(names))]
    return [
        {"arch": arch, "size": size, "installed": size * 3.1 + 20}
        for arch, size in zip(names, sizes, strict=True)
    ]


def _render(template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
    known = {row["name"] for row in packages}
    shared = {
        "suites": SUITES,
        "known": known,
        "summaries": {row["name"]: row["summary"] for row in packages},
    }
    return site.render(template, request, status=status, **shared, **values)


@site.get("/")
@site.get("/index")
def home(request: Request) -> Response:
    return _render("home.html", request)


@site.get("/search")
def search(request: Request) -> Response:
    asked = {
        "keywords": "",
        "searchon": "names",
        "suite": "all",
        "section": "all",
        **request.query_params,
    }
    keywords, searchon = asked["keywords"].strip().lower(), asked["searchon"]
    suite = ALIASES.get(asked["suite"], asked["suite"])
    wanted = [suite] if suite in SUITES else list(SUITES)
    exact = asked.get("exact") == "1"
    in_main = asked["section"] in ("all", "main")  # where everything in this catalogue belongs
    hits = _hits(keywords, searchon, exact) if keywords and in_main else Catalogue([])
    field = "source" if searchon == "sourcenames" else "name"
    groups = [
        ("Exact hits", hits.keep(lambda row: row[field] == keywords)),
        ("Other hits", hits.keep(lambda row: row[field] != keywords)),
    ]
    return _render(
        "results.html",
        request,
        keywords=keywords,
        searchon=searchon,
        suite=suite,
        wanted=wanted,
        hits=hits,
        field=field,
        groups=groups,
        where=WHERE.get(searchon, "names"),
        architectures_of=architectures,
    )


def _hits(keywords: str, searchon: str, exact: bool) -> Catalogue:
    def fits(text: str) -> bool:
        return keywords == text if exact else keywords in text.lower()

    if searchon == "sourcenames":
        return sources.sort("source").keep(lambda row: fits(row["source"]))
    if searchon == "contents":
        return packages.keep(lambda row: any(map(fits, row["files"])))
    if searchon == "all":
        return packages.keep(lambda row: fits(row["name"]) or fits(row["summary"]))
    return packages.keep(lambda row: fits(row["name"]))


def _sections() -> list[str]:
    return sorted({row["section"] for row in sources})


@site.get("/{alias:debian_alias}/{rest:path}")
def alias(request: Request) -> Response:
    return RedirectResponse(
        f"/{ALIASES[request.path_params['alias']]}/{request.path_params['rest']}", 302
    )


@site.get("/{suite:debian_suite}/")
def suite_index(request: Request) -> Response:
    suite = request.path_params["suite"]
    return _render(
        "suite.html", request, suite=suite, section=None, sections=_sections(), listed=[]
    )


@site.get("/{suite:debian_suite}/{section}/")
def section_index(request: Request) -> Response:
    suite, section = request.path_params["suite"], request.path_params["section"]
    listed = packages.where(section=section)
    if not listed:
        return _no_such_page(request)
    return _render("suite.html", request, suite=suite, section=section, sections=[], listed=listed)


@site.get("/{suite:debian_suite}/{name}")
def package_page(request: Request) -> Response:
    suite, package = request.path_params["suite"], packages.one(name=request.path_params["name"])
    if package is None:
        return _no_such_page(request)
    similar = [
        row
        for row in packages.where(section=package["section"])
        if row["source"] != package["source"]
    ]
    rows = downloads(package, suite)
    return _render(
        "package.html", request, suite=suite, package=package, downloads=rows, similar=similar[:4]
    )


@site.get("/source/{suite:debian_suite}/{name}")
def source_page(request: Request) -> Response:
    source = sources.one(source=request.path_params["name"])
    if source is None:
        return _no_such_page(request)
    return _render("source.html", request, suite=request.path_params["suite"], source=source)


@site.get("/{suite:debian_suite}/{arch}/{name}/filelist")
def file_list(request: Request) -> Response:
    return _of_architecture("filelist.html", request)


@site.get("/{suite:debian_suite}/{arch}/{name}/download")
def download(request: Request) -> Response:
    return _of_architecture("download.html", request)


def _of_architecture(template: str, request: Request) -> Response:
    suite, arch = request.path_params["suite"], request.path_params["arch"]
    package = packages.one(name=request.path_params["name"])
    if package is None or arch not in architectures(package, suite):
        return _no_such_page(request)
    paths = [
        path.replace("{t}", f"{ARCHITECTURES.get(arch, arch)}-linux-gnu")
        for path in package["files"]
    ]
    return _render(template, request, suite=suite, arch=arch, package=package, paths=paths)


@site.get("/{name}")
def all_suites(request: Request) -> Response:
    name = request.path_params["name"]
    if name in SUITES or name in ALIASES:
        return RedirectResponse(f"/{name}/", 302)
    if packages.one(name=name) is None:
        return _no_such_page(request)
    return RedirectResponse(
        f"/search?keywords={name}&searchon=names&exact=1&suite=all&section=all", 302
    )


@site.not_found
def missing(request: Request) -> Response:
    return _no_such_page(request)


def _no_such_page(request: Request) -> Response:
    return _render("missing.html", request, status=404)
