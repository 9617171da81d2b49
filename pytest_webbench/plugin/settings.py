"""The options of a session, read once."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from .options import OPTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The value of every option, by its name in `OPTIONS`; None, () or False if not given."""

    agent: tuple[str, ...]
    world: str | None
    run: str | None
    runs_dir: str
    repeats: int
    seeds: int
    seed: int
    infra_retries: int
    infra_retry_delay: float
    live_parallel: int | None
    live_per_site: int | None
    live_pause: float | None
    live_blocked_retries: int | None
    max_actions: int | None
    max_seconds: float | None
    validate: int | None
    sample: int | None
    quarantine: bool
    mutants: str | None
    rescore: str | None
    browser: str
    artifacts: str
    shard: str | None
    min_rate: float | None
    held_out: str | None
    held_out_strict: bool
    flagged: str
    test_passes: str
    ctrf: str | None
    report: bool
    secrets: tuple[str, ...]

    @classmethod
    def read(cls, config: pytest.Config) -> Settings:
        """From the command line and the ini file; `pytest.UsageError` for a wrong value."""
        values = OPTIONS.read(config)
        runs_agents = not (values["validate"] or values["mutants"] or values["rescore"])
        if not runs_agents and not OPTIONS.on_command_line(config, "agent"):
            values["agent"] = ()  # the ini file's is what runs by default, and here none does
        return cls(**values)

    @property
    def step_shots(self) -> bool:
        """Whether a picture is kept of every step."""
        return self.artifacts == "all"

    @property
    def archive(self) -> bool:
        """Whether the final page is kept."""
        return self.artifacts != "none"

    @property
    def flagged_fails(self) -> bool:
        """Whether a flagged pass counts as failed."""
        return self.flagged == "fail"

    @property
    def runs_agents(self) -> bool:
        """Whether agents are run: not in a validation or an audit, and not in a rescore."""
        return not self.plays_proofs and not self.rescore

    @property
    def plays_proofs(self) -> bool:
        """Whether episodes are played whose verdict is known beforehand."""
        return bool(self.validate or self.mutants)
