"""Secrets are taken out of texts, archives, records and requests, and nothing else is."""

from __future__ import annotations

import html
import json
import quopri
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from pytest_webbench.agents.config import agent_label
from pytest_webbench.errors import SettingsError
from pytest_webbench.evidence.models import (
    Evidence,
    HistoryEntry,
    ObservedAction,
    PageState,
    Read,
)
from pytest_webbench.evidence.redact import (
    MASK,
    Redactor,
    redact_address,
    redact_fields,
    secrets_in_address,
    secrets_in_command,
    secrets_in_options,
    telltale,
)
from pytest_webbench.run import RunDir, StoredEpisode
from pytest_webbench.run.episode_folder import EpisodeFolder

SECRET = 'p4ss w"örd/<&>='


@pytest.mark.parametrize(
    "write",
    [
        str,
        quote,
        quote_plus,
        html.escape,
        json.dumps,
        lambda text: json.dumps(text, ensure_ascii=False),
    ],
    ids=["plain", "quote", "quote_plus", "html", "json", "json-utf8"],
)
def test_secret_is_found_in_any_quoting(write: object) -> None:
    assert callable(write)
    assert MASK in Redactor([SECRET]).text(f"before {write(SECRET)} after")
    assert "p4ss" not in Redactor([SECRET]).text(f"before {write(SECRET)} after")


@pytest.mark.parametrize("offset", range(60, 80))
def test_secret_across_an_archive_line_break_is_found(offset: int) -> None:
    coded = quopri.encodestring(
        ("x" * offset + html.escape(SECRET, quote=False) + " end").encode()
    ).decode()
    assert (
        quopri.decodestring(Redactor([SECRET]).mhtml(coded)).decode()
        == "x" * offset + MASK + " end"
    )


def test_secret_inside_a_longer_one_leaves_no_remainder() -> None:
    assert Redactor(["hunter2", "hunter2hunter2"]).text("hunter2hunter2!") == f"{MASK}!"


def test_secrets_learnt_by_an_episode_stay_in_it() -> None:
    run = Redactor(["from-env"])
    episode = run.child()
    assert episode.text("typed-in from-env") == f"typed-in {MASK}"
    episode.learn("typed-in", "a")
    assert episode.text("typed-in from-env") == f"{MASK} {MASK}"
    assert run.child().text("typed-in from-env") == f"typed-in {MASK}"


def test_public_and_very_short_passwords_stay_readable() -> None:
    redactor = Redactor()
    redactor.seen_in_the_open("admin")
    for password in ("admin", "abc"):
        redactor.learn(password, "a")
    assert redactor.text("Welcome admin, abc") == "Welcome admin, abc"


def test_secret_typed_letter_by_letter_is_one_secret() -> None:
    redactor = Redactor()
    for typed in ("h", "hunt", "hunte", "hunter2", "swordfish"):
        redactor.learn(typed, "a")
    assert redactor.text("hunt hunter2 swordfish") == f"hunt {MASK} {MASK}"


def test_secrets_are_read_from_the_named_variables() -> None:
    redactor = Redactor.from_environment(
        ["KEY", "UNSET", "EMPTY"], {"KEY": "sk-123456", "EMPTY": "", "OTHER": "other"}
    )
    assert redactor.text("sk-123456 other") == f"{MASK} other"
    with pytest.raises(SettingsError, match="KEY has fewer than 4 characters"):
        Redactor.from_environment(["KEY"], {"KEY": "abc"})


def test_redacted_record_keeps_its_structure() -> None:
    evidence = Evidence(
        answer="it is done, click here",
        page=PageState(url="https://a.example/click", text="done"),
        local_storage={"click": "done"},
        actions=(
            ObservedAction(
                number=1, kind="click", value="click", url_after="https://a.example/done"
            ),
        ),
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
        "kind": "click",
        "value": MASK,
        "url_after": f"https://a.example/{MASK}",
    }
    assert found.ending == evidence.ending
    assert found.reads == {'domExtract {"click": "a"}': Read(value={"click": [MASK], "n": 1})}


def test_record_without_secrets_is_unchanged() -> None:
    evidence = Evidence(answer="x")
    assert Redactor().record(evidence) is evidence


@pytest.mark.parametrize(
    "name",
    [
        "token",
        "access_token",
        "user[password]",
        "apiKey",
        "api-key",
        "key",
        "sid",
        "X-CSRF-Token",
        "sessionId",
    ],
)
def test_names_of_secret_fields(name: str) -> None:
    assert telltale(name)


@pytest.mark.parametrize(
    "name",
    ["q", "sort_key", "keyword", "author", "page", "passengers", "pinned", "tokens_used_for"],
)
def test_names_of_ordinary_fields(name: str) -> None:
    assert not telltale(name)


@pytest.mark.parametrize(
    ("address", "redacted"),
    [
        (
            "https://a.example/?q=1&token=abc&sort=x#t",
            f"https://a.example/?q=1&token={MASK}&sort=x#t",
        ),
        ("https://u:p@a.example/?token=", "https://a.example/?token="),
        ("https://a.example/x?y=%20z&flag", "https://a.example/x?y=%20z&flag"),
        ("https://[bad/?token=abc", "https://[bad/"),
    ],
)
def test_secrets_in_addresses(address: str, redacted: str) -> None:
    assert redact_address(address) == redacted


