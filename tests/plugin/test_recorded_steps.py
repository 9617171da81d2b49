"""Recorded steps as pytest items: what passes, what the run keeps, what stops a session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_webbench.mind2web.records import RecordedStep, read_jsonl, to_line
from pytest_webbench.mind2web.scoring import StepResult
from pytest_webbench.run import RunDir
from tests.support import fake_hub
from tests.support.mini_suite import STRICT

ROOT = Path(__file__).parents[2]
PAGE = (
    '<html backend_node_id="1"><body backend_node_id="2"><p backend_node_id="3">News of the day</p>'
    '<a backend_node_id="4"><text>Contact us</text></a>'
    '<button backend_node_id="5"><text>Log in</text></button></body></html>'
)


def step(number: int, *gold: str, task: str = "t", **facts: object) -> RecordedStep:
    known = {
        "task_id": task,
        "goal": "Click contact us",
        "step_index": number,
        "num_steps": 3,
        "cleaned_html": PAGE,
        "gold_backend_node_id": gold[0] if gold else "",
        "gold_backend_node_ids": gold,
        "op": "CLICK",
        "website": "news",
        "role": "link",
    }
    return RecordedStep.model_validate({**known, **facts})


COVERED, UNCOVERED, LOST = step(0, "4"), step(1, "3"), step(2)


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Path:
    folder = pytester.mkdir("probe")
    (folder / "mind2web.toml").write_text('name = "probe"\ntitle = "A probe"\nlicence = "none"\n')
    return folder


def write(folder: Path, *steps: RecordedStep) -> Path:
    path = folder / "steps.jsonl"
    path.write_text("".join(f"{to_line(one)}\n" for one in steps), encoding="utf-8")
    return path


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    base = (
        "probe",
        "--rootdir",
        str(pytester.path),
        "--webbench-run",
        "r",
        "--m2w-cache",
        str(pytester.path / "cache"),
    )
    return pytester.runpytest_subprocess(*STRICT, *base, *arguments)


def result_of(pytester: pytest.Pytester, name: str, agent: str = "perception") -> StepResult:
    path = pytester.path / "runs" / "r" / "episodes" / agent / name / "result.json"
    return StepResult.model_validate_json(path.read_bytes())


def test_step_without_an_agent_passes_if_its_target_is_offered(
    pytester: pytest.Pytester, suite: Path
) -> None:
    path = write(suite, COVERED, UNCOVERED, LOST)
    done = run(pytester, "--m2w-path", str(path), "-v")
    done.assert_outcomes(passed=1, failed=2)
    done.stdout.fnmatch_lines(
        [
            "*::t-0 PASSED*",
            "*not covered: none of the 2 elements seen*",
            "*lost its target: counted as wrong*",
            "3 steps of 1 task on 1 site*",
            "coverage, dom * 50.0% * of 2 steps",
            "without a target: 1 step; glass.* leaves them out*",
            "covered by: exact 1, none 1",
        ]
    )
    assert "Traceback" not in done.stdout.str()
    assert (result_of(pytester, "t-0").cover.kind, result_of(pytester, "t-2").official.covered) == (
        "exact",
        False,
    )
    assert [result_of(pytester, name).why[:20] for name in ("t-0", "t-1", "t-2")] == [
        "",
        "not covered: none of",
        "the recording has lo",
    ]
    kept = RunDir(pytester.path / "runs" / "r")
    assert {item.part_of for item in kept.planned()} == {"t"}
    assert {entry.outcome for entry in kept.results().values()} == {"passed", "failed"}
    assert {(item.site, item.source) for item in kept.planned()} == {("news", "Mind2Web")}

    again = run(pytester, "--m2w-path", str(path), "-p", "no:cacheprovider")
    again.assert_outcomes(passed=1, failed=2)
    assert len(kept.attempts()) == 3, "what is on record is not measured again"


def test_recorded_step_asks_the_agent_for_one_action(
    pytester: pytest.Pytester, suite: Path
) -> None:
    path = write(suite, COVERED, step(1, "5"))
    done = run(pytester, "--m2w-path", str(path), "--webbench-agent", "heuristic", "-n", "2")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(
        ["*wanted: CLICK on link (nodes 5)", "*chosen: CLICK '' on e1 (node 4); wrong tag"]
    )
    done.stdout.fnmatch_lines(
        ["official.element accuracy * 50.0% * of 2 steps", "wrong because: wrong tag 1"]
    )
    result = result_of(pytester, "t-0", "heuristic")
    assert result.official.step is True
    assert result.prediction is not None
    assert result.prediction.node == "4"
    assert [(one.kind, one.role, one.ref, one.node) for one in result.elements] == [
        ("target", "link", "e1", "4"),
        ("chosen", "link", "e1", "4"),
    ]
    wrong = result_of(pytester, "t-1", "heuristic")
    assert wrong.why == "an element of another tag was chosen"
    page = pytester.path / "runs" / "r" / "episodes" / "heuristic" / "t-1" / "recorded.html"
    assert '<button id="node-5">' in page.read_text()
    journal = pytester.path / "runs" / "r" / "episodes" / "heuristic" / "t-0" / "agent.jsonl"
    assert json.loads(journal.read_text().splitlines()[0])["kind"] == "decision"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--webbench-agent", "heuristic", "--m2w-mode", "compat"),
            "*measures coverage only: choose agent noop*",
        ),
        (("--m2w-min-coverage", "2"), "*use a number from 0 to 1*"),
        (("--m2w-limit", "0"), "*whole number of at least 1*"),
        (("--m2w-path", "nowhere.jsonl"), "*nowhere.jsonl does not exist*"),
        (("--webbench-validate", "1"), "*neither validated nor judged again*"),
        (("--webbench-seeds", "2"), "*recorded steps have one edition only*"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_unusable_steps_stop_the_session(
    pytester: pytest.Pytester, suite: Path, arguments: tuple[str, ...], message: str
) -> None:
    path = write(suite, COVERED)
    done = run(pytester, "--m2w-path", str(path), *arguments)
    assert done.ret not in (0, 5)
    (
        done.stderr if "min-cov" in arguments[0] or "limit" in arguments[0] else done.stdout
    ).fnmatch_lines([message])
    assert not RunDir(pytester.path / "runs" / "r").attempts()


@pytest.mark.slow
def test_coverage_threshold_decides_the_exit_status(pytester: pytest.Pytester, suite: Path) -> None:
    steps = [step(0, "4", task=f"t{number}") for number in range(9)]
    path = write(suite, *steps, step(0, "3", task="t9"))
    enough = run(pytester, "--m2w-path", str(path), "--m2w-min-coverage", "0.5")
    enough.assert_outcomes(passed=9, failed=1)
    assert enough.ret == 0
    short = run(pytester, "--m2w-path", str(path), "--m2w-min-coverage", "0.9")
    assert short.ret == 1
    short.stdout.fnmatch_lines(
        ["coverage is 90.0% of 10 steps, 95 % interval 59.6% to 98.2%: below*90.0%*"]
    )


@pytest.mark.slow
def test_hub_steps_are_fetched_once_and_cached(pytester: pytest.Pytester, suite: Path) -> None:
    server = fake_hub.Hub()
    server.add_archive(
        {"test_website/test_website_1.json": [fake_hub.task(number) for number in range(6)]}
    )
    with fake_hub.running(server):
        chosen = (
            "--m2w-split",
            "test_website",
            "--m2w-shard",
            "1",
            "--m2w-limit-tasks",
            "2",
            "--m2w-hub",
            server.url,
            "--m2w-revision",
            "main",
        )
        done = run(pytester, *chosen, "--m2w-dump-fixture", "kept.jsonl.gz", "-n", "2")
        done.assert_outcomes(passed=4)
        asked = len(server.asked)
        run(pytester, *chosen, "--webbench-run", "again", "-k", "t1-0").assert_outcomes(passed=1)
        assert len(server.asked) == asked
    offline = run(
        pytester, "--m2w-path", "kept.jsonl.gz", "--webbench-run", "offline", "--m2w-mode", "compat"
    )
    offline.assert_outcomes(passed=4)


def test_refusal_by_the_hub_stops_the_session(pytester: pytest.Pytester, suite: Path) -> None:
    with fake_hub.running(fake_hub.Hub(status=403)) as server:
        done = run(pytester, "--m2w-split", "train", "--m2w-hub", server.url)
    done.stdout.fnmatch_lines(["*HF_TOKEN*"])
    assert done.ret == 2


def test_bundled_steps_form_a_suite() -> None:

    steps = list(read_jsonl(ROOT / "suites" / "mind2web" / "steps.jsonl.gz"))
    assert len(steps) >= 300
    assert len({one.website for one in steps}) >= 27
    assert next(
        read_jsonl(ROOT / "tests" / "golden" / "mind2web" / "tock_train_excerpt_steps.jsonl")
    ).targets == ("136",)
