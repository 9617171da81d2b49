"""What a browser service has to offer, and how sessions that were left behind are given back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pydantic import SecretStr

from ...errors import SettingsError, WebbenchError
from ..choice import service_class

Note = Callable[[str], None]
"""Takes the id of a session as soon as there is one."""
Secret = Callable[[str], SecretStr | None]
"""The value of an environment variable, or of one in ``.env``."""


@runtime_checkable
class BrowserService(Protocol):
    """Gives browsers that are reached over CDP.

    Its class is named as ``package.module:Class``, or offered by a distribution as an entry point
    of the group ``pytest_webbench.browsers``. It is made by its class method
    ``from_environment(secret)`` if it has one, where ``secret(name)`` is the value of a variable in
    the environment or in ``.env``; else without arguments. The class may list as ``SECRETS`` the
    names of the variables that hold its keys: their values are kept out of all that is written.

    Raise `InfraError` for trouble that passes, `SettingsError` for what the user has to change.
    """

    def acquire(self, note: Note) -> str:
        """Start a session and give its CDP address.

        ``note`` its id before anything else can go wrong.
        """

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
    """Which account of the service this is, if it says so.

    Sessions of another account cannot be given back with it.
    """
    return str(getattr(service, "account", ""))


def reap(name: str, service: BrowserService, notes: SessionNotes, *, all_of_them: bool) -> Reaped:
    """Give back the sessions of workers that have ended.

    Unless ``all_of_them``, stop at the first that fails.
    """
    reaped = Reaped()
    for left in notes.left_behind(name, account_of(service)):
        try:
            service.release(left.session)
        except Exception as error:  # noqa: BLE001 - the border to a user's service
            reaped.failed[left.session] = (
                str(error) if isinstance(error, WebbenchError) else type(error).__name__
            )
            if not all_of_them:
                break
        else:
            left.forget()
            reaped.released.append(left.session)
    return reaped


def load_service(name: str, secret: Secret) -> BrowserService:
    """The service of this name or import path, see `choice.service_class`.

    `SettingsError` if it has not the methods of one.
    """
    made_by = service_class(name)
    from_environment = getattr(made_by, "from_environment", None)
    service = made_by() if from_environment is None else from_environment(secret)
    if not isinstance(service, BrowserService):
        raise SettingsError(
            f"--webbench-browser {name}: a browser service has methods acquire(note) "
            "and release(id)"
        )
    return service
