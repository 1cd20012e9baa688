"""Which files of a model's folder may be opened at all, by name.

Everything that is loaded stands here; a pickle runs code the moment it is opened, so what is not
named is left alone. The scan, the reader and the download share this list.
"""

from fnmatch import fnmatch

LOADED = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "tokenizer.model",
    "vocab.*",
    "merges.txt",
    "chat_template.*",
    "*.safetensors",
    "*.safetensors.index.json",
)

DESCRIBING = ("README.md", "LICENSE*", "NOTICE*")
"""Read as plain text, for the licence."""

PICKLES = (
    "*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle", "*.joblib", "*.h5", "*.msgpack",
    "*.npy",
)  # fmt: skip


def is_loaded(name: str) -> bool:
    """Whether a file of this name is opened when the model is loaded."""
    return any(fnmatch(name, pattern) for pattern in LOADED)


def is_pickle(name: str) -> bool:
    """Whether a file of this name may run code when it is opened."""
    return any(fnmatch(name.lower(), pattern) for pattern in PICKLES)
