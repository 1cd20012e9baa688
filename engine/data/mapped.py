"""`mapped-<version>.arrow`: the finished examples of a dataset, split, checked and frozen.

Once a person said yes to a finished example, every row goes through the same function as that
example did. The file is written once and named by its hash in every run that uses it. Called in
the engine for small tables and by the child for large ones.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tailor.engine.child import Report
from tailor.engine.data.checks import check_size, check_split
from tailor.engine.data.doctor.doctor import Doctor
from tailor.engine.data.doctor.fixing import apply_fix
from tailor.engine.data.exam import pick_exam, pool_ids
from tailor.engine.data.given_split import Side
from tailor.engine.data.left_out import LeftOut
from tailor.engine.data.making.examples import read_examples
from tailor.engine.data.making.mapping import check_mapping
from tailor.engine.data.mapped_file import MappedRow, write_examples
from tailor.engine.data.mixing import MixedIn, check_mix, choose_mixed, read_mixed, share_out
from tailor.engine.data.report import MapReport, ReadReport
from tailor.engine.data.request import MAPPED_FILE, ROWS_FILE, MapOrder
from tailor.engine.data.rows_file import BATCH_ROWS, open_rows
from tailor.engine.data.split import Split, choose_split
from tailor.engine.data.survey import Survey, survey_rows
from tailor.engine.data_types import SourceCount
from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file


def make_version(
    rows_path: Path, read: ReadReport, order: MapOrder, folder: Path, report: Report
) -> MapReport:
    """The fix that is asked for, then the mapping: new rows and examples in `folder`."""
    check_mapping(order.mapping, read.columns)
    if order.operation is None:
        return write_mapped(rows_path, read, order, folder / MAPPED_FILE, report)
    fixed = folder / ROWS_FILE
    operation = apply_fix(rows_path, read.columns, order.operation, fixed, _part(report, 0, 0.3))
    made = write_mapped(fixed, read, order, folder / MAPPED_FILE, _part(report, 0.3, 1))
    return replace(made, operation=operation)


def write_mapped(
    rows_path: Path, read: ReadReport, order: MapOrder, path: Path, report: Report
) -> MapReport:
    """Map, check and split all rows, write the examples to `path`, and tell what was done."""
    mapping, columns = order.mapping, read.columns
    doctor = Doctor(mapping, columns, read.entry_word, order.extra_checks, rows=read.rows)
    found = survey_rows(rows_path, read, mapping, doctor, _part(report, 0, 0.6))
    if not len(found.candidates):
        raise UserError(
            title="No row makes a finished example",
            detail=_all_left_out(found.left_out),
            fix="Choose other columns, or mend the file and drop it again.",
        )
    report(0.6, "Comparing the rows with one another.")
    split = choose_split(found.candidates, doctor.groups())
    findings = doctor.findings(split)
    mixed = choose_mixed(order, found.candidates, split)
    writer = _Writer(found, split, mixed, _part(report, 0.7, 1))
    writer.write(rows_path, read, order, path)
    sources = share_out(tuple(_sources(order, found.rows_of_part, writer.train_of_part, mixed)))
    held_out = len(split.held_out)
    train = len(found.candidates) - held_out
    return MapReport(
        mapping=mapping,
        train_rows=train,
        held_out_rows=held_out,
        left_out=found.left_out.counts(),
        exam=pick_exam(writer.pool),
        findings=(
            *check_size(train + held_out),
            *check_split(train, held_out, is_given=split.is_given),
            *findings,
            *found.left_out.findings({finding.check for finding in findings}),
            *check_mix(order, sources),
        ),
        content_hash=hash_file(path),
        mixed_rows=sum(len(one.numbers) for one in mixed),
        has_mixed_turns=any(one.has_turns for one in order.mixed),
        sources=sources,
    )


class _Writer:
    """The second way through the rows: writes what is used, and keeps a few for the exam."""

    def __init__(
        self, found: Survey, split: Split, mixed: Sequence[MixedIn], report: Report
    ) -> None:
        self._held_out = split.held_out
        self._asked = pool_ids(found.candidates, split)
        self._mixed = mixed
        self._report = report
        self.pool: list[MappedRow] = []
        self.train_of_part: Counter[str] = Counter()

    def write(self, rows_path: Path, read: ReadReport, order: MapOrder, path: Path) -> None:
        """Write all examples to `path`."""
        write_examples(path, self._rows(rows_path, read, order))

    def _rows(self, rows_path: Path, read: ReadReport, order: MapOrder) -> Iterator[MappedRow]:
        with open_rows(rows_path) as rows:
            for row, example in read_examples(rows, read.columns, order.mapping):
                if row.id % BATCH_ROWS == 0:
                    words = f"Writing row {row.id:,} of {len(rows):,}."
                    self._report(row.id / len(rows), words)
                if example.left_out:
                    continue
                is_held_out = row.id in self._held_out
                side: Side = "held_out" if is_held_out else "train"
                made = MappedRow(id=row.id, side=side, example=example)
                if row.id in self._asked:
                    self.pool.append(made)
                if not is_held_out:
                    self.train_of_part[row.part] += 1
                yield made
        yield from read_mixed(self._mixed)


def _sources(
    order: MapOrder,
    rows: Counter[str],
    used: Counter[str],
    mixed: Sequence[MixedIn],
) -> Iterator[SourceCount]:
    """How many rows came from where: each file of the dataset, then what is mixed in."""
    names = sorted(set(order.files), key=len, reverse=True) if len(order.files) > 1 else []
    there: Counter[str] = Counter()
    learned: Counter[str] = Counter()
    for part, number in rows.items():
        name = next((one for one in names if f"{part}, ".startswith(f"{one}, ")), order.title)
        there[name] += number
        learned[name] += used[part]
    for name in there:
        yield SourceCount(title=name, rows=there[name], used_rows=learned[name], share=0.0)
    for one in mixed:
        yield SourceCount(
            title=one.source.title, rows=one.rows, used_rows=len(one.numbers), share=0.0
        )


def _part(report: Report, start: float, end: float) -> Report:
    """Progress of a part of the work."""
    return lambda share, words: report(start + share * (end - start), words)


def _all_left_out(left_out: LeftOut) -> str:
    reasons = "; ".join(f"in {number:,} {reason}" for reason, number in left_out.counts()[:3])
    return f"None of the rows can be used: {reasons}."
