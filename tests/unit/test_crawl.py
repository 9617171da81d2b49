"""Sites crawled over HTTP: what counts as a page, and what is wrong with pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.world.crawl import Crawl, Found, crawl
from pytest_webbench.world.page_links import PageLinks
from pytest_webbench.world.replica import Replica
from tests.support.made_site import make_site

HOST = "lamps.test"
CrawlMade = Callable[..., Crawl]


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[CrawlMade]:
    """Crawls a made site; what `crawl` takes is given apart."""
    opened: list[Replica] = []

    def run(options: dict[str, Any] | None = None, edition: int = 0, **made: Any) -> Crawl:
        make_site(tmp_path, HOST, **made)
        make_site(tmp_path, "other.test", count=3)
        replica = Replica(tmp_path)
        opened.append(replica)
        replica.edition = edition
        return crawl(replica, (HOST, f"www.{HOST}"), [f"https://{HOST}/"], **options or {})

    yield run
    for replica in opened:
        replica.close()


def faults(found: Crawl) -> list[Found]:
    return [*found.dead, *found.outside, *found.words, *found.failing]


def test_whole_site_is_found_and_nothing_wrong_with_it(crawled: CrawlMade) -> None:
    found = crawled()
    assert (len(found.pages), len(found.kinds), found.left) == (25, 25, 0)
    assert faults(found) == []


def test_pages_of_a_list_count_once_unless_their_titles_differ(crawled: CrawlMade) -> None:
    links = "".join(f"<a href='/?page={n}'>{n}</a><a href='/item?id={n}'>{n}</a>" for n in "123")
    more = (
        '@site.get("/item")\ndef item(request: Request) -> Response:\n'
        '    return page("Item " + request.query_params["id"], "")'
    )
    found = crawled(count=1, home=links, more=more)
    assert (len(found.pages), len(found.kinds)) == (7, 4)


def test_endless_lists_end(crawled: CrawlMade) -> None:
    more = (
        '@site.get("/day/{n:int}")\ndef day(request: Request) -> Response:\n'
        "    return page('Day', f\"<a href=/day/{request.path_params['n'] + 1}>next</a>\")\n\n\n"
        '@site.get("/list")\ndef list_(request: Request) -> Response:\n'
        "    n = int(request.query_params['n'])\n"
        "    return page('List', f\"<a href='/list?n={n + 1}'>next</a>\")"
    )
    home = "<a href=/day/1>a</a><a href='/list?n=1'>b</a>"
    found = crawled({"most": 90}, count=1, home=home, more=more)
    assert len(found.pages) == 90
    assert sum("/list" in url for url in found.pages) == 40
    assert found.left == 2
    assert faults(found) == []


@pytest.mark.parametrize(
    ("home", "dead"),
    [
        ("<a href=/gone>x</a>", "https://lamps.test/gone answers 404"),
        ("<a href='gone?x=1#part'>x</a>", "https://lamps.test/gone?x=1 answers 404"),
        ("<img src=/gone.png alt=x>", "https://lamps.test/gone.png answers 404"),
        ("<a href=http://www.lamps.test/gone>x</a>", "https://www.lamps.test/gone answers 404"),
        ("<a href=//other.test/gone>x</a>", "https://other.test/gone answers 404"),
        ("<iframe src=/gone title=x></iframe>", "https://lamps.test/gone answers 404"),
        ("<a href=/moved>x</a>", "https://lamps.test/gone answers 404"),
    ],
)
def test_dead_links_are_found(crawled: CrawlMade, home: str, dead: str) -> None:
    more = (
        "from pytest_webbench.world.kit import RedirectResponse\n\n\n"
        '@site.get("/moved")\ndef moved(request: Request) -> Response:\n'
        '    return RedirectResponse("/gone")'
    )
    found = crawled(home=home, more=more)
    assert [one.what for one in found.dead] == [dead]


@pytest.mark.parametrize(
    "home",
    [
        "<a href=https://nowhere.example/x>a real link may lead out</a>",
        "<a href=mailto:a@b.test>x</a><a href='javascript:void 0'>x</a><a href='#top'>x</a>",
        "<a href='http://['>x</a><a>x</a><a href=''>x</a>",
        "<a href=//other.test/>x</a>",
        "<p>Mockingbirds, replicate, crash-test-dummy, pytest-mock, mock-up, Testsite.</p>",
        "<script>const webbench = 'dummy'</script>",
        "<link rel=canonical href=https://nowhere.example/>",
    ],
)
def test_what_real_pages_hold_is_fine(crawled: CrawlMade, home: str) -> None:
    found = crawled(home=home)
    assert faults(found) == []
    assert len(found.kinds) == 25, "pages of other sites are not counted"


@pytest.mark.parametrize(
    "home",
    [
        "<img src=https://cdn.example/a.png alt=x>",
        "<script src=//cdn.example/a.js></script>",
        "<link rel='shortcut icon' href=https://cdn.example/i>",
        "<base href=https://cdn.example/><img src=a.png alt=x>",
    ],
)
def test_files_of_other_hosts_are_found(crawled: CrawlMade, home: str) -> None:
    (found,) = crawled(home=home).outside
    assert found.what.startswith("https://cdn.example/")
    assert found.page == "https://lamps.test/"


@pytest.mark.parametrize(
    ("home", "word"),
    [
        ("<p>Lorem   ipsum dolor</p>", "'lorem ipsum'"),
        ("<p>A Replica of the web.</p>", "'replica'"),
        ("<img src=/ alt='Dummy picture'>", "'dummy'"),
        ("<input placeholder='mock data'>", "'mock'"),
        ("<!-- for webbench -->", "'webbench'"),
        ("<p>this test site</p>", "'test site'"),
        ("<meta name=description content='demo site'>", "'demo site'"),
    ],
)
def test_words_that_tell_of_a_test_are_found(crawled: CrawlMade, home: str, word: str) -> None:
    assert [one.what for one in crawled(home=home).words] == [word]


def test_words_that_the_real_site_says_are_allowed(crawled: CrawlMade) -> None:
    found = crawled({"allowed": ["mock"]}, home="<p>mock, dummy</p>")
    assert [one.what for one in found.words] == ["'dummy'"]


def test_pages_that_fail_are_found_with_their_place(crawled: CrawlMade) -> None:
    more = '@site.get("/fails")\ndef fails(request: Request) -> Response:\n    return {}["price"]'
    found = crawled(home="<a href=/fails>x</a>", more=more)
    answered, place = found.failing
    assert answered == ("https://lamps.test/fails answers 500", "https://lamps.test/")
    assert "KeyError: 'price'" in place.what
    assert "site.py:" in place.what


def test_pages_are_those_of_the_edition(crawled: CrawlMade) -> None:
    more = (
        '@site.get("/now")\ndef now(request: Request) -> Response:\n'
        "    return page('Now', f\"<a href=/lamp/{'x' * edition_of(request).number}>x</a>\")"
    )
    found = crawled(edition=2, home="<a href=/now>x</a>", more=more)
    assert [one.what for one in found.dead] == ["https://lamps.test/lamp/xx answers 404"]


def test_texts_and_titles_are_read() -> None:
    page = PageLinks(
        "https://a.test/", "<title> A &amp; B </title><p>one<b>two</b></p><svg><title>"
    )
    assert (page.title, page.text.split()) == ("A & B", ["A", "&", "B", "one", "two"])
