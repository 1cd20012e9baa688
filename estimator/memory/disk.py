"""What a run leaves on disk: checkpoints, the finished model, prepared rows.

Told before a run so that a full disk is no surprise in its middle. `estimate.py` asks here.
"""

from tailor.estimator.memory.optimizers import compute_moment_bytes
from tailor.estimator.workload import Workload

TOKENISED_BYTES_PER_TOKEN = 37
"""Measured with datasets 5.2: ids, labels and masks of a row."""
KEPT_CHECKPOINTS = 4
"""Two kept, the best one, and the one that is being written."""
RUN_FILES_BYTES = 50_000_000
"""Events, logs and the tokenizer's files."""


def compute_checkpoint_bytes(workload: Workload, trained: int) -> int:
    """One checkpoint: what learns, and what its optimizer keeps of each weight."""
    learned = trained * workload.trainable_bytes_per_parameter
    return round(learned + compute_moment_bytes(workload, trained))


def compute_disk_bytes(workload: Workload, trained: int) -> int:
    """What a run leaves at most: checkpoints, the finished model, tokenised rows.

    Rows that are packed are written twice: as they are read, and as they are packed.
    """
    checkpoint = compute_checkpoint_bytes(workload, trained)
    kept = min(workload.save_count + 1, KEPT_CHECKPOINTS)
    lengths = workload.lengths
    read = min(lengths.total_tokens, lengths.rows * workload.max_length_tokens)
    tokens = read * (2 if workload.is_packed else 1)
    rows = (tokens + workload.read_held_out_tokens) * TOKENISED_BYTES_PER_TOKEN
    finished = round(trained * workload.trainable_bytes_per_parameter)
    return kept * checkpoint + finished + rows + RUN_FILES_BYTES
