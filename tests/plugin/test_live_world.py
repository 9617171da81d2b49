"""The live world as its users meet it: a missing network, walls, sites that change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry
from tests.support.fake_http import Answer
from tests.support.live_sites import (
    CHANGED,
    DETAILS,
    WALL,
    LiveSites,
    html,
    serving_sites,
    write_suite,
)
from tests.support.mini_suite import RunMini

pytestmark = pytest.mark.slow

Results = Callable[[], dict[str, LedgerEntry]]
FAR = "https://{}.invalid/"
SCRIPTED = ("--webbench-agent", "scripted")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def sites() -> Iterator[LiveSites]:
    yield from serving_sites()


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_session_without_a_network_ends_at_once(
    pytester: pytest.Pytester, run_mini: RunMini, workers: tuple[str, ...]
) -> None:
    write_suite(pytester.path / "sites", {"a": FAR.format("a"), "b": FAR.format("b")})
    result = run_mini(*SCRIPTED, *workers, path="sites")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: the live world needs a network*a.invalid (*b.invalid (*--webbench-world replica"]
    )
    assert not (pytester.path / "runs" / "t" / "run.json").exists()


NOTHING_RUN = "def pytest_runtestloop(session):\n    return True\n"
OWN_BROWSER = """import pytest


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"args": ["--host-resolver-rules=MAP * 127.0.0.1:9"]}
"""


def test_network_is_not_looked_for_where_it_says_nothing(
    pytester: pytest.Pytester, run_mini: RunMini, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_suite(pytester.path / "sites", {"a": FAR.format("a")})
    pytester.makeconftest(NOTHING_RUN)
    assert run_mini(*SCRIPTED, path="sites").ret == pytest.ExitCode.USAGE_ERROR
    lent = run_mini(*SCRIPTED, "--webbench-browser", "cdp:http://127.0.0.1:9", path="sites")
    pytester.makeconftest(NOTHING_RUN + OWN_BROWSER)
    own = run_mini(*SCRIPTED, path="sites", tag="u")
    pytester.makeconftest(NOTHING_RUN)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    behind_proxy = run_mini(*SCRIPTED, path="sites", tag="v")
    for one in (lent, own, behind_proxy):
        assert "needs a network" not in one.stderr.str()
        assert one.ret != pytest.ExitCode.USAGE_ERROR


def test_sites_on_this_machine_and_stored_results_need_no_network(
    pytester: pytest.Pytester, run_mini: RunMini, sites: LiveSites
) -> None:
    folder = write_suite(pytester.path / "sites", {"near": sites.address("shop")})
    assert run_mini(*SCRIPTED, path="sites").ret == 0
    far = write_suite(pytester.path / "far", {"far": FAR.format("far")})
    (far / "tasks" / "far.yaml").rename(folder / "tasks" / "far.yaml")
    both = run_mini(*SCRIPTED, path="sites")
    both.stderr.fnmatch_lines(["ERROR: *tried far.invalid (*"])
    assert run_mini(*SCRIPTED, "-k", "near", path="sites").ret == 0


def test_changed_site_is_drift_and_is_not_retried(
    pytester: pytest.Pytester, run_mini: RunMini, results: Results, sites: LiveSites
) -> None:
    addresses = {name: sites.address(name) for name in ("changed", "gone", "same")}
    write_suite(pytester.path / "sites", addresses)
    sites.pages["changed", "/details"] = html(CHANGED)
    sites.pages["gone", "/details"] = html("<title>Gone</title><p>No such page.</p>", 404)
    result = run_mini(*SCRIPTED, path="sites")
    assert result.ret == 10
    result.assert_outcomes(passed=1, errors=2)
    result.stdout.fnmatch_lines(["*sites (live world), agent scripted: 1 of 1 passed*"])
    result.stdout.fnmatch_lines(["*unscored: 2 drifted; the rate lies between 33.3% and 100.0%*"])
    found = results()
    assert found["changed"].reason == found["gone"].reason == "drifted"
    assert "canary 'price' (#price) is not on the page" in found["changed"].detail
    assert sites.visits("changed") == 1


LIMITED = """
[live]
parallel = 3
pause = 1
blocked_retries = {retries}
"""


def test_walls_are_retried_and_sites_are_spared(
    pytester: pytest.Pytester, run_mini: RunMini, results: Results, sites: LiveSites
) -> None:
    addresses = {name: sites.address(name) for name in ("blocked", "shop-1", "shop-2", "slow")}
    addresses["shop-1"] = addresses["shop-2"] = sites.address("shop")
    addresses["dead"] = "http://dead.localhost:9/"
    write_suite(pytester.path / "sites", addresses, LIMITED.format(retries=2))
    sites.pages["blocked", "/details"] = html(WALL, 403)
    sites.pages["slow", "/details"] = Answer(trouble="stall")
    fast = ("--webbench-infra-retries", "0", "--webbench-infra-retry-delay", "0")
    limits = ("--webbench-max-seconds", "12", "--webbench-artifacts", "none")
    run_mini(*SCRIPTED, *fast, *limits, "-n", "3", path="sites")
    found = results()
    assert {name: entry.reason or entry.outcome for name, entry in found.items()} == {
        "blocked": "blocked",
        "dead": "infra",
        "shop-1": "passed",
        "shop-2": "passed",
        "slow": "failed",
    }
    assert sites.visits("blocked") == 3
    first, second = sorted((found["shop-1"], found["shop-2"]), key=lambda entry: entry.started)
    began = [datetime.fromisoformat(entry.started).timestamp() for entry in (first, second)]
    assert began[1] >= began[0] + first.seconds + 1 - 0.05


def test_walls_are_not_retried_without_a_rule(
    pytester: pytest.Pytester, run_mini: RunMini, sites: LiveSites
) -> None:
    write_suite(pytester.path / "sites", {"blocked": sites.address("blocked")})
    sites.pages["blocked", "/details"] = html(WALL, 403)
    delay = ("--webbench-infra-retry-delay", "0", "--webbench-artifacts", "none")
    assert run_mini(*SCRIPTED, *delay, path="sites").ret == 10
    assert sites.visits("blocked") == 1
    option = ("--webbench-live-blocked-retries", "1", "--webbench-live-pause", "0")
    assert run_mini(*SCRIPTED, *delay, *option, path="sites").ret == 10
    assert sites.visits("blocked") == 3


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (("--webbench-live-parallel", "0"), "--webbench-live-parallel '0': use a whole number"),
        (("--webbench-live-pause", "-1"), "--webbench-live-pause '-1': use a number of at least 0"),
        (("--webbench-live-per-site", "two"), "--webbench-live-per-site 'two': use a whole number"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    run_mini: RunMini, given: tuple[str, ...], problem: str
) -> None:
    result = run_mini(*SCRIPTED, *given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{problem}*"])


def test_table_that_makes_no_sense_is_an_error_of_collection(
    pytester: pytest.Pytester, run_mini: RunMini, sites: LiveSites
) -> None:
    table = "\n[live]\nparalel = 2\npause = -1\n"
    write_suite(pytester.path / "sites", {"a": sites.address("a")}, table)
    result = run_mini(*SCRIPTED, path="sites")
    result.stdout.fnmatch_lines(
        ["*live.paralel: *did you mean 'parallel'*", "*live.pause: *greater than or equal to 0*"]
    )


def test_validation_puts_what_has_drifted_into_quarantine(
    pytester: pytest.Pytester, run_mini: RunMini, sites: LiveSites
) -> None:
    names = ("blocked", "changed", "same", "wrong")
    folder = write_suite(pytester.path / "sites", {name: sites.address(name) for name in names})
    sites.pages["blocked", "/details"] = html(WALL, 403)
    sites.pages["changed", "/details"] = html(CHANGED)
    sites.pages["wrong", "/details"] = html(DETAILS.replace("12", "13"))
    live = ("--webbench-world", "live", "--webbench-artifacts", "none")
    validate = ("--webbench-validate", "1", *live)
    checked = run_mini(*validate, "--webbench-quarantine", path="sites")
    assert checked.ret == 1
    checked.stdout.fnmatch_lines(
        [
            "blocked blocked  blocked.localhost: *",
            "drifted changed  changed.localhost: they show a price: canary 'price' *",
            "solved  same     same.localhost",
            "failed  wrong    wrong.localhost: wrong is not sound: reference solution: *",
            "1 of 4 solved on the live sites, 1 drifted, 1 blocked, 1 failed",
            "quarantine: 1 tasks in *quarantine.toml; new: changed",
        ]
    )
    assert sites.visits("same") == 1  # the solution alone
    skipped = run_mini(*SCRIPTED, "-k", "changed or same", "-rs", path="sites", tag="u")
    assert skipped.ret == 0
    skipped.assert_outcomes(passed=1, skipped=1)
    skipped.stdout.fnmatch_lines(
        [
            "*agent scripted: 1 of 1 passed*; 1 of 2 are missing, in quarantine",
            "  changed: quarantined on 20*: they show a price: *",
        ]
    )
    del sites.pages["changed", "/details"]
    healed = run_mini(*validate, "--webbench-quarantine", "-k", "changed", path="sites", tag="v")
    healed.stdout.fnmatch_lines(["quarantine: 0 tasks in *; let out: changed"])
    assert not (folder / "quarantine.toml").exists()


def test_quarantine_of_unknown_tasks_is_refused(
    pytester: pytest.Pytester, run_mini: RunMini, sites: LiveSites
) -> None:
    folder = write_suite(
        pytester.path / "sites", {"a": sites.address("a"), "b": sites.address("b")}
    )
    (folder / "quarantine.toml").write_text('[c]\non = "2026-11-30"\nreason = "x"\n')
    for workers in ((), ("-n", "2")):
        result = run_mini(*SCRIPTED, *workers, path="sites")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(
            ["*quarantine.toml: 1 problem", "*line 1, c: unknown task 'c'*"]
        )


def test_sample_leaves_out_the_rest(
    pytester: pytest.Pytester, run_mini: RunMini, sites: LiveSites
) -> None:
    addresses = {f"{site}-{number}": sites.address(site) for site in "abc" for number in range(3)}
    write_suite(pytester.path / "sites", addresses)
    arguments = (*SCRIPTED, "--collect-only", "-q", "--webbench-sample", "3")
    found = [run_mini(*arguments, path="sites").outlines for _time in range(2)]
    chosen = [line.partition("::")[2] for line in found[0] if "::" in line]
    assert sorted(one[0] for one in chosen) == ["a", "b", "c"]
    assert chosen == [line.partition("::")[2] for line in found[1] if "::" in line]
    nothing = run_mini(*SCRIPTED, "--webbench-sample", "0", path="sites")
    assert nothing.ret == pytest.ExitCode.USAGE_ERROR
    nothing.stderr.fnmatch_lines(["*--webbench-sample '0': use a whole number of at least 1"])


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_sites_that_a_model_knows_are_told_at_start_and_end(
    pytester: pytest.Pytester, run_mini: RunMini, mini: Path, workers: tuple[str, ...]
) -> None:
    (pytester.path / "seen.txt").write_text("test.example\nwww.mini.test\n")
    noop = ("--webbench-agent", "noop", "-k", "say-number", *workers)
    told = "not held out: 1 of 1 sites are in seen.txt, with 1 tasks: mini.test"
    result = run_mini(*noop, "--webbench-held-out", "seen.txt")
    result.stdout.fnmatch_lines([f"webbench: {told}", "*webbench*", f"{told}", "run stored in *"])
    strict = run_mini(
        *noop, "--webbench-held-out", "seen.txt", "--webbench-held-out-strict", tag="u"
    )
    assert strict.ret == pytest.ExitCode.USAGE_ERROR
    strict.stderr.fnmatch_lines([f"*{told}; leave these tasks out*"])
    assert not (pytester.path / "runs" / "u" / "run.json").exists()


def test_held_out_needs_a_file(pytester: pytest.Pytester, run_mini: RunMini) -> None:
    noop = ("--webbench-agent", "noop", "-k", "say-number")
    for given in (("--webbench-held-out-strict",), ("--webbench-held-out", "absent.txt")):
        result = run_mini(*noop, *given)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*--webbench-held-out*"])
