"""Masks secrets in everything that is logged or shown: hub tokens, bearer headers, our own token.

A token that a library prints would otherwise end in a log, a bug report or on a page. The engine's
log handler and the log verb of the API send every text through here.
"""

import logging
import re

MASK = "***"

_SECRETS = re.compile(
    r"""hf_[A-Za-z0-9]{20,}
      | (?<=bearer[ ])["']?[A-Za-z0-9._~+/=-]{8,}["']?
      | (?<=TAILOR_TOKEN=)\S+
      | (?<=[?&]token=)[^\s"'&]+""",
    re.IGNORECASE | re.VERBOSE,
)


def mask_secrets(text: str) -> str:
    """`text` with every secret replaced by three stars."""
    return _SECRETS.sub(MASK, text)


class MaskingFormatter(logging.Formatter):
    """Formats a log record, traceback included, and masks what comes out."""

    def format(self, record: logging.LogRecord) -> str:
        """The finished line; masked last, because a traceback is joined in here."""
        return mask_secrets(super().format(record))
