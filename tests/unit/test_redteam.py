"""Our own cheats: they load by name, and know what a played solution showed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench.agents import Agent
from pytest_webbench.agents.base import GaveUp
from pytest_webbench.agents.dotted import make_dotted
from pytest_webbench.evidence.models import Evidence, HowOpened, PageSeen, PageState
from pytest_webbench.redteam import honest
from pytest_webbench.redteam.cheats import CHEATS
from pytest_webbench.redteam.guessers import GUESSERS
from pytest_webbench.redteam.honest import HONEST
from pytest_webbench.redteam.loot import loot_of

NAMES = [
    *(f"{cheat.__module__}:{cheat.__name__}" for cheat in (*CHEATS, *GUESSERS)),
    *(f"{honest.__name__}:{name}" for name in HONEST),
]


@pytest.mark.parametrize("name", NAMES)
def test_each_is_an_agent_that_pytest_can_make(name: str) -> None:
    assert isinstance(make_dotted(name, {}), Agent)


def test_every_cheat_says_what_it_does_and_what_it_knows() -> None:
    for cheat in (*CHEATS, *GUESSERS):
        assert cheat.__doc__
        assert cheat.attacker in ("solution", "goal")
    assert {cheat.attacker for cheat in GUESSERS} == {"goal"}


def seen(number: int, url: str, how: HowOpened, *, final: bool = False) -> PageSeen:
    return PageSeen(number=number, url=url, how=how, final=final)


def test_loot_is_what_the_newest_solution_showed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GaveUp, match="no solution of t was played"):
        loot_of("t")
    folder = tmp_path / "runs" / "redteam-1" / "episodes" / "reference" / "t"
    folder.mkdir(parents=True)
    (folder / "evidence.json").write_text(Evidence().to_json(), encoding="utf-8")
    with pytest.raises(GaveUp, match="left no page"):
        loot_of("t")
    pages = (
        seen(1, "https://a.test/", HowOpened.START),
        seen(2, "https://a.test/list", HowOpened.CLICK),
        seen(3, "https://a.test/item", HowOpened.CLICK, final=True),
    )
    evidence = Evidence(
        answer="7", page=PageState(url="https://a.test/item", title="Item"), pages_seen=pages
    )
    (folder / "evidence.json").write_text(evidence.to_json(), encoding="utf-8")
    loot = loot_of("t")
    assert (loot.url, loot.title, loot.answer) == ("https://a.test/item", "Item", "7")
    assert loot.way == ("https://a.test/list",)
