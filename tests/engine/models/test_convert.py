"""A GGUF file becomes a model folder that can learn; a small random one stands for all."""

import json
from pathlib import Path
from typing import Any

import pytest

from tailor.engine.errors import UserError
from tailor.engine.models.convert import convert_gguf
from tailor.engine.models.fetch import bring_folder
from tailor.engine.models.read import read_model
from tailor.engine.models.scan import scan_folder
from tailor.engine.models.shelf import ModelShelf

HIDDEN, HEADS, KV_HEADS, MLP, LAYERS = 64, 4, 2, 128, 2
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def write_gguf(path: Path) -> None:
    """A random llama with a byte-level tokenizer. Like many files it names the wrong end token."""
    import gguf
    import numpy
    from tokenizers import pre_tokenizers

    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokens += [*sorted(pre_tokenizers.ByteLevel.alphabet()), "ab"]
    kinds = [gguf.TokenType.CONTROL] * 3 + [gguf.TokenType.NORMAL] * 257
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("random")
    writer.add_context_length(512)
    writer.add_embedding_length(HIDDEN)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(MLP)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_rope_dimension_count(HIDDEN // HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(0)
    writer.add_chat_template(TEMPLATE)
    random = numpy.random.default_rng(0)

    def tensor(name: str, *shape: int) -> None:
        values = random.standard_normal(shape).astype(numpy.float32) * 0.05
        if len(shape) == 2:
            packed = gguf.quants.quantize(values, gguf.GGMLQuantizationType.Q4_1)
            writer.add_tensor(name, packed, raw_dtype=gguf.GGMLQuantizationType.Q4_1)
        else:
            writer.add_tensor(name, values + 1)

    tensor("token_embd.weight", len(tokens), HIDDEN)
    tensor("output_norm.weight", HIDDEN)
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        tensor(block + "attn_norm.weight", HIDDEN)
        tensor(block + "ffn_norm.weight", HIDDEN)
        tensor(block + "attn_q.weight", HIDDEN, HIDDEN)
        tensor(block + "attn_k.weight", HIDDEN * KV_HEADS // HEADS, HIDDEN)
        tensor(block + "attn_v.weight", HIDDEN * KV_HEADS // HEADS, HIDDEN)
        tensor(block + "attn_output.weight", HIDDEN, HIDDEN)
        tensor(block + "ffn_gate.weight", MLP, HIDDEN)
        tensor(block + "ffn_up.weight", MLP, HIDDEN)
        tensor(block + "ffn_down.weight", HIDDEN, MLP)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.long
def test_a_gguf_file_becomes_a_plain_model_that_knows_how_an_answer_ends(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    gguf, folder = tmp_path / "random.gguf", tmp_path / "made"
    write_gguf(gguf)
    folder.mkdir()
    told: list[tuple[float, str]] = []
    answer = convert_gguf(
        gguf, folder, lambda done, words: told.append((done, words)), question="?"
    )

    assert isinstance(answer, str)
    shares = [done for done, _ in told]
    assert shares == sorted(shares)
    assert scan_folder(folder) == ()
    assert read_model(folder).end_token == "<|im_end|>"
    config: dict[str, Any] = json.loads((folder / "config.json").read_text())
    assert config["dtype"] == "bfloat16"
    assert "quantization_config" not in config
    assert json.loads((folder / "generation_config.json").read_text())["eos_token_id"] == 2
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    text = "a pump, 204."
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text
    assert torch.isfinite(model(**tokenizer(text, return_tensors="pt")).logits).all()
    assert all(parameter.requires_grad for parameter in model.parameters())


@pytest.mark.long
def test_a_gguf_file_of_one_s_own_goes_onto_the_shelf(tmp_path: Path) -> None:
    (tmp_path / "downloads").mkdir()
    write_gguf(tmp_path / "downloads" / "My Random-Model.Q4_1.gguf")
    home = tmp_path / "home"
    (home / "models").mkdir(parents=True)
    model = bring_folder(home / "models", str(tmp_path / "downloads"), lambda done, words: None)
    assert (model.id, model.name) == ("my-random-model.q4-1", "My Random-Model.Q4_1")
    assert ModelShelf(home).get(model.id) == model
    left = [path.name for path in (home / "models").iterdir() if path.name.startswith(".making")]
    assert left == []


def test_another_kind_of_file_is_refused_before_any_library_opens_it(tmp_path: Path) -> None:
    path = tmp_path / "zip.gguf"
    path.write_bytes(b"PK\3\4")
    with pytest.raises(UserError, match="This is not a GGUF file"):
        convert_gguf(path, tmp_path, lambda done, words: None)
