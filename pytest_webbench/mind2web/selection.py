"""Which recorded steps a session measures: the one list of these settings and of their defaults.

The options of a session are made from it whenever pytest starts, so it imports nothing heavy.
`loading.load_steps` reads the steps that a selection means.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

Source: TypeAlias = Literal["bundled", "file", "hf"]
"""The suite's own file, a file of the user's, or the dataset's hub."""
Mode: TypeAlias = Literal["compat", "expand", "dom"]
"""How a recorded page is loaded; ``load.js`` says what each mode does."""

SOURCES: Final[tuple[Source, ...]] = get_args(Source)
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
SHARDS: Final = {"train": 11, "test_task": 3, "test_website": 2, "test_domain": 10}
"""The dataset's splits, each with the number of its shards."""
HUB: Final = "https://huggingface.co"
REVISION: Final = "17ece8eb89862368edc0cc806acee6fca5163474"
"""The dataset's commit that is read by default: figures of different data cannot be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What the ``--m2w-*`` options select. Each default here is the default of its option.

    ``limit_tasks``, ``sample`` and ``limit`` are applied in this order; None is "all".
    """

    source: Source = "bundled"
    path: Path | None = None
    """A file or a folder of files; needed by the source ``file``."""
    split: str = "test_task"
    shard: int | None = None
    """One shard of the split, from 0."""
    revision: str = REVISION
    """Branch, tag or commit of the dataset."""
    hub: str = HUB
    """Address of the hub or of a mirror."""
    cache: Path = Path("~/.cache/pytest-webbench/mind2web")
    """Folder in which downloaded and unpacked steps are kept."""
    limit_tasks: int | None = None
    """Only the first tasks; no more than these are downloaded."""
    limit: int | None = None
    """Only the first steps."""
    sample: int | None = None
    """A random sample of so many whole tasks, each site with its share."""
    seed: int = 0
    """Seed of the sample."""
