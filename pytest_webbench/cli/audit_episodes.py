"""Plays the mutants of reference solutions, for ``webbench audit --episodes``."""

from __future__ import annotations

from ..evidence.models import Evidence
from ..judge.episode_audit import EpisodeAudit, audit_episodes
from ..judge.episode_mutants import EpisodeMutant
from ..judge.validation import mutants_of, reference_of
from ..run import ItemKey, RunDir
from ..task import Task
from ..task.folder import SuiteFolder
from .playing import play, selection_of, tag_for
from .shared import run_dir


def play_and_audit(folder: SuiteFolder, *, chosen: bool, workers: int) -> list[EpisodeAudit]:
    """Play what is not stored yet, then judge all of it.

    ``chosen`` says that ``folder`` holds some of the suite's tasks only.
    """
    tag = tag_for("episodes-", folder.path)
    selection = selection_of(folder, chosen=chosen)
    tasks = list(folder.tasks.values())
    _play(selection, "references", tag, workers, expected=len(tasks))
    audited = _Audited(folder.suite.name, run_dir(tag, whole=True))
    count = sum(len(mutants_of(task, audited.reference(task))) for task in tasks)
    _play(selection, "episodes", tag, workers, expected=count)
    return [audited.audit(task) for task in tasks]


class _Audited:
    """The stored episodes of one suite."""

    def __init__(self, suite: str, run: RunDir) -> None:
        self._suite, self._run = suite, run

    def reference(self, task: Task) -> Evidence | None:
        """The evidence of a task's solution."""
        return self._played(task, reference_of(task).label)[0]

    def audit(self, task: Task) -> EpisodeAudit:
        """What came of all mutants of a task."""

        def played(mutant: EpisodeMutant) -> tuple[Evidence | None, str]:
            return self._played(task, mutant.label)

        return audit_episodes(task, self.reference(task), played)

    def _played(self, task: Task, label: str) -> tuple[Evidence | None, str]:
        """The evidence of an episode, and the last line of its log."""
        episode = self._run.counted_episode(ItemKey(self._suite, task.id, label, 1))
        evidence = episode.evidence()
        episode.refuse_damage()
        log = (episode.content("agent.log") or b"").decode("utf-8", "replace").strip()
        return evidence, log.rpartition("\n")[2].rpartition("StepError: ")[2]


def _play(selection: list[str], what: str, tag: str, workers: int, *, expected: int) -> None:
    options = ["--webbench-mutants", what, "--webbench-artifacts", "none"]
    play(selection, options, what=what, tag=tag, workers=workers, expected=expected)
