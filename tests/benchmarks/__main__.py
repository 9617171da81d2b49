"""Run benchmarks and print their tables: ``python -m tests.benchmarks [steps ...]``."""

from __future__ import annotations

import sys

from tests.benchmarks import (
    capture,
    collection,
    judging,
    memory,
    miniwob,
    observation,
    overhead,
    report,
    results,
    steps,
)

ALL = (overhead, collection, memory, observation, steps, miniwob, capture, judging, results, report)

if __name__ == "__main__":
    wanted = sys.argv[1:]
    for benchmark in ALL:
        if not wanted or benchmark.__name__.rpartition(".")[2] in wanted:
            print(
                f"## {(benchmark.__doc__ or '').splitlines()[0]}\n\n{benchmark.main()}\n",
                flush=True,
            )
