"""The search in sentences: each move in plain words, and what a person gives up, with numbers.

A plan that fits is no help to somebody who cannot see its price. Every figure comes from the two
promises that are compared. `nearest.py` and `roomier.py` ask here.
"""

from collections.abc import Iterator

from tailor.estimator.promise import Estimate
from tailor.estimator.search.feeding import count_checkpointed
from tailor.estimator.search.moves import (
    ADAPTER,
    COARSER_NOTES,
    NO_HARM,
    OTHER_SHARING,
    PACKED,
    SHORTER,
    SLOWER,
    SMALLER_MODEL,
    SMALLER_PIECES,
)
from tailor.estimator.search.suggestion import ModelChoice, Move
from tailor.estimator.verdict import gb
from tailor.estimator.workload import LengthHistogram, Optimizer, Sharding, Workload

NOTICED_SHARE = 0.03
"""A difference in time below this is noise between two runs."""
FASTER_LIMIT = 2.0
"""From here on a time is told as "2 times" instead of per cent."""

SHARING_WORDS: dict[Sharding, str] = {
    "none": "Keep the whole model on each card",
    "ddp": "Keep the whole model on each card (DDP)",
    "zero1": "Split the learning notes over the cards (ZeRO-1)",
    "zero2": "Split learning notes and gradients over the cards (ZeRO-2)",
    "fsdp": "Split the model over the cards (FSDP)",
    "fsdp_offload": "Let the model wait in the computer's memory and bring each layer to the cards "
    "when its turn comes (FSDP with CPU offload)",
}
OPTIMIZER_WORDS: dict[Optimizer, str] = {
    "adamw": "Keep the learning notes without a copy (fused AdamW)",
    "adamw_8bit": "Keep the learning notes in 8 bits (8-bit AdamW)",
    "adamw_foreach": "Keep the learning notes, with a copy while they change (AdamW)",
    "adafactor": "Keep sums of the learning notes (Adafactor)",
    "sgd_momentum": "Keep one learning note of two (SGD with momentum)",
    "paged_adamw_8bit": "Keep the learning notes in 8 bits, and let them move to the computer's "
    "memory when the card is full (paged 8-bit AdamW)",
}


def list_moves(before: Workload, after: Workload, layers: int) -> Iterator[Move]:
    """Every difference between two plans as a move, the least harm first."""
    yield from _wasted(before, after)
    yield from _feeding(before, after, layers)
    if before.optimizer not in (after.optimizer, "adamw_foreach"):
        yield _notes(before, after, COARSER_NOTES)
    if after.base_format != before.base_format or _is_packed(before) != _is_packed(after):
        yield _packing(before, after)
    if after.sharding != before.sharding:
        yield Move(
            kind="sharding", harm=OTHER_SHARING, before=before.sharding, value=after.sharding,
            words=f"{SHARING_WORDS[after.sharding]}.",
        )  # fmt: skip
    if after.max_length_tokens != before.max_length_tokens:
        yield _limit(before, after)
    if before.technique == "full" and after.technique != "full":
        yield Move(
            kind="technique", harm=ADAPTER, before=before.technique, value=after.technique,
            words=f"Let a small adapter of rank {after.lora_rank} learn instead of the whole "
            "model.",
            cost="It takes up less that is new to the model, and forgets less of what it could.",
        )  # fmt: skip


def name_model(choice: ModelChoice) -> Move:
    """Another model instead of the asked one."""
    size = choice.architecture.parameters / 1e9
    return Move(
        kind="model", harm=SMALLER_MODEL, before="", value=choice.name,
        words=f"Take {choice.name} with {size:.1f} billion weights instead.",
        cost="A smaller model knows less and follows harder questions less well.",
    )  # fmt: skip


def join_words(moves: tuple[Move, ...]) -> str:
    """All that changes, one sentence after the other."""
    return " ".join(move.words for move in moves)


def compare_promises(asked: Estimate, found: Estimate, moves: tuple[Move, ...]) -> str:
    """What it costs against the asked plan: time, memory, and what each move gives up."""
    words = [_time_words(asked, found), _memory_words(asked, found)]
    words += [move.cost for move in moves if move.cost]
    if found.verdict == "tight":
        words.append(
            "It is tight: the run tries your longest rows first and stops if they do not fit."
        )
    return " ".join(words)


def cut_shares(lengths: LengthHistogram, limit_tokens: int) -> tuple[float, float]:
    """Share of rows that lose their end at this limit, and of all tokens that are lost."""
    rows = tokens = lower = 0.0
    for edge, count in zip(lengths.edges_tokens, lengths.counts, strict=True):
        if edge > limit_tokens and count:
            # Rows of a bucket are spread evenly over it.
            inside = min(1.0, (edge - limit_tokens) / (edge - lower))
            cut = count * inside
            rows += cut
            tokens += cut * (edge - max(lower, limit_tokens)) / 2
            if lower > limit_tokens:
                tokens += cut * (lower - limit_tokens)
        lower = edge
    return rows / max(1, lengths.rows), min(1.0, tokens / max(1, lengths.total_tokens))


