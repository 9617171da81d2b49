"""Options of suites of recorded steps: every ``--m2w-x`` has an ini twin ``m2w_x``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import pytest

from ...plugin.optionset import Option, OptionSet
from ..selection import MODES, SHARDS, SOURCES, Mode, Selection

SUITE_FILE: Final = "mind2web.toml"
"""Makes a folder a suite of recorded steps."""
STEPS_FILE: Final = "steps.jsonl.gz"
"""The suite's own steps, in the same folder."""
_DEFAULTS: Final = Selection()
_KEY: Final = pytest.StashKey["StepSettings"]()

OPTIONS: Final = OptionSet(
    "m2w",
    "recorded single steps (pytest-webbench, suite mind2web)",
    (
        Option(
            name="source",
            choices=SOURCES,
            help="where recorded steps come from: the suite's own file, a file of yours "
            "(--m2w-path), or the dataset's hub "
            "(default: file with --m2w-path, hf with --m2w-split, else bundled)",
        ),
        Option(
            name="path",
            metavar="FILE",
            help="steps as .jsonl, .jsonl.gz, task .json, the encrypted test.zip, .parquet, or a "
            "folder of these",
        ),
        Option(
            name="split",
            choices=tuple(SHARDS),
            help=f"split of the dataset (default: {_DEFAULTS.split})",
        ),
        Option(
            name="shard",
            kind="integer",
            least=0,
            metavar="N",
            help="one shard of the split, from 0 (default: all)",
        ),
        Option(
            name="revision",
            default=_DEFAULTS.revision,
            metavar="REV",
            help="branch, tag or commit of the dataset "
            "(default: the commit that this program was written for)",
        ),
        Option(
            name="hub",
            default=_DEFAULTS.hub,
            metavar="URL",
            help=f"address of the dataset's hub or of a mirror (default: {_DEFAULTS.hub})",
        ),
        Option(
            name="cache",
            default=str(_DEFAULTS.cache),
            metavar="DIR",
            help=f"where downloaded and unpacked steps are kept (default: {_DEFAULTS.cache})",
        ),
        Option(
            name="limit-tasks",
            kind="integer",
            least=1,
            metavar="N",
            help="the first N tasks only; no more are downloaded (default: all)",
        ),
        Option(
            name="limit",
            kind="integer",
            least=1,
            metavar="N",
            help="the first N steps only (default: all)",
        ),
        Option(
            name="sample",
            kind="integer",
            least=1,
            metavar="N",
            help="a random sample of N whole tasks, each site with its share (default: all)",
        ),
        Option(
            name="seed",
            kind="integer",
            default=_DEFAULTS.seed,
            metavar="N",
            help=f"seed of --m2w-sample (default: {_DEFAULTS.seed})",
        ),
        Option(
            name="mode",
            choices=MODES,
            default="dom",
            help="how recorded pages are loaded: dom = node by node, expand = as HTML with "
            "explicit end tags, compat = as the reference does, coverage only (default: dom)",
        ),
        Option(
            name="min-coverage",
            kind="share",
            metavar="RATE",
            help="the session succeeds if, and only if, the lower end of coverage's 95 %% interval "
            "is at least this (0 to 1), whatever single steps do (default: every step counts)",
        ),
        Option(
            name="dump-fixture",
            metavar="FILE",
            help="also write the chosen steps to this .jsonl or .jsonl.gz (default: no)",
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSettings:
    """All ``--m2w-*`` options, read once."""

    selection: Selection
    mode: Mode
    min_coverage: float | None
    dump_fixture: Path | None

    @classmethod
    def read(cls, config: pytest.Config) -> StepSettings:
        """From the command line and the ini file; `pytest.UsageError` for a wrong value."""
        here, values = config.invocation_params.dir, OPTIONS.read(config)
        dump = values["dump_fixture"]
        return cls(
            selection=_selection(here, values),
            mode=values["mode"],
            min_coverage=values["min_coverage"],
            dump_fixture=here / dump if dump else None,
        )


def step_settings(config: pytest.Config) -> StepSettings:
    """The options of this session, read on first use."""
    if _KEY not in config.stash:
        config.stash[_KEY] = StepSettings.read(config)
    return config.stash[_KEY]


def folders_named(config: pytest.Config) -> Iterator[Path]:
    """Suites of recorded steps that the command line names."""
    for argument in config.args:
        path = Path(argument.partition("::")[0]).absolute()
        folder = path if path.is_dir() else path.parent
        if (folder / SUITE_FILE).is_file():
            yield folder


def _selection(here: Path, values: dict[str, Any]) -> Selection:
    chosen = {field.name: values[field.name] for field in fields(Selection)}
    chosen["source"] = values["source"] or _source(values)
    chosen["cache"] = Path(values["cache"])
    if values["path"]:
        chosen["path"] = here / values["path"]
    return Selection(**{name: value for name, value in chosen.items() if value is not None})


def _source(values: dict[str, Any]) -> str:
    """What the user means who names no source."""
    if values["path"]:
        return "file"
    return "hf" if values["split"] else "bundled"
