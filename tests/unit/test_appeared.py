"""Files that appear while a run goes on and would change how tasks are run end it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench.plugin.appeared import NAMES, ConfigurationFiles


@pytest.mark.parametrize("place", [".", "suites", "suites/shop/tasks"])
@pytest.mark.parametrize("name", NAMES)
def test_new_file_in_the_suites_folder_or_above_is_named(
    tmp_path: Path, name: str, place: str
) -> None:
    tasks = tmp_path / "suites" / "shop" / "tasks"
    tasks.mkdir(parents=True)
    (tmp_path / "suites" / "shop" / "pytest.ini").touch()
    files = ConfigurationFiles([tasks])
    (tasks / "other.yaml").touch()
    assert files.refusal() == ""
    (tmp_path / place / name).touch()
    refusal = files.refusal()
    assert str((tmp_path / place / name).resolve()) in refusal
    assert "Remove it and start again" in refusal


def test_link_to_nowhere_counts(tmp_path: Path) -> None:
    files = ConfigurationFiles([tmp_path])
    (tmp_path / "conftest.py").symlink_to(tmp_path / "later.py")
    assert "conftest.py" in files.refusal()
