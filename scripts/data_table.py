"""A table over every file of a folder: what each is, how it was read, what was found.

`python scripts/data_table.py FOLDER` prints Markdown. It shows at a glance whether any file of a
collection is read wrongly or brings a reader down; the exit code is 1 when one did. Each file goes
the way of `python app.py data check`, in a child of its own.
"""

import sys
import tempfile
import traceback
from pathlib import Path

# The checkout must never be importable by its bare folder names (docs/decisions/0001).
HERE = Path(__file__).resolve().parent
sys.path[:] = [
    entry for entry in sys.path if Path(entry or ".").resolve() not in (HERE, HERE.parent)
]

from tailor.engine.data.making.mapping import columns_of  # noqa: E402
from tailor.engine.data.one_look import look_at  # noqa: E402
from tailor.engine.data_types import DatasetRecord  # noqa: E402
from tailor.ui.terminal.data import printable  # noqa: E402

HEADINGS = ("file", "kind", "rows read", "rows there", "shape", "mapping", "findings")


def main(arguments: list[str]) -> int:
    """Print the table; 0 when no file brought a reader down."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("Say which folder: python scripts/data_table.py FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    crashed = []
    print(table_line(HEADINGS))
    print("|".join(["", *("---" for _ in HEADINGS), ""]))
    for path in files:
        cells, is_whole = describe_file(path)
        print(table_line((str(path.relative_to(folder)), *cells)), flush=True)
        if not is_whole:
            crashed.append(path)
    for path in crashed:
        print(f"A reader was brought down by {path.relative_to(folder)}.", file=sys.stderr)
    return 1 if crashed else 0


def describe_file(path: Path) -> tuple[tuple[str, ...], bool]:
    """The cells of a file's line, and whether everything went as it should."""
    with tempfile.TemporaryDirectory() as work:
        try:
            record = look_at([path], Path(work), lambda share, words: None)
        except Exception:
            # A bug of ours: the table goes on, and the exit code tells.
            traceback.print_exc()
            return ("", "", "", "", "", "CRASH"), False
        is_whole = True
        for log in Path(work).rglob("child.log"):
            printed = log.read_text("utf-8", "replace")
            if "Traceback" in printed:
                print(printed, file=sys.stderr)
                is_whole = False
    return describe_record(record), is_whole


def describe_record(record: DatasetRecord) -> tuple[str, ...]:
    """Kind, rows, shape, mapping and findings of what was read."""
    told = [f"{finding.level}: {finding.title}" for finding in record.findings]
    if record.problem is not None:
        told.insert(0, f"refused: {record.problem.title}. {record.problem.detail}")
    guess = record.guesses[0] if record.guesses else None
    return (
        record.kind,
        f"{record.rows:,}" if record.rows else "",
        f"{record.physical_rows:,}" if record.rows else "",
        f"{guess.mapping.shape} ({guess.confidence:.0%})" if guess else "",
        ", ".join(f"{part}: {name}" for part, name in columns_of(guess.mapping).items())
        if guess
        else "",
        "; ".join(told),
    )


def table_line(cells: tuple[str, ...]) -> str:
    """A line of a Markdown table; what stands in a file cannot break it."""
    return f"| {' | '.join(printable(cell).replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
