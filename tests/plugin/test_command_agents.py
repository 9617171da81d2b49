"""Agents that are programs or services of their own, in browsers of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from pytest_webbench.browser import supervisor
from pytest_webbench.run import LedgerEntry
from tests.support.fake_http import Answer, Asked, serving
from tests.support.mini_suite import RunMini

Results = Callable[[], dict[str, LedgerEntry]]

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
SCRIPTED = ROOT / "tests" / "support" / "scripted_over_cdp.py"

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def configure(agents: dict[str, list[str]], *more: str) -> tuple[str, ...]:
    """Writes ``webbench.toml`` with command agents; the arguments that choose all of them."""
    lines = []
    for name, command in agents.items():
        lines += [f"[agents.{name}]", 'type = "command"', f"command = {json.dumps(command)}"]
        lines += more
    Path("webbench.toml").write_text("\n".join(lines), encoding="utf-8")
    return tuple(part for name in agents for part in ("--webbench-agent", name))


def program(name: str, source: str) -> list[str]:
    """A Python program."""
    Path(f"{name}.py").write_text(source, encoding="utf-8")
    return [sys.executable, f"{name}.py"]


def log_of(agent: str, task: str = "open-next") -> str:
    return Path(f"runs/t/episodes/{agent}/{task}/agent.log").read_text(encoding="utf-8")


def leftovers() -> list[str]:
    """What should be gone: folders of agents and browsers of this test's runs, in its own
    temporary folder.
    """
    return sorted(
        path.name for path in Path(tempfile.gettempdir()).glob("webbench-*-*") if path.is_dir()
    )


@pytest.fixture(autouse=True)
def own_temporary_folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = pytester.mkdir("tmp")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))


SPY = """
import json, os, pathlib, sys
from playwright.sync_api import sync_playwright
task = json.load(sys.stdin)
with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(os.environ["WEBBENCH_CDP_URL"])
    cdp = browser.new_browser_cdp_session()
    seen = {
        "pages": [page.url for context in browser.contexts for page in context.pages],
        "contexts": cdp.send("Target.getBrowserContexts")["browserContextIds"],
        "targets": [target["url"] for target in cdp.send("Target.getTargets")["targetInfos"]],
    }
    page = browser.contexts[0].pages[0]
    address = task["cdp_url"] + "/json"
    try:
        page.goto(address)
    except Exception as error:
        seen["own port"] = str(error).splitlines()[0]
        page.wait_for_url("chrome-error://**")
    page.goto(task["start_url"])
    page.get_by_role("link", name="Dialogs").evaluate("link => link.removeAttribute('href')")
    page.once("dialog", lambda dialog: dialog.accept())
    seen["confirmed"] = page.evaluate("confirm('really?')")
    tab = browser.contexts[0].new_page()
    tab.goto("https://mini.test/form")
    tab.get_by_label("Name").fill("Ann")
    tab.close()
    with browser.contexts[0].expect_page() as opened:
        cdp.send("Target.createTarget", {"url": "https://mini.test/"})
    opened.value.get_by_role("link", name="Next").click()
    opened.value.wait_for_url("**/next")
