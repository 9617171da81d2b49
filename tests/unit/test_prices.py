"""What a model costs: by the user's word, else by kept prices, else nobody knows."""

from __future__ import annotations

import pytest

from pytest_webbench._usage import Usage
from pytest_webbench.agents.options import Price, Service
from pytest_webbench.agents.prices import KeptPrice
from pytest_webbench.agents.registry import BuildContext

USAGE = Usage(calls=1, input_tokens=1_000_000, output_tokens=100_000)
OPENAI = Service(url="https://api.openai.com/v1", model="gpt-4o")
OWN = Service(url="http://127.0.0.1:8000/v1", model="org/model-8b")


def test_kept_price_of_a_known_model() -> None:
    pytest.importorskip("genai_prices")
    cost = KeptPrice(OPENAI).of(USAGE)
    assert cost is not None
    assert 0.5 < cost < 50


def test_model_of_ones_own_has_no_kept_price() -> None:
    assert KeptPrice(OWN).of(USAGE) is None


def test_price_of_the_user_counts_first() -> None:
    build = BuildContext(name="a", prices={"gpt-4o": Price(input=1, output=10)})
    assert build.price(OPENAI).of(USAGE) == 2.0
    assert build.price(OWN).of(USAGE) is None
