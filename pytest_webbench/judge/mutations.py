"""Mutants of passing evidence: each is wrong in one way that a check should notice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import SplitResult, parse_qsl, quote, urlsplit

from ..checks.site import Storage
from ..errors import GetterError
from ..evidence.models import Evidence, Read
from ..task import Check, Task
from ..task.probes import probes_of
from .answers import answer_mutants

FAMILIES: Final = (
    "dropped-parameter", "changed-parameter", "extra-parameter", "look-alike-host", "sibling-page", "letter-case",
    "fragment", "stale-page", "empty-page", "page-values", "storage", "history", "actions", "tabs",
    "neighbour-number", "other-answer", "hedged-answer", "shotgun-answer", "negated-answer", "contradicting-json",
    "no-answer",
)  # fmt: skip
_URL_GETTERS: Final = ("final_url", "url_parse", "url_path_parse")
_DIGITS: Final = re.compile(r"\d+")

Rewrite: TypeAlias = Callable[[SplitResult], str | None]
"""Another address; None where there is nothing to change."""


class Mutant(NamedTuple):
    """Evidence that is wrong in one way; ``what`` says in which."""

    family: str
    what: str
    evidence: Evidence


def mutants(task: Task, passing: Evidence, start: Evidence | None) -> Iterator[Mutant]:
    """Every mutant that changes something that a check of the task reads. ``start`` is evidence of the start page."""
    reads = _readings(task, passing)
    for family, what, changes in _all(task, passing, start):
        mutant = passing.model_copy(update=changes)
        if mutant != passing and _readings(task, mutant) != reads:
            yield Mutant(family, what, mutant)


def _readings(task: Task, evidence: Evidence) -> list[Any]:
    """What the checks get to see; a getter that finds nothing counts as seeing its complaint."""
    found: list[Any] = []
    for check in task.checks:
        try:
            found.append(check.getter.read(evidence))
        except GetterError as error:
            found.append(str(error))
    return found


Change: TypeAlias = tuple[str, str, dict[str, Any]]


def _all(task: Task, passing: Evidence, start: Evidence | None) -> Iterator[Change]:
    kinds = {_kind(check) for check in task.checks}
    final = {passing.page.url} if passing.page else set()
    if kinds & set(_URL_GETTERS):
        yield "letter-case", "the final address in other letters' case", _at(final, passing, _in_other_case)
        yield "fragment", "the final address without its fragment", _at(final, passing, _without_fragment)
        yield from _address_changes(
            "the final address", _spec([check for check in task.checks if _kind(check) in _URL_GETTERS]), passing, final
        )
        yield from _extra_parameters(task, passing, final)
    for check in task.checks:
        yield from _telling(check, passing)
    if start is not None:
        yield from _stale(passing, start)
    yield from _empty(passing)
    yield from _page_values(task, passing)
    yield from _storage(task, passing)
    if "open_tabs" in kinds:
        yield "tabs", "only the final tab", {"tabs": passing.tabs[-1:]}
    for check in task.checks:
        if _kind(check) == "agent_answer" and passing.answer:
            for family, answer in answer_mutants(task.goal, passing.answer, check.expected):
                yield family, f"answer {answer!r}", {"answer": answer}


def _kind(check: Check) -> str:
    return str(type(check.getter).model_fields["type"].default)


def _spec(checks: Sequence[Check]) -> str:
    """All that these checks say, without the escapes of regular expressions."""
    text = json.dumps([[check.get, check.expected] for check in checks], ensure_ascii=False)
    return text.replace("\\", "")


# -- addresses ---------------------------------------------------------------------------------------------------------


def _at(urls: set[str], evidence: Evidence, rewrite: Rewrite) -> dict[str, Any]:
    """These addresses rewritten, wherever they stand."""

    def new(url: str) -> str:
        return (rewrite(urlsplit(url)) or url) if url in urls else url

    page = evidence.page
    return {
        "page": page and page.model_copy(update={"url": new(page.url)}),
        "tabs": tuple(tab.model_copy(update={"url": new(tab.url)}) for tab in evidence.tabs),
        "history": tuple(one.model_copy(update={"url": new(one.url)}) for one in evidence.history),
    }


def _address_changes(where: str, spec: str, evidence: Evidence, urls: set[str]) -> Iterator[Change]:
    pairs = {pair for url in urls for part in (urlsplit(url).query, _parameters(url)) for pair in parse_qsl(part, True)}
    for name, value in sorted(pairs):
        if _mentions(spec, name):
            without = _at(urls, evidence, _with_pair(name, value, None))
            yield "dropped-parameter", f"{where} without {name}={value}", without
            for other in _others(value):
                change = _at(urls, evidence, _with_pair(name, value, other))
                yield "changed-parameter", f"{where} with {name}={other} for {value}", change
    for what, host in _HOSTS.items():
        yield "look-alike-host", f"{where} on {what}", _at(urls, evidence, partial(_on_host, change=host))
    for what, path in _PATHS.items():
        yield "sibling-page", f"{where} {what}", _at(urls, evidence, partial(_on_path, change=path))


def _parameters(url: str) -> str:
    """Parameters that stand in the fragment."""
    return urlsplit(url).fragment.partition("?")[2] or urlsplit(url).fragment


def _mentions(spec: str, name: str) -> bool:
    """Whether the checks speak of a parameter; brackets of ``filter[color]`` may be written in several ways."""
    words = re.findall(r"[a-zA-Z0-9]+", name)
    if not words or not all(word in spec for word in words):
        return False
    return re.search(rf'(?<![a-zA-Z0-9]){words[-1]}(?:[^a-zA-Z0-9&]|%5[BDbd]){{0,16}}[="]', spec) is not None


def _others(value: str) -> list[str]:
    """Values next to ``value``: numbers one more and one less, anything else longer, shorter and quite another."""
    if numbers := list(_DIGITS.finditer(value)):
        last = numbers[-1]
        near = [str(int(last[0]) + step) for step in (1, -1) if int(last[0]) + step >= 0]
        return [value[: last.start()] + one.rjust(len(last[0]), "0") + value[last.end() :] for one in near]
    return [f"{value}x", *([value[:-1]] if len(value) > 1 else []), "other"]


def _with_pair(name: str, value: str, other: str | None) -> Rewrite:
    def rewrite(url: SplitResult) -> str | None:
        query, in_query = _without(url.query, name, value, other)
        fragment, in_fragment = _without(url.fragment, name, value, other)
        return url._replace(query=query, fragment=fragment).geturl() if in_query or in_fragment else None

    return rewrite


def _without(text: str, name: str, value: str, other: str | None) -> tuple[str, bool]:
    head, mark, tail = text.partition("?")
    parts = (tail if mark else head).split("&")
    kept = [part for part in parts if parse_qsl(part, True) != [(name, value)]]
    if len(kept) == len(parts):
        return text, False
    if other is not None:
        key = parts[next(index for index, part in enumerate(parts) if part not in kept)].partition("=")[0]
        kept.append(f"{key}={quote(other, safe='')}")
    return (head + mark if mark else "") + "&".join(kept), True


_HOSTS: Final[dict[str, Callable[[str], str]]] = {
    "another site with this host's name in front": lambda host: f"{host}.example.net",
    "another site whose name ends like it": lambda host: f"not{host.removeprefix('www.')}",
    "another top-level domain": lambda host: (
        f"{host.rpartition('.')[0]}.{'example' if host.endswith('.test') else 'test'}"
    ),
    "another site with the address in its path": lambda host: f"example.net/{host}",
}


def _on_host(url: SplitResult, change: Callable[[str], str]) -> str | None:
    return url._replace(netloc=change(url.hostname or "")).geturl() if url.hostname else None


_PATHS: Final[dict[str, Callable[[str], str]]] = {
    "with the next number": lambda segment: _stepped(segment, 1),
    "with the number before": lambda segment: _stepped(segment, -1),
    "with a longer name": lambda segment: f"{segment}-2",
    "with a shorter name": lambda segment: segment[:-1],
    "one level up": lambda _segment: "",
    "one level down": lambda segment: f"{segment}/edit",
}


def _stepped(segment: str, step: int) -> str:
    number = list(_DIGITS.finditer(segment))[-1:]
    if not number or int(number[0][0]) + step < 0:
        return segment
    digits = str(int(number[0][0]) + step).rjust(len(number[0][0]), "0")
    return segment[: number[0].start()] + digits + segment[number[0].end() :]


def _on_path(url: SplitResult, change: Callable[[str], str]) -> str | None:
    head, _, last = url.path.rstrip("/").rpartition("/")
    if not last:
        return None
    end = "/" if url.path.endswith("/") else ""
    return url._replace(path=f"{head}/{change(last)}{end}").geturl()


def _in_other_case(url: SplitResult) -> str | None:
    return _on_path(url, str.swapcase)


def _without_fragment(url: SplitResult) -> str:
    return url._replace(fragment="").geturl()


def _extra_parameters(task: Task, evidence: Evidence, final: set[str]) -> Iterator[Change]:
    """Parameters that must be absent."""
    for check in task.checks:
        if _kind(check) == "url_parse" and isinstance(check.expected, dict):
            for name in (name for name, rule in check.expected.items() if rule is None):
                extra = f"{quote(name)}=other"
                added = _at(final, evidence, partial(_with_more, extra=extra))
                yield "extra-parameter", f"the final address with {extra} added", added


def _with_more(url: SplitResult, extra: str) -> str:
    return url._replace(query=f"{url.query}&{extra}" if url.query else extra).geturl()


def _telling(check: Check, evidence: Evidence) -> Iterator[Change]:
    """Of a list of pages or actions only those tell that satisfy the check by themselves."""
    kind = _kind(check)
    if kind == "nav_history":
        telling = {one.url for one in evidence.history if _satisfies(check, evidence, history=(one,))}
        if not telling:  # several together satisfy it
            telling = {one.url for one in evidence.history}
        where = f"pages for {check.name!r}"
        yield from _address_changes(where, _spec([check]), evidence, telling)
        yield (
            "history",
            f"never on the {where}",
            {"history": tuple(one for one in evidence.history if one.url not in telling)},
        )
        yield "history", "the final page opened at once", {"history": evidence.history[-1:]}
    elif kind == "actions":
        deeds = [one for one in evidence.actions if _satisfies(check, evidence, actions=(one,))]
        others = tuple(one for one in evidence.actions if one not in deeds)
        yield "actions", f"without the actions for {check.name!r}", {"actions": others}
        for deed in deeds:
            altered = deed.model_copy(update={"value": f"{deed.value or ''}x"})
            yield "actions", f"{deed.kind} {altered.value}", {"actions": (*others, altered)}


def _satisfies(check: Check, evidence: Evidence, **changes: Any) -> bool:
    return check.rule.score(check.getter.read(evidence.model_copy(update=changes)), check.expected) >= 1.0


# -- page --------------------------------------------------------------------------------------------------------------


def _stale(passing: Evidence, start: Evidence) -> Iterator[Change]:
    if passing.page is None or start.page is None:
        return
    shown = {"title": start.page.title, "text": start.page.text, "visible_text": start.page.visible_text}
    stale = passing.page.model_copy(update=shown)
    yield "stale-page", "content of the start page at the final address", {"page": stale, "reads": start.reads}
    for name, value in shown.items():
        page = passing.page.model_copy(update={name: value})
        yield "stale-page", f"{name} of the start page", {"page": page}
    yield "stale-page", "elements of the start page", {"reads": start.reads}
    url = start.page.url
    yield "stale-page", "address of the start page", _at({passing.page.url}, passing, lambda _url: url)


def _empty(passing: Evidence) -> Iterator[Change]:
    for name in ("title", "text", "visible_text"):
        if passing.page is not None:
            yield "empty-page", f"no {name}", {"page": passing.page.model_copy(update={name: ""})}


def _page_values(task: Task, passing: Evidence) -> Iterator[Change]:
    """Every value that a check reads from an element, replaced by another or missing."""
    keys = {probe.key() for probe in probes_of(task)}
    for check in task.checks:
        probe = check.getter.probe()
        read = passing.reads.get(probe.key()) if probe is not None and probe.key() in keys else None
        if probe is None or read is None or read.error is not None:
            continue
        for what, value in _altered(read.value, _paths(check)):
            reads = {**passing.reads, probe.key(): Read(value=value, missing=value is None)}
            yield "page-values", what, {"reads": reads}


def _paths(check: Check) -> list[list[str]]:
    expected = check.expected
    return [path.split(".") for path in expected] if isinstance(expected, dict) else []


def _altered(value: Any, paths: list[list[str]]) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield from ((f"{json.dumps(other)} for {json.dumps(value)}", other) for other in _replacements(value))
        return
    for name, *inner in [path for path in paths if path[0] in value] or [[name] for name in value]:
        held = value[name]
        if inner and isinstance(held, dict) and inner[0] in held:
            for other in _replacements(held[inner[0]]):
                yield f"{name}.{inner[0]} = {json.dumps(other)}", {**value, name: {**held, inner[0]: other}}
        else:
            yield from ((f"{name} = {json.dumps(other)}", {**value, name: other}) for other in _replacements(held))
        yield f"no {name}", {**value, name: None}


def _replacements(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1]
    if isinstance(value, str):
        return [*_others(value), ""] if value else ["other"]
    if isinstance(value, list) and value:
        return [value[:-1], [*value[:-1], "other"], []]
    return ["other"]


def _storage(task: Task, passing: Evidence) -> Iterator[Change]:
    for check in task.checks:
        if not isinstance(check.getter, Storage):
            continue
        field = f"{check.getter.kind}_storage"
        store: dict[str, str] = getattr(passing, field)
        for key in sorted(set(store) & {path[0] for path in _paths(check)}) or sorted(store):
            yield "storage", f"no {key}", {field: {name: one for name, one in store.items() if name != key}}
            for other in _others(store[key]):
                yield "storage", f"{key} = {other}", {field: {**store, key: other}}