print("a line for the log")
seen |= {"argv": sys.argv, "cwd": os.getcwd(), "environment": dict(os.environ), "task": task}
print(json.dumps({"note": seen}))
usage = {"calls": 2, "input_tokens": 10, "cost": 0.5}
print(json.dumps({"status": "done", "answer": None, "usage": usage}))
"""


def test_program_gets_a_dedicated_browser_and_is_judged_alike(
    run_mini: RunMini, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPY_API_KEY", "key-0123456789")
    monkeypatch.setenv("ANOTHER_TOKEN", "token-0123456789")
    chosen = configure(
        {"spy": program("spy", SPY)}, 'env = ["SPY_API_KEY"]', "options = {depth = 3}"
    )
    run_mini(*chosen, "-k", "open-next").assert_outcomes(passed=1)
    entry = results()["open-next"]
    assert (entry.ending, entry.model_calls, entry.input_tokens, entry.cost) == ("done", 2, 10, 0.5)
    folder = Path("runs/t/episodes/spy/open-next")
    note = json.loads((folder / "agent.jsonl").read_text(encoding="utf-8"))["note"]
    assert note["pages"] == note["targets"] == ["https://mini.test/"], (
        "the start page and nothing else"
    )
    assert note["contexts"] == []
    assert "net::ERR_" in note["own port"], "no page of the replica world gets at a debugging port"
    assert note["confirmed"], "dialogs are the client's own to answer"
    assert note["task"]["options"] == {"depth": 3}
    assert note["argv"] == ["spy.py"]
    assert note["environment"]["SPY_API_KEY"] == "[redacted]", (
        "it got the key, and the key got into no file"
    )
    assert {name for name in note["environment"] if name.startswith("ANOTHER")} == set()
    told = json.dumps(note["task"]) + json.dumps(note["environment"])
    assert "url_matches" not in told
    assert "runs" not in told.replace(str(Path.cwd()), "")
    assert log_of("spy") == "a line for the log\n"
    evidence = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    assert evidence["page"]["url"] == "https://mini.test/next"
    assert [(action["kind"], action["tab"], action["url_after"]) for action in evidence["actions"]][
        -5:
    ] == [
        ("navigate", 0, "https://mini.test/"),
        ("navigate", 1, "https://mini.test/form"),
        ("type", 1, "https://mini.test/form"),
        ("navigate", 2, "https://mini.test/"),
        ("click", 2, "https://mini.test/next"),
    ]
    assert evidence["dialogs"] == ["confirm: really?"]
    assert leftovers() == []


def test_programs_get_the_verdicts_of_in_process_agents(
    run_mini: RunMini, results: Results
) -> None:
    chosen = configure(
        {
            "example": [sys.executable, str(EXAMPLES / "python_agent.py")],
            "scripted-over-cdp": [sys.executable, str(SCRIPTED), "mini"],
        }
    )
    result = run_mini(*chosen, "--webbench-agent", "scripted", "-k", "open-next or say-number")
    result.assert_outcomes(passed=5, failed=1)
    found = {
        f"{entry.agent}/{entry.task}": (entry.outcome, entry.ending) for entry in every(results)
    }
    assert found == {
        "example/open-next": ("passed", "done"),
        "example/say-number": ("failed", "gave_up"),
        "scripted-over-cdp/open-next": ("passed", "done"),
        "scripted-over-cdp/say-number": ("passed", "done"),
        "scripted/open-next": ("passed", "done"),
        "scripted/say-number": ("passed", "done"),
    }
    assert {entry.flags for entry in every(results)} == {()}, "honest agents are not flagged"


def test_pages_faked_over_cdp_are_flagged_and_may_count_as_failed(
    run_mini: RunMini, results: Results
) -> None:
    source = """
import json, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(json.load(sys.stdin)["cdp_url"])
    page = browser.contexts[0].pages[0]
    cdp = page.context.new_cdp_session(page)
    moved = {"responseCode": 302, "responseHeaders": [{"name": "location", "value": "/next"}]}
    cdp.on("Fetch.requestPaused", lambda event: cdp.send(
        "Fetch.fulfillRequest", {"requestId": event["requestId"], **moved}))
    cdp.send("Fetch.enable", {"patterns": [{"urlPattern": "*/form"}]})
    page.get_by_role("link", name="Form").click()
    page.wait_for_url("**/next")
