"""What is taken for personal data and what only looks like it."""

import pytest

from tailor.engine.data.doctor.personal import StandIns, find_personal


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("ada.muster@example.co.uk, o'neil+x@example.com", ["EMAIL", "EMAIL"]),
        ("DE89 3704 0044 0532 0130 00", ["IBAN"]),
        ("GB82WEST12345698765432 is mine", ["IBAN"]),
        ("4111 1111 1111 1111 and 5500-0000-0000-0004", ["CARD", "CARD"]),
        ("+49 170 1234567", ["PHONE"]),
        ("0044 20 7946 0958", ["PHONE"]),
        ("(555) 010-2030", ["PHONE"]),
        ("030 / 123 456 78", ["PHONE"]),
        ("my phone is 5550102", ["PHONE"]),
        ("13912345678", ["PHONE"]),
        ("123-45-6789", ["ID"]),
        ("AB 12 34 56 C", ["ID"]),
        ("RSSMRA85T10A562S", ["ID"]),
        ("12345678Z or X1234567L", ["ID", "ID"]),
        ("11010519491231002X", ["ID"]),
        ("529.982.247-25", ["ID"]),
        ("2 55 08 14 168 025 38", ["ID"]),
        ("2341 2341 2346", ["ID"]),
        ("8.8.8.8", ["IP"]),
    ],
)
def test_personal_data_is_known_by_its_form(text: str, kinds: list[str]) -> None:
    assert [place.kind for place in find_personal(text)] == kinds


@pytest.mark.parametrize(
    "text",
    [
        "ISBN 978-3-16-148410-0", "order 1234567890", "2024-05-17 10:30", "17.05.2024", "v1.2.3.4", "10.0.0.1",
        "192.168.1.1", "3.14159265358979", "1990-2000", "100 000 000", "12.345.678,90", "4 000 000 000 people",
        "DE89 3704 0044 0532 0130 01", "4111 1111 1111 1112", "0000 0000 0000 0000", "12345678A", "52.520008, 13.404954",
        "x = a@b", "@home", "2 + 3 = 5", "0123456789", "id 550e8400-e29b-41d4-a716-446655440000", "call it 7",
        "1234 5678 9012", "1.2.3.4.5", "999.999.999.999", "the years 2001, 2002, 2003, 2004", "[PHONE 2]",
    ],
)  # fmt: skip
def test_other_numbers_are_left_alone(text: str) -> None:
    assert find_personal(text) == []


def test_stand_ins_are_numbered_by_kind_in_the_order_of_meeting() -> None:
    names = StandIns()
    assert (
        names.replace("b@example.org a@example.org b@example.org")
        == "[EMAIL 1] [EMAIL 2] [EMAIL 1]"
    )
    assert names.replace("A@EXAMPLE.ORG 8.8.8.8") == "[EMAIL 2] [IP 1]"
    assert names.replace("nothing") == "nothing"


def test_a_long_text_without_end_takes_no_time_to_speak_of() -> None:
    for piece in ("1 ", "a.", "1-", "(", "+1", "a@", "0 / ", "DE12 "):
        find_personal(piece * 20_000)
