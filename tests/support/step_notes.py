"""A step sink for tests."""

from __future__ import annotations

from pytest_webbench.evidence.models import ObservedAction


class Notes:
    """Keeps in memory what a session reports."""

    def __init__(self) -> None:
        self.steps: dict[int, ObservedAction] = {}
        self.shots: list[int] = []
        self.secrets: list[str] = []
        self.open: list[str] = []

    def step(self, action: ObservedAction) -> None:
        assert action.number == len(self.steps) + 1
        self.steps[action.number] = action

    def step_changed(self, action: ObservedAction) -> None:
        self.steps[action.number] = action

    def secret(self, value: str, field: str) -> None:
        self.secrets.append(value)

    def shown(self, value: str) -> None:
        self.open.append(value)

    def shot(self, number: int, jpeg: bytes, url: str, width: int) -> None:
        assert jpeg.startswith(b"\xff\xd8")
        self.shots.append(number)
