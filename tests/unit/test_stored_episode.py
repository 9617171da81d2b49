"""Stored episodes: what is read back, and one rule for whatever is missing, cut off or damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench.errors import StoreError
from pytest_webbench.evidence.models import Ending, Evidence, ObservedAction
from pytest_webbench.judge import Outcome, Verdict
from pytest_webbench.run import StoredEpisode
from pytest_webbench.task import Task

TASK = Task.model_validate(
    {
        "id": "open-next",
        "goal": "Open the next page.",
        "start_url": "https://mini.test/",
        "checks": [
            {"name": "title", "get": "page_title", "metric": "exact_match", "expected": "Next"}
        ],
    }
)
EVIDENCE = Evidence(task="open-next", answer="42")
VERDICT = Verdict(
    task="open-next",
    task_digest="t",
    evidence_digest="e",
    outcome=Outcome.PASSED,
    ending=Ending.DONE,
    score=1.0,
)


@pytest.fixture
def episode(tmp_path: Path) -> StoredEpisode:
    """A whole one."""
    (tmp_path / "task.json").write_text(TASK.model_dump_json())
    (tmp_path / "evidence.json").write_text(EVIDENCE.to_json())
    (tmp_path / "verdict.json").write_text(VERDICT.to_json())
    return StoredEpisode(tmp_path)


def step(number: int, value: str) -> str:
    return ObservedAction(number=number, kind="type", value=value).model_dump_json()


def test_stored_episode_is_read_back(episode: StoredEpisode) -> None:
    assert (episode.task(), episode.evidence(), episode.verdict()) == (TASK, EVIDENCE, VERDICT)
    assert (episode.task_id(), episode.answer()) == ("open-next", "42")
    assert episode.names == {"task.json", "evidence.json", "verdict.json"}
    episode.refuse_damage()


@pytest.mark.parametrize("place", ["missing", "a-file"])
def test_missing_file_is_not_damage(tmp_path: Path, place: str) -> None:
    (tmp_path / "a-file").write_text("")
    episode = StoredEpisode(tmp_path / place)
    assert (episode.task(), episode.evidence(), episode.verdict()) == (None, None, None)
    assert (episode.steps(), episode.shots(), list(episode.journal())) == ([], [], [])
    assert (episode.task_id(), episode.answer(), episode.names) == (None, None, frozenset())
    episode.refuse_damage()


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"\xff", b"[]"])
def test_damaged_file_is_none_and_named(episode: StoredEpisode, content: bytes) -> None:
    (episode.path / "verdict.json").write_bytes(content)
    assert episode.verdict() is None
    (problem,) = episode.problems
    assert problem.startswith("verdict.json cannot be read: ")
    assert len(problem) < 600
    with pytest.raises(StoreError, match=r"verdict\.json cannot be read"):
        episode.refuse_damage()


def test_folder_in_place_of_a_file_is_damage(episode: StoredEpisode) -> None:
    (episode.path / "verdict.json").unlink()
    (episode.path / "verdict.json").mkdir()
    assert episode.verdict() is None
    assert len(episode.problems) == 1


def test_task_and_answer_of_another_version_are_still_shown(episode: StoredEpisode) -> None:
    (episode.path / "task.json").write_text('{"id": "of-old", "unknown": 1}')
    (episode.path / "evidence.json").write_text('{"answer": "41", "version": 0}')
    assert (episode.task_id(), episode.answer()) == ("of-old", "41")
    assert (episode.task(), episode.evidence()) == (None, None)


def test_last_complete_line_of_a_step_counts(
    episode: StoredEpisode,
) -> None:
    lines = [step(1, "a"), step(2, "b"), "[]", step(1, "c"), step(3, "d")[:-5]]
    (episode.path / "steps.jsonl").write_text("\n".join(lines))
    assert [(one.number, one.value) for one in episode.steps()] == [(1, "c"), (2, "b")]


def test_notes_that_are_not_objects_are_dropped(episode: StoredEpisode) -> None:
    (episode.path / "agent.jsonl").write_bytes(b'{"kind": "a"}\n[]\n\xff\n{"kind": "b"}\n{"kin')
    assert [note["kind"] for note in episode.journal()] == ["a", "b"]


def test_screenshots_are_ordered_with_their_facts(episode: StoredEpisode) -> None:
    (episode.path / "shots").mkdir()
    for name in ("010.jpg", "009.jpg", "x.jpg", "011.png"):
        (episode.path / "shots" / name).write_bytes(b"")
    (episode.path / "shots.jsonl").write_text('{"number": 9, "url": "u", "width": 800}\n{"numb')
    shots = [(shot.number, shot.url, shot.width) for shot in episode.shots()]
    assert shots == [(9, "u", 800), (10, "", 0)]
