"""Options: every ``--webbench-x`` has an ini twin ``webbench_x``; the command line beats the ini file.

Help texts say what the value is and what happens without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from .optionset import Option, OptionSet

if TYPE_CHECKING:
    from ..evidence.redact import Redactor

TAG_KEY: Final = pytest.StashKey[str]()
REDACTOR_KEY: Final = pytest.StashKey["Redactor"]()
ARTIFACTS: Final = ("all", "no-shots", "none")


_OPTIONS: Final = (
    Option(
        name="agent",
        metavar="AGENT",
        many=True,
        help="agent to run: a name (see `webbench agents`), type:model@url, or a dotted path package.module:Class; may "
        "be given several times (default: what the webbench_agent fixture of your conftest.py gives)",
    ),
    Option(
        name="world",
        choices=("live", "replica"),
        help="where the web comes from (default: the suite's first world)",
    ),
    Option(name="run", metavar="TAG", help="name of the run; a run that exists is resumed (default: date and time)"),
    Option(name="runs-dir", metavar="DIR", default="runs", help="where runs are stored (default: runs)"),
    Option(name="repeats", metavar="N", default="1", help="attempts of each agent at each task (default: 1)"),
    Option(name="seed", metavar="N", default="0", help="seed of agents that draw lots (default: 0)"),
    Option(
        name="infra-retries",
        metavar="N",
        default="2",
        help="how often an episode that the infrastructure broke is repeated (default: 2); wrong answers never are",
    ),
    Option(
        name="infra-retry-delay",
        metavar="SECONDS",
        default="2",
        help="pause before the first repetition, then doubled (default: 2)",
    ),
    Option(name="max-actions", metavar="N", help="action budget (default: the task's, the suite's, 60)"),
    Option(name="max-seconds", metavar="SECONDS", help="time budget (default: the task's, the suite's, 900)"),
    Option(
        name="validate",
        metavar="N",
        help="instead of running agents, prove that the tasks are sound: the solution N times, the start page, every "
        "counterexample (default: off; `webbench validate` sets it)",
    ),
    Option(
        name="rescore",
        metavar="TAG",
        help="run nothing: judge the stored episodes of this run again, by the task files of today (default: off)",
    ),
    Option(
        name="browser",
        metavar="WHERE",
        default="local",
        help="local, local:/path/to/chrome, cdp:http://host:port of a running Chrome, ws://host:port of a Playwright "
        "server, lexmount, or package.module:Class for a browser service of your own (default: local)",
    ),
    Option(
        name="artifacts",
        choices=ARTIFACTS,
        default="all",
        help="what is kept of an episode besides steps and evidence: all = a picture per step and an archive of the "
        "final page, no-shots = the archive only, none (default: all)",
    ),
    Option(
        name="shard",
        metavar="i/N",
        help="run part i of N only, by a hash of each item; `webbench merge` puts the parts together (default: all)",
    ),
    Option(
        name="min-rate",
        metavar="X",
        help="pass the session if each agent's rate is at least X, from 0 to 1, even at the low end of its interval, "
        "although single tasks fail (default: off)",
    ),
    Option(name="ctrf", metavar="FILE", help="write the results as CTRF JSON (default: off)"),
    Option(
        name="report",
        flag=True,
        help="write the HTML report of the run when the session ends (default: off; `webbench report` writes it later)",
    ),
    Option(
        name="secrets",
        metavar="NAME",
        many=True,
        help="environment variable whose value must not reach any file of the run; may be given several times "
        "(default: none; passwords that agents type are kept out in any case)",
    ),
)
OPTIONS: Final = OptionSet("webbench", "web-agent benchmarks (pytest-webbench)", _OPTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All options, read once."""

    agents: tuple[str, ...]
    world: str | None
    runs_dir: Path
    repeats: int
    seed: int
    infra_retries: int
    infra_retry_delay: float
    max_actions: int | None
    max_seconds: float | None
    validate: int | None
    min_rate: float | None
    rescore: bool
    browser: str
    step_shots: bool
    archive: bool
    secrets: tuple[str, ...]


SETTINGS_KEY: Final = pytest.StashKey[Settings]()


def register_markers(config: pytest.Config) -> None:
    """The mark that every item of ours carries."""
    config.addinivalue_line("markers", "webbench: a web-agent benchmark task (added by pytest-webbench)")
    # pytest-playwright 0.10 defines its base_url fixture on an instance, of which pytest 9 warns in every session.
    config.addinivalue_line("filterwarnings", "ignore:Session-scoped fixtures defined as instance:DeprecationWarning")


