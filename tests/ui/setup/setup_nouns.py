"""Rows, findings, readings and a model as the setup screens meet them, for their tests."""

from tailor.engine.data_types import (
    Mapping,
    ReadChoice,
    RenderedExample,
    RenderReport,
    ShapeGuess,
    Span,
    SplitWord,
)
from tailor.engine.findings import Finding, Fix
from tailor.estimator.architecture import Architecture
from tailor.estimator.workload import LengthHistogram
from tailor.recipes.spec import DatasetSpec, ModelSpec

STARTER = "smollm2-135m-instruct"
PAIRS = Mapping(shape="question_answer", question="note", answer="form")
ROWS = (
    ("pump 3 is loud again", "P-03 | noise | check bearing"),
    ("leak under tank B <img src=x onerror=alert(1)>", "T-B | leak | inspect seal"),
    ("light flickers in hall 2", "H-2 | flicker | replace ballast"),
)
ENCODING = ReadChoice(
    id="encoding",
    title="Encoding",
    value="utf-8",
    options=(("utf-8", "UTF-8"), ("cp1252", "Windows-1252")),
    why="Every line is valid UTF-8.",
)
SEPARATOR = ReadChoice(
    id="separator",
    title="Separator",
    value=",",
    options=((",", "comma"), (";", "semicolon")),
    why="Most lines have 3 cells with it.",
)
MEMBERS = ReadChoice(
    id="members",
    title="Files inside",
    value="a.csv",
    options=(("a.csv", "a.csv (300 rows)"), ("b.csv", "b.csv (20 rows)")),
    takes_many=True,
)
PAIR_GUESS = ShapeGuess(mapping=PAIRS, confidence=0.9, why="“form” is short.")
TEXT_GUESS = ShapeGuess(
    mapping=Mapping(shape="text", text="note"), confidence=0.3, why="“note” alone."
)
REPEATED = Finding(
    level="warn",
    title="12 rows stand there twice",
    detail="They are alike but for spaces and capitals.",
    fix="Keep the first of each.",
    check="repeated",
    count=12,
    row_ids=(4, 9),
    examples=("pump 3 is <b>loud</b>", "leak under tank B"),
    effect="The model would learn them by heart.",
    fixes=(
        Fix(
            id="keep_first",
            label="Keep the first of each",
            words="12 rows are left out.",
            is_suggested=True,
        ),
    ),
)
PLACEHOLDERS = Finding(
    level="stop",
    title="6 answers hold a placeholder",
    detail="",
    fix="Say what should stand there.",
    check="placeholders",
    count=6,
    examples=("Dear {{name}}",),
    effect="The model would write {{name}} in its answers.",
    fixes=(
        Fix(
            id="fill_in",
            label="Fill it in",
            words="6 rows are changed.",
            asks="Instead of {{name}}",
        ),
    ),
)
PERSONAL = Finding(
    level="note", title="2 rows hold an e-mail address", detail="", fix="", check="personal_data",
    count=2,
)  # fmt: skip
MODEL = ModelSpec(
    id=STARTER,
    name="SmolLM2 135M Instruct",
    path="/models/smollm2",
    family="llama",
    architecture=Architecture(
        model_type="llama", layers=30, hidden=576, heads=9, kv_heads=3, head_dim=64, mlp=1536,
        vocabulary=49152, max_positions=8192, has_tied_embeddings=True,
    ),
    weights_bytes=269_060_552,
    licence="Apache 2.0",
)  # fmt: skip


def report_of() -> RenderReport:
    """What the starter model reads."""
    spans = (
        Span(text="<|im_start|>user\npump 3<|im_end|>\n<|im_start|>assistant\n", kind="read"),
        Span(text="P-03 | noise", kind="learned"),
        Span(text="<|im_end|>", kind="end"),
        Span(text="\n<b>lost</b>", kind="cut"),
    )
    return RenderReport(
        model_id=STARTER,
        dataset_id="ds_20261130-0000",
        version=1,
        max_length_tokens=8192,
        examples=(
            RenderedExample(
                which="typical", row_id=1, spans=spans, read_tokens=40, learned_tokens=8
            ),
        ),
        spec=DatasetSpec(
            id="ds_20261130-0000",
            version=1,
            path="/data/mapped-1.arrow",
            content_hash="0" * 64,
            shape="chat",
            train_rows=262,
            held_out_rows=30,
            lengths=LengthHistogram(
                edges_tokens=(50, 100),
                counts=(200, 62),
                total_tokens=15_000,
                learned_tokens=4_000,
                longest_tokens=97,
            ),
            held_out_tokens=1_700,
        ),
        cut_rows=0,
        findings=(),
        characters_per_token=3.9,
        template_share=0.12,
        split_words=(
            SplitWord(word="Radlager", count=41, pieces=4),
            SplitWord(word="Dichtung", count=20, pieces=3),
        ),
    )
