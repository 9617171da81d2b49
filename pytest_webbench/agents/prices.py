"""Prices that others keep up to date: those of the package ``genai-prices``, if it is installed."""

from __future__ import annotations

from typing import Protocol

from .._usage import Usage
from .options import Service


class Pricing(Protocol):
    """What a model costs."""

    def of(self, usage: Usage) -> float | None:
        """The cost of ``usage`` in US dollars; None if it is not known."""


class KeptPrice:
    """The price of a model at its provider, as the installed ``genai-prices`` knows it."""

    def __init__(self, service: Service) -> None:
        self._model, self._url = service.model, service.url

    def of(self, usage: Usage) -> float | None:
        """The cost of ``usage`` in US dollars; None if model or provider are not known."""
        try:
            # An extra, and slow to import: its prices of all models come with it.
            from genai_prices import Usage as Tokens
            from genai_prices import calc_price  # likewise
        except ImportError:
            return None
        tokens = Tokens(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
        try:
            price = calc_price(tokens, self._model, provider_api_url=self._url)
        except (LookupError, ValueError):
            return None
        return float(price.total_price)
