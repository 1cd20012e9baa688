"""What is known of a family of models: where adapters go, what may be loaded, what is odd about it.

Plain data. One file a family beside this one, found by `catalog`.
"""

from tailor.estimator.record import record


@record
class Family:
    """Models that share a shape and habits."""

    id: str
    """The file's name."""
    title: str
    model_types: tuple[str, ...]
    """`model_type` in config.json."""
    architectures: tuple[str, ...]
    """Class names in config.json that may be loaded."""
    tokenizer_classes: tuple[str, ...]
    """`tokenizer_class` in tokenizer_config.json that may be loaded."""
    lora_targets: tuple[str, ...] = ()
    """Names of the linear layers of a block; empty lets PEFT find all of them."""
    licence: str = ""
    """What is usual, in words; the folder's own licence counts."""
    quirks: tuple[str, ...] = ()
    """What a person should know, a sentence each."""
    is_tested: bool = False
    """Whether a training of this family is part of our tests."""
