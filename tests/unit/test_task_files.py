"""Task and suite files: what is read, and that all problems are reported at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench._suite_files import suite_folder_of
from pytest_webbench.errors import Problem, TaskFileError
from pytest_webbench.plugin.usage import _worlds_of
from pytest_webbench.task.native import parse_task, read_suite, read_task
from pytest_webbench.task.problems import LARGEST_FILE

GOOD = """\
id: find-it
goal: Find the page about lamps.
start_url: https://shop.example/
checks:
- name: the page is open
  get: final_url
  metric: url_matches
  expected: https://shop.example/lamps
"""
SUITE = 'name = "mini"\ntitle = "A small suite"\nlicence = "Apache-2.0"\n'


def problems_of(text: str, stem: str | None = None) -> tuple[Problem, ...]:
    with pytest.raises(TaskFileError) as caught:
        parse_task(text, "task.yaml", stem=stem)
    return caught.value.problems


def only_problem(text: str, stem: str | None = None) -> Problem:
    problems = problems_of(text, stem)
    assert len(problems) == 1, problems
    return problems[0]


def check(
    get: str = "final_url",
    metric: str = "url_matches",
    expected: str = "https://a.example/",
    more: str = "",
) -> str:
    """A good file with one more check, which begins on line 9."""
    return f"{GOOD}- name: second\n  get: {get}\n  metric: {metric}\n  expected: {expected}\n{more}"


# -- what is read ------------------------------------------------------------------------------


def test_valid_task_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "find-it.yaml"
    path.write_text(GOOD, "utf-8")
    task = read_task(path)
    assert (task.id, task.site, len(task.checks)) == ("find-it", "shop.example", 1)
    assert task.checks[0].rule.score("https://shop.example/lamps/", task.checks[0].expected) == 1.0


def test_digest_ignores_layout_but_not_values() -> None:
    respaced = GOOD.replace("id: find-it", "# a comment\nid:    'find-it'")
    assert parse_task(GOOD, "a").digest() == parse_task(respaced, "b").digest()
    assert (
        parse_task(GOOD, "a").digest() != parse_task(GOOD.replace("lamps", "lights"), "b").digest()
    )


def test_task_survives_json() -> None:
    task = parse_task(
        check("{type: url_parse, part: fragment}", "json_object_match", "{q: lamp}"), "a"
    )
    again = type(task).model_validate_json(task.model_dump_json())
    assert again.digest() == task.digest()
    assert again.checks[1].getter == task.checks[1].getter


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("yes", "yes"),
        ("2024-05-03", "2024-05-03"),
        ("01234", "01234"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("7.40.1", "7.40.1"),
        ("'5'", "5"),
        ("5", 5),
        ("0", 0),
        ("-2.5", -2.5),
        ("true", True),
        ("null", None),
        (r"'^a\.b$'", r"^a\.b$"),
    ],
)
def test_plain_yaml_values_keep_their_type(written: str, read: object) -> None:
    text = check("{type: const, value: 1}", "literal_match", written)
    found = parse_task(text, "a").checks[1].expected
    assert found == read
    assert type(found) is type(read)


# -- one problem each --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "field", "what"),
    [
        ("", 1, "", "the file is empty"),
        ("- a\n- b\n", 1, "", "one object"),
        ("id: [a\ngoal: b", 2, "", "broken YAML"),
        (GOOD + "\ttabbed: 1\n", 9, "", "broken YAML"),
        (GOOD + "goal: A second goal here.\n", 9, "goal", "appears twice, first on line 2"),
        (GOOD + "? [a]\n: b\n", 9, "", "a key must be a plain word"),
        (GOOD + "limits: !!python/object:os.system {}\n", 9, "limits", "not allowed"),
        (GOOD + "tag: [a]\n", 9, "tag", "did you mean 'tags'?"),
        (GOOD + "tags: a\n", 9, "tags", "valid list"),
        (GOOD + "tags: [ok, Not OK]\n", 9, "tags[1]", "match pattern"),
        (GOOD + "limits: {actions: 0}\n", 9, "limits.actions", "greater than or equal to 1"),
        (GOOD + "limits: {actions: '5'}\n", 9, "limits.actions", "valid integer"),
        (GOOD + "limits: {steps: 5}\n", 9, "limits.steps", "unknown key 'steps'"),
        (GOOD + "conj: adn\n", 9, "conj", "did you mean 'and'?"),
        (GOOD.replace("goal: Find the page about lamps.\n", ""), 1, "goal", "is missing"),
        (
            GOOD.replace("https://shop.example/\n", "shop.example\n"),
            3,
            "start_url",
            "must be an http",
        ),
        (
            GOOD + "solution:\n- {do: clik, role: link, name: a}\n",
            10,
            "solution[0].do",
            "did you mean 'click'?",
        ),
        (
            GOOD + "solution:\n- {do: click, role: lnk, name: a}\n",
            10,
            "solution[0].role",
            "did you mean 'link'?",
        ),
        (GOOD + "solution:\n- {do: click, role: link}\n", 10, "solution[0].name", "is missing"),
        (
            GOOD + "solution:\n- {do: click, role: link, nmae: a, name: b}\n",
            10,
            "solution[0].nmae",
            "'name'?",
        ),
        (check("final_urls"), 10, "checks[1].get", "did you mean 'final_url'?"),
        (check("[final_url]"), 10, "checks[1].get", "must be a getter's name"),
        (check("{name: final_url}"), 10, "checks[1].get.type", "type is missing"),
        (
            check("{type: dom_count}", "count_in_range", "1"),
            10,
            "checks[1].get.selector",
            "is missing",
        ),
        (
            check("{type: dom_count, selector: a, exists: true}", "count_in_range", "1"),
            10,
            "checks[1].get.exists",
            "option",
        ),
        (check(metric="url_match"), 11, "checks[1].metric", "did you mean 'url_matches'?"),
        (
            check(more="  options: {ignore_ww: true}\n"),
            13,
            "checks[1].options.ignore_ww",
            "did you mean 'ignore_www'?",
        ),
        (
            check(more="  options: {ignore_www: 1}\n"),
            13,
            "checks[1].options.ignore_www",
            "valid boolean",
        ),
        (check(more="  wieght: 2\n"), 13, "checks[1].wieght", "did you mean 'weight'?"),
        (check(more="  weight: 0\n"), 13, "checks[1].weight", "greater than 0"),
        (check(more="  requires: [second]\n"), 13, "checks[1].requires[0]", "this check itself"),
        (
            check(more="  requires: [the page was open]\n"),
            13,
            "checks[1].requires[0]",
            "did you mean 'the page is open'?",
        ),
        (
            GOOD.replace("the page is open", "second") + check()[len(GOOD) :],
            9,
            "checks[1].name",
            "exists twice",
        ),
        (
            check(metric="url_pattern_match", expected="'('"),
            12,
            "checks[1].expected",
            "bad pattern",
        ),
        (
            check(metric="url_pattern_match", expected="['a', '(a+)+$']"),
            12,
            "checks[1].expected[1]",
            "several ways",
        ),
        (
            check("agent_answer", "answer_match", "{a: {re: '(x*)*'}}"),
            12,
            "checks[1].expected.a.re",
            "several ways",
        ),
        (
            check("agent_answer", "answer_match", "{rex: a, eq: b}"),
            12,
            "checks[1].expected.rex",
            "did you mean 're'?",
        ),
        (
            check("page_text", "include_exclude", "{must_include: abc}"),
            12,
            "checks[1].expected.must_include",
            "a list",
        ),
        (
            check("page_text", "include_exclude", "{must_includes: [a]}"),
            12,
            "checks[1].expected.must_includes",
            "unknown",
        ),
        (
            check("{type: final_url}", expected="{type: page_titel}"),
            12,
            "checks[1].expected.type",
            "'page_title'?",
        ),
    ],
)
def test_problem_is_named_by_line_and_field(text: str, line: int, field: str, what: str) -> None:
    problem = only_problem(text)
    assert (problem.line, problem.field) == (line, field)
    assert what in problem.what


def test_required_check_must_come_earlier() -> None:
    first = GOOD.replace("  get: final_url\n", "  get: final_url\n  requires: [second]\n", 1)
    problem = only_problem(first + check()[len(GOOD) :])
    assert "a later check" in problem.what
    assert problem.allowed == "earlier checks: none"


def test_id_has_to_be_the_file_name() -> None:
    problem = only_problem(GOOD, stem="other")
    assert (problem.line, problem.field, problem.found, problem.allowed) == (
        1,
        "id",
        "'find-it'",
        "other",
    )


def test_empty_list_of_patterns_is_refused() -> None:
    assert (
        "a pattern or a list" in only_problem(check(metric="url_pattern_match", expected="[]")).what
    )


# -- all problems at once ----------------------------------------------------------------------

BAD = """\
id: Bad Id
goal: short
start_url: ftp://x
tagz: [x]
conj: xor
checks:
- name: a
  get: final_urll
  metric: url_pattern_match
  expected: '('
  requires: [z]
