"""Builds the model of a request with sizes and without numbers: base, packing, adapter,
checkpointing.

The libraries' own classes are made on torch's "meta" device, which costs no memory, and then get
weights that look like real ones. PEFT has to come before that: it can't exchange layers between
tensors without numbers. `tracer.py` asks for one model a depth.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from tailor.engine.worker.trace.card import compute_again_as_on_a_card
from tailor.engine.worker.trace.head import add_head
from tailor.engine.worker.trace.packed import PackedLinear
from tailor.engine.worker.trace.refusal import CannotTraceError
from tailor.estimator.trace import Numbers, TraceRequest
from tailor.estimator.trace_depth import Depth

DTYPES: dict[Numbers, torch.dtype] = {
    "fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16,
}  # fmt: skip


def build_skeleton(request: TraceRequest) -> Any:
    """The library's own model on "meta", with all its layers and nothing added."""
    with torch.device("meta"), _default_dtype(DTYPES[request.weights]):
        return AutoModelForCausalLM.from_config(
            read_config(json.loads(request.config)), attn_implementation=_implementation(request)
        )


def complete(model: Any, request: TraceRequest, depth: Depth) -> Any:
    """What the trainer gets: the base packed, an adapter beside it, layers set to be recomputed."""
    if request.base_format != "plain":
        _pack(model, request)
    if request.head == "tile":
        add_head(model)
    _raise_stream(model, request)
    if request.adapter:
        model = _add_adapter(model, request)
    _set_checkpointing(model, request, depth)
    model.train()
    return model


def read_config(told: dict[str, Any]) -> Any:
    """A config object of the library's own class; no code of a model's folder is run."""
    kind = told.get("model_type", "")
    if kind not in CONFIG_MAPPING:
        raise CannotTraceError(
            f"The installed libraries do not know models of the kind {kind or '(none)'!r}."
        )
    # Weights that were packed elsewhere are no part of the shape.
    return CONFIG_MAPPING[kind].from_dict(
        {name: value for name, value in told.items() if name != "quantization_config"}
    )


def give_weights(model: Any) -> None:
    """Exchange everything on "meta" for tensors that are held; called where those are made."""
    made: dict[int, torch.Tensor] = {}
    before = []
    for module in model.modules():
        for name, weight in module._parameters.items():
            if weight is None:
                continue
            before.append(weight)  # an id is unique only as long as its owner lives
            if id(weight) not in made:
                fresh = torch.nn.Parameter(_empty_like(weight), requires_grad=weight.requires_grad)
                fresh.__dict__.update(weight.__dict__)
                made[id(weight)] = fresh
            module._parameters[name] = made[id(weight)]
        for name, told in module._buffers.items():
            if told is not None:
                before.append(told)
                module._buffers[name] = made.setdefault(id(told), _empty_like(told))


def list_tensors(model: Any) -> Iterator[torch.Tensor]:
    """All weights and buffers."""
    yield from model.parameters()
    yield from model.buffers()


def _empty_like(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu")


def _implementation(request: TraceRequest) -> str:
    # A card's fast attention is torch's own; `attention.py` stands for it.
    return "eager" if request.attention == "eager" else "sdpa"


@contextmanager
def _default_dtype(dtype: torch.dtype) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _pack(model: Any, request: TraceRequest) -> None:
    """As transformers packs: every linear layer but the head."""
    if request.base_format not in ("nf4", "nf4_double"):
        raise CannotTraceError(f"A base in the format {request.base_format} is not followed.")
    head = model.get_output_embeddings()
    linears = [
        (name, module)
        for name, module in model.named_modules()
        if type(module) is torch.nn.Linear and module is not head
    ]
    for name, linear in linears:
        packed = PackedLinear(
            linear,
            is_nested=request.base_format == "nf4_double",
            dtype=DTYPES[request.products],
        )
        parent, _, last = name.rpartition(".")
        setattr(model.get_submodule(parent), last, packed)
    model.is_loaded_in_4bit = True
    for weight in model.parameters():
        weight.requires_grad_(False)


def _raise_stream(model: Any, request: TraceRequest) -> None:
    """Older programs raise norms, or whatever is not packed, to fp32; rows then travel in fp32."""
    for name, weight in model.named_parameters():
        is_raised = request.stream == "all" or (request.stream == "norms" and "norm" in name)
        if is_raised and weight.dtype in (torch.bfloat16, torch.float16):
            weight.data = weight.data.to(torch.float32)


def _add_adapter(model: Any, request: TraceRequest) -> Any:
    arguments = {
        name: list(value) if isinstance(value, tuple) else value for name, value in request.adapter
    }
    with torch.device("meta"):
        model = get_peft_model(model, LoraConfig(**{"task_type": "CAUSAL_LM", **arguments}))
    if request.adapter_numbers is not None:
        for name, weight in model.named_parameters():
            # TRL leaves DoRA's magnitudes in fp32.
            if weight.requires_grad and "lora_magnitude_vector" not in name:
                weight.data = weight.data.to(DTYPES[request.adapter_numbers])
    return model


def _set_checkpointing(model: Any, request: TraceRequest, depth: Depth) -> None:
    if request.checkpointed_layers == 0:
        return
    kwargs = {"use_reentrant": request.is_reentrant}
    enable = getattr(model, "activation_checkpointing_enable", None)
    if enable is not None:  # transformers 5.24 renamed it
        enable(activation_checkpointing_kwargs=kwargs)
    else:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs=kwargs)
    if request.adapter:
        model.enable_input_require_grads()
    if request.checkpointed_layers is not None:
        from tailor.engine.worker.recompute import recompute_first

        recompute_first(model, depth.checkpointed_layers)
    compute_again_as_on_a_card(model)
