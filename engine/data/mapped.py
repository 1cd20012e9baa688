"""`mapped-<version>.arrow`: the finished examples of a dataset, split, checked and frozen.

Once a person said yes to a finished example, every row goes through the same function as that
example did. The file is written once and named by its hash in every run that uses it. Called by the
library for small tables and by the child for large ones.
"""

import hashlib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from tailor.engine.child import Report
from tailor.engine.data.checks import LeftOut, check_repeats, check_size, check_split
from tailor.engine.data.exam import POOL_ROWS, pick_exam
from tailor.engine.data.mapped_file import write_examples
from tailor.engine.data.mapping import Example, build_example, check_mapping
from tailor.engine.data.report import MapReport, ReadReport
from tailor.engine.data.rows_file import BATCH_ROWS, StoredRow, open_rows
from tailor.engine.data.split import (
    CLASSES_MOST,
    Candidate,
    Side,
    Split,
    choose_split,
    find_split_column,
)
from tailor.engine.data_types import Conversation, Mapping
from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file

LABEL_CHARACTERS = 60
DAMAGED = "the row is damaged"
ALSO_HELD_OUT = "its question is also among the held-out rows"

Usable = tuple[StoredRow, Example]


def write_mapped(
    rows_path: Path, read: ReadReport, mapping: Mapping, path: Path, report: Report
) -> MapReport:
    """Map, check and split all rows, write the examples to `path`, and tell what was done."""
    check_mapping(mapping, read.columns)
    left_out = LeftOut()
    candidates = _survey(rows_path, read, mapping, left_out, report)
    if not candidates:
        raise UserError(
            title="No row makes a finished example",
            detail=_all_left_out(left_out),
            fix="Choose other columns, or mend the file and drop it again.",
        )
    split = choose_split(candidates)
    if split.is_given:
        candidates = _without_leaks(candidates, split, left_out, read.entry_word)
    with open_rows(rows_path) as rows:
        usable = examples(rows.read(), read.columns, mapping)
        sided = _sided(usable, candidates, split)
        pool: list[Conversation] = []
        write_examples(path, _pooled(sided, len(rows), pool, report))
    held_out = len(split.held_out)
    train = len(candidates) - held_out
    return MapReport(
        mapping=mapping,
        train_rows=train,
        held_out_rows=held_out,
        left_out=left_out.counts(),
        exam=pick_exam(pool),
        findings=(
            *check_size(len(candidates)),
            *check_split(train, held_out, is_given=split.is_given),
            *check_repeats(candidates, read.entry_word),
            *left_out.findings(),
        ),
        content_hash=hash_file(path),
    )


def examples(
    rows: Iterator[StoredRow], columns: tuple[str, ...], mapping: Mapping
) -> Iterator[Usable]:
    """Every row with its example; a damaged row is never bent into one."""
    for row in rows:
        if row.damage:
            yield row, Example(left_out=DAMAGED)
        else:
            yield row, build_example(mapping, dict(zip(columns, row.cells, strict=True)))


class _Words:
    """A few words that come back often, each kept once; when they become many, none is kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[str, str] = {}

    def keep(self, word: str) -> str:
        """The word, or nothing once there have been too many."""
        if len(self._known) > self._most:
            return ""
        return self._known.setdefault(word, word)


def _survey(
    rows_path: Path, read: ReadReport, mapping: Mapping, left_out: LeftOut, report: Report
) -> list[Candidate]:
    split_column = find_split_column(read.columns)
    given_at = read.columns.index(split_column) if split_column else None
    labels, given = _Words(CLASSES_MOST), _Words(CLASSES_MOST)
    found = []
    with open_rows(rows_path) as rows:
        for row, example in examples(rows.read(), read.columns, mapping):
            place = row.id if read.entry_word == "entry" else row.first_line
            if row.id % BATCH_ROWS == 0:
                report(0.5 * row.id / len(rows), f"Checking row {row.id:,} of {len(rows):,}.")
            if example.left_out:
                left_out.add(example.left_out, f"{read.entry_word} {place}")
                continue
            question, whole, label = _identity(example)
            found.append(
                Candidate(
                    id=row.id,
                    place=place,
                    question=question,
                    whole=whole,
                    label=labels.keep(label),
                    given=given.keep(row.cells[given_at]) if given_at is not None else "",
                )
            )
    return found


def _identity(example: Example) -> tuple[bytes, bytes, str]:
    """Digest of the question, digest of the whole row, and the answer when it may be a class."""
    if not example.messages:
        text = _digest(_plain(example.text))
        return text, text, ""
    answer = example.messages[-1].content
    asked = "\n".join(f"{turn.role}: {turn.content}" for turn in example.messages[:-1])
    question = _digest(_plain(asked))
    whole = _digest(question.hex() + _plain(answer))
    return question, whole, answer.strip() if len(answer) <= LABEL_CHARACTERS else ""


def _plain(text: str) -> str:
    """A text without what does not change its meaning: case, spacing, ways to write a letter."""
    same = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(same.casefold().split())


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def _without_leaks(
    candidates: list[Candidate], split: Split, left_out: LeftOut, entry_word: str
) -> list[Candidate]:
    """Take training rows out whose question is held out too; a score would praise memory."""
    held = {row.question for row in candidates if row.id in split.held_out}
    kept = []
    for row in candidates:
        if row.question in held and row.id not in split.held_out:
            left_out.add(ALSO_HELD_OUT, f"{entry_word} {row.place}")
        else:
            kept.append(row)
    return kept


def _sided(
    usable: Iterator[Usable], candidates: list[Candidate], split: Split
) -> Iterator[tuple[int, Side, Example]]:
    """The examples that are kept, each with its side. Both come in the file's order."""
    kept = iter(candidates)
    wanted = next(kept, None)
    for row, example in usable:
        if wanted is not None and row.id == wanted.id:
            yield row.id, "held_out" if row.id in split.held_out else "train", example
            wanted = next(kept, None)


def _pooled(
    sided: Iterator[tuple[int, Side, Example]], rows: int, pool: list[Conversation], report: Report
) -> Iterator[tuple[int, Side, Example, str]]:
    """The examples on their way to the file; the first held-out ones go into `pool` as well."""
    for number, (row_id, side, example) in enumerate(sided):
        if side == "held_out" and len(pool) < POOL_ROWS:
            pool.append(Conversation(row_id=row_id, messages=example.messages, text=example.text))
        if number % BATCH_ROWS == 0:
            report(0.5 + 0.5 * row_id / rows, f"Writing row {row_id:,} of {rows:,}.")
        yield row_id, side, example, ""


def _all_left_out(left_out: LeftOut) -> str:
    reasons = "; ".join(f"in {number:,} {reason}" for reason, number in left_out.counts()[:3])
    return f"None of the rows can be used: {reasons}."