def test_secrets_in_sent_data() -> None:
    sent = {"user": "a", "password": "b", "deep": [{"apiKey": ["c", ""], "n": 1}], "token": None}
    assert redact_fields(sent) == {
        "user": "a",
        "password": MASK,
        "deep": [{"apiKey": [MASK, ""], "n": 1}],
        "token": None,
    }


# -- what users write, and addresses ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "secrets"),
    [
        (["prog", "--api-key", "sk-12345"], {"sk-12345"}),
        (["prog", "--token=abcdef"], {"abcdef"}),
        (["env", "MODEL_API_KEY=sk-12345", "prog"], {"sk-12345"}),
        (["curl", "-H", "Authorization: Bearer sk-12345"], {"sk-12345"}),
        (["curl", "-H", "X-Api-Key: sk-12345"], {"sk-12345"}),
        (["prog", "--url", "https://me:hunter22@host/x"], {"hunter22"}),
        (["prog", "https://host/?access_token=tok98765"], {"tok98765"}),
        (["prog", "--password", "--verbose"], set()),
        (["prog", "--model", "gpt-4", "--max-tokens", "4000"], set()),
        (["prog", "--sort-key=name", "a=b"], set()),
    ],
)
def test_secrets_of_a_command_line(words: list[str], secrets: set[str]) -> None:
    assert set(secrets_in_command(words)) == secrets
    assert set(secrets_in_options({"command": words})) == secrets


def test_secrets_of_options() -> None:
    options = {
        "model": "gpt-4",
        "options": {"api_key": "sk-12345", "nested": [{"password": "hunter22"}], "token": True},
        "proxy": "http://me:proxypass@host",
    }
    assert set(secrets_in_options(options)) == {"sk-12345", "hunter22", "proxypass"}


@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        ("https://shop.test/?access_token=tok98765&q=lamps", {"tok98765"}),
        ("https://shop.test/#id_token=tok98765", {"tok98765"}),
        ("https://shop.test/?csrf=a1b2c3d4e5", {"a1b2c3d4e5"}),
        ("https://shop.test/?key=lamps2024", set()),
        ("https://shop.test/?token=lamps", set()),
        ("https://shop.test/?q=token12345", set()),
        ("https://[broken", set()),
    ],
)
def test_secrets_of_an_address(url: str, secrets: set[str]) -> None:
    assert set(secrets_in_address(url)) == secrets


def test_users_in_addresses_are_masked_without_any_known_secret() -> None:
    redactor = Redactor()
    shown = "https://[redacted]@shop.test/a?b=c@d"
    assert redactor.text("https://me:pw@shop.test/a?b=c@d") == shown
    assert redactor.text("see https://me@shop.test/ and a@b.test") == (
        "see https://[redacted]@shop.test/ and a@b.test"
    )
    evidence = Evidence(history=(HistoryEntry(url="https://me:pw@shop.test/"),))
    assert redactor.record(evidence).history[0].url == "https://[redacted]@shop.test/"
    assert redactor.text("https://shop.test/@me/post") == "https://shop.test/@me/post"


def test_lines_written_before_a_secret_was_known_lose_it(tmp_path: Path) -> None:
    folder = EpisodeFolder(tmp_path / "partial", tmp_path / "final", Redactor())
    (tmp_path / "partial").mkdir()
    folder.log("typed 1234 of hunter22")
    folder.note('{"at": 0.1234, "said": "hunter22 and 1234"}')
    folder.step(ObservedAction(number=1234, kind="type", value="hunter22", url="https://a.test/"))
    folder.secret("hunter22", "a")
    folder.secret("1234", "b")
    folder.step(
        ObservedAction(number=2, kind="navigate", url="https://a.test/?access_token=tok98765")
    )
    path = folder.commit()
    for name in ("agent.log", "agent.jsonl", "steps.jsonl"):
        text = (path / name).read_text()
        assert "hunter22" not in text, name
        assert "tok98765" not in text, name
    assert '"at": 0.1234' in (path / "agent.jsonl").read_text()
    assert StoredEpisode(path).steps()[0].number == 1234


def test_run_json_holds_no_secret(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "run", Redactor(["sk-12345"]))
    run.plan([], {"options": {"agents": ["command:prog --api-key sk-12345"]}})
    assert "sk-12345" not in (tmp_path / "run" / "run.json").read_text()


def test_label_of_an_agent_holds_no_secret() -> None:
    label = agent_label("command:prog --api-key sk-12345 --fast")
    assert label == "prog---api-key---fast"


def test_thousands_of_secrets_are_found_in_large_texts() -> None:
    redactor = Redactor()
    for number in range(2_000):
        redactor.learn(f"password-{number}", f"field {number}")
    page = "<p>words and words</p>\r\n" * 20_000
    text = f"{page}password-7 {quote('password-1999')} {page}"
    assert redactor.text(text) == f"{page}{MASK} {MASK} {page}"
    archive = f"{page}pass=\r\nword-7{page}"
    assert redactor.mhtml(archive) == f"{page}{MASK}{page}"
