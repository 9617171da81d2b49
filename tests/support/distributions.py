"""Distributions that offer entry points, made for one test: a folder on ``sys.path`` is enough."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest


def offer(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    entry_points: Mapping[str, Mapping[str, str]],
    *,
    name: str = "acme",
    **modules: str,
) -> None:
    """Install a distribution ``name`` with these entry points, by group, and these modules.

    >>> offer(tmp_path, monkeypatch, {"pytest_webbench.worlds": {"mars": "acme_mars:Mars"}},
    ...       acme_mars="class Mars: ...")
    """
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = [
        "\n".join([f"[{group}]", *(f"{key} = {value}" for key, value in offered.items())])
        for group, offered in entry_points.items()
    ]
    (info / "entry_points.txt").write_text("\n\n".join(groups) + "\n")
    for module, source in modules.items():
        (folder / f"{module}.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
