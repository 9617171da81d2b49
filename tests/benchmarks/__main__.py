"""Runs every benchmark and prints the tables: ``python -m tests.benchmarks``."""

from __future__ import annotations

from tests.benchmarks import capture, collection, judging, memory, observation, overhead, report, results

if __name__ == "__main__":
    for benchmark in (overhead, collection, memory, observation, capture, judging, results, report):
        print(f"## {(benchmark.__doc__ or '').splitlines()[0]}\n\n{benchmark.main()}\n", flush=True)
