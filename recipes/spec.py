"""The nouns of a run before it exists: recipe, model, data, what was asked and what will be done.

The wizard fills a `RunSpec`, a recipe's `plan()` turns it into a `TrainPlan`, and both are frozen
into the run's folder. Plain data and pure functions: nothing here knows torch or a process.
"""

from collections.abc import Callable
from dataclasses import field
from typing import Literal

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.estimator.workload import LengthHistogram, Technique, Workload

Scalar = str | int | float | bool | None
Arguments = tuple[tuple[str, Scalar | tuple[str, ...]], ...]
"""Keyword arguments of a library's config, as pairs: frozen, hashable, `dict()` gives them back."""

Goal = Literal["answer", "format", "classify", "style"]
Precision = Literal["fp32", "bf16", "fp16"]


@record
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: str = ""
    """JSON list of calls, each {"name", "arguments"}; only in an assistant's turn."""
    is_learned: bool = True
    """False for an answer that is only read, such as one of an earlier conversation."""


@record
class ExamQuestion:
    """A question the model is asked before, during and after training."""

    id: str
    messages: tuple[Message, ...]
    """The turns before the answer."""
    expected: str
    """The answer the expert would accept; empty when only a person can judge."""


@record
class ModelSpec:
    """The model that will learn."""

    id: str
    """Name of its folder in Tailor's home, or a hash for a folder elsewhere."""
    name: str
    """What people call it."""
    path: str
    """Folder with config.json, safetensors and tokenizer."""
    family: str
    """Id of the family file that knows its habits."""
    architecture: Architecture
    weights_bytes: int
    licence: str = ""
    """Licence in words, empty when the folder does not say."""
    end_token: str = ""
    """The token that ends an answer."""
    has_chat_template: bool = True
    fingerprint: str = ""
    """sha256 over names and hashes of the files that are loaded."""


@record
class DatasetSpec:
    """The rows of one run, frozen."""

    id: str
    version: int
    path: str
    """Arrow file of finished examples (`engine/data/mapped_file.py` names its columns)."""
    content_hash: str
    """sha256 of that file."""
    shape: Literal["chat", "prompt_completion", "text", "preference", "thumbs", "middle"]
    train_rows: int
    held_out_rows: int
    lengths: LengthHistogram
    """Training rows, by the chosen model's tokenizer."""
    held_out_tokens: int
    languages: tuple[str, ...] = ()


@record
class Choice:
    """One value of a knob."""

    value: str
    title: str
    notice: str
    """What a person would notice."""


@record
class Knob:
    """Something a person decides about a run, in words."""

    id: str
    title: str
    why: str
    """Why it is asked."""
    expert_name: str
    """The technical term, shown small."""
    choices: tuple[Choice, ...]
    default: str


@record
class RunSpec:
    """What was asked for."""

    schema: int = 1
    title: str
    goal: Goal
    recipe: str
    model: ModelSpec
    dataset: DatasetSpec
    exam: tuple[ExamQuestion, ...] = ()
    knobs: tuple[tuple[str, str], ...] = ()
    """Knob id and chosen value; a knob that is not named keeps its default."""
    seed: int = 0
    owner: str = ""
    draft_id: str = ""
    added_words: tuple[str, ...] = ()
    """Words that become tokens of their own, with a vector that is trained."""


@record
class PlanReason:
    """One decision of the plan and the sentence why."""

    setting: str
    value: str
    words: str


@record
class TrainPlan:
    """What will be done: arguments for the libraries, each decision with its reason."""

    schema: int = 1
    recipe: str
    method: str
    """Module in `engine/worker/methods` that runs it."""
    technique: Technique
    device: Literal["cpu", "cuda", "mps"]
    precision: Precision
    precision_reason: str
    training: Arguments
    """For the method's config class (SFTConfig)."""
    adapter: Arguments = ()
    """For LoraConfig; empty for full fine-tuning."""
    quantisation: Arguments = ()
    """For BitsAndBytesConfig; empty when the base is not quantised."""
    max_length_tokens: int
    max_new_tokens: int
    """Longest answer in the exam."""
    steps: int
    evaluate_every_steps: int
    save_every_seconds: float = 900.0
    patience_evaluations: int = 3
    reasons: tuple[PlanReason, ...] = ()
    workload: Workload


@record
class Recipe:
    """A way to teach a model, in plain words. One file each in this folder, found by a scan."""

    id: str
    title: str
    for_whom: str
    how_it_works: str
    method: str
    technique: Technique
    needs: str
    """What it needs, in words."""
    knobs: tuple[Knob, ...]
    plan: Callable[[RunSpec, HardwareSpec], TrainPlan] = field(compare=False, repr=False)
