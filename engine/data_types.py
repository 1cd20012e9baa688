"""What the engine's API speaks about data: files, tables, mappings and what a model will read.

Apart from the nouns of runs in `types`, because data has a life of its own before any run. The
engine makes them, the client returns them, the wizard shows them. Every one survives a JSON round
trip and refuses unknown keys.
"""

from typing import Literal

from tailor.engine.findings import Finding, Problem
from tailor.estimator.record import record
from tailor.recipes.limit_choices import LimitChoice
from tailor.recipes.spec import DatasetSpec, ExamQuestion, Message


@record
class FileRecord:
    """An uploaded original. It is never changed."""

    id: str
    name: str
    """The person's name for it: a label, never a path."""
    bytes: int
    sha256: str


Shape = Literal["chat", "question_answer", "classes", "preference", "thumbs", "text", "middle"]
"""Conversations; question and answer; a text and its class; a better and a worse answer; answers
with a thumb; running text; code with a gap in the middle."""


@record
class Mapping:
    """Which columns are what. A part is a column's name, or empty; which parts count is said by
    the shape: `chat` needs `messages` (or `speaker` and `text`), `text` needs `text`, `middle`
    needs `before` and `answer`, `preference` needs `chosen` and `rejected` (or `ranked`), `thumbs`
    needs `rating` and `answer` (or `messages`).
    """

    shape: Shape
    question: str = ""
    answer: str = ""
    """The answer; the label of `classes`; the piece that fills the gap of `middle`."""
    context: str = ""
    """Optional column put before the question."""
    system: str = ""
    """Optional column with standing instructions."""
    messages: str = ""
    """Column of turns: the conversation of `chat`, or what comes before the answers of
    `preference` and `thumbs`."""
    text: str = ""
    instruction: str = ""
    """The same standing instruction for every row, typed by the person; empty means none."""
    history: str = ""
    """Optional column with earlier pairs of question and answer (Alpaca); they are only read."""
    chosen: str = ""
    rejected: str = ""
    ranked: str = ""
    """Column with a list of answers, best first."""
    rating: str = ""
    tools: str = ""
    """Optional column that lists the tools a conversation may call."""
    pictures: str = ""
    """Optional column with the names of pictures."""
    before: str = ""
    after: str = ""
    group: str = ""
    """Optional column: rows with the same value stay on one side of the split."""
    thread: str = ""
    """Column that says what belongs together where a conversation is spread over rows: each row is
    one turn (`chat`, with `speaker` and `text`) or one question with its answer. With `parent` it
    holds the row's own id."""
    parent: str = ""
    """Column with the id of the row that this one follows."""
    speaker: str = ""
    """Column that says who speaks, where each row is one turn."""
    order: str = ""
    """Optional column that sorts the rows of a thread; empty means the file's order."""
    answers_of: str = ""
    """Name of the speaker who gives the answers, not a column; empty where roles say it."""
    stars: int = 0
    """Most points that `rating` gives; 0 when it says yes or no, or which answer is better."""


@record
class ShapeGuess:
    """One reading of the table, with its reason."""

    mapping: Mapping
    confidence: float
    why: str


@record
class DataRow:
    """One row as it was read. Everything is text."""

    id: int
    cells: tuple[str, ...]
    origin: str
    """Where it stands, such as "line 17"."""
    split: Literal["train", "held_out", ""] = ""


@record
class Conversation:
    """A finished example: what the model will be shown and asked to answer."""

    row_id: int
    messages: tuple[Message, ...]
    """Turns, the answer last. Empty for raw text and for code with a gap."""
    text: str = ""
    """Raw text, or the piece that fills the gap."""
    rejected: tuple[str, ...] = ()
    """Worse answers than the last turn, best of them first."""
    rating: Literal["good", "bad", ""] = ""
    tools: str = ""
    """JSON list of the tools that may be called; empty without."""
    pictures: tuple[str, ...] = ()
    before: str = ""
    after: str = ""


@record
class ReadChoice:
    """Something that was found out while reading and that the person may decide otherwise."""

    id: str
    """ "encoding", "separator", "headings", "sheet", "members", "root", "pieces" or "stack"."""
    title: str
    value: str
    """What was used; for "members" the ticked names joined by line ends."""
    options: tuple[tuple[str, str], ...]
    """Value and label of each alternative, the used one among them."""
    why: str = ""
    takes_many: bool = False


