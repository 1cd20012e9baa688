"""Which version of every table stands behind an evaluation.

Two evaluations can be compared only when it is known what differed; a hash of each shipped table
says so without anybody's diligence. `evaluation.py` prints it above everything else.
"""

import hashlib
from importlib.resources import files

TABLES = ("stacks.csv", "architectures.csv", "gpus.csv", "calibration.json")


def list_tables() -> tuple[tuple[str, str], ...]:
    """Name and SHA-256 of each table that ships with the estimator."""
    folder = files("tailor.estimator")
    return tuple(
        (name, hashlib.sha256(folder.joinpath(name).read_bytes()).hexdigest()) for name in TABLES
    )
