"""Options that agents of all types share: the keys of a table ``[agents.<name>]``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from .._usage import Usage
from ..errors import SettingsError

VARIABLE_NAME: Final = r"^[A-Za-z_][A-Za-z0-9_]*$"
KEY_OF_HOST: Final = {
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.openai.com": "OPENAI_API_KEY",
    "api.typesafe.ai": "TYPESAFE_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
}
"""The variable in which each service's documentation keeps the key; used if the user names none."""
_INLINE: Final = re.compile(r"(?P<model>\S+?)@(?P<url>https?://\S+)")


class AgentOptions(BaseModel):
    """Keys that the table of every agent may have. Agent types derive their options from it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: str
    parallel: int | None = Field(
        None,
        ge=1,
        strict=True,
        description="episodes at a time, over all workers of this machine and all agents of "
        "the same endpoint and model",
    )

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """The options that ``rest`` stands for in ``type:rest`` on the command line."""
        raise SettingsError(f"{rest!r}: agents of this type need a table in webbench.toml")

    def secret_names(self) -> Iterable[str]:
        """Variables, besides the keys of services, whose values must not reach any file."""
        return ()


class Service(BaseModel):
    """A model behind an endpoint."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(description="base address, such as https://api.openai.com/v1")
    model: str = Field(min_length=1, description="what the service calls the model")
    key: str | None = Field(
        None,
        pattern=VARIABLE_NAME,
        description="NAME of the environment variable that holds the key",
    )

    replies: Literal["record", "replay"] | None = Field(
        None, description="record: keep each reply on file; replay: ask nothing, reply from there"
    )

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        return base_address(url)

    @property
    def key_name(self) -> str | None:
        """The variable that holds the key: the one that was named, else the service's usual one."""
        return self.key or KEY_OF_HOST.get(urlsplit(self.url).hostname or "")


class ModelOptions(AgentOptions, Service):
    """Options of an agent with a model behind an endpoint; inline as ``type:model@url``."""

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``model@https://host/v1``."""
        found = _INLINE.fullmatch(rest)
        if found is None:
            raise SettingsError(f"{rest!r}: write model@url, such as my-model@https://host/v1")
        return found.groupdict()


class Price(BaseModel):
    """Prices of a model, in US dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)

    def of(self, usage: Usage) -> float:
        """The cost of ``usage`` in US dollars."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000


def base_address(url: str) -> str:
    """``url`` without a slash at its end; `ValueError` if no path can be appended to it.

    Secrets in an address would end up in files and messages, so there must be none.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port  # is parsed only now, and may be no number
    except ValueError as error:
        raise ValueError(f"is not a valid address ({error})") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must begin with http:// or https:// and name a host")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError(
            "must not contain a user, password, query or fragment; "
            "put a key or token into an environment variable"
        )
    return url.rstrip("/")
