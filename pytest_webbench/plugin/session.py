"""One session that runs benchmarks: everything it holds, and the hooks that need it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from .._text import harmless
from ..agents.config import FROM_FIXTURE
from ..browser.driver import Driver
from ..browser.local import browser_provider
from ..capture.archive import ArchivedPages
from ..episode.environments import EnvironmentPool
from ..episode.oversight import Oversight
from ..errors import SettingsError, WebbenchError
from ..run import ItemKey, RunDir
from ..run.cloud_leases import CloudLeases
from ..run.conditions import KEY as CONDITIONS
from ..run.conditions import refuse_changes
from ..run.held_out import Overlap, stored_overlap
from ..run.lock import RunLock, left_behind
from ..run.shards import Shard
from ..run.work_item import WorkItem, planned_item
from .agents import NONE_CHOSEN, SessionAgents, read_configuration
from .appeared import ConfigurationWatch
from .formats import ItemFormat
from .held_out import overlap_with_training
from .invocation import PLANNER, Invocation, invocation_of
from .item_reports import stopped_by_usage_error, tidy_report
from .items import BenchmarkFile, BenchmarkItem, Marks, Retries, overrides_agent, work_items
from .jobs import Collection, StoredPlan
from .left_threads import end_without, running_threads
from .live import require_network, retries_of
from .plan import run_facts
from .quarantine import quarantine
from .refusals import (
    refuse_doubles,
    refuse_half_runs,
    refuse_missing_editions,
    refuse_rival_plugins,
)
from .rescore import flips
from .results import ItemResults, episode_options
from .sampling import outside_sample
from .supervision import Supervision, supervise
from .usage_errors import usage_errors

if TYPE_CHECKING:
    from pluggy import Result

    from .run_reports import RunReports

_KEY: Final = pytest.StashKey["BenchmarkSession"]()


class BenchmarkSession:
    """Made and registered as a plugin when the first benchmark file is met, or before xdist starts.

    Without benchmarks there is none, so that an unused plugin costs nothing.
    """

    def __init__(self, invocation: Invocation) -> None:
        refuse_rival_plugins(invocation.config.pluginmanager)
        self.config, self.settings = invocation.config, invocation.settings
        self._invocation = invocation
        self._marks = Marks(invocation.config)
        self._supervision: Supervision | None = None
        self._pytest_session: pytest.Session | None = None
        self._threads = running_threads()
        self._interrupted = False
        self._overlap: Overlap | None = None
        self._quarantined: dict[pytest.Item, str] = {}
        self._whole_plan: list[ItemKey] = []
        """Keys of all items before those of other shards were left out."""

    # -- what it holds ---------------------------------------------------------------------------

    @cached_property
    def run(self) -> RunDir:
        """The run that this session adds to."""
        folder, tag = self._invocation.runs_folder, self._invocation.tag
        return RunDir.for_tag(folder, tag, self.agents.redactor)

    @cached_property
    def agents(self) -> SessionAgents:
        """The agents chosen; in a rescore those of the stored run."""
        configuration = read_configuration(self.config.rootpath)
        specs = self.settings.agent or (FROM_FIXTURE,)
        if self._stored is not None:
            specs = self.settings.agent or self._stored.agents
        return SessionAgents(self.settings, configuration, specs)

    def collection_for(self, file: pytest.File) -> Collection:
        """What the format of ``file`` may know of this session."""
        agents = self.agents.specs
        by_default = bool(self.settings.agent) and not self._invocation.agent_on_command_line()
        if by_default and overrides_agent(file):
            agents = (FROM_FIXTURE,)
        return self._collection._replace(agents=agents)

    @cached_property
    def _collection(self) -> Collection:
        counts = self.settings if self._stored is None else self._stored
        return Collection(
            self.config,
            self.agents.configuration,
            self.settings,
            self.agents.specs,
            counts.repeats,
            counts.seeds,
            self.run,
            self._stored,
        )

    def retries_of(self, work: WorkItem) -> Retries:
        """What is done when an attempt at ``work`` is broken or blocked."""
        return retries_of(self.settings, work)

    @cached_property
    def shard(self) -> Shard | None:
        """``--webbench-shard``; a usage error if it makes no sense."""
        if not self.settings.shard:
            return None
        with usage_errors():
            return Shard.parse(self.settings.shard)

    @cached_property
    def _stored(self) -> StoredPlan | None:
        if not self.settings.rescore:
            return None
        return StoredPlan.read(RunDir.for_tag(self._invocation.runs_folder, self._invocation.tag))

    @cached_property
    def _lock(self) -> RunLock:
        lock = RunLock(self.run.path, *self._invocation.identity)
        # Held to the very end: the reports are written under it, too.
        self.config.add_cleanup(lock.release)
        return lock

    @cached_property
    def results(self) -> ItemResults:
        """Where items get their results from."""
        return ItemResults(
            run=self.run,
            agents=self.agents,
            invocation=self._invocation,
            options=episode_options(self._invocation),
            retries=0 if self.settings.rescore else self.settings.infra_retries,
        )

    def collector_of(
        self, path: Path, parent: pytest.Collector, recognised: ItemFormat
    ) -> BenchmarkFile:
        """The collector for a file that a format has recognised."""
        file: BenchmarkFile = BenchmarkFile.from_parent(parent, path=path)
        file.format, file.collector = recognised, self
        return file

    def mark(self, label: str) -> pytest.MarkDecorator:
        """The mark for a label of a work item."""
        return self._marks.mark(label)

    def environments(
        self, playwright: Any, launch_args: dict[str, Any], context_args: dict[str, Any]
    ) -> EnvironmentPool:
        """Worlds and browsers for this process. The arguments are pytest-playwright's."""
        provide = partial(
            browser_provider,
            launch_args=launch_args,
            choice=self.settings.browser,
            notes=CloudLeases(self._invocation.runs_folder, self._invocation.tag),
            secret=self.agents.configuration.secret,
        )
        oversight = self._supervision.oversight if self._supervision else Oversight.start
        return EnvironmentPool(
            Driver(playwright), provide, context_args, self.settings.browser, oversight
        )

    def archived_pages(self, playwright: Any) -> ArchivedPages:
        """An offline browser for archived pages. It starts when the first page is read."""
        return ArchivedPages(playwright)

    # -- before workers start --------------------------------------------------------------------

    def check_before_workers(self) -> None:
        """In xdist's controller: a usage error if workers could not use the run or the agents."""
        self._check_run()
        self._check_agents(self.settings.agent)

    def _check_run(self) -> None:
        if not self.settings.run or not self._invocation.has_run():
            return
        holder = self._lock.holder()
        # Workers of a killed session end soon, and ours will wait for that.
        if holder is not None and not left_behind(holder):
            raise pytest.UsageError(self._lock.refusal(holder))
        before = self.run.facts().get(CONDITIONS, {})
        now = {"agents": self.agents.conditions()}
        with usage_errors():
            refuse_changes(self.run.path.name, before, now, self.run.results())

    def join_run(self, worker: str) -> None:
        """Hold the lock that workers hold, so that the run is not free while they are replaced."""
        self._lock.join()
        reporter = self._terminal()
        told = stored_overlap(self.run.facts()) if self.settings.held_out else ""
        if told and reporter is not None and worker == PLANNER:
            reporter.write_line(f"webbench: {told}")

    def _check_agents(self, specs: Iterable[str]) -> None:
        invocation = self._invocation
        if self.settings.runs_agents and not invocation.runs_nothing:
            if not invocation.agents_checked:
                self.agents.check(specs)
            invocation.agents_checked = True

    # -- hooks: collection -----------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep a sample, and of that this shard, after -k and -m have left out what is unwanted."""
        self._leave_out(items, outside_sample(list(work_items(items)), self.settings))
        shard = self.shard
        if shard is None:
            return
        keys = {item: work.key for item, work in work_items(items)}
        self._whole_plan = list(keys.values())
        self._leave_out(items, {item for item, key in keys.items() if not shard.holds(key)})

    def _leave_out(self, items: list[pytest.Item], others: set[pytest.Item]) -> None:
        if others:
            items[:] = [item for item in items if item not in others]
            self.config.hook.pytest_deselected(items=list(others))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Check the agents and write the plan, before anything is run."""
        works = list(work_items(session.items))
        if not works and not self._whole_plan:
            return
        # pytest runs nothing then, and a plan would count all items as not run.
        stopped = session.testsfailed and not self.config.option.continue_on_collection_errors
        if self._invocation.runs_nothing or stopped:
            return
        with self._invocation.refusals():
            refuse_doubles(works)
            refuse_half_runs(self._invocation)
            refuse_missing_editions(works, self.settings)
            self._overlap = overlap_with_training([work for _, work in works], self._invocation)
            self._quarantined = quarantine(works, self.settings)
            self._require_agents(works)
            going = [(item, work) for item, work in works if item not in self._quarantined]
            require_network(going, self._invocation, self.run)
            self._lock.acquire()
            if not self.settings.rescore:
                self._write_plan(works)
        folders = {item.path.parent for item, _work in works} | {Path.cwd(), self.config.rootpath}
        self._pytest_session = session
        watch = ConfigurationWatch(session, sorted(folders))
        self.config.pluginmanager.register(watch, "webbench-configuration")

    def pytest_report_collectionfinish(self) -> list[str]:
        """Whether a model may know the sites planned; xdist's controller says so in `join_run`."""
        return [] if self._overlap is None else [f"webbench: {self._overlap}"]

    def _require_agents(self, works: list[tuple[pytest.Item, WorkItem]]) -> None:
        if not self.settings.runs_agents:
            return
        asked = [(item, work.agent) for item, work in works if work.asks_agent]
        for item, agent in asked:
            if agent == FROM_FIXTURE and not overrides_agent(item):
                raise SettingsError(NONE_CHOSEN)
        self._check_agents(sorted({agent for _item, agent in asked}))

    def _write_plan(self, works: list[tuple[pytest.Item, WorkItem]]) -> None:
        """Note what is going to be run, so that nothing can drop out of the score unnoticed."""
        suites = {work.suite.name: work.suite for _item, work in works}
        self.run.plan(
            [planned_item(work, one.nodeid, self._quarantined.get(one, "")) for one, work in works],
            run_facts(self.settings, self.agents, suites.values(), self._overlap),
            shard=self.shard,
            whole=self._whole_plan,
            check_only=not self._invocation.writes_plan,
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Let this process watch over another one that runs the items, where that is possible."""
        works = [work for _item, work in work_items(session.items) if work.asks_agent]
        if works and not self._invocation.runs_nothing:
            self._supervision = supervise(self._invocation, most_restarts=len(works))

    # -- hooks: items ----------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Result[Any], None]:
        outcome = yield
        if isinstance(item, BenchmarkItem):
            tidy_report(outcome.get_result(), call, self.agents.redactor.text)

    # -- hooks: the end --------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, None, None]:
        """Write what others read of the run; end with a code that tells failures from trouble."""
        yield  # pytest's own JUnit writer runs in here; ours corrects its file
        if self._invocation.is_worker or not self._invocation.has_run():
            return
        if self._left_nothing:
            self.run.discard()
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
            return
        try:
            xml_path = getattr(self.config.option, "xmlpath", None)
            self.run.note_browsers()
            self._reports.write(Path(xml_path) if xml_path else None)
            terminal = self._terminal()
            session.exitstatus = self._reports.exit_code(
                int(session.exitstatus), None if terminal is None else terminal.stats
            )
        except WebbenchError as error:
            reporter = self._terminal()
            if reporter is not None:
                reporter.write_line(f"webbench: {error}", red=True)
            # A run whose files could not be written is no success.
            session.exitstatus = session.exitstatus or pytest.ExitCode.INTERNAL_ERROR

    def pytest_keyboard_interrupt(self) -> None:
        self._interrupted = True

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """After Ctrl-C, say how to go on; leave threads of agents behind."""
        invocation, reporter = self._invocation, self._terminal()
        if self._interrupted and reporter is not None and invocation.has_run():
            reporter.write_line(f"resume with: {invocation.resuming_command()}")
        if self._pytest_session is not None:
            code = int(self._pytest_session.exitstatus)
            end_without(running_threads() - self._threads, code)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The rates with their intervals, per suite and agent."""
        if not self._invocation.has_run() or self._left_nothing:
            return
        changed = flips(_reports_of(terminalreporter)) if self.settings.rescore else []
        lines = list(self._reports.lines(changed))
        terminalreporter.section("webbench", sep="=", bold=True)
        for line in lines:
            terminalreporter.write_line(harmless(self.agents.redactor.text(line)))

    @cached_property
    def _left_nothing(self) -> bool:
        """Whether the user's own mistake has ended the run before its first attempt."""
        reporter = self._terminal()
        errors = () if reporter is None else reporter.stats.get("error", ())
        return stopped_by_usage_error(errors) and not any(self.run.attempts())

    @cached_property
    def _reports(self) -> RunReports:
        # Loads all that reports need; only the process that writes them pays for it.
        from .run_reports import RunReports

        return RunReports(self.run, self._invocation)

    def _terminal(self) -> pytest.TerminalReporter | None:
        reporter: Any = self.config.pluginmanager.get_plugin("terminalreporter")
        return None if reporter is None else reporter


def begin_session(config: pytest.Config) -> BenchmarkSession:
    """The session of this process, made and registered on first use."""
    if _KEY not in config.stash:
        config.stash[_KEY] = session = BenchmarkSession(invocation_of(config))
        config.pluginmanager.register(session, "webbench-session")
    return config.stash[_KEY]


def session_of(config: pytest.Config) -> BenchmarkSession | None:
    """The session of this process; None if no benchmark was met."""
    return config.stash.get(_KEY, None)


def _reports_of(reporter: pytest.TerminalReporter) -> Iterator[pytest.TestReport]:
    for reports in reporter.stats.values():
        yield from reports
