"""Native files from models: what is written here is read back as the very same task or suite."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from .models import Suite, Task


class _Dumper(yaml.SafeDumper):
    """Quotes a text that YAML 1.1 or our own reader could take for something else; numbers with an exponent, say."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True  # aliases are refused by our reader


_Dumper.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$"),
    list("-+.0123456789"),
)


def task_text(task: Task) -> str:
    """The task file of ``task``; what has its default is left out."""
    data = task.model_dump(mode="json", exclude_defaults=True)
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def suite_text(suite: Suite) -> str:
    """The ``suite.toml`` of ``suite``; what has its default is left out."""
    data = suite.model_dump(mode="json", exclude_defaults=True)
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    lines = [f"{key} = {_toml(value)}" for key, value in data.items() if key not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items() if value is not None)]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Texts, numbers and lists look in TOML as in JSON, but for a character that JSON leaves as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", r"\u007f")
