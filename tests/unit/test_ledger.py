"""The ledger: what is appended is read back, whatever a kill cut off, and which attempt counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_webbench.errors import StoreError
from pytest_webbench.run import ItemKey, LedgerEntry, PlannedItem
from pytest_webbench.run.ledger import append, as_last_judged, latest, read

UNHURRIED = settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

# Everything that UTF-8 can hold: half a surrogate pair is dealt with apart.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
moments = st.floats(0, 1e6, allow_nan=False)
entries = st.builds(
    LedgerEntry,
    suite=texts,
    task=texts,
    agent=texts,
    repeat=st.integers(1, 5),
    attempt=st.integers(0, 5),
    world=texts,
    outcome=st.sampled_from(["passed", "failed", "unscored"]),
    reason=texts,
    detail=st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    steps=st.integers(0, 10_000),
    seconds=moments,
    agent_seconds=moments,
    started=texts,
    folder=texts,
)


def entry(outcome: str = "passed", **values: Any) -> LedgerEntry:
    given_values = {
        "suite": "mini",
        "task": "open-next",
        "agent": "noop",
        "world": "replica",
        "outcome": outcome,
    }
    return LedgerEntry.model_validate({**given_values, **values})


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "main.jsonl"


# -- round trip --------------------------------------------------------------------------------


@UNHURRIED
@given(st.lists(entries, max_size=4))
def test_entries_are_read_back_in_order(ledger: Path, written: list[LedgerEntry]) -> None:
    ledger.write_bytes(b"")
    for one in written:
        append(ledger, one)
    assert read(ledger) == written


@pytest.mark.parametrize(
    "detail",
    [
        "two\nlines",
        "carriage\rreturn",
        "line\u2028separator",
        "next\x85line",
        "null \x00",
        'quote " \\',
        "\U0001f600",
        "{",
    ],
)
def test_any_detail_stays_on_one_line(ledger: Path, detail: str) -> None:
    append(ledger, entry(detail=detail))
    append(ledger, entry("failed"))
    assert [one.detail for one in read(ledger)] == [detail, ""]


def test_lone_surrogate_does_not_lose_the_attempt(ledger: Path) -> None:
    append(ledger, entry(detail="half \ud83d"))
    assert len(read(ledger)) == 1


def test_line_is_json_with_sorted_keys_and_a_version(ledger: Path) -> None:
    append(ledger, entry())
    fields = json.loads(ledger.read_text("utf-8"))
    assert (list(fields), fields["version"]) == (sorted(LedgerEntry.model_fields), 1)


def test_same_attempt_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        append(tmp_path / name, entry(detail="ä"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_empty_file_holds_no_attempts(ledger: Path) -> None:
    ledger.touch()
    assert read(ledger) == []


# -- killed while writing ----------------------------------------------------------------------

TWO = [entry(task="a", detail="first ü"), entry("unscored", task="b", detail="läst \u20ac {")]


@pytest.fixture(scope="module")
def two_lines(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("ledger") / "whole.jsonl"
    for one in TWO:
        append(path, one)
    return path.read_bytes()


def complete(data: bytes) -> int:
    """How many entries are wholly in ``data``: the last one's line break may be missing."""
    lines = data.split(b"\n")
    return len(lines) - 1 + lines[-1].endswith(b"}")


def test_cut_at_any_byte_leaves_every_complete_line(ledger: Path, two_lines: bytes) -> None:
    wrong = []
    for length in range(len(two_lines) + 1):
        ledger.write_bytes(two_lines[:length])
        if read(ledger) != TWO[: complete(two_lines[:length])]:
            wrong.append(length)
    assert wrong == []


def test_append_after_a_cut_at_any_byte_loses_nothing(ledger: Path, two_lines: bytes) -> None:
    wrong, new = [], entry(task="new")
    for length in range(len(two_lines) + 1):
        ledger.write_bytes(two_lines[:length])
        append(ledger, new)
        if read(ledger) != [*TWO[: complete(two_lines[:length])], new]:
            wrong.append(length)
    assert wrong == []


def test_lines_before_a_cut_are_not_touched_by_an_append(ledger: Path, two_lines: bytes) -> None:
    ledger.write_bytes(two_lines[:-20])
    append(ledger, entry(task="new"))
    assert ledger.read_bytes().startswith(two_lines[:-20] + b"\n{")


