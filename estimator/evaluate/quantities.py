"""Whole numbers in a file of measurements, read without guessing.

"4", "4.0", "4,096" and " 8 " are numbers; "4-8", "auto" and "-1" are not, and a row that carries
them is refused. `rows.py` reads cards, lengths and batches here, the report measured values.
"""

import math
import re

from tailor.estimator.evaluate.refused import RefusalError

LARGEST_COUNT = 10**7
"""No length, batch or step of a real run is larger; a larger one is a slip of the pen."""
THOUSANDS = re.compile(r"^\d{1,3}(,\d{3})+(\.\d+)?$")


def read_count(words: str, name: str, *, most: int = LARGEST_COUNT) -> int | None:
    """A whole number from 1 to `most`, None where nothing is written."""
    if words.strip().lower() in ("", "none"):
        return None
    number = read_number(words, name)
    if number != round(number) or not 1 <= number <= most:
        raise RefusalError("bad_number", f"{name} is {words!r}.")
    return round(number)


def read_number(words: str, name: str) -> float:
    """A finite number."""
    text = words.strip()
    if THOUSANDS.match(text):
        text = text.replace(",", "")
    try:
        number = float(text)
    except ValueError:
        raise RefusalError("bad_number", f"{name} is {words!r:.60}.") from None
    if not math.isfinite(number):
        raise RefusalError("bad_number", f"{name} is {words!r}.")
    return number
