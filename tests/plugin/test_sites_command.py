"""`webbench sites SUITE`: each rule, on a small site that breaks it alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.made_site import make_site

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SITES = [sys.executable, "-c", "from pytest_webbench.cli import main; main()", "sites", "made"]
TASK = """id: first
goal: Open lamp 1.
start_url: https://good.test/lamp/2
checks:
- {name: open, get: final_url, metric: url_matches, expected: https://good.test/lamp/1}
"""
FAILS = """@site.get("/fails")
def fails(request: Request) -> Response:
    return Response({}["price"])"""
MOVES = """@site.get("/now")
def now(request: Request) -> Response:
    return page("Now", "<a href=/lamp/" + "x" * edition_of(request).number + "1>Lamp</a>")"""
BROKEN: Final[dict[str, tuple[dict[str, Any], str, str]]] = {
    "few.test": ({"count": 24}, "pages", "24 pages were found, of at least 25"),
    "dead.test": (
        {"home": "<a href=/gone>Gone</a>"},
        "dead",
        "https://dead.test/gone answers 404 (on https://dead.test/)",
    ),
    "nameless.test": (
        {"home": "<button></button><label>Name <input></label><input hidden>"},
        "names",
        "<button></button> (on https://nameless.test/)",
    ),
    "outside.test": (
        {"home": "<script>fetch('https://cdn.example/x').catch(() => 0)</script>"},
        "outside",
        "https://cdn.example/x (on https://outside.test/)",
    ),
    "words.test": ({"home": "<p>A mock.</p>"}, "words", "'mock' (on https://words.test/)"),
    "fails.test": ({"home": "<a href=/fails>x</a>", "more": FAILS}, "failing", "KeyError: 'price'"),
    "script.test": (
        {"home": "<script>nothing.at.all</script>"},
        "failing",
        "script: nothing is not defined (on https://script.test/)",
    ),
    "editions.test": (
        {"home": "<a href=/now>Now</a>", "more": MOVES},
        "editions",
        "edition 2: https://editions.test/lamp/xx1 answers 404 (on https://editions.test/now)",
    ),
}


@pytest.fixture
def made(pytester: pytest.Pytester) -> Path:
    suite = pytester.path / "made"
    (suite / "tasks").mkdir(parents=True)
    (suite / "suite.toml").write_text(
        'name = "made"\ntitle = "Made"\nlicence = "Apache-2.0"\nworlds = ["replica"]\n'
    )
    (suite / "tasks" / "first.yaml").write_text(TASK)
    make_site(suite / "replica", "good.test", home="<button>Buy</button>")
    make_site(suite / "replica", "says.test", home="<p>mock</p>")
    (suite / "replica" / "says.test" / "words.txt").write_text("Mock\n")
    for host, (values, _rule, _problem) in BROKEN.items():
        make_site(suite / "replica", host, **values)
    return suite


def sites(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SITES, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("made")
def test_each_rule_is_broken_by_one_site_alone() -> None:
    found = sites("--json")
    assert (found.returncode, found.stderr) == (1, "")
    reports = {one["host"]: one for one in json.loads(found.stdout)["sites"]}
    assert reports.keys() == {"good.test", "says.test", *BROKEN}
    for host in ("good.test", "says.test"):
        assert (reports[host]["holds"], reports[host]["problems"]) == (True, {})
    assert (reports["good.test"]["tasks"], reports["good.test"]["pages"]) == (1, 25)
    for host, (_values, rule, problem) in BROKEN.items():
        problems = reports[host]["problems"]
        if host == "fails.test":
            assert problems.pop("dead") == [
                "https://fails.test/fails answers 500 (on https://fails.test/)"
            ]
        assert list(problems) == [rule], host
        assert any(problem in line for line in problems[rule]), problems[rule]


@pytest.mark.usefixtures("made")
def test_sites_are_named_with_what_is_below_the_standard() -> None:
    found = sites("--host", "good.test", "--host", "www.dead.test")
    assert found.returncode == 1
    assert found.stdout.splitlines() == [
        "BELOW dead.test  tasks 0, pages 25; dead links 1",
        "        dead links: https://dead.test/gone answers 404 (on https://dead.test/)",
        "ok    good.test  tasks 1, pages 25",
        "1 of 2 sites meet the standard",
    ]
    assert sites("--host", "good.test").returncode == 0
    unknown = sites("--host", "god.test")
    assert unknown.returncode == 2
    assert "unknown host 'god.test'; did you mean 'good.test'?" in unknown.stderr
