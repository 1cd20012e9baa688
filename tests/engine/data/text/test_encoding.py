"""Letters arrive as they were written, or the guess is told."""

from collections.abc import Callable
from typing import Any

import pytest

from tailor.engine.errors import UserError

Read = Callable[..., Any]
RUSSIAN = "Как сбросить пароль и открыть новый счёт в вашем банке"
CHINESE = "如何重置密码并在贵行开设新的账户请告诉我详细步骤"
GREEK = "Πώς μπορώ να αλλάξω τον κωδικό πρόσβασης στον λογαριασμό μου"


def table(text: str, rows: int = 30) -> str:
    return "question,answer\n" + "".join(f"{text} {n},{text}\n" for n in range(rows))


@pytest.mark.parametrize(
    ("codec", "text", "word"),
    [
        ("utf-8", CHINESE, "UTF-8"),
        ("utf-8-sig", RUSSIAN, "UTF-8"),
        ("utf-16", RUSSIAN, "UTF-16"),
        ("utf-32", RUSSIAN, "UTF-32"),
        ("utf-16-le", RUSSIAN, "UTF-16"),
        ("utf-16-be", RUSSIAN, "UTF-16"),
        ("utf-16-le", "plain English words", "UTF-16"),
        ("cp1251", RUSSIAN, "Cyrillic"),
        ("koi8_r", RUSSIAN, "Cyrillic"),
        ("gb18030", CHINESE, "Chinese"),
        (
            "cp1252",
            "Größe, Prüfung und Maß für die Straße".replace(",", ""),
            "Western European (Windows)",
        ),
        ("cp1252", "déjà vu à l'école élémentaire", "Western European (Windows)"),
    ],
)
def test_each_encoding_gives_the_letters_back(read: Read, codec: str, text: str, word: str) -> None:
    found = read(table(text).encode(codec))
    assert found.report.columns == ("question", "answer")
    assert found.cells[3] == [f"{text} 3", text]
    assert word in found.report.found


def test_a_guess_by_code_page_shows_a_line(read: Read) -> None:
    found = read(b"a,b,c\n1,2,3\n4,5," + b"\xa9\n")
    assert found.cells[1][2] == "©"
    [finding] = found.report.findings
    assert finding.title == "Check the letters outside English"
    assert "4,5,©" in finding.detail


def test_a_few_damaged_lines_in_utf8_are_named_and_the_rest_is_kept(read: Read) -> None:
    lines = [f"Größe {n},ja\n".encode() for n in range(3_000)]
    lines[1_500] = b"Gr\xf6\xdfe kaputt,ja\n"
    found = read(b"question,answer\n" + b"".join(lines))
    assert found.cells[0][0] == "Größe 0"
    assert found.report.rows == 3_000
    assert found.report.findings[0].where == "line 1502"


def test_bytes_that_are_no_text_are_refused(read: Read) -> None:
    with pytest.raises(UserError, match="not a text file"):
        read(bytes(range(256)) * 40)


def test_zero_bytes_in_text_do_not_stop_reading(read: Read) -> None:
    found = read("question,answer\n" + "".join(f"q{n},a\n" for n in range(200)) + "x\0y,z\n")
    assert found.cells[-1] == ["x\0y", "z"]