def _wasted(before: Workload, after: Workload) -> Iterator[Move]:
    if after.attention != before.attention:
        yield Move(
            kind="attention", harm=NO_HARM, before=before.attention, value=after.attention,
            words="Compare the words of a row piece by piece instead of all at once "
            f"({after.attention} attention).",
        )  # fmt: skip
    if before.optimizer == "adamw_foreach" and after.optimizer != before.optimizer:
        yield _notes(before, after, NO_HARM if after.optimizer == "adamw" else COARSER_NOTES)
    if after.adapter_dropout != before.adapter_dropout:
        yield Move(
            kind="dropout", harm=NO_HARM, before=f"{before.adapter_dropout:g}",
            value=f"{after.adapter_dropout:g}",
            words="Let the adapter see every number instead of leaving some out by chance "
            "(dropout 0).",
        )  # fmt: skip


def _notes(before: Workload, after: Workload, harm: int) -> Move:
    words = OPTIMIZER_WORDS[after.optimizer]
    if after.optimizer == "adamw" and harm:
        words = "Keep the learning notes in full (fused AdamW)"
    return Move(
        kind="optimizer", harm=harm, before=before.optimizer, value=after.optimizer,
        words=f"{words}.",
    )  # fmt: skip


def _feeding(before: Workload, after: Workload, layers: int) -> Iterator[Move]:
    once, twice = count_checkpointed(before, layers), count_checkpointed(after, layers)
    if twice != once:
        yield Move(
            kind="checkpointing", harm=SLOWER,
            before=str(once), value=str(twice), words=_twice_words(once, twice, layers),
        )  # fmt: skip
    if after.is_offloading_activations != before.is_offloading_activations:
        words = (
            "Let the rows in work wait in the computer's memory."
            if after.is_offloading_activations
            else "Keep the rows in work on the card."
        )
        yield Move(
            kind="offload_activations", harm=SLOWER,
            before=str(before.is_offloading_activations).lower(),
            value=str(after.is_offloading_activations).lower(), words=words,
        )  # fmt: skip
    if after.micro_batch_rows != before.micro_batch_rows:
        rows = after.micro_batch_rows
        yield Move(
            kind="micro_batch", harm=SMALLER_PIECES,
            before=str(before.micro_batch_rows), value=str(rows),
            words=f"Feed {rows} {'row' if rows == 1 else 'rows'} at a time instead of "
            f"{before.micro_batch_rows}. A step still learns from the same rows.",
        )  # fmt: skip


def _twice_words(before: int, twice: int, layers: int) -> str:
    if not twice:
        return "Compute every layer once and keep its numbers."
    if twice < before:
        return f"Compute only {twice} of {layers} layers twice and keep the numbers of the others."
    which = f"all {layers}" if twice == layers else f"{twice} of {layers}"
    return f"Compute {which} layers twice instead of keeping their numbers."


def _is_packed(workload: Workload) -> bool:
    return workload.technique == "qlora"


def _packing(before: Workload, after: Workload) -> Move:
    if not _is_packed(after):
        bits = round(8 * after.weight_bytes_per_parameter)
        return Move(
            kind="base_format", harm=PACKED, before=before.base_format, value=after.base_format,
            words=f"Keep the model in {bits} bits instead of 4.",
        )  # fmt: skip
    return Move(
        kind="base_format", harm=PACKED, before=before.base_format, value=after.base_format,
        words="Pack the model into 4 bits while it learns.",
        # Range of the public runs that `recipes/sft_qlora.py` quotes.
        cost="Answers may be slightly worse: the training loss of public runs was 0.3 to 2.1 % "
        "higher.",
    )  # fmt: skip


def _limit(before: Workload, after: Workload) -> Move:
    rows, tokens = cut_shares(after.lengths, after.max_length_tokens)
    return Move(
        kind="max_length", harm=SHORTER, before=str(before.max_length_tokens),
        value=str(after.max_length_tokens),
        words=f"Cut rows at {after.max_length_tokens:,} tokens instead of "
        f"{before.max_length_tokens:,}.",
        cost="" if after.is_packed else _cut_words(rows, tokens),
    )  # fmt: skip


def _cut_words(rows: float, tokens: float) -> str:
    if not rows:
        return "None of your rows is cut."
    return (
        f"About {_percent(rows)} of your rows lose their end, {_percent(tokens)} of all tokens; "
        "answers that do not fit whole are not learned."
    )


def _time_words(asked: Estimate, found: Estimate) -> str:
    times = found.seconds.likely / asked.seconds.likely
    if abs(times - 1) < NOTICED_SHARE:
        return "It takes about the same time."
    if times >= FASTER_LIMIT:
        return f"It takes about {times:.1f} times as long."
    if times > 1:
        return f"It takes about {_percent(times - 1)} longer."
    return f"It takes about {_percent(1 - times)} less time."


def _memory_words(asked: Estimate, found: Estimate) -> str:
    place = "a card" if found.device != "cpu" else "the computer"
    before, after = gb(asked.memory_bytes.likely), gb(found.memory_bytes.likely)
    words = f"The memory of {place} goes from {before} to {after}"
    if found.device != "cpu" and found.ram_bytes > asked.ram_bytes * (1 + NOTICED_SHARE):
        words += f", and the computer's own from {gb(asked.ram_bytes)} to {gb(found.ram_bytes)}"
    return words + "."


def _percent(share: float) -> str:
    """ "24 %"; less than a per cent is told as that."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 1 else "less than 1 %"
