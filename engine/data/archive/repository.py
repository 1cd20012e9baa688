"""A program's sources in a zip, as examples of code with a gap: before, middle, after.

Teams want a model that completes code as they write it. Their repository is the material, less what
is not theirs (`sources`); each file gives some gaps (`gaps`), and all gaps of a file stay on one
side of the split by the column "path". `archive` opens what looks like a repository here.
"""

import hashlib
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from collections.abc import Mapping as Lookup
from dataclasses import dataclass
from pathlib import PurePosixPath

from tailor.engine.data.archive.gaps import cut_gaps
from tailor.engine.data.archive.languages import find_language
from tailor.engine.data.archive.members import Archive, Member
from tailor.engine.data.archive.sources import SECRET, Source, is_own, read_source
from tailor.engine.data.counted import LISTED, count_words, list_places
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.table import Table
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

GAP_COLUMNS = ("path", "language", "before", "middle", "after")
WHOLE_COLUMNS = ("path", "language", "text")
AS_FILES = "files"
"""The choice that an archive with sources is read for the tables and documents in it."""
_WAYS = (
    ("middle", "Code with a gap that the model learns to fill"),
    ("whole", "Whole source files as running text"),
    (AS_FILES, "The tables and documents in the archive, not the code"),
)
_PROJECT_NAMES = frozenset({
    "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "package.json", "tsconfig.json",
    "cargo.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts", "cmakelists.txt",
    "makefile", "gemfile", "composer.json", "mix.exs", "pubspec.yaml", "package.swift",
    "dockerfile",
})  # fmt: skip
_DATA_SUFFIXES = frozenset({
    ".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson", ".parquet", ".arrow", ".docx", ".pdf", ".txt",
})  # fmt: skip
_LICENCE_STEMS = frozenset({"license", "licence", "copying", "unlicense", "copyright", "notice"})


@dataclass(frozen=True)
class _Repository:
    """What one pass over all sources has found."""

    kept: tuple[Member, ...]
    aside: Counter[str]
    secrets: tuple[str, ...]
    """Places of keys and passwords."""
    languages: Counter[str]


def is_repository(members: Sequence[Member]) -> bool:
    """Whether these files are a program rather than data, by a project's files or by number."""
    own = [member.path for member in members if is_own(member.path)]
    sources = sum(bool(find_language(path)) for path in own)
    names = {PurePosixPath(path).name.lower() for path in own}
    data = sum(PurePosixPath(path).suffix.lower() in _DATA_SUFFIXES for path in own)
    return sources > 0 and (bool(names & _PROJECT_NAMES) or sources > data)


def choose_way(choices: Lookup[str, str]) -> ReadChoice:
    """What is made of an archive with sources."""
    asked = choices.get("pieces", "middle")
    return ReadChoice(
        id="pieces",
        title="What is learned from this code?",
        value=asked if any(asked == way for way, _ in _WAYS) else "middle",
        options=_WAYS,
        why="Most files in the archive are a program's sources.",
    )


def open_repository(
    archive: Archive, members: Sequence[Member], choice: ReadChoice, aside: Counter[str]
) -> Table:
    """Open a repository; `aside` counts what was left aside before."""
    found = _survey(archive, members)
    is_whole = choice.value == "whole"
    tally = Tally()
    licences = _read_licences(archive, members)
    if not found.kept:
        raise _no_sources(found.aside)

    def findings() -> Iterator[Finding]:
        yield _about_licences(licences)
        if found.secrets:
            yield _about_secrets(found.secrets)
        if found.aside:
            yield _about_aside(found, len(members))

    names = ", ".join(name for name, _ in found.languages.most_common(3))
    return Table(
        kind="Code",
        words=f"Code in {names}, {count_words(len(found.kept), 'file')}",
        columns=WHOLE_COLUMNS if is_whole else GAP_COLUMNS,
        rows=_rows(archive, found.kept, tally, is_whole=is_whole),
        tally=tally,
        entry_word="line",
        findings=findings,
        choices=(choice,),
        left_aside=tuple((aside + found.aside).most_common()),
    )


