"""Options: every ``--webbench-x`` has an ini twin ``webbench_x``; the command line beats the file.

Help texts say what the value is and what happens without it. `settings.Settings` is what is read.
"""

from __future__ import annotations

from typing import Final

from .optionset import Option, OptionSet

MUTANTS: Final = ("references", "episodes")
FLAGGED: Final = ("pass", "fail")
TEST_PASSES: Final = ("always", "never")
ARTIFACTS: Final = ("all", "no-shots", "none")

OPTIONS: Final = OptionSet(
    "webbench",
    "web-agent benchmarks (pytest-webbench)",
    (
        Option(
            name="agent",
            kind="many",
            metavar="AGENT",
            help="agent to run: a name (see `webbench agents`), type:model@url, or a dotted path "
            "package.module:Class; may be given several times "
            "(default: what the webbench_agent fixture of your conftest.py returns)",
        ),
        Option(
            name="world",
            metavar="WORLD",
            help="where the web comes from: live, replica, local, or a world that an installed "
            "distribution offers (default: the suite's first world)",
        ),
        Option(
            name="run",
            metavar="TAG",
            help="name of the run; a run that exists is resumed (default: date and time)",
        ),
        Option(
            name="runs-dir",
            default="runs",
            metavar="DIR",
            help="where runs are stored (default: runs)",
        ),
        Option(
            name="repeats",
            kind="integer",
            default=1,
            least=1,
            metavar="N",
            help="attempts of each agent at each task (default: 1)",
        ),
        Option(
            name="seeds",
            kind="integer",
            default=1,
            least=1,
            metavar="N",
            help="play every task in the editions 0 to N-1 of a world that has editions, such as "
            "replica, each as an item of its own (default: 1)",
        ),
        Option(
            name="seed",
            kind="integer",
            default=0,
            metavar="N",
            help="seed of agents that choose at random (default: 0)",
        ),
        Option(
            name="infra-retries",
            kind="integer",
            default=2,
            least=0,
            metavar="N",
            help="how often an episode is repeated that the infrastructure broke (default: 2); "
            "wrong answers never are",
        ),
        Option(
            name="infra-retry-delay",
            kind="number",
            default=2,
            least=0,
            metavar="SECONDS",
            help="pause before the first repetition, doubled before each further one (default: 2)",
        ),
        Option(
            name="live-parallel",
            kind="integer",
            least=1,
            metavar="N",
            help="episodes at once on live sites, over all workers (default: the suite's [live])",
        ),
        Option(
            name="live-per-site",
            kind="integer",
            least=1,
            metavar="N",
            help="episodes at once on one live site (default: the suite's [live])",
        ),
        Option(
            name="live-pause",
            kind="number",
            least=0,
            metavar="SECONDS",
            help="pause between two episodes on one live site (default: the suite's [live])",
        ),
        Option(
            name="live-blocked-retries",
            kind="integer",
            least=0,
            metavar="N",
            help="how often an episode is repeated that a live site has blocked "
            "(default: the suite's [live])",
        ),
        Option(
            name="max-actions",
            kind="integer",
            least=1,
            metavar="N",
            help="action budget (default: the task's, else the suite's, else 60)",
        ),
        Option(
            name="max-seconds",
            kind="number",
            least=0.001,
            metavar="SECONDS",
            help="time budget (default: the task's, else the suite's, else 900)",
        ),
        Option(
            name="validate",
            kind="integer",
            least=1,
            metavar="N",
            help="instead of running agents, prove that the tasks are sound: the solution N times, "
            "the start page, every counterexample (default: off; `webbench validate` sets it)",
        ),
        Option(
            name="sample",
            kind="integer",
            least=1,
            metavar="N",
            help="only N tasks, drawn by --webbench-seed and spread over the sites (default: all)",
        ),
        Option(
            name="quarantine",
            kind="flag",
            help="with --webbench-validate in the live world: write the tasks that have drifted to "
            "the suite's quarantine.toml, and take out those that are solved (default: off)",
        ),
        Option(
            name="mutants",
            choices=MUTANTS,
            help="instead of running agents, play episodes made from the solutions: references = "
            "the solutions themselves, episodes = what is made from those that passed "
            "(default: off; `webbench audit --episodes` sets it)",
        ),
        Option(
            name="rescore",
            metavar="TAG",
            help="run nothing: judge the stored episodes of this run again, with today's task "
            "files (default: off)",
        ),
        Option(
            name="browser",
            default="local",
            metavar="WHERE",
            help="local, local:/path/to/chrome, cdp:http://host:port of a running Chrome, "
            "ws://host:port of a Playwright server, lexmount, or package.module:Class for your own "
            "browser service (default: local)",
        ),
        Option(
            name="artifacts",
            choices=ARTIFACTS,
            default="all",
            help="what is kept of an episode besides steps and evidence: all = a picture per step "
            "and an archive of the final page, no-shots = the archive only, none (default: all)",
        ),
        Option(
            name="shard",
            metavar="i/N",
            help="run part i of N only, by a hash of each item; `webbench merge` joins the parts "
            "(default: all)",
        ),
        Option(
            name="flagged",
            choices=FLAGGED,
            default="pass",
            help="what a pass counts as that is flagged, because its evidence stands on doubtful "
            "ground: pass, or fail as a leaderboard should (default: pass)",
        ),
        Option(
            name="test-passes",
            choices=TEST_PASSES,
            default="always",
            help="whether the actions of a pass are done again without the agent, where the world "
            "allows it: always, or never, to save time with trusted agents (default: always)",
        ),
        Option(
            name="held-out",
            metavar="FILE",
            help="file with a domain a line on which a model was trained: says which of the sites "
            "planned are among them (default: off)",
        ),
        Option(
            name="held-out-strict",
            kind="flag",
            help="refuse the session if a site planned is in the file of --webbench-held-out "
            "(default: off)",
        ),
        Option(
            name="min-rate",
            kind="share",
            metavar="X",
            help="pass the session if each agent's rate is at least X, from 0 to 1, even at the "
            "low end of its interval, although single tasks fail (default: off)",
        ),
        Option(name="ctrf", metavar="FILE", help="write the results as CTRF JSON (default: off)"),
        Option(
            name="report",
            kind="flag",
            help="write the HTML report of the run when the session ends "
            "(default: off; `webbench report` writes it later)",
        ),
        Option(
            name="secrets",
            kind="many",
            metavar="NAME",
            help="environment variable whose value must not reach any file of the run; may be "
            "given several times "
            "(default: none; passwords that agents type are kept out in any case)",
        ),
    ),
)
