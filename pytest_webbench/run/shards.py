"""Shards: parts of a plan that are run by themselves, on machines that know nothing of each other."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Final

from ..errors import SettingsError
from .ledger import ItemKey

MOST: Final = 10_000
_FORM: Final = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part ``index`` of ``count``, counted from 1. Which items it holds depends on each item's key alone."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """From ``i/N``."""
        found = _FORM.fullmatch(text)
        shard = cls(int(found[1]), int(found[2])) if found else None
        if shard is None or not 1 <= shard.index <= shard.count <= MOST:
            raise SettingsError(f"shard {text!r}: use i/N with i from 1 to N, such as 1/4, and N up to {MOST}")
        return shard

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    def holds(self, key: ItemKey) -> bool:
        """Whether this part is to run the item."""
        return shard_of(key, self.count) == self.index


def shard_of(key: ItemKey, count: int) -> int:
    """The part, from 1, that an item is in: the same on every machine, whatever other items there are."""
    name = json.dumps(list(key), ensure_ascii=False, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:8], "big") % count + 1


def shard_facts(before: dict[str, Any], shard: Shard | None, whole: list[ItemKey]) -> dict[str, Any]:
    """What ``run.json`` says of shards: which one this is, and the whole plan, so that a merge can tell what lacks.

    `SettingsError` if the run was another shard before, or none.
    """
    known = before.get("shard")
    if before and (known is None) != (shard is None):
        was = f"shard {known['index']}/{known['count']}" if known else "no shard"
        raise SettingsError(
            f"run {before.get('tag')} is {was}, and --webbench-shard is {shard or 'not given'}: take another tag"
        )
    if shard is None:
        return {}
    if known and (known["index"], known["count"]) != (shard.index, shard.count):
        raise SettingsError(
            f"run {before.get('tag')} is shard {known['index']}/{known['count']}, not {shard}: give every shard a tag "
            f"of its own, such as --webbench-run {before.get('tag')}-{shard.index}"
        )
    keys = {ItemKey(*key) for key in (known or {}).get("plan", [])} | set(whole)
    return {"shard": {"index": shard.index, "count": shard.count, "plan": [list(key) for key in sorted(keys)]}}
