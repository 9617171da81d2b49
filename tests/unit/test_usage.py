"""What an agent says its model has cost: numbers that can be added, stored and shown."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench._usage import MOST, Usage, believed
from pytest_webbench.agents.chat.openai import token_count
from pytest_webbench.evidence.redact import Redactor
from pytest_webbench.run.episode_folder import EpisodeFolder
from pytest_webbench.run.journal import EpisodeJournal
from pytest_webbench.run.ledger import LedgerEntry


@pytest.mark.parametrize(
    ("said", "number"),
    [
        (0, 0.0),
        (0.25, 0.25),
        (1.7e308, float(MOST)),
        (math.inf, float(MOST)),
        (10**400, float(MOST)),
        (-1, None),
        (-math.inf, None),
        (math.nan, None),
        ("12", None),
        (True, None),
        (None, None),
        ([1], None),
    ],
)
def test_only_numbers_from_zero_to_the_bound_are_believed(said: Any, number: float | None) -> None:
    assert believed(said) == number
    assert token_count(said) in (0, int(number or 0))


@pytest.mark.parametrize("said", [1.7e308, math.inf, math.nan, -1.0, 10**400, "0.1"])
def test_sums_of_whatever_an_agent_spends_fit_into_the_ledger(said: Any, tmp_path: Path) -> None:
    journal = EpisodeJournal(EpisodeFolder(tmp_path, tmp_path / "final", Redactor()))
    for _ in range(3):
        journal.spend(
            Usage(calls=said, seconds=said, input_tokens=said, output_tokens=said, cost=said)
        )
    account = journal.account()
    entry = LedgerEntry(suite="s", task="t", agent="a", world="live", outcome="failed", **account)
    assert LedgerEntry.model_validate_json(entry.model_dump_json()) == entry
    assert json.loads(json.dumps(account, allow_nan=False)) == account
