"""`judge` on random evidence never raises, never hangs and is deterministic."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from pydantic import ValidationError

from pytest_webbench.checks import BUILT_IN
from pytest_webbench.checks.rules import OPERATORS
from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    Health,
    HistoryEntry,
    PageState,
    Read,
    Tab,
)
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.task import Task

STRINGS = [
    "",
    " ",
    "Lamp",
    "lamp",
    "3",
    "-3",
    "3.10",
    "007",
    "1,234.5",
    "1.234,56",
    "$5",
    "25%",
    "1e999",
    "9" * 60,
    "½",
    "²",
    "three or four",
    "twenty-one",
    "either Paris or London",
    "not Paris",
    "a\nb\n- c\n1. d",
    "see [1] and [2]",
    '{"a": 1}',
    '{"a": {"b": [1, 2]}}',
    '{"a": 1, "a": 2}',
    "[" * 3000,
    '{"a":' * 2000,
    "{}" * 500,
    "NaN",
    "null",
    "2024-05-03",
    "May 3, 2024",
    "10:30",
    "COVID-19",
    "https://a.example/x?q=1#f",
    "http://[::1",
    "//",
    "http://a:99999/",
    "\ud800",
    "\x00\x1b[2J",
    "\u202e\u200b\ufeff",
    "é" * 300,
    "İı",
    "ﬁ",
    "a" * 5000,
    "x " * 3000,
    "1 2 3 " * 800,
    "'\"`$|&;",
    "<script>",
    "日本語の答え",
    "٣٤",
    "0" * 5000,
    "1," * 2000,
    ". . . " * 500,
    "- " * 2000,
    "or " * 300,
]
PATTERNS = ["a", "^https://", r"\d+", r"(\w+ )?x", "[^a]*$", r"(?i)lamp", ".", r"\bor\b"]
PLAIN = [None, True, False, 0, 1, -1, 3, 1234, 10**30, 0.1, 3.1, 1e300, -2.5]
KEYS = ["a", "a.b", "a[0]", "a[*].b", ".", "filter[x]", "b"]


class Maker:
    """Makes random things, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)

    def string(self) -> str:
        return "".join(self.random.choice(STRINGS) for _ in range(self.pick(1, 1, 1, 2)))

    def value(self, depth: int = 2) -> Any:
        kind = self.pick("plain", "string", *(["list", "object"] if depth else []))
        if kind == "list":
            return [self.value(depth - 1) for _ in range(self.pick(0, 1, 2, 3))]
        if kind == "object":
            return {self.pick(*KEYS): self.value(depth - 1) for _ in range(self.pick(0, 1, 2))}
        return self.string() if kind == "string" else self.pick(*PLAIN)

    def rule(self, depth: int = 2) -> Any:
        if not depth or self.pick(True, False):
            return self.value(1)
        name = self.pick(*OPERATORS)
        argument: Any = {
            "re": self.pick(*PATTERNS),
            "not_re": [self.pick(*PATTERNS)],
            "range": [0, 5],
            "exists": bool(self.pick(0, 1)),
            "any": [self.rule(depth - 1)],
            "all": [self.rule(depth - 1)],
            "at_least": {"count": 1, "of": [self.rule(depth - 1), self.rule(0)]},
            "in": [self.rule(0)],
            "not_in": [self.rule(0)],
            "contains": "a",
            "not_contains": ["a", "b"],
            **dict.fromkeys(("lt", "le", "gt", "ge", "approx"), 3),
        }.get(name, self.rule(depth - 1))
        return {name: argument}

    def getter(self) -> Any:
        name = self.pick(*BUILT_IN.getters)
        options: dict[str, Any] = {
            "const": {"value": self.value()},
            "dom_count": {"selector": "li", "must_exist": self.pick(True, False)},
            "dom_extract": {"selectors": {"a": "h1"}, "must_exist": self.pick([], ["a"])},
            "dom_rows": {
                "row": "li",
                "fields": {"a": "b"},
                "pick": self.pick(None, "first", "count", {"least": "a"}),
            },
            "control_state": {"selectors": {"a": "h1"}},
            "visible_text": self.pick({}, {"selector": "h1"}),
            "url_path_parse": self.pick({}, {"index": 0}),
            "url_parse": self.pick({}, {"multi": True, "part": "fragment"}),
        }.get(name, {})
        return {"type": name, **options}

    def check(self, number: int) -> dict[str, Any]:
        metric = self.pick(*BUILT_IN.metrics)
        expected: Any = {
            "url_matches": self.string(),
            "tabs_match": [self.string()],
            "url_pattern_match": self.pick(*PATTERNS),
            "any_item_matches": [self.pick(*PATTERNS)],
            "include_exclude": {"must_include": ["a"], "must_exclude": ["b"]},
            "count_in_range": self.pick({"min": 1}, {"ge": 1}, 3),
            "numeric_close": 3,
            "json_object_match": {self.pick(*KEYS): self.rule()},
            "answer_match": self.pick(
                self.rule(), {self.pick(*KEYS): self.rule(), self.pick(*KEYS): self.rule()}
            ),
        }.get(metric, self.value())
        live = self.pick(False, False, False, True)
        requires = (
            [f"c{self.random.randrange(number)}"] if number and self.pick(True, False) else []
        )
        return {
            "name": f"c{number}",
            "get": self.getter(),
            "metric": metric,
            "expected": self.getter() if live else expected,
            "requires": requires,
        }

    def task(self) -> Task:
        while True:
            data = {
                "id": "t",
                "goal": "Find the page about lamps.",
                "start_url": "https://a.example/",
                "conj": self.pick("and", "or", "weighted"),
                "checks": [self.check(number) for number in range(self.pick(1, 2, 3))],
            }
            try:
                return Task.model_validate(data)
            except ValidationError:
                continue

    def evidence(self, task: Task) -> Evidence:
        page = PageState(
            url=self.string(), title=self.string(), text=self.string(), visible_text=self.string()
        )
        getters = [
            getter
            for check in task.checks
            for getter in (check.getter, check.expected_getter)
            if getter
        ]
        keys = [probe.key() for getter in getters if (probe := getter.probe())]
        return Evidence(
            ending=self.pick(*Ending, *[Ending.DONE] * 20),
            answer=self.pick(None, self.string(), self.string()),
            page=self.pick(None, page, page, page, page),
            tabs=(Tab(url=self.string(), title=self.string()),),
            history=(HistoryEntry(url=self.string()),),
            local_storage={self.string(): self.string()},
            reads={
                key: self.pick(Read(value=self.value()), Read(missing=True), Read(error="x"))
                for key in keys
            },
            health=Health(state=self.pick("ok", "ok", "ok", "bot_wall", "empty", "unresponsive")),
        )


@pytest.mark.parametrize("block", range(10))
def test_judge_is_total_fast_and_deterministic(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        maker = Maker(seed)
        task = maker.task()
        evidence = maker.evidence(task)
        begin = time.process_time()
        verdict = judge(task, evidence)
        assert time.process_time() - begin < 10, f"seed {seed}"
        assert verdict.outcome in set(Outcome)
        assert (verdict.reason == "") is (verdict.outcome is not Outcome.UNSCORED)
        assert judge(task, evidence).to_json() == verdict.to_json()
        stored = Task.model_validate_json(task.model_dump_json()) if _is_utf8(task) else task
        assert judge(stored, evidence).to_json() == verdict.to_json()
        json.loads(verdict.to_json())


def _is_utf8(task: Task) -> bool:
    try:
        task.model_dump_json()
    except ValueError:
        return False
    return True
