"""Tasks in a table: ``*.tasks.csv`` with the columns id, goal, start_url, expected_url."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_webbench.errors import SettingsError
from pytest_webbench.formats import TaskFormat

if TYPE_CHECKING:
    from pytest_webbench.formats import FileContents

COLUMNS = ("id", "goal", "start_url", "expected_url")


class TasksCsv(TaskFormat):
    """One task per row; each asks for a page to be open at the end."""

    def recognises(self, path: Path, *, named: bool) -> bool:
        return path.name.endswith(".tasks.csv")

    def read(self, path: Path) -> FileContents:
        # Recognising a file must be cheap, so what reading needs is imported here.
        from pytest_webbench.formats import FileContents, Suite, Task

        name = path.name.removesuffix(".tasks.csv")
        suite = Suite(name=name, title=name, licence="none", worlds=["live"])
        tasks = []
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file), start=2):
                if missing := [column for column in COLUMNS if not row.get(column)]:
                    raise SettingsError(f"{path}, line {number}: no {', '.join(missing)}")
                opened = {"name": "the page is open", "get": {"type": "final_url"}}
                check = {**opened, "metric": "url_matches", "expected": row["expected_url"]}
                fields = {key: row[key] for key in ("id", "goal", "start_url")}
                tasks.append(Task.model_validate({**fields, "checks": [check]}))
        return FileContents(suite, path.parent, tuple(tasks))


FORMAT = TasksCsv()
