"""The pages of a PDF, one at a time and within limits, whatever the file says about itself.

A PDF is full of packed streams, loops and half-broken tables, and the library that reads it may
stumble in many ways. A page that cannot be read is a page without lines, counted and told; a file
that cannot be opened at all is refused. `pdf` takes its lines from here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

from pypdf import Configuration, PdfReader, apply_configuration
from pypdf.errors import DependencyError, FileNotDecryptedError

from tailor.engine.data.documents.pdf_text import split_lines
from tailor.engine.errors import UserError

STREAM_BYTES_MOST = 10_000_000
"""What one stream may unpack to; the text of a printed page has some 10,000 bytes."""
STEPS_MOST = 300_000
"""Drawing steps of a page: text needs some thousands, a detailed map a million."""
PAGES_MOST = 20_000
PAGE_CHARACTERS_MOST = 2_000_000
LIMITS = Configuration(
    maximum_declared_stream_length=4 * STREAM_BYTES_MOST,
    array_based_stream_maximum_output_length=STREAM_BYTES_MOST,
    zlib_maximum_output_length=STREAM_BYTES_MOST,
    lzw_maximum_output_length=STREAM_BYTES_MOST,
    run_length_maximum_output_length=STREAM_BYTES_MOST,
    brotli_maximum_output_length=STREAM_BYTES_MOST,
    stream_decoding_work_maximum_length=4 * STREAM_BYTES_MOST,
    stream_parsing_work_maximum_count=STEPS_MOST,
    xform_maximum_invocations_per_extraction=500,
    # Pictures are never decoded, so no other program is ever started for one.
    jbig2dec_binary=None,
    disable_legacy_handling=True,
)


@dataclass
class PdfPages:
    """An opened PDF."""

    reader: PdfReader
    unreadable: list[int] = field(default_factory=list)
    """Numbers of pages that could not be read."""

    def __len__(self) -> int:
        """How many pages there are."""
        return len(self.reader.pages)

    def lines(self, number: int) -> list[str]:
        """The lines of a page, from 1; none when it is empty or cannot be read."""
        try:
            with apply_configuration(LIMITS):
                text = self.reader.pages[number - 1].extract_text()
        except MemoryError:
            raise
        except Exception:  # A third party's reader: it raises whatever it stumbles over.
            if number not in self.unreadable:
                self.unreadable.append(number)
            return []
        return split_lines(text[:PAGE_CHARACTERS_MOST])

    def has_picture(self, number: int) -> bool:
        """Whether a picture lies on a page, which may hold the text that is missing."""
        try:
            with apply_configuration(LIMITS):
                resources = self.reader.pages[number - 1].get("/Resources", {}).get_object()
                objects = resources.get("/XObject", {}).get_object()
                # A form is drawn from a stream of its own and may hold a picture in turn.
                return any(objects[name].get("/Subtype") in ("/Image", "/Form") for name in objects)
        except MemoryError:
            raise
        except Exception:  # As above.
            return False


def open_pages(file: BinaryIO) -> PdfPages:
    """Open a PDF; raises when it is locked, damaged or has no end of pages."""
    with _trouble_in_words(), apply_configuration(LIMITS):
        reader = PdfReader(file)
        if reader.is_encrypted:
            raise _locked()
        pages = len(reader.pages)
    if pages > PAGES_MOST:
        raise UserError(
            title="This PDF has too many pages",
            detail=f"It has {pages:,}, the limit is {PAGES_MOST:,}.",
            fix="Split it, or keep only the pages that you need.",
        )
    return PdfPages(reader=reader)


@contextmanager
def _trouble_in_words() -> Iterator[None]:
    try:
        yield
    except (UserError, MemoryError):
        raise
    except (FileNotDecryptedError, DependencyError) as locked:
        raise _locked() from locked
    except Exception as damage:
        raise UserError(
            title="This PDF is damaged",
            detail="Its list of pages cannot be read. Perhaps it was cut off on its way.",
            fix="Open it and save it as a new PDF (Print, Save as PDF), then drop that file.",
        ) from damage


def _locked() -> UserError:
    return UserError(
        title="This PDF is locked",
        detail="It is encrypted, so its text cannot be read, even if it opens without a password.",
        fix="Open it, save it without a password (Print, Save as PDF) and drop that file.",
    )
