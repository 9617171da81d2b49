"""Replies on file: a run with a model can be repeated without the model, byte by byte."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from ..._files import read_within, write_atomically
from ..._json import canonical_json
from ...errors import EndpointError, SettingsError, StoreError
from .replies import may_pass
from .transport import Endpoint

REPLIES: Final = "replies"
"""Folder beside ``webbench.toml``, with one folder for each agent."""
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.+@-]+")
_NAME_LENGTH: Final = 32


class StoredReplies:
    """A `JsonService` whose replies are kept in a folder, or come from there.

    With an ``endpoint`` that is asked, and what it replies is kept; without, nothing is asked. A
    request that is repeated within an episode has a file for each time. The ``seed`` tells repeats
    apart. Refusals are kept, too: clients learn from them what a service takes.
    """

    def __init__(
        self, url: str, folder: Path, *, name: str, seed: int, endpoint: Endpoint | None
    ) -> None:
        self.url = url.rstrip("/")
        self.seconds = 0.0
        self._folder = folder / (_UNFIT.sub("-", name) or "agent")
        self._name, self._seed, self._endpoint = name, seed, endpoint
        self._times: Counter[str] = Counter()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The reply on file or, while recording, the service's.

        `SettingsError` if none is on file: what is asked has changed since it was recorded.
        """
        digest = self._digest(path, body)
        self._times[digest] += 1
        name = f"{digest}.{self._times[digest]}.json"
        if self._endpoint is None:
            return self._replayed(name, body)
        return self._recorded(self._endpoint, name, path, body)

    def _digest(self, path: str, body: dict[str, Any]) -> str:
        asked = canonical_json({"path": path, "body": body, "seed": self._seed})
        return hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()[:_NAME_LENGTH]

    def _recorded(self, endpoint: Endpoint, name: str, path: str, body: dict[str, Any]) -> Any:
        kept: dict[str, Any] = {"model": body.get("model"), "number": self._times.total()}
        try:
            reply = endpoint.post(path, body)
        except EndpointError as error:
            if error.status and not may_pass(error.status):
                self._keep(name, kept | {"refusal": str(error), "status": error.status})
            raise
        self.seconds = endpoint.seconds
        self._keep(name, kept | {"reply": reply, "seconds": round(self.seconds, 3)})
        return reply

    def _keep(self, name: str, content: dict[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        write_atomically(self._folder / name, text, flush=False)

    def _replayed(self, name: str, body: dict[str, Any]) -> Any:
        try:
            content = read_within(self._folder, name)
            kept = json.loads(content) if content is not None else None
        except (StoreError, ValueError) as error:
            raise SettingsError(f"agent {self._name!r}: {self._folder / name}: {error}") from error
        if kept is None:
            raise SettingsError(self._missing(name, body))
        if not isinstance(kept, dict):
            raise SettingsError(f"agent {self._name!r}: {self._folder / name} holds no reply")
        self.seconds = float(kept.get("seconds", 0.0))
        if "refusal" in kept:
            raise EndpointError(str(kept["refusal"]), status=int(kept["status"]))
        return kept.get("reply")

    def _missing(self, name: str, body: dict[str, Any]) -> str:
        models = sorted(self._models())
        told = f"question {self._times.total()} of this episode, to the model {body.get('model')}"
        advice = 'record anew with replies = "record"'
        if not models:
            return f"agent {self._name!r}: no replies are on file in {self._folder}; {advice}"
        return (
            f"agent {self._name!r}: no reply is on file for {told} ({self._folder / name}). On "
            f"file are replies of {', '.join(models)}. The task, the prompt, the model or its "
            f"options have changed since, or the pages have; {advice}"
        )

    def _models(self) -> set[str]:
        found = set()
        for file in self._folder.glob("*.json"):
            try:
                found.add(str(json.loads(file.read_bytes()).get("model")))
            except (OSError, ValueError, AttributeError):
                continue
        return found

    def close(self) -> None:
        """Close the connections to the service."""
        if self._endpoint is not None:
            self._endpoint.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
