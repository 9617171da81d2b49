"""Recorded steps on disk: the index, the cache, samples, files of their own."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webbench.errors import SettingsError, StoreError
from pytest_webbench.mind2web.records import RecordedStep, read_jsonl, to_line
from pytest_webbench.mind2web.store import StepStore, cached, index_of, write_steps

ROOT = Path(__file__).parents[2]


def step(task: str, number: int = 0, site: str = "shop", **facts: object) -> RecordedStep:
    known = {
        "task_id": task,
        "step_index": number,
        "website": site,
        "cleaned_html": "<p>ü</p>",
        "op": "CLICK",
    }
    return RecordedStep.model_validate({**known, **facts})


def written(path: Path, steps: list[RecordedStep]) -> StepStore:
    path.write_text("".join(f"{to_line(one)}\n\n" for one in steps), encoding="utf-8")
    return index_of(path)


def names(steps: StepStore) -> list[str]:
    return [entry.name for entry in steps.entries]


def test_index_finds_every_step(tmp_path: Path) -> None:
    given = [
        step("a", number, role="link", domain="Shopping", split="train") for number in range(3)
    ]
    steps = written(tmp_path / "s.jsonl", given)
    assert names(steps) == ["a-0", "a-1", "a-2"]
    assert [steps.read(entry) for entry in reversed(steps.entries)] == given[::-1]
    assert steps.entries[0][2:9] == ("a", 0, "shop", "Shopping", "CLICK", "link", "train")


def test_tasks_of_the_same_name_get_unique_names(tmp_path: Path) -> None:
    given = [step("a", 0), step("a", 1), step("a", 0), step("a.2", 0), step("a", 1), step("", 0)]
    steps = written(tmp_path / "s.jsonl", given)
    assert names(steps) == ["a-0", "a-1", "a.2-0", "a.2.2-0", "a.2-1", "task-0"]
    assert [steps.read(entry).name for entry in steps.entries] == names(steps)


def test_file_changed_since_indexing_is_an_error(tmp_path: Path) -> None:
    steps = written(tmp_path / "s.jsonl", [step("a"), step("b")])
    written(tmp_path / "s.jsonl", [step("a"), step("c")])
    assert steps.read(steps.entries[0]).task_id == "a"
    with pytest.raises(StoreError, match="has changed"):
        steps.read(steps.entries[1])
    (tmp_path / "s.jsonl").unlink()
    with pytest.raises(StoreError, match="cannot be read"):
        steps.read(steps.entries[0])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not a recorded step"),
        ("[1]", "line 2: not a recorded step"),
        ("{}", "`cleaned_html`"),
    ],
)
def test_line_that_is_not_a_step_is_an_error_that_names_it(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(f"{to_line(step('a'))}\n{line}\n")
    with pytest.raises(SettingsError, match=message):
        index_of(path)


def test_first_tasks_keeps_all_steps_of_the_first_tasks(tmp_path: Path) -> None:
    steps = written(tmp_path / "s.jsonl", [step("b"), step("a"), step("b", 1), step("c")])
    assert names(steps.first_tasks(2)) == ["b-0", "a-0", "b-1"]


def tasks_by_site(steps: StepStore) -> Counter[str]:
    return Counter({entry.task: entry.website for entry in steps.entries}.values())


def test_sample_takes_whole_tasks_and_each_sites_share(tmp_path: Path) -> None:
    sizes = {"big": 60, "middle": 30, "small": 10}
    given = [
        step(f"{site}{n}", k, site)
        for site, count in sizes.items()
        for n in range(count)
        for k in range(2)
    ]
    steps = written(tmp_path / "s.jsonl", given)
    for seed in range(5):
        sample = steps.sample(20, seed)
        assert tasks_by_site(sample) == {"big": 12, "middle": 6, "small": 2}
        assert len(sample.entries) == 40
    assert names(steps.sample(20, 1)) == names(steps.sample(20, 1)) != names(steps.sample(20, 2))
    assert steps.sample(100, 0) == steps == steps.sample(1000, 0)


def test_every_task_is_equally_likely_in_a_sample(tmp_path: Path) -> None:
    given = [
        step(f"{site}{n}", 0, site)
        for site, count in (("a", 7), ("b", 2), ("c", 1))
        for n in range(count)
    ]
    steps = written(tmp_path / "s.jsonl", given)
    drawn = Counter(entry.task for seed in range(2000) for entry in steps.sample(3, seed).entries)
    assert len(drawn) == 10
    assert all(abs(count / 2000 - 0.3) < 0.05 for count in drawn.values())  # five standard errors


def test_cache_is_written_once(tmp_path: Path) -> None:
    calls: list[int] = []

    def make() -> Iterator[RecordedStep]:
        calls.append(1)
        yield step("a")

    first, second = (cached(tmp_path / "c", ["x", 1], make) for _ in range(2))
    assert (first, len(calls)) == (second, 1)
    cached(tmp_path / "c", ["x", 2], make)
    assert len(calls) == 2


def test_interrupted_download_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    def broken() -> Iterator[RecordedStep]:
        yield step("a")
        raise SettingsError("no more")

    with pytest.raises(SettingsError, match="no more"):
        cached(tmp_path / "c", "x", broken)
    assert [path.suffix for path in (tmp_path / "c").iterdir()] in ([], [".lock"])
    assert names(cached(tmp_path / "c", "x", lambda: iter([step("b")]))) == ["b-0"]


MAKER = """
import sys
from pathlib import Path
from pytest_webbench.mind2web.records import RecordedStep
from pytest_webbench.mind2web.store import cached
def make():
    Path(sys.argv[1], f"made-{sys.argv[2]}").touch()
    for number in range(300):
        yield RecordedStep(task_id=f"t{number}", cleaned_html="<p/>")
