"""Planning: what is promised is what a simulation sees."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from pytest_webbench.stats import Design, discordance, sign_flip
from pytest_webbench.stats.planning import least_gap


def test_needed_tasks_are_just_enough() -> None:
    design = Design(discordant=0.3)
    tasks = design.tasks_needed(0.15)
    assert tasks is not None
    assert design.power(0.15, tasks) >= 0.8 > design.power(0.15, tasks - 10)


def test_normal_approximation_continues_the_exact_power() -> None:
    design = Design(discordant=0.3)
    assert design.power(0.06, 1_001) == pytest.approx(design.power(0.06, 1_000), abs=0.02)


def test_tasks_needed_is_none_beyond_a_million_tasks() -> None:
    assert Design(discordant=0.5).tasks_needed(0.0005) is None


def test_detectable_gap_and_needed_tasks_are_inverse() -> None:
    design = Design(discordant=0.28)
    gap = design.least_gap(120)
    assert gap is not None
    needed = design.tasks_needed(gap)
    assert needed is not None
    assert 115 <= needed <= 120


@pytest.mark.parametrize("tasks", [0, 1, 3, 5])
def test_five_tasks_cannot_show_anything(tasks: int) -> None:
    """Even 5 : 0 has p = 0.06."""
    assert Design(discordant=0.5).least_gap(tasks) is None


def test_least_gap_is_none_if_no_gap_is_possible() -> None:
    assert least_gap(lambda _: 1.0, most=0.0) is None


def test_smaller_gaps_and_higher_confidence_take_more_tasks() -> None:
    needed = [Design(discordant=0.3).tasks_needed(gap) or 0 for gap in (0.3, 0.2, 0.1, 0.05)]
    assert needed == sorted(needed)
    assert (Design(discordant=0.3).tasks_needed(0.1, 0.95) or 0) > needed[2]
    assert (Design(discordant=0.3, alpha=0.01).tasks_needed(0.1) or 0) > needed[2]


def test_repeats_save_tasks_but_never_episodes() -> None:
    repeats = (1, 2, 3, 5, 10)
    designs = [Design(discordant=0.3, flake=0.2, repeats=count) for count in repeats]
    tasks = [design.tasks_needed(0.1) or 0 for design in designs]
    assert tasks == sorted(tasks, reverse=True)
    episodes = [count * times for count, times in zip(tasks, repeats, strict=True)]
    assert episodes == sorted(episodes)


def test_discordance_follows_from_the_two_by_two_table() -> None:
    """120 published tasks: 17 both, 30 and 3 alone, 70 neither."""
    a, b = 47 / 120, 20 / 120
    phi = (17 * 70 - 30 * 3) / (47 * 73 * 20 * 100) ** 0.5
    assert discordance(a, b, phi) == pytest.approx(33 / 120)
    assert discordance(0.5, 0.8, 1.0) == pytest.approx(0.3)  # what the gap itself takes


def test_power_with_repeats_agrees_with_a_simulation() -> None:
    """Agent A passes task t with a chance a, B with a chance b; both go up and down with the
    task.
    """
    chance = random.Random(4)
    tasks, repeats, turns = 60, 3, 250
    eases = [(a, min(1.0, a + 0.2)) for a in (0.0, 0.1, 0.2, 0.5, 0.7, 0.8)]
    gap = sum(b - a for a, b in eases) / 6
    discordant = sum(a * (1 - b) + b * (1 - a) for a, b in eases) / 6
    flake = (
        sum(a * (1 - a) + b * (1 - b) for a, b in eases) / 6
    )  # of one agent: the mean of 2 p (1 - p) of both
    promised = Design(discordant=discordant, flake=flake, repeats=repeats).power(gap, tasks)
    seen = 0
    for _ in range(turns):
        drawn = [
            sum((chance.random() < b) - (chance.random() < a) for _ in range(repeats))
            for a, b in (chance.choice(eases) for _ in range(tasks))
        ]
        seen += sign_flip([Fraction(one, repeats) for one in drawn]) < 0.05
    assert seen / turns == pytest.approx(promised, abs=0.08)
