"""Tables drawn in Markdown, as pasted from chats: bars around cells, dashes below the names.

To the separator count such a table has two columns too many and a row of dashes. Its lines are
turned into the separated form before anything else looks at them. `text_table` asks here first.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

_RULE = re.compile(r"\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?)?")
_RULE_CHARACTERS = 10_000
_BAR = re.compile(r"(?<!\\)\|")


def is_drawn_table(lines: Sequence[str]) -> bool:
    """Whether the written lines are one drawn table and nothing else."""
    written = [line for line in lines if line.strip()]
    return len(written) > 2 and is_rule(written[1]) and all("|" in line for line in written)


def is_rule(line: str) -> bool:
    """Whether a line is the row of dashes that stands below the names."""
    return len(line) < _RULE_CHARACTERS and _RULE.fullmatch(line.strip()) is not None


def redraw(lines: Iterable[str]) -> Iterator[str]:
    """The same lines with bars between quoted cells only; the row of dashes is a blank line."""
    for line in lines:
        text = line.strip()
        if not text or is_rule(text):
            yield "\n"
            continue
        inner = text.removeprefix("|")
        if inner.endswith("|") and not inner.endswith("\\|"):
            inner = inner[:-1]
        cells = [cell.strip().replace("\\|", "|") for cell in _BAR.split(inner)]
        buffer = io.StringIO()
        csv.writer(buffer, delimiter="|", lineterminator="\n", quoting=csv.QUOTE_ALL).writerow(
            cells
        )
        yield buffer.getvalue()
