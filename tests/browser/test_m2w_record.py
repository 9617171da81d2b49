"""Recording steps: what is kept of a page, what is not, and that it is read as it was recorded."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from typer.testing import CliRunner

from pytest_webbench import cli
from pytest_webbench.mind2web.page_reader import PageReader
from pytest_webbench.mind2web.recorder import Recorder, Script, by_site, representation
from pytest_webbench.mind2web.records import RecordedStep
from pytest_webbench.mind2web.snapshot import MARK, Snapshot, snapshot_of
from pytest_webbench.mind2web.sources.local import steps_in
from pytest_webbench.task import Task
from pytest_webbench.task.script import Click
from pytest_webbench.world import World
from tests.support.mini_suite import MINI

pytestmark = pytest.mark.browser

PAGE = f"""<!doctype html><title>T</title><script>var secret = 1</script
><div><div><p>only wrapped</p></div></div>
<div id=host></div><iframe srcdoc="<button>In a frame</button>"></iframe>
<input name=token type=hidden value=geheim><input
name=pass type=PassWord value=geheim aria-label=Pass>
<input name=city value=old placeholder=City><input
type=checkbox name=wifi><textarea name=note>a</textarea>
<select name=size><option value=s>S</option><option value=m>M</option></select>
<p style="display:none">gone <b role=link>words</b></p><my:tag
data-x=1 title="a&quot;<b>">own &amp; \u0007 tag</my:tag>
<button {MARK} onclick="1"><b>Go</b></button><script>
document.querySelector('#host').attachShadow({{mode: 'open'}}).innerHTML =
'<a href=/x>In the shadow</a>';
document.querySelector('[name=city]').value = 'Boston';
document.querySelector('[name=wifi]').checked = true;
document.querySelector('[name=note]').value = 'b'; document.querySelector('select').value = 'm';
document.querySelector('[name=pass]').value = 'noch geheimer';</script>"""


@pytest.fixture(scope="module")
def shot(mini_browser: Browser) -> Snapshot:
    page = mini_browser.new_page()
    page.set_content(PAGE)
    captured = page.context.new_cdp_session(page).send(
        "DOMSnapshot.captureSnapshot", {"computedStyles": []}
    )
    page.context.close()
    return snapshot_of(captured)


def found(shot: Snapshot, path: str) -> ET.Element:
    element = ET.fromstring(shot.xml).find(path)
    assert element is not None, shot.xml
    return element


def test_snapshot_is_xml_with_node_ids_in_document_order(shot: Snapshot) -> None:
    ids = [int(element.get("backend_node_id", 0)) for element in ET.fromstring(shot.xml).iter()]
    assert ids == list(range(1, len(ids) + 1))
    assert (
        "only wrapped"
        in (found(shot, "body")[0].find("text") or found(shot, "body")[0]).itertext().__next__()
    )


def test_shadow_roots_and_frames_are_recorded_in_place(shot: Snapshot) -> None:
    assert found(shot, ".//a/text").text == "In the shadow"
    assert found(shot, ".//iframe/html/body/button/text").text == "In a frame"


def test_states_of_fields_are_recorded_but_no_secrets(shot: Snapshot) -> None:
    city, wifi = found(shot, ".//input[@name='city']"), found(shot, ".//input[@name='wifi']")
    assert (city.get("value"), city.get("input_value"), wifi.get("input_checked")) == (
        "old",
        "Boston",
        "true",
    )
    assert found(shot, ".//textarea").get("text_value") == "b"
    assert [one.get("option_selected") for one in found(shot, ".//select")] == [None, "true"]
    assert found(shot, ".//input[@name='pass']").get("aria_label") == "Pass"
    assert "geheim" not in shot.xml
    assert "secret" not in shot.xml
    assert "token" not in shot.xml


def test_nodes_without_a_box_are_hidden_and_odd_names_are_made_safe(shot: Snapshot) -> None:
    hidden = [
        element
        for element in ET.fromstring(shot.xml).iter()
        if element.get("backend_node_id") in shot.hidden
    ]
    assert {element.tag for element in hidden} == {"p", "text"}
    assert {"gone", "words"} <= {element.text for element in hidden}
    odd = found(shot, ".//my_tag")
    assert (odd.get("title"), odd[0].text) == ('a"<b>', "own & \ufffd tag")


def test_target_is_recorded_without_its_mark(shot: Snapshot) -> None:
    button = next(
        one for one in ET.fromstring(shot.xml).iter("button") if "Go" in "".join(one.itertext())
    )
    assert shot.targets == (button.get("backend_node_id"),)
    assert MARK not in shot.xml
    assert MARK.replace("-", "_") not in shot.xml
    assert set(shot.targets) <= set(shot.clickable) & set(shot.boxes)


def scripted(*steps: dict[str, object], start: str = "https://mini.test/form") -> Task:
    return Task.model_validate(
        {
            "id": "t",
            "goal": "Fill in the form.",
            "start_url": start,
            "tags": ["forms"],
            "answer": "none",
            "solution": list(steps),
            "checks": [
                {
                    "name": "c",
                    "get": "final_url",
                    "metric": "url_matches",
                    "expected": "https://mini.test/next",
                }
            ],
            "counterexamples": [
                {"name": "at once", "steps": [{"do": "click", "role": "button", "name": "Send"}]}
            ],
        }
    )


FORM = scripted(
    {"do": "type", "role": "textbox", "name": "Name", "text": "Ada"},
    {"do": "select", "role": "combobox", "name": "Size", "option": "Large"},
    {"do": "check", "role": "checkbox", "name": "Gift"},
    {"do": "click", "role": "button", "name": "Send"},
)
PARTS = scripted(
    {"do": "click", "role": "button", "name": "Shadow button"},
    {"do": "click", "role": "button", "name": "Framed button", "frame": "#same"},
    start="https://mini.test/parts",
)


def recorded(
    browser: Browser, world: World, task: Task, **options: Any
) -> tuple[list[RecordedStep], list[str]]:
    failures: list[str] = []
    recorder = Recorder(browser, world.context_args(), split="mini")
    steps = recorder.record_all(
        by_site([task]), on_failure=lambda name, why: failures.append(f"{name}: {why}"), **options
    )
    return list(steps), failures


@pytest.fixture(scope="module")
def form(mini_browser: Browser, world: World) -> list[RecordedStep]:
    return recorded(mini_browser, world, FORM)[0]


def test_reader_finds_the_target_of_every_recorded_step(
    mini_browser: Browser, world: World, form: list[RecordedStep]
) -> None:
    steps = [*form, *recorded(mini_browser, world, PARTS, most=2)[0]]
    reader = PageReader(mini_browser)
    kinds = [
        (one.name, one.op, one.value, len(one.targets), reader.read(one).cover.kind)
        for one in steps
    ]
    reader.close()
    assert kinds == [
        ("t-0", "TYPE", "Ada", 1, "exact"),
        ("t-1", "SELECT", "Large", 1, "exact"),
        ("t-2", "CLICK", "", 1, "exact"),
        ("t-3", "CLICK", "", 1, "exact"),
        ("t.c1-0", "CLICK", "", 1, "exact"),
        ("t-0", "CLICK", "", 1, "exact"),
        ("t-1", "CLICK", "", 1, "exact"),
    ]


def test_step_holds_its_history_and_its_scripts_goal(
    form: list[RecordedStep],
) -> None:
    third = form[2]
    assert third.prev_action_reprs == (
        "[textbox]  Name -> TYPE: Ada",
        "[combobox]  Size -> SELECT: Large",
    )
    assert (third.gold_repr, third.num_steps, third.website, third.domain) == (
        "[checkbox]  Gift -> CLICK",
        4,
        "mini.test",
        "forms",
    )
    assert 'input_value="Ada"' in third.cleaned_html
    assert (third.goal, form[4].goal) == (
        "Fill in the form.",
        'Do this, one after the other: click button "Send".',
    )


def test_same_script_gives_the_same_steps_up_to_the_limit(
    mini_browser: Browser, world: World, form: list[RecordedStep]
) -> None:
    short = FORM.model_copy(update={"solution": FORM.solution[:2]})
    again, _ = recorded(mini_browser, world, short, most=2)
    assert [one.model_copy(update={"num_steps": 4}) for one in again] == form[:2]


def test_unplayable_script_is_reported_and_leaves_no_steps(
    mini_browser: Browser, world: World
) -> None:
    steps, failures = recorded(
        mini_browser, world, FORM.model_copy(update={"start_url": "http://nowhere.test:1/"})
    )
    assert steps == []
    assert [line.partition(" does not open")[0] for line in failures] == [
        "t: http://nowhere.test:1/",
        "t.c1: http://nowhere.test:1/",
    ]


def test_solutions_come_before_counterexamples_on_each_site() -> None:
    tasks = [FORM, FORM.model_copy(update={"id": "u"})]
    assert [script.name for script in by_site(tasks)["mini.test"]] == ["t", "u", "t.c1", "u.c1"]
    first = by_site(tasks)["mini.test"][0]
    assert isinstance(first, Script)
    last = first.steps[-1]
    assert isinstance(last, Click)
    assert representation(last) == "[button]  Send -> CLICK"


def webbench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: one that plays with Playwright already cannot start another."""
    code = "import sys; from pytest_webbench.cli import main; sys.argv[0] = 'webbench'; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "m2w", *arguments], capture_output=True, text=True, check=False
    )


def test_commands_record_and_show_work_on_a_file(tmp_path: Path) -> None:
    file, more = tmp_path / "a.jsonl.gz", tmp_path / "more.jsonl"
    more.write_text('{"task_id": "theirs", "cleaned_html": "<p/>"}')
    done = webbench("record", str(MINI), str(file), "--task", "open-next", "--append", str(more))
    assert (done.returncode, done.stdout.startswith("3 steps"), done.stderr) == (0, True, "")
    assert [one.name for one in steps_in(file, [])] == ["open-next-0", "open-next.c1-0", "theirs-0"]
    shown = CliRunner(env={"COLUMNS": "200"}).invoke(cli.app, ["m2w", "show", str(file)]).output
    assert "3 steps of 3 tasks, 1 without a target" in shown
    assert "by role: link 2" in shown
    bad = CliRunner().invoke(
        cli.app, ["m2w", "record", str(MINI), str(tmp_path / "x.jsonl"), "--task", "nothing"]
    )
    assert "has no task nothing; it has: flaky-start" in str(bad.exception)
