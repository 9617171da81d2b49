"""JUnit XML from the ledger: one testcase per item, earlier attempts in Surefire's form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from .._text import harmless
from ..run import LedgerEntry, RunDir
from ..run.work_item import ITEM_PROPERTY
from .results import NOT_RUN, QUARANTINED, ItemResult, outcome_text, read_results, why_text

_PY: Final = re.compile(r"\.py$")
# What Maven's Surefire plugin calls them, with `rerun` or `flaky` before those of earlier attempts;
# CI servers know these names.
_PROBLEMS: Final = {"failed": "failure", "unscored": "error"}
_NAME: Final = "pytest-webbench"
_IDENTITY: Final = f"properties/property[@name='{ITEM_PROPERTY}']"


def address(nodeid: str) -> tuple[str, str]:
    """``classname`` and ``name`` that pytest's own JUnit writer gives a node id."""
    path, _, rest = nodeid.partition("::")
    names = [_PY.sub("", path.replace("/", ".")), *rest.split("::")]
    return ".".join(names[:-1]), names[-1]


def of_run(run: RunDir, base: str) -> str:
    """The JUnit file of a whole run; ``base`` is the path from its reader to the run directory."""
    return document(cases_of(read_results(run).results, base))


def document(cases: Iterable[ET.Element]) -> str:
    """A whole JUnit file."""
    suites = ET.Element("testsuites", name=_NAME)
    suite = ET.SubElement(suites, "testsuite", name=_NAME)
    suite.extend(cases)
    _count(suite)
    return _as_text(suites)


def merge(existing: str, results: Sequence[ItemResult], base: str, *, prefix: str = "") -> str:
    """A file written by pytest, with the testcases of ``results`` made from the ledger.

    ``prefix`` is ``--junitprefix``. What only pytest knows of an item stays: its own properties,
    captured output, and the attributes of pytest's other families.
    """
    root = ET.fromstring(existing)
    suite = root if root.tag == "testsuite" else root.find("testsuite")
    assert suite is not None, "pytest always writes one testsuite"
    written = _written(suite, results, prefix)
    for result, case in zip(results, cases_of(results, base), strict=True):
        if prefix:
            case.set("classname", harmless(f"{prefix}.{case.get('classname')}"))
        cases = written.get(result.plan.nodeid, [])
        for one in cases:
            suite.remove(one)
        if cases:
            _keep(case, cases[-1])  # earlier ones are of attempts that were repeated
        suite.append(case)
    _count(suite)
    return _as_text(root)


def _written(
    suite: ET.Element, results: Sequence[ItemResult], prefix: str
) -> dict[str, list[ET.Element]]:
    """The cases that pytest wrote for each of our items, by node id."""
    ours = {result.plan.nodeid for result in results}
    found: dict[str, list[ET.Element]] = {}
    others = []
    for case in list(suite.iter("testcase")):
        nodeid = next((one.get("value", "") for one in case.iterfind(_IDENTITY)), None)
        if not case.get("name"):
            # A rerun after a worker's crash leaves cases without a name.
            suite.remove(case)
        elif nodeid is None:
            others.append(case)
        elif nodeid in ours:
            found.setdefault(nodeid, []).append(case)
    # Of an item whose worker crashed, pytest knows no properties: there the name has to do.
    unknown = {_prefixed(nodeid, prefix): nodeid for nodeid in ours - set(found)}
    for case in others:
        name = (case.get("classname", ""), case.get("name", ""))
        if name in unknown:
            found.setdefault(unknown[name], []).append(case)
    return found


def _prefixed(nodeid: str, prefix: str) -> tuple[str, str]:
    classname, name = address(nodeid)
    return f"{prefix}.{classname}" if prefix else classname, name


def _keep(case: ET.Element, before: ET.Element) -> None:
    """Take over into ``case`` what the ledger does not know of it."""
    for name, value in before.attrib.items():
        if name not in case.attrib:
            case.set(name, value)
    properties = case.find("properties")
    assert properties is not None, "all of our cases have properties"
    for one in before.iterfind("properties/property"):
        if not one.get("name", "").startswith("webbench"):
            properties.append(one)
    for tag in ("system-out", "system-err"):
        case.extend(before.iterfind(tag))


def cases_of(results: Iterable[ItemResult], base: str = "") -> list[ET.Element]:
    """One element per item; ``base`` is the path from the file's reader to the run directory."""
    return [_testcase(result, base) for result in results]


def _testcase(result: ItemResult, base: str) -> ET.Element:
    entry = result.entry
    classname, name = address(result.plan.nodeid)
    time = f"{entry.seconds:.3f}"
    case = ET.Element("testcase", classname=harmless(classname), name=harmless(name), time=time)
    properties = ET.SubElement(case, "properties")
    for key, value in _properties(result, base).items():
        ET.SubElement(properties, "property", name=f"webbench.{key}", value=harmless(str(value)))
    left_out = entry.reason in (NOT_RUN, QUARANTINED)
    kind = "skipped" if left_out else _PROBLEMS.get(entry.outcome)
    if kind:
        _add_problem(case, kind, entry)
    prefix = "rerun" if kind else "flaky"
    for one in result.earlier:
        problem = _PROBLEMS.get(one.outcome)
        if problem:
            _add_problem(case, f"{prefix}{problem.capitalize()}", one)
    return case


def _properties(result: ItemResult, base: str) -> dict[str, object]:
    entry = result.entry
    properties: dict[str, object] = {
        "suite": entry.suite,
        "task": entry.task,
        "agent": entry.agent,
        "repeat": entry.repeat,
        "seed": entry.seed,
        "world": entry.world,
        "outcome": entry.outcome,
        "reason": entry.reason,
        "flags": "; ".join(map(str, entry.flags)),
        "ending": entry.ending,
        "steps": entry.steps,
        "seconds": f"{entry.seconds:.3f}",
        "attempts": len(result.earlier) + bool(entry.attempt),
        "episode": f"{base}/{entry.folder}".lstrip("/") if entry.folder else "",
    }
    if result.plan.part_of:
        # The item is a step itself, and takes none.
        del properties["steps"]
        properties["part_of"] = result.plan.part_of
    return properties


def _add_problem(case: ET.Element, kind: str, entry: LedgerEntry) -> None:
    type_ = harmless(f"webbench.{entry.reason or entry.outcome}")
    message = why_text(entry)
    if kind != "skipped":
        message = f"{outcome_text(entry)}: {message}"
    problem = ET.SubElement(case, kind, type=type_, message=harmless(message))
    problem.text = harmless(entry.detail)


def _count(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    counts = {"failures": 0, "errors": 0, "skipped": 0}
    seconds = 0.0
    for case in cases:
        counts["failures"] += case.find("failure") is not None
        counts["errors"] += case.find("error") is not None
        counts["skipped"] += case.find("skipped") is not None
        seconds += float(case.get("time", 0))
    for attribute, count in counts.items():
        suite.set(attribute, str(count))
    suite.set("tests", str(len(cases)))
    # pytest's own time is that of the session, with all that is not in a testcase.
    if suite.get("time") is None:
        suite.set("time", f"{seconds:.3f}")


def _as_text(root: ET.Element) -> str:
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
