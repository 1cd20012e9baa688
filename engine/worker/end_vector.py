"""Whether a model has ever met the token that shall end its answers.

Base models carry tokens in their vocabulary that no training has touched: their vectors are close
to nothing, and an adapter cannot teach the model to write them. A few rows are read out of the
weights' file by their place in its header: no torch, and no gigabytes. Called by the render child.
"""

from pathlib import Path

import numpy

from tailor.engine.models.safetensors_header import BadHeaderError, is_regular, read_header

NAMES = ("embed_tokens.weight", "wte.weight", "embed_in.weight", "word_embeddings.weight")
SAMPLE_ROWS = 64
UNTOUCHED_SHARE = 0.1
"""Of the usual length of a vector. One that training never met is far shorter still."""
ITEM_BYTES = {"F32": 4, "F16": 2, "BF16": 2}


def is_untouched(folder: Path, token: int) -> bool:
    """Whether the token's vector is next to nothing; False too where the weights do not tell."""
    for path in sorted(folder.glob("*.safetensors")):
        if not is_regular(path):
            continue
        try:
            header = read_header(path)
        except BadHeaderError:
            continue  # the model's scan has told it already, and the run will refuse it
        for name, entry in header.items():
            if name.endswith(NAMES) and entry["dtype"] in ITEM_BYTES:
                begin = path.stat().st_size - max(one["data_offsets"][1] for one in header.values())
                return _is_short(path, begin, entry, token)
    return False


def _is_short(path: Path, data_begin: int, entry: dict[str, object], token: int) -> bool:
    rows, width = entry["shape"]
    if token >= rows:
        return True
    places = [rows * place // SAMPLE_ROWS for place in range(SAMPLE_ROWS)]
    row_bytes = width * ITEM_BYTES[entry["dtype"]]
    lengths = []
    with path.open("rb") as file:
        for place in (token, *places):
            file.seek(data_begin + entry["data_offsets"][0] + place * row_bytes)
            vector = _to_floats(file.read(row_bytes), entry["dtype"])
            lengths.append(float(numpy.linalg.norm(vector)))
    return lengths[0] < UNTOUCHED_SHARE * float(numpy.median(lengths[1:]))


def _to_floats(raw: bytes, dtype: object) -> numpy.ndarray:
    if dtype == "F32":
        return numpy.frombuffer(raw, numpy.float32)
    if dtype == "F16":
        return numpy.frombuffer(raw, numpy.float16).astype(numpy.float32)
    # bf16 is the upper half of a 32-bit number.
    return (numpy.frombuffer(raw, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
