import csv
import json
from pathlib import Path

import pytest

from tailor.estimator.calibration import Calibration
from tailor.estimator.fit import fit, main

MEASURED = Path(__file__).parent / "evaluate" / "measured.csv"


def test_the_same_file_gives_the_same_calibration_byte_for_byte(tmp_path: Path) -> None:
    assert main([str(MEASURED), "--out", str(tmp_path / "a.json")]) == 0
    assert main([str(MEASURED), "--out", str(tmp_path / "b.json")]) == 0
    text = (tmp_path / "a.json").read_bytes()
    assert text == (tmp_path / "b.json").read_bytes()
    assert json.loads(text)["made_from_sha256"]
    assert Calibration.from_json(text.decode("utf-8")).to_json() == text.decode("utf-8")


def test_the_order_of_rows_teaches_nothing(tmp_path: Path) -> None:
    with MEASURED.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    turned = tmp_path / "turned.csv"
    with turned.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: row["hardware"]))
    assert fit(turned).groups == fit(MEASURED).groups


def test_nothing_is_learned_from_guessed_shapes_or_from_other_kinds_of_memory() -> None:
    found = {group.quantity: len(group.residuals) for group in fit(MEASURED).groups}
    groups = fit(MEASURED).groups
    count = {
        quantity: sum(len(group.residuals) for group in groups if group.quantity == quantity)
        for quantity in found
    }
    # Two ways to tell the allocated peak of one run, and of another its sum over both cards; not
    # the row whose shape was guessed.
    assert count["allocated"] == 2 + 1
    # One speed of each run, however often it is told.
    assert count["step_seconds"] == pytest.approx(2, abs=2)
