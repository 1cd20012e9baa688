"""Secrets are masked in every text that leaves for a log or a page."""

import logging

import pytest

from tailor.engine.secrets import MaskingFormatter, mask_secrets

TOKEN = "hf_" + "Ab3" * 12


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"token {TOKEN} used", "token *** used"),
        ("Authorization: Bearer abc.def-123", "Authorization: Bearer ***"),
        ("authorization: bearer 'quoted01'", "authorization: bearer ***"),
        ("GET /?token=s3cret&step=2", "GET /?token=***&step=2"),
        ("hf_short and a bearer of news", "hf_short and a bearer of news"),
        ("nothing to hide", "nothing to hide"),
    ],
)
def test_secrets_become_stars(text: str, masked: str) -> None:
    assert mask_secrets(text) == masked


def test_a_logged_traceback_is_masked_too() -> None:
    try:
        raise ValueError(f"refused {TOKEN}")
    except ValueError as error:
        told = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "it broke", (), told)

    line = MaskingFormatter("%(message)s").format(record)

    assert "it broke" in line
    assert "ValueError" in line
    assert TOKEN not in line
