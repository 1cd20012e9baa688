"""How much of the disk a folder takes.

Runs and models are told to people in GB before they are made, downloaded or deleted. The folder may
be changing: a worker removes old checkpoints while we count.
"""

import os
from pathlib import Path


def count_folder_bytes(folder: Path) -> int:
    """Bytes of all files below `folder`; a file that goes meanwhile counts nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except FileNotFoundError:
                continue
    return total
