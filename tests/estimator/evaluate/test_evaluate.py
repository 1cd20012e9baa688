"""The whole command, on a made-up file of 40 measurements."""

import csv
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tailor.estimator.evaluate.__main__ import main

MEASURED = Path(__file__).parent / "measured.csv"
FAMILIES = [
    "peak_mem_alloc", "peak_mem_reserved", "peak_mem_other", "tokens/s", "samples/s", "train time",
]  # fmt: skip


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def write(rows: list[dict[str, str]], file: Path) -> Path:
    with file.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return file


def evaluate(file: Path, out: Path, *more: str) -> dict[str, Any]:
    assert main([str(file), "--json", str(out), *more]) == 0
    told: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return told


def test_the_tables_tell_every_family_every_refusal_and_both_ways_to_count_failures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = evaluate(MEASURED, tmp_path / "out.json")
    printed = capsys.readouterr().out
    for family in FAMILIES:
        assert f"\n{family} " in printed
    assert "lab/one" in printed
    assert "home/two" in printed
    assert "all families" in printed
    for code in {row["refusal"] for row in told["rows"]} - {None}:
        assert code in printed
    for words in ("shape guessed from size", "length is a cap", "recall with tight", "sha256"):
        assert words in printed
    assert told["header"]["sha256"] in printed
    assert set(told["header"]) >= {"tailor", "stacks.csv", "architectures.csv", "gpus.csv"}


def test_every_row_is_told_once_and_none_with_its_value(tmp_path: Path) -> None:
    told = evaluate(MEASURED, tmp_path / "out.json")
    assert [row["row"] for row in told["rows"]] == list(range(40))
    assert told["rows_in_file"] == told["rows_predicted"] + told["rows_refused"] == 40
    predicted = [row for row in told["rows"] if row["refusal"] is None]
    for row in predicted:
        assert row["predicted"] > 0
        assert row["interval_95"][0] <= row["interval_90"][0] <= row["interval_80"][0]
        assert row["interval_80"][1] <= row["interval_90"][1] <= row["interval_95"][1]
        assert not {"value", "measured", "error"} & set(row)
    memory = [row for row in predicted if "mem" in row["metric"]]
    assert all(sum(row["parts"].values()) > 1e9 for row in memory)


def test_the_same_run_is_predicted_the_same_in_every_unit(tmp_path: Path) -> None:
    rows = {row["row"]: row for row in evaluate(MEASURED, tmp_path / "out.json")["rows"]}
    allocated, active = rows[0], rows[1]
    assert allocated["predicted"] == active["predicted"]
    assert allocated["predicted_in_unit_of_row"] == pytest.approx(
        1e9 * active["predicted_in_unit_of_row"]
    )
    tokens, samples, step, run = rows[7], rows[8], rows[9], rows[10]
    assert tokens["predicted"] == pytest.approx(2048 * samples["predicted"])
    assert step["predicted"] == pytest.approx(4 / samples["predicted"])
    assert run["predicted"] == pytest.approx(100 * step["predicted"])
    one_card, both = rows[12], rows[13]
    assert both["predicted"] == one_card["predicted"]
    assert both["predicted_in_unit_of_row"] == pytest.approx(
        2 * one_card["predicted_in_unit_of_row"]
    )


def test_shuffled_values_change_no_prediction(tmp_path: Path) -> None:
    rows = rows_of(MEASURED)
    values = [row["value"] for row in rows]
    random.Random(7).shuffle(values)
    assert values != [row["value"] for row in rows]
    shuffled = write(
        [{**row, "value": value} for row, value in zip(rows, values, strict=True)],
        tmp_path / "shuffled.csv",
    )
    before = evaluate(MEASURED, tmp_path / "a.json")["rows"]
    after = {row["row"]: row for row in evaluate(shuffled, tmp_path / "b.json")["rows"]}
    # A value that is no number, now beside another row, refuses that row and changes nothing else.
    told = [(row, after[row["row"]]) for row in before]
    same = [(one, two) for one, two in told if not one["refusal"] and not two["refusal"]]
    assert len(same) >= 20
    assert all(one == two for one, two in same)