def given(config: pytest.Config, name: str) -> Any:
    """What the user set, on the command line or in the ini file; None or empty if nothing."""
    return OPTIONS.given(config, name)


def settings(config: pytest.Config) -> Settings:
    """All options; a bad value is a usage error that names the option."""
    if SETTINGS_KEY not in config.stash:
        config.stash[SETTINGS_KEY] = _read(config)
    return config.stash[SETTINGS_KEY]


def _read(config: pytest.Config) -> Settings:
    artifacts = OPTIONS.value(config, "artifacts")
    tag = given(config, "rescore")
    stored = _stored_run(config, tag) if tag else None
    return Settings(
        agents=tuple(given(config, "agent") or (stored.agents if stored else ("fixture",))),
        world=given(config, "world"),
        runs_dir=config.rootpath / OPTIONS.value(config, "runs-dir"),
        repeats=stored.repeats if stored else OPTIONS.number(config, "repeats", int, 1) or 1,
        seed=OPTIONS.number(config, "seed", int, None) or 0,
        infra_retries=0 if stored else OPTIONS.number(config, "infra-retries", int, 0) or 0,
        infra_retry_delay=OPTIONS.number(config, "infra-retry-delay", float, 0) or 0.0,
        max_actions=OPTIONS.number(config, "max-actions", int, 1),
        max_seconds=OPTIONS.number(config, "max-seconds", float, 0.001),
        validate=OPTIONS.number(config, "validate", int, 1),
        min_rate=OPTIONS.share(config, "min-rate"),
        rescore=stored is not None,
        browser=OPTIONS.value(config, "browser"),
        step_shots=artifacts == "all",
        archive=artifacts != "none",
        secrets=tuple(given(config, "secrets") or ()),
    )


def redactor(config: pytest.Config) -> Redactor:
    """Takes the values of the secrets that the user names, and all services' keys, out of all that is written."""
    from ..browser.find import SERVICES
    from ..errors import SettingsError
    from ..evidence.redact import Redactor
    from .agents import configuration

    if REDACTOR_KEY in config.stash:
        return config.stash[REDACTOR_KEY]
    names = (*settings(config).secrets, *SERVICES.get(settings(config).browser, ()))
    try:
        values = configuration(config).secrets(tuple(given(config, "agent") or ()), names)
        return config.stash.setdefault(REDACTOR_KEY, Redactor.from_environment(values, values))
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from error


class _StoredRun(NamedTuple):
    """What a run that is judged again was made of."""

    agents: tuple[str, ...]
    repeats: int


def _stored_run(config: pytest.Config, tag: str) -> _StoredRun:
    from ..errors import WebbenchError
    from ..run import RunDir

    if given(config, "run"):
        raise pytest.UsageError("--webbench-rescore names the run itself: leave out --webbench-run")
    root = config.rootpath / OPTIONS.value(config, "runs-dir")
    try:
        planned = RunDir.for_tag(root, tag).planned()
    except WebbenchError as error:
        raise pytest.UsageError(str(error)) from error
    if not planned:
        raise pytest.UsageError(f"--webbench-rescore {tag!r}: there is no such run in {root}")
    return _StoredRun(tuple(sorted({item.agent for item in planned})), max(item.repeat for item in planned))


def run_path(config: pytest.Config) -> Path:
    """Where this run is stored, or will be once the first task file is met."""
    return settings(config).runs_dir / run_tag(config)


def has_run(config: pytest.Config) -> bool:
    """Whether this session has run any of our items; looks at the disk only, for they may have run in workers."""
    return not config.option.collectonly and (run_path(config) / "run.json").is_file()


def has_shard_plan(config: pytest.Config) -> bool:
    """Whether tasks were collected and divided into shards: all of them may be in others than this one."""
    from .guard import WHOLE_KEY

    return bool(config.stash.get(WHOLE_KEY, []))


def run_tag(config: pytest.Config) -> str:
    """Name of this run: given, or handed down by the xdist controller, or made from the clock."""
    if TAG_KEY not in config.stash:
        inherited = getattr(config, "workerinput", {}).get("webbench_tag")
        tag = given(config, "rescore") or given(config, "run")
        config.stash[TAG_KEY] = inherited or tag or f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    return config.stash[TAG_KEY]


def worker_name(config: pytest.Config) -> str:
    """``gw0`` under xdist, else ``main``."""
    return str(getattr(config, "workerinput", {}).get("workerid", "main"))
