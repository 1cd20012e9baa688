"""A project at its Plan screen on a machine of the test's choice, with a large model beside."""

from dataclasses import replace

from setup_nouns import MODEL, STARTER

from tailor.engine.types import Draft
from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import LengthHistogram
from tailor.ui.services import Services

LARGE = replace(
    MODEL,
    id="llama-8b",
    name="Llama 8B Instruct",
    weights_bytes=16_060_522_240,
    architecture=Architecture(
        model_type="llama", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128,
        mlp=14_336, vocabulary=128_256, max_positions=8192,
    ),
)  # fmt: skip
LONG_ROWS = LengthHistogram(
    edges_tokens=(256, 512, 1024, 2048, 3072),
    counts=(900, 800, 500, 300, 41),
    total_tokens=1_700_000,
    learned_tokens=500_000,
    longest_tokens=3010,
)


def begin_plan(
    services: Services, engine, machine: HardwareSpec, *, is_large: bool = False, **changes: object
) -> Draft:
    """The draft, with rows that are read already; long rows for the large model."""
    engine.machine = machine
    engine.is_quick = True
    engine.other_models = (LARGE,)
    if is_large:
        spec = replace(engine.report.spec, train_rows=LONG_ROWS.rows, lengths=LONG_ROWS)
        engine.report = replace(engine.report, spec=spec)
    dataset = engine.add_example()
    return services.edit_draft(
        "ada",
        "d1",
        title="Notes",
        goal="format",
        dataset_id=dataset.id,
        model_id=LARGE.id if is_large else STARTER,
        step=4,
        **changes,
    )
