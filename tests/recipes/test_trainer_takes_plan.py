"""The libraries take what the recipes plan: a misspelt argument fails here and not in a run."""

from pathlib import Path

import pytest

from tailor.recipes.catalog import recipes


# TRL 1.16 sets its own default through the old name, which transformers 5.24 warns of.
@pytest.mark.filterwarnings("ignore:`gradient_checkpointing` is deprecated:FutureWarning")
@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.id)
def test_the_trainer_s_own_classes_accept_the_plan(recipe, spec, machines, tmp_path: Path):
    from peft import LoraConfig
    from transformers import BitsAndBytesConfig
    from trl import SFTConfig

    for name in ("processor", "processor with bf16"):
        plan = recipe.plan(spec(recipe.id), machines[name])
        is_half = plan.precision == "bf16"
        config = SFTConfig(
            output_dir=str(tmp_path),
            use_cpu=True,
            bf16=is_half,
            report_to=[],
            **dict(plan.training),
        )
        assert config.max_steps == plan.steps
        assert config.get_warmup_steps(plan.steps) == pytest.approx(0.03 * plan.steps, abs=1)
        if plan.adapter:
            adapter = {k: list(v) if isinstance(v, tuple) else v for k, v in plan.adapter}
            assert LoraConfig(**adapter).lora_alpha == 2 * dict(plan.adapter)["r"]
        if plan.quantisation:
            assert BitsAndBytesConfig(**dict(plan.quantisation)).bnb_4bit_quant_type == "nf4"
        assert bool(plan.adapter) == (plan.technique != "full")
        assert bool(plan.quantisation) == (plan.technique == "qlora")
