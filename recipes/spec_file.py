"""The file that starts a run from the command line: what the wizard asks, as a dozen lines of YAML.

`python app.py run SPEC.yaml` reads it, and the wizard's expert drawer writes it, so a run set up by
hand can be repeated by a script and the other way round.
"""

import yaml
from pydantic import TypeAdapter

from tailor.estimator.record import record
from tailor.recipes.spec import Goal


@record
class SpecFile:
    """One run, as a person writes it down."""

    schema: int = 1
    title: str = ""
    goal: Goal = "answer"
    data: str = ""
    """A CSV, JSON or JSON Lines file, relative to this file; or empty when `dataset` is given."""
    dataset: str = ""
    """Id of data that the wizard has read already, such as "ds_20261130-kfpa"."""
    question: str = ""
    """Column with the question; empty lets Tailor find the columns."""
    answer: str = ""
    context: str = ""
    instruction: str = ""
    model: str = "starter"
    """"starter", a model's id or folder, or a name on the model hub."""
    recipe: str = "sft_lora"
    knobs: dict[str, str]
    """Knob and value; a knob that is not named keeps its default."""
    seed: int = 0


SPEC_FILE: TypeAdapter[SpecFile] = TypeAdapter(SpecFile)


def read_spec_file(text: str) -> SpecFile:
    """Parse the YAML; pydantic's ValidationError names the key that is wrong."""
    told = yaml.safe_load(text)
    if isinstance(told, dict):
        told.setdefault("knobs", {})
    return SPEC_FILE.validate_python(told)


def render_spec_file(spec: SpecFile) -> str:
    """The YAML of a spec, without the fields that are empty."""
    told = SPEC_FILE.dump_python(spec, mode="json")
    filled = {key: value for key, value in told.items() if value not in ("", {})}
    return yaml.safe_dump(filled, sort_keys=False, allow_unicode=True)
