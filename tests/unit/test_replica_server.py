"""The replica world over loopback: which site answers, what is recorded and refused."""

from __future__ import annotations

import gc
import re
import shutil
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from pytest_webbench.errors import SettingsError
from pytest_webbench.world import Live, open_world
from pytest_webbench.world import served as served_module
from pytest_webbench.world.base import has_double
from pytest_webbench.world.kit import Site
from pytest_webbench.world.loading import load_site
from pytest_webbench.world.replica import Replica, site_files
from pytest_webbench.world.server import listen

MINI = Path(__file__).parents[1] / "support" / "mini" / "replica"

Ask = Callable[..., httpx.Response]


def ports(replica: Replica) -> dict[str, int]:
    """Ports of the server by scheme, read from a browser's arguments."""
    (rules,) = replica.launch_args()
    http, https = (int(part.split(":")[-1]) for part in rules.split(",")[:2])
    return {"http": http, "https": https}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replica]:
    folder = tmp_path_factory.mktemp("suite") / "replica"
    shutil.copytree(MINI, folder, ignore=shutil.ignore_patterns("__pycache__"))
    replica = Replica(folder)
    yield replica
    replica.close()


@pytest.fixture
def replica(served: Replica) -> Replica:
    served.outside_since_last()
    return served


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with httpx.Client(
        verify=False, trust_env=False, timeout=10, headers={"connection": "close"}
    ) as client:
        yield client


@pytest.fixture
def ask(replica: Replica, client: httpx.Client) -> Ask:
    """Asks the server for an address as a browser does that resolves every host to it."""
    found = ports(replica)

    def ask(address: str, method: str = "GET") -> httpx.Response:
        scheme, _, rest = address.partition("://")
        host, slash, path = rest.partition("/")
        return client.request(
            method, f"{scheme}://127.0.0.1:{found[scheme]}{slash}{path}", headers={"host": host}
        )

    return ask


def title(answer: httpx.Response) -> str:
    return answer.text.partition("<title>")[2].partition("</title>")[0]


# -- which site answers ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["mini.test", "www.mini.test", "other.test", "MINI.test", "mini.test:443"]
)
def test_site_answers_at_each_of_its_hosts(ask: Ask, host: str) -> None:
    answer = ask(f"https://{host}/next")
    assert (answer.status_code, title(answer)) == (200, "Next")


def test_site_answers_with_its_own_page_for_unknown_paths(ask: Ask) -> None:
    answer = ask("https://mini.test/nowhere")
    assert (answer.status_code, title(answer)) == (404, "Missing")


def test_responses_do_not_name_the_server_software(ask: Ask) -> None:
    assert "server" not in ask("https://mini.test/").headers


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_one_connection_serves_many_requests(replica: Replica, scheme: str) -> None:
    address, hosts = (
        f"{scheme}://127.0.0.1:{ports(replica)[scheme]}/next",
        ["mini.test", "nowhere.test", "mini.test"],
    )
    with httpx.Client(verify=False, trust_env=False, timeout=10) as client:
        answers = [client.get(address, headers={"host": host}).status_code for host in hosts]
    assert answers == [301 if scheme == "http" else 200, 404, 301 if scheme == "http" else 200]


def test_responses_are_sent_without_delay() -> None:
    with listen() as listener:
        assert listener.proto == socket.IPPROTO_TCP


# -- http to https -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "location"),
    [
        ("http://mini.test/", "https://mini.test/"),
        ("http://www.mini.test/next", "https://www.mini.test/next"),
        ("http://MINI.test:80/next", "https://mini.test/next"),
        ("http://mini.test/next?q=a%20b&r=%26", "https://mini.test/next?q=a%20b&r=%26"),
        ("http://mini.test/a%20b", "https://mini.test/a%20b"),
        ("http://mini.test/%C3%BC", "https://mini.test/%C3%BC"),
        *(
            pytest.param(f"http://mini.test/{path}", f"https://mini.test/{path}")
            for path in ("what%3F", "a%23b", "100%25")
        ),
    ],
)
def test_http_is_redirected_to_the_same_https_address(
    ask: Ask, address: str, location: str
) -> None:
    answer = ask(address)
    assert (answer.status_code, answer.headers["location"]) == (301, location)


