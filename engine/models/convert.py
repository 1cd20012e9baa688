"""Turns a GGUF file into a model folder that can learn: plain 16-bit safetensors and a tokenizer.

GGUF is made for answering; its weights are packed and cannot be trained. Unpacking happens once,
and from then on nothing knows where the folder came from. Runs inside the fetch child, which may be
killed at any moment, so the caller moves the finished folder into place.
"""

import logging
from pathlib import Path
from typing import Any

from tailor.engine.child import Report
from tailor.engine.errors import UserError

logger = logging.getLogger(__name__)

MAGIC = b"GGUF"
PROBE_TOKENS = 24
LOADED_SHARE, UNPACKED_SHARE, SAVED_SHARE = 0.15, 0.7, 0.85
"""Share of the work that is done after each part, by the time it took on two cores."""


def check_gguf(path: Path) -> None:
    """Refuse what only has the name of a GGUF file."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise UserError(
                title="This is not a GGUF file",
                detail=f"{path.name} does not begin the way GGUF files do.",
                fix="Fetch it again, or choose another file.",
            )


def convert_gguf(gguf: Path, folder: Path, report: Report, *, question: str = "") -> str:
    """Write the model of `gguf` into `folder`; its answer to `question`, if one is asked."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
    from transformers.utils.logging import disable_progress_bar

    check_gguf(gguf)
    disable_progress_bar()
    report(0.02, "Reading the tokenizer.")
    where: dict[str, Any] = {"gguf_file": gguf.name, "local_files_only": True}
    try:
        tokenizer = AutoTokenizer.from_pretrained(gguf.parent, **where)
        report(LOADED_SHARE, "Unpacking the weights.")
        model = AutoModelForCausalLM.from_pretrained(
            gguf.parent,
            dtype=torch.float32,
            # Without it the weights stay packed wherever a kernel for them is installed.
            quantization_config=GgufConfig(dequantize=True),
            **where,
        )
    except Exception as unknown:
        # A stranger's file goes through three libraries here, and each raises what it likes.
        logger.exception("%s cannot be unpacked", gguf.name)
        raise UserError(
            title="This GGUF file cannot be unpacked",
            detail=f"{gguf.name}: {str(unknown)[:200]}",
            fix="Use the safetensors version of the same model.",
        ) from unknown
    report(UNPACKED_SHARE, "Checking how an answer ends.")
    _settle_ends(model, tokenizer)
    answer = _ask(model, tokenizer, question) if question else ""
    report(SAVED_SHARE, "Saving the model.")
    _save(model.to(torch.bfloat16), tokenizer, folder)
    return answer


def _settle_ends(model: Any, tokenizer: Any) -> None:
    """Make the token that closes an answer in the chat template the end token everywhere.

    GGUF files of chat models often name the end of the document instead; then an answer never ends.
    """
    if tokenizer.chat_template:
        mark = "tailor"
        turns = [{"role": "user", "content": "?"}, {"role": "assistant", "content": mark}]
        text = tokenizer.apply_chat_template(turns, tokenize=False)
        rest = text[text.rindex(mark) + len(mark) :]
        closing = tokenizer(rest, add_special_tokens=False)["input_ids"][:1]
        token = tokenizer.added_tokens_decoder.get(closing[0]) if closing else None
        if token is not None and token.special:
            tokenizer.eos_token = token.content
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    for settings in (model.config, model.generation_config):
        settings.eos_token_id = tokenizer.eos_token_id
        settings.pad_token_id = tokenizer.pad_token_id
        settings.bos_token_id = tokenizer.bos_token_id


def _ask(model: Any, tokenizer: Any, question: str) -> str:
    """The model's own answer, always the same one."""
    turns = [{"role": "user", "content": question}]
    asked = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt")
    written = model.generate(**asked, max_new_tokens=PROBE_TOKENS, do_sample=False)
    answer = written[0][asked["input_ids"].shape[1] :]
    return str(tokenizer.decode(answer, skip_special_tokens=True)).strip()


def _save(model: Any, tokenizer: Any, folder: Path) -> None:
    """A plain folder: nothing in it may say that it was packed once."""
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    # save_pretrained asks the quantiser, and GGUF's always refuses; the weights are plain now.
    model.hf_quantizer = None
    # The name inside the GGUF file is its maker's note, not an address.
    vars(model.config).pop("_model_name_or_path", None)
    model.generation_config.do_sample = False
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
