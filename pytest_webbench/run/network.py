"""Whether this machine has a network at all: one short look before the first live episode.

Only the sites that are going to be visited are asked, a few of them and all at once. One that
answers is enough, even if it refuses the connection.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from .._url import DEFAULT_PORTS

MOST_ASKED: Final = 5
SECONDS: Final = 5.0


def is_local(url: str) -> bool:
    """Whether an address is of this machine, which can be reached without a network."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def unreachable(urls: Iterable[str]) -> dict[str, str]:
    """Hosts of ``urls`` that were asked in vain, each with the reason; empty if one answered.

    `MOST_ASKED` of them are asked, spread over all, for `SECONDS` at most.
    """
    asked = _spread(sorted(set(map(_place, urls))))
    answers: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
    for host, port in asked:
        # A name server that does not answer cannot be waited for any shorter, so nobody waits for
        # these threads.
        arguments = (host, port, answers)
        threading.Thread(target=_ask, args=arguments, daemon=True).start()
    in_vain = {host: f"no answer within {SECONDS:g} s" for host, _port in asked}
    deadline = time.monotonic() + SECONDS
    for _one in asked:
        try:
            host, problem = answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            break
        if not problem:
            return {}
        in_vain[host] = problem
    return in_vain


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:  # larger than any port; the browser will say so
        port = None
    return parts.hostname or "", port or DEFAULT_PORTS[parts.scheme]


def _spread(places: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    step = max(1, len(places) // MOST_ASKED)
    return list(places[::step][:MOST_ASKED])


def _ask(host: str, port: int, answers: queue.SimpleQueue[tuple[str, str]]) -> None:
    problem = ""
    try:
        socket.create_connection((host, port), timeout=SECONDS).close()
    except (ConnectionRefusedError, ConnectionResetError):
        pass  # somebody is there
    except (OSError, UnicodeError) as error:
        problem = getattr(error, "strerror", None) or str(error) or type(error).__name__
    answers.put((host, problem))
