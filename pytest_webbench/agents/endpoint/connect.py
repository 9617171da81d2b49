"""Opens the endpoint that an agent's options describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ..base import AgentContext
from ..detached import detached_context
from ..options import Service
from ..registry import BuildContext
from .stored import REPLIES, StoredReplies
from .transport import Endpoint

_CHECK_SECONDS: Final = 30.0
"""Longest wait for one reply in a check before the first episode."""


def open_endpoint(
    service: Service,
    build: BuildContext,
    context: AgentContext | None = None,
    *,
    timeout: float = 60.0,
    headers: Mapping[str, str] | None = None,
    key_header: str = "authorization",
) -> Endpoint | StoredReplies:
    """A connection to ``service``, which the caller has to close.

    ``timeout`` is for one try, in seconds. ``context`` is that of the episode; None outside of one.
    ``key_header`` is for services that do not take the key as a bearer token, such as
    ``x-api-key``. `SettingsError` if the key's variable is not set. With the service's ``replies``,
    what it replies is kept in files, or comes from there and nothing is asked.
    """
    context = context or detached_context()
    keep = _stored(service, build)
    if service.replies == "replay":
        return keep(None)
    endpoint = Endpoint(
        service.url,
        key=build.key(service),
        key_header=key_header,
        headers=headers,
        timeout=timeout if build.patient else min(timeout, _CHECK_SECONDS),
        backoff=context.backoff,
        tries=3 if build.patient else 2,
        on_wait=context.on_wait,
        name=build.name,
    )
    return keep(endpoint) if service.replies == "record" else endpoint


def _stored(service: Service, build: BuildContext) -> Callable[[Endpoint | None], StoredReplies]:
    folder = build.root / REPLIES
    return lambda endpoint: StoredReplies(
        service.url, folder, name=build.name, seed=build.seed, endpoint=endpoint
    )
