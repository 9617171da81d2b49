"""Native files from models; what is written here is read back as the same task or suite."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import yaml

from .models import Suite, Task

_ODD_BREAKS: Final = re.compile("[\x85\u2028\u2029]")


class _Dumper(yaml.SafeDumper):
    """Quotes texts that YAML 1.1 or our own reader could take for something else: ``1e5``."""

    def ignore_aliases(self, data: Any) -> bool:
        # Our reader refuses aliases, so equal values are written out each time.
        del data
        return True


_Dumper.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$"),
    list("-+.0123456789"),
)


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    # PyYAML writes these line breaks between single quotes, from which they are read as spaces.
    style = '"' if _ODD_BREAKS.search(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def task_text(task: Task) -> str:
    """The task file of ``task``; what has its default is left out."""
    data = task.model_dump(mode="json", exclude_defaults=True)
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def suite_text(suite: Suite) -> str:
    """The ``suite.toml`` of ``suite``; what has its default is left out."""
    data = suite.model_dump(mode="json", exclude_defaults=True)
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    lines = [f"{key} = {toml_value(value)}" for key, value in data.items() if key not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]"]
        for key, value in table.items():
            if value is not None:
                lines.append(f"{key} = {toml_value(value)}")
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    """A text, a number or a list as TOML writes it."""
    # Texts, numbers and lists look in TOML as in JSON, but for a character that JSON leaves as is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", r"\u007f")