# -- outside -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    "host", ["nowhere.test", "sub.mini.test", "mini.test.evil.test", "127.0.0.1", ""]
)
def test_unknown_host_gets_a_plain_page(ask: Ask, scheme: str, host: str) -> None:
    answer = ask(f"{scheme}://{host}/x")
    assert (answer.status_code, answer.text) == (
        404,
        "<!doctype html><title>Not found</title><h1>Not found</h1>"
        f"<p>{host} is not part of this replica of the web.</p>",
    )


def test_unknown_host_cannot_inject_markup(ask: Ask) -> None:
    assert "<script>" not in ask("https://<script>alert(1)").text


@pytest.mark.parametrize(
    "address", ["http://nowhere.test/x", "https://nowhere.test/", "https://nowhere.test/a/b.js"]
)
def test_request_to_an_unknown_host_is_recorded(ask: Ask, replica: Replica, address: str) -> None:
    ask(address)
    assert replica.outside_since_last() == [address]


def test_request_to_an_unknown_host_is_recorded_with_its_query(ask: Ask, replica: Replica) -> None:
    ask("https://nowhere.test/search?q=lamp")
    assert replica.outside_since_last() == ["https://nowhere.test/search?q=lamp"]


def test_request_to_a_known_host_is_not_recorded(ask: Ask, replica: Replica) -> None:
    for address in ("https://mini.test/", "http://mini.test/", "https://mini.test/nowhere"):
        ask(address)
    assert replica.outside_since_last() == []


def test_recorded_requests_are_returned_once_and_in_order(ask: Ask, replica: Replica) -> None:
    for name in "bac":
        ask(f"https://{name}.test/")
    returned = [replica.outside_since_last(), replica.outside_since_last()]
    assert returned == [["https://b.test/", "https://a.test/", "https://c.test/"], []]


def test_record_of_requests_is_limited(
    ask: Ask, replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_module, "_MOST_OUTSIDE", 3)
    for number in range(5):
        ask(f"http://nowhere.test/{number}")
    assert replica.outside_since_last() == [f"http://nowhere.test/{number}" for number in range(3)]


# -- pages that fail ---------------------------------------------------------------------------

SITE = """from pytest_webbench.world.kit import Request, Response, Site

site = Site(__file__)


@site.get("/code")
def code(request: Request) -> Response:
    return Response(str(1 // 0))


@site.get("/{name}")
async def page(request: Request) -> Response:
    return site.render(request.path_params["name"] + ".html", request)
"""
TEMPLATES = {
    "name.html": "<p>\n{{ nobody }}</p>",
    "syntax.html": "<p>\n\n{% if %}</p>",
    "outer.html": "{% include 'name.html' %}",
}


def broken_suite(folder: Path, site: str = SITE) -> Path:
    home = folder / "replica" / "broken.test"
    (home / "templates").mkdir(parents=True)
    (home / "site.py").write_text(site)
    (home / "hosts.txt").write_text("extra.test\n")
    for name, text in TEMPLATES.items():
        (home / "templates" / name).write_text(text)
    return folder / "replica"


@pytest.mark.parametrize(
    ("path", "where", "what"),
    [
        ("code", "site.py:8", "ZeroDivisionError"),
        ("name", "name.html:2", "UndefinedError: 'nobody' is undefined"),
        ("outer", "name.html:2", "'nobody' is undefined"),
        ("syntax", "syntax.html:3", "TemplateSyntaxError"),
        ("absent", "site.py:13", "TemplateNotFound"),
    ],
)
def test_page_that_fails_is_noted_with_file_and_line(
    tmp_path: Path, client: httpx.Client, path: str, where: str, what: str
) -> None:
    replica = Replica(broken_suite(tmp_path))
    try:
        address = f"https://127.0.0.1:{ports(replica)['https']}/{path}"
        assert client.get(address, headers={"host": "broken.test"}).status_code == 500
        (noted,) = replica.broken_since_last()
        assert replica.broken_since_last() == []
    finally:
        replica.close()
    assert f"broken.test/{'templates/' if 'html' in where else ''}{where}: " in noted
    assert what in noted
    assert f"(asked for https://broken.test/{path})" in noted


