"""What ``--webbench-browser`` says: where browsers come from.

Imports neither Playwright nor a service: the plugin reads the option when it starts.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from .. import _entry_points
from .._entry_points import BROWSERS
from ..errors import SettingsError

_CDP_SCHEMES = ("http://", "https://", "ws://", "wss://")


def parse_choice(choice: str) -> tuple[str, str]:
    """The option as kind and rest.

    ``local``, ``local:/path/to/chrome``; ``cdp:URL`` of a running Chrome; ``ws://...`` of a
    Playwright server (kind ``server``); the name of a service that a distribution offers in
    ``pytest_webbench.browsers``, or ``package.module:Class`` (both of kind ``service``).
    `SettingsError` for everything else.
    """
    kind, _, rest = choice.partition(":")
    if kind == "local":
        return kind, rest
    if kind == "cdp" and rest.startswith(_CDP_SCHEMES):
        return kind, rest
    if choice.startswith(("ws://", "wss://")):
        return "server", choice
    offered = _entry_points.names(BROWSERS)
    if choice in offered or (kind not in offered and _is_dotted_path(kind, rest)):
        return "service", choice
    ways = (
        "local",
        "local:/path/to/chrome",
        "cdp:http://host:port of a running Chrome",
        "ws://host:port of a Playwright server",
        *offered,
    )
    raise SettingsError(
        f"--webbench-browser {_without_tokens(choice)!r}: use {', '.join(ways)}, "
        "or package.module:Class"
    )


def _is_dotted_path(module: str, attribute: str) -> bool:
    return attribute.isidentifier() and all(part.isidentifier() for part in module.split("."))


def _without_tokens(choice: str) -> str:
    """The rest of an address may hold a token."""
    return f"{choice.partition('://')[0]}://..." if "://" in choice else choice


def service_class(name: str) -> Callable[..., Any]:
    """What makes a service: offered by a distribution, or named by its import path.

    `SettingsError` if there is none, or if it cannot be imported.
    """
    if name in _entry_points.names(BROWSERS):
        found = _entry_points.load(BROWSERS, name)
        what = f"{BROWSERS}: {name!r} names {found!r}, which"
    else:
        found = _load_dotted(name)
        what = f"--webbench-browser {name}: {found!r}"
    if not callable(found):
        raise SettingsError(f"{what} is not a class or function that makes a service")
    made_by: Callable[..., Any] = found
    return made_by


def _load_dotted(name: str) -> Any:
    module_name, _, attribute = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"--webbench-browser {name}: module {error.name!r} cannot be imported; is its folder "
            "on PYTHONPATH (or in the ini option `pythonpath`)?"
        ) from error
    if not hasattr(module, attribute):
        raise SettingsError(
            f"--webbench-browser {name}: module {module_name!r} has no class {attribute!r}"
        )
    return getattr(module, attribute)


def secret_names(choice: str) -> tuple[str, ...]:
    """Variables of the environment that hold the keys of the chosen service.

    They are what its class lists as ``SECRETS``; a browser that is no service has none.
    """
    kind, rest = parse_choice(choice)
    if kind != "service":
        return ()
    return tuple(getattr(service_class(rest), "SECRETS", ()))
