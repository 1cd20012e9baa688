"""Texts put right inside cells of every form."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailor.engine.data.doctor.cells import mend_cell


def shout(text: str) -> str:
    return text.replace("z", 'Z"\n')


@pytest.mark.parametrize(
    ("cell", "mended"),
    [
        ("plain z", 'plain Z"\n'),
        ("[not json z", '[not json Z"\n'),
        ('{"z": "z"}', r'{"z": "Z\"\n"}'),
        ('[ {"r" : "u","n":1.50e3,  "z" :null, "x":"bz"} ]', r'[ {"r" : "u","n":1.50e3,  "z" :null, "x":"bZ\"\n"} ]'),
        ('{"x": "unchanged \\u00e9 \\/"}', '{"x": "unchanged \\u00e9 \\/"}'),
        ('["é z"]', r'["é Z\"\n"]'),
        (r'["\u00e9 z"]', r'["\u00e9 Z\"\n"]'),
    ],
)  # fmt: skip
def test_only_texts_that_change_are_written_anew(cell: str, mended: str) -> None:
    assert mend_cell(cell, shout) == mended


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(st.lists(values, max_size=4), st.booleans(), st.sampled_from([None, 2]))
def test_json_stays_json_with_each_text_mended(
    value: list[object], is_ascii: bool, indent: int | None
) -> None:
    cell = json.dumps(value, ensure_ascii=is_ascii, indent=indent)
    assert json.loads(mend_cell(cell, shout)) == _mended(value)
    assert mend_cell(cell, lambda text: text) == cell


def _mended(value: object) -> object:
    if isinstance(value, str):
        return shout(value)
    if isinstance(value, list):
        return [_mended(one) for one in value]
    return {key: _mended(one) for key, one in value.items()} if isinstance(value, dict) else value