@pytest.mark.parametrize(
    ("site", "where"),
    [
        ("import nothing_of_the_kind\n", "site.py:1: ModuleNotFoundError"),
        ("x = 1\nx.y\n", "site.py:2: AttributeError"),
        ("x = 1\nx = (\n", "site.py:2: SyntaxError"),
    ],
)
def test_site_that_cannot_be_loaded_is_named_with_file_and_line(
    tmp_path: Path, site: str, where: str
) -> None:
    with pytest.raises(SettingsError, match=re.escape(where)):
        load_site(broken_suite(tmp_path, site) / "broken.test" / "site.py")


def test_site_that_cannot_be_loaded_leaves_the_others_alone(
    tmp_path: Path, client: httpx.Client
) -> None:
    folder = broken_suite(tmp_path, "import nothing_of_the_kind\n")
    add_site(folder, "whole.test", WHOLE)
    replica = Replica(folder)
    try:
        address = f"https://127.0.0.1:{ports(replica)['https']}/"
        assert client.get(address, headers={"host": "whole.test"}).text == "edition 0"
        assert replica.broken_since_last() == []
        assert client.get(address, headers={"host": "broken.test"}).status_code == 500
        (noted,) = replica.broken_since_last()
        assert "broken.test/site.py:1: ModuleNotFoundError" in noted
    finally:
        replica.close()


def test_edition_that_the_world_is_set_to_reaches_its_sites(
    tmp_path: Path, client: httpx.Client
) -> None:
    add_site(tmp_path, "whole.test", WHOLE)
    replica = Replica(tmp_path)
    try:
        address = f"https://127.0.0.1:{ports(replica)['https']}/"
        replica.edition = 7
        assert client.get(address, headers={"host": "whole.test"}).text == "edition 7"
    finally:
        replica.close()


@pytest.mark.parametrize(
    ("host", "there"),
    [
        ("broken.test", True),
        ("www.broken.test", True),
        ("extra.test", True),
        ("sub.broken.test", False),
        ("nowhere.test", False),
    ],
)
def test_host_has_a_double_if_a_site_answers_there(
    tmp_path: Path, host: str, *, there: bool
) -> None:
    assert has_double(broken_suite(tmp_path), host) is there


# -- arguments of a browser --------------------------------------------------------------------


def test_browser_resolves_nothing_but_web_ports(replica: Replica) -> None:
    found = ports(replica)
    assert replica.launch_args() == [
        f"--host-resolver-rules=MAP *:80 127.0.0.1:{found['http']}, "
        f"MAP *:443 127.0.0.1:{found['https']}, MAP * ~NOTFOUND"
    ]


def test_browser_takes_the_replicas_certificate(replica: Replica) -> None:
    assert replica.context_args() == {"ignore_https_errors": True}


# -- start and end -----------------------------------------------------------------------------


def test_closed_replica_stops_answering_and_leaves_no_thread() -> None:
    before = threading.active_count()
    replica = Replica(MINI)
    found = ports(replica)
    replica.close()
    refused = []
    for port in found.values():
        with socket.socket() as probe:
            refused.append(probe.connect_ex(("127.0.0.1", port)) != 0)
    assert (refused, threading.active_count()) == ([True, True], before)


@pytest.mark.parametrize(
    "scheme",
    [
        "http",
        pytest.param("https"),
    ],
)
def test_closed_replica_leaves_no_connection(scheme: str) -> None:
    replica = Replica(MINI)
    with (
        warnings.catch_warnings(record=True) as caught,
        httpx.Client(verify=False, trust_env=False) as client,
    ):
        warnings.simplefilter("always")
        client.get(f"{scheme}://127.0.0.1:{ports(replica)[scheme]}/", headers={"host": "mini.test"})
        replica.close()
        del replica
        gc.collect()
    assert [str(one.message) for one in caught] == []


