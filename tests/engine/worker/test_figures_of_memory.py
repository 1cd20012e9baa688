"""What the estimator says of memory and disk, against layers and files that are really there."""

import contextlib
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import LoraConfig, get_peft_model
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter
from transformers import LlamaConfig, LlamaForCausalLM, MixtralConfig, MixtralForCausalLM

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.activations import LayerBytes, compute_layer
from tailor.estimator.memory.disk import compute_checkpoint_bytes
from tailor.estimator.memory.states import compute_trained_parameters
from tailor.estimator.stack import TAILOR
from tailor.estimator.workload import LengthHistogram, Workload

# peft 0.21 asks transformers 5.24 by the old name.
pytestmark = pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")
SHORT, LONG = 256, 512
SHAPE: dict[str, Any] = {
    "hidden_size": 256, "intermediate_size": 704, "num_attention_heads": 4,
    "num_key_value_heads": 2, "vocab_size": 128, "attn_implementation": "sdpa", "use_cache": False,
}  # fmt: skip


class LiveTensors(TorchDispatchMode):
    """Counts bytes of every tensor from its making to its end."""

    def __init__(self) -> None:
        super().__init__()
        self.live, self.peak = 0, 0
        self._sizes: dict[int, int] = {}

    def _keep(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._sizes:
            return
        self._sizes[key] = storage.nbytes()
        self.live += storage.nbytes()
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._drop, key)

    def _drop(self, key: int) -> None:
        self.live -= self._sizes.pop(key, 0)

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        made = function(*args, **(kwargs or {}))
        for leaf in tree_iter(made):
            if isinstance(leaf, torch.Tensor):
                self._keep(leaf)
        return made


def ask(**changes: Any) -> Workload:
    lengths = LengthHistogram(
        edges_tokens=(LONG,), counts=(1,), total_tokens=LONG, learned_tokens=LONG,
        longest_tokens=LONG,
    )  # fmt: skip
    asked = Workload(
        technique="lora", lengths=lengths, max_length_tokens=LONG, micro_batch_rows=1,
        accumulation=1, steps=1, evaluations=0, held_out_rows=0, held_out_tokens=0,
        weight_bytes_per_parameter=2.0, lora_rank=4,
    )  # fmt: skip
    return replace(asked, **changes)


def build(workload: Workload, layers: int, family: str = "llama") -> tuple[Any, Architecture]:
    """A random model with its adapter, as the plan describes it, and its shape."""
    config: Any = (
        LlamaConfig(**SHAPE, num_hidden_layers=layers)
        if family == "llama"
        else MixtralConfig(
            **SHAPE, num_hidden_layers=layers, num_local_experts=4, num_experts_per_tok=2
        )
    )
    torch.manual_seed(0)
    model: Any = LlamaForCausalLM(config) if family == "llama" else MixtralForCausalLM(config)
    model = model.to(torch.bfloat16).train()
    if workload.technique == "lora":
        targets = [f"{name}_proj" for name in workload.adapter_targets] or "all-linear"
        model = get_peft_model(
            model, LoraConfig(r=workload.lora_rank, lora_alpha=8, target_modules=targets)
        )
    base = model.get_base_model() if workload.technique == "lora" else model
    if workload.is_checkpointing_activations:
        base.activation_checkpointing_enable({"use_reentrant": False})
    if workload.technique == "lora":
        base.enable_input_require_grads()
    return model, Architecture.from_config(config.to_dict())


def bytes_kept(workload: Workload, layers: int, tokens: int, family: str) -> tuple[int, int]:
    """After the forward pass, and at the peak of the backward pass; weights left out."""
    model, _ = build(workload, layers, family)
    base = model.get_base_model() if workload.technique == "lora" else model
    casts = workload.technique == "lora"
    with LiveTensors() as tensors:
        for parameter in model.parameters():
            tensors._keep(parameter.data)
        weights = tensors.live
        with torch.autocast("cpu", torch.bfloat16) if casts else contextlib.nullcontext():
            rows = base.model(input_ids=torch.zeros(1, tokens, dtype=torch.long))[0]
        forward = tensors.live - weights
        tensors.peak = 0
        rows.backward(torch.ones_like(rows))
    return forward, tensors.peak - weights


def each_token(measured: Callable[[int, int], tuple[int, int]], place: int) -> float:
    """Bytes of one token and one layer: what a third layer adds."""
    per_token = [
        (measured(layers, LONG)[place] - measured(layers, SHORT)[place]) / (LONG - SHORT)
        for layers in (2, 3)
    ]
    return per_token[1] - per_token[0]


def told(workload: Workload, family: str) -> LayerBytes:
    _, shape = build(workload, 2, family)
    stack = replace(TAILOR, is_autocast=workload.technique == "lora")
    return compute_layer(workload, shape, stack, row_tokens=LONG)


@pytest.mark.parametrize(
    ("changes", "family"),
    [
        ({}, "llama"),
        ({"adapter_targets": ("q", "v")}, "llama"),
        ({"technique": "full", "lora_rank": 0, "trainable_bytes_per_parameter": 2.0}, "llama"),
        ({"adapter_targets": ("q", "k", "v", "o")}, "mixtral"),
    ],
    ids=["lora", "lora on q and v", "full", "lora beside experts"],
)
def test_a_layer_keeps_what_the_formula_says(changes: dict[str, Any], family: str) -> None:
    workload = ask(**changes)
    kept = each_token(lambda layers, tokens: bytes_kept(workload, layers, tokens, family), 0)
    assert told(workload, family).kept == pytest.approx(kept, rel=0.03)


@pytest.mark.parametrize("targets", [(), ("q", "k", "v", "o")], ids=["all", "attention"])
def test_a_layer_that_is_computed_again_peaks_where_the_formula_says(
    targets: tuple[str, ...],
) -> None:
    workload = ask(is_checkpointing_activations=True, adapter_targets=targets)
    short, long = (bytes_kept(workload, 3, tokens, "llama")[1] for tokens in (SHORT, LONG))
    layer = told(workload, "llama")
    # Three inputs of layers; the last rows and their gradient, which this test holds itself.
    others = 3 * layer.stream + 2 * layer.stream
    peak = (long - short) / (LONG - SHORT) - others
    assert layer.kept + layer.backward == pytest.approx(peak, rel=0.06)


@pytest.mark.parametrize("technique", ["lora", "full"])
def test_a_checkpoint_on_disk_has_the_size_that_was_told(tmp_path: Path, technique: str) -> None:
    is_full = technique == "full"
    workload = ask(
        technique=technique, lora_rank=0 if is_full else 32,
        trainable_bytes_per_parameter=2.0 if is_full else 4.0,
    )  # fmt: skip
    model, shape = build(workload, 2)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained)
    model(input_ids=torch.zeros(1, 8, dtype=torch.long)).logits.sum().backward()
    optimizer.step()
    model.save_pretrained(tmp_path)
    torch.save(optimizer.state_dict(), tmp_path / "optimizer.pt")
    written = sum(
        path.stat().st_size for path in tmp_path.iterdir() if path.suffix in (".safetensors", ".pt")
    )
    count = compute_trained_parameters(workload, shape, shape.parameters)
    assert compute_checkpoint_bytes(workload, count) == pytest.approx(written, rel=0.03)
