"""Options of suites of recorded steps: every ``--m2w-x`` has an ini twin ``m2w_x``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast

import pytest

from ..optionset import Option, OptionSet

SUITE_FILE: Final = "mind2web.toml"
"""Makes a folder a suite of recorded steps."""
MODES: Final = ("compat", "expand", "dom")
SOURCES: Final = ("bundled", "file", "hf")
SPLITS: Final = ("train", "test_task", "test_website", "test_domain")

_OPTIONS: Final = (
    Option(
        name="source",
        choices=SOURCES,
        help="where recorded steps come from: the suite's own file, a file of yours (--m2w-path), or the dataset's hub "
        "(default: file with --m2w-path, hf with --m2w-split, else bundled)",
    ),
    Option(
        name="path",
        metavar="FILE",
        help="steps as .jsonl, .jsonl.gz, task .json, the encrypted test.zip, .parquet, or a folder of these",
    ),
    Option(name="split", choices=SPLITS, help="split of the dataset (default: test_task)"),
    Option(name="shard", metavar="N", help="one shard of the split, from 0 (default: all)"),
    Option(
        name="revision",
        metavar="REV",
        default="17ece8eb89862368edc0cc806acee6fca5163474",
        help="branch, tag or commit of the dataset (default: the commit that this program was written for)",
    ),
    Option(
        name="hub",
        metavar="URL",
        default="https://huggingface.co",
        help="address of the dataset's hub or of a mirror (default: https://huggingface.co)",
    ),
    Option(
        name="cache",
        metavar="DIR",
        default="~/.cache/pytest-webbench/mind2web",
        help="where downloaded and unpacked steps are kept (default: ~/.cache/pytest-webbench/mind2web)",
    ),
    Option(name="limit-tasks", metavar="N", help="the first N tasks only; no more are downloaded (default: all)"),
    Option(name="limit", metavar="N", help="the first N steps only (default: all)"),
    Option(name="sample", metavar="N", help="N whole tasks drawn by lot, of each site its share (default: all)"),
    Option(name="seed", metavar="N", default="0", help="seed of --m2w-sample (default: 0)"),
    Option(
        name="mode",
        choices=MODES,
        default="dom",
        help="how recorded pages are loaded: dom = node by node, expand = as HTML with explicit end tags, compat = as "
        "the reference does, coverage only (default: dom)",
    ),
    Option(
        name="min-coverage",
        metavar="RATE",
        help="the session succeeds if, and only if, the lower end of coverage's 95 %% interval is at least this (0 to "
        "1), whatever single steps do (default: every step counts)",
    ),
    Option(
        name="dump-fixture",
        metavar="FILE",
        help="also write the chosen steps to this .jsonl or .jsonl.gz (default: no)",
    ),
)
OPTIONS: Final = OptionSet("m2w", "recorded single steps (pytest-webbench, suite mind2web)", _OPTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSettings:
    """All ``--m2w-*`` options, read once."""

    source: Literal["bundled", "file", "hf"]
    path: Path | None
    split: str
    shard: int | None
    revision: str
    hub: str
    cache: Path
    limit_tasks: int | None
    limit: int | None
    sample: int | None
    seed: int
    mode: Literal["compat", "expand", "dom"]
    min_coverage: float | None
    dump_fixture: Path | None


SETTINGS_KEY: Final = pytest.StashKey[StepSettings]()


def step_settings(config: pytest.Config) -> StepSettings:
    """All options; a bad value is a usage error that names the option."""
    if SETTINGS_KEY not in config.stash:
        config.stash[SETTINGS_KEY] = _read(config)
    return config.stash[SETTINGS_KEY]


def folders_named(config: pytest.Config) -> Iterator[Path]:
    """Suites of recorded steps that the command line names."""
    for argument in config.args:
        path = Path(argument.partition("::")[0]).absolute()
        folder = path if path.is_dir() else path.parent
        if (folder / SUITE_FILE).is_file():
            yield folder


def _read(config: pytest.Config) -> StepSettings:
    here = config.invocation_params.dir
    path = OPTIONS.given(config, "path")
    default = "file" if path else "hf" if OPTIONS.given(config, "split") else "bundled"
    dump = OPTIONS.given(config, "dump-fixture")
    return StepSettings(
        source=cast(Any, OPTIONS.value(config, "source") or default),
        path=here / path if path else None,
        split=str(OPTIONS.value(config, "split") or "test_task"),
        shard=OPTIONS.number(config, "shard", int, 0),
        revision=str(OPTIONS.value(config, "revision")),
        hub=str(OPTIONS.value(config, "hub")),
        cache=Path(os.path.expanduser(str(OPTIONS.value(config, "cache")))),
        limit_tasks=OPTIONS.number(config, "limit-tasks", int, 1),
        limit=OPTIONS.number(config, "limit", int, 1),
        sample=OPTIONS.number(config, "sample", int, 1),
        seed=OPTIONS.number(config, "seed", int, None) or 0,
        mode=cast(Any, OPTIONS.value(config, "mode")),
        min_coverage=OPTIONS.share(config, "min-coverage"),
        dump_fixture=here / dump if dump else None,
    )
