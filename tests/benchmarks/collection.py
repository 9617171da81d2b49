"""Cost of start-up without use, and of collecting 125, 1,000 and 10,000 task files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.benchmarks.measure import Sample, in_turn, table

MINI = Path(__file__).parents[1] / "support" / "mini"
SIZES = (125, 1_000, 10_000)


def pytest_in(folder: Path, *arguments: str) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        *arguments,
    ]
    # Compiled modules are kept, as they are for users, whatever this machine is set to; the
    # warm-up makes them.
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    environment["PYTHONPYCACHEPREFIX"] = str(
        Path(tempfile.gettempdir()) / "webbench-benchmark-pycache"
    )
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 5), done.stdout + done.stderr


def make_suite(folder: Path, size: int) -> None:
    """``size`` task files, like a real one in length."""
    (folder / "tasks").mkdir(parents=True)
    shutil.copy(MINI / "suite.toml", folder / "suite.toml")
    text = (MINI / "tasks" / "open-next.yaml").read_text(encoding="utf-8")
    for number in range(size):
        name = f"open-next-{number:05}"
        (folder / "tasks" / f"{name}.yaml").write_text(
            text.replace("id: open-next", f"id: {name}"), encoding="utf-8"
        )


def start_up(folder: Path) -> dict[str, Sample]:
    """An ordinary test, with pytest-playwright alone and with this plugin beside it."""
    (folder / "test_nothing.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")
    without = ("test_nothing.py", "-p", "no:webbench")
    return in_turn(
        {
            "without": lambda: pytest_in(folder, *without),
            "with": lambda: pytest_in(folder, "test_nothing.py"),
        },
        rounds=9,
    )


def main() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = start_up(folder)
        empty = folder / "empty"
        empty.mkdir()
        rows = [["start-up, plugin not installed", str(start["without"]), ""]]
        extra = start["with"].median - start["without"].median
        rows.append(
            ["start-up, plugin installed but unused", str(start["with"]), f"{extra * 1000:+.0f} ms"]
        )
        for size in SIZES:
            make_suite(folder / str(size), size)
            ways: dict[str, Callable[[], object]] = {
                "empty": lambda: pytest_in(empty),
                "suite": partial(
                    pytest_in, folder / str(size), "--collect-only", "--webbench-agent", "noop"
                ),
            }
            samples = in_turn(ways, rounds=3 if size > 1_000 else 5, warm_up=1)
            extra = samples["suite"].median - samples["empty"].median
            rows.append(
                [f"collect {size:,} task files", str(samples["suite"]), f"{extra * 1000:+,.0f} ms"]
            )
    return table(
        ["pytest session", "wall time: median (range)", "beyond the line it is compared with"], rows
    )


if __name__ == "__main__":
    print(main())
