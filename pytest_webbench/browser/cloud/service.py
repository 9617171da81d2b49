"""What a browser service has to offer, what is noted of its sessions, and how those left behind are given back."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pydantic import SecretStr

from ...errors import SettingsError, WebbenchError

Note = Callable[[str], None]
"""Told the id of a session as soon as there is one."""
Secret = Callable[[str], SecretStr | None]
"""The value of an environment variable, or of one in ``.env``."""


@runtime_checkable
class BrowserService(Protocol):
    """Lends browsers that are reached over CDP. A class of your own is named as ``package.module:Class``.

    It is made without arguments. Raise `InfraError` for trouble that passes, `SettingsError` for what the user has to
    mend.
    """

    def acquire(self, note: Note) -> str:
        """Start a session and give its CDP address. ``note`` its id before anything else can go wrong."""

    def release(self, session_id: str) -> None:
        """End a session. One that is gone already is no error."""


class LeftBehind(Protocol):
    """A noted session whose worker has ended."""

    @property
    def session(self) -> str:
        """Its id."""

    def forget(self) -> None:
        """It has been given back."""


class SessionNotes(Protocol):
    """Keeps the ids of sessions in use where other processes find them."""

    def note(self, service: str, account: str, session: str) -> None:
        """This process has begun to use a session."""

    def forget(self, session: str) -> None:
        """The session has been given back."""

    def leave(self, session: str) -> None:
        """It could not be given back: whoever comes next may try."""

    def left_behind(self, service: str, account: str) -> Iterator[LeftBehind]:
        """Sessions that no living process uses, each reserved for us as long as it is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaped:
    """Sessions that were given back, and those that could not be, with the reason."""

    released: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def account_of(service: BrowserService) -> str:
    """Which account of the service this is, if it says so: sessions of another cannot be given back with it."""
    return str(getattr(service, "account", ""))


def reap(name: str, service: BrowserService, notes: SessionNotes, *, all_of_them: bool) -> Reaped:
    """Give back the sessions of workers that have ended; unless ``all_of_them``, stop at the first that fails."""
    reaped = Reaped()
    for left in notes.left_behind(name, account_of(service)):
        try:
            service.release(left.session)
        except Exception as error:  # noqa: BLE001 - the border to a user's service
            reaped.failed[left.session] = str(error) if isinstance(error, WebbenchError) else type(error).__name__
            if not all_of_them:
                break
        else:
            left.forget()
            reaped.released.append(left.session)
    return reaped


def load_service(name: str, secret: Secret) -> BrowserService:
    """``lexmount``, with the environment's variables, or the service at a dotted path ``package.module:Class``."""
    if name == "lexmount":
        from .lexmount import Lexmount

        return Lexmount.from_environment(secret)
    module_name, _, attribute = name.partition(":")
    try:
        factory = getattr(importlib.import_module(module_name), attribute, None)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"--webbench-browser {name}: module {error.name!r} cannot be imported; is its folder on PYTHONPATH "
            "(or in the ini option `pythonpath`)?"
        ) from error
    if not callable(factory):
        raise SettingsError(f"--webbench-browser {name}: module {module_name!r} has no class {attribute!r}")
    service = factory()
    if not isinstance(service, BrowserService):
        raise SettingsError(f"--webbench-browser {name}: a browser service has methods acquire(note) and release(id)")
    return service
