"""External browsers: services with a session per episode, Playwright servers, Chrome."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from playwright._impl._driver import compute_driver_executable, get_driver_env
from playwright.sync_api import Dialog, Playwright, expect
from typer.testing import CliRunner

from pytest_webbench.browser.cloud import CloudBrowser
from pytest_webbench.browser.cloud.lexmount import Lexmount
from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.find import find_browser
from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.session import Session
from pytest_webbench.cli import app
from pytest_webbench.errors import InfraError, SettingsError, WebbenchError
from pytest_webbench.run import LedgerEntry
from pytest_webbench.run.cloud_leases import CloudLeases
from pytest_webbench.world import open_world
from tests.support.fake_cloud import KEY, PROJECT, FakeCloud, fake_cloud
from tests.support.mini_suite import MINI, RunMini
from tests.support.step_notes import Notes

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LIVE = ("--webbench-world", "live")
DOCS = Path(__file__).parents[2] / "docs"


def address_of(chrome: str) -> str:
    return str(httpx.get(f"{chrome}/json/version").json()["webSocketDebuggerUrl"])


@pytest.fixture
def double(
    running_chrome: str, monkeypatch: pytest.MonkeyPatch, pytester: pytest.Pytester
) -> Iterator[FakeCloud]:
    """A service whose sessions are one running Chrome, which sees the small suite's sites."""
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def browser_context_args(browser_context_args):
            return {**browser_context_args, "ignore_https_errors": True}
        """
    )
    with fake_cloud(lambda _session: address_of(running_chrome)) as running:
        monkeypatch.setenv("LEXMOUNT_API_KEY", KEY)
        lines = {
            "LEXMOUNT_PROJECT_ID": PROJECT,
            "LEXMOUNT_BASE_URL": running.address,
            "LEXMOUNT_API_KEY": "unused",
        }
        (pytester.path / ".env").write_text(
            "\n".join(f"{name}={value}" for name, value in lines.items()), "utf-8"
        )
        yield running


def written(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


# -- sessions of a service ---------------------------------------------------------------------


def test_each_episode_gets_a_session_and_releases_it(
    run_mini: RunMini, double: FakeCloud, pytester: pytest.Pytester, running_chrome: str
) -> None:
    runs = pytester.path / "runs"
    account = f"{double.address} unknown"
    living, dead = CloudLeases(runs), CloudLeases(runs)
    living.note("lexmount", account, "living")
    dead.note("lexmount", account, "of-another-account")
    dead.leave("of-another-account")
    result = run_mini(
        "--webbench-agent",
        "scripted",
        *LIVE,
        "--webbench-browser",
        "lexmount",
        "-k",
        "open-next or say",
    )
    result.assert_outcomes(passed=2)
    assert (double.open, double.ended) == ([], ["session-1", "session-2"])
    assert sorted(note.session for note in living.all()) == ["living", "of-another-account"]
    assert "sessions still noted" not in result.stdout.str()
    told = written(runs / "t") + result.stdout.str().encode() + result.stderr.str().encode()
    token = address_of(running_chrome).rpartition("/")[2]
    assert not any(secret.encode() in told for secret in (KEY, PROJECT, token))


def test_wrong_key_stops_the_session(
    run_mini: RunMini,
    double: FakeCloud,
    monkeypatch: pytest.MonkeyPatch,
    pytester: pytest.Pytester,
) -> None:
    monkeypatch.setenv("LEXMOUNT_API_KEY", "wrong-key-9")
    result = run_mini("--webbench-agent", "noop", *LIVE, "--webbench-browser", "lexmount")
    result.stdout.fnmatch_lines(["*lexmount: the key or the project is not accepted (HTTP 401*"])
    result.assert_outcomes(errors=1)
    assert double.requests == ["POST /instance/v2"]
    assert b"wrong-key-9" not in written(pytester.path / "runs") + result.stdout.str().encode()


@pytest.mark.fault
def test_vanished_session_is_retried_and_stuck_one_reaped(
    run_mini: RunMini,
    double: FakeCloud,
    agents: Callable[[str], None],
    results: Callable[[], dict[str, LedgerEntry]],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agents(
        """
        import os, signal
        from pathlib import Path

        class Unlucky:
            def run(self, brief, page, budget):
                browser = page.context.browser.new_browser_cdp_session()
                if not Path("seen").exists():
                    Path("seen").touch()
                    infos = browser.send("SystemInfo.getProcessInfo")["processInfo"]
                    browser = next(one["id"] for one in infos if one["type"] == "browser")
                    os.kill(browser, signal.SIGTERM)
                    page.wait_for_timeout(5000)
                page.get_by_role("link", name="Next").click()
        """
    )
    with ExitStack() as chromes:
        monkeypatch.setattr(
            double, "_browser", lambda _session: chromes.enter_context(own_chrome(pytester.path))
        )
        for _ in range(2):
            double.fail("DELETE /instance", 500)
        options = (
            "--webbench-browser",
            "lexmount",
            "-k",
            "open-next",
            "--webbench-infra-retry-delay",
            "0",
        )
        result = run_mini("--webbench-agent", "agents:Unlucky", *LIVE, *options)
    assert (results()["open-next"].outcome, results()["open-next"].attempt) == ("passed", 2)
    result.stdout.fnmatch_lines(
        ["browser sessions still noted: 1; to give them back: webbench browser reap"]
    )
    assert (double.open, double.ended) == (["session-1"], ["session-2"])
    assert reap() == (
        0,
        {"released": ["session-1"], "failed": {}, "kept": [], "other_services": []},
    )
    assert double.ended == ["session-2", "session-1"]


@pytest.mark.slow
@pytest.mark.fault
def test_next_worker_releases_sessions_of_a_killed_one(
    run_mini: RunMini, double: FakeCloud, agents: Callable[[str], None], pytester: pytest.Pytester
) -> None:
    agents(
        """
        import os, signal
        from pathlib import Path

        class Doomed:
            def run(self, brief, page, budget):
                if not Path("seen").exists():
                    Path("seen").touch()
                    os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    options = ("-n", "1", "--webbench-browser", "lexmount", "-k", "open-next or say")
    result = run_mini("--webbench-agent", "agents:Doomed", *LIVE, *options)
    result.stdout.fnmatch_lines(["replacing crashed worker gw0"])
    assert (double.open, double.ended) == ([], ["session-1", "session-2", "session-3"])
    assert CloudLeases(pytester.path / "runs").all() == []


