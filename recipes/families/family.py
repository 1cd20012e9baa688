"""What is known of a family of models: where adapters go, what may be loaded, what is odd about it.

Plain data. One file a family beside this one, found by `catalog`.
"""

from tailor.estimator.record import record


@record
class GapMarks:
    """How models of a family write code with a gap: the tokens around its pieces.

    Written one after the other: `before`, the code before the gap, `after`, the code behind it,
    `middle`, the piece that fills it, `end`.
    """

    before: str
    after: str
    middle: str = ""
    """Empty where the piece follows without a mark."""
    end: str = ""
    """Token that ends the piece; empty for the model's usual end token."""
    is_after_first: bool = False
    """Whether the code behind the gap is written before the code in front of it."""


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
    gap_marks: tuple[GapMarks, ...] = ()
    """Spellings of code with a gap that its models know; a tokenizer has all marks of one or none.
    """
    licence: str = ""
    """What is usual, in words; the folder's own licence counts."""
    quirks: tuple[str, ...] = ()
    """What a person should know, a sentence each."""
    is_tested: bool = False
    """Whether a training of this family is part of our tests."""
