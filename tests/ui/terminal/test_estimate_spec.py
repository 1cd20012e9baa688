"""A spec file is estimated with its own rows, counted by its own model, and nothing is run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tailor.app import build_parser
from tailor.engine.start import ensure_engine
from tailor.ui.terminal.estimate import run_estimate
from tailor.ui.terminal.estimate_answer import Answer

ROWS = "question,answer\n" + "".join(
    f"What is {first} plus {second}?,{first + second}\n"
    for first in range(2, 10)
    for second in range(3, 10)
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("home")
    engine = ensure_engine(folder)
    yield folder
    engine.stop_engine(runs="stop")
    engine.close()


@pytest.fixture
def ask(home, tmp_path, capsys):
    """Estimate a spec file for a model; exit code, what was told, what was refused."""

    def estimate(model, *options):
        (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
        spec = tmp_path / "spec.yaml"
        lines = (
            "title: Sums", "data: rows.csv", "question: question", "answer: answer",
            f"model: {model}", "recipe: sft_lora", "knobs: {passes: '1'}",
        )  # fmt: skip
        spec.write_text("\n".join(lines), "utf-8")
        given = build_parser().parse_args(["estimate", str(spec), *options])
        code = run_estimate(home, given)
        told = capsys.readouterr()
        return code, told.out, told.err

    return estimate


def test_a_spec_is_estimated_with_its_own_rows(ask, home, tiny_model_folder):
    code, told, _ = ask(tiny_model_folder, "--gpu", "RTX 3060", "--json")
    answer = TypeAdapter(Answer).validate_json(told)
    assert code == 0
    assert answer.workload.lengths.rows + answer.workload.held_out_rows == 56
    assert answer.hardware.cards[0].name.startswith("RTX 3060")
    assert answer.estimate.download_bytes == 0
    client = ensure_engine(home)
    assert client.runs() == ()
    client.close()


def test_a_model_that_is_not_here_is_not_fetched(ask):
    code, told, refused = ask("someone/some-model")
    assert (code, told) == (2, "")
    assert "not on this computer" in refused
    assert "--model someone/some-model" in refused
