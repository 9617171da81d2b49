"""JUnit XML from the ledger: exactly one testcase per item, earlier attempts in Surefire's form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from ..evidence.scrub import scrub
from ..run import ItemKey, LedgerEntry, PlannedItem, RunDir
from .summary import missing_entry

_PY: Final = re.compile(r"\.py$")


def address(nodeid: str) -> tuple[str, str]:
    """``classname`` and ``name`` that pytest's own JUnit writer gives a node id."""
    path, _, rest = nodeid.partition("::")
    names = [_PY.sub("", path.replace("/", ".")), *rest.split("::")]
    return ".".join(names[:-1]), names[-1]


def cases_of(
    planned: Sequence[PlannedItem],
    attempts: Sequence[LedgerEntry],
    results: Mapping[ItemKey, LedgerEntry],
    base: str = "",
) -> list[ET.Element]:
    """One element per planned item; ``base`` is how a reader of the file reaches the run directory."""
    before: dict[ItemKey, list[LedgerEntry]] = {}
    for entry in attempts:
        before.setdefault(entry.key, []).append(entry)
    return [
        _testcase(item, result := results.get(item.key) or missing_entry(item),
                  [entry for entry in before.get(item.key, []) if entry != result], base)
        for item in planned
    ]  # fmt: skip


def _testcase(item: PlannedItem, result: LedgerEntry, earlier: Sequence[LedgerEntry], base: str) -> ET.Element:
    classname, name = address(item.nodeid)
    case = ET.Element("testcase", classname=scrub(classname), name=scrub(name), time=f"{result.seconds:.3f}")
    properties = ET.SubElement(case, "properties")
    for key, value in (
        ("suite", result.suite), ("task", result.task), ("agent", result.agent), ("repeat", result.repeat),
        ("world", result.world), ("outcome", result.outcome), ("reason", result.reason), ("ending", result.ending),
        ("steps", result.steps), ("seconds", f"{result.seconds:.3f}"),
        ("attempts", len(earlier) + bool(result.attempt)),
        ("episode", f"{base}/{result.folder}".lstrip("/") if result.folder else ""),
    ):  # fmt: skip
        ET.SubElement(properties, "property", name=f"webbench.{key}", value=scrub(str(value)))
    kind = {"failed": "failure", "unscored": "error"}.get(result.outcome)
    if kind:
        _problem(case, kind, result)
    for entry in earlier:
        problem = {"failed": "Failure", "unscored": "Error"}.get(entry.outcome)
        if problem:
            _problem(case, f"{'rerun' if kind else 'flaky'}{problem}", entry)
    return case


def _problem(case: ET.Element, kind: str, entry: LedgerEntry) -> None:
    what = f"{entry.outcome}: {entry.reason}" if entry.reason else entry.outcome
    problem = ET.SubElement(case, kind, type=scrub(f"webbench.{entry.reason or entry.outcome}"), message=scrub(what))
    problem.text = scrub(entry.detail)


def document(cases: Sequence[ET.Element], name: str = "pytest-webbench") -> str:
    """A whole JUnit file."""
    suites = ET.Element("testsuites", name=name)
    suite = ET.SubElement(suites, "testsuite", name=name)
    suite.extend(cases)
    _count(suite)
    return to_text(suites)


def of_run(run: RunDir, base: str) -> str:
    """The JUnit file of a whole run."""
    return document(cases_of(run.planned(), run.attempts(), run.results(), base))


def merge(existing: str, planned: Sequence[PlannedItem], cases: Sequence[ET.Element]) -> str:
    """A file written by pytest, with every testcase of ours replaced by the one made from the ledger."""
    root = ET.fromstring(existing)
    suite = root if root.tag == "testsuite" else root.find("testsuite")
    assert suite is not None, "pytest always writes one testsuite"
    ours = {address(item.nodeid) for item in planned}
    for case in list(suite.iter("testcase")):
        nameless = not case.get("name")  # left behind by reruns after a crash
        if nameless or (case.get("classname"), case.get("name")) in ours:
            suite.remove(case)
    suite.extend(cases)
    _count(suite)
    return to_text(root)


def _count(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("tests", str(len(cases)))
    if suite.get("time") is None:
        suite.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.3f}")


def to_text(root: ET.Element) -> str:
    """An element as an XML document."""
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
