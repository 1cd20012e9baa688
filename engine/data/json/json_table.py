"""JSON or JSON Lines as a table: opened, with its choices and with what was noticed.

`text_table` hands text on to here when it begins like JSON.
"""

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as Lookup
from pathlib import Path
from typing import BinaryIO

from tailor.engine.data.counted import count_words, list_places
from tailor.engine.data.json.json_roots import WHOLE
from tailor.engine.data.json.json_rows import JsonForm, read_json, survey_json
from tailor.engine.data.read_row import Tally
from tailor.engine.data.table import Table
from tailor.engine.data.text.encoding import TextEncoding
from tailor.engine.data.text.text_findings import find_damage, find_line_difference
from tailor.engine.data_types import ReadChoice
from tailor.engine.findings import Finding

_KINDS = {"list": "JSON", "lines": "JSON Lines", "object": "JSON"}
_WORDS = {"list": "JSON list", "lines": "JSON Lines", "object": "JSON object"}
_LONG_NAMES = {"list": "a list", "lines": "one object a line", "object": "one object"}


def open_json(
    file: BinaryIO,
    encoding: TextEncoding,
    first_lines: list[str],
    name: str,
    choices: Lookup[str, str],
) -> Table:
    """Open a text that begins like JSON; raises when it is none."""
    form = survey_json(file, encoding, first_lines, choices)
    tally = Tally()
    barren: Counter[str] = Counter()

    def findings() -> Iterator[Finding]:
        yield from encoding.findings
        yield from form.findings
        yield from _findings(form, tally, barren)

    where = next(root.words for root in form.roots if root.id == form.root)
    words = _WORDS[form.form] + (f", at {where}" if where else "")
    root_choices = (_root_choice(form, is_asked="root" in choices),) if len(form.roots) > 1 else ()
    return Table(
        kind=_KINDS[form.form],
        words=f"{words}, {encoding.words}",
        columns=form.columns,
        rows=read_json(file, encoding, form, tally, barren),
        tally=tally,
        entry_word="line" if form.form == "lines" else "entry",
        findings=findings,
        choices=(*root_choices, *encoding.choices),
        note=_false_name(form, name),
    )


def _root_choice(form: JsonForm, *, is_asked: bool) -> ReadChoice:
    whole = "The whole object is one row" if form.form == "object" else "Each entry is a row"
    options = []
    for root in form.roots:
        if root.id == WHOLE:
            options.append((root.id, whole))
        else:
            more = " or more" if form.form != "object" else ""
            options.append((root.id, f"{root.words}: {count_words(root.rows, 'row')}{more}"))
    if is_asked:
        why = "You chose it."
    elif form.root == WHOLE:
        why = "Nothing inside it looks more like rows."
    else:
        why = (
            "These entries ask and answer."
            if form.form != "object"
            else ("It is the largest table in this file.")
        )
    return ReadChoice(
        id="root",
        title="Where the rows stand",
        value=form.root,
        options=tuple(options),
        why=why,
    )


def _findings(form: JsonForm, tally: Tally, barren: Counter[str]) -> Iterator[Finding]:
    yield from find_damage(tally)
    if form.form == "lines" and form.root == WHOLE:
        headings = " and the headings" if form.has_headings else ""
        yield from find_line_difference(tally, headings, [])
    if barren:
        number = sum(barren.values())
        yield Finding(
            level="warn",
            title=f"{number:,} entries hold no row",
            detail=f"The rows stand at “{form.root}”; {number:,} entries have nothing there.",
            fix="Choose another place for the rows if these entries matter.",
            where=list_places(list(barren)[:100], number),
        )
    if tally.duplicate_keys:
        yield Finding(
            level="warn",
            title="Field names that come twice",
            detail=f"In {tally.duplicate_keys:,} places an entry names a field twice; the last "
            "value was taken.",
            fix="Export the file again with different names.",
        )


def _false_name(form: JsonForm, name: str) -> str:
    suffix = Path(name).suffix.lower()
    if suffix in (".csv", ".tsv", ".xlsx", ".txt", ".md"):
        return f"It is called {suffix}, but holds JSON; it was read as that."
    if suffix == ".json" and form.form == "lines":
        return "It is called .json, but holds one object a line; it was read as JSON Lines."
    if suffix in (".jsonl", ".ndjson") and form.form != "lines":
        return f"It is called {suffix}, but holds {_LONG_NAMES[form.form]}; it was read as that."
    return ""
