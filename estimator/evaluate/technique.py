"""What learns and how the base is stored, from the words that sources use for it.

Sources name some forty methods; the estimator knows three (the whole model, adapters, adapters on a
packed base) and a handful of adapter kinds. A method whose adapter is of another form but whose
weights, activations and gradients are those of a small adapter is predicted as one and said so;
everything else is refused. `rows.py` asks here.
"""

import re

from tailor.estimator.evaluate.notes import Notes
from tailor.estimator.evaluate.refused import RefusalError
from tailor.estimator.record import record
from tailor.estimator.workload import AdapterKind, BaseFormat, Objective, Technique

FULL = frozenset(
    ("full", "pretrain", "pretraining", "pretrain(full)", "full_finetuning", "full-finetuning",
     "full fine-tuning", "full finetune", "full_finetune", "full parameter", "full-parameter",
     "continued pretraining", "continued_pretraining", "cpt", "fft", "sft", "finetune",
     "fine-tuning")
)  # fmt: skip
LORA = frozenset(
    ("lora", "rslora", "dora", "pissa", "lora+", "loraplus", "longlora", "lora-fa", "olora",
     "lora-ga", "qlora", "qdora", "q-lora", "gptq-lora", "lora-gptq", "peft")
)  # fmt: skip
LIKE_LORA = frozenset(
    ("adalora", "loha", "lokr", "oft", "boft", "hra", "miss", "bone", "delora", "gralora", "hira",
     "road", "shira", "c3a", "waveft", "fourierft", "psoft", "pvera", "vera", "tinylora", "vblora",
     "randlora", "deft", "frod", "glora", "lily", "peanut", "beft", "adamss", "unilora", "osf",
     "vblora", "mica", "bdlora", "eva", "corda", "moslora", "adapter", "adapters")
)  # fmt: skip
"""Learn a small function of the linear layers' weights or outputs."""
FEW_WEIGHTS = frozenset(("ia3", "bitfit", "adapter_v2", "adapterv2"))
"""Learn vectors beside the linear layers, hardly a thousandth of a LoRA."""
BESIDE_LAYERS = frozenset(
    ("ln_tuning", "trainable_tokens", "prompt_tuning", "prefix_tuning", "p_tuning",
     "adaption_prompt", "prompt-tuning", "prefix-tuning", "p-tuning", "ptuning", "llama-adapter")
)  # fmt: skip
"""Learn vectors elsewhere: no linear layer keeps its input for them."""
MOST_RANK = {"like": 32, "few": 1, "beside": 0}
"""What other methods learn, as a rank: PEFT's comparison sets them up to learn as much as a LoRA of
32 at most; a number beyond it counts something else."""
OBJECTIVES: dict[str, Objective] = {
    "dpo": "dpo",
    "kto": "kto",
    "distill": "distill",
    "gkd": "distill",
}

FORMATS: tuple[tuple[re.Pattern[str], BaseFormat | None], ...] = (
    (
        re.compile(
            r"^(none|no|false|-|n/?a|bf16|bfloat16|fp16|float16|(16|32)-?bit|fp32|float32)$"
        ),
        "plain",
    ),
    (re.compile(r"gptq"), "gptq"),
    (re.compile(r"[123]-?bit|int[23]|aqlm|mxfp4|nvfp4|fp8|float8|bitnet"), None),
    (re.compile(r"-dq|double|nested"), "nf4_double"),
    (re.compile(r"^bnb\.(nf4|fp4)$"), "nf4"),
    (re.compile(r"8-?bit|int8"), "int8"),
    (re.compile(r"nf4|fp4|4-?bit|int4|bnb|bitsandbytes|awq|hqq"), "nf4_double"),
)
"""First match wins; None is refused. `bnb.nf4` is singly quantised, others' 4 bits doubly."""
BASE_BYTES: dict[BaseFormat, float] = {
    "nf4_double": 0.5 + 1 / 64 + 4 / (64 * 256),
    "nf4": 0.5 + 4 / 64,
    "gptq": 0.5 + 2 / 128 + 0.5 / 128,
    "int8": 1.0,
}
"""Bytes of one packed weight with its scales: blocks of 64 (bitsandbytes) or 128 (GPTQ)."""


@record
class Method:
    """What learns, on what."""

    technique: Technique
    objective: Objective
    base_format: BaseFormat
    adapter_kind: AdapterKind
    most_rank: int | None
    """An adapter's rank is no larger, whatever is told; None is as told."""
    assumed: tuple[str, ...]


def read_method(technique: str, quantization: str, notes: Notes) -> Method:
    """Technique, objective and storage of the base."""
    words = technique.lower().strip()
    objective, rest = _objective(words)
    rest = rest.replace("pretrain (full)", "pretrain")
    base_format, assumed = read_base_format(quantization, is_packed=_is_packed(rest))
    kind = _kind(rest)
    if kind == "full" and base_format != "plain":
        raise RefusalError(
            "unknown_technique", f"A whole model cannot learn in {quantization} as we know it."
        )
    if kind in MOST_RANK:
        assumed = (*assumed, f"{technique} is counted as a small adapter.")
    name: Technique = "full" if kind == "full" else "lora" if base_format == "plain" else "qlora"
    is_dora = notes.is_dora or "dora" in rest
    is_rslora = notes.is_rslora or "rslora" in rest
    return Method(
        technique=name,
        objective=objective,
        base_format=base_format,
        adapter_kind="dora" if is_dora else "rslora" if is_rslora else "lora",
        most_rank=MOST_RANK.get(kind),
        assumed=assumed,
    )


def read_base_format(quantization: str, *, is_packed: bool) -> tuple[BaseFormat, tuple[str, ...]]:
    """How the base is stored; `is_packed` says that the technique's own name wants 4 bits."""
    words = quantization.lower().strip()
    if not words:
        if is_packed:
            return "nf4_double", ("The base is taken to be packed in 4 bits, doubly quantised.",)
        return "plain", ()
    for pattern, name in FORMATS:
        if pattern.search(words):
            if name is None:
                break
            if name == "plain" and is_packed:
                return "nf4_double", ("The base is taken to be packed in 4 bits.",)
            return name, ()
    raise RefusalError("unknown_technique", f"A base stored as {quantization} is not known.")


def _objective(words: str) -> tuple[Objective, str]:
    """The objective, and what of the words is left."""
    for name, objective in OBJECTIVES.items():
        if re.search(rf"(?<![a-z]){name}", words):
            rest = re.sub(rf"[-_+ /]*{name}\w*[-_+ /]*", " ", words).strip()
            return objective, rest or "full"
    return "sft", words


def _is_packed(words: str) -> bool:
    return words.startswith(("qlora", "q-lora", "qdora"))


def _kind(words: str) -> str:
    for name in (words, *re.split(r"[ ,/(]", words)[:1], words.replace("sft", "").strip(" -_+")):
        if name in FULL:
            return "full"
        if name in LORA:
            return "lora"
        if name in LIKE_LORA:
            return "like"
        if name in FEW_WEIGHTS:
            return "few"
        if name in BESIDE_LAYERS:
            return "beside"
    raise RefusalError("unknown_technique", f"The technique {words or '(blank)'} is not known.")
