"""The replica world over real loopback connections: which site answers, what is recorded, what is refused."""

from __future__ import annotations

import gc
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
from pytest_webbench.world import replica as replica_module
from pytest_webbench.world.kit import Site
from pytest_webbench.world.replica import Replica, _listen, load_sites

MINI = Path(__file__).parents[1] / "mini" / "replica"

Ask = Callable[..., httpx.Response]


def ports(replica: Replica) -> dict[str, int]:
    """Ports of the server by scheme, read from what a browser is told."""
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
    with httpx.Client(verify=False, trust_env=False, timeout=10, headers={"connection": "close"}) as client:
        yield client


@pytest.fixture
def ask(replica: Replica, client: httpx.Client) -> Ask:
    """Asks the server for an address as a browser does that resolves every host to it."""
    found = ports(replica)

    def ask(address: str, method: str = "GET") -> httpx.Response:
        scheme, _, rest = address.partition("://")
        host, slash, path = rest.partition("/")
        return client.request(method, f"{scheme}://127.0.0.1:{found[scheme]}{slash}{path}", headers={"host": host})

    return ask


def title(answer: httpx.Response) -> str:
    return answer.text.partition("<title>")[2].partition("</title>")[0]


# -- which site answers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["mini.test", "www.mini.test", "other.test", "MINI.test", "mini.test:443"])
def test_site_answers_at_each_of_its_hosts(ask: Ask, host: str) -> None:
    answer = ask(f"https://{host}/next")
    assert (answer.status_code, title(answer)) == (200, "Next")


def test_site_answers_with_its_own_page_for_unknown_paths(ask: Ask) -> None:
    answer = ask("https://mini.test/nowhere")
    assert (answer.status_code, title(answer)) == (404, "Missing")


def test_answer_does_not_tell_what_server_it_is_from(ask: Ask) -> None:
    assert "server" not in ask("https://mini.test/").headers


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_one_connection_serves_many_requests(replica: Replica, scheme: str) -> None:
    address, hosts = f"{scheme}://127.0.0.1:{ports(replica)[scheme]}/next", ["mini.test", "nowhere.test", "mini.test"]
    with httpx.Client(verify=False, trust_env=False, timeout=10) as client:
        answers = [client.get(address, headers={"host": host}).status_code for host in hosts]
    assert answers == [301 if scheme == "http" else 200, 404, 301 if scheme == "http" else 200]


def test_answers_are_not_held_back() -> None:
    with _listen() as listener:
        assert listener.proto == socket.IPPROTO_TCP


# -- http to https -----------------------------------------------------------------------------------------------------


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
def test_plain_address_is_redirected_to_the_same_secure_one(ask: Ask, address: str, location: str) -> None:
    answer = ask(address)
    assert (answer.status_code, answer.headers["location"]) == (301, location)


# -- outside -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", ["nowhere.test", "sub.mini.test", "mini.test.evil.test", "127.0.0.1", ""])
def test_unknown_host_is_answered_with_a_plain_page(ask: Ask, scheme: str, host: str) -> None:
    answer = ask(f"{scheme}://{host}/x")
    assert (answer.status_code, answer.text) == (
        404,
        "<!doctype html><title>Not found</title><h1>Not found</h1>"
        f"<p>{host} is not part of this replica of the web.</p>",
    )


def test_unknown_host_cannot_write_into_the_page(ask: Ask) -> None:
    assert "<script>" not in ask("https://<script>alert(1)").text


@pytest.mark.parametrize("address", ["http://nowhere.test/x", "https://nowhere.test/", "https://nowhere.test/a/b.js"])
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


def test_recorded_requests_are_told_once_in_order(ask: Ask, replica: Replica) -> None:
    for name in "bac":
        ask(f"https://{name}.test/")
    told = [replica.outside_since_last(), replica.outside_since_last()]
    assert told == [["https://b.test/", "https://a.test/", "https://c.test/"], []]


def test_record_of_requests_has_an_end(ask: Ask, replica: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica_module, "_MOST_OUTSIDE", 3)
    for number in range(5):
        ask(f"http://nowhere.test/{number}")
    assert replica.outside_since_last() == [f"http://nowhere.test/{number}" for number in range(3)]


# -- what a browser is told --------------------------------------------------------------------------------------------