def reap(*options: str) -> tuple[int, dict[str, object]]:
    done = CliRunner().invoke(app, ["browser", "reap", "--json", *options])
    return done.exit_code, json.loads(done.stdout)


def test_reap_reports_released_and_kept_sessions(
    double: FakeCloud, pytester: pytest.Pytester
) -> None:
    notes = CloudLeases(pytester.path / "elsewhere")
    account = Lexmount(KEY, PROJECT, double.address).account
    for service, session in (
        ("lexmount", "living"),
        ("lexmount", "gone"),
        ("lexmount", "stuck"),
        ("a.b:C", "other"),
    ):
        notes.note(service, account, session)
    for session in ("gone", "stuck", "other"):
        notes.leave(session)
    elsewhere = ("--runs-dir", "elsewhere")
    first = min(("gone", "stuck"), key=notes._path)
    double.fail("DELETE /instance", 503)
    code, told = reap(*elsewhere)
    assert (code, told["kept"], told["other_services"]) == (1, ["living"], ["other"])
    assert told["failed"] == {first: "lexmount answers with HTTP 503: no reason given"}
    assert told["released"] == [{"gone": "stuck", "stuck": "gone"}[first]]
    plain = CliRunner().invoke(app, ["browser", "reap", *elsewhere])
    assert (plain.exit_code, plain.stdout.splitlines()) == (
        0,
        [
            f"released  {first}",
            "kept      living: a running process uses it, or another account owns it",
            "kept      other: it belongs to another service; name that with --browser",
            "1 of 3 noted sessions released",
        ],
    )
    assert CliRunner().invoke(app, ["browser", "reap"]).stdout == "0 of 0 noted sessions released\n"


