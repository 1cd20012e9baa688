"""The hash of a file: what tells that rows, weights and saved states are the ones that were meant.

Engine and worker compare hashes that the other one wrote, so both take them here. Standard library
only.
"""

import hashlib
from pathlib import Path


def hash_file(path: Path) -> str:
    """sha256 of one file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