def test_browser_resolves_web_ports_to_the_server_and_nothing_else(replica: Replica) -> None:
    found = ports(replica)
    assert replica.launch_args() == [
        f"--host-resolver-rules=MAP *:80 127.0.0.1:{found['http']}, MAP *:443 127.0.0.1:{found['https']}, "
        "MAP * ~NOTFOUND"
    ]


def test_browser_takes_the_replicas_certificate(replica: Replica) -> None:
    assert replica.context_args() == {"ignore_https_errors": True}


# -- start and end -----------------------------------------------------------------------------------------------------


def test_closed_replica_answers_no_more_and_leaves_no_thread() -> None:
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
    with warnings.catch_warnings(record=True) as caught, httpx.Client(verify=False, trust_env=False) as client:
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
        assert (replica.outside_since_last(), other.outside_since_last()) == ([], ["https://nowhere.test/"])
    finally:
        other.close()


# -- sites in a folder -------------------------------------------------------------------------------------------------

SITE = "from pytest_webbench.world.kit import Site\nsite = Site(__file__, hosts={hosts!r})\n"


def add_site(folder: Path, name: str, source: str = SITE.format(hosts=())) -> Path:
    file = folder / name / "site.py"
    file.parent.mkdir(parents=True)
    file.write_text(source, "utf-8")
    return file


def test_sites_are_known_by_every_host(tmp_path: Path) -> None:
    add_site(tmp_path, "a.test")
    add_site(tmp_path, "b.test", SITE.format(hosts=("cdn.test",)))
    found = {host: site.folder.name for host, site in load_sites(tmp_path).items()}
    assert found == {
        "a.test": "a.test", "www.a.test": "a.test", "b.test": "b.test", "www.b.test": "b.test", "cdn.test": "b.test"
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["missing", "empty", "without site.py"])
def test_folder_without_sites_is_an_error_that_says_what_to_do(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "replica"
    if kind != "missing":
        folder.mkdir()
    if kind == "without site.py":
        (folder / "a.test").mkdir()
    with pytest.raises(SettingsError) as caught:
        load_sites(folder)
    assert str(caught.value) == f"{folder} holds no replica sites (expected <host>/site.py); use --webbench-world live"


@pytest.mark.parametrize(
    ("first", "second", "host"),
    [
        (("a.test", ()), ("b.test", ("a.test",)), "a.test"),
        (("a.test", ("cdn.test",)), ("b.test", ("cdn.test",)), "cdn.test"),
        (("a.test", ()), ("www.a.test", ()), "www.a.test"),
    ],
)
def test_host_that_two_sites_claim_is_an_error_that_names_both(
    tmp_path: Path, first: tuple[str, tuple[str, ...]], second: tuple[str, tuple[str, ...]], host: str
) -> None:
    add_site(tmp_path, first[0], SITE.format(hosts=first[1]))
    file = add_site(tmp_path, second[0], SITE.format(hosts=second[1]))
    with pytest.raises(SettingsError) as caught:
        load_sites(tmp_path)
    assert str(caught.value) == f"{file}: host {host!r} is already served by {tmp_path / first[0]}"


@pytest.mark.parametrize("source", ["", "site = 'a.test'\n"])
def test_file_without_a_site_is_an_error_that_shows_how(tmp_path: Path, source: str) -> None:
    file = add_site(tmp_path, "a.test", source)
    with pytest.raises(SettingsError) as caught:
        load_sites(tmp_path)
    assert str(caught.value) == f"{file} must define `site = Site(__file__)`"


def test_sites_of_two_suites_do_not_share_a_module(tmp_path: Path) -> None:
    sites: list[Site] = []
    for suite in ("one", "two"):
        add_site(tmp_path / suite, "a.test")
        sites.append(load_sites(tmp_path / suite)["a.test"])
    assert [site.folder.parent.name for site in sites] == ["one", "two"]


# -- opening a world ---------------------------------------------------------------------------------------------------


def test_live_world_asks_nothing_of_a_browser(tmp_path: Path) -> None:
    world = open_world("live", tmp_path)
    assert isinstance(world, Live)
    assert (world.name, world.launch_args(), world.context_args(), world.outside_since_last()) == ("live", [], {}, [])


def test_replica_world_serves_the_suites_replica_folder() -> None:
    world = open_world("replica", MINI.parent)
    world.close()
    assert world.name == "replica"