def test_documented_service_works(
    run_mini: RunMini,
    double: FakeCloud,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (source,) = re.findall(
        r"^```python\n(.*?)^```$",
        (DOCS / "browsers.md").read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    pytester.makepyfile(grid=source)
    monkeypatch.setenv("GRID_URL", double.address)
    notes = CloudLeases(pytester.path / "runs")
    notes.note("grid:Grid", double.address, "session-1")
    notes.leave("session-1")
    double.open.append("session-1")
    run_mini(
        "--webbench-agent", "scripted", *LIVE, "--webbench-browser", "grid:Grid", "-k", "open-next"
    ).assert_outcomes(passed=1)
    assert (double.open, double.ended, notes.all()) == ([], ["session-1", "session-2"], [])


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("no_such:Grid", "module 'no_such' cannot be imported"),
        ("json:Grid", "module 'json' has no class 'Grid'"),
        ("json:JSONDecoder", r"has methods acquire\(note\) and release\(id\)"),
    ],
)
def test_unusable_service_explains_itself(
    playwright: Playwright, tmp_path: Path, choice: str, said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        browser_provider(playwright, {}, choice, notes=CloudLeases(tmp_path))


class Rented:
    """A service that gives what a test wants it to."""

    def __init__(self, url: str, *ids: str) -> None:
        self.url, self.ids, self.ended = url, ids, list[str]()

    def acquire(self, note: Callable[[str], None]) -> str:
        for one in self.ids:
            note(one)
        return self.url

    def release(self, session_id: str) -> None:
        self.ended.append(session_id)
        if session_id == "cursed":
            raise KeyError(session_id)


@pytest.mark.parametrize(
    ("ids", "said", "ended"),
    [
        ((), "cloud gave a browser without the id of its session", []),
        (("a b",), "cloud gave a session id that cannot be used: 'a b'", []),
        (
            ("s-1",),
            "no browser answers at ws://127.0.0.1:9: BrowserType.connect_over_cdp: WebSocket error",
            ["s-1"],
        ),
    ],
)
def test_session_without_a_usable_browser_is_released(
    playwright: Playwright, tmp_path: Path, ids: tuple[str, ...], said: str, ended: list[str]
) -> None:
    service, notes = Rented("ws://127.0.0.1:9/secret-path?token=1234", *ids), CloudLeases(tmp_path)
    with pytest.raises(InfraError) as caught:
        CloudBrowser(playwright, "cloud", service, notes).acquire(open_world("live", tmp_path))
    assert str(caught.value).startswith(said)
    assert "secret-path" not in str(caught.value)
    assert (service.ended, notes.all()) == (ended, [])


def test_failed_release_keeps_the_note(
    playwright: Playwright, tmp_path: Path, running_chrome: str
) -> None:
    service, notes = Rented(address_of(running_chrome), "cursed"), CloudLeases(tmp_path)
    provider = CloudBrowser(playwright, "cloud", service, notes)
    assert provider.acquire(open_world("live", tmp_path)).is_connected()
    assert list(notes.left_behind("cloud", "")) == []
    provider.release()
    assert [left.session for left in notes.left_behind("cloud", "")] == ["cursed"]


# -- Playwright servers ------------------------------------------------------------------------


@contextmanager
def playwright_server(*arguments: str) -> Iterator[str]:
    """The address of a server that runs as a process of its own."""
    command = [
        *compute_driver_executable(),
        *arguments,
    ]  # what `python -m playwright` starts, without that in between
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=get_driver_env()
    ) as server:
        assert server.stdout is not None
        try:
            yield next(
                found[0] for line in server.stdout if (found := re.search(r"ws://\S+", line))
            )
        finally:
            # After its first client, run-server ignores SIGTERM; its browsers end with the pipe.
            server.kill()


def test_playwright_server_runs_a_task(
    run_mini: RunMini, double: FakeCloud, pytester: pytest.Pytester
) -> None:
    world = open_world("replica", MINI)
    config = pytester.path / "server.json"
    config.write_text(
        json.dumps({"executablePath": find_browser().path, "args": world.launch_args()}), "utf-8"
    )
    with playwright_server(
        "launch-server", "--browser", "chromium", "--config", str(config)
    ) as address:
        result = run_mini(
            "--webbench-agent",
            "scripted",
            *LIVE,
            "--webbench-browser",
            address,
            "-k",
            "open-next or say",
        )
    world.close()
    result.assert_outcomes(passed=2)
    token = address.rpartition("/")[2]
    assert len(token) > 20
    assert token.encode() not in written(pytester.path / "runs") + result.stdout.str().encode()


def test_playwright_server_starts_the_requested_browser(
    playwright: Playwright, tmp_path: Path
) -> None:
    live = open_world("live", tmp_path)
    wishes = {"executable_path": find_browser().path}
    with playwright_server(
        "run-server", "--port", "0", "--host", "127.0.0.1", "--unsafe"
    ) as address:
        provider = browser_provider(playwright, wishes, address)
        browser = provider.acquire(live)
        assert provider.acquire(live) is browser
        assert browser.version
        provider.release()
        assert not browser.is_connected()
        with pytest.raises(
            InfraError, match="no browser comes from the Playwright server"
        ) as caught:
            browser_provider(
                playwright, {"executable_path": "/no/such"}, f"{address}?token=1234"
            ).acquire(live)
    assert "1234" not in str(caught.value)


