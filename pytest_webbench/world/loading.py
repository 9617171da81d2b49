"""Loads the Python files of sites."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from ..errors import SettingsError
from .kit.site import Site, place_of


def load_site(file: Path) -> Site:
    """The site that a ``site.py`` defines; `SettingsError` with file and line if it fails."""
    site = getattr(load_module(file), "site", None)
    if not isinstance(site, Site):
        raise SettingsError(f"{file} must define `site = Site(__file__)`")
    return site


def load_module(file: Path) -> ModuleType:
    """A file of a site as a module; `SettingsError` with file and line if it fails."""
    # Many files have the same name, so the whole path names the module: suites must not share one.
    name = f"_webbench_site_{abs(hash(file.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None, "a .py file always has a spec"
    assert spec.loader is not None, "a .py file always has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a site's author has got wrong
        raise SettingsError(_place_of_load(error, file)) from error
    return module


def _place_of_load(error: Exception, file: Path) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    return place_of(error, file.resolve().parent)
