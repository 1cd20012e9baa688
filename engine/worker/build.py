"""Builds the model that a plan asks for: base weights, precision, quantisation, adapter.

Trainer, proof, side-by-side chat and export must load a model in exactly the same way, or "equals
what was in memory" would mean nothing. Only safetensors are opened, and no code of the model's
folder is ever run.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from bitsandbytes.nn import Linear4bit
from peft import LoraConfig, PeftModel, get_peft_model
from peft.utils import set_peft_model_state_dict
from peft.utils.other import TrainableTokensWrapper
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, set_seed

from tailor.engine.errors import UserError
from tailor.engine.worker.added_words import AddedWord
from tailor.engine.worker.final import ADAPTER_FILE
from tailor.engine.worker.vocabulary import extend_vocabulary, trainable_rows
from tailor.recipes.spec import TrainPlan

FULL_PRECISION_BYTES = 4


def build_model(plan: TrainPlan, base: Path, seed: int, added: Sequence[AddedWord] = ()) -> Any:
    """The base with a fresh adapter, or the whole base trainable, on the plan's device.

    The vectors of `added` words learn as well.
    """
    model = load_base(plan, base, added)
    if plan.technique == "full":
        return model
    # The adapter's first weights are random: the seed makes every attempt start from the same ones.
    set_seed(seed)
    model = get_peft_model(model, _adapter_config(plan, trainable_rows(model, added)))
    _show_bias(model)
    return keep_adapter_precision(model, plan)


def _show_bias(model: Any) -> None:
    """Let the head say that it has no bias: TRL 1.16 asks it on a card, and PEFT 0.21's wrapper for
    added words hands on the weight alone."""
    for module in model.modules():
        if isinstance(module, TrainableTokensWrapper) and not hasattr(module, "bias"):
            module.bias = None


def load_base(
    plan: TrainPlan,
    base: Path,
    added: Sequence[AddedWord] = (),
    *,
    is_quantised: bool | None = None,
) -> Any:
    """The untouched base, with room for `added` words. `is_quantised` overrules the plan."""
    quantised = plan.technique == "qlora" if is_quantised is None else is_quantised
    arguments: dict[str, Any] = {}
    if quantised:
        arguments["quantization_config"] = BitsAndBytesConfig(**dict(plan.quantisation))
    model = AutoModelForCausalLM.from_pretrained(
        base,
        dtype=weights_dtype(plan),
        device_map={"": plan.device},
        attn_implementation="sdpa",
        use_safetensors=True,
        trust_remote_code=False,
        local_files_only=True,
        **arguments,
    )
    model.config.use_cache = True
    extend_vocabulary(model, added)
    if quantised and plan.device == "cpu":
        _keep_weights_differentiable(model)
    return model


def load_tuned(plan: TrainPlan, base: Path, tuned: Path, added: Sequence[AddedWord] = ()) -> Any:
    """A finished model from its folder: an adapter on its base, or a complete model."""
    if plan.technique == "full":
        return load_base(plan, tuned)  # its vocabulary was saved with the words in it
    return PeftModel.from_pretrained(load_base(plan, base, added), tuned, local_files_only=True)


def load_weights(model: Any, folder: Path) -> None:
    """Put the weights of a checkpoint into a model of the same build, bit for bit.

    PEFT's own load_adapter may change the adapter's precision on the way, and transformers warns
    where it should refuse.
    """
    if isinstance(model, PeftModel):
        weights = load_file(folder / ADAPTER_FILE)
        unexpected = set_peft_model_state_dict(model, weights).unexpected_keys
    else:
        weights = {}
        for part in sorted(folder.glob("model*.safetensors")):
            weights |= load_file(part)
        # Tied weights are stored once, so keys may be missing; none may be unknown.
        unexpected = model.load_state_dict(weights, strict=False).unexpected_keys
    if unexpected:
        raise UserError(
            title="A saved state does not fit this model",
            detail=f"{len(unexpected)} of its weights have no place here.",
            fix="Start the run again from the beginning.",
        )


def keep_adapter_precision(model: Any, plan: TrainPlan) -> Any:
    """Give trainable adapter weights the plan's precision.

    TRL 1.16 casts adapters of a quantised base to bf16 (sft_trainer.py). On a processor without
    bf16 instructions such products are about 100 times slower, so fp32 plans keep fp32 adapters.
    """
    if plan.technique == "qlora" and plan.precision == "fp32":
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.data = parameter.data.float()
    return model


def weights_dtype(plan: TrainPlan) -> torch.dtype:
    """In which type the base is held; full fine-tuning may hold fp32 under 16-bit products."""
    half = torch.float16 if plan.precision == "fp16" else torch.bfloat16
    if plan.precision == "fp32":
        return torch.float32
    is_full = plan.technique == "full"
    if is_full and plan.workload.trainable_bytes_per_parameter >= FULL_PRECISION_BYTES:
        return torch.float32
    return half


def precision_context(plan: TrainPlan) -> torch.autocast:
    """The arithmetic of every forward pass of a run, inside and outside of the trainer."""
    return torch.autocast(
        device_type=plan.device,
        dtype=torch.float16 if plan.precision == "fp16" else torch.bfloat16,
        enabled=plan.precision != "fp32",
    )


def _keep_weights_differentiable(model: Any) -> None:
    """Stop bitsandbytes from repacking 4-bit weights at the first evaluation.

    On processors with AVX512-BF16, bitsandbytes 0.50 repacks them for good in the first forward
    pass without gradients; its kernel for packed weights then passes no gradient on, so training
    after an evaluation learns from wrong gradients (nn/modules.py, Linear4bit.forward).
    """
    for module in model.modules():
        if isinstance(module, Linear4bit):
            module.support_avx512bf16_for_cpu = False


def _adapter_config(plan: TrainPlan, rows: dict[str, list[int]]) -> LoraConfig:
    arguments = dict(plan.adapter)
    if rows:
        arguments["trainable_token_indices"] = rows
    targets = arguments.get("target_modules")
    if isinstance(targets, tuple):
        arguments["target_modules"] = list(targets)
    return LoraConfig(**{"task_type": "CAUSAL_LM", **arguments})
