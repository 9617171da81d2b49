"""``webbench doctor``: whether this machine is fit, and what to do about what is not."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import typer

from .._proxies import proxies
from .._text import clip, harmless, one_line
from .._url import DEFAULT_PORTS
from ..agents.config import Configuration, services_of
from ..agents.options import Service
from ..browser import find, install
from ..errors import WebbenchError
from .shared import RUNS, AsJson, as_text

app = typer.Typer(add_completion=False)

_START_SECONDS: Final = 30
_CONNECT_SECONDS: Final = 3
_LEAST_SHM: Final = 512_000_000
_LEAST_DISK: Final = 1_000_000_000
_CLOCK_SECONDS: Final = 5
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``advice`` says what to do unless it is ``ok``."""

    state: Literal["ok", "warning", "problem"]
    what: str
    found: str
    advice: str = ""


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Look whether this machine is fit, and say what to do about what is not.

    Looks at Python, browser, driver, shared memory, disk, clock, proxies, and at keys
    and endpoints of the agents in ./webbench.toml. Endpoints are connected to, not
    asked: webbench agents --check asks them. The exit code is 1 if something has to
    be mended first.
    """
    found = list(_findings())
    if as_json:
        typer.echo(as_text([asdict(one) for one in found]))
    else:
        for one in found:
            typer.echo(harmless(_line(one)))
    if any(one.state == "problem" for one in found):
        raise typer.Exit(1)


def _line(one: Finding) -> str:
    advice = f"\n{'':9}{'':10}{one.advice}" if one.advice else ""
    return f"{one.state:8} {one.what:9} {one.found}{advice}"


def _findings() -> Iterator[Finding]:
    for look in (_python, _browser, _driver, _shared_memory, _disk, _clock, _proxies, _agents):
        yield from look()


# -- this machine ----------------------------------------------------------------------------------


def _python() -> Iterator[Finding]:
    packages = ("pytest-webbench", "pytest", "playwright")
    named = ", ".join(f"{name} {version(name)}" for name in packages)
    yield Finding("ok", "python", f"{platform.python_version()} at {sys.executable}; {named}")


def _browser() -> Iterator[Finding]:
    try:
        chosen = find.find_browser(bundled=install.bundled_chromium())
    except WebbenchError:
        yield Finding(
            "problem", "browser", "there is none", "install one: webbench browser install"
        )
        return
    named = f"{install.version_of(chosen.path)} at {chosen.path}"
    trouble, seconds = _start(chosen.path)
    if trouble:
        advice = (
            "if libraries are missing: playwright install-deps chromium; if the sandbox is: run "
            "as another user, or allow user namespaces"
        )
        yield Finding("problem", "browser", f"{named} does not start: {trouble}", advice)
    else:
        yield Finding("ok", "browser", f"{named}, starts in {seconds:.1f} s")


def _start(path: str) -> tuple[str, float]:
    """What went wrong when a browser was to show a page, and how long it took."""
    page = "data:text/html,<p>shown"
    # As root there is no sandbox; Playwright leaves it off by itself.
    command = [path, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as profile:
        command.insert(1, f"--user-data-dir={profile}")
        trouble, shown = _output(command)
    if "shown" not in shown:
        trouble = trouble or "it shows nothing"
    return trouble, time.monotonic() - begin


def _output(command: list[str]) -> tuple[str, str]:
    """The end of what a program says of its trouble if it fails, and its output."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_START_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return clip(one_line(str(error)), _LONGEST), ""
    said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return (clip(one_line(said[-1]), _LONGEST) if done.returncode else ""), done.stdout


def _driver() -> Iterator[Finding]:
    trouble, said = _output([sys.executable, "-m", "playwright", "--version"])
    if trouble:
        advice = "install it anew: pip install --force-reinstall playwright"
        yield Finding("problem", "driver", f"Playwright's does not run: {trouble}", advice)
    else:
        yield Finding("ok", "driver", f"Playwright's runs ({said.strip()})")


def _shared_memory() -> Iterator[Finding]:
    folder = Path("/dev/shm")
    if not folder.is_dir():
        return
    size = shutil.disk_usage(folder).total
    if size < _LEAST_SHM:
        advice = "large pages crash: in Docker, start the container with --shm-size=1g"
        yield Finding("warning", "memory", f"/dev/shm has {_megabytes(size)}", advice)
    else:
        yield Finding("ok", "memory", f"/dev/shm has {_megabytes(size)}")


def _disk() -> Iterator[Finding]:
    folder = RUNS if RUNS.is_dir() else Path.cwd()
    if not os.access(folder, os.W_OK):
        advice = "make it writable, or name another folder with --webbench-runs-dir"
        yield Finding("problem", "disk", f"{folder} cannot be written to", advice)
        return
    free = shutil.disk_usage(folder).free
    state: Literal["ok", "warning"] = "ok" if free >= _LEAST_DISK else "warning"
    advice = "" if free >= _LEAST_DISK else "a run keeps up to 10 MB per episode"
    yield Finding(state, "disk", f"{_megabytes(free)} free for runs in {folder.absolute()}", advice)


def _clock() -> Iterator[Finding]:
    with suppress(OSError), tempfile.NamedTemporaryFile(dir=Path.cwd()) as file:
        apart = abs(Path(file.name).stat().st_mtime - time.time())
        if apart > _CLOCK_SECONDS:
            advice = "the file server's clock and this machine's differ: set both by NTP"
            yield Finding("warning", "clock", f"files are {apart:.0f} s off", advice)
            return
    now = time.strftime("%Y-%m-%d %H:%M:%S %Z")
    yield Finding("ok", "clock", f"it is {now}")


def _proxies() -> Iterator[Finding]:
    for name, value in proxies().items():
        yield Finding("ok", "proxy", f"{name} is {value}; for the live world only")


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000_000:.1f} GB" if count >= 1e9 else f"{count / 1_000_000:.0f} MB"


# -- agents ----------------------------------------------------------------------------------------


def _agents() -> Iterator[Finding]:
    try:
        known = Configuration.read(Path.cwd())
    except WebbenchError as error:
        yield Finding("problem", "agents", str(error), "correct webbench.toml")
        return
    for name, problem in sorted(known.broken.items()):
        yield Finding("problem", "agent", f"{name}: {one_line(problem)}", "correct webbench.toml")
    asked: dict[tuple[str, int], str] = {}
    for name, options in sorted(known.agents.items()):
        for service in services_of(options):
            yield from _key(name, service, known.secret)
            asked.setdefault(_address(service.url), service.url)
    for (host, port), url in asked.items():
        yield _endpoint(host, port, url)


def _key(agent: str, service: Service, secret: Callable[[str], Any]) -> Iterator[Finding]:
    name = service.key_name
    if name is None:
        return
    if secret(name) is None:
        advice = f"set the variable {name}, or write it into .env beside webbench.toml"
        yield Finding("warning", "key", f"{name} of agent {agent} is missing", advice)
    else:
        yield Finding("ok", "key", f"{name} of agent {agent} is set")


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]


def _endpoint(host: str, port: int, url: str) -> Finding:
    try:
        socket.create_connection((host, port), timeout=_CONNECT_SECONDS).close()
    except OSError as error:
        if proxies():
            return Finding("ok", "endpoint", f"{url} is reached by the proxy, if at all")
        advice = "start the service, or correct its url in webbench.toml"
        return Finding("warning", "endpoint", f"{url} cannot be reached: {error}", advice)
    return Finding("ok", "endpoint", f"{url} can be reached")