- name: a
  get: {type: dom_extract, selector: h1}
  metric: json_object_match
  expected: {h: {re: '(a+)+', ge: x, foo: 1}, 'b]': 1}
  options: {partal: true, locale: 5}
- metric: include_exclude
  get: 5
  expected: {must_include: abc}
solution:
- {do: klick}
counterexamples:
- {steps: []}
"""


def test_all_problems_of_a_task_file_are_reported_at_once() -> None:
    found = {(problem.line, problem.field) for problem in problems_of(BAD, stem="bad")}
    assert found == {
        (1, "id"),
        (2, "goal"),
        (3, "start_url"),
        (4, "tagz"),
        (5, "conj"),
        (8, "checks[0].get"),
        (10, "checks[0].expected"),
        (11, "checks[0].requires[0]"),
        (12, "checks[1].name"),
        (13, "checks[1].get.selector"),
        (13, "checks[1].get.selectors"),
        (15, "checks[1].expected.h.re"),
        (15, "checks[1].expected.h.ge"),
        (15, "checks[1].expected.h.foo"),
        (15, "checks[1].expected.b]"),
        (16, "checks[1].options.partal"),
        (16, "checks[1].options.locale"),
        (17, "checks[2].name"),
        (18, "checks[2].get"),
        (19, "checks[2].expected.must_include"),
        (21, "solution[0].do"),
        (23, "counterexamples[0].name"),
    }


def test_message_has_file_line_field_found_and_allowed() -> None:
    with pytest.raises(TaskFileError) as caught:
        parse_task(GOOD + "conj: xor\n", "tasks/find-it.yaml")
    assert str(caught.value) == (
        "tasks/find-it.yaml: 1 problem\n"
        "  line 9, conj: unknown value 'xor'; did you mean 'or'?; found 'xor'; allowed: "
        "'and', 'or' or 'weighted'"
    )


# -- files -------------------------------------------------------------------------------------


def test_file_that_is_not_utf8_is_a_task_file_error(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"id: \xff\xfe")
    with pytest.raises(TaskFileError, match="cannot be read"):
        read_task(path)


def test_file_that_is_too_large_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("x" * (LARGEST_FILE + 1))
    with pytest.raises(TaskFileError, match="at most"):
        read_task(path)


def test_deeply_nested_file_is_a_task_file_error() -> None:
    assert "broken YAML" in only_problem("id: " + "[" * 600).what


def test_task_file_needs_a_suite_file(tmp_path: Path) -> None:
    path = tmp_path / "tasks" / "a.yaml"
    assert suite_folder_of(path) is None
    (tmp_path / "suite.toml").write_text(SUITE)
    assert suite_folder_of(path) == tmp_path
    assert suite_folder_of(path.with_suffix(".json")) is None


def test_suite_is_read(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(SUITE + "[limits]\nactions = 5\n")
    assert read_suite(path).limits.actions == 5


@pytest.mark.parametrize(
    ("text", "line", "field", "what"),
    [
        ("name = \ntitle = 1", 1, "", "broken TOML"),
        (SUITE + "titel = 'x'\n", 4, "titel", "did you mean 'title'?"),
        (SUITE + "worlds = ['live', 'mars']\n", 4, "worlds[1]", "unknown world 'mars'"),
        (SUITE + "[limits]\n\nactions = -1\n", 6, "limits.actions", "greater than"),
        (SUITE.replace("licence", "# licence"), 0, "licence", "is missing"),
    ],
)
def test_problem_of_a_suite_is_named_by_line_and_field(
    tmp_path: Path, text: str, line: int, field: str, what: str
) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(text)
    with pytest.raises(TaskFileError) as caught:
        read_suite(path)
    (problem,) = caught.value.problems
    assert (problem.line, problem.field) == (line, field)
    assert what in problem.what


def test_all_problems_of_a_suite_are_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text("title = 5\nworld = 'live'\n[limits]\nseconds = 'x'\n")
    with pytest.raises(TaskFileError) as caught:
        read_suite(path)
    found = {problem.field for problem in caught.value.problems}
    assert found == {"title", "world", "limits.seconds", "name", "licence"}


@pytest.mark.parametrize("name", ["open.r2", "open.partial", "open.attempt1", "open.s3"])
def test_id_that_resembles_an_episode_suffix_is_refused(name: str) -> None:
    from pytest_webbench.task import Task

    with pytest.raises(ValueError, match=r"must not end in \.r<number>"):
        Task.model_validate({"id": name})


def test_yaml_alias_is_refused_with_its_line() -> None:
    text = GOOD.replace("goal:", "goal: &g", 1) + "answer: *g\n"
    with pytest.raises(TaskFileError) as caught:
        parse_task(text, "x.yaml")
    last = caught.value.problems[-1]
    assert (last.line, last.field) == (text.count("\n"), "answer")
    assert (
        "aliases" in caught.value.problems[-1].what or "aliases" in caught.value.problems[-2].what
    )


@pytest.mark.parametrize("levels", [100, 400, 900])
def test_nesting_that_yaml_still_reads_is_a_problem(levels: int) -> None:
    nested = GOOD.replace("https://shop.example/lamps", "[" * levels + "]" * levels)
    assert "nested too deeply" in "; ".join(problem.what for problem in problems_of(nested))


@pytest.mark.parametrize(
    "content",
    [
        SUITE.encode("utf-16"),
        SUITE.replace("small", "klein-größer").encode("latin-1"),
        b"a = " + b"[" * 5000,
        b"a = " + b"{b = " * 3000,
        b"a = " + b"9" * 6000,
    ],
)
def test_suite_file_that_cannot_be_read_is_a_task_file_error(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "suite.toml"
    path.write_bytes(content)
    with pytest.raises(TaskFileError, match="broken TOML|cannot be read"):
        read_suite(path)
    assert _worlds_of(path) is None
