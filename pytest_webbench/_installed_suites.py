"""The suites that come with this package, and how a command line names them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ._suggest import unknown
from ._suite_files import SUITE_FILE
from .errors import SettingsError

SCHEME: Final = "suite://"
_PACKAGE: Final = Path(__file__).parent


def installed_suites() -> dict[str, Path]:
    """Folders of the suites by name.

    A wheel has them within the package; a checkout, which is installed in place, beside it.
    """
    within, beside = _PACKAGE / "suites", _PACKAGE.parent / "suites"
    folder = within if within.is_dir() else beside
    found = sorted(folder.glob(f"*/{SUITE_FILE}"))
    return {file.parent.name: file.parent for file in found}


def located(argument: str) -> str:
    """``suite://suite_c/tasks/x.yaml::x`` as a path; any other argument as it is.

    `SettingsError` if there is no such suite.
    """
    if not argument.startswith(SCHEME):
        return argument
    name, slash, rest = argument.removeprefix(SCHEME).partition("/")
    suites = installed_suites()
    if name not in suites:
        raise SettingsError(
            f"{argument}: {unknown('suite', name, suites)}; there are {', '.join(suites)}"
        )
    return f"{suites[name]}{slash}{rest}"
