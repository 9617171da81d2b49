"""Secrets are taken out of texts, archives, records and requests, and nothing else is."""

from __future__ import annotations

import html
import json
import quopri
from urllib.parse import quote, quote_plus

import pytest

from pytest_webbench.errors import SettingsError
from pytest_webbench.evidence.models import Evidence, ObservedAction, PageState, Read
from pytest_webbench.evidence.redact import MASK, Redactor, redact_address, redact_fields, telltale

SECRET = 'p4ss w"örd/<&>='


@pytest.mark.parametrize(
    "write",
    [str, quote, quote_plus, html.escape, json.dumps, lambda text: json.dumps(text, ensure_ascii=False)],
    ids=["plain", "quote", "quote_plus", "html", "json", "json-utf8"],
)
def test_a_secret_is_found_however_it_is_quoted(write: object) -> None:
    assert callable(write)
    assert MASK in Redactor([SECRET]).text(f"before {write(SECRET)} after")
    assert "p4ss" not in Redactor([SECRET]).text(f"before {write(SECRET)} after")


@pytest.mark.parametrize("offset", range(60, 80))
def test_a_secret_in_an_archive_is_found_where_a_line_breaks_within_it(offset: int) -> None:
    coded = quopri.encodestring(("x" * offset + html.escape(SECRET, quote=False) + " end").encode()).decode()
    assert quopri.decodestring(Redactor([SECRET]).mhtml(coded)).decode() == "x" * offset + MASK + " end"


def test_a_secret_within_a_longer_one_leaves_no_rest_of_it() -> None:
    assert Redactor(["hunter2", "hunter2hunter2"]).text("hunter2hunter2!") == f"{MASK}!"


def test_what_an_episode_learns_is_its_own() -> None:
    run = Redactor(["from-env"])
    episode = run.child()
    assert episode.text("typed-in from-env") == f"typed-in {MASK}"
    episode.learn("typed-in", "a")
    assert episode.text("typed-in from-env") == f"{MASK} {MASK}"
    assert run.child().text("typed-in from-env") == f"typed-in {MASK}"


def test_a_password_that_is_a_user_name_too_and_one_of_few_letters_stay_readable() -> None:
    redactor = Redactor()
    redactor.seen_in_the_open("admin")
    for password in ("admin", "abc"):
        redactor.learn(password, "a")
    assert redactor.text("Welcome admin, abc") == "Welcome admin, abc"


def test_what_is_typed_letter_by_letter_is_one_secret_and_a_second_try_another() -> None:
    redactor = Redactor()
    for typed in ("h", "hunt", "hunte", "hunter2", "swordfish"):
        redactor.learn(typed, "a")
    assert redactor.text("hunt hunter2 swordfish") == f"hunt {MASK} {MASK}"


def test_secrets_are_read_from_the_variables_named() -> None:
    redactor = Redactor.from_environment(["KEY", "UNSET", "EMPTY"], {"KEY": "sk-123456", "EMPTY": "", "OTHER": "other"})
    assert redactor.text("sk-123456 other") == f"{MASK} other"
    with pytest.raises(SettingsError, match="KEY has fewer than 4 characters"):
        Redactor.from_environment(["KEY"], {"KEY": "abc"})


def test_a_record_keeps_its_format_and_the_names_from_the_task_file() -> None:
    evidence = Evidence(
        answer="it is done, click here",
        page=PageState(url="https://a.example/click", text="done"),
        local_storage={"click": "done"},
        actions=(ObservedAction(number=1, kind="click", value="click", url_after="https://a.example/done"),),
        reads={'domExtract {"click": "a"}': Read(value={"click": ["done"], "n": 1})},
    )
    redactor = Redactor(["done", "click"])
    found = redactor.record(evidence)
    assert Evidence.model_validate_json(found.to_json()) == found
    assert found.answer == f"it is {MASK}, {MASK} here"
    assert found.page is not None
    assert (found.page.url, found.page.text) == (f"https://a.example/{MASK}", MASK)
    assert found.local_storage == {MASK: MASK}
    assert found.actions[0].model_dump(include={"kind", "value", "url_after"}) == {
        "kind": "click", "value": MASK, "url_after": f"https://a.example/{MASK}"
    }  # fmt: skip
    assert found.ending == evidence.ending
    assert found.reads == {'domExtract {"click": "a"}': Read(value={"click": [MASK], "n": 1})}


def test_without_secrets_a_record_is_left_alone() -> None:
    evidence = Evidence(answer="x")
    assert Redactor().record(evidence) is evidence


@pytest.mark.parametrize(
    "name", ["token", "access_token", "user[password]", "apiKey", "api-key", "key", "sid", "X-CSRF-Token", "sessionId"]
)
def test_telltale_names(name: str) -> None:
    assert telltale(name)


@pytest.mark.parametrize(
    "name", ["q", "sort_key", "keyword", "author", "page", "passengers", "pinned", "tokens_used_for"]
)
def test_ordinary_names(name: str) -> None:
    assert not telltale(name)


@pytest.mark.parametrize(
    ("address", "redacted"),
    [
        ("https://a.example/?q=1&token=abc&sort=x#t", f"https://a.example/?q=1&token={MASK}&sort=x#t"),
        ("https://u:p@a.example/?token=", "https://a.example/?token="),
        ("https://a.example/x?y=%20z&flag", "https://a.example/x?y=%20z&flag"),
        ("https://[bad/?token=abc", "https://[bad/"),
    ],
)
def test_addresses(address: str, redacted: str) -> None:
    assert redact_address(address) == redacted


def test_members_of_what_was_sent() -> None:
    sent = {"user": "a", "password": "b", "deep": [{"apiKey": ["c", ""], "n": 1}], "token": None}
    assert redact_fields(sent) == {
        "user": "a",
        "password": MASK,
        "deep": [{"apiKey": [MASK, ""], "n": 1}],
        "token": None,
    }
