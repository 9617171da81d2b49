"""Helpers without a domain: JSON, addresses, texts, locks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_webbench._json import decoder, json_line, parse_object, strict_json
from pytest_webbench._locks import LockFile
from pytest_webbench._text import clip, listed
from pytest_webbench._url import (
    decoded,
    form_values,
    host_of,
    is_web_address,
    origin_of,
    public_part,
)


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", "1e999", "[" * 5000 + "]" * 5000, "{", "1" * 5000, ""]
)
def test_strict_json_raises_a_value_error_for_what_is_not_json(text: str) -> None:
    with pytest.raises(ValueError):
        strict_json(text)


def test_strict_json_reads_what_json_writes() -> None:
    value = {"a": [1, 2.5, None, True, "ü"]}
    assert strict_json(json.dumps(value)) == value


def test_strict_json_reads_huge_numbers_as_infinity_on_request() -> None:
    assert strict_json("[1e999]", huge_numbers=True) == [float("inf")]
    with pytest.raises(ValueError):
        strict_json("[Infinity]", huge_numbers=True)


def test_decoder_refuses_duplicate_keys_on_request() -> None:
    text = '{"a": 1, "a": 2}'
    assert decoder().decode(text) == {"a": 2}
    with pytest.raises(ValueError, match="same key twice"):
        decoder(unique_keys=True).decode(text)


def test_decoder_takes_raw_line_breaks_in_strings_on_request() -> None:
    text = '"one\ntwo"'
    with pytest.raises(ValueError):
        decoder().decode(text)
    assert decoder(control_characters=True).decode(text) == "one\ntwo"


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        ("caf%C3%A9", "café"),
        ("caf%E9", "café"),
        ("caf%E9/%C3%BC", "café/ü"),
        ("%80%93%81", "€“\x81"),
        ("na\u00efve%20%FC%zz", "naïve ü%zz"),
    ],
)
def test_addresses_are_decoded_as_utf_8_or_else_as_old_forms_write(escaped: str, text: str) -> None:
    assert decoded(escaped) == text
    assert form_values(f"q={escaped}&tag=a&tag=&=x", blanks=True) == {
        "q": [text],
        "tag": ["a", ""],
        "": ["x"],
    }


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Shop.Example:443/a?b#c", "https://shop.example"),
        ("http://user@[::1]:80/", "http://[::1]"),
        ("http://h:8080", "http://h:8080"),
        ("about:blank", None),
        ("ftp://h/", None),
        ("http://h:port/", None),
        ("https://", None),
    ],
)
def test_origin_is_written_as_browsers_write_it(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("wss://user:pw@grid.example:8443/token?key=1#x", "wss://grid.example:8443"),
        ("http://[::1]:9222/json", "http://[::1]:9222"),
        ("https://grid.example", "https://grid.example"),
        ("ws://host:port/token", "(an address that cannot be read)"),
        ("ws://[token", "(an address that cannot be read)"),
    ],
)
def test_public_address_holds_no_token_and_no_password(url: str, shown: str) -> None:
    assert public_part(url) == shown


def test_host_is_compared_without_www() -> None:
    assert host_of("https://www.shop.example/a") == "shop.example"
    assert host_of("http://[bad") == ""


@pytest.mark.parametrize(
    ("url", "is_one"),
    [("https://a.example", True), ("ftp://a", False), ("/a", False), ("http://[", False)],
)
def test_web_addresses_have_a_scheme_and_a_host(url: str, is_one: bool) -> None:
    assert is_web_address(url) is is_one


def test_clipped_text_ends_in_an_ellipsis() -> None:
    assert clip("abcdef", 4) == "abc…"
    assert clip("abcd", 4) == "abcd"


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"a": 1', "[" * 5000, b"\xff", b'"a"'])
def test_text_that_is_no_json_object_gives_none(text: str | bytes) -> None:
    assert parse_object(text) is None


def test_json_object_is_read_from_one_line() -> None:
    value = {"b": "two\nlines", "a": [1, None]}
    assert "\n" not in json_line(value)
    assert parse_object(json_line(value)) == value
    assert parse_object(json_line(value).encode()) == value


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, []), (3, ["0", "1", "2"]), (4, ["0", "1", "... and 2 more"])],
)
def test_only_the_first_of_many_lines_are_listed(count: int, shown: list[str]) -> None:
    assert listed([str(number) for number in range(count)], 2) == shown


def test_lock_is_held_by_one_process_at_a_time(tmp_path: Path) -> None:
    first, second = LockFile(tmp_path / "lock"), LockFile(tmp_path / "lock")
    assert first.try_acquire()
    assert not second.try_acquire()
    first.release()
    with second.held():
        assert not first.try_acquire()
    assert first.try_acquire()
    first.release()
