"""Episodes per minute on MiniWoB++'s click-test: ours, bare Playwright, BrowserGym.

python -m tests.benchmarks.miniwob [rounds]

BrowserGym and MiniWoB++ come from PyPI into an environment of their own, made once under the
user's cache folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pytest_webbench.browser.find import find_browser
from pytest_webbench.browser.local import browser_provider
from pytest_webbench.episode.runner import EpisodeRunner
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.run import RunDir
from pytest_webbench.task.native import parse_task
from pytest_webbench.world import World
from tests.benchmarks.fixed import Move, fixed_agent, world_of_files
from tests.benchmarks.measure import in_turn, ratios, table
from tests.benchmarks.overhead import episode

VERSION = "0.14.3"
PACKAGES = (f"browsergym-miniwob=={VERSION}", "miniwob==1.1.0")
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pytest-webbench"
WINDOW: dict[str, Any] = {"viewport": {"width": 332, "height": 214}}  # BrowserGym's for these tasks
BUTTON = Move("button", "Click Me!", "#subbtn")
TASK = """
id: click-test
goal: Click the button.
start_url: https://miniwob.test/static/miniwob/click-test.html
checks:
- name: the page has given its reward
  get:
    type: dom_extract
    selectors: {reward: '#reward-last', episodes: '#episode-id'}
    must_exist: [reward, episodes]
  metric: json_object_match
  expected: {reward: {gt: 0}, episodes: {eq: '1'}}
solution:
- {do: click, role: button, name: Click Me!}
"""
# The episode begins without a click on the cover, and with the time limit that BrowserGym sets.
START = """<script>window.addEventListener('load', () => {
  core.EPISODE_MAX_TIME = 1000000;
  core.startEpisodeReal();
})</script>
</body>"""
# In BrowserGym's environment. One line in: the waits to keep; one line out: the episode is over.
GYM = """
import os, sys
from pathlib import Path
import miniwob
pages = Path(miniwob.__file__).parent / "html" / "miniwob"
os.environ["MINIWOB_URL"] = pages.as_uri() + "/"  # as its manual says
import gymnasium
import browsergym.miniwob
name = "browsergym/miniwob.click-test"
kinds = {
    "default": gymnasium.make(name),
    "hurried": gymnasium.make(name, slow_mo=0, pre_observation_delay=0),
}
for seed, kind in enumerate(sys.stdin):
    env = kinds[kind.strip()]
    seen, _ = env.reset(seed=seed)
    nodes = seen["axtree_object"]["nodes"]
    button = next(node for node in nodes if node["role"]["value"] == "button")
    _, reward, over, _, _ = env.step("click('%s')" % button["browsergym_id"])
    env.close()
    assert reward > 0 and over, (reward, over)
    print("over", flush=True)
"""


def gym_environment() -> Path:
    """The environment with BrowserGym; made if it is not there."""
    folder = CACHE / f"browsergym-{VERSION}"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        print(f"installing {' and '.join(PACKAGES)} into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", *PACKAGES]
        done = subprocess.run(
            pip, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert done.returncode == 0, done.stdout
        _lend_browser(folder)
        (folder / "complete").touch()
    return folder


def _lend_browser(folder: Path) -> None:
    """Put our browser where its Playwright looks for its own; BrowserGym itself is unchanged."""
    ask = (
        "from playwright.sync_api import sync_playwright as start\n"
        "with start() as playwright: print(playwright.chromium.executable_path)"
    )
    place = Path(_in_gym(folder, "-c", ask, stdout=subprocess.PIPE).communicate()[0].strip())
    place.parent.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        place.symlink_to(find_browser(bundled=playwright.chromium.executable_path).path)


def _in_gym(folder: Path, *arguments: str, **options: int) -> subprocess.Popen[str]:
    command = [str(folder / "bin" / "python"), *arguments]
    environment = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(folder / "browsers")}
    return subprocess.Popen(command, env=environment, text=True, **options)  # type: ignore[call-overload,no-any-return]


@contextmanager
def browsergym(folder: Path) -> Iterator[Callable[[str], None]]:
    """A function that lets BrowserGym run one episode."""
    with _in_gym(folder, "-c", GYM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def once(kind: str) -> None:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(kind + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == "over\n", (
                "BrowserGym failed; what it says stands above"
            )

        yield once


def miniwob_pages(gym: Path, folder: Path) -> Path:
    """MiniWoB++'s files, copied so that click-test begins by itself."""
    [html] = gym.glob("lib/python3*/site-packages/miniwob/html")
    shutil.copytree(html, folder)
    page = folder / "miniwob" / "click-test.html"
    page.write_text(page.read_text(encoding="utf-8").replace("</body>", START), encoding="utf-8")
    return folder


def bare(browser: Browser, world: World, url: str, *, picture: bool = False) -> None:
    context = browser.new_context(**world.context_args(), **WINDOW)
    page = context.new_page()
    page.goto(url)
    if picture:
        page.screenshot()
    page.click(BUTTON.css)
    if picture:
        page.screenshot()
    assert page.evaluate("WOB_RAW_REWARD_GLOBAL") > 0
    context.close()


def main(rounds: int = 15) -> str:
    task = parse_task(TASK, "click-test.yaml")
    gym = gym_environment()
    with (
        tempfile.TemporaryDirectory() as name,
        browsergym(gym) as gym_episode,
        world_of_files(
            Path(name), "miniwob.test", miniwob_pages(gym, Path(name) / "html")
        ) as world,
        sync_playwright() as playwright,
    ):
        browser = browser_provider(playwright, {}, "local").acquire(world)
        runner, run = EpisodeRunner(Watchdog(), world), RunDir(Path(name) / "run")
        scripted = episode(browser, runner, world, task, run, window=WINDOW)
        seeing = episode(
            browser, runner, world, task, run, agent=lambda: fixed_agent([BUTTON]), window=WINDOW
        )
        ways: dict[str, Callable[[], object]] = {
            "bare Playwright": lambda: bare(browser, world, task.start_url),
            "bare Playwright, a screenshot before and after": lambda: bare(
                browser, world, task.start_url, picture=True
            ),
            "episode, scripted agent, everything recorded": lambda: scripted(True, True),
            "episode, agent that looks before and after, everything recorded": lambda: seeing(
                True, True
            ),
            "BrowserGym": lambda: gym_episode("default"),
            "BrowserGym, its fixed waits set to 0": lambda: gym_episode("hurried"),
        }
        samples = in_turn(ways, rounds=rounds)
    against = ratios(samples, "BrowserGym")
    rows = [
        [way, str(sample), f"{60 / sample.median:.0f}", f"{1 / against[way]:.1f}"]
        for way, sample in samples.items()
    ]
    head = [
        "MiniWoB++ `click-test`",
        "wall time: median (range)",
        "episodes per minute",
        "times BrowserGym's",
    ]
    return table(head, rows)


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:2])))