def test_two_replicas_keep_their_records_apart(replica: Replica, client: httpx.Client) -> None:
    other = Replica(MINI)
    try:
        client.get(f"https://127.0.0.1:{ports(other)['https']}/", headers={"host": "nowhere.test"})
        assert (replica.outside_since_last(), other.outside_since_last()) == (
            [],
            ["https://nowhere.test/"],
        )
    finally:
        other.close()


# -- sites in a folder -------------------------------------------------------------------------

SITE = "from pytest_webbench.world.kit import Site\nsite = Site(__file__)\n"
WHOLE = """from pytest_webbench.world.kit import Request, Response, Site, edition_of

site = Site(__file__)


@site.get("/")
def home(request: Request) -> Response:
    return Response(f"edition {edition_of(request).number}")
"""


def add_site(folder: Path, name: str, source: str = SITE, hosts: tuple[str, ...] = ()) -> Path:
    file = folder / name / "site.py"
    file.parent.mkdir(parents=True)
    file.write_text(source, "utf-8")
    if hosts:
        (file.parent / "hosts.txt").write_text("\n".join(hosts), "utf-8")
    return file


def test_site_has_all_its_host_names(tmp_path: Path) -> None:
    add_site(tmp_path, "a.test")
    add_site(tmp_path, "b.test", hosts=("cdn.test",))
    found = {host: file.parent.name for host, file in site_files(tmp_path).items()}
    assert found == {
        "a.test": "a.test",
        "www.a.test": "a.test",
        "b.test": "b.test",
        "www.b.test": "b.test",
        "cdn.test": "b.test",
    }


@pytest.mark.parametrize("kind", ["missing", "empty", "without site.py"])
def test_folder_without_sites_is_an_error_that_says_what_to_do(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "replica"
    if kind != "missing":
        folder.mkdir()
    if kind == "without site.py":
        (folder / "a.test").mkdir()
    with pytest.raises(SettingsError) as caught:
        site_files(folder)
    assert (
        str(caught.value)
        == f"{folder} holds no replica sites (expected <host>/site.py); use --webbench-world live"
    )


@pytest.mark.parametrize(
    ("first", "second", "host"),
    [
        (("a.test", ()), ("b.test", ("a.test",)), "a.test"),
        (("a.test", ("cdn.test",)), ("b.test", ("cdn.test",)), "cdn.test"),
        (("a.test", ()), ("www.a.test", ()), "www.a.test"),
    ],
)
def test_host_that_two_sites_claim_is_an_error_that_names_both(
    tmp_path: Path,
    first: tuple[str, tuple[str, ...]],
    second: tuple[str, tuple[str, ...]],
    host: str,
) -> None:
    add_site(tmp_path, first[0], hosts=first[1])
    file = add_site(tmp_path, second[0], hosts=second[1])
    with pytest.raises(SettingsError) as caught:
        site_files(tmp_path)
    assert str(caught.value) == f"{file}: host {host!r} is already served by {tmp_path / first[0]}"


@pytest.mark.parametrize("source", ["", "site = 'a.test'\n"])
def test_file_without_a_site_is_an_error_that_shows_how(tmp_path: Path, source: str) -> None:
    file = add_site(tmp_path, "a.test", source)
    with pytest.raises(SettingsError) as caught:
        load_site(file)
    assert str(caught.value) == f"{file} must define `site = Site(__file__)`"


def test_sites_of_two_suites_do_not_share_a_module(tmp_path: Path) -> None:
    sites: list[Site] = []
    for suite in ("one", "two"):
        sites.append(load_site(add_site(tmp_path / suite, "a.test")))
    assert [site.folder.parent.name for site in sites] == ["one", "two"]


# -- opening a world ---------------------------------------------------------------------------


def test_live_world_needs_no_browser_arguments(tmp_path: Path) -> None:
    world = open_world("live", tmp_path)
    assert isinstance(world, Live)
    assert (world.name, world.launch_args(), world.context_args(), world.outside_since_last()) == (
        "live",
        [],
        {},
        [],
    )


def test_replica_world_serves_the_suites_replica_folder() -> None:
    world = open_world("replica", MINI.parent)
    world.close()
    assert world.name == "replica"
