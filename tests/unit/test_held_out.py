"""Domains that a model was trained on: how their file is read, and which sites they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench.errors import SettingsError
from pytest_webbench.run.held_out import Overlap, overlapping, read_domains, stored_overlap


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("shop.example\n", {"shop.example"}),
        ("\n# seen in 2025\nshop.example  # often\n\n", {"shop.example"}),
        ("WWW.Shop.Example.\r\nnews.example", {"shop.example", "news.example"}),
        ("https://www.shop.example:8080/a?b=c", {"shop.example"}),
        ("münchen.example", {"xn--mnchen-3ya.example"}),
        ("localhost\n127.0.0.1\nxn--p1ai.example", {"localhost", "127.0.0.1", "xn--p1ai.example"}),
    ],
)
def test_domains_are_read(tmp_path: Path, text: str, domains: set[str]) -> None:
    (tmp_path / "seen.txt").write_text(text, encoding="utf-8")
    assert read_domains(tmp_path / "seen.txt") == domains


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a.example\ncom\n", "line 2: 'com' is no domain"),
        ("*.example", "line 1: '*.example' is no domain"),
        ("a.example, b.example", "line 1: 'a.example, b.example' is no domain"),
        ("a.example/path", "line 1: 'a.example/path' is no domain"),
        ("https://", "line 1: 'https://' is no domain"),
        ("-a.example", "line 1: '-a.example' is no domain"),
        ("a..example", "line 1: 'a..example' is no domain"),
        ("x" * 5000, "... is no domain"),
        ("# nothing\n", "it holds no domains"),
        ("", "it holds no domains"),
    ],
)
def test_file_that_is_no_list_of_domains_is_refused(
    tmp_path: Path, text: str, problem: str
) -> None:
    (tmp_path / "seen.txt").write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_domains(tmp_path / "seen.txt")
    message = str(caught.value).replace("…", "...")
    assert "--webbench-held-out" in message
    assert problem in message or (len(text) > 1000 and "line 1" in message)


@pytest.mark.parametrize("name", ["absent.txt", "."])
def test_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_domains(tmp_path / name)
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        read_domains(tmp_path / "bytes.txt")


@pytest.mark.parametrize(
    ("site", "domain"),
    [
        ("shop.example", "shop.example"),
        ("en.wiki.example", "wiki.example"),
        ("wiki.example", "en.m.wiki.example"),
        ("münchen.example", "xn--mnchen-3ya.example"),
    ],
)
def test_domain_stands_for_hosts_below_and_above(site: str, domain: str) -> None:
    assert overlapping([site, "other.example"], [domain, "third.example"]) == {site: domain}


@pytest.mark.parametrize(
    ("site", "domain"),
    [
        ("myshop.example", "shop.example"),
        ("shop.example", "shop.example.evil"),
        ("a.shop.example", "b.shop.example"),
        ("example.co", "example.com"),
    ],
)
def test_domain_stands_for_no_other_site(site: str, domain: str) -> None:
    assert overlapping([site], [domain]) == {}


def test_overlap_is_told_in_a_sentence() -> None:
    none = Overlap("seen.txt", 3, {}, 0)
    assert str(none) == "held out: none of 3 sites is in seen.txt"
    some = Overlap("seen.txt", 3, {"b.example": "b.example", "a.c.example": "c.example"}, 4)
    told = (
        "not held out: 2 of 3 sites are in seen.txt, with 4 tasks: "
        "a.c.example (by c.example), b.example"
    )
    assert str(some) == told
    assert stored_overlap({"held_out": some.facts()}) == told


@pytest.mark.parametrize("facts", [{}, {"held_out": "x"}, {"held_out": {"text": 5}}])
def test_run_that_was_not_asked_tells_nothing(facts: dict[str, object]) -> None:
    assert stored_overlap(facts) == ""