def _survey(archive: Archive, members: Sequence[Member]) -> _Repository:
    kept: list[Member] = []
    aside: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    secrets: list[str] = []
    seen: set[bytes] = set()
    for member in members:
        if not find_language(member.path):
            aside["other file"] += 1
            continue
        source = read_source(archive, member)
        digest = hashlib.sha256(source.text.encode()).digest()
        reason = source.left_aside or ("repeated file" if digest in seen else "")
        if reason == SECRET:
            secrets.append(f"{member.path}, line {source.secret_line:,}")
        if reason:
            aside[reason] += 1
            continue
        seen.add(digest)
        kept.append(member)
        languages[source.language] += 1
    return _Repository(kept=tuple(kept), aside=aside, secrets=tuple(secrets), languages=languages)


def _rows(
    archive: Archive, members: Sequence[Member], tally: Tally, *, is_whole: bool
) -> Generator[ReadRow, None, None]:
    for member in members:
        source = read_source(archive, member)
        for row in _whole_row(source) if is_whole else _gap_rows(source):
            tally.physical_lines += 1
            tally.rows += 1
            yield row


def _whole_row(source: Source) -> Iterator[ReadRow]:
    yield ReadRow(
        cells=(source.member.path, source.language, source.text),
        first_line=1,
        last_line=source.text.rstrip("\n").count("\n") + 1,
        part=source.member.path,
    )


def _gap_rows(source: Source) -> Iterator[ReadRow]:
    for gap in cut_gaps(source.text, source.member.path):
        yield ReadRow(
            cells=(source.member.path, source.language, gap.before, gap.middle, gap.after),
            first_line=gap.first_line,
            last_line=gap.last_line,
            part=source.member.path,
        )


def _read_licences(archive: Archive, members: Sequence[Member]) -> list[str]:
    """Paths of licence files with their first line, which names the licence."""
    found = []
    for member in members:
        if PurePosixPath(member.path).stem.lower() in _LICENCE_STEMS:
            text = archive.read(member, 2_000).decode("utf-8", "replace")
            first = next((line.strip() for line in text.splitlines() if line.strip()), "")
            found.append(f"{member.path} ({first[:60]})")
    return found


def _about_licences(licences: list[str]) -> Finding:
    if licences:
        return Finding(
            level="note",
            title="Licences in this code",
            detail=f"These files say what may be done with it: {'; '.join(licences[:LISTED])}.",
            fix="Read them before you share a model that has learned from this code.",
            where=list_places(licences, len(licences)),
        )
    return Finding(
        level="note",
        title="This code names no licence",
        detail="No licence file was found in the archive.",
        fix="Make sure that you may use the code, above all before you share the model.",
    )


def _about_secrets(places: Sequence[str]) -> Finding:
    files = count_words(len(places), "file")
    return Finding(
        level="warn",
        title=f"{files} left out: keys or passwords",
        detail=f"What looks like a key or a password stands in {files}. A model repeats what it "
        "has read, so nothing is learned from there.",
        fix="Take the secrets out of the code, pack it again, and replace the keys: they were "
        "already handed on with this archive.",
        where=list_places(places, len(places)),
    )


def _about_aside(found: _Repository, members: int) -> Finding:
    reasons = ", ".join(count_words(number, reason) for reason, number in found.aside.most_common())
    return Finding(
        level="note",
        title=f"{len(found.kept):,} of {members:,} files are learned from",
        detail=f"Left aside: {reasons}.",
        fix="Nothing to do. Code that others or programs wrote would not teach your style.",
    )


def _no_sources(aside: Counter[str]) -> UserError:
    reasons = ", ".join(count_words(number, reason) for reason, number in aside.most_common())
    return UserError(
        title="There is no code to learn from in this archive",
        detail=f"Every file was left aside: {reasons}.",
        fix="Pack the folder with your own sources, without built files and others' libraries.",
    )
