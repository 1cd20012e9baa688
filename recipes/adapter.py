"""Where an adapter sits: small matrices beside every linear layer of the blocks.

All linear layers rather than attention alone: the same number of weights learns more when it is
spread. The output head is left out, since TRL 1.16 reads its raw weight and refuses an adapter
there.
"""

from tailor.recipes.families.catalog import family_of
from tailor.recipes.spec import Arguments, ModelSpec, PlanReason


def compute_adapter(model: ModelSpec) -> Arguments:
    """Keyword arguments of LoraConfig, without the rank."""
    targets = family_of(model.family).lora_targets
    return (
        ("lora_dropout", 0.0),
        ("bias", "none"),
        ("target_modules", targets or "all-linear"),
        ("task_type", "CAUSAL_LM"),
    )


def explain_added_words(words: tuple[str, ...]) -> tuple[PlanReason, ...]:
    """What happens to words that the person added; nothing without any."""
    if not words:
        return ()
    return (
        PlanReason(
            setting="added words",
            value=f"{len(words):,}",
            words="These words become tokens of their own. Each begins as the mean of the pieces "
            "it was cut into, and its vector is trained with the rest.",
        ),
    )


def explain_adapter(model: ModelSpec) -> PlanReason:
    """Which layers get one, and why."""
    family = family_of(model.family)
    return PlanReason(
        setting="target_modules",
        value=", ".join(family.lora_targets) or "all-linear",
        words="Every linear layer of the model's blocks gets a small adapter beside it. The model "
        "itself stays as it is.",
    )
