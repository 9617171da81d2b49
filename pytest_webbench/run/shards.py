"""Shards: parts of a plan that run on machines which know nothing of each other."""

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
    """Part ``index`` of ``count``, from 1. Whether it holds an item depends on its key alone."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """From ``i/N``; `SettingsError` if it makes no sense."""
        found = _FORM.fullmatch(text)
        shard = cls(int(found[1]), int(found[2])) if found else None
        if shard is None or not 1 <= shard.index <= shard.count <= MOST:
            raise SettingsError(
                f"shard {text!r}: use i/N with i from 1 to N, such as 1/4, and N up to {MOST}"
            )
        return shard

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    def holds(self, key: ItemKey) -> bool:
        """Whether this part is to run the item."""
        return shard_of(key, self.count) == self.index


def shard_of(key: ItemKey, count: int) -> int:
    """The part, from 1, that an item is in: the same on every machine, whatever else is planned."""
    # As JSON, so that no two keys become the same text, whatever characters names hold.
    name = json.dumps(key.as_list(), ensure_ascii=False, separators=(",", ":"))
    # Not hash(): Python salts that anew in every process.
    hashed = hashlib.sha256(name.encode("utf-8", "replace")).digest()
    return int.from_bytes(hashed[:8], "big") % count + 1


def shard_facts(
    before: dict[str, Any], shard: Shard | None, whole: list[ItemKey]
) -> dict[str, Any]:
    """What ``run.json`` says of shards: which one this is, and the whole plan.

    The plan is there so that a merge can tell what is missing. `SettingsError` if the run was
    another shard before, or none.
    """
    known = before.get("shard")
    _refuse_another(before, shard)
    if shard is None:
        return {}
    keys = {ItemKey(*key) for key in (known or {}).get("plan", [])} | set(whole)
    plan = [key.as_list() for key in sorted(keys)]
    return {"shard": {"index": shard.index, "count": shard.count, "plan": plan}}


def _refuse_another(before: dict[str, Any], shard: Shard | None) -> None:
    if not before:
        return
    tag, known = before.get("tag"), before.get("shard")
    if known is None:
        if shard is not None:
            raise SettingsError(
                f"run {tag} is not a shard, but --webbench-shard is {shard}: choose another tag"
            )
        return
    was = f"shard {known['index']}/{known['count']}"
    if shard is None:
        raise SettingsError(
            f"run {tag} is {was}, and --webbench-shard is not given: choose another tag"
        )
    if (known["index"], known["count"]) != (shard.index, shard.count):
        raise SettingsError(
            f"run {tag} is {was}, not {shard}: give every shard a tag of its own, "
            f"such as --webbench-run {tag}-{shard.index}"
        )
