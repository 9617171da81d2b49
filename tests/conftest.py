"""Shared by all tests: a small suite with its own replica site, and runs of pytest on it in a process of their own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpcore  # noqa: F401 - httpx imports it late; pytester would forget it, and httpx not know its errors again
import httpx  # noqa: F401
import pytest

from pytest_webbench.run import LedgerEntry, RunDir

pytest_plugins = ("pytester",)
collect_ignore = ["mini"]

MINI = Path(__file__).parent / "mini"
# pytest-playwright 0.10 defines its base_url fixture on an instance; not ours to mend.
STRICT = ("-W", "error", "-W", "ignore:Session-scoped fixtures defined as instance methods")

RunMini = Callable[..., pytest.RunResult]


@pytest.fixture(scope="session", autouse=True)
def _compiled_modules_are_kept() -> None:
    """Most tests start Python anew; without compiled modules each start takes half a second more."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.pop("GITHUB_STEP_SUMMARY", None)  # sessions that are tests have nothing to say there
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(tempfile.gettempdir()) / "webbench-tests-pycache"))


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
        return pytester.runpytest_subprocess(path, *STRICT, "--webbench-run", tag, *arguments, timeout=120)

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