print(json.dumps({"status": "done", "answer": None}))
"""
    chosen = configure({"faker": program("faker", source)})
    result = run_mini(*chosen, "--webbench-flagged", "fail", "-k", "open-next")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*flagged  not repeated: the next page is open: found *"])
    entry = results()["open-next"]
    assert (entry.outcome, [flag.kind for flag in entry.flags]) == (
        "passed",
        ["not repeated", "intercepted"],
    )


def every(results: Results) -> list[LedgerEntry]:
    from pytest_webbench.run import RunDir

    return list(RunDir(Path("runs/t")).results().values())


@pytest.mark.slow
def test_node_example_works(
    run_mini: RunMini, pytester: pytest.Pytester, request: pytest.FixtureRequest
) -> None:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    folder = Path(request.config.cache.mkdir("webbench-node-agent"))
    for name in ("agent.js", "package.json"):
        shutil.copy(EXAMPLES / "node_agent" / name, folder)
    subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefer-offline"],
        cwd=folder,
        check=True,
        timeout=300,
    )
    chosen = configure({"node": ["node", str(folder / "agent.js")]})
    run_mini(*chosen, "-k", "open-next or say-number").assert_outcomes(passed=1, failed=1)
    assert "gave up: nothing on https://mini.test/" in log_of("node", "say-number")


@pytest.mark.slow
def test_scripted_program_passes_suite_c_over_cdp(pytester: pytest.Pytester) -> None:
    suite = ROOT / "suites" / "suite_c"
    chosen = configure({"scripted-over-cdp": [sys.executable, str(SCRIPTED), str(suite)]})
    result = pytester.runpytest_subprocess(
        str(suite), "--rootdir", str(pytester.path), "-n", "2", "--tb=no", *chosen
    )
    result.assert_outcomes(passed=27)
    assert "flagged" not in result.stdout.str()
    assert leftovers() == []


# -- what can go wrong -------------------------------------------------------------------------

DAEMON = """
import os, subprocess, sys, time
if os.fork() == 0:  # a daemon: it leaves its parent, and then its session
    os.setsid()
    if os.fork():
        os._exit(0)
    code = "import time; time.sleep(3600)"
    os.execvp(sys.executable, [sys.executable, "-c", code, os.environ["TMPDIR"]])
os.wait()
"""

MURDER = """
import json, os, signal, sys, psutil
port = json.load(sys.stdin)["cdp_url"].rpartition(":")[2]
listening = [one for one in psutil.net_connections() if one.status == "LISTEN"]
browser = next(one for one in listening if one.laddr.port == int(port))
os.kill(browser.pid, signal.SIGKILL)
sys.exit(1)
"""

TROUBLE = {
    "murderer": MURDER,
    "crashes": "import sys\nprint('half a word', file=sys.stderr)\nsys.exit(3)",
    "silent": "",
    "babbles": 'print(\'{"status": "perhaps"}\')',
    "unlucky": 'print(\'{"status": "infra", "reason": "my quota is used up"}\')',
    "killed": DAEMON + "import signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "stays": DAEMON
    + "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(60)",
}


@pytest.mark.fault
def test_each_ending_is_recognised_and_no_process_survives(
    run_mini: RunMini, results: Results
) -> None:
    chosen = configure({name: program(name, source) for name, source in TROUBLE.items()})
    arguments = ("--webbench-max-seconds", "4", "--webbench-infra-retries", "0", "-k", "open-next")
    run_mini(*chosen, *arguments).assert_outcomes(failed=6, errors=1)
    assert {entry.agent: entry.ending or entry.reason for entry in every(results)} == {
        "crashes": "agent_crashed",
        "silent": "agent_crashed",
        "babbles": "agent_crashed",
        "unlucky": "gave_up",
        "murderer": "browser_lost",
        "killed": "agent_crashed",
        "stays": "time_budget",
    }
    assert log_of("crashes").startswith("half a word\ncrashed: the program ended with exit code 3")
    assert "ended without a reply" in log_of("silent")
    assert "status: Input should be 'done', 'blocked' or 'infra'" in log_of("babbles")
    assert "the agent reports trouble: my quota is used up" in log_of("unlucky")
    assert "was ended by SIGKILL" in log_of("killed")
    assert running_here() == []
    assert leftovers() == []


def running_here() -> list[str]:
    """Programs, browsers and their keepers that were started with a folder below this test's
    temporary one.

    A supervisor gives what it ends some time to end well, and ends itself then: it is waited for.
    """
    mark = tempfile.gettempdir() + "/webbench-"
    here = [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(mark in part for part in process.info["cmdline"] or ())
    ]
    _, alive = psutil.wait_procs(
        here, timeout=supervisor.GRACE_SECONDS + supervisor.KILL_SECONDS + 5
    )
    return [" ".join(process.info["cmdline"]) for process in alive]


ASSASSIN = (
    DAEMON
    + """
