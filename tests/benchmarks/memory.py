"""Peak memory of one worker while it runs a suite, with driver and browser (PSS, Linux)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.benchmarks.measure import table

ROOT = Path(__file__).parents[2]


def proportional_megabytes(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().pss) / 1e6
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return 0.0


def kind(process: psutil.Process) -> str:
    try:
        name = process.name()
    except psutil.NoSuchProcess:
        return "gone"
    return (
        "browser"
        if "chrom" in name or "headless" in name
        else "driver"
        if "node" in name
        else "pytest"
    )


def peaks_of(workers: int, interval: float = 0.1) -> dict[str, float]:
    """Highest use by kind of process, in megabytes, over all workers together."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [
            "--webbench-agent",
            "scripted",
            "--webbench-runs-dir",
            folder,
            "-q",
            "-p",
            "no:cacheprovider",
        ]
        command = [
            sys.executable,
            "-m",
            "pytest",
            str(ROOT / "suites" / "suite_c"),
            "-n",
            str(workers),
            *arguments,
        ]
        session = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        root = psutil.Process(session.pid)
        peaks: dict[str, float] = {}
        while session.poll() is None:
            now = use_by_kind(root)
            peaks = {name: max(now.get(name, 0.0), peaks.get(name, 0.0)) for name in {*now, *peaks}}
            time.sleep(interval)
        assert session.returncode == 0
    return peaks


def use_by_kind(root: psutil.Process) -> dict[str, float]:
    try:
        processes = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return {}
    now: dict[str, float] = {"all": 0.0}
    for process in processes:
        megabytes = proportional_megabytes(process)
        now["all"] += megabytes
        now[kind(process)] = now.get(kind(process), 0.0) + megabytes
    return now


def main() -> str:
    few, many = peaks_of(1), peaks_of(4)
    names = ("browser", "driver", "pytest", "all")
    rows = [
        [
            name,
            f"{few.get(name, 0):.0f} MB",
            f"{many.get(name, 0) / 4:.0f} MB",
            f"{(many.get(name, 0) - few.get(name, 0)) / 3:.0f} MB",
        ]
        for name in names
    ]
    head = [
        "Suite C, scripted agent",
        "one worker",
        "four workers, each",
        "each worker beyond the first",
    ]
    return table(head, rows)


if __name__ == "__main__":
    print(main())
