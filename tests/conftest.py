"""Shared by all tests: a tiny real model made from a fixed seed, the starter model, a Chromium."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@pytest.fixture(scope="session")
def tiny_model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama of 70,000 parameters with a byte-level tokenizer and a chat template."""
    import torch
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("models") / "tiny-llama"
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={one: i for i, one in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokenizer.add_special_tokens([AddedToken(one, special=True) for one in special])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=CHAT_TEMPLATE,
    )
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(fast),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=512,
            tie_word_embeddings=True,
            eos_token_id=fast.eos_token_id,
            pad_token_id=fast.pad_token_id,
        )
    )
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def starter_model_folder() -> Path:
    """The real small model, as `scripts/test` has prepared it."""
    folder = os.environ.get("TAILOR_STARTER_MODEL", "")
    if not folder:
        pytest.skip("the starter model is not prepared; scripts/test does it")
    return Path(folder)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium that asks nobody on the network for anything.

    Of one module, not of the session: Playwright keeps an event loop open, and other tests want
    one of their own.
    """
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = (
        os.environ.get("TAILOR_CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("google-chrome")
    )
    if not path:
        pytest.skip("no Chromium was found; scripts/browser installs one")
    quiet = [
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
    ]
    # Chromium refuses its own process isolation to root.
    isolation = ["no-sandbox"] if os.getuid() == 0 else []
    # Playwright's own patience of five seconds is too short on a computer that others keep busy.
    api.expect.set_options(timeout=60_000)
    with api.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=path, args=[f"--{one}" for one in (*quiet, *isolation)]
        )
        yield browser
        browser.close()


@pytest.fixture
def browser_page(chromium: Any) -> Iterator[Any]:
    """A wide window of its own."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()