def test_two_kills_in_a_row_lose_only_what_they_cut(ledger: Path, two_lines: bytes) -> None:
    ledger.write_bytes(two_lines[:-20])
    append(ledger, entry(task="c"))
    ledger.write_bytes(ledger.read_bytes()[:-20])
    append(ledger, entry(task="d"))
    assert [one.task for one in read(ledger)] == ["a", "d"]


# -- lines that are no entries -----------------------------------------------------------------


def with_second_line(ledger: Path, line: str) -> None:
    append(ledger, entry())
    with ledger.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    append(ledger, entry())


@pytest.mark.parametrize(
    ("line", "problems"),
    [
        ("{}", 5),
        ("[]", 1),
        ("null", 1),
        ('"text"', 1),
        (json.dumps({**entry().model_dump(), "version": 2}), 1),
        (json.dumps({**entry().model_dump(), "outcome": "flaky"}), 1),
        (json.dumps({**entry().model_dump(), "price": 1}), 1),
        (json.dumps({**entry().model_dump(), "price": 1, "steps": "many"}), 2),
    ],
)
def test_malformed_line_is_an_error_with_file_and_line(
    ledger: Path, line: str, problems: int
) -> None:
    with_second_line(ledger, line)
    with pytest.raises(StoreError) as caught:
        read(ledger)
    assert str(caught.value) == f"{ledger}, line 2: not a ledger entry ({problems} problems)"


@pytest.mark.parametrize("line", ["garbage", "<<<<<<< HEAD", "task: open-next"])
def test_malformed_last_line_is_an_error(ledger: Path, line: str) -> None:
    with_second_line(ledger, line)
    with pytest.raises(StoreError, match="line 2"):
        read(ledger)


@pytest.mark.parametrize("blank", ["", "   ", "\t"])
def test_blank_line_is_skipped(ledger: Path, blank: str) -> None:
    with_second_line(ledger, blank)
    assert len(read(ledger)) == 2


def test_ledger_that_cannot_be_written_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"^the ledger {tmp_path} cannot be written: "):
        append(tmp_path, entry())


def test_ledger_that_cannot_be_read_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        read(tmp_path)


# -- entries -----------------------------------------------------------------------------------


def test_outcome_outside_the_vocabulary_is_refused() -> None:
    with pytest.raises(ValidationError, match="outcome"):
        entry("flaky")


def test_entry_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(entry(), "outcome", "failed")  # noqa: B010 - a type checker refuses it as well


def test_planned_item_and_entry_share_their_key() -> None:
    item = PlannedItem(
        suite="mini", task="open-next", agent="noop", repeat=2, nodeid="x.yaml::open-next[r2]"
    )
    assert item.key == entry(repeat=2).key == ItemKey("mini", "open-next", "noop", 2)


@pytest.mark.parametrize(
    ("repeat", "folder"),
    [(1, "noop/open-next"), (2, "noop/open-next.r2"), (10, "noop/open-next.r10")],
)
def test_folder_names_agent_task_and_later_repeats(repeat: int, folder: str) -> None:
    assert ItemKey("mini", "open-next", "noop", repeat).folder() == folder


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            ItemKey("mini", "open", "noop", 2), ItemKey("mini", "open", "noop", 1), id="repeats"
        ),
        pytest.param(
            ItemKey("mini", "open", "noop", 1), ItemKey("mini", "open", "random", 1), id="agents"
        ),
    ],
)
def test_different_items_have_different_folders(one: ItemKey, other: ItemKey) -> None:
    assert one.folder() != other.folder()


# -- which attempt counts ----------------------------------------------------------------------


def history(*outcomes: str) -> list[LedgerEntry]:
    """Attempts at one item, a minute apart."""
    return [
        entry(outcome, attempt=number, started=f"2026-01-01T00:{number:02d}:00+00:00")
        for number, outcome in enumerate(outcomes, start=1)
    ]