def test_remote_browser_is_refused_for_the_replica_world(
    playwright: Playwright, tmp_path: Path
) -> None:
    world = open_world("replica", MINI)
    for choice, shown in (
        ("ws://127.0.0.1:9/x", "ws://..."),
        ("cdp:ws://127.0.0.1:9/x", "cdp:..."),
    ):
        with pytest.raises(
            SettingsError,
            match=f"with --webbench-browser {re.escape(shown)} use --webbench-world live",
        ):
            browser_provider(playwright, {}, choice).acquire(world)
    with pytest.raises(
        SettingsError, match="with --webbench-browser cloud use --webbench-world live"
    ):
        CloudBrowser(playwright, "cloud", Rented(""), CloudLeases(tmp_path)).acquire(world)
    world.close()


def test_agent_closing_tabs_does_not_lose_an_external_browser(
    playwright: Playwright,
    running_chrome: str,
    tmp_path: Path,
    notes: Notes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pytest_webbench.browser.session._END_SECONDS", 0.1)
    provider = browser_provider(playwright, {}, f"cdp:{running_chrome}")
    browser = provider.acquire(open_world("live", tmp_path))
    opened = Session(
        fresh_context(browser, {}, external=provider.external), notes, step_shots=False
    )
    opened.page.close()
    assert opened.alive()
    opened.close()
    provider.release()


# -- a Chrome that others use ------------------------------------------------------------------


def test_foreign_tabs_are_left_alone(
    playwright: Playwright, running_chrome: str, tmp_path: Path
) -> None:
    owner = playwright.chromium.connect_over_cdp(running_chrome)
    theirs = [owner.contexts[0].new_page(), owner.new_context().new_page()]
    dialogs: list[Dialog] = []
    for page in theirs:
        page.on("dialog", lambda dialog: dialogs.append(dialog))  # noqa: PLW0108 - Playwright marks it
    provider = browser_provider(playwright, {}, f"cdp:{running_chrome}")
    ours = provider.acquire(open_world("live", tmp_path))
    for page in theirs:
        page.evaluate("setTimeout(() => { document.title = `answer: ${confirm('sure?')}` }, 0)")
    page = ours.new_context().new_page()
    page.goto("data:text/html,<button onclick='this.textContent = confirm()'>go")
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_text("false")
    for dialog in dialogs:
        dialog.accept()
    provider.release()
    for page in theirs:
        expect(page).to_have_title("answer: true")
        page.close()
    owner.close()


# -- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "choice", ["cdp:http://127.0.0.1:{port}/t0ken?x=s3cret", "ws://u:t0ken@127.0.0.1:{port}/s3cret"]
)
def test_error_hides_the_address_with_its_token(
    playwright: Playwright, tmp_path: Path, choice: str
) -> None:
    with fake_cloud() as double:
        for request in ("GET /t0ken/json/version/", "GET /s3cret"):
            double.fail(request, 401, "")
        port = double.address.rpartition(":")[2]
        with pytest.raises(WebbenchError) as caught:
            browser_provider(playwright, {}, choice.format(port=port)).acquire(
                open_world("live", tmp_path)
            )
    assert f"127.0.0.1:{port}" in str(caught.value)
    assert not re.search("t0ken|s3cret", str(caught.value)), str(caught.value)
    assert caught.value.__suppress_context__


def test_playwright_server_of_another_version_is_a_settings_error(
    playwright: Playwright, tmp_path: Path
) -> None:
    with fake_cloud() as double:
        double.fail("GET /", 428, "Playwright version mismatch:\n  - server version: v1.2")
        address = double.address.replace("http", "ws") + "/"
        with pytest.raises(SettingsError, match="major and minor version have to be the same"):
            browser_provider(playwright, {}, address).acquire(open_world("live", tmp_path))


@contextmanager
def own_chrome(folder: Path) -> Iterator[str]:
    """The CDP address of a Chromium that sees the small suite's sites."""
    world = open_world("replica", MINI)
    profile = folder / f"profile-{len(list(folder.glob('profile-*')))}"
    command = [find_browser().path, "--headless", "--no-sandbox", "--remote-debugging-port=0"]
    with subprocess.Popen(
        [*command, f"--user-data-dir={profile}", *world.launch_args()],
        stderr=subprocess.PIPE,
        text=True,
    ) as chrome:
        assert chrome.stderr is not None
        try:
            yield next(
                found[0] for line in chrome.stderr if (found := re.search(r"ws://\S+", line))
            )
        finally:
            chrome.kill()
    world.close()