def test_failures_are_grouped_by_run_or_by_everything_that_was_run(tmp_path: Path) -> None:
    told = evaluate(MEASURED, tmp_path / "out.json")
    by_name = {line["name"]: line for line in told["failures"]}
    # Two named runs failed in the lab. At home a run without a name failed, whose other row, with
    # the same setting, told a result before: still one failed run.
    assert by_name["lab/one"]["failed"] == 2
    assert by_name["home/two"]["failed"] == 1
    assert by_name["all sources"]["failed"] == 3
    # The run whose row says that it did not fail has worked.
    assert by_name["lab/one"]["worked"] >= 3


def test_a_source_without_a_failure_counts_no_run_as_worked(tmp_path: Path) -> None:
    rows = [row for row in rows_of(MEASURED) if row["metric"] != "oom"]
    told = evaluate(write(rows, tmp_path / "none.csv"), tmp_path / "out.json")
    assert told["failures"] == []


@pytest.mark.parametrize("left", ["model", "source"])
def test_what_is_left_out_is_still_predicted(tmp_path: Path, left: str) -> None:
    told = evaluate(MEASURED, tmp_path / "out.json", "--leave-out", left)
    plain = evaluate(MEASURED, tmp_path / "plain.json")
    assert told["rows_predicted"] == plain["rows_predicted"]
    assert left in told["header"]["ranges"]


def test_a_missing_column_is_exit_2_and_a_file_without_a_prediction_exit_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = rows_of(MEASURED)
    short = write(
        [{name: row[name] for name in row if name != "packing"} for row in rows],
        tmp_path / "short.csv",
    )
    assert main([str(short)]) == 2
    assert "packing" in capsys.readouterr().err
    assert main([str(tmp_path / "absent.csv")]) == 2
    strangers = write([{**row, "model": "?", "params_b": ""} for row in rows], tmp_path / "no.csv")
    assert main([str(strangers)]) == 3
    header_only = tmp_path / "empty.csv"
    header_only.write_text(",".join(rows[0]) + "\n", "utf-8")
    assert main([str(header_only)]) == 3


def test_a_calibration_of_ones_own_changes_ranges_and_a_broken_one_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{}", "utf-8")
    assert main([str(MEASURED), "--calibration", str(broken)]) == 2
    assert capsys.readouterr().err
    wide = tmp_path / "wide.json"
    group = {
        "quantity": "allocated", "layer": "closed_form", "technique": "lora", "sharing": "one",
        "device": "", "residuals": [-1.0 + place / 20 for place in range(41)],
    }  # fmt: skip
    wide.write_text(
        json.dumps(
            {
                "schema": 1, "made_from": "this test", "made_from_sha256": "", "versions": {},
                "efficiency": None, "groups": [group],
            }
        ),
        "utf-8",
    )  # fmt: skip
    told = evaluate(MEASURED, tmp_path / "wide.out", "--calibration", str(wide))["rows"][0]
    shipped = evaluate(MEASURED, tmp_path / "shipped.out")["rows"][0]
    assert told["predicted"] == shipped["predicted"]
    assert told["interval_90"][1] > 1.5 * shipped["interval_90"][1]


def test_the_command_runs_without_torch_and_4000_rows_take_less_than_a_minute(
    tmp_path: Path,
) -> None:
    rows = rows_of(MEASURED)
    large = write(rows * 100, tmp_path / "large.csv")
    program = (
        "import runpy, sys\n"
        f"sys.argv = ['evaluate', {str(large)!r}]\n"
        "try:\n"
        "    runpy.run_module('tailor.estimator.evaluate', run_name='__main__')\n"
        "except SystemExit as left:\n"
        "    assert left.code == 0, left.code\n"
        "assert not {'torch', 'transformers', 'pandas', 'pydantic'} & set(sys.modules)\n"
    )
    start = time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "4000 rows" in ran.stdout
    assert time.monotonic() - start < 60