@pytest.mark.parametrize(
    ("outcomes", "counts"),
    [
        (["passed"], 1),
        (["unscored"], 1),
        (["unscored", "unscored"], 2),
        (["unscored", "passed"], 2),
        (["unscored", "failed"], 2),
        (["passed", "unscored"], 1),
        (["failed", "unscored", "unscored"], 1),
        (["failed", "passed"], 2),
        (["passed", "failed"], 2),
        (["passed", "unscored", "failed", "unscored"], 3),
    ],
)
def test_last_scored_attempt_counts_else_the_last(outcomes: list[str], counts: int) -> None:
    (chosen,) = latest(history(*outcomes)).values()
    assert chosen.attempt == counts


def test_attempts_are_ordered_by_time() -> None:
    (chosen,) = latest(reversed(history("failed", "passed", "unscored"))).values()
    assert chosen.attempt == 2


def test_attempts_of_the_same_time_are_ordered_by_number() -> None:
    attempts = [entry(attempt=2, started="2026"), entry("failed", attempt=1, started="2026")]
    assert latest(attempts)[attempts[0].key].attempt == 2


def test_every_part_of_the_key_distinguishes_items() -> None:
    others = [entry(suite="x"), entry(task="x"), entry(agent="x"), entry(repeat=2)]
    assert len(latest([entry(), *others])) == 5


def test_no_attempts_give_no_results() -> None:
    assert latest([]) == {}


# -- judged again ------------------------------------------------------------------------------

FIRST, SECOND = history("failed", "unscored")
FIRST_AGAIN = FIRST.model_copy(update={"rejudged": 1, "outcome": "unscored"})
FIRST_ONCE_MORE = FIRST.model_copy(update={"rejudged": 2, "outcome": "passed"})


@pytest.mark.parametrize(
    ("lines", "attempts"),
    [
        ([FIRST, SECOND], [FIRST, SECOND]),
        ([FIRST, SECOND, FIRST_AGAIN], [FIRST_AGAIN, SECOND]),
        ([FIRST_AGAIN, FIRST, SECOND], [FIRST_AGAIN, SECOND]),
        ([FIRST, SECOND, FIRST_AGAIN, FIRST_ONCE_MORE], [FIRST_ONCE_MORE, SECOND]),
        ([FIRST, FIRST_ONCE_MORE, FIRST_AGAIN], [FIRST_ONCE_MORE]),
        ([], []),
    ],
)
def test_last_judgement_of_an_attempt_counts(
    lines: list[LedgerEntry], attempts: list[LedgerEntry]
) -> None:
    assert as_last_judged(lines) == attempts


def test_judgement_applies_to_its_attempt_only() -> None:
    other = entry("failed", task="another", attempt=FIRST.attempt, started=FIRST.started)
    assert as_last_judged([FIRST, other, FIRST_AGAIN]) == [FIRST_AGAIN, other]


def test_judged_attempts_are_left_unchanged() -> None:
    once = as_last_judged([FIRST, SECOND, FIRST_AGAIN])
    assert as_last_judged(once) == once


def test_result_uses_the_last_judgement() -> None:
    assert latest([FIRST, SECOND, FIRST_ONCE_MORE]) == {FIRST.key: FIRST_ONCE_MORE}


def test_attempt_judged_unscored_yields_to_a_later_one() -> None:
    assert latest([FIRST, SECOND, FIRST_AGAIN]) == {FIRST.key: SECOND}


def test_several_entries_are_appended_in_one_write(ledger: Path) -> None:
    append(ledger, FIRST, SECOND)
    append(ledger, FIRST_AGAIN)
    assert read(ledger) == [FIRST, SECOND, FIRST_AGAIN]


@pytest.mark.parametrize(
    ("seed", "repeat", "folder", "listed", "name"),
    [
        (0, 1, "noop/open", ["mini", "open", "noop", 1], "mini/open by noop"),
        (2, 1, "noop/open.s2", ["mini", "open", "noop", 1, 2], "mini/open by noop, edition 2"),
        (
            *(1, 3, "noop/open.s1.r3", ["mini", "open", "noop", 3, 1]),
            "mini/open by noop, edition 1, repeat 3",
        ),
    ],
)
def test_edition_is_part_of_the_key_and_0_leaves_no_mark(
    seed: int, repeat: int, folder: str, listed: list[Any], name: str
) -> None:
    key = ItemKey("mini", "open", "noop", repeat, seed)
    assert (key.folder(), key.as_list(), str(key)) == (folder, listed, name)
    assert ItemKey(*listed) == key
