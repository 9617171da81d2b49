"""Shared by all tests: the small suite, and runs of pytest on it in a process of their own."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpcore  # noqa: F401 - httpx imports it late; pytester would forget it, and httpx not know its errors again
import httpx  # noqa: F401
import pytest

from pytest_webbench.run import LedgerEntry, RunDir
from tests.support.mini_suite import MINI, STRICT, RunMini

pytest_plugins = ("pytester",)
collect_ignore = ["support"]


# Most tests start Python anew, and every process would compile the package and rewrite the tests'
# assertions again: half a second for each start, ten for each collection.
COMPILED: Final = Path(tempfile.gettempdir()) / "webbench-tests-pycache"
sys.dont_write_bytecode = False
sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(COMPILED))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# The key of the runs that tests make is none of the user's.
os.environ["XDG_STATE_HOME"] = str(Path(tempfile.gettempdir()) / "webbench-tests-state")


@pytest.fixture(scope="session", autouse=True)
def _no_step_summary() -> None:
    """Sessions that are tests have nothing to say in the summary of a CI step."""
    os.environ.pop("GITHUB_STEP_SUMMARY", None)


@pytest.fixture
def mini(pytester: pytest.Pytester) -> Path:
    """A copy of the small suite in the test's own folder."""
    folder = pytester.path / "mini"
    shutil.copytree(MINI, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def run_mini(pytester: pytest.Pytester, mini: Path) -> RunMini:
    """Runs pytest on the small suite under the tag ``t``, with warnings as errors."""

    def run(*arguments: str, path: str = "mini", tag: str = "t") -> pytest.RunResult:
        return pytester.runpytest_subprocess(
            path, *STRICT, "--webbench-run", tag, *arguments, timeout=300
        )

    return run


@pytest.fixture
def results(pytester: pytest.Pytester) -> Callable[[], dict[str, LedgerEntry]]:
    """The ledger's results of run ``t``, by task (and agent or repeat, where a run has several)."""

    def read() -> dict[str, LedgerEntry]:
        found = RunDir(pytester.path / "runs" / "t").results()
        return {key.folder().partition("/")[2]: entry for key, entry in found.items()}

    return read


@pytest.fixture
def agents(pytester: pytest.Pytester) -> Callable[[str], None]:
    """Writes a module ``agents`` with agent classes."""

    def write(source: str) -> None:
        pytester.makepyfile(agents=source)

    return write
