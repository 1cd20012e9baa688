"""Archives packed inside the test."""

import io
import zipfile
from collections.abc import Callable, Mapping

import pytest

PNG = b"\x89PNG\r\n\x1a\n" + bytes(24)
JPEG = b"\xff\xd8\xff\xe0" + bytes(24)


@pytest.fixture
def pack() -> Callable[..., bytes]:
    """A zip of these files; `links` are names that point to a path."""

    def make(files: Mapping[str, bytes | str], links: Mapping[str, str] | None = None) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
            for name, target in (links or {}).items():
                link = zipfile.ZipInfo(name)
                link.external_attr = 0o120777 << 16
                archive.writestr(link, target)
        return packed.getvalue()

    return make
