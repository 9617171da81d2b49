"""What models of task and suite files share: strictness, addresses, ids and tags."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from .._url import is_web_address


class Model(BaseModel):
    """Base of everything in a task or suite file.

    Unknown keys are refused, so that a typo is an error and never a silent default.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _web_address(url: str) -> str:
    if not is_web_address(url):
        raise ValueError("must be an http:// or https:// address")
    return url


def _not_a_folder_mark(name: str) -> str:
    # Episode folders are named after tasks; such an id would look like another repeat or attempt.
    if re.search(r"\.(?:r\d+|s\d+|partial|attempt\d+)$", name):
        raise ValueError("must not end in .r<number>, .s<number>, .attempt<number> or .partial")
    return name


def _host_name(host: str) -> str:
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", host):
        raise ValueError("must be a host name in small letters, such as docs.shop.example")
    return host


Host = Annotated[str, AfterValidator(_host_name)]
Url = Annotated[str, AfterValidator(_web_address)]
TaskId = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,99}$"), AfterValidator(_not_a_folder_mark)
]
Tag = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,49}$")]


def mark_name(text: str) -> str:
    """``text`` as a pytest mark: letters, digits and underscores."""
    return re.sub(r"\W+", "_", text).strip("_").lower() or "unnamed"