@record
class Operation:
    """A fix that was applied to the rows. The newest one can be undone."""

    check: str
    fix: str
    words: str
    """What was done, with the number: "12 repeated rows were left out."."""
    rows: int
    """How many rows it changed or left out."""
    value: str = ""
    """What the person typed for it, or the rows it speaks of."""
    mapping: Mapping | None = None
    """The mapping under which the check had found it."""


@record
class MixPart:
    """Another dataset of the same owner to learn from as well."""

    dataset_id: str
    weight: float = 1.0
    """Relative to the dataset itself, which has weight 1."""


@record
class Mixing:
    """What is learned beside the rows of the dataset itself."""

    parts: tuple[MixPart, ...] = ()
    general_share: float = 0.0
    """Share of general questions, 0 to 0.5, so that the model keeps what it could do before."""


@record
class SourceCount:
    """How many rows came from where."""

    title: str
    rows: int
    """Rows there."""
    used_rows: int
    """Rows to learn from after mixing."""
    share: float
    """Of all rows to learn from; the shares add up to 1."""


@record
class DatasetRecord:
    """A table on its way to becoming training data."""

    id: str
    owner: str
    title: str
    """Name of the file it came from."""
    status: Literal["reading", "ready", "failed"]
    progress: str = ""
    problem: Problem | None = None
    version: int = 0
    found: str = ""
    """What was found, one sentence: "Semicolons, UTF-8, 10 columns, 21,692 rows."."""
    columns: tuple[str, ...] = ()
    rows: int = 0
    guesses: tuple[ShapeGuess, ...] = ()
    """Best first."""
    mapping: Mapping | None = None
    """None until the person said yes to a finished example."""
    findings: tuple[Finding, ...] = ()
    train_rows: int = 0
    held_out_rows: int = 0
    left_out_rows: int = 0
    exam: tuple[ExamQuestion, ...] = ()
    """Ten held-out rows picked for spread, once mapped."""
    kind: str = ""
    """What the file is by its content: "CSV", "Excel", "JSON Lines", "PDF"."""
    done: float = 0.0
    """Share of the reading that is done, 0 to 1."""
    physical_rows: int = 0
    """Lines or entries that are physically there; every one is in `rows` or told of."""
    files: tuple[str, ...] = ()
    """The person's names of the files it came from."""
    choices: tuple[ReadChoice, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    """Reason and number; with the used rows they add up to `rows`."""
    operations: tuple[Operation, ...] = ()
    """Fixes in their order; undo drops the last."""
    extra_checks: tuple[str, ...] = ()
    """Checks that run because the person asked for them, such as "personal_data"."""
    mixing: Mixing = Mixing()
    sources: tuple[SourceCount, ...] = ()


@record
class Span:
    """A piece of a rendered example."""

    text: str
    kind: Literal["read", "learned", "end", "cut"]


@record
class RenderedExample:
    """A row exactly as the model will read it. The spans join to the text."""

    which: Literal["typical", "longest", "strangest"]
    row_id: int
    spans: tuple[Span, ...]
    read_tokens: int
    learned_tokens: int


@record
class SplitWord:
    """A frequent word that the tokenizer cuts into many pieces."""

    word: str
    count: int
    """How often it stands in the rows."""
    pieces: int


@record
class RenderReport:
    """What the model will read, by its own tokenizer and template."""

    model_id: str
    dataset_id: str
    version: int
    max_length_tokens: int
    examples: tuple[RenderedExample, ...]
    spec: DatasetSpec
    """The frozen rows that a run would use."""
    cut_rows: int
    """Training rows longer than the limit, after which nothing is read."""
    findings: tuple[Finding, ...]
    long_row_ids: tuple[int, ...] = ()
    """All rows longer than the limit, so that they can be left out with a click."""
    characters_per_token: float = 0.0
    """How much text a token holds; English makes about 4, a tokenizer strange to a language 1."""
    template_share: float = 0.0
    """Share of tokens that only mark who speaks."""
    split_words: tuple[SplitWord, ...] = ()
    added_words: tuple[str, ...] = ()
    """Words that are tokens of their own in this report, because the person added them."""
    limits: tuple[LimitChoice, ...] = ()
    """What each limit on the length of a row would cut and cost, the shortest first."""
