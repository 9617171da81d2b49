"""Handbooks: pages of a content file, how they belong together, and what is found."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from pytest_webbench.world.kit import Handbook, Request, Site
from tests.support.visitor import visitor

CONTENT = """
/:
  title: Harbour Council
/housing:
  title: Housing
  menu: true
  related: [/about]
/housing/grants:
  title: Grants for repairs
  label: Grants
  summary: What you can get
  fields: {fee: 40}
  body: |
    A grant pays **{{ facts.share }} %**, the form costs {{ page.fields.fee }}.

    | size | most |
    |------|------|
    | S    | 400  |
/housing/grants/apply:
  title: Apply
/about:
  title: About us
  menu: true
  under: /housing
  body: We give no grants.
"""
PAGE = (
    "{{ page.title }}|{% for one in book.trail(page) %}{{ one.label }}>{% endfor %}|{{ html }}"
    "|{% for one in book.children(page) %}{{ one.path }} {% endfor %}"
)


def make(folder: Path, content: str = CONTENT) -> tuple[Site, Handbook]:
    templates = folder / "council.test" / "templates"
    templates.mkdir(parents=True)
    (templates.parent / "content.yaml").write_text(content)
    (templates / "page.html").write_text(PAGE)
    (templates / "search.html").write_text(
        "{{ query }}: {% for one in hits.items %}{{ one.path }} {% endfor %}of {{ hits.total }}"
    )
    (templates / "sitemap.html").write_text("{% for one in book %}{{ one.path }} {% endfor %}")
    (templates / "missing.html").write_text("nothing here; {{ book.menu | length }} in the menu")
    site = Site(str(templates.parent / "site.py"))
    book = Handbook(site, facts=lambda edition: {"share": 30 + edition.number})
    book.search_at("/search", "search.html", size=1)
    book.sitemap_at("/sitemap", "sitemap.html")
    book.missing("missing.html")
    return site, book


def ask(site: Site, path: str, edition: int = 0, *, host: str = "council.test") -> httpx2.Response:
    return visitor(site, host, edition=edition).get(path)


def test_page_shows_its_body_as_html_with_facts_of_the_edition(tmp_path: Path) -> None:
    site, _ = make(tmp_path)
    text = ask(site, "/housing/grants").text
    assert text.startswith("Grants for repairs|Harbour Council>Housing>|<p>A grant pays")
    assert "<strong>30 %</strong>, the form costs 40." in text
    assert "<td>S</td>" in text
    assert text.endswith("|/housing/grants/apply ")
    assert "<strong>32 %</strong>" in ask(site, "/housing/grants", edition=2).text


def test_breadcrumbs_follow_the_path_unless_the_page_says_otherwise(tmp_path: Path) -> None:
    site, book = make(tmp_path)
    assert ask(site, "/about").text.startswith("About us|Harbour Council>Housing>|")
    assert ask(site, "/").text.startswith("Harbour Council||")
    assert [page.path for page in book.menu] == ["/housing", "/about"]
    assert [page.path for page in book.related(book.pages["/housing"])] == ["/about"]


def test_search_finds_words_of_titles_first_and_pages_through_hits(tmp_path: Path) -> None:
    site, _ = make(tmp_path)
    assert ask(site, "/search?q=grants").text == "grants: /housing/grants of 2"
    assert ask(site, "/search?q=grants&page=2").text == "grants: /about of 2"
    assert ask(site, "/search?q=grants+pays").text == "grants pays: /housing/grants of 1"
    assert ask(site, "/search?q=strong").text == "strong: of 0", "markup is not text"
    assert ask(site, "/search").text == ": of 0"


def test_sitemap_lists_all_pages_and_unknown_addresses_get_the_sites_own(tmp_path: Path) -> None:
    site, book = make(tmp_path)
    assert ask(site, "/sitemap").text.split() == list(book.pages)
    missing = ask(site, "/nowhere")
    assert (missing.status_code, missing.text) == (404, "nothing here; 2 in the menu")


def test_page_in_a_circle_of_parents_still_has_a_trail(tmp_path: Path) -> None:
    _, book = make(tmp_path, "/a: {title: A, under: /b}\n/b: {title: B, under: /a}\n")
    assert [page.path for page in book.trail(book.pages["/a"])] == ["/a", "/b"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("/a: {title: A, related: [/b]}", "/a: there is no page /b"),
        ("/a: {title: A, under: /c}", "/a: there is no page /c"),
        ("/a: {label: A}", "/a: no title"),
        ("/a: {title: A, bdy: text}", "/a: unknown bdy; a page has body, fields"),
    ],
)
def test_mistake_in_the_content_names_the_page(tmp_path: Path, content: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        make(tmp_path, content)


def test_template_of_its_own_gets_more_values(tmp_path: Path) -> None:
    site, book = make(tmp_path)
    (site.folder / "templates" / "more.html").write_text("{{ facts.share + extra }}")

    @site.get("/more")
    def more(request: Request):  # type: ignore[no-untyped-def]
        return book.render("more.html", request, extra=2)

    assert ask(site, "/more", edition=1).text == "33"


def test_layout_of_the_kit_gives_menu_breadcrumbs_search_and_related_pages(tmp_path: Path) -> None:
    site, book = make(tmp_path)
    (site.folder / "templates" / "page.html").write_text(
        '{% extends "handbook.html" %}{% block name %}Harbour{% endblock %}'
    )
    book.search_at("/find", parameter="words")
    book.sitemap_at("/all")
    page = ask(site, "/housing").text
    assert '<form class="search" role="search" action="/find">' in page
    assert '<a class="logo" href="/">Harbour</a>' in page
    assert '<li><a href="/housing/grants">Grants</a><p>What you can get</p></li>' in page
    assert '<aside aria-label="Related"><h2>Related</h2>' in page
    assert "<li>Housing</li></ol>" in page
    assert '<a href="/all">Sitemap</a>' in page
    assert (
        "<p>1–2 of 2 results for <strong>grants</strong></p>"
        in ask(site, "/find?words=grants").text
    )
    assert "No results for <strong>&lt;b&gt;</strong>" in ask(site, "/find?words=%3Cb%3E").text
    assert "<title>Sitemap</title>" in ask(site, "/all").text


def test_results_on_several_pages_lead_to_each_other(tmp_path: Path) -> None:
    site, book = make(tmp_path)
    (site.folder / "templates" / "page.html").write_text('{% extends "handbook.html" %}')
    book.search_at("/find", size=1)
    assert '<a href="/find?q=grants&amp;page=2">Next page</a>' in ask(site, "/find?q=grants").text
    assert (
        '<a href="/find?q=grants&amp;page=1">Previous page</a>'
        in ask(site, "/find?q=grants&page=2").text
    )


def test_pages_made_by_code_and_two_handbooks_of_one_site(tmp_path: Path) -> None:
    site, _ = make(tmp_path)
    (site.folder / "templates" / "plain.html").write_text("plain: {{ page.title }}")
    (site.folder / "hosts.txt").write_text("port.test")
    (site.folder / "port.yaml").write_text("/: {title: Port}")
    both = Site(str(site.folder / "site.py"))
    more = {"/ships": {"title": "Ships", "under": "/"}}
    port = Handbook(both, "port", more=more, layout="plain.html", host="port.test")
    assert [page.path for page in port.children(port.pages["/"])] == ["/ships"]

    @both.get("/front", host="port.test")
    def front(request: Request):  # type: ignore[no-untyped-def]
        return port.show(port.pages["/ships"], request)

    assert ask(both, "/front", host="port.test").text == "plain: Ships"
    assert ask(both, "/ships", host="port.test").text == "plain: Ships"
    assert ask(both, "/ships").status_code == 404
