"""The built package: complete, and usable without the repository it was built from."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.mini_suite import MINI

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sdist and wheel, built from a clean clone."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("needs the git repository")
    folder = tmp_path_factory.mktemp("built")
    run("git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", "clone", folder=folder)
    run(sys.executable, "-m", "build", "--outdir", folder / "dist", "clone", folder=folder)
    return folder / "dist"


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The programs of an environment that holds nothing but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", folder / "env", folder=folder)
    (wheel,) = dist.glob("*.whl")
    run(folder / "env" / "bin" / "pip", "install", "--quiet", wheel, folder=folder)
    yield folder / "env" / "bin"
    shutil.rmtree(folder / "env")


def test_wheel_holds_every_file_of_the_package(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    listed = run("git", "ls-files", "pytest_webbench", folder=dist.parent / "clone").split()
    with ZipFile(wheel) as archive:
        assert set(listed) <= set(archive.namelist())


def test_sdist_holds_tests_docs_and_suites(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    listed = run("git", "ls-files", "tests", "docs", "suites", folder=dist.parent / "clone").split(
        "\n"
    )
    assert set(listed) - {""} <= names
    assert {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"} <= names


def test_wheel_works_in_an_empty_environment(installed: Path, tmp_path: Path) -> None:
    assert "validate" in run(installed / "webbench", "--help", folder=tmp_path)
    shutil.copytree(MINI, tmp_path / "mini")
    collected = run(
        installed / "pytest",
        "mini",
        "--collect-only",
        "-q",
        "--webbench-agent",
        "noop",
        folder=tmp_path,
    )
    assert "3 tests collected" in collected


def test_wheel_runs_a_task(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(MINI, tmp_path / "mini")
    done = run(
        installed / "pytest",
        "mini",
        "-k",
        "open-next",
        "--webbench-agent",
        "scripted",
        folder=tmp_path,
    )
    assert "1 passed" in done


def test_wheel_brings_its_suites_and_stays_small(
    dist: Path, installed: Path, tmp_path: Path
) -> None:
    (wheel,) = dist.glob("*.whl")
    assert wheel.stat().st_size < 25_000_000
    assert "suite://suite_c" in run(installed / "webbench", "suites", folder=tmp_path)
    arguments = ("suite://suite_c", "-k", "wp-cache", "--webbench-agent", "scripted")
    assert "1 passed" in run(installed / "pytest", *arguments, folder=tmp_path)
    assert (tmp_path / "runs").is_dir(), "the run is kept where the user is"
    run(installed / "webbench", "suites", "copy", "suite_c", "mine", folder=tmp_path)
    collected = run(installed / "pytest", "mine", "--collect-only", "-q", folder=tmp_path)
    assert "27 tests collected" in collected


def test_example_plugin_works_beside_the_wheel(installed: Path, tmp_path: Path) -> None:
    """One check of each kind, an agent type, a format, a browser service and a world."""
    shutil.copytree(ROOT / "docs" / "examples" / "plugin", tmp_path / "plugin")
    run(installed / "pip", "install", "--quiet", tmp_path / "plugin", folder=tmp_path)
    done = run(
        installed / "pytest", "plugin/tests", "-q", "-p", "no:cacheprovider", folder=tmp_path
    )
    assert "10 passed" in done
