"""Names of models as words: what belongs to the shape, what is packing, and what is no text model.

One model has a name on the hub, one in a paper and one in each spreadsheet. They agree once the
owner, the format and the fine-tuning are taken off, which is string work and nothing else.
`model_names.py` compares what is left.
"""

import re

LONGEST_NAME = 200
"""Characters of a name that are looked at; a name on the hub has at most 96."""

NOISE = frozenset(
    ("hf", "gptq", "awq", "gguf", "ggml", "exl2", "fp16", "bf16", "fp8", "fp32", "bnb", "nf4",
     "4bit", "8bit", "4bits", "8bits", "int4", "int8", "w4a16", "q4", "q8", "dq", "128g", "32g",
     "bit", "4", "8", "instruct", "inst", "instruction", "chat", "it", "base", "pt", "pretrained",
     "unsloth", "dynamic", "qat", "sft", "dpo", "model", "lm", "meta", "ai", "preview", "latest",
     "beta", "sharded", "quantized", "deduped", "new", "fast", "thinking", "reasoning", "online",
     "torch", "pytorch", "safetensors", "full", "lora", "qlora", "dora", "single", "device",
     "distributed", "finetune", "finetuned", "finetuning", "ft", "gpu", "multilingual", "v")
)  # fmt: skip
"""Words at the end of a name that say how a model is stored or trained, never its shape.

The last of a name are taken off as long as the rest is not in the table, so that a word which is
part of some name ("chat" of ChatGLM stands inside a word; "8" of "Llama 8") is no danger."""

VERSION = re.compile(r"v\d+(\.\d+)*$")
DATE = re.compile(r"(20)?2[3-6](0[1-9]|1[0-2])([0-3]\d)?$")
CONTEXT = re.compile(r"\d+k$|1m$")
VERSION_MARK = re.compile(r"(?<=\d)_(?=\d(?:[_\-/\s]|$))")
"""The mark of "3_1" in "llama3_1-8b", which means a dot."""
SIZE_MARK = re.compile(r"(?<=\d)_(?=\d+[bBmM]\b)")
"""The mark of "1_8B", which mostly means a dot, though "llama_2_7b" doesn't."""
SIZE = re.compile(r"(\d+x)?\d+(\.\d+)?[bm]$")

NOT_TEXT = (
    "flux", "stable-diffusion", "sdxl", "sd-v1", "sd-v2", "sd1", "sd3", "sd-xl", "stable-video",
    "diffusers", "unet", "controlnet", "kandinsky", "pixart", "dreambooth", "whisper", "wav2vec",
    "hubert", "musicgen", "encodec", "imagen", "dall", "cogvideo", "hunyuanvideo", "wan2.1",
    "wan2.2", "wan-2", "qwen-image", "z-image", "auraflow", "lumina", "sana-", "dinov2", "dinov3",
    "clip-vit", "vit-base", "vit-large", "resnet", "convnext", "segformer", "segment-anything",
    "detr", "yolo", "esm2", "esm-", "bark-",
)  # fmt: skip
"""Parts of names of models that make or see pictures, films, sound or proteins."""

OTHER_SHAPE = frozenset(
    ("vl", "vision", "vlm", "omni", "audio", "speech", "moe", "pruned", "minitron", "draft",
     "eagle", "medusa", "speculator", "embedding", "reranker", "reward", "tts", "asr", "ocr",
     "diffusion", "assistant", "guard", "image", "video", "upscaled", "depth", "width", "tiny",
     "random", "dummy", "test", "mamba")
)  # fmt: skip
"""Words after which a name inside another name no longer tells the shape."""


def find_words(name: str) -> tuple[str, ...]:
    """The words of a name without its owner: lower case, parentheses and marks opened."""
    plain = name.strip().lower()[:LONGEST_NAME].rstrip("/").replace("1half", "1.5")
    parts = plain.split("/")
    # Recipes are filed as "llama3_1/8B_full": the family is then the folder's name.
    last = "-".join(parts[-2:]) if parts[-1][:1].isdigit() else parts[-1]
    dotted = VERSION_MARK.sub(".", last)
    return tuple(word for word in re.split(r"[\s_\-()\[\],:|]+", dotted) if word)


def find_spellings(name: str) -> tuple[tuple[str, ...], ...]:
    """The words of a name with "1_8b" read as a size, and as it stands."""
    sized = find_words(SIZE_MARK.sub(".", name))
    plain = find_words(name)
    return (sized,) if sized == plain else (sized, plain)


def strip_words(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The name, then the name with one noise word after the other taken off.

    The last ones go first, and versions go last: "Mistral-7B-Instruct-v0.3" is a Mistral-7B-v0.3.
    """
    kept = [words]
    for is_taken in (_is_plain_noise, is_noise):
        while noisy := [n for n, word in enumerate(kept[-1]) if n and is_taken(word)]:
            kept.append((*kept[-1][: noisy[-1]], *kept[-1][noisy[-1] + 1 :]))
    return tuple(kept)


def _is_plain_noise(word: str) -> bool:
    return is_noise(word) and not VERSION.match(word)


def is_noise(word: str) -> bool:
    """Whether a word says nothing about the shape."""
    return (
        word in NOISE
        or VERSION.match(word) is not None
        or DATE.match(word) is not None
        or CONTEXT.match(word) is not None
    )


def squeeze(words: tuple[str, ...]) -> str:
    """All words as one, so that "llama2-7b", "Llama 2 7B" and "llama-2-7b" are the same."""
    return "".join(words)


def has_size(words: tuple[str, ...]) -> bool:
    """Whether one of the words is a size such as 7b or 8x7b."""
    return any(SIZE.match(word) for word in words)


def is_not_text(name: str) -> bool:
    """Whether the name is that of a model for pictures, films or sound."""
    told = name.lower().replace("_", "-").replace(" ", "-")
    return any(part in told for part in NOT_TEXT)
