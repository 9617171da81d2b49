"""A canary that is missing on the right page: drift on a live site, a broken check elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import Evidence, Read
from pytest_webbench.judge import Verdict, judge
from pytest_webbench.task import Task
from pytest_webbench.task.probes import probes_of
from pytest_webbench.testing import evidence, task

SHOP = "https://shop.example/lamp"
PRICE: dict[str, Any] = {
    "name": "the price",
    "get": {"type": "dom_extract", "selectors": {"price": ".price"}, "must_exist": ["price"]},
    "metric": "json_object_match",
    "expected": {"price": "$5"},
}
ON_IT = {"name": "on it", "get": "final_url", "metric": "url_matches", "expected": SHOP}
STORED = {
    "name": "stored",
    "get": {"type": "storage", "kind": "session", "origin": "https://other.example"},
    "metric": "json_object_match",
    "expected": {"a": "b"},
}
AFTER = {**ON_IT, "name": "after the price", "requires": ["the price"]}
ROWS = {
    **PRICE,
    "get": {"type": "dom_rows", "row": "tr", "fields": {"a": "td"}, "must_exist": True},
}
COUNT = {
    **PRICE,
    "get": {"type": "dom_count", "selector": ".row", "must_exist": True},
    "metric": "count_in_range",
    "expected": {"ge": 1},
}
CONTROL = {**PRICE, "get": {**PRICE["get"], "type": "control_state"}}
AT = {**PRICE, "get": {**PRICE["get"], "at": "https://shop.example/cart"}}
EXPECTED_AT = {
    "name": "the answer",
    "get": {"type": "const", "value": {"price": "$5"}},
    "metric": "json_object_match",
    "expected": {
        "type": "dom_extract",
        "selectors": {"price": "b"},
        "at": "https://shop.example/c",
    },
}


def recorded(wanted: Task, world: str, url: str = SHOP, **reads: Read) -> Evidence:
    found: dict[str, Any] = {}
    for probe in probes_of(wanted):
        empty = {"domRows": [], "domCount": 0}.get(probe.name, {"price": None})
        found[probe.key()] = reads.get(probe.name, Read(value=empty))
    return evidence(world=world, page={"url": url}, reads=found)


def verdict(
    *checks: dict[str, Any], world: str = "live", url: str = SHOP, **reads: Read
) -> Verdict:
    wanted = task(start_url="https://shop.example/", checks=list(checks))
    return judge(wanted, recorded(wanted, world, url, **reads))


@pytest.mark.parametrize(
    "check",
    [PRICE, ROWS, COUNT, CONTROL, AT, EXPECTED_AT],
    ids=["extract", "rows", "count", "control", "at", "expected-at"],
)
def test_missing_canary_is_drift_on_a_live_site_only(check: dict[str, Any]) -> None:
    found = verdict(ON_IT, {**check, "requires": ["on it"]})
    assert (found.outcome, found.reason) == ("unscored", "drifted")
    assert "is not on the page" in found.detail
    for world in ("replica", "archive", ""):
        assert verdict(ON_IT, check, world=world).reason == "verifier_error"


def test_what_hangs_on_a_missing_canary_has_drifted_with_it() -> None:
    assert verdict(ON_IT, PRICE, AFTER).reason == "drifted"


@pytest.mark.parametrize("url", ["https://elsewhere.example/", "https://shop.example.evil.test/"])
def test_canary_is_the_agents_fault_on_another_page(url: str) -> None:
    assert verdict(PRICE, url=url).outcome == "failed"
    assert verdict(ON_IT, {**PRICE, "requires": ["on it"]}, url=url).outcome == "failed"


def test_check_that_fails_decides_before_drift() -> None:
    fails = {**ON_IT, "name": "fails", "expected": "https://shop.example/chair"}
    assert verdict(fails, PRICE).outcome == "failed"


def test_other_broken_checks_are_no_drift() -> None:
    assert verdict(ON_IT, STORED).reason == "verifier_error"
    assert verdict(ON_IT, PRICE, STORED).reason == "verifier_error"
    unread = Read(error="the final page could not be read")
    assert verdict(ON_IT, PRICE, domExtract=unread).reason == "verifier_error"
