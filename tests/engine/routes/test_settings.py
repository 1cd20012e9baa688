"""Prices over the real engine: one noun an owner."""

from pathlib import Path

import pytest

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.settings import Settings


def test_prices_are_kept_and_nobody_else_sees_them(home: Path, client: EngineClient) -> None:
    told = Settings(per_card_hour=1.9, currency="USD")
    assert client.settings() == Settings()
    assert client.save_settings(told) == client.settings() == told
    other = EngineClient(home, owner="bob")
    assert other.settings() == Settings()
    other.close()


def test_a_negative_price_is_refused_in_words(client: EngineClient) -> None:
    with pytest.raises(UserError, match="from 0 to"):
        client.save_settings(Settings(per_kwh=-1.0, currency="EUR"))
