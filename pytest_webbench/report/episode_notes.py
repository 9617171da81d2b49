"""``episodes.toml``: which tasks of a suite were audited with whole episodes, and what came out.

The file is committed with the suite. A task that was changed since, or whose double was, has to be
audited again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from .._json import digest
from ..judge.episode_audit import EpisodeAudit
from ..run.site_digest import site_digest
from ..task import Task
from ..task.folder import SuiteFolder, read_folder
from ..task.toml import read_toml
from .episode_audit import state_counts

EPISODES_FILE: Final = "episodes.toml"
_HEAD: Final = (
    "# Written by `webbench audit --episodes --write`: tasks audited with whole episodes.\n"
)


def notes_text(folder: SuiteFolder, audits: Sequence[EpisodeAudit]) -> str:
    """The file with sound tasks of ``folder`` beside those noted before, without unsound ones."""
    known = _read(folder.path)
    for audit in audits:
        known.pop(audit.task, None)
        if audit.sound:
            task = folder.tasks[audit.task]
            known[audit.task] = {"digest": audited_digest(folder.path, task)}
            known[audit.task] |= state_counts(audit)
    every = read_folder(folder.path).tasks
    text = _HEAD
    for name in sorted(known.keys() & every.keys()):
        text += f'\n["{name}"]\n'
        for key, value in known[name].items():
            text += f"{key.replace(' ', '_')} = {_value(value)}\n"
    return text


def not_audited(folder: SuiteFolder) -> list[str]:
    """Ids of the tasks that were never audited with episodes, or not as they are now."""
    known = _read(folder.path)
    return [
        name
        for name, task in folder.tasks.items()
        if known.get(name, {}).get("digest") != audited_digest(folder.path, task)
    ]


def audited_digest(suite: Path, task: Task) -> str:
    """Changes with the task, what its file says about mutants, and the double of its site."""
    mutants = None if task.mutants is None else task.mutants.model_dump(mode="json")
    return digest([task.digest(), mutants, site_digest(suite, task.site)])


def _read(suite: Path) -> dict[str, dict[str, Any]]:
    path = suite / EPISODES_FILE
    return dict(read_toml(path).data) if path.is_file() else {}


def _value(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
