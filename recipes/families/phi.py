"""Phi 2 to 4: attention and feed-forward layers have names of their own."""

from tailor.recipes.families.family import Family

FAMILY = Family(
    id="phi",
    title="Phi",
    model_types=("phi", "phi3"),
    architectures=("PhiForCausalLM", "Phi3ForCausalLM"),
    tokenizer_classes=("CodeGenTokenizer", "CodeGenTokenizerFast"),
    # Both generations are named; PEFT takes those that a model has.
    lora_targets=(
        "q_proj", "k_proj", "v_proj", "dense", "fc1", "fc2",
        "qkv_proj", "o_proj", "gate_up_proj", "down_proj",
    ),
    licence="MIT.",
    quirks=(
        "From version 3 on queries, keys and values share a layer, so an adapter has fewer, larger "
        "parts.",
    ),
)  # fmt: skip