print(len(cached(Path(sys.argv[1]), "k", make).entries))
"""


def test_several_processes_write_the_cache_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAKER, str(tmp_path)]
    workers = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for n in range(3)
    ]
    assert [worker.communicate()[0] for worker in workers] == ["300\n"] * 3
    assert len(list(tmp_path.glob("made-*"))) == 1


def test_unwritable_cache_is_an_error_with_advice(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="--m2w-cache"):
        cached(tmp_path / "file", "x", lambda: iter([step("a")]))


def test_equal_steps_give_equal_bytes_and_are_read_back(tmp_path: Path) -> None:
    given = [step("a"), step("b")]
    packed = [tmp_path / name for name in ("a.jsonl.gz", "b.jsonl.gz")]
    for path in (*packed, tmp_path / "sub" / "c.jsonl"):
        write_steps(path, iter(given))
    assert packed[0].read_bytes() == packed[1].read_bytes()
    assert gzip.decompress(packed[0].read_bytes()) == (tmp_path / "sub" / "c.jsonl").read_bytes()
    assert list(read_jsonl(tmp_path / "sub" / "c.jsonl")) == given
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl.gz", "b.jsonl.gz", "sub"]


def test_selected_steps_are_copied(tmp_path: Path) -> None:
    steps = written(tmp_path / "s.jsonl", [step("a", 0), step("a", 1), step("a", 1)])
    assert steps.copy_to(tmp_path / "out.jsonl", {"a-0", "a.2-1"}) == 2
    assert [one.name for one in read_jsonl(tmp_path / "out.jsonl")] == ["a-0", "a.2-1"]


def test_reference_file_with_nulls_is_indexed(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(
        json.dumps({"task_id": None, "step_index": None, "cleaned_html": "<p/>", "op": "TYPE"})
    )
    assert index_of(path).entries[0].name == "task-0"


def test_bundled_steps_have_one_target_and_no_test_split() -> None:
    path = ROOT / "suites" / "mind2web" / "steps.jsonl.gz"
    steps = list(read_jsonl(path))
    assert len(steps) >= 300
    assert path.stat().st_size < 1_500_000
    assert len({one.name for one in steps}) == len(steps)
    assert {one.split for one in steps} == {"replica", "train"}
    for one in steps:
        (target,) = one.targets
        assert one.cleaned_html.count(f' backend_node_id="{target}"') == 1, one.name
        assert 0 <= one.step_index < one.num_steps
