"""`estimate` promises what a run would need, on any machine, and says by its exit code what it found.

Nothing is fetched for it: models are known by their names and cards by the table.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import tailor
from tailor.app import build_parser
from tailor.ui.terminal.estimate import run_estimate
from tailor.ui.terminal.estimate_answer import Answer

APP = Path(tailor.__file__).with_name("app.py")
HOME_CARD = ("--gpu", "RTX 3090")
SEVENTY = (
    "--model", "Llama-3-70B", *HOME_CARD, "--gpus", "2", "--technique", "qlora",
    "--rows", "3000", "--length", "2048",
)  # fmt: skip
EIGHT = ("--model", "Llama-3.1-8B", *HOME_CARD, "--rows", "3000", "--length", "1024")


@pytest.fixture
def ask(tmp_path, capsys):
    """Ask a question; exit code, what was told, what was refused."""

    def estimate(*options):
        given = build_parser().parse_args(["estimate", *map(str, options)])
        code = run_estimate(tmp_path / "home", given)
        told = capsys.readouterr()
        return code, told.out, told.err

    return estimate


def squeezed(text):
    """Words without the line ends of the terminal."""
    return " ".join(text.split())


def test_a_run_that_fits_is_promised_whole(ask):
    code, told, refused = ask(
        *EIGHT, "--technique", "qlora", "--tariff", "0.3", "--currency", "EUR"
    )
    assert (code, refused) == (0, "")
    assert told.startswith("Llama-3.1-8B, a small adapter learns on a packed model, on one")
    assert "It fits. It needs at most" in squeezed(told)
    for label in ("Verdict", "Memory", "Time", "Disk", "Download", "RAM", "Electricity", "Assumed"):
        assert re.search(rf"^{label} +\S", told, re.MULTILINE), label
    for part in ("the model itself (weights)", "learning notes (optimizer)"):
        assert re.search(rf"{re.escape(part)} +[\d.]+ [MG]B", told), part
    assert re.search(r"^Cost +[\d.]+-[\d.]+ EUR$", told, re.MULTILINE)
    assert "kWh" in told


def test_without_a_price_none_is_invented(ask):
    _, told, _ = ask(*EIGHT)
    assert "no price set" in told


def test_a_price_of_nothing_is_told_as_such(ask):
    _, told, _ = ask(*EIGHT, "--tariff", "0", "--currency", "EUR")
    assert re.search(r"^Cost +0 EUR$", told, re.MULTILINE)


def test_a_run_that_does_not_fit_is_told_with_the_nearest_that_does(ask):
    code, told, _ = ask(*SEVENTY, "--ram", "128")
    assert code == 1
    assert "It will not fit." in told
    assert "2 x " in told
    assert "The nearest plans that fit:" in told
    assert "CPU offload" in told
    assert "goes from" in squeezed(told)


def test_where_nothing_fits_it_says_why_and_what_would_do(ask):
    code, told, _ = ask(*SEVENTY, "--ram", "64")
    assert code == 1
    assert "Nothing near it fits:" in told
    assert "of the computer's own memory" in squeezed(told)
    assert re.search(r"\d+ GB of memory in the computer would do", squeezed(told))


def test_scripts_read_one_json_object(ask):
    code, told, _ = ask(*SEVENTY, "--ram", "128", "--json")
    assert code == 1
    answer = TypeAdapter(Answer).validate_json(told)
    assert answer.estimate.verdict == "will_not_fit"
    assert answer.workload.cards == 2
    assert len(answer.hardware.cards) == 2
    assert answer.suggestions[0].workload.cards == 2
    assert json.loads(told)["schema"] == 1


def test_a_step_learns_from_as_many_rows_as_asked(ask):
    _, told, _ = ask(*EIGHT, "--batch", "24", "--json")
    workload = TypeAdapter(Answer).validate_json(told).workload
    assert workload.micro_batch_rows * workload.accumulation == 24
    _, told, _ = ask(*EIGHT, "--batch", "24", "--gpus", "3", "--json")
    workload = TypeAdapter(Answer).validate_json(told).workload
    assert workload.micro_batch_rows * workload.accumulation == 8
    assert (workload.cards, workload.sharding) == (3, "ddp")


def test_steps_follow_the_rows_of_a_step(ask):
    steps = []
    for batch in (8, 16, 32):
        _, told, _ = ask(*EIGHT, "--batch", batch, "--json")
        steps.append(TypeAdapter(Answer).validate_json(told).workload.steps)
    assert steps[0] == pytest.approx(2 * steps[1], rel=0.02)
    assert steps[1] == pytest.approx(2 * steps[2], rel=0.02)


@pytest.mark.parametrize(("rows", "told"), [(1, "read once."), (1000, "read 3 times.")])
def test_how_often_each_row_is_read_is_told(ask, rows, told):
    _, words, _ = ask("--model", "gpt2", *HOME_CARD, "--rows", rows)
    assert f"Each row is {told}" in squeezed(words)


def test_cards_share_as_asked(ask):
    _, told, _ = ask(*EIGHT, "--gpus", "2", "--sharding", "fsdp")
    assert "The model is split over the cards (FSDP)." in squeezed(told)


def test_an_unknown_model_of_a_known_size_is_told_as_a_guess(ask):
    code, told, _ = ask(
        "--model", "our-own-thing", "--params-b", "7", *HOME_CARD, "--technique", "qlora"
    )
    assert code in (0, 1)
    assert "This model is not in our table." in told
    assert "every figure is rougher" in squeezed(told)


def test_what_was_not_told_is_listed_as_assumed(ask):
    _, told, _ = ask("--model", "Llama-3.1-8B", *HOME_CARD)
    for option in ("--rows", "--length", "--ram"):
        assert option in told


def test_a_card_that_is_not_in_the_table_is_taken_as_its_owner_says(ask):
    code, told, _ = ask(
        "--model", "Llama-3.1-8B", "--gpu", "Voodoo 9", "--memory-gb", "80", "--bandwidth", "1500"
    )
    assert code == 0
    assert "on one Voodoo 9" in told
    assert "its speed is guessed" in squeezed(told)


def test_this_computer_is_asked_about_where_no_card_is_named(ask):
    code, told, _ = ask("--model", "SmolLM2-135M", "--rows", "200", "--length", "128")
    assert code in (0, 1)
    assert "a small adapter learns, on" in told


def test_longer_rows_than_the_model_reads_are_told(ask):
    _, told, _ = ask("--model", "Llama-2-7B", *HOME_CARD, "--length", "100000")
    assert "reads 4,096 tokens at most" in squeezed(told)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Neither a spec file nor a model"),
        (("--model", "nobody-knows-this"), "--params-b"),
        (("--model", "Llama-3.1-8B", "--gpu", "Voodoo 9"), "--memory-gb"),
        (("--model", "Llama-3.1-8B", "--gpu", "Voodoo 9", "--memory-gb", "24"), "--bandwidth"),
        (("--model", "Llama-3.1-8B", "--gpus", "2"), "none was named"),
        ((*EIGHT, "--rows", "0"), "--rows is 0; it must be at least 1."),
        ((*EIGHT, "--rows", "-3"), "--rows is -3"),
        ((*EIGHT, "--length", "0"), "--length is 0"),
        ((*EIGHT, "--length", "100000000"), "--length is 1e+08; more than"),
        ((*EIGHT, "--batch", "0"), "--batch is 0"),
        ((*EIGHT, "--batch", "3", "--gpus", "2"), "3 rows a step cannot be divided among 2 cards"),
        ((*EIGHT, "--gpus", "0"), "--gpus is 0"),
        ((*EIGHT, "--gpus", "-1"), "--gpus is -1"),
        ((*EIGHT, "--ram", "-64"), "--ram is -64"),
        ((*EIGHT, "--ram", "nan"), "--ram is nan"),
        ((*EIGHT, "--tariff", "-0.3"), "--tariff is -0.3"),
        ((*EIGHT, "--tariff", "inf"), "--tariff is inf"),
        ((*EIGHT, "--tariff", "0.3", "--card-hour", "2"), "Two prices"),
        ((*EIGHT, "--sharding", "fsdp"), "nobody to share with"),
        (("no-such.yaml", "--model", "Llama-3.1-8B"), "says already what --model says"),
        (("no-such.yaml",), "There is no such spec file"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(ask, options, words):
    code, told, refused = ask(*options)
    assert code == 2
    assert told == ""
    assert words in squeezed(refused)
    assert "Traceback" not in refused


def test_a_name_cannot_give_orders_to_the_terminal(ask):
    _, told, _ = ask("--model", "x\x1b[31m-7b", "--params-b", "7", *HOME_CARD)
    assert "\x1b" not in told


@pytest.mark.parametrize("columns", ["50", "200"])
def test_lines_fit_the_terminal(ask, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    _, told, _ = ask(*SEVENTY, "--ram", "64")
    widest = max(len(line) for line in told.splitlines())
    assert widest <= min(100, int(columns))


def test_the_command_is_wired_and_loads_no_torch(tmp_path):
    script = (
        "import sys; from tailor.app import main; code = main(sys.argv[1:]); "
        "assert 'torch' not in sys.modules and 'gradio' not in sys.modules; sys.exit(code)"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", script, "--home", str(tmp_path), "estimate", *EIGHT,
         "--technique", "qlora"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "It fits." in ran.stdout
