"""Proxies that the environment names: only the live world goes through them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from ._url import public_part

_VARIABLES: Final = ("https_proxy", "http_proxy", "all_proxy")
_EXCEPTIONS: Final = ("no_proxy", "NO_PROXY")
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


def proxies() -> dict[str, str]:
    """Proxies by the variables that name them, in small letters or capitals; no passwords."""
    found: dict[str, str] = {}
    for variable in _VARIABLES:
        for name in (variable, variable.upper()):
            if value := os.environ.get(name):
                found[name] = public_part(value if "://" in value else f"http://{value}")
    return found


def without_proxies(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program that is to use none."""
    named = {name for one in _VARIABLES for name in (one, one.upper())}
    return {name: value for name, value in environment.items() if name not in named}


def spare_loopback() -> None:
    """Let no program that starts from now on ask a proxy for an address of this machine.

    A proxy elsewhere cannot reach it.
    """
    if not proxies():
        return
    spared: dict[str, None] = {}
    for name in _EXCEPTIONS:
        spared |= dict.fromkeys(filter(None, os.environ.get(name, "").split(",")))
    for name in _EXCEPTIONS:
        os.environ[name] = ",".join([*spared, *(host for host in _LOOPBACK if host not in spared)])
