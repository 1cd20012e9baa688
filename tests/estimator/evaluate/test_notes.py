import pytest

from tailor.estimator.evaluate.notes import read_notes


def test_a_rank_is_not_read_out_of_a_learning_rate() -> None:
    assert read_notes("lr=3; run=x").rank is None
    assert read_notes("lr=3; r=16; run=x").rank == 16
    assert read_notes("lora_r=64").rank == 64
    assert read_notes("lora_rank=32").rank == 32


@pytest.mark.parametrize(
    ("words", "targets"),
    [
        ("targets=q_proj k_proj v_proj o_proj; r=8", ("q", "k", "v", "o")),
        ("targets=q_proj k_proj v_proj o_proj c_attn", ("q", "k", "v", "o")),
        ("target_modules=['v_proj', 'q_proj']; trainable=5", ("q", "v")),
        ("target_modules=['gate_proj', 'up_proj', 'down_proj']", ("gate", "up", "down")),
        ("target_modules=query_key_value", ("q", "k", "v")),
        ("target_modules=all-linear", ()),
        ("r=8 alpha=16 all-linear", ()),
        ("target_modules=model.embed_tokens", None),
        ("targets of the study were met", None),
        ("", None),
    ],
)
def test_layers_with_an_adapter_are_known_by_every_name(
    words: str, targets: tuple[str, ...] | None
) -> None:
    assert read_notes(words).targets == targets


def test_the_length_of_a_run_is_read_and_trainable_weights_are_not() -> None:
    notes = read_notes("max_steps=5000; epochs=2; trainable=18353664; run=lab-7; lora_dropout=0.1")
    assert (notes.steps, notes.epochs, notes.run, notes.dropout) == (5000, 2.0, "lab-7", 0.1)
    assert read_notes("max_steps 100").steps == 100
    assert read_notes("total_steps=1,200").steps == 1200
    assert read_notes("1024 samples of dummy data").samples == 1024
    assert "18353664" not in repr(notes)


def test_words_about_padding_sums_and_caps_are_heard() -> None:
    assert read_notes("median, non-pad tokens").is_without_padding
    assert read_notes("summed over both cards").is_summed_over_cards
    assert read_notes("total across GPUs").is_summed_over_cards
    assert not read_notes("peak per device averaged over devices").is_summed_over_cards
    assert read_notes("seq_len is only a cap").is_length_cap
    assert read_notes("use_dora=True").is_dora
