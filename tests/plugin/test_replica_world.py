"""The replica world as its users meet it: proxies, failing pages, service workers, start pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry
from tests.support.mini_suite import RunMini

pytestmark = pytest.mark.slow

Results = Callable[[], dict[str, LedgerEntry]]

SITE = """from pytest_webbench.world.kit import Request, Response, Site

site = Site(__file__)
PAGE = "<!doctype html><title>Own</title><a href=/fails>Fails</a><p id=state></p><script>" \\
    "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)" \\
    ".then(() => { document.getElementById('state').textContent = 'worker ready' }," \\
    " (error) => { document.getElementById('state').textContent = String(error) });" \\
    "document.querySelector('a').href += '?'</script>"


@site.get("/")
def home(request: Request) -> Response:
    return Response(PAGE, media_type="text/html")


@site.get("/worker.js")
def worker(request: Request) -> Response:
    return Response("onfetch = () => {}", media_type="text/javascript")


@site.get("/fails")
def fails(request: Request) -> Response:
    return Response(request.query_params["absent"])
"""
TASK = """id: {name}
goal: Open the page of this site and stay there.
start_url: {url}
checks:
- name: it is open
  get: visible_text
  metric: include_exclude
  expected: {{must_include: [worker ready]}}
solution:
{solution}
"""


def _add_task(mini: Path, name: str, url: str, *steps: str) -> None:
    solution = "\n".join(f"- {step}" for step in steps)
    text = TASK.format(name=name, url=url, solution=solution)
    (mini / "tasks" / f"{name}.yaml").write_text(text)


@pytest.fixture
def own(mini: Path) -> Path:
    """The small suite with one more site, and tasks on that alone."""
    for task in (mini / "tasks").iterdir():
        task.unlink()
    site = mini / "replica" / "own.test" / "site.py"
    site.parent.mkdir()
    site.write_text(SITE)
    (site.parent / "hosts.txt").write_text("extra.test\n")
    return mini


@pytest.mark.browser
def test_replica_uses_no_proxy_and_its_own_failures_are_nobody_elses(
    own: Path, run_mini: RunMini, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    waits = "{do: hover, role: link, name: Fails}"
    _add_task(own, "worker", "https://extra.test/", waits)
    _add_task(own, "fails", "https://own.test/", "{do: click, role: link, name: Fails}")
    _add_task(own, "never-begins", "https://own.test/fails", waits)
    result = run_mini("--webbench-agent", "scripted")
    result.stdout.fnmatch_lines(["webbench proxy: *ALL_PROXY http://127.0.0.1:9*live world only"])
    found = results()
    assert found["worker"].outcome == "passed"
    for name in ("fails", "never-begins"):
        assert (found[name].outcome, found[name].reason) == ("unscored", "infra")
        assert "own.test/site.py:23: KeyError: 'absent'" in found[name].detail


@pytest.mark.parametrize(
    ("url", "there"),
    [
        ("https://own.test/a", True),
        ("https://www.own.test/", True),
        ("https://extra.test/", True),
        ("https://nowhere.test/", False),
        ("http://sub.own.test/x", False),
    ],
)
def test_start_page_without_a_double_is_an_error_of_collection(
    own: Path, run_mini: RunMini, url: str, *, there: bool
) -> None:
    _add_task(own, "begins", url, "{do: done, answer: x}")
    result = run_mini("--webbench-agent", "scripted", "--collect-only", "-q")
    if there:
        assert result.ret == 0
        return
    host = url.split("/")[2]
    result.stdout.fnmatch_lines(
        [f"*start_url {url}: the replica world has no double of {host}; add *"]
    )
    assert result.ret != 0