import json, pathlib, psutil
worker = psutil.Process().parent().parent()
processes = (worker, *worker.children(recursive=True))
doomed = [[process.pid, process.create_time()] for process in processes]
pathlib.Path("pids").write_text(json.dumps(doomed))
worker.kill()
time.sleep(3600)
"""
)


@pytest.mark.fault
def test_killed_worker_leaves_no_program_and_no_browser(run_mini: RunMini) -> None:
    chosen = configure({"assassin": program("assassin", ASSASSIN)})
    assert run_mini(*chosen, "-k", "open-next").ret == -9
    processes = []
    for pid, created in json.loads(Path("pids").read_text()):
        try:
            process = psutil.Process(pid)
        except psutil.NoSuchProcess:
            continue
        if process.create_time() == created:
            processes.append(process)
    _, alive = psutil.wait_procs(processes, timeout=20)
    assert alive == []
    assert running_here() == []
    assert leftovers() == []


def test_action_budget_holds_for_a_client_that_does_not_wait(
    run_mini: RunMini, results: Results
) -> None:
    source = """
import json, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(json.load(sys.stdin)["cdp_url"])
    page = browser.contexts[0].pages[0]
    cdp = page.context.new_cdp_session(page)
    page.goto("https://mini.test/form")
    gift, send = page.get_by_label("Gift"), page.get_by_role("button", name="Send")
    boxes = [gift.bounding_box(), send.bounding_box()]
    for box in boxes:
        for kind in ("mousePressed", "mouseReleased"):
            place = {"x": box["x"] + 5, "y": box["y"] + 5, "button": "left", "clickCount": 1}
            cdp.send("Input.dispatchMouseEvent", {"type": kind, **place})
    cdp.send("Target.createTarget", {"url": "https://mini.test/next"})
    page.wait_for_timeout(30_000)
"""
    chosen = configure({"hasty": program("hasty", source)})
    run_mini(*chosen, "--webbench-max-actions", "2", "-k", "open-next").assert_outcomes(failed=1)
    assert results()["open-next"].ending == "step_budget"
    evidence = json.loads(
        Path("runs/t/episodes/hasty/open-next/evidence.json").read_text(encoding="utf-8")
    )
    assert evidence["page"]["url"] == "https://mini.test/form"
    assert [tab["url"] for tab in evidence["tabs"]] == ["https://mini.test/form"]


def test_shared_browser_is_refused(run_mini: RunMini) -> None:
    chosen = configure({"any": program("any", "")})
    arguments = (
        "--webbench-browser",
        "cdp:http://127.0.0.1:9",
        "--webbench-world",
        "live",
        "-k",
        "open-next",
    )
    result = run_mini(*chosen, *arguments)
    result.stdout.fnmatch_lines(
        ["*this agent needs its own browser in every episode*--webbench-browser cdp is shared*"]
    )


# -- services ----------------------------------------------------------------------------------


def test_service_is_called_per_episode_and_cancelled_on_timeout(
    run_mini: RunMini, results: Results
) -> None:
    def answer(asked: Asked) -> Answer:
        if asked.method == "GET":
            return Answer(body="hello")
        if asked.method == "DELETE":
            return Answer(status=204)
        if asked.body["task_id"] == "open-next":
            return Answer(trouble="stall")
        return Answer(body={"status": "done", "answer": "There are 11 such links."})

    with serving(answer) as service:
        result = run_mini(
            "--webbench-agent",
            f"http:{service.url}",
            "--webbench-max-seconds",
            "3",
            "-k",
            "open-next or say-number",
        )
    result.assert_outcomes(passed=1, failed=1)
    assert {entry.task: entry.ending for entry in every(results)} == {
        "open-next": "time_budget",
        "say-number": "done",
    }
    posted = [asked for asked in service.asked if asked.method == "POST"]
    assert {asked.path for asked in posted} == {"/episodes"}
    given_up = next(
        asked.body["episode"] for asked in posted if asked.body["task_id"] == "open-next"
    )
    assert [asked.path for asked in service.asked if asked.method == "DELETE"] == [
        f"/episodes/{given_up}"
    ]
